// A formulation and a method at work, step by step.
#pragma once

#include <gtest/gtest.h>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/method/lock_step.h"

namespace dalembert::testing {

using Options = std::map<std::string, double>;

inline const FormulationEntry& edge(const std::string& name, const Problem& problem, Kind to) {
  for (const auto& f : all_formulations())
    if (f.name == name && f.from == problem.kind() && f.to == to) return f;
  throw Error("no such edge");
}

/// A formulation at work, its start entered.
struct Bound {
  Bound(std::shared_ptr<const Problem> given, const FormulationEntry& f, const Options& options)
      : problem(std::move(given)),
        formulation(f.make(*problem, Parameters(f.options, options, ""), statistics)) {
    State start = problem->start();
    make_consistent(*problem, start);
    from = to = formulation->rewritten().start();
    formulation->enter(start, from);
  }
  void bind(const MethodEntry& entry) {
    method = make_for(entry, formulation->rewritten());
    method->bind(formulation->rewritten(), setting(entry));
  }
  Setting setting(const MethodEntry& entry) {
    return {.tolerance = {1e-8, 1e-8},
            .precision = Precision::rounding,
            .options = Parameters(entry.options, {}, ""),
            .statistics = &statistics};
  }
  void step(double h) {
    ASSERT_EQ(method->attempt(from, h, to).outcome, Outcome::ok);
    method->accept();
    std::swap(from, to);
  }
  std::shared_ptr<const Problem> problem;
  Statistics statistics;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Method> method;
  State from, to;
};

}  // namespace dalembert::testing
