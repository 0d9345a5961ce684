// Do tables fit the width they are given, and say everything all the same?
#include "dalembert/core/table.h"

#include <gtest/gtest.h>

#include <sstream>

#include "dalembert/core/wrap.h"

namespace dalembert {
namespace {

std::size_t widest(const std::string& text) {
  std::istringstream stream(text);
  std::size_t most = 0;
  for (std::string line; std::getline(stream, line);) most = std::max(most, columns(line));
  return most;
}

Table prose() {
  Table table({"name", "order", "summary"});
  table.add({"rk4", "4", "the classical method"});
  table.add(
      {"radau", "5", "a collocation method at the points of Radau, with an estimate of its error, and more"});
  return table;
}

TEST(Table, NarrowOnesStayAsTheyAre) {
  Table table({"name", "value", "empty"});
  table.add({"a", "1.5", ""});
  table.add({"long", "-20", ""});
  EXPECT_EQ(table.text(),
            "name  value\n"
            "-----------\n"
            "a       1.5\n"
            "long    -20\n");
  EXPECT_EQ(table.text("  ").find("  name  value\n  ---"), 0u);
}

TEST(Table, WordsGoToFurtherLinesOfTheirCell) {
  EXPECT_EQ(prose().text("", 50),
            "name   order  summary\n"
            "--------------------------------------------------\n"
            "rk4        4  the classical method\n"
            "radau      5  a collocation method at the points\n"
            "              of Radau, with an estimate of its\n"
            "              error, and more\n");
}

TEST(Table, NoLineIsLongerThanTheWidth) {
  Table numbers({"model", "a", "b", "c", "d", "e", "f"});
  for (int i = 0; i < 3; ++i)
    numbers.add(
        {"slider-crank-" + std::to_string(i), "1.234e-10", "2.345678", "123456", "0.0001", "77", "1e-300"});
  for (const std::size_t width : {40u, 60u, 80u, 120u}) {
    EXPECT_LE(widest(prose().text("", width)), width);
    EXPECT_LE(widest(prose().text("  ", width)), width);
    EXPECT_LE(widest(numbers.text("  ", width)), width);
  }
}

TEST(Table, ColumnsThatDoNotFitGoBelowWithWhatTellsRowsApart) {
  Table table({"method", "rtol", "evaluations", "factorisations", "seconds"});
  table.add({"radau", "1e-4", "123456", "1234", "0.123"});
  table.add({"radau", "1e-6", "223456", "2234", "0.223"});
  EXPECT_EQ(table.text("", 40),
            "method  rtol  evaluations\n"
            "-------------------------\n"
            "radau   1e-4       123456\n"
            "radau   1e-6       223456\n"
            "\n"
            "method  rtol  factorisations  seconds\n"
            "-------------------------------------\n"
            "radau   1e-4            1234    0.123\n"
            "radau   1e-6            2234    0.223\n");
}

TEST(Table, LettersCountNotBytes) {
  Table table({"name", "x"});
  table.add({"Führer", "1"});
  table.add({"Gear", "22"});
  EXPECT_EQ(table.text(), "name     x\n----------\nFührer   1\nGear    22\n");
}

TEST(Wrapped, BreaksAtBlanksAndCutsOnlyLongWords) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrapped("abcdefghij k", 4), (std::vector<std::string>{"abcd", "efgh", "ij k"}));
  EXPECT_EQ(wrapped("  a  b", 20), (std::vector<std::string>{"  a  b"}));
  EXPECT_EQ(wrapped("ää öö", 2), (std::vector<std::string>{"ää", "öö"}));
}

}  // namespace
}  // namespace dalembert
