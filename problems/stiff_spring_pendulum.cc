// A pendulum whose bar is a stiff spring: singularly perturbed, with the rigid pendulum (index 3) as its
// limit.
//
//   x'' = -x (r-1)/(r eps^2),  y'' = -1 - y (r-1)/(r eps^2),  r = sqrt(x^2 + y^2)
//
// [Lubich1993]. Mass, length and gravity are 1; no constraint rows. The start at rest on the circle r = 1
// leaves a ringing of amplitude O(eps^2) and frequency 1/eps that never dies. The digits in exact() are ours:
// Radau IIA of order 13, two tolerances alike.
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/drawable.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

const std::vector<Parameter> parameters = {{"eps", 1e-2, "s", "inverse frequency of the spring"}};

class StiffSpringPendulum : public Mechanical, public Drawable {
 public:
  explicit StiffSpringPendulum(const Parameters& p)
      : stiffness_(1 / (p.positive("eps") * p["eps"])), published_(defaults(p, parameters)) {}

  Sizes sizes() const override { return {.q = 2, .v = 2}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout(
        {.q = {"x", "y"}, .v = {"x'", "y'"}, .q_units = {"m", "m"}, .v_units = {"m/s", "m/s"}});
    return layout;
  }
  State start() const override { return {0, Eigen::Vector4d(1, 0, 0, 0)}; }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override {
    if (!published_) return {};
    return digits_at(t, {{1, {.879702054668524, -.475825347965181, -.463836315130125, -.858080922524848}},
                         {5, {-.686164040200840, -.727746796064796, .87747515771886, -.82768033471953}},
                         {10, {-.810577305627336, -.585931673439636, -.63387603420897, .87735722697893}}});
  }

  Sketch sketch() const override {
    return {.points = {"O", "bob"},
            .parts = {{Sketch::Kind::support, "ground", {0}},
                      {Sketch::Kind::spring, "spring", {0, 1}},
                      {Sketch::Kind::ball, "mass", {1}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    return in_plane({{0, 0}, state.y.head<2>()});
  }

  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, 1);
    M.add(1, 1, 1);
    M.end();
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    const double r = at.q.norm(), pull = stiffness_ * (r - 1) / r;
    f[0] = -pull * at.q[0];
    f[1] = -pull * at.q[1] - 1;
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    const double stretch = at.q.norm() - 1;
    return v.squaredNorm() / 2 + at.q[1] + stiffness_ * stretch * stretch / 2;
  }
  void derivatives(const Placement& at, In /*v*/, In /*s*/, In /*a*/, In /*l*/,
                   Derivatives& d) const override {
    // Hessian of (r-1)^2/2: q q'/r^3 + (1 - 1/r) I
    const double r = at.q.norm();
    d.K.begin();
    for (Eigen::Index i = 0; i < 2; ++i)
      for (Eigen::Index j = 0; j < 2; ++j)
        d.K.add(i, j, stiffness_ * (at.q[i] * at.q[j] / (r * r * r) + (i == j ? 1 - 1 / r : 0)));
    d.K.end();
  }

 private:
  double stiffness_;
  bool published_;  // the reference digits hold for these parameters
};

}  // namespace

std::vector<ProblemEntry> problems_in_stiff_spring_pendulum() {
  return {{"stiff-spring-pendulum", "pendulum on a stiff spring: highly oscillatory, index 3 in the limit",
           Kind::mechanical, "Lubich1993", parameters,
           [](const Parameters& p) { return std::make_shared<const StiffSpringPendulum>(p); }}};
}

}  // namespace dalembert
