// A planar arm of two links whose tip stays on the x axis, driven from one position to another [AscherLin1997,
// Example 6.4, with (4.2)].
//
//   M = (5 + 3 c2, 1 + 3/2 c2; 1 + 3/2 c2, 1),  c2 = cos q2,   0 = sin q1 + sin(q1 + q2)
//   f = ((cos q1 + cos(q1 + q2)) cos t - 3 sin t, cos(q1 + q2) cos t + (1 - 3/2 c2) sin t)
//   q1(0) = 0,  q1(1) = sin 1
//
// q1 = sin t, q2 = -2 sin t, lambda = cos t, for links of length 1 and mass 3.
#include <cmath>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

class ArmBoundary final : public BoundaryProblem {
 public:
  const Problem& equations() const override { return *arm_; }
  double begin() const override { return 0; }
  double end() const override { return 1; }
  std::vector<std::string> conditions() const override {
    return {"q.theta1 = 0 at the start", "q.theta1 = sin 1 at the end"};
  }
  void residual(In at_begin, In at_end, Out r) const override {
    r[0] = at_begin[0];
    r[1] = at_end[0] - std::sin(1.0);
  }
  /// Straight from one position to the other.
  Vector guess(double t) const override {
    const double rate = std::sin(1.0);
    return Eigen::Vector4d(rate * t, -2 * rate * t, rate, -2 * rate);
  }

 private:
  std::shared_ptr<const Problem> arm_ = make_problem("ascher-lin-6-4");
};

}  // namespace

std::vector<BoundaryEntry> boundary_problems_in_robot_arm_boundary() {
  return {{"robot-arm",
           "index 3: a two-link arm with its tip on a line, from one position to another",
           "AscherLin1997",
           {},
           [](const Parameters&) { return std::make_shared<const ArmBoundary>(); }}};
}

}  // namespace dalembert
