// Do mechanisms of the plane move as formulas say they do?
#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

constexpr auto ground = PlanarMechanism::ground;

/// The end of a run, by label.
class Ending {
 public:
  Ending(const std::shared_ptr<PlanarMechanism>& m, double end, double tolerance = 1e-10) {
    m->ends_at(end);
    RunOptions options;
    options.tolerance = {tolerance, tolerance};
    summary_ = run(m, options);
    EXPECT_EQ(summary_.outcome, Outcome::ok) << summary_.message;
  }
  double operator()(const std::string& block, const std::string& label) const {
    const Block& of = summary_.layout[block];
    for (std::size_t i = 0; i < of.labels.size(); ++i)
      if (of.labels[i] == label) return summary_.state[of][static_cast<Eigen::Index>(i)];
    ADD_FAILURE() << "no " << block << "." << label;
    return 0;
  }
  const Summary& summary() const { return summary_; }

 private:
  Summary summary_;
};

Motion steady(double start, double rate) {
  return {[=](double t) { return Motion::Value{start + rate * t, rate, 0}; }};
}

TEST(PlanarMotion, DiscRollsDownASlope) {
  constexpr double g = 9.81, slope = .3, r = .2, m = 3, J = .07, end = 2;
  const double cos = std::cos(slope), sin = std::sin(slope);
  for (const double side : {1., -1.}) {  // on the slope, and hung under it
    auto mechanism = std::make_shared<PlanarMechanism>(Point2{0, -g});
    const auto disc = mechanism->body(
        {.name = "disc", .mass = m, .inertia = J, .position = {side * r * sin, side * r * cos}, .angle = .5});
    mechanism->rolling("contact", ground, disc, {0, 0}, {cos, -sin}, {.radius = r});
    const Ending at(mechanism, end);
    const double a = g * sin / (1 + J / (m * r * r)), s = a * end * end / 2;
    EXPECT_NEAR(at("q", "disc.x"), side * r * sin + s * cos, 1e-8);
    EXPECT_NEAR(at("q", "disc.y"), side * r * cos - s * sin, 1e-8);
    EXPECT_NEAR(at("q", "disc.angle"), .5 - side * s / r, 1e-7);
    EXPECT_NEAR(at("v", "disc.angle'"), -side * a * end / r, 1e-7);
    EXPECT_NEAR(at("lambda", "contact.normal"), -m * g * cos, 1e-8);
    EXPECT_NEAR(at("lambda", "contact.along"), m * g * sin - m * a, 1e-8);
  }
}

/// A solid disc on a plank that is pulled away under it is left behind by two thirds.
TEST(PlanarMotion, DiscRollsOnAMovingPlank) {
  auto m = std::make_shared<PlanarMechanism>();
  const auto plank = m->body({.name = "plank", .mass = 1, .inertia = 1, .position = {.3, -.1}});
  const auto disc = m->body({.name = "disc", .mass = 2, .inertia = .25, .position = {0, .5}});  // m r^2/2
  const auto rail = m->prismatic("rail", ground, plank, {0, 0}, {1, 0});
  m->rolling("contact", plank, disc, {0, 0}, {1, 0});
  m->drive("pull", rail, {[](double t) { return Motion::Value{1.5 * t * t, 3 * t, 3}; }});
  const Ending at(m, 2);
  EXPECT_NEAR(at("q", "plank.x"), .3 + 6, 1e-8);
  EXPECT_NEAR(at("q", "disc.x"), 2, 1e-8);
  EXPECT_NEAR(at("q", "disc.angle"), 8, 1e-7);  // the plank is 4 ahead, rolled off a radius of 1/2
  EXPECT_NEAR(at("lambda", "contact.along"), -2 * 1, 1e-8) << "the disc holds the plank back by its own m a";
  EXPECT_NEAR(at("lambda", "pull.drive"), -(1 * 3 + 2 * 1), 1e-8) << "minus the force on the plank";
}

TEST(PlanarMotion, PinionMovesItsRack) {
  constexpr double T = .6, r = .05, m = 2, J = .01, end = .8;
  auto mechanism = std::make_shared<PlanarMechanism>();
  const auto rack = mechanism->body({.name = "rack", .mass = m, .inertia = .1, .position = {.1, -.02}});
  const auto pinion = mechanism->body({.name = "pinion", .mass = .4, .inertia = J, .position = {0, r}});
  mechanism->prismatic("guide", ground, rack, {0, 0}, {1, 0});
  mechanism->revolute("axle", ground, pinion, {0, r});
  mechanism->rack("teeth", rack, pinion, {0, 0}, {1, 0});
  mechanism->load("motor", {.body = pinion, .torque = T});
  const Ending at(mechanism, end);
  const double turn = T / (J + m * r * r) * end * end / 2;
  EXPECT_NEAR(at("q", "pinion.angle"), turn, 1e-8);
  EXPECT_NEAR(at("q", "rack.x"), .1 + r * turn, 1e-9);
  EXPECT_NEAR(at("lambda", "teeth.along"), m * r * T / (J + m * r * r), 1e-8);
}

TEST(PlanarMotion, PlanetsTurnInTheirRatios) {
  constexpr double sun_teeth = 20, planet_teeth = 15, ring_teeth = 50, rate = 3, end = 2.5;
  auto m = std::make_shared<PlanarMechanism>();
  const auto sun = m->body({.name = "sun", .mass = 1, .inertia = .2});
  const auto arm = m->body({.name = "arm", .mass = 1, .inertia = .1, .position = {.1, 0}});
  const auto planet =
      m->body({.name = "planet", .mass = 1, .inertia = .05, .position = {.35, 0}, .angle = .2});
  const auto axis = m->revolute("axis", ground, sun, {0, 0});
  m->revolute("bearing", ground, arm, {0, 0});
  m->revolute("pin", arm, planet, {.35, 0});
  m->gear("inner", sun, planet, -sun_teeth / planet_teeth, arm);
  m->gear("outer", ground, planet, ring_teeth / planet_teeth, arm);
  m->drive("motor", axis, steady(0, rate));
  const Ending at(m, end);
  const double carrier = rate * end * sun_teeth / (sun_teeth + ring_teeth);
  EXPECT_NEAR(at("q", "sun.angle"), rate * end, 1e-9);
  EXPECT_NEAR(at("q", "arm.angle"), carrier, 1e-9);
  EXPECT_NEAR(at("q", "planet.angle"), .2 + carrier * (1 - ring_teeth / planet_teeth), 1e-9);
  EXPECT_NEAR(at("q", "planet.x"), .35 * std::cos(carrier), 1e-9);
  EXPECT_NEAR(at("v", "arm.angle'"), carrier / end, 1e-8);
}

/// Let go at a quarter turn: down after K(1/sqrt 2) sqrt(l/g).
TEST(PlanarMotion, PointOnARodIsAPendulum) {
  constexpr double g = 9.81, l = .8;
  auto m = std::make_shared<PlanarMechanism>(Point2{0, -g});
  const auto bob = m->point({.name = "bob", .mass = 1.3, .position = {l, 0}});
  m->distance("rod", ground, {0, 0}, bob, {l, 0});
  const Ending at(m, std::comp_ellint_1(std::numbers::sqrt2 / 2) * std::sqrt(l / g));
  EXPECT_NEAR(at("q", "bob.x"), 0, 1e-8);
  EXPECT_NEAR(at("q", "bob.y"), -l, 1e-9);
  EXPECT_NEAR(at("v", "bob.x'"), -std::sqrt(2 * g * l), 1e-7);
  EXPECT_NEAR(at("lambda", "rod.rod"), 3 * 1.3 * g, 1e-6) << "three times the weight";
}

/// Given at rest and with the crank drawn at 0; the drive says otherwise, and that holds.
TEST(PlanarMotion, DrivenSliderCrankIsWhereGeometrySays) {
  constexpr double l1 = .15, l2 = .4, first = .1, rate = 10, end = 1.3;
  auto m = std::make_shared<PlanarMechanism>();
  const auto crank = m->body({.name = "crank", .mass = .2, .inertia = 4e-4, .position = {l1 / 2, 0}});
  const auto rod = m->body({.name = "rod", .mass = .5, .inertia = 6e-3, .position = {l1 + l2 / 2, 0}});
  const auto slider = m->body({.name = "slider", .mass = .3, .inertia = 1e-3, .position = {l1 + l2, 0}});
  const auto main = m->revolute("main", ground, crank, {0, 0});
  m->revolute("big end", crank, rod, {l1, 0});
  m->revolute("small end", rod, slider, {l1 + l2, 0});
  m->prismatic("guide", ground, slider, {l1 + l2, 0}, {1, 0});
  m->drive("motor", main, steady(first, rate));
  const Ending at(m, end);
  const double phi = first + rate * end, sin = std::sin(phi), cos = std::cos(phi),
               reach = std::sqrt(l2 * l2 - l1 * l1 * sin * sin);
  EXPECT_NEAR(at("q", "crank.angle"), phi, 1e-9);
  EXPECT_NEAR(at("q", "slider.x"), l1 * cos + reach, 1e-9);
  EXPECT_NEAR(at("v", "slider.x'"), -rate * l1 * sin * (1 + l1 * cos / reach), 1e-8);
  EXPECT_NEAR(at("q", "rod.angle"), -std::asin(l1 * sin / l2), 1e-9);
  EXPECT_FALSE(at.summary().start_message.empty()) << "the start was moved";
}

/// A mass on a rope that is let out evenly keeps r^2 phi': phi = h t/(r0 r).
TEST(PlanarMotion, RopeLetOutKeepsAngularMomentum) {
  constexpr double out = .4, h = 2, end = 1.5;
  auto m = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto mass = m->point({.name = "mass", .mass = .7, .position = {1, 0}, .velocity = {out, h}});
  m->drive("rope", m->length(ground, {0, 0}, mass, {1, 0}), steady(1, out));
  const Ending at(m, end);
  const double r = 1 + out * end, phi = h * end / r;
  EXPECT_NEAR(at("q", "mass.x"), r * std::cos(phi), 1e-8);
  EXPECT_NEAR(at("q", "mass.y"), r * std::sin(phi), 1e-8);
  EXPECT_NEAR(at("lambda", "rope.drive"), .7 * h * h / (r * r * r), 1e-8) << "the centripetal force, pulling";
}

/// A pendulum whose foot is accelerated upwards feels more weight; the foot needs it all.
TEST(PlanarMotion, PointFollowsItsPath) {
  constexpr double g = 9.81, a = 5, end = 1;
  auto m = std::make_shared<PlanarMechanism>(Point2{0, -g});
  const auto table = m->body({.name = "table", .mass = 2, .inertia = .3, .position = {.2, 0}});
  m->drive("path", {{"x", m->displacement(ground, table, {0, 0}, {1, 0}), steady(0, .5)},
                    {"y", m->displacement(ground, table, {0, 0}, {0, 1}), {[](double t) {
                       return Motion::Value{a * t * t / 2, a * t, a};
                     }}}});
  m->drive("level", m->angle(ground, table), {});
  const Ending at(m, end);
  EXPECT_NEAR(at("q", "table.x"), .2 + .5 * end, 1e-9);
  EXPECT_NEAR(at("q", "table.y"), a * end * end / 2, 1e-9);
  EXPECT_NEAR(at("lambda", "path.y"), -2 * (g + a), 1e-8);
  // The force acts .2 to the left of the centre of mass and would turn the table clockwise: the drive turns it back.
  EXPECT_NEAR(at("lambda", "level.drive"), -.2 * 2 * (g + a), 1e-8);
}

/// As a mechanism, the bushing pendulum of the catalogue [YenPetzold1998] moves in the same way.
TEST(PlanarMotion, BushingPendulumIsTheOneOfTheCatalogue) {
  for (const auto& set : {std::map<std::string, double>{},
                          std::map<std::string, double>{{"kx", 3}, {"cx", 1}, {"ctheta", 2}, {"g", 9.81}}}) {
    const auto of = [&](const char* name, double usual) { return set.count(name) ? set.at(name) : usual; };
    const double eps = 1e-3;
    auto m = std::make_shared<PlanarMechanism>(Point2{0, -of("g", 0)});
    const auto one = m->body({.name = "1", .mass = 1, .inertia = 1});
    const auto two = m->body({.name = "2",
                              .mass = 1,
                              .inertia = 1,
                              .position = {9.9989e-1, -1.4852e-2},
                              .velocity = {-6.75e-5, -4.5444e-3}});
    m->fixed("ground", ground, one, {0, 0});
    m->distance("distance", one, {0, 0}, two, {9.9989e-1, -1.4852e-2}, 1);
    m->gear("orientation", ground, two, 1);
    m->bushing("bushing", {.a = one,
                           .b = two,
                           .at_a = {.5, 0},
                           .at_b = {9.9989e-1 - .5, -1.4852e-2},
                           .stiffness = Eigen::Vector3d(of("kx", 1), 1, 1).asDiagonal().toDenseMatrix() / eps,
                           .damping = Eigen::Vector3d(of("cx", 10), 10, of("ctheta", 10)).asDiagonal()});
    const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("bushing-pendulum", set));
    for (const State& state : states_near_start(*problem)) {
      const Point ours = point(*m, state), theirs = point(*problem, state);
      expect_near(ours.f, theirs.f, 1e-13, "force");
      EXPECT_NEAR(ours.energy(), theirs.energy(), 1e-13 * std::abs(theirs.energy()));
      EXPECT_NEAR(m->power(*ours.at, ours.v, ours.s), problem->power(*theirs.at, theirs.v, theirs.s),
                  1e-12 * (1 + theirs.v.squaredNorm()));
    }
    const Ending at(m, 1);
    RunOptions options;
    options.tolerance = {1e-10, 1e-10};
    options.end = 1;
    const Summary theirs = run(problem, options);
    ASSERT_EQ(theirs.outcome, Outcome::ok) << theirs.message;
    for (Eigen::Index i = 0; i < 12; ++i) EXPECT_NEAR(at.summary().state.y[i], theirs.state.y[i], 1e-8) << i;
    EXPECT_NEAR(at("lambda", "distance.rod"), 2 * theirs.state.y[15], 1e-6) << "theirs is per squared length";
    if (const auto known = problem->exact(1); known && set.empty()) {
      for (Eigen::Index i = 0; i < 12; ++i) EXPECT_NEAR(at.summary().state.y[i], known->y[i], 1e-8) << i;
    }
  }
}

/// A heavy tip on a thin beam swings with sqrt(3 EI/(m L^3)), as long as it swings little.
TEST(PlanarMotion, TipOnABeamSwings) {
  constexpr double L = .5, EI = 4, m = 2, small = 1e-5;
  auto mechanism = std::make_shared<PlanarMechanism>(Point2{0, 0});
  const auto tip = mechanism->body({.name = "tip", .mass = m, .inertia = 1e-6, .position = {L, 0}});
  mechanism->beam("beam", {.b = tip, .at_b = {L, 0}, .EA = 1e5, .EI = EI});
  mechanism->load("push", {.body = tip, .force = {0., small * 3 * EI / (L * L * L)}});
  const double omega = std::sqrt(3 * EI / (m * L * L * L));
  // Under a load that comes suddenly it swings about its new rest: y = small (1 - cos omega t).
  const Ending at(mechanism, 1 / omega, 1e-11);
  EXPECT_NEAR(at("q", "tip.y"), small * (1 - std::cos(1.)), 1e-4 * small);
}

}  // namespace
}  // namespace dalembert
