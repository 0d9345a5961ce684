// A bead slides without friction on the wire y = x^2, let go at (1, 1).
#include <cmath>
#include <cstdio>

#include "dalembert/control/run.h"
#include "dalembert/problem/mechanical.h"

using namespace dalembert;

class Bead : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x", "y"}, .v = {"x'", "y'"}, .lambda = {"wire"}});
  }
  State start() const override { return {0, Vector{{1, 1, 0, 0, 0}}}; }  // x, y, x', y', lambda
  double end() const override { return 10; }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, 1);
    M.add(1, 1, 1);
    M.end();
  }
  void force(const Placement&, In /*v*/, In /*s*/, Out f) const override { f << 0, -9.81; }

  // 0 = g(q) = y - x^2, its Jacobian (-2x, 1), and g'' = -2x x'' + y'' - 2 x'^2, whose last term is the bias
  void g(const Placement& at, Out residual) const override { residual[0] = at.q[1] - at.q[0] * at.q[0]; }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, -2 * at.q[0]);
    J.add(0, 1, 1);
    J.end();
  }
  void bias(const Placement&, In v, Out bias) const override { bias[0] = -2 * v[0] * v[0]; }
};

int main() {
  const Summary summary = run(std::make_shared<Bead>(), {.tolerance = {1e-9, 1e-9}});
  const auto q = summary.state[summary.layout["q"]], v = summary.state[summary.layout["v"]];
  const double energy = v.squaredNorm() / 2 + 9.81 * q[1];
  std::printf("%s\n%s\n", summary.message.c_str(), summary.why.c_str());
  std::printf("x = %.6f, y = %.6f\n", q[0], q[1]);
  std::printf("off the wire by %.1e, energy changed by %.1e\n", std::abs(q[1] - q[0] * q[0]),
              std::abs(energy - 9.81));
  return good(summary.outcome) ? 0 : 1;
}
