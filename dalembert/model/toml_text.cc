#include "dalembert/model/toml_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_bare(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

/// Bytes of the UTF-8 character that a text begins with; 0 if it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const unsigned char second = byte(1);
  const bool too_long = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool outside = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return too_long || outside ? 0 : length;
}

void append_character(unsigned long code, std::string& into) {
  const auto byte = [&](unsigned long bits) { into += static_cast<char>(bits); };
  const auto more = [&](int shift) { byte(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) return byte(0xC0 | (code >> 6)), more(0);
  if (code < 0x10000) return byte(0xE0 | (code >> 12)), more(6), more(0);
  byte(0xF0 | (code >> 18)), more(12), more(6), more(0);
}

/// Takes away underscores that stand between two digits.
std::string without_underscores(const std::string& word, bool (*digit)(char)) {
  std::string result;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool between = i > 0 && i + 1 < word.size() && digit(word[i - 1]) && digit(word[i + 1]);
    if (word[i] != '_' || !between) result += word[i];
  }
  return result;
}

/// digits ["." digits] [("e" | "E") [sign] digits], where a number has no zero in front that it does not need.
enum class Form { none, whole, fraction };
Form form_of(std::string_view word) {
  const auto digits = [&] {
    std::size_t n = 0;
    while (n < word.size() && is_digit(word[n])) ++n;
    word.remove_prefix(n);
    return n;
  };
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  const bool zero = word.starts_with('0');
  const std::size_t before = digits();
  if (before == 0 || (zero && before > 1)) return Form::none;
  if (word.empty()) return Form::whole;
  if (word.starts_with('.')) {
    word.remove_prefix(1);
    if (digits() == 0) return Form::none;
  }
  if (word.starts_with('e') || word.starts_with('E')) {
    word.remove_prefix(1);
    if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
    if (digits() == 0) return Form::none;
  }
  return word.empty() ? Form::fraction : Form::none;
}

/// The whole of a text as a number of that sort; false if it is none or beyond its range.
template <class Number, class... Base>
bool read_whole_text(std::string_view text, Number& into, Base... base) {
  const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), into, base...);
  return trouble == std::errc() && end == text.data() + text.size();
}

}  // namespace

TomlText::TomlText(std::string_view text) : text_(text) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // a byte order mark
}

Spot TomlText::since(const Mark& begin) const {
  return {begin.line, begin.column, begin.line == at_.line ? at_.column : 0};
}

void TomlText::refuse(const Spot& spot, const std::string& what) {
  throw TomlMistake{spot, "this is not TOML: " + what,
                    "texts stand in quotes, sections in brackets: name = \"crank\", [[body]]"};
}

void TomlText::refuse(const std::string& expected) const {
  std::string here = "a character that has no place here";
  if (ended())
    here = "the end of the text";
  else if (sees("\n") || sees("\r"))
    here = "the end of the line";
  else if (const char c = text_[at_.byte]; c > ' ' && c < 127)
    here = "'" + std::string(1, c) + "'";
  refuse({at_.line, at_.column, at_.column}, "expected " + expected + ", but there is " + here);
}

std::string_view TomlText::character() {
  const std::string_view rest = text_.substr(at_.byte);
  const std::size_t length = rest.empty() ? 0 : character_length(rest);
  const bool control = length == 1 && ((rest[0] >= 0 && rest[0] < ' ' && rest[0] != '\t') || rest[0] == 127);
  if (length == 0 || control) refuse("a character of a text");
  at_.byte += length;
  ++at_.column;
  return rest.substr(0, length);
}

bool TomlText::take(std::string_view what) {
  if (!sees(what)) return false;
  at_.byte += what.size();
  at_.column += static_cast<std::uint32_t>(what.size());
  return true;
}

void TomlText::need(std::string_view what) {
  if (!take(what)) refuse("'" + std::string(what) + "'");
}

bool TomlText::take_line_end() {
  if (!take("\n") && !take("\r\n")) return false;
  ++at_.line;
  at_.column = 1;
  return true;
}

void TomlText::skip_blanks() {
  while (take(" ") || take("\t")) continue;
}

void TomlText::skip_comment() {
  if (!take("#")) return;
  while (!ended() && !sees("\n") && !sees("\r\n")) character();
}

void TomlText::skip_lines() {
  do {
    skip_blanks();
    skip_comment();
  } while (take_line_end());
}

void TomlText::end_line() {
  skip_blanks();
  skip_comment();
  if (!ended() && !take_line_end()) refuse("the end of the line");
}

std::string TomlText::key() {
  if (sees("\"\"\"") || sees("'''")) refuse("a key of one line");
  if (sees("\"") || sees("'")) return text(text_[at_.byte]);
  const std::size_t begin = at_.byte;
  while (!ended() && is_bare(text_[at_.byte])) take(text_.substr(at_.byte, 1));
  if (at_.byte == begin) refuse("a key");
  return std::string(text_.substr(begin, at_.byte - begin));
}

std::string TomlText::text(char quote) {
  const std::string end(1, quote);
  take(end);
  std::string all;
  while (!take(end)) {
    if (quote == '"' && sees("\\"))
      escape(all);
    else
      all += character();
  }
  return all;
}

std::string TomlText::text_of_lines(char quote) {
  const std::string one(1, quote), end(3, quote);
  take(end);
  take_line_end();
  std::string all;
  for (;;) {
    const std::size_t begin = at_.byte;
    if (take(end)) {  // behind up to two quotes that belong to the text
      for (int more = 0; more < 2 && take(one); ++more) all += quote;
      return all;
    }
    if (quote == '"' && take_fold()) continue;
    if (quote == '"' && sees("\\"))
      escape(all);
    else if (take_line_end())
      all += text_.substr(begin, at_.byte - begin);
    else
      all += character();
  }
}

/// A backslash at the end of a line, with all blanks and ends of lines that follow.
bool TomlText::take_fold() {
  const Mark begin = at_;
  const bool folds = take("\\") && (skip_blanks(), take_line_end());
  if (!folds) {
    at_ = begin;
    return false;
  }
  do skip_blanks();
  while (take_line_end());
  return true;
}

void TomlText::escape(std::string& into) {
  constexpr std::string_view letters = "btnfr\"\\", meanings = "\b\t\n\f\r\"\\";
  const Mark begin = at_;
  take("\\");
  const std::size_t found = ended() ? std::string_view::npos : letters.find(text_[at_.byte]);
  if (found != std::string_view::npos) {
    character();
    into += meanings[found];
  } else if (take("u")) {
    unicode(4, begin, into);
  } else if (take("U")) {
    unicode(8, begin, into);
  } else {
    refuse("one of b t n f r u U \" \\ after a backslash");
  }
}

void TomlText::unicode(int digits, const Mark& begin, std::string& into) {
  const std::size_t from = at_.byte;
  for (int i = 0; i < digits; ++i) {
    if (ended() || !is_hexadecimal(text_[at_.byte])) refuse("a hexadecimal digit");
    character();
  }
  unsigned long code = 0;
  read_whole_text(text_.substr(from, at_.byte - from), code, 16);
  const bool none = code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
  if (none) refuse(since(begin), "this is the number of no character that a text can have");
  append_character(code, into);
}

Value TomlText::scalar() {
  const Mark begin = at_;
  Value value;
  if (sees("\"") || sees("'")) {
    const char quote = text_[at_.byte];
    value.kind = Value::Kind::text;
    value.text = sees(std::string(3, quote)) ? text_of_lines(quote) : text(quote);
  } else {
    while (!ended() && (is_bare(text_[at_.byte]) || sees("+") || sees(".") || sees(":")))
      take(text_.substr(at_.byte, 1));
    value = number(std::string(text_.substr(begin.byte, at_.byte - begin.byte)), begin);
  }
  value.spot = since(begin);
  return value;
}

Value TomlText::number(const std::string& word, const Mark& begin) {
  if (word.empty()) refuse("a value");
  Value value;
  value.kind = Value::Kind::number;
  if (word == "true" || word == "false") {
    value.kind = Value::Kind::truth;
    value.text = word;
    return value;
  }
  const std::string_view bare = std::string_view(word).substr(word[0] == '+' || word[0] == '-' ? 1 : 0);
  if (bare == "inf" || bare == "nan") {
    value.number = bare == "nan"    ? std::numeric_limits<double>::quiet_NaN()
                   : word[0] == '-' ? -std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::infinity();
    return value;
  }
  const auto shown = [given = std::string_view(word)] {
    return "'" + std::string(given.substr(0, 40)) + "'";
  };
  const int base = word.starts_with("0x") ? 16 : word.starts_with("0o") ? 8 : word.starts_with("0b") ? 2 : 10;
  const bool spaced = word.find('_') != std::string::npos;
  const std::string close = spaced ? without_underscores(word, base == 16 ? is_hexadecimal : is_digit) : "";
  const std::string_view plain = spaced ? std::string_view(close) : word;
  const Form form = form_of(plain);
  if (base == 10 && form == Form::none)
    refuse(since(begin), shown() + " is neither a number nor a text in quotes");
  value.whole = form != Form::fraction;
  std::string_view digits = plain;
  if (base != 10) digits.remove_prefix(2);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t whole = 0;
  const bool read = value.whole ? (base == 10 || is_hexadecimal(digits.empty() ? ' ' : digits[0])) &&
                                      read_whole_text(digits, whole, base)
                                : read_whole_text(digits, value.number) && std::isfinite(value.number);
  if (!read) refuse(since(begin), shown() + " is outside of the range of numbers");
  if (value.whole) value.number = static_cast<double>(whole);
  return value;
}

}  // namespace dalembert
