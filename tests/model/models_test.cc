// The mechanisms in models/: each is read, found to be in order, run as its file says, and compared with the digits in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dalembert/model/model_findings.h"
#include "dalembert/model/model_run.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/observe/monitor.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

const std::filesystem::path folder = DALEMBERT_MODELS;

std::vector<std::string> models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Model model(const std::string& name, const std::map<std::string, double>& set = {}) {
  return Model::from_file(folder / (name + ".toml"), set);
}

TEST(Models, AreAllThere) {
  const auto names = models();
  for (const char* name : {"andrews",
                           "bicycle",
                           "bricard",
                           "bushing-pendulum",
                           "car-axis",
                           "chain",
                           "crane-cut",
                           "double-four-bar",
                           "double-pendulum",
                           "excavator",
                           "flyball-governor",
                           "four-bar",
                           "four-bar-spatial",
                           "gyroscope",
                           "heavy-top",
                           "jansen-leg",
                           "motor-slider-crank",
                           "pendulum",
                           "quarter-car",
                           "rlc",
                           "rolling-disc",
                           "servo-cylinder",
                           "sleigh",
                           "slider-crank",
                           "slider-crank-driven",
                           "spatial-chain",
                           "spatial-slider-crank",
                           "stephenson",
                           "stewart-platform",
                           "transistor-amplifier",
                           "triple-pendulum",
                           "watt"})
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
}

class EachModel : public testing::TestWithParam<std::string> {};

/// At the tolerance of the file: the digits within what it allows, joints together to 1e-9 of the size, energy kept.
TEST_P(EachModel, RunsAsItsFileSays) {
  const Model m = model(GetParam());
  ASSERT_FALSE(m.references.empty());
  EXPECT_FALSE(m.watches.empty());
  for (const auto& reference : m.references) EXPECT_FALSE(reference.source.empty());
  const RunOptions options = resolve(m.run, *m.problem()).options;
  EXPECT_EQ(options.tolerance.relative, 1e-8);
  const ModelRun result = run_model(m, options);
  ASSERT_EQ(result.summary.outcome, Outcome::ok) << result.summary.message;
  EXPECT_EQ(result.summary.state.t, *options.end);
  ASSERT_TRUE(result.error && result.drift && result.energy);
  EXPECT_LE(result.excess, 1) << "error " << *result.error << ", allowed " << result.within;
  EXPECT_LE(*result.drift, 1e-9);
  EXPECT_LE(*result.energy, 1e-5);  // work is integrated by a rule of three points in each step
  // watches give numbers at the end
  for (const Watch& watch : m.watches)
    EXPECT_TRUE(std::isfinite(watch.value(result.summary.state))) << watch.name;
}

TEST_P(EachModel, IsInOrder) {
  const Findings findings = examine(model(GetParam()));
  EXPECT_TRUE(findings.fine());
  for (const Finding& each : findings.list)
    EXPECT_NE(each.severity, Finding::Severity::error) << each.sentence();
  for (const auto& move : findings.moves) EXPECT_LE(move.distance, 1e-12) << move.body;
}

INSTANTIATE_TEST_SUITE_P(All, EachModel, testing::ValuesIn(models()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Counted by rank.
TEST(Models, HaveTheRightFreedom) {
  struct Count {
    const char* name;
    Eigen::Index free, redundant;
  };
  for (const Count& is : {Count{"bricard", 1, 1}, Count{"four-bar-spatial", 1, 3}, Count{"four-bar", 1, 0},
                          Count{"stewart-platform", 0, 0}, Count{"andrews", 1, 0}, Count{"jansen-leg", 0, 0},
                          Count{"double-four-bar", 1, 0}, Count{"rolling-disc", 3, 0}, Count{"sleigh", 2, 0},
                          Count{"flyball-governor", 4, 0}, Count{"spatial-chain", 12, 0}}) {
    const Findings findings = examine(model(is.name));
    ASSERT_TRUE(findings.ranked) << is.name;
    EXPECT_EQ(findings.degrees_of_freedom, is.free) << is.name;
    EXPECT_EQ(findings.redundant, is.redundant) << is.name;
    EXPECT_EQ(findings.has("redundant"), is.redundant > 0) << is.name;
  }
}

/// Over 10 s at rtol 1e-8, in joules.
TEST(Models, BricardKeepsItsEnergy) {
  const Model m = model("bricard");
  Monitor monitor;
  const Summary summary = run(m.mechanism, resolve(m.run, *m.problem()).options, {&monitor});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  EXPECT_EQ(summary.state.t, 10);
  EXPECT_LE(std::abs(monitor.energy()->error()), 1e-6);
}

/// The accelerations of [SymPy2017] at both states, from M v' = f - J'l, J v' + bias = 0.
struct DiscState {
  double yaw, lean, roll, u1, u2, u3;
  double x, y;  // acceleration of the point of contact, printed
};

Vector acceleration(const Mechanism& m) {
  const State start = m.start();
  const auto n = m.sizes();
  const Point at(m, 0, start.y.head(n.q), start.y.segment(n.q, n.v), Vector());
  EXPECT_LE(largest(at.g), 1e-14);
  EXPECT_LE(largest(at.J * at.v), 1e-14);
  Matrix K = Matrix::Zero(n.v + n.rows(), n.v + n.rows());
  K << at.M, at.J.transpose(), at.J, Matrix::Zero(n.rows(), n.rows());
  Vector r(n.v + n.rows());
  r << at.f, -at.bias;
  return K.fullPivLu().solve(r).head(n.v);
}

TEST(Models, RollingDiscHasThePrintedAccelerations) {
  for (const DiscState& s :
       {DiscState{.3, .1, 1.97, -.2, 1.3, .15, -0.00992793421754526, 0.0412861634829171},
        DiscState{3.97, -.28, 8.2, -.25, -2.2, .62, -0.154098542632173, -0.146102664410010}}) {
    const Model m =
        model("rolling-disc",
              {{"yaw", s.yaw}, {"lean", s.lean}, {"roll", s.roll}, {"u1", s.u1}, {"u2", s.u2}, {"u3", s.u3}});
    const Vector a = acceleration(*m.mechanism);
    // angles and their rates from the angular velocity before the spin about the axle, w = Ry(roll) u
    const double c = std::cos(s.roll), d = std::sin(s.roll);
    const double w1 = c * s.u1 + d * s.u3, w3 = c * s.u3 - d * s.u1, cos = std::cos(s.lean),
                 sin = std::sin(s.lean);
    const double yaw = w3 / cos, roll = s.u2 - yaw * sin;
    const double w3_t = c * a[5] - d * a[3] - roll * w1;
    const double yaw_t = (w3_t + yaw * sin * w1) / cos, roll_t = a[4] - yaw_t * sin - yaw * cos * w1, r = .26;
    EXPECT_NEAR(r * (roll_t * std::cos(s.yaw) - roll * yaw * std::sin(s.yaw)), s.x, 1e-10);
    EXPECT_NEAR(r * (roll_t * std::sin(s.yaw) + roll * yaw * std::cos(s.yaw)), s.y, 1e-10);
    if (s.yaw != .3) continue;  // these are printed for the first state only
    EXPECT_NEAR(a[3], -0.925848952664489, 1e-10);
    EXPECT_NEAR(a[4], -0.0181350656532944, 1e-10);
    EXPECT_NEAR(a[5], 2.91695398184589, 1e-10);
  }
}

Summary tight(const std::shared_ptr<const Problem>& problem, double end) {
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  options.end = end;
  return run(problem, options);
}

double value(const Summary& summary, const std::string& label) {
  for (Eigen::Index i = 0; i < summary.layout.size(); ++i)
    if (summary.layout.label(i) == label) return summary.state.y[i];
  ADD_FAILURE() << label;
  return not_a_number;
}

/// four-bar.toml once more, in code.
std::shared_ptr<const PlanarMechanism> four_bar() {
  const double a = .2, b = .5, c = .4, d = .5, rho = 2;
  const double e = std::hypot(d, a), u = (b * b - c * c + e * e) / (2 * e), h = std::sqrt(b * b - u * u);
  const Point2 B{(u * d + h * a) / e, a + (h * d - u * a) / e};
  const auto m = std::make_shared<PlanarMechanism>();
  const auto bar = [&](const char* name, double length, Point2 from, Point2 to) {
    return m->body({.name = name,
                    .mass = rho * length,
                    .inertia = rho * length * length * length / 12,
                    .position = {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2},
                    .angle = std::atan2(to[1] - from[1], to[0] - from[0])});
  };
  const auto crank = bar("crank", a, {0, 0}, {0, a}), coupler = bar("coupler", b, {0, a}, B),
             rocker = bar("rocker", c, {d, 0}, B);
  m->revolute("main", m->ground, crank, {0, 0});
  m->revolute("crank_pin", crank, coupler, {0, a});
  m->revolute("rocker_pin", coupler, rocker, B);
  m->revolute("rocker_bearing", m->ground, rocker, {d, 0});
  m->load("motor", {.body = crank, .torque = Law::of<7>([](auto, auto, auto, auto, auto, auto, auto spin) {
                                     return 4.0 - 0.25 * spin;
                                   })});
  return m;
}

TEST(Models, PlaneAndSpaceFileAndCodeMoveAlike) {
  const Summary plane = tight(model("four-bar").mechanism, 2),
                space = tight(model("four-bar-spatial").mechanism, 2), code = tight(four_bar(), 2);
  for (const Summary* each : {&plane, &space, &code}) ASSERT_EQ(each->outcome, Outcome::ok) << each->message;
  EXPECT_EQ(plane.state.y, code.state.y);
  for (const char* body : {"crank", "coupler", "rocker"})
    for (const char* entry : {".x", ".y"}) {
      const std::string q = std::string("q.") + body + entry, v = std::string("v.") + body + entry + "'";
      EXPECT_NEAR(value(plane, q), value(space, q), 1e-8) << q;
      EXPECT_NEAR(value(plane, v), value(space, v), 1e-8 * (1 + std::abs(value(plane, v)))) << v;
      EXPECT_NEAR(value(space, q), value(code, q), 1e-8) << q;
    }
}

/// However long the run: one mechanism of the plane, one of space, 10^5 steps each at rtol 1e-8.
TEST(Models, DoNotDriftApart) {
  for (const auto& [name, end] : {std::pair{"four-bar", 1500.}, std::pair{"heavy-top", 1500.}}) {
    const Model m = model(name);
    RunOptions options = resolve(m.run, *m.problem()).options;
    options.end = end;
    options.most_steps = 100'000;
    Monitor monitor;
    const Summary summary = run(m.mechanism, options, {&monitor});
    EXPECT_EQ(summary.statistics.steps, 100'000) << name << " " << summary.state.t;
    EXPECT_LE(monitor.drift()->position / size_of(*m.mechanism), 1e-9) << name;
  }
}

}  // namespace
}  // namespace dalembert
