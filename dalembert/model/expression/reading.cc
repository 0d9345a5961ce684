// How the text of an expression is read piece by piece, and refused where it is not arithmetic.
#include <algorithm>
#include <cstdio>

#include "dalembert/model/expression/functions.h"
#include "dalembert/model/expression/parser.h"

namespace dalembert {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t length_of_name(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && (begins_name(text[n]) || (n > 0 && is_digit(text[n])) ||
                             (n > 0 && text[n] == '.' && n + 1 < text.size() && begins_name(text[n + 1]))))
    ++n;
  return n;
}

constexpr auto write_it = "write it, or remove the operator";
constexpr auto what_there_is = "there are numbers, names, + - * / ^, parentheses and functions";

/// What people write instead of the signs we know.
struct Stranger {
  std::string_view sign, what, hint;
};
constexpr Stranger strangers[] = {
    {"==", "a number should stand before '=='", write_it},
    {"!=", "a number should stand before '!='", write_it},
    {"**", "'**' is not an operator", "write ^ for powers"},
    {"&&", "'&&' is not an operator", "write and"},
    {"||", "'||' is not an operator", "write or"},
    {"!", "'!' is not an operator", "write not"},
    {"=", "'=' is not an operator", "write == to compare"},
    {"%", "'%' is not an operator", "write x - y*floor(x/y) for the rest of a division"},
    {"\xC3\x97", "'\xC3\x97' is not an operator", "write *"},          // times
    {"\xC2\xB7", "'\xC2\xB7' is not an operator", "write *"},          // dot
    {"\xE2\x88\x92", "'\xE2\x88\x92' is not an operator", "write -"},  // minus
    {"\xC2\xB2", "'\xC2\xB2' is not an operator", "write ^2"},         // squared
    {"\xC2\xB3", "'\xC2\xB3' is not an operator", "write ^3"},         // cubed
    {"\xCF\x80", "'\xCF\x80' is not a name", "write pi"},              // pi
    {"\xC2\xB0", "a unit is not arithmetic", "write pi/180*x for an angle of x degrees"},
};

}  // namespace

bool Expression::is_name(std::string_view text) {
  return !text.empty() && length_of_name(text) == text.size();
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string clean = "'";
  for (const char c : text.substr(0, most)) clean += c >= ' ' && c < 127 ? c : '?';
  return clean + (text.size() > most ? "...'" : "'");
}

void ExpressionParser::refuse(std::size_t from, std::size_t to, const std::string& what,
                              const std::string& hint) {
  throw ExpressionError(from, to - from, what, hint);
}

void ExpressionParser::skip() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

bool ExpressionParser::take(std::string_view sign) {
  skip();
  if (!text_.substr(at_).starts_with(sign)) return false;
  at_ += sign.size();
  end_ = at_;
  return true;
}

std::string_view ExpressionParser::peek_name() {
  skip();
  return text_.substr(at_, length_of_name(text_.substr(at_)));
}

bool ExpressionParser::take_word(std::string_view word) {
  if (peek_name() != word) return false;
  at_ += word.size();
  end_ = at_;
  return true;
}

/// A byte where a number, a name or a parenthesis should be.
void ExpressionParser::refuse_byte() {
  skip();
  const std::string_view rest = text_.substr(at_);
  if (rest.empty())
    refuse(at_, at_,
           end_ == 0 ? "the expression is empty" : "the expression ends where a number should follow",
           end_ == 0 ? "write a number or a formula" : write_it);
  for (const auto& s : strangers)
    if (rest.starts_with(s.sign)) refuse(at_, at_ + s.sign.size(), std::string(s.what), std::string(s.hint));
  const char c = rest[0];
  const auto byte = static_cast<unsigned char>(c);
  if (byte < ' ' || byte >= 127) {
    char code[8];
    std::snprintf(code, sizeof code, "0x%02X", byte);
    refuse(at_, at_ + 1, std::string("the byte ") + code + " is not arithmetic", what_there_is);
  }
  if (std::string_view("+-*/^<>),").find(c) != std::string_view::npos)
    refuse(at_, at_ + 1, "a number or a name should stand before " + quoted(rest.substr(0, 1)), write_it);
  refuse(at_, at_ + 1, quoted(rest.substr(0, 1)) + " is not arithmetic", what_there_is);
}

bool ExpressionParser::is_known(const std::string& word) const {
  const auto& variables = names_.variables;
  return word == "pi" || find_function(word) != nullptr ||
         std::find(variables.begin(), variables.end(), word) != variables.end() ||
         (names_.constant && names_.constant(word));
}

/// After a complete expression there should be nothing.
void ExpressionParser::refuse_what_follows() {
  const std::size_t last = end_;
  skip();
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  if (c == ')') refuse(at_, at_ + 1, "this ) closes nothing", "remove it, or write the ( that belongs to it");
  if (c == ',') refuse(at_, at_ + 1, "a comma outside of a function", "numbers have a decimal point: 0.5");
  if (c == '_' && last == at_) refuse(at_, at_ + 1, "'_' inside of a number", "write the digits without it");
  if (c == '.') refuse(at_, at_ + 1, "a decimal point too many", "write 0.5");
  if (begins_name(c) || is_digit(c) || c == '(') {
    const std::size_t next = std::max<std::size_t>(length_of_name(text_.substr(at_)), 1);
    const bool blank = last < at_;
    std::size_t before = last;  // the word or number that ended there
    while (before > 0 &&
           (begins_name(text_[before - 1]) || is_digit(text_[before - 1]) || text_[before - 1] == '.'))
      --before;
    if (before == last) --before;
    const std::string left(text_.substr(before, last - before)), right(text_.substr(at_, next));
    if (is_digit(left[0]) && blank && begins_name(c) && !is_known(right))
      refuse(before, at_ + next, quoted(left + " " + right) + " has a unit inside of a formula",
             "units stand alone, behind the whole value; give " + quoted(left + " " + right) +
                 " a name under [parameters]");
    refuse(before, at_ + next, "an operator is missing in " + quoted(left + (blank ? " " : "") + right),
           left.size() + right.size() < 40 ? "write " + left + "*" + right + " for a product"
                                           : "write * for a product");
  }
  refuse_byte();
}

void ExpressionParser::close(std::size_t from, std::size_t to) {
  if (take(")")) return;
  refuse_what_follows();
  refuse(from, to, "this ( is not closed", "write the ) that belongs to it");
}

void ExpressionParser::unknown_name(std::string_view word, std::size_t from) const {
  const bool called = at_ < text_.size() && text_[at_] == '(';
  std::vector<std::string> known;
  if (called) {
    for (const auto& f : all_functions()) known.push_back(f.page.name);
  } else {
    known = names_.variables;
    known.insert(known.end(), names_.known.begin(), names_.known.end());
    known.push_back("pi");
  }
  const bool comparable = word.size() > 1 && word.size() < 64;  // one letter is near to all other ones
  const std::string near = comparable ? nearest(std::string(word), known) : "";
  std::string hint = "did you mean " + quoted(near) + "?";
  if (near.empty()) {
    hint = "known are: ";
    for (std::size_t i = 0; i < std::min<std::size_t>(known.size(), 12); ++i)
      hint += (i ? ", " : "") + known[i].substr(0, 40);
    if (known.size() > 12) hint += ", ...";
  }
  refuse(from, from + word.size(), (called ? "unknown function " : "unknown name ") + quoted(word), hint);
}

}  // namespace dalembert
