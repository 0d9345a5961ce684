// One field with the method that advances it: from the start of a window to its end, the others given.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/method/partitioned/coupling_report.h"
#include "dalembert/method/partitioned/field_problem.h"

namespace dalembert {

/// "rk4" or "rk4:20": a method of the registry, and in how many steps it crosses a window.
struct FieldMethod {
  const MethodEntry* entry;
  int substeps;
  /// Throws Error for a text of another form, or a method that cannot advance a field.
  static FieldMethod parse(const std::string& text, int substeps);
  /// Of the method on the equations of a field.
  double order() const;
};

/// Which iterate of a field its own forces are taken from.
enum class Terms { now, previous };

class FieldRun {
 public:
  /// Traces to listen to must be filled before the first one is made: their values at the start plan the elimination.
  FieldRun(const Partitioned&, std::size_t field, const std::vector<std::size_t>& carriers,
           const FieldMethod&, Terms, const Setting&, const std::vector<Trace>& traces, FieldRecord&);

  /// Crosses the window from the first node of `mine`, whose q, v and s are given, and writes all nodes. The error is the
  /// sum of those estimated in the substeps.
  Attempt sweep(const std::vector<Trace>& others, double h, Trace& mine);

 private:
  Outcome write_node(const State&, int k, Trace& mine);

  FieldShape shape_;
  FieldProblem problem_;
  FieldRecord& record_;
  Mechanics mechanics_;
  std::unique_ptr<Formulation> index1_, implicit_;
  std::unique_ptr<Method> method_;
  Terms terms_;
  Trace before_;  // what this field did in the previous iterate
  State state_, next_;
  Vector own_;  // multipliers of the rows imposed here
};

}  // namespace dalembert
