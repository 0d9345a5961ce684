// Chaplygin's sleigh: a body on a plane that rests on a blade at (x,y) with heading theta; its centre of mass
// lies the length a ahead of the blade. The blade does not slip sideways:
//
//   0 = -x' sin theta + y' cos theta
//
// Solved in [Bloch2003] 1.7 up to two quadratures: with b^2 = (J + m a^2)/m, V^2 = u^2 + b^2 w^2 (u = forward
// speed of the blade, w = theta') and tau = a V t/b^2 + artanh(u0/V),
//
//   u = V tanh tau,  w = V/(b cosh tau),  theta = (b/a)(gd(tau) - gd(tau0)),  mu = -J u w/b^2
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "problems/on_blade.h"

namespace dalembert {
namespace {

double gudermann(double z) {
  return 2 * std::atan(std::tanh(z / 2));
}

class Sleigh : public OnBlade {
 public:
  explicit Sleigh(const Parameters& p)
      : m_(p.positive("m")), J_(p.positive("J")), a_(p.positive("a")), u0_(p["u"]), V_(p.positive("V")) {
    if (!(std::abs(u0_) < V_)) throw Error("the forward speed u is not below V", "set u between -V and V");
    b_ = std::sqrt((J_ + m_ * a_ * a_) / m_);
    tau0_ = std::atanh(u0_ / V_);
  }

  Layout layout() const override { return layout_with("theta", "blade"); }
  State start() const override { return *exact(0); }
  double end() const override { return 5; }
  std::optional<State> exact(double t) const override;

  void mass(const Placement& placement, Entries& M) const override {
    const auto& at = heading(placement);
    const double ma = m_ * a_;
    M.begin();
    M.add(0, 0, m_);
    M.add(0, 2, -ma * at.sin);
    M.add(1, 1, m_);
    M.add(1, 2, ma * at.cos);
    M.add(2, 0, -ma * at.sin);
    M.add(2, 1, ma * at.cos);
    M.add(2, 2, J_ + ma * a_);
    M.end();
  }
  void force(const Placement& placement, In v, In /*s*/, Out f) const override {
    const auto& at = heading(placement);
    const double centrifugal = m_ * a_ * v[2] * v[2];
    f[0] = centrifugal * at.cos;
    f[1] = centrifugal * at.sin;
    f[2] = 0;
  }
  std::optional<double> energy(const Placement& placement, In v, In /*s*/) const override {
    const auto& at = heading(placement);
    const double vx = v[0] - a_ * at.sin * v[2], vy = v[1] + a_ * at.cos * v[2];
    return (m_ * (vx * vx + vy * vy) + J_ * v[2] * v[2]) / 2;
  }
  void derivatives(const Placement& placement, In v, In /*s*/, In a, In l, Derivatives& d) const override {
    const auto& at = heading(placement);
    const double ma = m_ * a_, turn = ma * a[2] + l[0], centrifugal = ma * v[2] * v[2];
    d.K.begin();
    d.K.add(0, 2, centrifugal * at.sin - turn * at.cos);
    d.K.add(1, 2, -centrifugal * at.cos - turn * at.sin);
    d.K.add(2, 2, -ma * (at.cos * a[0] + at.sin * a[1]));
    d.K.end();
    d.D.begin();
    d.D.add(0, 2, -2 * ma * v[2] * at.cos);
    d.D.add(1, 2, -2 * ma * v[2] * at.sin);
    d.D.end();
    differentiate_row(at, v, d.B);
  }

 private:
  struct Motion {
    double u, w, theta;
  };
  Motion motion(double t) const {
    const double tau = a_ * V_ * t / (b_ * b_) + tau0_;
    return {V_ * std::tanh(tau), V_ / (b_ * std::cosh(tau)), b_ / a_ * (gudermann(tau) - gudermann(tau0_))};
  }

  double m_, J_, a_, u0_, V_, b_, tau0_;
};

std::optional<State> Sleigh::exact(double t) const {
  // The path (x,y): Gauss's rule of order 10 on panels short against every rate of the motion.
  constexpr double nodes[] = {-.90617984593866399280, -.53846931010568309104, 0, .53846931010568309104,
                              .90617984593866399280};
  constexpr double weights[] = {.23692688505618908751, .47862867049936646804, .56888888888888888889,
                                .47862867049936646804, .23692688505618908751};
  const double rate = V_ / b_ * (1 + a_ / b_);
  const double panels = std::ceil(16 * rate * std::abs(t)), width = panels > 0 ? t / panels : 0;
  double x = 0, y = 0;
  for (double panel = 0; panel < panels; ++panel)
    for (std::size_t k = 0; k < 5; ++k) {
      const Motion at = motion((panel + (1 + nodes[k]) / 2) * width);
      x += weights[k] * width / 2 * at.u * std::cos(at.theta);
      y += weights[k] * width / 2 * at.u * std::sin(at.theta);
    }
  const auto [u, w, theta] = motion(t);
  State state{t, Vector(7)};
  state.y << x, y, theta, u * std::cos(theta), u * std::sin(theta), w, -J_ * u * w / (b_ * b_);
  return state;
}

}  // namespace

std::vector<ProblemEntry> problems_in_sleigh() {
  return {{"sleigh",
           "Chaplygin's sleigh: a body on a blade that does not slip sideways",
           Kind::mechanical,
           "Bloch2003",
           {{"m", 1, "kg", "mass"},
            {"J", .5, "kg m^2", "inertia about the centre of mass"},
            {"a", .3, "m", "from the blade forward to the centre of mass"},
            {"u", .5, "m/s", "forward speed at the start"},
            {"V", 2, "m/s", "sqrt(u^2 + b^2 w^2), b^2 = J/m + a^2; sets the spin w at the start"}},
           [](const Parameters& p) { return std::make_shared<const Sleigh>(p); }}};
}

}  // namespace dalembert
