// Two links in a plane, the tip on a line: Example 6.4 of [AscherLin1997], after [AscherChinPetzoldReich1995].
//
//   M = [m1 l1^2/3 + m2 (l1^2 + l2^2/3 + l1 l2 c2)   m2 (l2^2/3 + l1 l2 c2/2)]     c2 = cos theta2
//       [m2 (l2^2/3 + l1 l2 c2/2)                    m2 l2^2/3              ]
//   f = (G1 cos t - 3 sin t, G2 cos t + (1 - 3/2 c2) sin t)
//   0 = l1 sin theta1 + l2 sin(theta1 + theta2)
//
// l1 = l2 = 1, m1 = m2 = 3; the force is made so that theta1 = sin t, theta2 = -2 sin t, lambda = cos t.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

class TwoLinkRobot final : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"theta1", "theta2"},
                                                    .v = {"theta1'", "theta2'"},
                                                    .lambda = {"tip"},
                                                    .q_units = {"rad", "rad"},
                                                    .v_units = {"rad/s", "rad/s"},
                                                    .lambda_units = {"N"}});
    return layout;
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    State state{t, Vector(5)};
    state.y << std::sin(t), -2 * std::sin(t), std::cos(t), -2 * std::cos(t), std::cos(t);
    return state;
  }

  void mass(const Placement& at, Entries& M) const override {
    const double c2 = std::cos(at.q[1]), coupling = 1 + 1.5 * c2;
    M.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}}, {5 + 3 * c2, coupling, coupling, 1});
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    const double c1 = std::cos(at.q[0]), c12 = std::cos(at.q[0] + at.q[1]), c2 = std::cos(at.q[1]);
    f[0] = (c1 + c12) * std::cos(at.t) - 3 * std::sin(at.t);
    f[1] = c12 * std::cos(at.t) + (1 - 1.5 * c2) * std::sin(at.t);
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = std::sin(at.q[0]) + std::sin(at.q[0] + at.q[1]);
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const double c12 = std::cos(at.q[0] + at.q[1]);
    J.write<2>({{{0, 0}, {0, 1}}}, {std::cos(at.q[0]) + c12, c12});
  }
  void bias(const Placement& at, In v, Out bias) const override {
    const double w = v[0] + v[1];
    bias[0] = -std::sin(at.q[0]) * v[0] * v[0] - std::sin(at.q[0] + at.q[1]) * w * w;
  }
  /// Kinetic. The force is made for a known motion and has no centrifugal part: v'M'v/2 is put in as well.
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    const double c2 = std::cos(at.q[1]);
    return ((5 + 3 * c2) * v[0] * v[0] + v[1] * v[1]) / 2 + (1 + 1.5 * c2) * v[0] * v[1];
  }
  double power(const Placement& at, In v, In s) const override {
    Eigen::Vector2d f;
    force(at, v, s, f);
    return v.dot(f) - 1.5 * std::sin(at.q[1]) * v[1] * v[0] * (v[0] + v[1]);
  }
  bool conservative() const override { return false; }
};

}  // namespace

std::vector<ProblemEntry> problems_in_two_link_robot() {
  return {{"ascher-lin-6-4",
           "two-link planar robot with its tip on a line, driven so that the motion is known",
           Kind::mechanical,
           "AscherLin1997",
           {},
           [](const Parameters&) { return std::make_shared<const TwoLinkRobot>(); }}};
}

}  // namespace dalembert
