#include "dalembert/model/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "dalembert/core/text.h"
#include "dalembert/model/unit.h"

namespace dalembert {

namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

/// Is it one of the words of an expression?
bool mentions(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !in_name(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !in_name(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> Scope::known() const {
  std::vector<std::string> all = known_ == nullptr ? std::vector<std::string>{} : *known_;
  for (const auto& [local, value] : locals_) all.push_back(local);
  for (const Index& index : indices_) all.push_back(index.name);
  for (const Parameter& parameter : file_->parameters) all.push_back(parameter.name);
  return all;
}

std::optional<double> Scope::look_up(const std::string& name) const {
  for (const auto& [local, value] : locals_)
    if (local == name) return value;
  for (const Index& index : indices_)
    if (index.name == name) return index.value;
  if (source_) return source_(name);
  const auto found = file_->values.find(name);
  return found == file_->values.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Expression> Scope::parse(const Value& value, std::string_view piece, std::size_t shift,
                                       const std::vector<std::string>& variables) const {
  Expression::Names names{variables, [this](const std::string& name) { return look_up(name); }, {}};
  try {
    return Expression::parse(piece, names);
  } catch (const ExpressionError&) {
    names.known = known();  // only now, since most texts are right
  }
  try {
    return Expression::parse(piece, names);
  } catch (const ExpressionError& error) {
    complaints_->add_in_text(document(), value, error.offset + shift, error.length, error.what(),
                             error.hint());
    return {};
  }
}

std::optional<Expression> Scope::expression(const Value& value, const std::string& what,
                                            const std::string& unit,
                                            const std::vector<std::string>& variables) const {
  if (value.kind == Value::Kind::number) {
    if (!std::isfinite(value.number)) {
      complain(value, what + " is " + document().excerpt(value.spot), "a finite number was expected");
      return {};
    }
    return Expression::parse(fmt::format("{:.17g}", value.number), {});
  }
  if (value.kind != Value::Kind::text) {
    complain(value, what + " is " + std::string(in_words(value.kind)),
             "a number or an expression was expected");
    return {};
  }
  for (const auto& variable : variables)
    if (file_->values.contains(variable) && mentions(value.text, variable)) {
      complain(value, "'" + variable + "' is a parameter, and a variable of " + what, "rename the parameter");
      return {};
    }
  const auto [piece, suffix] = split_unit(value.text);
  if (suffix.empty()) return parse(value, value.text, 0, variables);
  const auto at = static_cast<std::size_t>(suffix.data() - value.text.data());
  const auto found = find_unit(suffix);
  if (!found) {
    const Error error = unknown("unit", std::string(suffix), unit_symbols());
    complaints_->add_in_text(document(), value, at, suffix.size(), error.what(), error.hint());
    return {};
  }
  if (!fits(*found, unit)) {
    complaints_->add_in_text(document(), value, at, suffix.size(), what + " is in " + std::string(suffix),
                             unit.empty() ? "it is a number without unit" : "its unit is " + unit);
    return {};
  }
  const auto plain = parse(value, piece, 0, variables);
  if (!plain || (found->numerator == 1 && found->denominator == 1)) return plain;
  const std::string scaled = fmt::format("({})*{:.17g}/{:.17g}", piece, found->numerator, found->denominator);
  return parse(value, scaled, 0, variables);
}

std::optional<double> Scope::number(const Value& value, const std::string& what,
                                    const std::string& unit) const {
  if (value.kind == Value::Kind::number && std::isfinite(value.number)) return value.number;
  const auto found = expression(value, what, unit, {});
  if (!found) return {};
  const double result = (*found)(nullptr);
  if (std::isfinite(result)) return result;
  complain(value, fmt::format("{} is {}", what, result), "a finite number was expected");
  return {};
}

std::optional<double> Scope::whole(const Value& value, std::string_view piece, std::size_t offset) const {
  const auto found = parse(value, piece, offset, {});
  if (!found) return {};
  const double number = (*found)(nullptr);
  if (number == std::floor(number) && std::abs(number) < 1e9) return number;
  complaints_->add_in_text(document(), value, offset, piece.size(),
                           fmt::format("{{{}}} is {}", piece, short_number(number)),
                           "what stands in braces must be whole");
  return {};
}

std::optional<std::string> Scope::text(const Value& value, const std::string& what) const {
  if (value.kind != Value::Kind::text) {
    complain(value, what + " is " + std::string(in_words(value.kind)), "a text was expected");
    return {};
  }
  if (indices_.empty() || value.text.find('{') == std::string::npos) return value.text;
  std::string result;
  std::size_t at = 0;
  while (at < value.text.size()) {
    const std::size_t open = value.text.find('{', at);
    result += value.text.substr(at, open - at);
    if (open == std::string::npos) break;
    const std::size_t close = value.text.find('}', open);
    if (close == std::string::npos) {
      complaints_->add_in_text(document(), value, open, 1, "this brace is not closed", "write {i} or {i-1}");
      return {};
    }
    const std::string_view inside = std::string_view(value.text).substr(open + 1, close - open - 1);
    const std::string_view piece = inside.substr(0, inside.find('|'));
    const auto number = whole(value, piece, open + 1);
    if (!number) return {};
    if (piece.size() < inside.size()) {
      // the innermost index of those that are meant
      const auto meant = std::find_if(indices_.rbegin(), indices_.rend(),
                                      [&](const Index& index) { return mentions(piece, index.name); });
      if (meant != indices_.rend() && (*number < meant->first || *number > meant->last))
        return std::string(inside.substr(piece.size() + 1));
    }
    result += fmt::format("{:.0f}", *number);
    at = close + 1;
  }
  return result;
}

}  // namespace dalembert
