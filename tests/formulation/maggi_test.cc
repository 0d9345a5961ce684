// Null-space reduction: bases that are carried along keep the order of a method, all of them give one motion, and where
// the basis is not carried along the motion is wrong; dependent rows, no freedom left.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

const std::vector<std::string> bases = {"maggi-lu", "maggi-qr", "maggi-svd", "maggi-zero-eigenvalue",
                                        "maggi-gram-schmidt"};
const std::vector<std::string> orthonormal_bases(bases.begin() + 1, bases.end());

Summary fixed(const std::shared_ptr<const Problem>& problem, const PairRequest& request, double end,
              double step, const std::map<std::string, double>& options = {}) {
  RunOptions run_options;
  run_options.request = request;
  run_options.control = Control::fixed;
  run_options.end = end;
  run_options.step = step;
  run_options.options = options;
  const Summary summary = run(problem, run_options);
  EXPECT_EQ(summary.outcome, Outcome::ok) << request.formulation << ": " << summary.message;
  return summary;
}

/// Least squares of log(error of q) over log(step), for whole numbers of steps from `fewest` to `most`.
double slope(const std::string& name, const PairRequest& request, double fewest, double most) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  const auto problem = make_problem(name);
  for (double steps = fewest; steps <= most; steps *= 1.19) {
    const double h = 10 / std::round(steps);
    const double x = std::log(h), y = std::log(fixed(problem, request, 10, h).error.at("q"));
    sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class FullOrder : public ::testing::TestWithParam<std::string> {};

TEST_P(FullOrder, OfRungeKuttaOnMovingBases) {
  for (const std::string name : {"spherical-pendulum", "pendulum-driven-length"}) {
    EXPECT_NEAR(slope(name, {GetParam(), "rk4"}, 1000, 4000), 4, .3) << GetParam() << " " << name;
    // Both problems are kinder to dop853 than its claim: its tableau is proven elsewhere.
    EXPECT_GT(slope(name, {GetParam(), "dop853"}, 100, 300), 8 - .5) << GetParam() << " " << name;
  }
}

INSTANTIATE_TEST_SUITE_P(EveryBasis, FullOrder, ::testing::ValuesIn(bases), [](const auto& given) {
  std::string name = given.param;
  for (char& letter : name)
    if (letter == '-') letter = '_';
  return name;
});

TEST(Maggi, ABasisThatIsNotCarriedAlongGivesAWrongMotionAtEveryStep) {
  for (const std::string name : {"spherical-pendulum", "pendulum-driven-length"})
    for (const double h : {.01, .0025}) {
      RunOptions options;
      options.request = {"maggi-qr", "rk4"};
      options.control = Control::fixed;
      options.end = 10;
      options.step = h;
      options.options = {{"aligned", 0}};
      const Summary summary = run(make_problem(name), options);
      EXPECT_GT(summary.error.at("q"), .05) << name << " " << h;
      // The witness says so where the change within a step is off, not where small errors add up.
      EXPECT_TRUE(summary.outcome == Outcome::ok || summary.outcome == Outcome::untrusted) << summary.message;
    }
}

TEST(Maggi, OrthonormalBasesGiveOneMotion) {
  for (const auto& [name, end] : {std::pair{"spherical-pendulum", 5.}, std::pair{"heavy-top", .2},
                                  std::pair{"manufactured", 3.}, std::pair{"triple-pendulum", 1.}}) {
    const auto problem = make_problem(name);
    const Vector y = fixed(problem, {"maggi-svd", "rk4"}, end, end / 400).state.y;
    for (const auto& basis : orthonormal_bases)
      EXPECT_LT(largest(fixed(problem, {basis, "rk4"}, end, end / 400).state.y - y), 1e-10 * (1 + largest(y)))
          << name << " " << basis;
  }
}

TEST(Maggi, BothCorrectionsHoldThePositionsInARun) {
  for (const double nearest : {0., 1.})
    for (const auto& basis : bases) {
      const Summary s =
          fixed(make_problem("spherical-pendulum"), {basis, "rk4"}, 5, .01, {{"nearest", nearest}});
      EXPECT_LT(std::abs(s.state.y.head(3).squaredNorm() - 1), 1e-14) << basis;
      EXPECT_LT(std::abs(s.state.y.head(3).dot(s.state.y.segment(3, 3))), 1e-13) << basis;
    }
}

/// A pendulum whose bar is written `copies` times.
class Repeated final : public Mechanical {
 public:
  explicit Repeated(Eigen::Index copies) : copies_(copies) {}
  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = copies_}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override {
    State state{0, Vector::Zero(4 + copies_)};
    state.y[0] = 1;
    return state;
  }
  double end() const override { return 2; }
  void mass(const Placement&, Entries& M) const override { M.write<2>({{{0, 0}, {1, 1}}}, {1, 1}); }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1; }
  void g(const Placement& at, Out r) const override { r.setConstant((at.q.squaredNorm() - 1) / 2); }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    for (Eigen::Index i = 0; i < copies_; ++i) J.add(i, 0, at.q[0]), J.add(i, 1, at.q[1]);
    J.end();
  }
  void bias(const Placement&, In v, Out b) const override { b.setConstant(v.squaredNorm()); }

 private:
  Eigen::Index copies_;
};

/// The state after 200 steps of 0.01 by rk4, with the multipliers there. (A run would refuse to start with such rows.)
Vector walk(const Mechanical& problem, const std::string& basis) {
  Statistics statistics;
  const FormulationEntry entry = find_formulation(basis).front();
  const auto formulation = entry.make(problem, Parameters(entry.options, {}, basis), statistics);
  const auto method = find_method("rk4").make();
  method->bind(formulation->rewritten(),
               {.tolerance = {}, .projection = Projection::on, .options = {}, .statistics = &statistics});
  State state = problem.start(), from = formulation->rewritten().start(), to = from;
  formulation->enter(state, from);
  for (int k = 0; k < 200; ++k) {
    EXPECT_EQ(method->attempt(from, .01, to).outcome, Outcome::ok);
    method->accept();
    std::swap(from, to);
    if (formulation->renew(from)) method->restart();
  }
  EXPECT_EQ(formulation->recover(from, state, Depth::multipliers), Outcome::ok);
  return state.y;
}

TEST(Maggi, DependentRowsAreLeftAsideAndShareTheReaction) {
  for (const auto& basis : bases) {
    const Vector once = walk(Repeated(1), basis), thrice = walk(Repeated(3), basis);
    EXPECT_NEAR(once[4], make_problem("pendulum")->exact(2)->y[4], 1e-6);
    EXPECT_LT(largest(thrice.head(4) - once.head(4)), 1e-12) << basis;
    for (Eigen::Index i = 4; i < 7; ++i) EXPECT_NEAR(thrice[i], once[4] / 3, 1e-12) << basis;
  }
}

/// x = sin t and nothing else may move: m x'' = -lambda.
class Led final : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 1, .v = 1, .holonomic = 1}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override { return {0, Vector{{0, 1, 0}}}; }
  double end() const override { return 2; }
  void mass(const Placement&, Entries& M) const override { M.write<1>({{{0, 0}}}, {2}); }
  void force(const Placement&, In, In, Out f) const override { f[0] = 0; }
  void g(const Placement& at, Out r) const override { r[0] = at.q[0] - std::sin(at.t); }
  void jacobian(const Placement&, Entries& J) const override { J.write<1>({{{0, 0}}}, {1}); }
  void velocity_bias(const Placement& at, Out w) const override { w[0] = -std::cos(at.t); }
  void bias(const Placement& at, In, Out b) const override { b[0] = std::sin(at.t); }
};

TEST(Maggi, NoFreedomLeftIsAMotionToo) {
  for (const auto& basis : bases) {
    const Vector y = fixed(std::make_shared<Led>(), {basis, "rk4"}, 2, .1).state.y;
    EXPECT_NEAR(y[0], std::sin(2.), 1e-15) << basis;
    EXPECT_NEAR(y[1], std::cos(2.), 1e-15) << basis;
    EXPECT_NEAR(y[2], 2 * std::sin(2.), 1e-15) << basis;
  }
}

TEST(Maggi, LooseTolerancesDoNotLeaveTheChart) {
  // Steps of dop853 are then so long that a basis may turn by a right angle in one of them.
  for (const std::string name : {"pendulum", "spherical-pendulum", "heavy-top"})
    for (const auto& basis : {"maggi-lu", "maggi-qr"})
      for (const double tolerance : {1e-3, 1e-4}) {
        RunOptions options;
        options.end = name == "heavy-top" ? .5 : 10;
        options.tolerance = {1e-12, 1e-12};
        options.request = {"index1", "dop853"};
        const auto problem = make_problem(name);
        const Summary reference = run(problem, options);
        options.tolerance = {tolerance, tolerance};
        options.request = {basis, "dop853"};
        const Summary s = run(problem, options);
        ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
        EXPECT_LT(block_errors(*problem, s.state, s.layout, reference.state).at("q"), 300 * tolerance)
            << name << " " << basis << " at " << tolerance;
      }
}

TEST(Maggi, AStepTooLongForOneBasisIsNamed) {
  RunOptions options;
  options.request = {"maggi-qr", "rk4"};
  options.control = Control::fixed;
  options.step = 2;
  const Summary s = run(make_problem("spherical-pendulum"), options);
  EXPECT_EQ(s.outcome, Outcome::projection_failed);
  EXPECT_NE(s.message.find("farther within one step than one basis reaches"), std::string::npos) << s.message;
}

TEST(Maggi, AllocatesNothingWithSeveralDegreesOfFreedomAndNewCharts) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const std::string name :
       {"spherical-pendulum", "heavy-top", "sleigh", "triple-pendulum", "car-axis", "violin"})
    for (const auto& basis : bases) {
      const auto problem = make_problem(name);
      Statistics statistics;
      const FormulationEntry entry = find_formulation(basis).front();
      const auto formulation = entry.make(*problem, Parameters(entry.options, {}, basis), statistics);
      State original = problem->start(), state = formulation->rewritten().start(), slope = state;
      const auto& ode = as<Ode>(formulation->rewritten());
      formulation->enter(original, state);
      int charts = 0;
      const long before = testing::allocations;
      for (int k = 0; k < 300; ++k) {  // a motion of some kind
        ode.f(state.t, state.y, slope.y);
        state.y += 2e-3 * (name == "heavy-top" ? .1 : 1.) * slope.y;
        state.t += 2e-3 * (name == "heavy-top" ? .1 : 1.);
        if (ode.invariant() != nullptr) ode.invariant()->project(state.t, state.y);
        charts += formulation->renew(state) ? 1 : 0;
        formulation->recover(state, original, Depth::multipliers);
      }
      EXPECT_EQ(testing::allocations - before, 0) << name << " " << basis;
      EXPECT_TRUE(original.y.allFinite()) << name << " " << basis;
      if (name == "spherical-pendulum") {
        EXPECT_GT(charts, 0) << name << " " << basis;
      }
    }
}

TEST(Maggi, RefusesOptionsThatMeanNothing) {
  RunOptions options;
  options.request = {"maggi-lu", "dopri5"};
  options.options = {{"switch", .5}};
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
  options.request = {"maggi-qr", "dopri5"};
  options.options = {{"aligned", 2}};
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
}

TEST(Maggi, EventsAndModesSwitchAsElsewhere) {
  RunOptions options;
  options.tolerance = {1e-9, 1e-9};
  options.request = {"index1", "dopri5"};
  const auto violin = make_problem("violin");
  const Summary reference = run(violin, options);
  for (const std::string basis : {"maggi-lu", "maggi-qr"}) {
    options.request = {basis, "dopri5"};
    const Summary s = run(violin, options);
    ASSERT_EQ(s.events.size(), reference.events.size()) << basis;
    for (std::size_t k = 0; k < s.events.size(); ++k)
      EXPECT_NEAR(s.events[k].t, reference.events[k].t, 1e-6) << basis;
  }
}

// Levers of a thousand metres beside velocities in m/s: with the units as they come, the basis was kept where it reached no farther,
// the motion at 1e-8 was off by 3e-3 (ok), and the work inside of steps was not a number.
TEST(Maggi, LongLeversAreNoReasonForAWornBasis) {
  const Model model = Model::from_text(R"(
space = "spatial"
gravity = [0, 0, -9.81]
[[body]]
name = "b"
mass = 44.2
position = [-988.4735732540328, 177.47555073767677, -517.0674436952642]
inertia = [2651626.2448, 2863756.344384, 2362598.9841168]
orientation = [0.8499004402698315, -0.10487994455631013, -0.23465984026033734, 0.46000456326867545]
spin = [0.10510099444529003, 0.016813610789648097, -0.06422233967530917]
[[joint]]
name = "j"
kind = "point-on-line"
bodies = ["ground", "b"]
at = [-464.90843023396974, 170.02364676397656, -289.32853586099077]
axis = [0.36355459443643506, -0.3483676184005787, 0.8639838304702628]
[[force]]
from = { body = "ground", at = [-224.8457157863169, -306.9618968546552, -159.29547379612143] }
to = { body = "b", at = [-1221.6219578273708, 333.9650604259436, -465.46207451366945] }
kind = "spring"
stiffness = 0.875
length = 1285.162352428355
damping = 3.33
)",
                                       "long-levers.toml");
  RunOptions options;
  options.end = 22.1;
  options.request = {"index1", "dop853"};
  options.tolerance = {1e-11, 1e-11};
  const Summary truth = run(model.mechanism, options);
  ASSERT_EQ(truth.outcome, Outcome::ok) << truth.message;
  options.tolerance = {1e-8, 1e-8};
  for (const std::string formulation : {"maggi-lu", "maggi-qr"}) {
    options.request.formulation = formulation;
    Monitor monitor(options.tolerance);
    const Summary found = run(model.mechanism, options, {&monitor});
    ASSERT_EQ(found.outcome, Outcome::ok) << formulation << ": " << found.message;
    EXPECT_LT(largest(found.state.y.head(13) - truth.state.y.head(13)), 1e-4) << formulation;
    EXPECT_LT(std::abs(monitor.energy()->error()), 1e-2) << formulation;
  }
}

// The contact of a disc that falls nearly flat runs round it within milliseconds: the rates of its rows were differenced over a
// longer time, the turning of the basis was wrong there, and energy came from nowhere (.008 J of 3.9, v off by 4e-2).
TEST(Maggi, FollowsRowsThatTurnWithinMilliseconds) {
  const Model model = Model::from_text(R"toml(
    space = "spatial"
    gravity = [0, 0, -9.81]

    [[body]]
    name = "disc"
    mass = 1
    position = [0, 0, 0.2]
    inertia = [0.01, 0.02, 0.01]
    spin = [2.5, 0.3, 0.02]

    [[joint]]
    name = "road"
    kind = "rolling-disc"
    bodies = ["ground", "disc"]
    at = [0, 0, 0]
    normal = [0, 0, 1]
    axle = [0, 1, 0]
    radius = 0.2
  )toml",
                                       "falling-disc.toml");
  RunOptions options;
  options.end = 0.6;
  options.tolerance = {1e-9, 1e-9};
  options.request = {"ggl", "radau"};
  const Summary truth = run(model.mechanism, options);
  ASSERT_EQ(truth.outcome, Outcome::ok) << truth.message;
  for (const std::string& basis : bases) {
    options.request = {basis, "dopri5"};
    const Summary found = run(model.mechanism, options);
    ASSERT_EQ(found.outcome, Outcome::ok) << basis << ": " << found.message;
    EXPECT_LT(largest(found.state.y.head(13) - truth.state.y.head(13)), 3e-6) << basis;
  }
}

}  // namespace
}  // namespace dalembert
