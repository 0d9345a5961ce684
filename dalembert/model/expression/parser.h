// From the text of an expression to its operations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/model/expression/program.h"

namespace dalembert {

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/// For a sentence: short, and on one line.
std::string quoted(std::string_view text);

/// Recursive descent, one function per strength of binding. Constants are folded as they are met.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Expression::Names& names) : text_(text), names_(names) {}
  Expression::Program parse();

 private:
  /// A piece of the text that has been read.
  struct Piece {
    std::size_t from, to, code;  ///< its first byte, the byte after it, its first operation
    enum class Is { number, condition } is = Is::number;
    bool constant = false;  ///< one operation, and that a constant
  };
  struct Level;  ///< counts how deep we are

  Piece disjunction();
  Piece conjunction();
  Piece negation();
  Piece comparison();
  Piece sum();
  Piece product();
  Piece signed_power();
  Piece power();
  Piece primary();
  Piece number();
  Piece name();
  Piece function(std::string_view name, std::size_t from);
  Piece parentheses();
  Piece with_unit(Piece);

  /// Applies an operation to the pieces from `first` on and folds the result if they are all constant.
  Piece emit(Operation, const Piece& first, bool constant, Piece::Is = Piece::Is::number);
  /// Conditions joined by and, or. What a constant on the left settles leaves the right out, with its faults.
  Piece join(Op, Piece left, const Piece& right, std::size_t faults);
  /// if(...) whose condition is constant: only one branch stays.
  Piece choose(const Piece arguments[3], const std::size_t faults[4]);
  Piece push(std::size_t from, Operation);
  void need_number(const Piece&) const;
  void need_condition(const Piece&) const;
  void close(std::size_t from, std::size_t to);
  [[noreturn]] void unknown_name(std::string_view name, std::size_t from) const;

  // Reading. Blanks before a piece are skipped.
  void skip();
  bool take(std::string_view sign);
  bool take_word(std::string_view word);
  std::string_view peek_name();
  bool is_known(const std::string& word) const;
  void refuse_what_follows();
  [[noreturn]] void refuse_byte();
  [[noreturn]] static void refuse(std::size_t from, std::size_t to, const std::string& what,
                                  const std::string& hint);

  std::string_view text_;
  const Expression::Names& names_;
  std::size_t at_ = 0;   // the next byte
  std::size_t end_ = 0;  // of the last piece, without blanks after it
  int depth_ = 0;
  std::vector<Operation> operations_;
  /// Constants that are no numbers. They count unless an if(...) with a constant condition leaves them out.
  std::vector<ExpressionError> faults_;
};

}  // namespace dalembert
