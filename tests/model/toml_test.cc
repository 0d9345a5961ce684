// Does the reader of TOML take what the standard allows, and nothing else?
#include "dalembert/model/toml.h"

#include <gtest/gtest.h>

#include <cmath>
#include <locale>

#include "dalembert/model/toml_text.h"

namespace dalembert {
namespace {

/// The value at a path: keys, and numbers of list entries.
const Value& at(const Value& value, const std::vector<std::string>& path) {
  const Value* here = &value;
  for (const auto& step : path) {
    if (here->kind == Value::Kind::list) {
      here = &here->list.at(std::stoul(step));
    } else {
      const Member* member = here->find(step);
      if (member == nullptr) throw std::runtime_error("there is no " + step);
      here = &member->value;
    }
  }
  return *here;
}

double number(const std::string& text) {
  const Value value = at(read_toml("a = " + text), {"a"});
  EXPECT_EQ(value.kind, Value::Kind::number) << text;
  return value.number;
}

std::string text(const std::string& written) {
  const Value value = at(read_toml("a = " + written), {"a"});
  EXPECT_EQ(value.kind, Value::Kind::text) << written;
  return value.text;
}

/// "line:column" of what is wrong; "" if nothing is.
std::string mistake(const std::string& text) {
  try {
    read_toml(text);
  } catch (const TomlMistake& wrong) {
    return std::to_string(wrong.spot.line) + ":" + std::to_string(wrong.spot.column);
  }
  return "";
}

TEST(Toml, Numbers) {
  EXPECT_EQ(number("0"), 0);
  EXPECT_EQ(number("-17"), -17);
  EXPECT_EQ(number("+1_000"), 1000);
  EXPECT_EQ(number("0xff_FF"), 65535);
  EXPECT_EQ(number("0o17"), 15);
  EXPECT_EQ(number("0b101"), 5);
  EXPECT_EQ(number("2.75"), 2.75);
  EXPECT_EQ(number("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(number("1E+03"), 1000);
  EXPECT_EQ(number("9_2.2_5"), 92.25);
  EXPECT_EQ(number("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(number("+nan")));
  EXPECT_EQ(number("1e-320"), 1e-320);
  for (const char* none : {"01",  "1.",   ".5",         "1__0",     "_1",    "1_",  "1._5",
                           "0x",  "0x-1", "+0x1",       "1e",       "1e400", "--1", "9223372036854775808",
                           "1,5", "0b2",  "2020-01-01", "07:30:00", "tru",   "Inf", "0\"\xC7\xA7"})
    EXPECT_EQ(mistake(std::string("a = ") + none).substr(0, 2), "1:") << none;
}

/// A host program may have set a locale where numbers have a decimal comma.
TEST(Toml, NumbersInAnyLocale) {
  struct Comma final : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  const double read = number("2.75");
  std::locale::global(before);
  EXPECT_EQ(read, 2.75);
}

TEST(Toml, Texts) {
  EXPECT_EQ(text("\"a\\tb\\\"\\\\\\u00e4\\U0001F600\""), "a\tb\"\\\xC3\xA4\xF0\x9F\x98\x80");
  EXPECT_EQ(text("'a\\b'"), "a\\b");
  EXPECT_EQ(text("\"\""), "");
  EXPECT_EQ(text("\"\"\"\na\nb\"\"\""), "a\nb");
  EXPECT_EQ(text("\"\"\"a\\  \n\n  b\"\"\""), "ab");
  EXPECT_EQ(text("\"\"\"x\"\"\"\""), "x\"");
  EXPECT_EQ(text("\"\"\"\"\"x\"\"\"\"\""), "\"\"x\"\"");
  EXPECT_EQ(text("'''x''''"), "x'");
  EXPECT_EQ(text("''''''"), "");
  for (const char* none : {"\"a\nb\"", "\"\\x\"", "\"\\uD800\"", "\"\\u0000\"", "\"a", "'a", "'''a",
                           "\"\x01\"", "\"\xff\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"", "'''''''''"})
    EXPECT_NE(mistake(std::string("a = ") + none), "") << none;
}

TEST(Toml, Tables) {
  const Value root = read_toml(
      "\xEF\xBB\xBF# first\r\na.b = 1\na.\"c d\" = { e = [1, 2, # two\n], f.g = 'h' }\n"
      "[x.y]\nz = true\n[[list]]\nn = 1\n[list.sub]\nm = 2\n[[list]]\nn = 3\n[x]\nw = 4\n");
  EXPECT_EQ(at(root, {"a", "b"}).number, 1);
  EXPECT_EQ(at(root, {"a", "c d", "e", "1"}).number, 2);
  EXPECT_EQ(at(root, {"a", "c d", "f", "g"}).text, "h");
  EXPECT_EQ(at(root, {"x", "y", "z"}).text, "true");
  EXPECT_EQ(at(root, {"x", "w"}).number, 4);
  EXPECT_EQ(at(root, {"list", "0", "sub", "m"}).number, 2);
  EXPECT_EQ(at(root, {"list", "1", "n"}).number, 3);
  EXPECT_EQ(at(root, {"list", "1"}).spot.line, 11u);
  EXPECT_EQ(mistake("a = 1\na = 2"), "2:1");
  EXPECT_EQ(mistake("[a]\n[a]"), "2:2");
  EXPECT_EQ(mistake("a = {}\na.b = 1"), "2:1");
  EXPECT_EQ(mistake("a = []\n[[a]]"), "2:3");
  EXPECT_EQ(mistake("[a.b]\n[a]\nb.c = 1"), "3:1");
  EXPECT_EQ(mistake("a.b = 1\n[a]"), "2:2");
  EXPECT_EQ(mistake("[[a]]\n[a]"), "2:2");
  EXPECT_EQ(mistake("a = {b = 1,}"), "1:12");
  EXPECT_EQ(mistake("a = 1 b = 2"), "1:7");
  EXPECT_EQ(mistake("a = {b = 1\n}"), "1:11");
  EXPECT_EQ(mistake("= 1"), "1:1");
  EXPECT_EQ(mistake("[a"), "1:3");
  EXPECT_EQ(mistake("a\n= 1"), "1:2");
  EXPECT_EQ(mistake("\xC3\xA4 = 1"), "1:1");
}

}  // namespace
}  // namespace dalembert
