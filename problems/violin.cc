// A violin string under the bow: N pieces, u_0 = u_N = 0, dry friction z in the middle, m = N/2.
//
//   u_i'' = N^2 (u_{i-1} - 2 u_i + u_{i+1}) - rho_s z [i = m]
//
//   slip:   z = sigma = sign(u_m' - v)
//   stick:  0 = u_m' - v,  mu = rho_s z,  as long as |mu| <= rho_a
//
// [BraseyHairer1993] section 6.3 (6.5)-(6.8). Two modes, each a mechanical problem whose events hand over to
// the other. While the string sticks, mu = N^2 (u_{m-1} - 2 u_m + u_{m+1}). violin.h lists the exact
// switching times.
#include "problems/violin.h"

#include <fmt/format.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

/// The string and the bow: what both modes know.
struct Bowed {
  Eigen::Index n;    // free nodes u_1 .. u_{N-1}
  Eigen::Index mid;  // the one under the bow
  double stiffness;  // N^2
  double v;          // speed of the bow
  double rho_s;      // friction while slipping
  double rho_a;      // most friction while sticking

  /// N^2 (u_{i-1} - 2 u_i + u_{i+1})
  double pull(In u, Eigen::Index i) const {
    const double left = i > 0 ? u[i - 1] : 0, right = i + 1 < n ? u[i + 1] : 0;
    return stiffness * (left - 2 * u[i] + right);
  }
};

std::shared_ptr<const Problem> slip(const Bowed&, double sigma);
std::shared_ptr<const Problem> stick(const Bowed&);

/// The modes have numbers: -1 and 1 slip that way, 0 sticks.
std::shared_ptr<const Problem> mode_numbered(const Bowed& string, const std::vector<int>& which) {
  if (which.size() != 1) return nullptr;
  return which[0] == 0 ? stick(string) : slip(string, which[0]);
}

/// While slipping: does the string catch up with the bow?
class Capture : public Events {
 public:
  std::vector<int> which_mode() const override { return {sigma_ > 0 ? 1 : -1}; }
  std::shared_ptr<const Problem> mode(const std::vector<int>& which) const override {
    return mode_numbered(string_, which);
  }
  Capture(const Bowed& string, double sigma) : string_(string), sigma_(sigma) {}
  const std::vector<Event>& list() const override {
    static const std::vector<Event> list = {{"capture", Direction::falling}};
    return list;
  }
  void values(const State& state, Out e) const override {
    e[0] = sigma_ * (state.y[string_.n + string_.mid] - string_.v);
  }
  EventResponse respond(std::size_t, State& state) const override {
    state.y[string_.n + string_.mid] = string_.v;
    const bool holds = std::abs(string_.pull(state.y, string_.mid)) <= string_.rho_a;
    return {EventResponse::Action::restart, holds ? stick(string_) : slip(string_, -sigma_)};
  }

 private:
  Bowed string_;
  double sigma_;
};

/// While sticking: does the string pull harder than the bow can hold?
class Release : public Events {
 public:
  std::vector<int> which_mode() const override { return {0}; }
  std::shared_ptr<const Problem> mode(const std::vector<int>& which) const override {
    return mode_numbered(string_, which);
  }
  explicit Release(const Bowed& string) : string_(string) {}
  const std::vector<Event>& list() const override {
    static const std::vector<Event> list = {{"release", Direction::falling}, {"release", Direction::falling}};
    return list;
  }
  void values(const State& state, Out e) const override {
    const double mu = string_.pull(state.y, string_.mid);
    e[0] = string_.rho_a - mu;
    e[1] = string_.rho_a + mu;
  }
  /// The sign comes from mu: the relative speed is zero here.
  EventResponse respond(std::size_t event, State&) const override {
    return {EventResponse::Action::restart, slip(string_, event == 0 ? 1 : -1)};
  }

 private:
  Bowed string_;
};

class Violin : public Mechanical {
 public:
  explicit Violin(const Bowed& string) : string_(string) {}

  Layout layout() const override {
    Names names;
    for (Eigen::Index i = 1; i <= string_.n; ++i) {
      names.q.push_back(fmt::format("u{}", i));
      names.v.push_back(names.q.back() + "'");
    }
    names.mu = {"bow"};
    names.q_units.assign(names.q.size(), "");
    names.v_units.assign(names.v.size(), "");
    names.mu_units = {""};
    return mechanical_layout(std::move(names));
  }
  Layout report() const override {
    Layout all = layout();
    if (all.find("mu") == nullptr) all.add("mu", 1, Role::algebraic, 2, {"bow"}, {""});
    return all;
  }
  double end() const override { return 10; }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < string_.n; ++i) M.add(i, i, 1);
    M.end();
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    for (Eigen::Index i = 0; i < string_.n; ++i) f[i] = string_.pull(at.q, i);
  }
  /// Not divided by N: that of N-1 unit masses.
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    double strain = at.q[0] * at.q[0] + at.q[string_.n - 1] * at.q[string_.n - 1];
    for (Eigen::Index i = 1; i < string_.n; ++i) strain += (at.q[i] - at.q[i - 1]) * (at.q[i] - at.q[i - 1]);
    return (v.squaredNorm() + string_.stiffness * strain) / 2;
  }
  bool conservative() const override { return false; }  // the bow

 protected:
  Bowed string_;
};

class Slip : public Violin {
 public:
  Slip(const Bowed& string, double sigma)
      : Violin(string), friction_(-string.rho_s * sigma), capture_(string, sigma) {}
  Sizes sizes() const override { return {.q = string_.n, .v = string_.n}; }
  State start() const override { return {0, Vector::Zero(2 * string_.n)}; }
  const Events* events() const override { return &capture_; }
  void force(const Placement& at, In v, In s, Out f) const override {
    Violin::force(at, v, s, f);
    f[string_.mid] += friction_;
  }
  double power(const Placement&, In v, In /*s*/) const override { return friction_ * v[string_.mid]; }

 private:
  double friction_;  // -rho_s sigma
  Capture capture_;
};

class Stick : public Violin {
 public:
  explicit Stick(const Bowed& string) : Violin(string), release_(string) {}
  Sizes sizes() const override { return {.q = string_.n, .v = string_.n, .nonholonomic = 1}; }
  State start() const override {
    State state{0, Vector::Zero(2 * string_.n + 1)};
    state.y[string_.n + string_.mid] = string_.v;
    return state;
  }
  const Events* events() const override { return &release_; }
  void jacobian(const Placement&, Entries& A) const override {
    A.begin();
    A.add(0, string_.mid, 1);
    A.end();
  }
  void velocity_bias(const Placement&, Out w) const override { w[0] = -string_.v; }

 private:
  Release release_;
};

std::shared_ptr<const Problem> slip(const Bowed& string, double sigma) {
  return std::make_shared<const Slip>(string, sigma);
}

std::shared_ptr<const Problem> stick(const Bowed& string) {
  return std::make_shared<const Stick>(string);
}

std::shared_ptr<const Problem> violin(const Parameters& p) {
  const int pieces = p.count("n", 4, 10000);
  if (pieces % 2 != 0)
    throw Error("the number of pieces n is odd", "the bow sits on the middle node: set an even n");
  const Bowed string{.n = pieces - 1,
                     .mid = pieces / 2 - 1,
                     .stiffness = static_cast<double>(pieces) * pieces,
                     .v = p.positive("v"),
                     .rho_s = p.positive("rho_s"),
                     .rho_a = p.positive("rho_a")};
  if (string.rho_s > string.rho_a)
    throw Error("the friction while slipping rho_s is above rho_a, the most while sticking",
                "set rho_s to rho_a at most: otherwise what sticks can neither stick nor slip");
  return slip(string, -1);  // at rest the string is slower than the bow
}

}  // namespace

std::vector<ProblemEntry> problems_in_violin() {
  return {{"violin",
           "a bowed string that sticks and slips: two modes with and without a constraint",
           Kind::mechanical,
           "BraseyHairer1993",
           {{"n", 20, "", "pieces of the string, an even number"},
            {"v", .3, "", "speed of the bow"},
            {"rho_s", 12, "", "friction while slipping"},
            {"rho_a", 16, "", "most friction while sticking"}},
           violin}};
}

}  // namespace dalembert
