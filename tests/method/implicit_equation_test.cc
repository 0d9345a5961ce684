// One seam for linear algebra: a whole implicit run is the same with dense and with sparse matrices.
#include "dalembert/nonlinear/implicit_equation.h"

#include <gtest/gtest.h>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// A hundred steps of implicit Euler.
Vector march(const std::string& name, const std::string& formulation, double h, Backend backend) {
  const auto problem = make_problem(name);
  Statistics statistics;
  State start = problem->start();
  EXPECT_EQ(make_consistent(*problem, start).outcome, Outcome::ok);
  for (const auto& f : find_formulation(formulation)) {
    if (f.from != problem->kind() || f.to != Kind::implicit) continue;
    const auto rewriting = f.make(*problem, Parameters(f.options, {}, f.name), statistics);
    const auto& implicit = as<Implicit>(rewriting->rewritten());
    ImplicitEquation equation;
    equation.bind(implicit, {1e-8, 1e-8}, Precision::rounding, statistics, {.backend = backend});
    State at = implicit.start();
    rewriting->enter(start, at);
    for (int k = 0; k < 100; ++k) {
      Vector y = at.y, dy = Vector::Zero(y.size());
      EXPECT_EQ(equation.solve(at.t + h, h, 1 / h, at.y, y, dy), Outcome::ok) << name;
      at.t += h;
      at.y = y;
    }
    return at.y.head(problem->layout().size());
  }
  ADD_FAILURE() << "no such form";
  return {};
}

TEST(ImplicitEquation, DenseAndSparseMatricesGiveOneRun) {
  for (const auto& [name, formulation, h] : {std::tuple{"ring-modulator", "direct", 1e-8},
                                             {"andrews", "ggl", 1e-5},
                                             {"car-axis", "index2", 1e-3}}) {
    const Vector dense = march(name, formulation, h, Backend::dense);
    const Vector sparse = march(name, formulation, h, Backend::sparse);
    ASSERT_EQ(dense.size(), sparse.size());
    for (Eigen::Index i = 0; i < dense.size(); ++i)
      EXPECT_NEAR(dense[i], sparse[i], 1e-9 * (1 + std::abs(dense[i]))) << name << " " << i;
  }
}

}  // namespace
}  // namespace dalembert
