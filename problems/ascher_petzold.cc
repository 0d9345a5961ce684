// A linear index-2 problem whose hidden ODE turns unstable for methods that do not project, as nu grows
// [AscherPetzold1991].
//
//   x1' = (nu - 1/(2-t)) x1 + (2-t) nu z + (3-t)/(2-t) e^t
//   x2' = (1-nu)/(t-2) x1 - x2 + (nu-1) z + 2 e^t
//   0   = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t
//
// x1 = x2 = exp(t), z = -exp(t)/(2-t), for t < 2.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

class AscherPetzold : public Hessenberg {
 public:
  explicit AscherPetzold(double nu) : nu_(nu) {}
  Layout layout() const override {
    return Layout().add("y", 2, Role::differential, 1, {"x1", "x2"}).add("z", 1, Role::algebraic, 2, {"z"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    if (t >= 2) return {};
    const double e = std::exp(t);
    return State{t, Eigen::Vector3d(e, e, -e / (2 - t))};
  }

  void f(double t, In x, In z, Out dx) const override {
    const double e = std::exp(t);
    dx[0] = (nu_ - 1 / (2 - t)) * x[0] + (2 - t) * nu_ * z[0] + (3 - t) / (2 - t) * e;
    dx[1] = (nu_ - 1) / (2 - t) * x[0] - x[1] + (nu_ - 1) * z[0] + 2 * e;
  }
  void g(double t, In x, Out residual) const override {
    residual[0] = (t + 2) * x[0] + (t * t - 4) * x[1] - (t * t + t - 2) * std::exp(t);
  }
  void f_y(double t, In, In, Entries& a) const override {
    a.begin();
    a.add(0, 0, nu_ - 1 / (2 - t));
    a.add(1, 0, (nu_ - 1) / (2 - t));
    a.add(1, 1, -1);
    a.end();
  }
  void f_z(double t, In, In, Entries& a) const override {
    a.begin();
    a.add(0, 0, (2 - t) * nu_);
    a.add(1, 0, nu_ - 1);
    a.end();
  }
  void g_y(double t, In, Entries& a) const override {
    a.begin();
    a.add(0, 0, t + 2);
    a.add(0, 1, t * t - 4);
    a.end();
  }
  void g_t(double t, In x, Out rate) const override {
    rate[0] = x[0] + 2 * t * x[1] - (t * t + 3 * t - 1) * std::exp(t);
  }

 private:
  double nu_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_ascher_petzold() {
  return {{"ascher-petzold",
           "linear index 2 with a parameter that punishes methods without projection",
           Kind::hessenberg,
           "AscherPetzold1991",
           {{"nu", 10, "1/s", "growth hidden by the constraint, 1 to 100"}},
           [](const Parameters& p) { return std::make_shared<const AscherPetzold>(p["nu"]); }}};
}

}  // namespace dalembert
