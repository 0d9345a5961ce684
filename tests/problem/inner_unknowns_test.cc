// Index 2 with further unknowns of their own equations, (1.4) of [BraseyHairer1993]: are derivatives exact, and do methods not notice?
#include "dalembert/problem/inner_unknowns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// exact-index2-inner with u by Cardano's formula.
std::shared_ptr<const Hessenberg> eliminated() {
  return hessenberg(
      0, Vector{{1, 1}}, Vector{{1}},
      [](const auto&, const auto& y, const auto& z, auto&& dy) {
        const auto q = y[0] * y[1] * y[1] * (1.0 + y[1] * z[0] * z[0]);  // u^3 + u = q
        const auto root = sqrt(q * q / 4.0 + 1.0 / 27.0);
        const auto a = pow(q / 2.0 + root, 1.0 / 3);
        const auto u = a - 1.0 / (3.0 * a);
        dy[0] = y[0] * y[0] * u;
        dy[1] = y[1] * y[1] * (3.0 * y[0] * y[0] - 5.0 * z[0]);
      },
      [](const auto&, const auto& y, auto&& g) { g[0] = y[0] * y[0] * y[1] - 1.0; }, {.end = 1});
}

Summary run_with(const std::shared_ptr<const Problem>& problem, const std::string& method, double step) {
  RunOptions options;
  options.request = {"direct", method};
  options.control = Control::fixed;
  options.step = step;
  return run(problem, options);
}

TEST(InnerUnknowns, HaveTheDerivativesOfTheImplicitFunction) {
  const auto inner = make_problem("exact-index2-inner");
  const auto& mine = as<Hessenberg>(*inner);
  const auto other = eliminated();
  const Vector y{{1.3, .7}}, z{{1.8}};
  Vector a(2), b(2);
  mine.f(0, y, z, a);
  other->f(0, y, z, b);
  EXPECT_LT((a - b).norm(), 1e-14);
  Entries f_y, f_z, g_y, h_z;
  mine.f_y(0, y, z, f_y);
  other->f_y(0, y, z, g_y);
  mine.f_z(0, y, z, f_z);
  other->f_z(0, y, z, h_z);
  EXPECT_LT((f_y.dense(2, 2) - g_y.dense(2, 2)).norm(), 1e-13);
  EXPECT_LT((f_z.dense(2, 1) - h_z.dense(2, 1)).norm(), 1e-13);
}

/// "The numerical methods considered in this article are invariant under this transformation."
TEST(InnerUnknowns, ChangeNothingForMethods) {
  const auto inner = make_problem("exact-index2-inner");
  for (const char* method : {"hem3", "hem4", "hem5", "radau5"}) {
    const Summary a = run_with(inner, method, .05), b = run_with(eliminated(), method, .05);
    ASSERT_EQ(a.outcome, Outcome::ok) << a.message;
    EXPECT_LT((a.state.y - b.state.y).norm(), 1e-12) << method;
  }
}

TEST(InnerUnknowns, LeaveHalfExplicitMethodsTheirOrder) {
  const auto inner = make_problem("exact-index2-inner");
  const auto order = [&](const std::string& method) {
    double errors[2];
    for (const int k : {0, 1}) {
      const Summary s = run_with(inner, method, k == 0 ? .02 : .01);
      errors[k] = (s.state.y - inner->exact(1)->y).head(2).norm();
    }
    return std::log2(errors[0] / errors[1]);
  };
  EXPECT_NEAR(order("hem3"), 3, .2);
  EXPECT_NEAR(order("hem4"), 4, .2);
  EXPECT_NEAR(order("hem5"), 5, .3);
}

TEST(InnerUnknowns, WithoutASolutionAreNotEvaluated) {
  const InnerEquations none([](const auto&, const auto& x, auto&& r) { r[0] = x[0] * x[0] + 1.0; },
                            Vector{{.3}});
  Matrix inverse;
  EXPECT_TRUE(std::isnan(none.solve(0, Vector(0), inverse)[0]));
}

}  // namespace
}  // namespace dalembert
