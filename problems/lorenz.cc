// Lorenz' model of convection [Lorenz1963], the usual measure of programs for Lyapunov exponents.
//
//   x' = sigma (y - x),   y' = x (rho - z) - y,   z' = x y - beta z
//
// The volume of any set of states shrinks at the constant rate -(sigma + 1 + beta), which the exponents sum up to.
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

class Lorenz final : public Ode {
 public:
  explicit Lorenz(const Parameters& p) : sigma_(p["sigma"]), rho_(p["rho"]), beta_(p["beta"]) {}
  Layout layout() const override { return Layout().add("y", 3, Role::differential, 1, {"x", "y", "z"}); }
  State start() const override { return {0, Eigen::Vector3d(1, 1.5, 20)}; }
  double end() const override { return 10; }
  void f(double, In y, Out dy) const override {
    dy[0] = sigma_ * (y[1] - y[0]);
    dy[1] = y[0] * (rho_ - y[2]) - y[1];
    dy[2] = y[0] * y[1] - beta_ * y[2];
  }
  void f_y(double, In y, Entries& a) const override {
    a.write<8>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}},
               {-sigma_, sigma_, rho_ - y[2], -1, -y[0], y[1], y[0], -beta_});
  }

 private:
  double sigma_, rho_, beta_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_lorenz() {
  return {{"lorenz",
           "Lorenz' three equations of convection, on their strange attractor",
           Kind::ode,
           "Lorenz1963",
           {{"sigma", 10, "", "Prandtl number"},
            {"rho", 28, "", "Rayleigh number over the critical one"},
            {"beta", 8. / 3, "", "shape of the cells"}},
           [](const Parameters& p) { return std::make_shared<const Lorenz>(p); }}};
}

}  // namespace dalembert
