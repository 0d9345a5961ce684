// The slider crank with two bars of equal length l: bar 1 turns about the origin, the far end of bar 2 slides on the
// x axis. When both bars stand upright the sliding row depends on the others (in two angles: vanishes), and bar 2
// could as well turn with bar 1 about the origin from there on [AscherLin1997], Example 6.5.
//
// "slider-crank", in the angles of both bars, with point masses at the joint (mj) and at the slider (ms) and uniform
// bars (rod each):
//
//   [A  B c; B c  C] (phi1'', phi2'') = (-B s phi2'^2 - g P1 cos phi1, B s phi1'^2 - g P2 cos phi2) - J'lambda
//   0 = l (sin phi1 + sin phi2),   c, s = cos, sin (phi1 - phi2)
//   A = (mj + ms + 4/3 rod) l^2,  B = (ms + rod/2) l^2,  C = (ms + rod/3) l^2
//   P1 = (mj + ms + 3/2 rod) l,  P2 = (ms + rod/2) l
//
// "slider-crank-6", uniform bars in x, y, phi each: five rows. Both move as phi2 = -phi1 (plus 2 pi),
//
//   I phi1'' = -2 B sin(2 phi1) phi1'^2 - g (P1 - P2) cos phi1,   I = A + C - 2 B cos(2 phi1)
//
// which is what exact() gives, for q and v: multipliers are not unique in the upright position.
#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "problems/planar_links.h"
#include "problems/reduced_motion.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<Parameter> parameters(double g, double phi, double w) {
  return {{"g", g, "m/s^2", "gravity"},
          {"l", 1, "m", "length of each bar"},
          {"phi", phi, "rad", "angle of the first bar at the start"},
          {"w", w, "rad/s", "speed of the first bar at the start"},
          {"dl", 0, "m", "how much longer the second bar is"}};
}

std::vector<Parameter> two_angle_parameters() {
  auto all = parameters(9.8, 7 * pi / 4, 0);
  all.push_back({"mj", 1, "kg", "mass at the joint"});
  all.push_back({"ms", 1, "kg", "mass at the slider"});
  all.push_back({"rod", 0, "kg", "mass of each bar"});
  return all;
}

/// The inertias and weights of both bars; dl makes the second one longer.
struct Weights {
  double g, l, l2, A, B, C, P1, P2;
  Weights(double gravity, double l_, double dl, double mj, double ms, double rod)
      : g(gravity),
        l(l_),
        l2(l_ + dl),
        A((mj + ms + 4 * rod / 3) * l * l),
        B((ms + rod / 2) * l * l2),
        C((ms + rod / 3) * l2 * l2),
        P1((mj + ms + 3 * rod / 2) * l),
        P2((ms + rod / 2) * l2) {}

  ReducedMotion motion(double phi, double w, double t) const {
    const double least = A + C - 2 * B, fall = 2 * g * (P1 - P2);
    const double fastest = std::sqrt(((A + C + 2 * B) * w * w + 2 * std::abs(fall)) / least);
    return reduced_motion(
        [&](long double x, long double v) {
          return (-2 * B * std::sin(2 * x) * v * v - g * (P1 - P2) * std::cos(x)) /
                 (A + C - 2 * B * std::cos(2 * x));
        },
        {phi, w}, t, 0.04 / fastest);
  }
};

class TwoAngles : public Mechanical, public Drawable {
 public:
  explicit TwoAngles(const Parameters& p)
      : w_(p["g"], p.positive("l"), p["dl"], p["mj"], p["ms"], p["rod"]),
        phi0_(p["phi"]),
        speed0_(p["w"]),
        exact_(p["dl"] == 0) {
    if (!(w_.l2 > 0 && w_.A * w_.C > w_.B * w_.B))
      throw Error("the mass matrix of the slider crank is not positive definite",
                  "give masses mj and ms, or rod, that are positive");
  }

  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout({.q = {"phi1", "phi2"},
                                                    .v = {"phi1'", "phi2'"},
                                                    .lambda = {"slider"},
                                                    .q_units = {"rad", "rad"},
                                                    .v_units = {"rad/s", "rad/s"},
                                                    .lambda_units = {"N"}});
    return layout;
  }
  State start() const override {
    Vector qv(4);
    qv << phi0_, 2 * pi - phi0_, speed0_, -speed0_;
    return with_multipliers(*this, 0, qv);
  }
  double end() const override { return 70; }
  Sketch sketch() const override {
    using enum Sketch::Kind;
    return {.points = {"O", "joint", "slider", "far left", "far right"},
            .parts = {{support, "ground", {0}},
                      {rail, "guide", {3, 4}},
                      {link, "first bar", {0, 1}},
                      {link, "second bar", {1, 2}},
                      {ball, "slider", {2}}}};
  }
  Eigen::Matrix3Xd sketch_points(const State& state) const override {
    const Eigen::Vector2d joint(w_.l * std::cos(state.y[0]), w_.l * std::sin(state.y[0]));
    const Eigen::Vector2d rest(w_.l2 * std::cos(state.y[1]), w_.l2 * std::sin(state.y[1]));
    const double far = w_.l + w_.l2;
    return in_plane({{0, 0}, joint, joint + rest, {-far, 0}, {far, 0}});
  }
  std::optional<State> exact(double t) const override {
    if (!exact_) return {};
    const auto [phi, turn] = w_.motion(phi0_, speed0_, t);
    State state{t, Vector::Constant(5, not_a_number)};
    state.y.head<4>() << static_cast<double>(phi),
        static_cast<double>(2 * std::numbers::pi_v<long double> - phi), static_cast<double>(turn),
        static_cast<double>(-turn);
    return state;
  }

  void mass(const Placement& at, Entries& M) const override {
    const double c = std::cos(at.q[0] - at.q[1]);
    M.begin();
    M.add(0, 0, w_.A);
    M.add(0, 1, w_.B * c);
    M.add(1, 0, w_.B * c);
    M.add(1, 1, w_.C);
    M.end();
  }
  void force(const Placement& at, In v, In /*s*/, Out f) const override {
    const double s = std::sin(at.q[0] - at.q[1]);
    f[0] = -w_.B * s * v[1] * v[1] - w_.g * w_.P1 * std::cos(at.q[0]);
    f[1] = w_.B * s * v[0] * v[0] - w_.g * w_.P2 * std::cos(at.q[1]);
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = w_.l * std::sin(at.q[0]) + w_.l2 * std::sin(at.q[1]);
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, w_.l * std::cos(at.q[0]));
    J.add(0, 1, w_.l2 * std::cos(at.q[1]));
    J.end();
  }
  void bias(const Placement& at, In v, Out bias) const override {
    bias[0] = -w_.l * std::sin(at.q[0]) * v[0] * v[0] - w_.l2 * std::sin(at.q[1]) * v[1] * v[1];
  }
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    return (w_.A * v[0] * v[0] + w_.C * v[1] * v[1]) / 2 + w_.B * std::cos(at.q[0] - at.q[1]) * v[0] * v[1] +
           w_.g * (w_.P1 * std::sin(at.q[0]) + w_.P2 * std::sin(at.q[1]));
  }

 private:
  Weights w_;
  double phi0_, speed0_;
  bool exact_;
};

class SixCoordinates : public PlanarLinks {
 public:
  explicit SixCoordinates(const Parameters& p)
      : PlanarLinks(p["g"]),
        w_(p["g"], p.positive("l"), p["dl"], 0, 0, 1),
        phi0_(p["phi"]),
        speed0_(p["w"]),
        exact_(p["dl"] == 0) {
    const double l2 = w_.l2;
    add_link("bar1", 1, w_.l);
    add_link("bar2", 1, w_.l);
    add_pin("origin", {{0, -w_.l / 2, 1}}, 0, 0);
    add_pin("joint", {{1, -l2 / 2, 1}, {0, w_.l / 2, -1}}, 0, 0);
    add_row("slider", Axis::vertical, {{1, l2 / 2, 1}}, 0);
  }

  double end() const override { return 10; }
  State start() const override { return with_multipliers(*this, 0, upon(phi0_, speed0_)); }
  std::optional<State> exact(double t) const override {
    if (!exact_) return {};
    const auto [phi, turn] = w_.motion(phi0_, speed0_, t);
    State state{t, Vector::Constant(17, not_a_number)};
    state.y.head<12>() = upon(phi, turn);
    return state;
  }

 private:
  /// q and v with the first bar at phi, turning with w.
  Vector upon(long double phi, long double w) const {
    const double sin = static_cast<double>(std::sin(phi)) * w_.l / 2;
    const double cos = static_cast<double>(std::cos(phi)) * w_.l / 2;
    const auto angle = static_cast<double>(phi), turn = static_cast<double>(w);
    Vector y(12);
    y << cos, sin, angle, 3 * cos, sin, -angle,  //
        -sin * turn, cos * turn, turn, -3 * sin * turn, cos * turn, -turn;
    return y;
  }

  Weights w_;
  double phi0_, speed0_;
  bool exact_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_slider_crank() {
  return {{"slider-crank", "slider crank in two angles, through the position where its row vanishes",
           Kind::mechanical, "AscherLin1997", two_angle_parameters(),
           [](const Parameters& p) { return std::make_shared<const TwoAngles>(p); }},
          {"slider-crank-6",
           "slider crank of two uniform bars in six coordinates, turning through both "
           "upright positions",
           Kind::mechanical, "AscherLin1997", parameters(9.81, pi / 4, 2 * std::numbers::sqrt2),
           [](const Parameters& p) { return std::make_shared<const SixCoordinates>(p); }}};
}

}  // namespace dalembert
