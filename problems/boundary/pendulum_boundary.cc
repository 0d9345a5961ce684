// The pendulum of the catalogue from one height to another in given time: with which velocity does it have to start?
//
//   y(0) = 0,  y(T) = the height it has then when let go at the horizontal
//
// so that "at rest" is an answer, known to rounding.
#include <cmath>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

class PendulumBoundary final : public BoundaryProblem {
 public:
  PendulumBoundary(double end, double push)
      : end_(end), push_(push), pendulum_(make_problem("pendulum")), height_(pendulum_->exact(end)->y[1]) {}
  const Problem& equations() const override { return *pendulum_; }
  double begin() const override { return 0; }
  double end() const override { return end_; }
  std::vector<std::string> conditions() const override {
    return {"q.y = 0 at the start", "q.y as when let go, at the end"};
  }
  void residual(In at_begin, In at_end, Out r) const override {
    r[0] = at_begin[1];
    r[1] = at_end[1] - height_;
  }
  /// Down the circle at constant rate, too fast or too slow.
  Vector guess(double t) const override {
    const double rate = (std::asin(-height_) + push_) / end_, angle = rate * t;
    return Eigen::Vector4d(std::cos(angle), -std::sin(angle), -rate * std::sin(angle),
                           -rate * std::cos(angle));
  }

 private:
  double end_, push_;
  std::shared_ptr<const Problem> pendulum_;
  double height_;
};

}  // namespace

std::vector<BoundaryEntry> boundary_problems_in_pendulum_boundary() {
  return {{"pendulum-swing",
           "index 3: a pendulum from one height to another in given time",
           "AscherLin1997",
           {{"end", 1, "s", "when it has to be there, at most 1.5"},
            {"push", 0.2, "rad", "by how much the guess goes too far"}},
           [](const Parameters& p) {
             return std::make_shared<const PendulumBoundary>(p.positive("end"), p["push"]);
           }}};
}

}  // namespace dalembert
