// Numbers in texts.
#include "dalembert/core/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

namespace dalembert {
namespace {

TEST(Text, NumbersAreWholeTexts) {
  EXPECT_EQ(number_in("1e-6"), 1e-6);
  EXPECT_EQ(number_in("-.5"), -.5);
  EXPECT_EQ(number_in("+2"), 2);
  EXPECT_EQ(number_in("0.1"), 0.1);
  EXPECT_TRUE(std::isinf(number_in("inf").value()));
  EXPECT_TRUE(std::isnan(number_in("nan").value()));
  for (const char* text : {"", "+", "-", "+-1", " 1", "1 ", "1,5", "1e", "one", "1e999", "0x10"})
    EXPECT_FALSE(number_in(text)) << text;
}

TEST(Text, NumbersDoNotDependOnTheLocale) {
  const char* with_comma = nullptr;
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
    if (with_comma == nullptr) with_comma = std::setlocale(LC_NUMERIC, name);
  if (with_comma == nullptr) GTEST_SKIP() << "no locale with a decimal comma is installed";
  EXPECT_EQ(number_in("1.5"), 1.5);
  std::setlocale(LC_NUMERIC, "C");
}

}  // namespace
}  // namespace dalembert
