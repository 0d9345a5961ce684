// Nothing allocates after bind: counted by replacing malloc, for every feasible pair on Andrews and the pendulum.
#include <gtest/gtest.h>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

using testing::allocations;

struct Case {
  std::string problem;
  const FormulationEntry* formulation;
  const MethodEntry* method;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string problem :
       {"andrews", "pendulum", "exact-index2", "manufactured", "manufactured-ode"})
    for (const Pair& pair : feasible_pairs(*make_problem(problem)))
      all.push_back({problem, pair.formulation, pair.method});
  return all;
}

class Allocation : public ::testing::TestWithParam<Case> {};

TEST(AllocationCounter, Counts) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  const long before = allocations;
  std::vector<double> v(100);
  const Matrix m = Matrix::Zero(10, 10);
  EXPECT_EQ(allocations - before, 2) << v.size() << m.size();
}

TEST_P(Allocation, NoneInAttemptAcceptInterpolate) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  const Case& c = GetParam();
  const auto problem = make_problem(c.problem);
  Statistics statistics;
  const auto formulation =
      c.formulation->make(*problem, Parameters(c.formulation->options, {}, ""), statistics);
  const auto method = c.method->make();
  method->bind(formulation->rewritten(), {.tolerance = {},
                                          .projection = Projection::on,
                                          .options = Parameters(c.method->options, {}, ""),
                                          .statistics = &statistics});
  State start = problem->start();
  ASSERT_EQ(make_consistent(*problem, start).outcome, Outcome::ok);
  State from = formulation->rewritten().start();
  formulation->enter(start, from);
  State to = from, inside = from;
  const double h = 1e-3 * (problem->end() - from.t);
  const long before = allocations;
  for (int k = 0; k < 20; ++k) {
    ASSERT_EQ(method->attempt(from, h, to).outcome, Outcome::ok);  // a rejected try
    ASSERT_EQ(method->attempt(from, h / 2, to).outcome, Outcome::ok);
    method->interpolate(0.3, inside);
    method->accept();
    std::swap(from, to);
  }
  method->restart();
  method->attempt(from, h, to);
  EXPECT_EQ(allocations - before, 0);
}

TEST_P(Allocation, NonePerStepOfARun) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  const Case& c = GetParam();
  const auto problem = make_problem(c.problem);
  const auto count = [&](double part) {
    RunOptions options;
    options.request = {c.formulation->name, c.method->name};
    options.end = problem->start().t + part * (problem->end() - problem->start().t);
    options.step = 1e-3 * (problem->end() - problem->start().t);
    options.control = Control::fixed;
    const long before = allocations;
    const Summary summary = run(problem, options);
    EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
    return allocations - before;
  };
  count(0.1);  // first use of registries
  EXPECT_EQ(count(0.1), count(0.3));
}

INSTANTIATE_TEST_SUITE_P(All, Allocation, ::testing::ValuesIn(cases()), [](const auto& given) {
  std::string name =
      given.param.problem + "_" + given.param.formulation->name + "_" + given.param.method->name;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace dalembert
