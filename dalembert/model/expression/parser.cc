#include "dalembert/model/expression/parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "dalembert/model/expression/functions.h"
#include "dalembert/model/unit.h"

namespace dalembert {

struct ExpressionParser::Level {
  explicit Level(ExpressionParser& of) : parser(of) {
    if (++parser.depth_ > Expression::deepest)
      refuse(parser.at_, parser.at_ + 1,
             "the expression is nested more than " + std::to_string(Expression::deepest) + " deep",
             "give a part of it a name under [parameters]");
  }
  ~Level() { --parser.depth_; }
  ExpressionParser& parser;
};

ExpressionParser::Piece ExpressionParser::push(std::size_t from, Operation operation) {
  operations_.push_back(operation);
  return {from, end_, operations_.size() - 1, Piece::Is::number, operation.op == Op::constant};
}

ExpressionParser::Piece ExpressionParser::emit(Operation operation, const Piece& first, bool is_constant,
                                               Piece::Is is) {
  operations_.push_back(operation);
  Piece piece{first.from, end_, first.code, is, is_constant};
  if (!is_constant) return piece;
  const double value = evaluate(Operations(operations_).subspan(first.code), nullptr);
  if (!std::isfinite(value) && operation.op != Op::divide)
    faults_.emplace_back(piece.from, piece.to - piece.from,
                         quoted(text_.substr(piece.from, piece.to - piece.from)) +
                             (std::isnan(value) ? " is not a number" : " is infinite"),
                         "check its arguments");
  operations_.resize(first.code);
  operations_.push_back({Op::constant, value});
  return piece;
}

void ExpressionParser::need_number(const Piece& piece) const {
  if (piece.is == Piece::Is::condition)
    refuse(piece.from, piece.to, "a condition is not a number", "write if(condition, 1, 0)");
}

void ExpressionParser::need_condition(const Piece& piece) const {
  if (piece.is == Piece::Is::number)
    refuse(piece.from, piece.to,
           quoted(text_.substr(piece.from, piece.to - piece.from)) + " is not a condition",
           "compare it: < <= > >= == !=");
}

Expression::Program ExpressionParser::parse() {
  if (text_.size() > Expression::most_bytes)
    refuse(Expression::most_bytes, text_.size(),
           "the expression is longer than " + std::to_string(Expression::most_bytes) + " bytes",
           "give parts of it names under [parameters]");
  const Piece all = disjunction();
  refuse_what_follows();
  need_number(all);
  if (!faults_.empty()) throw faults_.front();
  Expression::Program program;
  program.operations = std::move(operations_);
  program.variables = names_.variables.size();
  return program;
}

ExpressionParser::Piece ExpressionParser::join(Op op, Piece left, const Piece& right, std::size_t faults) {
  need_condition(right);
  const bool settled = left.constant && (operations_[left.code].value != 0) == (op == Op::either);
  if (!settled) return emit({op}, left, left.constant && right.constant, Piece::Is::condition);
  faults_.erase(faults_.begin() + static_cast<std::ptrdiff_t>(faults), faults_.end());
  operations_.resize(right.code);
  left.to = end_;
  return left;
}

ExpressionParser::Piece ExpressionParser::disjunction() {
  Piece left = conjunction();
  while (take_word("or")) {
    need_condition(left);
    const std::size_t faults = faults_.size();
    const Piece right = conjunction();
    left = join(Op::either, left, right, faults);
  }
  return left;
}

ExpressionParser::Piece ExpressionParser::conjunction() {
  Piece left = negation();
  while (take_word("and")) {
    need_condition(left);
    const std::size_t faults = faults_.size();
    const Piece right = negation();
    left = join(Op::both, left, right, faults);
  }
  return left;
}

ExpressionParser::Piece ExpressionParser::negation() {
  skip();
  const std::size_t from = at_;
  if (!take_word("not")) return comparison();
  const Level level(*this);
  Piece piece = negation();
  need_condition(piece);
  piece.from = from;
  return emit({Op::not_so}, piece, piece.constant, Piece::Is::condition);
}

ExpressionParser::Piece ExpressionParser::comparison() {
  constexpr std::pair<std::string_view, Op> signs[] = {{"<=", Op::at_most}, {">=", Op::at_least},
                                                       {"==", Op::equal},   {"!=", Op::differs},
                                                       {"<", Op::less},     {">", Op::greater}};
  const auto sign = [&] {
    return std::find_if(std::begin(signs), std::end(signs), [&](const auto& s) { return take(s.first); });
  };
  const Piece left = sum();
  const auto found = sign();
  if (found == std::end(signs)) {
    if (text_.substr(at_).starts_with("=")) refuse_byte();
    return left;
  }
  need_number(left);
  const Piece right = sum();
  need_number(right);
  const Piece piece = emit({found->second}, left, left.constant && right.constant, Piece::Is::condition);
  const std::size_t end = end_;
  if (sign() != std::end(signs))
    refuse(left.from, end, "comparisons cannot be chained", "write a < b and b < c");
  return piece;
}

ExpressionParser::Piece ExpressionParser::sum() {
  Piece left = product();
  for (;;) {
    const bool plus = take("+");
    if (!plus && !take("-")) return left;
    need_number(left);
    const Piece right = product();
    need_number(right);
    left = emit({plus ? Op::add : Op::subtract}, left, left.constant && right.constant);
  }
}

ExpressionParser::Piece ExpressionParser::product() {
  Piece left = signed_power();
  for (;;) {
    skip();
    if (text_.substr(at_).starts_with("**")) refuse_byte();
    const std::size_t from = at_;
    const bool times = take("*");
    if (!times && !take("/")) return left;
    need_number(left);
    const Piece right = signed_power();
    need_number(right);
    if (!times && right.constant && operations_.back().value == 0)
      faults_.emplace_back(from, right.to - from, "division by zero", "let the divisor be another number");
    left = emit({times ? Op::multiply : Op::divide}, left, left.constant && right.constant);
  }
}

ExpressionParser::Piece ExpressionParser::signed_power() {
  skip();
  const std::size_t from = at_;
  const bool minus = take("-");
  if (!minus && !take("+")) return power();
  const Level level(*this);
  Piece piece = signed_power();
  need_number(piece);
  piece.from = from;
  return minus ? emit({Op::negate}, piece, piece.constant) : piece;
}

ExpressionParser::Piece ExpressionParser::power() {
  const Piece base = primary();
  if (!take("^")) return base;
  need_number(base);
  const Level level(*this);
  const Piece exponent = signed_power();
  need_number(exponent);
  if (exponent.constant && !base.constant) {
    const double p = operations_.back().value;
    operations_.pop_back();
    return emit({Op::power_of, p}, base, false);
  }
  return emit({Op::power}, base, base.constant && exponent.constant);
}

ExpressionParser::Piece ExpressionParser::primary() {
  skip();
  if (at_ == text_.size()) refuse_byte();
  const char c = text_[at_];
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (begins_name(c)) return name();
  if (c == '(') return parentheses();
  refuse_byte();
}

ExpressionParser::Piece ExpressionParser::number() {
  const std::size_t from = at_;
  double value = 0;
  const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
  at_ = end_ = static_cast<std::size_t>(stop - text_.data());
  if (error != std::errc())
    refuse(from, end_, quoted(text_.substr(from, end_ - from)) + " is outside of the range of numbers",
           "numbers reach from 2.3e-308 to 1.7e308");
  return push(from, {Op::constant, value});
}

ExpressionParser::Piece ExpressionParser::parentheses() {
  const Level level(*this);
  const std::size_t from = at_;
  take("(");
  Piece inside = with_unit(disjunction());
  close(from, from + 1);
  inside.from = from, inside.to = end_;
  return inside;
}

/// (20 mm): what stands in parentheses is in this unit, if there is one.
ExpressionParser::Piece ExpressionParser::with_unit(Piece inside) {
  skip();
  if (at_ == text_.size() || !begins_name(text_[at_])) return inside;
  const std::string_view symbol = text_.substr(at_, text_.find(')', at_) - at_);
  const auto unit = find_unit(symbol);
  if (!unit) return inside;  // what follows is refused as anywhere else
  need_number(inside);
  at_ = end_ = at_ + symbol.find_last_not_of(' ') + 1;
  for (const auto& [op, factor] :
       {std::pair{Op::multiply, unit->numerator}, {Op::divide, unit->denominator}}) {
    operations_.push_back({Op::constant, factor});
    inside = emit({op}, inside, inside.constant);
  }
  return inside;
}

ExpressionParser::Piece ExpressionParser::name() {
  const std::size_t from = at_;
  const std::string_view word = peek_name();
  at_ = end_ = at_ + word.size();
  skip();
  const bool called = at_ < text_.size() && text_[at_] == '(';
  if (find_function(word) != nullptr) {
    if (called) return function(word, from);
    refuse(from, end_, quoted(word) + " is a function",
           "write its arguments in parentheses: " + std::string(word) + "(" +
               find_function(word)->page.arguments + ")");
  }
  if (word == "and" || word == "or" || word == "not")
    refuse(from, end_, quoted(word) + " should join conditions", "write if(x > 0 and x < 1, a, b)");
  const auto variable = std::find(names_.variables.begin(), names_.variables.end(), word);
  std::optional<double> value;
  if (word == "pi")
    value = std::numbers::pi;
  else if (variable == names_.variables.end() && names_.constant)
    value = names_.constant(std::string(word));
  if (variable == names_.variables.end() && !value) unknown_name(word, from);
  if (called) {
    const std::string hint = word.size() < 40 ? "write " + std::string(word) + "*( for a product" : "";
    refuse(from, end_, quoted(word) + " is not a function", hint);
  }
  if (!value)
    return push(from, {Op::variable, 0, static_cast<std::size_t>(variable - names_.variables.begin())});
  if (!std::isfinite(*value))
    faults_.emplace_back(from, end_ - from, quoted(word) + " is not a finite number", "let it be one");
  return push(from, {Op::constant, *value});
}

ExpressionParser::Piece ExpressionParser::choose(const Piece arguments[3], const std::size_t faults[4]) {
  const auto operation = [&](int i) {
    return operations_.begin() + static_cast<std::ptrdiff_t>(arguments[i].code);
  };
  const auto fault = [&](int i) { return faults_.begin() + static_cast<std::ptrdiff_t>(faults[i]); };
  const bool holds = operation(0)->value != 0;
  if (holds) {
    faults_.erase(fault(2), fault(3));
    operations_.erase(operation(2), operations_.end());
    operations_.erase(operation(0));
  } else {
    faults_.erase(fault(1), fault(2));
    operations_.erase(operation(0), operation(2));
  }
  return {arguments[0].from, end_, arguments[0].code, Piece::Is::number, arguments[holds ? 1 : 2].constant};
}

ExpressionParser::Piece ExpressionParser::function(std::string_view word, std::size_t from) {
  const Level level(*this);
  const ExpressionFunction& known = *find_function(word);
  const auto wrong_count = [&](const std::string& how_many) {
    refuse(from, from + word.size(), quoted(word) + " has " + how_many + " arguments here",
           "it is " + known.page.name + "(" + known.page.arguments + ")");
  };
  const bool joins = known.op == Op::min || known.op == Op::max;  // any number of arguments, two by two
  Piece arguments[3] = {};
  std::size_t faults[4] = {faults_.size()};
  bool all_constant = true;
  int count = 0;
  take("(");
  if (take(")")) wrong_count("no");
  do {
    if (count == known.most) wrong_count("too many");
    const Piece argument = disjunction();
    if (known.op == Op::choose && count == 0)
      need_condition(argument);
    else
      need_number(argument);
    all_constant = all_constant && argument.constant;
    if (joins && count > 0) {
      arguments[0] = emit({known.op}, arguments[0], all_constant);
    } else {
      arguments[count] = argument;
      faults[count + 1] = faults_.size();
    }
    ++count;
  } while (take(","));
  close(from, from + word.size() + 1);
  if (count < known.least) wrong_count("too few");
  arguments[0].from = from, arguments[0].to = end_;
  if (joins) return arguments[0];
  if (known.op == Op::choose && arguments[0].constant) return choose(arguments, faults);
  const auto last = operations_.rbegin();
  if ((known.op == Op::ramp || known.op == Op::smooth_step) && arguments[1].constant &&
      arguments[2].constant && last[0].value == last[1].value)
    faults_.emplace_back(from, end_ - from, quoted(word) + " has no width",
                         "let x0 and x1 differ, or write step(x - x0)");
  return emit({known.op}, arguments[0], all_constant);
}

}  // namespace dalembert
