// Stabilised forms: errors of the constraints decay as the theory says, steps keep their order, and steps too long
// for what a formulation adds are seen.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/spectrum.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/method/stability.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

using Options = std::map<std::string, double>;

std::unique_ptr<Formulation> formulate(const Problem& problem, const std::string& name,
                                       const Options& options, Statistics& statistics) {
  for (const auto& entry : find_formulation(name))
    if (entry.from == Kind::mechanical && entry.to == Kind::ode)
      return entry.make(problem, Parameters(entry.options, options, name), statistics);
  throw Error("no such edge");
}

/// h = (g; J v + w) at (q, v).
Vector residual(const Mechanical& p, double t, const Vector& z) {
  const auto n = p.sizes();
  const MechanicalState part(n);
  const auto at = p.placed_at(t, part.q(z));
  Entries J;
  p.jacobian(*at, J);
  Vector h = Vector::Zero(n.holonomic + n.rows());
  p.g(*at, h.head(n.holonomic));
  p.velocity_bias(*at, h.tail(n.rows()));
  J.multiply(part.v(z), 1, h.tail(n.rows()));
  return h;
}

/// A state some way off the constraints, with velocities.
State displaced(const Mechanical& p) {
  const MechanicalState part(p.sizes());
  State state = p.start();
  make_consistent(p, state);
  const auto at = p.placed_at(state);
  Vector u(p.sizes().v), q(p.sizes().q);
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = 0.02 * std::sin(1 + 2.0 * static_cast<double>(i));
  p.advance(*at, u, q);
  part.q(state.y) = q;
  for (Eigen::Index i = 0; i < u.size(); ++i)
    part.v(state.y)[i] += 0.3 * std::cos(1 + 3.0 * static_cast<double>(i));
  return state;
}

const std::vector<std::string> every_kind_of_row = {"pendulum",     "triple-pendulum", "heavy-top", "sleigh",
                                                    "manufactured", "motor-pendulum",  "skate"};

TEST(InvariantStabilisation, ErrorsDecayAtRateGammaForEveryD) {
  constexpr double gamma = 7;
  for (const auto& name : every_kind_of_row)
    for (const double D : {0, 1, 2}) {
      const auto problem = make_problem(name);
      const auto& p = as<Mechanical>(*problem);
      Statistics statistics;
      const auto form = formulate(p, "invariant", {{"gamma", gamma}, {"D", D}}, statistics);
      const auto& ode = as<Ode>(form->rewritten());
      const State state = displaced(p);
      const Vector z = state.y.head(ode.layout().size());
      Vector dz(z.size());
      ode.f(state.t, z, dz);
      const double e = 1e-5 / (1 + largest(dz));
      const Vector rate =
          (residual(p, state.t + e, z + e * dz) - residual(p, state.t - e, z - e * dz)) / (2 * e);
      const Vector h = residual(p, state.t, z);
      const Eigen::Index nh = p.sizes().holonomic;
      Vector expected = -gamma * h;
      expected.head(nh) += h.segment(nh, nh);
      EXPECT_GT(largest(h), 1e-3) << name;
      EXPECT_LT(largest(rate - expected), 1e-7 * (1 + largest(dz))) << name << " D=" << D;
    }
}

TEST(InvariantStabilisation, SpectrumOfEveryChoiceIsWhatLinearisationFinds) {
  for (const auto& name : {"triple-pendulum", "manufactured", "sleigh"})
    for (const double D : {0, 1, 2})
      for (const double E : {0, 1, 2, 3}) {
        const auto problem = make_problem(name);
        Statistics statistics;
        const auto form = formulate(*problem, "invariant", {{"gamma", 3}, {"D", D}, {"E", E}}, statistics);
        State start = problem->start();
        ASSERT_EQ(make_consistent(*problem, start).outcome, Outcome::ok);
        const Spectrum s = spectrum_at(*form, start);
        ASSERT_EQ(s.found.size(), s.theory.size());
        for (std::size_t i = 0; i < s.found.size(); ++i)  // double roots: square roots of the differences
          EXPECT_LT(std::abs(s.found[i] - s.theory[i]), 2e-3 * (1 + std::abs(s.theory[i])))
              << name << " D=" << D << " E=" << E << " " << s.found[i] << " for " << s.theory[i];
      }
}

TEST(InvariantStabilisation, NothingAllocatesWhateverTheChoice) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "the sanitizer owns malloc";
  for (const auto& name : {"pendulum", "manufactured"})
    for (const double D : {0, 1, 2})
      for (const double E : {0, 1, 2, 3}) {
        const auto problem = make_problem(name);
        Statistics statistics;
        const auto form = formulate(*problem, "invariant", {{"D", D}, {"E", E}}, statistics);
        const auto& ode = as<Ode>(form->rewritten());
        const State start = ode.start();
        Vector dz(start.y.size());
        const long before = testing::allocations;
        for (int k = 0; k < 3; ++k) ode.f(start.t, start.y, dz);
        EXPECT_EQ(testing::allocations - before, 0) << name << " D=" << D << " E=" << E;
      }
}

/// The largest residuals at the steps of a run.
struct Drift final : Observer {
  void begin(const Problem& p, const State&) override { problem = &as<Mechanical>(p); }
  void step(const StepView& view) override {
    const State& s = view.at(view.end(), Depth::coordinates);
    const Vector h = residual(*problem, s.t, s.y.head(MechanicalState(problem->sizes()).differential()));
    const Eigen::Index nh = problem->sizes().holonomic;
    position = std::max(position, largest(h.head(nh)));
    velocity = std::max(velocity, largest(h.tail(h.size() - nh)));
  }
  const Mechanical* problem = nullptr;
  double position = 0, velocity = 0;
};

struct Drifts {
  double position, velocity;
};
Drifts drifts(const std::string& problem, const std::string& formulation, const Options& options,
              const std::string& method, double h, double end) {
  RunOptions o;
  o.request = {formulation, method};
  o.control = Control::fixed;
  o.step = h;
  o.end = end;
  o.options = options;
  Drift drift;
  const Summary s = run(make_problem(problem), o, {&drift});
  EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  return {drift.position, drift.velocity};
}

TEST(PostStabilisation, OneCorrectionSquaresPositionsTwoSquareBoth) {
  struct Method {
    const char* name;
    double h, p;
  };
  for (const auto& [method, h, p] : {Method{"euler", 1. / 512, 1}, Method{"heun", 1. / 32, 2}}) {
    const auto slope = [](double a, double b) { return std::log2(a / b); };
    const Drifts once = drifts("triple-pendulum", "post-stabilised", {{"rounds", 1}}, method, h, 1);
    const Drifts finer = drifts("triple-pendulum", "post-stabilised", {{"rounds", 1}}, method, h / 2, 1);
    // The errors of one step, O(h^(p+1)), are all there is to correct.
    EXPECT_NEAR(slope(once.position, finer.position), 2 * (p + 1), .5) << method;
    EXPECT_NEAR(slope(once.velocity, finer.velocity), p + 1, .5) << method;
    const Drifts twice = drifts("triple-pendulum", "post-stabilised", {}, method, h, 1);
    const Drifts finest = drifts("triple-pendulum", "post-stabilised", {}, method, h / 2, 1);
    EXPECT_NEAR(slope(twice.velocity, finest.velocity), 2 * (p + 1), .6) << method;
    EXPECT_LT(twice.position, once.position * once.position * 10) << method;
    const Drifts none = drifts("triple-pendulum", "baumgarte", {{"alpha", 0}, {"beta", 0}}, method, h, 1);
    EXPECT_GT(none.position, 10 * once.position) << method;
    EXPECT_GT(none.velocity, 3 * once.velocity) << method;
  }
}

TEST(Baumgarte, WithRateOneOverHLosesOrders) {
  const auto errors = [](double h) {
    RunOptions o;
    o.request = {"baumgarte", "rk4"};
    o.control = Control::fixed;
    o.step = h;
    o.end = 10;
    o.options = {{"alpha", 1 / h}, {"beta", 1 / h}};
    struct Worst final : Observer {
      void begin(const Problem& p, const State&) override { problem = &p; }
      void step(const StepView& view) override {
        if (view.end() < 1) return;
        const State& ours = view.at(view.end(), Depth::multipliers);
        const Vector d = ours.y - problem->exact(view.end())->y;
        q = std::max(q, largest(d.head(2)));
        v = std::max(v, largest(d.segment(2, 2)));
        lambda = std::max(lambda, std::abs(d[4]));
      }
      const Problem* problem = nullptr;
      double q = 0, v = 0, lambda = 0;
    } worst;
    const Summary s = run(make_problem("pendulum", {{"g", 9.81}}), o, {&worst});
    EXPECT_EQ(s.outcome, Outcome::ok);
    EXPECT_TRUE(s.warnings.empty()) << s.warnings[0];  // h alpha = 1 is inside the region of rk4
    return std::array{worst.q, worst.v, worst.lambda};
  };
  const auto coarse = errors(.0025), fine = errors(.00125);
  EXPECT_NEAR(coarse[0], 4.5e-5, 2.2e-5);
  EXPECT_NEAR(coarse[2], 8.7e-4, 4.3e-4);
  EXPECT_NEAR(std::log2(coarse[0] / fine[0]), 2, .25);
  EXPECT_NEAR(std::log2(coarse[1] / fine[1]), 1, .25);
  EXPECT_NEAR(std::log2(coarse[2] / fine[2]), 2, .25);
}

TEST(Spectrum, OfAHangingPendulumIsPhysicsAndFeedback) {
  const auto problem = make_problem("pendulum", {{"g", 9.81}});
  State hanging = problem->start();
  hanging.y << 0, -1, 0, 0, 9.81;
  Statistics statistics;
  const auto form = formulate(*problem, "baumgarte", {{"alpha", 20}, {"beta", 12}}, statistics);
  const Spectrum s = spectrum_at(*form, hanging);
  EXPECT_EQ(s.base, Linearisation::Base::equilibrium);
  ASSERT_EQ(s.motion.size(), 2u);
  EXPECT_LT(std::abs(s.motion[0] - std::complex<double>(0, -std::sqrt(9.81))), 1e-12);
  ASSERT_EQ(s.found.size(), 2u);
  EXPECT_LT(std::abs(s.found[0] + 4.), 1e-5);
  EXPECT_LT(std::abs(s.found[1] + 36.), 1e-5);
}

TEST(Spectrum, OfConstraintErrorsHoldsAnywhereOnTheMotion) {
  for (const auto& name : every_kind_of_row) {
    const auto problem = make_problem(name);
    const auto& p = as<Mechanical>(*problem);
    State state = displaced(p);
    ASSERT_EQ(make_consistent(p, state).outcome, Outcome::ok) << name;
    Statistics statistics;
    for (const auto& [formulation, options, tolerance] :
         {std::tuple{"baumgarte", Options{{"alpha", 3}, {"beta", 2}}, 1e-4},
          std::tuple{"baumgarte", Options{{"alpha", 2}, {"beta", 5}}, 1e-4},
          std::tuple{"baumgarte", Options{{"alpha", 4}, {"beta", 4}}, 2e-2},  // double: the root of the error
          std::tuple{"index1", Options{}, 2e-2}}) {
      const Spectrum s = spectrum_at(*formulate(p, formulation, options, statistics), state);
      ASSERT_EQ(s.found.size(), s.theory.size());
      for (std::size_t i = 0; i < s.found.size(); ++i)
        EXPECT_LT(std::abs(s.found[i] - s.theory[i]), tolerance)
            << name << " " << formulation << ": " << s.found[i] << " for " << s.theory[i];
    }
  }
}

LinearStability stability(const std::string& method) {
  const MethodEntry& entry = find_method(method);
  return {entry, Parameters(entry.options, {}, method)};
}

TEST(LinearStability, KnowsTheIntervalsOfTheClassics) {
  EXPECT_NEAR(stability("euler").reach(-1.).value(), 2, 1e-6);
  EXPECT_NEAR(stability("heun").reach(-1.).value(), 2, 1e-6);
  EXPECT_NEAR(stability("rk4").reach(-1.).value(), 2.785293563405, 1e-6);
  EXPECT_NEAR(stability("rk4").reach({0, 1}).value(), 2 * std::sqrt(2), 1e-6);
  EXPECT_NEAR(stability("dopri5").reach(-1.).value(), 3.3066, 1e-3);
  EXPECT_LT(stability("heun").reach({0, 1}).value(), .02);
  for (const std::complex<double> z : {std::complex<double>(-1, 2), {-.3, 0}, {-20, 5}}) {
    EXPECT_NEAR(stability("implicit-euler").amplification(z).value(), std::abs(1. / (1. - z)), 1e-9);
    EXPECT_NEAR(stability("trapezoid").amplification(z).value(), std::abs((2. + z) / (2. - z)), 1e-9);
    EXPECT_NEAR(stability("radau3").amplification(z).value(),
                std::abs((1. + z / 3.) / (1. - 2. * z / 3. + z * z / 6.)), 1e-9);
    EXPECT_LT(stability("bdf2").amplification(z).value(), 1);
  }
  EXPECT_FALSE(stability("radau5").reach(-1.).has_value());
}

Summary pendulum_run(const std::string& formulation, const Options& options, const std::string& method,
                     std::optional<double> h, double end, double rtol = 1e-6) {
  RunOptions o;
  o.tolerance = {rtol, rtol};
  o.request = {formulation, method};
  if (h) o.control = Control::fixed;
  o.step = h;
  o.end = end;
  o.options = options;
  return run(make_problem("pendulum"), o);
}

TEST(StepWarning, NamesEigenvalueIntervalAndRemedy) {
  // h alpha = 2.9 is just outside the -2.785 of rk4; ten steps of growth 1.19.
  const Summary s = pendulum_run("baumgarte", {{"alpha", 290}, {"beta", 290}}, "rk4", .01, .1);
  ASSERT_GE(s.warnings.size(), 1u);  // the witness may have seen the growth as well
  for (const char* part : {"baumgarte", "-290", "-2.9", "-2.78529", "0.0096044", "278.529", "1.18"})
    EXPECT_NE(s.warnings[0].find(part), std::string::npos) << part << ": " << s.warnings[0];
  // Within the region the feedback does not grow; that the motion is none at such steps is for the witness to say.
  for (const std::string& warning :
       pendulum_run("baumgarte", {{"alpha", 270}, {"beta", 270}}, "rk4", .01, 1).warnings)
    EXPECT_EQ(warning.find("-2.78529"), std::string::npos) << warning;
  EXPECT_TRUE(pendulum_run("index1", {}, "rk4", .01, 1).warnings.empty());
  EXPECT_EQ(pendulum_run("invariant", {{"gamma", 290}}, "rk4", .01, .1).warnings.size(), 1u);
}

TEST(StepWarning, AWorthlessRunIsRefused) {
  try {
    pendulum_run("baumgarte", {{"alpha", 500}, {"beta", 500}}, "rk4", .01, 10);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(error.sentence().find("at most 0.0055"), std::string::npos) << error.sentence();
  }
}

TEST(StepWarning, UnderStepControlTheLimitIsSeenAfterwards) {
  const Summary tight = pendulum_run("baumgarte", {{"alpha", 400}, {"beta", 400}}, "dop853", {}, 10, 1e-4);
  ASSERT_EQ(tight.warnings.size(), 1u);
  EXPECT_NE(tight.warnings[0].find("limit the step"), std::string::npos) << tight.warnings[0];
  EXPECT_TRUE(pendulum_run("baumgarte", {}, "dopri5", {}, 10).warnings.empty());
}

// The same pendulum in space with masses of 1 and 1e6 kg moves alike; the heavy one ended as step_too_small.
TEST(FuehrerLeimkuhler, HeavyThingsMoveAsLightOnesDo) {
  const auto pendulum = [](double mass) {
    auto m = std::make_shared<SpatialMechanism>();
    const auto b = m->body({.name = "b",
                            .mass = mass,
                            .inertia = Eigen::Vector3d(.1 * mass, .2 * mass, .15 * mass).asDiagonal(),
                            .position = {1, 0, 0},
                            .spin = {.3, .2, .1}});
    m->spherical("h", Mechanism::ground, b, {0, 0, 0});
    return m;
  };
  for (const char* method : {"radau", "bdf"}) {
    RunOptions options;
    options.request = {"fuehrer-leimkuhler", method};
    options.tolerance = {1e-8, 1e-8};
    options.end = 2;
    const Summary light = run(pendulum(1), options), heavy = run(pendulum(1e6), options);
    ASSERT_EQ(light.outcome, Outcome::ok) << light.message;
    ASSERT_EQ(heavy.outcome, Outcome::ok) << method << ": " << heavy.message;
    EXPECT_LE(largest(heavy.state.y.head(13) - light.state.y.head(13)), 3e-6) << method;
    EXPECT_LE(heavy.statistics.steps, 2 * light.statistics.steps) << method;
  }
}

}  // namespace
}  // namespace dalembert
