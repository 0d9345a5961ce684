// Arithmetic in model files: numbers, names, + - * / ^, parentheses, functions, conditions inside if(...); nothing else.
//
//   sum         a + b - c        from the left
//   product     a*b/c            from the left; never left out: 2x is a mistake
//   power       a^b^c = a^(b^c)  tighter than the sign: -2^2 = -4, 2^-1 = 0.5
//   condition   a < b, <=, >, >=, ==, !=, and, or, not; only as the first argument of if(condition, a, b)
//   number      2, 2., .5, 1e-3
//   name        letters, digits and _; dots inside: variables and constants of the caller, and pi. Euler's number is
//               exp(1), since e and tau are names that people give to parameters.
//
// An expression is read once into a list of operations and evaluated without allocation: as a number, with its gradient with
// respect to its variables (forward differentiation [GriewankWalther2008, ch. 3]), or as a function of time with its first
// two derivatives. All derivatives are exact. At a kink they are those of the side where the argument is larger: abs has
// slope 1 at 0; of two equal numbers min and max take the first; steps have slope 0.
//
// Outside of its domain a function of variables is NaN or infinite, as in C. What is not finite with constants alone, a
// division by zero among them, is a mistake in the text.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/core/error.h"
#include "dalembert/multibody/element.h"
#include "dalembert/multibody/law.h"

namespace dalembert {

/// What is wrong with the text of an expression, and where.
class ExpressionError : public Error {
 public:
  ExpressionError(std::size_t at, std::size_t bytes, const std::string& what, std::string hint)
      : Error(what, std::move(hint)), offset(at), length(bytes) {}
  std::size_t offset, length;  ///< of the offending piece, in bytes
};

class Expression {
 public:
  static constexpr std::size_t most_bytes = 10000;
  static constexpr int deepest = 100;  ///< parentheses, signs and exponents inside each other

  struct Names {
    std::vector<std::string> variables{};  ///< in the order of the arguments
    /// Parameters; nothing: not known. What it throws passes through.
    std::function<std::optional<double>(const std::string&)> constant{};
    std::vector<std::string> known{};  ///< all names of constants, for proposals
  };
  /// Throws ExpressionError. Takes time in proportion to the length of the text.
  static Expression parse(std::string_view text, const Names&);

  /// A function that expressions know, as reference pages list it.
  struct Function {
    std::string name, arguments, meaning;  ///< "atan2", "y, x", "angle of the point (x, y)"
  };
  static const std::vector<Function>& functions();
  /// Is it a function, pi, and, or, not? Then nothing else can have this name.
  static bool reserved(std::string_view name);
  /// Can expressions refer to something by this name?
  static bool is_name(std::string_view);

  bool constant() const;  ///< does it depend on no variable?
  /// Times inside (begin, end) where it is not smooth, or where a quiet function of time wakes up, as far as that depends on
  /// time alone; `t` is the variable that is the time. Throws Error ("is not finite at t = 0.71") if a function of time alone
  /// is not a number there.
  std::vector<double> breaks(std::size_t t, double begin, double end) const;
  /// Has it conditions on other variables than the time? Their ways are noted in a PieceRecord.
  bool switches(std::size_t t) const;
  double operator()(const double* x) const;
  /// Shares the operations, so both outlive the expression.
  Law law() const;
  Motion motion() const;  ///< its only variable is t

  struct Program;

 private:
  explicit Expression(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace dalembert
