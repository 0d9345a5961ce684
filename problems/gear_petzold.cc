// A linear problem of index 2 whose leading matrix turns with time; implicit Euler is unstable for eta < -1/2.
//
//   x1 + eta t x2 = g1(t),  x1' + eta t x2' + (1 + eta) x2 = g2(t)
//
// is solved by x2 = g2 - g1', x1 = g1 - eta t x2 [GearPetzold1984]. Here g1 = (1 + eta t) exp(-t) and
// g2 = eta (1 - t) exp(-t), so that x1 = x2 = exp(-t). Errors of x2 are multiplied by eta/(1+eta) in each step of
// implicit Euler, whatever the step; x1 inherits them, so both are of index 2. Nor do short steps help an iteration
// that takes one Jacobian for all stages: their leading matrices differ by eta h, which index 2 multiplies by 1/h.
// Radau IIA converges for eta = 0.1 and not for 0.5.
#include <cmath>

#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

class GearPetzold : public Implicit {
 public:
  explicit GearPetzold(const Parameters& p) : eta_(p["eta"]) {}

  Layout layout() const override { return Layout().add("x", 2, Role::differential, 2); }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override { return State{t, Vector::Constant(2, std::exp(-t))}; }
  std::string equation(Eigen::Index i) const override {
    return i == 0 ? "x1 + eta t x2 = g1" : "its derivative";
  }
  void tests(Out error, Out newton) const override {
    error.setOnes();  // there is nothing of index 1 to look at instead
    newton.setOnes();
  }

  template <class T>
  void residual(double t, const T* x, const T* dx, T* r) const {
    r[0] = x[0] + eta_ * t * x[1] - (1 + eta_ * t) * std::exp(-t);
    r[1] = dx[0] + eta_ * t * dx[1] + (1 + eta_) * x[1] - eta_ * (1 - t) * std::exp(-t);
  }

 private:
  double eta_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_gear_petzold() {
  return {{"gear-petzold",
           "index 2 with a leading matrix that depends on time: unstable for most methods if eta < -1/2",
           Kind::implicit,
           "GearPetzold1984",
           {{"eta", .1, "", "how fast the leading matrix turns"}},
           [](const Parameters& p) { return std::make_shared<const AutomaticImplicit<GearPetzold>>(p); }}};
}

}  // namespace dalembert
