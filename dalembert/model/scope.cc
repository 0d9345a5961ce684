#include "dalembert/model/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

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

std::optional<double> Scope::evaluate(const Value& value, std::string_view piece, std::size_t shift) const {
  const bool local = std::any_of(locals_.begin(), locals_.end(),
                                 [&](const auto& each) { return mentions(piece, each.first); });
  if (indices_.empty() || local) {
    const auto found = parse(value, piece, shift, {});
    return found ? std::optional((*found)(nullptr)) : std::nullopt;
  }
  // The same text at every index: it is read once, as an expression of the indices.
  auto known = file_->repeated.find(piece.data());
  if (known == file_->repeated.end()) {
    std::vector<std::string> names;
    for (const Index& index : indices_) names.push_back(index.name);
    const auto found = parse(value, piece, shift, names);
    if (!found) return {};
    known = file_->repeated.emplace(piece.data(), *found).first;
  }
  double x[most_indices];
  for (std::size_t k = 0; k < indices_.size(); ++k) x[k] = indices_[k].value;
  return known->second(x);
}

/// That of the text, if it has one and it fits; nothing after a complaint.
std::optional<Unit> Scope::unit_of(const Value& value, std::string_view suffix, const std::string& what,
                                   const std::string& unit) const {
  if (suffix.empty()) return Unit{};
  const auto at = static_cast<std::size_t>(suffix.data() - value.text.data());
  const auto found = find_unit(suffix);
  if (const std::string_view piece = std::string_view(value.text).substr(0, at); found && is_sum(piece)) {
    const std::string unit_text(suffix);
    complaints_->add_in_text(document(), value, at, suffix.size(),
                             "is all of this in " + unit_text + ", or its last number?",
                             "put what the unit belongs to into parentheses: (a + b) " + unit_text +
                                 ", or a + (2 " + unit_text + ")");
    return {};
  }
  if (!found) {
    const Error error = unknown("unit", std::string(suffix), unit_symbols());
    complaints_->add_in_text(document(), value, at, suffix.size(), error.what(), error.hint());
    return {};
  }
  if (fits(*found, unit)) return found;
  complaints_->add_in_text(document(), value, at, suffix.size(), what + " is in " + std::string(suffix),
                           unit.empty() ? "it is a number without unit" : "its unit is " + unit);
  return {};
}

/// Complains unless the value is a text, or a number that is finite.
bool Scope::readable(const Value& value, const std::string& what) const {
  if (value.kind == Value::Kind::text || (value.kind == Value::Kind::number && std::isfinite(value.number)))
    return true;
  if (value.kind == Value::Kind::number)
    complain(value, what + " is " + document().excerpt(value.spot), "a finite number was expected");
  else
    complain(value, what + " is " + std::string(in_words(value.kind)),
             "a number or an expression was expected");
  return false;
}

std::optional<Expression> Scope::expression(const Value& value, const std::string& what,
                                            const std::string& unit,
                                            const std::vector<std::string>& variables) const {
  if (!readable(value, what)) return {};
  if (value.kind == Value::Kind::number)
    return Expression::parse(fmt::format("{:.17g}", value.number), {.variables = variables});
  for (const auto& variable : variables)
    if (file_->values.contains(variable) && mentions(value.text, variable)) {
      complain(value, "'" + variable + "' is a parameter, and a variable of " + what, "rename the parameter");
      return {};
    }
  const auto [piece, suffix] = split_unit(value.text);
  const auto scale = unit_of(value, suffix, what, unit);
  if (!scale) return {};
  const auto plain = parse(value, piece, 0, variables);
  if (!plain || (scale->numerator == 1 && scale->denominator == 1)) return plain;
  return parse(value, fmt::format("({})*{:.17g}/{:.17g}", piece, scale->numerator, scale->denominator), 0,
               variables);
}

std::optional<double> Scope::number(const Value& value, const std::string& what,
                                    const std::string& unit) const {
  if (!readable(value, what)) return {};
  if (value.kind == Value::Kind::number) return value.number;
  const auto [piece, suffix] = split_unit(value.text);
  const auto scale = unit_of(value, suffix, what, unit);
  const auto plain = scale ? evaluate(value, piece, 0) : std::nullopt;
  if (!plain) return {};
  const double result = scale->in_si(*plain);
  if (std::isfinite(result)) return result;
  complain(value, fmt::format("{} is {}", what, result), "a finite number was expected");
  return {};
}

std::optional<double> Scope::whole(const Value& value, std::string_view piece, std::size_t offset) const {
  const auto number = evaluate(value, piece, offset);
  if (!number) return {};
  if (*number == std::floor(*number) && std::abs(*number) < 1e9) return number;
  complaints_->add_in_text(document(), value, offset, piece.size(),
                           fmt::format("{{{}}} is {}", piece, short_number(*number)),
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
    fmt::format_to(std::back_inserter(result), "{}", static_cast<long>(*number));
    at = close + 1;
  }
  return result;
}

}  // namespace dalembert
