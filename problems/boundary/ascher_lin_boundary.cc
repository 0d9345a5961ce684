// A nonlinear index-2 problem with its condition at the end [AscherLin1997, Example 6.1, with (2.2)].
//
//   x1' = 1 - e^-t - x1 y,   x2' = cos t + e^t sin t - x2 y,   0 = (x1^2 + x2^2 - e^-2t - sin^2 t)/2
//   x2(1) = sin 1
//
// x = (e^-t, sin t), y = e^t. differs from [AscherLin1997]: f1 is printed 1 - e^t, with which this is no solution.
#include <cmath>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

class AscherLinBoundary final : public BoundaryProblem {
 public:
  explicit AscherLinBoundary(double angle) : angle_(angle) {}
  const Problem& equations() const override { return *equations_; }
  double begin() const override { return 0; }
  double end() const override { return 1; }
  std::vector<std::string> conditions() const override { return {"x2 = sin 1 at the end"}; }
  void residual(In, In at_end, Out r) const override { r[0] = at_end[1] - std::sin(1.0); }
  /// On the circle of the constraint, as far round it as at the start.
  Vector guess(double t) const override {
    const double radius = std::hypot(std::exp(-t), std::sin(t)),
                 turned = std::atan2(std::sin(t), std::exp(-t));
    return Eigen::Vector2d(radius * std::cos(turned + angle_), radius * std::sin(turned + angle_));
  }

 private:
  double angle_;
  std::shared_ptr<const Problem> equations_ = make_problem("ascher-lin-6-1");
};

}  // namespace

std::vector<BoundaryEntry> boundary_problems_in_ascher_lin_boundary() {
  return {{"ascher-lin-boundary",
           "nonlinear, index 2: x2 given at the end",
           "AscherLin1997",
           {{"angle", 0.3, "rad", "how far the guess is turned off the solution"}},
           [](const Parameters& p) { return std::make_shared<const AscherLinBoundary>(p["angle"]); }}};
}

}  // namespace dalembert
