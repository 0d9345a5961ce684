#include "dalembert/model/expression/expression.h"

#include "dalembert/model/expression/functions.h"
#include "dalembert/model/expression/parser.h"

namespace dalembert {

Expression Expression::parse(std::string_view text, const Names& names) {
  const auto program = std::make_shared<Program>(ExpressionParser(text, names).parse());
  program->narrow = narrow_parts(program->operations, program->variables);
  return Expression(program);
}

const std::vector<Expression::Function>& Expression::functions() {
  static const std::vector<Function> list = [] {
    std::vector<Function> pages;
    for (const auto& f : all_functions()) pages.push_back(f.page);
    return pages;
  }();
  return list;
}

bool Expression::reserved(std::string_view name) {
  return name == "pi" || name == "and" || name == "or" || name == "not" || find_function(name) != nullptr;
}

bool Expression::constant() const {
  return program_->operations.size() == 1 && program_->operations[0].op == Op::constant;
}

double Expression::operator()(const double* x) const {
  return evaluate(program_->operations, x);
}

Law Expression::law() const {
  return Law([program = program_](const double* x, double* gradient) {
    program->note(x);
    return gradient == nullptr ? evaluate(program->operations, x)
                               : evaluate(program->operations, x, program->variables, gradient);
  });
}

Motion Expression::motion() const {
  if (program_->variables > 1) throw Error("a motion depends on t alone");
  return {[program = program_](double t) {
    program->note(&t);
    return evaluate_at(program->operations, t);
  }};
}

}  // namespace dalembert
