// Does the theory of contraction say what is measured?
#include "dalembert/analysis/contraction.h"

#include <gtest/gtest.h>

#include "tests/support/windows.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(ContractionTheory, OfTheModelProblem) {
  const auto problem = make_problem("wang-hou-modnak");
  const Partitioned& fields = fields_of(problem);
  const ContractionTheory t = contraction_theory(fields, fields.start());
  EXPECT_NEAR(t.last.factor, 4. / 11, 1e-12);
  EXPECT_NEAR(t.first.factor, 11. / 4, 1e-12);
  EXPECT_NEAR(t.last.omega, 11. / 15, 1e-12);
  EXPECT_NEAR(t.first.omega, 4. / 15, 1e-12);
  EXPECT_NEAR(t.last.relaxed, 0, 1e-12);
  EXPECT_NEAR(t.weight_from, 11. / 15, 1e-12);
  EXPECT_NEAR(t.best_weight, 121. / 105, 1e-12);
  const auto printed = window_theory(fields, Identity::as_printed).value(),
             correct = window_theory(fields, Identity::correct).value();
  EXPECT_NEAR(printed.E, 13. / 121, 1e-12);
  EXPECT_NEAR(printed.F, 4. / 11, 1e-12);
  EXPECT_NEAR(printed.beta0, 8, 1e-10);
  EXPECT_NEAR(printed.beta2, -1, 1e-10);
  EXPECT_NEAR(correct.beta2, -2, 1e-10);
  EXPECT_NEAR(correct.gamma0, 4. / 11, 1e-10);
  EXPECT_NEAR(correct.gamma2, .1302, 5e-5);
  EXPECT_FALSE(window_theory(fields_of(make_problem("coupled-nonlinear")), Identity::correct));
  EXPECT_FALSE(window_theory(fields_of(make_problem("coupled-linear")), Identity::correct));
}

TEST(ContractionTheory, MeasuredFactorsApproachIt) {
  for (const char* name : {"wang-hou-modnak", "coupled-linear", "coupled-nonlinear"}) {
    const auto problem = std::dynamic_pointer_cast<const Partitioned>(make_problem(name));
    const ContractionTheory t = contraction_theory(*problem, problem->start());
    EXPECT_NEAR(measure_contraction(problem, "last", {}, .002, 4).contraction / t.last.factor, 1, .03)
        << name;
    EXPECT_NEAR(measure_contraction(problem, "first", {}, .002, 4).contraction / t.first.factor, 1, .03)
        << name;
    EXPECT_LT(measure_contraction(problem, "last", t.last.omega, .002, 4).contraction, .1) << name;
  }
}

}  // namespace
}  // namespace dalembert
