// Arithmetic in model files: numbers, names, + - * / ^, parentheses, functions, comparisons inside if(...); nothing else.
//
//   expression  sum of products of powers; ^ binds from the right and tighter than the sign: -2^2 = -4
//   functions   sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs min max sign step smooth_step if ...
//   constants   pi, and whatever the caller knows
//
// An expression is read once into a list of operations and evaluated without allocation: as a number, with slopes with
// respect to its variables, or as a function of time with its first two derivatives.
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
  ExpressionError(std::size_t offset, std::size_t length, const std::string& what, std::string hint)
      : Error(what, std::move(hint)), offset(offset), length(length) {}
  std::size_t offset, length;  ///< of the offending piece, in bytes
};

class Expression {
 public:
  struct Names {
    std::vector<std::string> variables{};                                 ///< in the order of the arguments
    std::function<std::optional<double>(const std::string&)> constant{};  ///< parameters; nothing: not known
    std::vector<std::string> known{};  ///< all names of constants, for proposals
  };
  /// Throws ExpressionError. Bounded: so many bytes, nested so deep, so many operations.
  static Expression parse(std::string_view text, const Names&);

  bool constant() const;  ///< does it depend on no variable?
  double operator()(const double* x) const;
  /// Shares the operations, so both outlive the expression.
  Law law() const;
  Motion motion() const;  ///< its only variable is t

 private:
  struct Program;
  std::shared_ptr<const Program> program_;
};

}  // namespace dalembert
