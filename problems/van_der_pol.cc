// Van der Pol's oscillator [VanDerPol1926]: every motion but rest comes to one periodic orbit.
//
//   x'' - mu (1 - x^2) x' + x = 0
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

class VanDerPol final : public Ode {
 public:
  explicit VanDerPol(const Parameters& p) : mu_(p["mu"]) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 1, {"x", "x'"}); }
  State start() const override { return {0, Eigen::Vector2d(2, 0)}; }
  double end() const override { return 20; }
  void f(double, In y, Out dy) const override {
    dy[0] = y[1];
    dy[1] = mu_ * (1 - y[0] * y[0]) * y[1] - y[0];
  }
  void f_y(double, In y, Entries& a) const override {
    a.write<3>({{{0, 1}, {1, 0}, {1, 1}}}, {1, -2 * mu_ * y[0] * y[1] - 1, mu_ * (1 - y[0] * y[0])});
  }

 private:
  double mu_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_van_der_pol() {
  return {{"van-der-pol",
           "van der Pol's oscillator, which comes to one periodic orbit",
           Kind::ode,
           "VanDerPol1926",
           {{"mu", 1, "", "how strongly small motions are driven and large ones damped"}},
           [](const Parameters& p) { return std::make_shared<const VanDerPol>(p); }}};
}

}  // namespace dalembert
