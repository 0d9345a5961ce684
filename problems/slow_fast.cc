// A slow variable and a fast one, singularly perturbed in the form [MantegazzaMasarati2012, (85)], with a closed solution.
//
//   x' = -x^2,   eps z' = z (x - z),   x(0) = 1,   z(0) = z0
//
//   x = 1/(1+t),   1/z = (1+t)/(1+eps) + (1/z0 - 1/(1+eps)) (1+t)^(-1/eps)          (1/z obeys a linear equation)
//
// eps = 0 leaves z = x, of index 1. What is between, a boundary layer, obeys (95) with x held:
//
//   z = 1/(1 + (1/z0 - 1) exp(-t/eps)),
//
// and past it z is x + eps x: the distance from the limit is eps/(1+t), exactly.
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

class SlowFast : public Implicit {
 public:
  explicit SlowFast(const Parameters& p) : eps_(p["eps"]), z0_(p.positive("z0")) {
    if (eps_ < 0) throw Error("eps cannot be negative", "set it to 0 or more");
  }
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 1, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 2; }
  std::optional<State> exact(double t) const override {
    const double x = 1 / (1 + t);
    if (eps_ == 0) return State{t, Eigen::Vector2d(x, x)};
    const double reciprocal = (1 + t) / (1 + eps_) + (1 / z0_ - 1 / (1 + eps_)) * std::pow(1 + t, -1 / eps_);
    return State{t, Eigen::Vector2d(x, 1 / reciprocal)};
  }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    r[0] = dy[0] + y[0] * y[0];
    r[1] = eps_ * dy[1] - y[1] * (y[0] - y[1]);
  }

 private:
  double eps_, z0_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_slow_fast() {
  return {{"slow-fast",
           "a slow variable and a fast one with a boundary layer; eps = 0 gives index 1",
           Kind::implicit,
           "MantegazzaMasarati2012",
           {{"eps", 1e-2, "", "how much faster z is than x; 0 in the limit"},
            {"z0", 2, "", "z at the start; 1 in the limit"}},
           [](const Parameters& p) { return std::make_shared<const AutomaticImplicit<SlowFast>>(p); }}};
}

}  // namespace dalembert
