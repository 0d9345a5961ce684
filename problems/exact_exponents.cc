// Index 2 with Lyapunov exponents that are known exactly: -0.3 and -1.
//
//   y' = (-0.3 + cos t) (e1'y) e1 - (e2'y) e2 + z n,   0 = n'y
//
//   n = (cos t, 0, sin t),   e1 = (-sin t, 0, cos t),   e2 = (0, 1, 0),   n' = e1,   e1' = -n
//
// so that y = c1 exp(-0.3 t + sin t) e1 + c2 exp(-t) e2 and z = -c1 exp(-0.3 t + sin t): the normal of the constraint turns, and
// the rate along e1 changes its sign. Exponents of differential-algebraic equations are defined in [LinhMehrmann2009].
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

class ExactExponents final : public Hessenberg {
 public:
  Layout layout() const override {
    return Layout().add("y", 3, Role::differential, 1).add("z", 1, Role::algebraic, 2, {"z"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 5; }
  std::optional<State> exact(double t) const override {
    const double along = std::exp(-.3 * t + std::sin(t));
    return State{t, Eigen::Vector4d(-along * std::sin(t), std::exp(-t), along * std::cos(t), -along)};
  }
  void f(double t, In y, In z, Out dy) const override {
    const double c = std::cos(t), s = std::sin(t), part = (-.3 + c) * (c * y[2] - s * y[0]);
    dy[0] = -s * part + c * z[0];
    dy[1] = -y[1];
    dy[2] = c * part + s * z[0];
  }
  void g(double t, In y, Out residual) const override {
    residual[0] = std::cos(t) * y[0] + std::sin(t) * y[2];
  }
  void f_y(double t, In, In, Entries& a) const override {
    const double c = std::cos(t), s = std::sin(t), r = -.3 + c;
    a.write<5>({{{0, 0}, {0, 2}, {1, 1}, {2, 0}, {2, 2}}},
               {r * s * s, -r * s * c, -1, -r * s * c, r * c * c});
  }
  void f_z(double t, In, In, Entries& a) const override {
    a.write<2>({{{0, 0}, {2, 0}}}, {std::cos(t), std::sin(t)});
  }
  void g_y(double t, In, Entries& a) const override {
    a.write<2>({{{0, 0}, {0, 2}}}, {std::cos(t), std::sin(t)});
  }
  void g_t(double t, In y, Out rate) const override { rate[0] = std::cos(t) * y[2] - std::sin(t) * y[0]; }
};

}  // namespace

std::vector<ProblemEntry> problems_in_exact_exponents() {
  return {{"exact-exponents",
           "index 2 on a turning plane, with Lyapunov exponents -0.3 and -1",
           Kind::hessenberg,
           "LinhMehrmann2009",
           {},
           [](const Parameters&) { return std::make_shared<const ExactExponents>(); }}};
}

}  // namespace dalembert
