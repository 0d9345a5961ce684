// An index-2 problem that is nonlinear in z and has a closed solution [Jay1993].
//
//   y1' = y1 y2^2 z^2,  y2' = y1^2 y2^2 - 3 y2^2 z,  0 = y1^2 y2 - 1
//
// y1 = exp(t), y2 = exp(-2t), z = exp(2t).
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

class ExactIndex2 : public Hessenberg {
 public:
  Layout layout() const override {
    return Layout().add("y", 2, Role::differential, 1).add("z", 1, Role::algebraic, 2, {"z"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    return State{t, Eigen::Vector3d(std::exp(t), std::exp(-2 * t), std::exp(2 * t))};
  }

  void f(double, In y, In z, Out dy) const override {
    dy[0] = y[0] * y[1] * y[1] * z[0] * z[0];
    dy[1] = y[1] * y[1] * (y[0] * y[0] - 3 * z[0]);
  }
  void g(double, In y, Out residual) const override { residual[0] = y[0] * y[0] * y[1] - 1; }
  void f_y(double, In y, In z, Entries& a) const override {
    a.begin();
    a.add(0, 0, y[1] * y[1] * z[0] * z[0]);
    a.add(0, 1, 2 * y[0] * y[1] * z[0] * z[0]);
    a.add(1, 0, 2 * y[0] * y[1] * y[1]);
    a.add(1, 1, 2 * y[1] * (y[0] * y[0] - 3 * z[0]));
    a.end();
  }
  void f_z(double, In y, In z, Entries& a) const override {
    a.begin();
    a.add(0, 0, 2 * y[0] * y[1] * y[1] * z[0]);
    a.add(1, 0, -3 * y[1] * y[1]);
    a.end();
  }
  void g_y(double, In y, Entries& a) const override {
    a.begin();
    a.add(0, 0, 2 * y[0] * y[1]);
    a.add(0, 1, y[0] * y[0]);
    a.end();
  }
  void g_t(double, In, Out rate) const override { rate.setZero(); }
};

}  // namespace

std::vector<ProblemEntry> problems_in_exact_index2() {
  return {{"exact-index2",
           "index 2, nonlinear in z, solved by exponentials: for order tests",
           Kind::hessenberg,
           "Jay1993",
           {},
           [](const Parameters&) { return std::make_shared<const ExactIndex2>(); }}};
}

}  // namespace dalembert
