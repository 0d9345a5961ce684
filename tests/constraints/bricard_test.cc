// Do mechanisms move that have more rows than freedoms, or coordinates without mass?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "tests/support/dependent_rows.h"

namespace dalembert {
namespace {

using namespace testing;

/// The pendulum with a massless coordinate z = x: M is singular, and regular on the constraints.
class Massless : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 2}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y[0] = state.y[2] = 1;
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, 1);
    M.add(1, 1, 1);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0; }
  void g(const Placement& at, Out r) const override {
    r << (at.q.head(2).squaredNorm() - 1) / 2, at.q[2] - at.q[0];
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, at.q[0]);
    J.add(0, 1, at.q[1]);
    J.add(1, 0, -1);
    J.add(1, 2, 1);
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override { r << v.head(2).squaredNorm(), 0; }
};

TEST(UdwadiaKalaba, TakesASingularMassMatrix) {
  const Summary s = run_with(std::make_shared<const Massless>(), "udwadia-kalaba", "dopri5", 1, 1e-10);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  const State truth = *make_problem("pendulum")->exact(1);
  EXPECT_LE(largest(s.state.y.head(2) - truth.y.head(2)), 1e-8);
  EXPECT_NEAR(s.state.y[2], s.state.y[0], 1e-12);
  EXPECT_NEAR(s.state.y[6], truth.y[4], 1e-7);
}

/// P3, the end of the second rod.
Eigen::Vector3d third_corner(const State& state) {
  const Eigen::Vector3d x = state.y.segment<3>(7), e = state.y.segment<3>(11), arm(0, -.5, 0);
  const Eigen::Vector3d cross = 2 * e.cross(arm);
  return x + arm + state.y[10] * cross + e.cross(cross);
}

TEST(Bricard, MovesAlthoughCountingSaysItCannot) {
  const auto problem = make_problem("bricard");
  const auto& mechanical = dynamic_cast<const Mechanical&>(*problem);
  Onlooker onlooker;
  RunOptions options;
  options.tolerance = {.relative = 1e-8, .absolute = 1e-8};
  options.outputs = output_times(0, 10, 400);
  const Summary s = run(problem, options, {&onlooker});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_TRUE(s.redundancy);
  EXPECT_EQ(s.redundancy->rows, 30);
  EXPECT_EQ(s.redundancy->rank, 29);
  EXPECT_EQ(s.redundancy->degrees_of_freedom, 1);
  ASSERT_EQ(s.redundancy->dependent.size(), 1u);
  EXPECT_LE(s.error.at("q"), 1e-7);
  EXPECT_LE(s.error.at("v"), 1e-7);
  expect_least_norm(mechanical, s.state, 1e-8);

  Eigen::Vector3d low = Eigen::Vector3d::Constant(9), high = -low;
  double energy_drift = 0, turned = 0, farthest = -1;
  ASSERT_EQ(onlooker.outputs.size(), 401u);
  for (const State& state : onlooker.outputs) {
    const Eigen::Vector3d P3 = third_corner(state);
    low = low.cwiseMin(P3);
    high = high.cwiseMax(P3);
    if (state.t > 4 && state.t < 6 && P3[0] > farthest) farthest = P3[0], turned = state.t;
    const RowPoint here(mechanical, state);
    energy_drift = std::max(energy_drift, std::abs(*mechanical.energy(*here.at, here.v, here.s) + 29.43));
  }
  // x between 1 and -1 with a period of about 5 s, y from -1 to -sqrt(3)/2, z down to -1/2.
  EXPECT_NEAR(low[0], -1, 1e-4);
  EXPECT_NEAR(high[0], 1, 1e-6);
  EXPECT_NEAR(low[1], -1, 1e-4);
  EXPECT_NEAR(high[1], -std::sqrt(.75), 1e-3);
  EXPECT_NEAR(low[2], -.5, 1e-3);
  EXPECT_NEAR(high[2], 0, 1e-6);
  EXPECT_NEAR(turned, 5, .03);
  EXPECT_LE(energy_drift, 1e-6);
}

// Both ways around rows that depend on each other: by a choice of rows, and by pseudo-inverse.
TEST(Bricard, AllFormulationsFollowTheOneDegreeOfFreedom) {
  const auto problem = make_problem("bricard");
  for (const double t : {1., 3.5, 6.}) {
    const State truth = *problem->exact(t);
    for (const auto& [formulation, method] : {std::pair("index1", "dopri5"),
                                              {"udwadia-kalaba", "dopri5"},
                                              {"index2", "hem4"},
                                              {"ggl", "radau"},
                                              {"index3", "radau5"}}) {
      const Summary s = run_with(problem, formulation, method, t, 1e-7);
      ASSERT_EQ(s.outcome, Outcome::ok) << formulation << ": " << s.message;
      EXPECT_LE(largest(s.state.y.head(35) - truth.y.head(35)), 1e-5) << formulation << " at " << t;
    }
  }
}

}  // namespace
}  // namespace dalembert
