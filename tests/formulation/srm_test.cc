// Sequential regularization: each iterate gains a power of eps, every method serves, and what is missing is said.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/force_directions.h"
#include "tests/support/bound_formulation.h"

namespace dalembert {
namespace {

using namespace testing;

Summary solve(const std::string& problem, const std::string& formulation, const std::string& method,
              const Options& options, double end, std::optional<double> step = {},
              Tolerance tolerance = {1e-6, 1e-6}) {
  RunOptions o;
  o.request = {formulation, method};
  o.options = options;
  o.end = end;
  o.step = step;
  o.tolerance = tolerance;
  if (step) o.control = Control::fixed;
  return run(make_problem(problem), o);
}

TEST(Srm, IsTakenOnlyByName) {
  for (const std::string name : {"ascher-lin-6-1", "pendulum"}) {
    const auto problem = make_problem(name);
    for (const Pair& pair : feasible_pairs(*problem)) EXPECT_FALSE(pair.formulation->approximate);
    EXPECT_FALSE(approximate_pairs(*problem).empty());
    EXPECT_FALSE(choose_pair(*problem, {"", "heun"}, {}).pair.formulation->approximate);
    EXPECT_EQ(choose_pair(*problem, {"srm", ""}, {}).pair.formulation->name, "srm");
  }
}

/// Every method of the registry as the inner one. Three iterates leave (C eps)^3; C goes with the rates of the motion, of
/// which the heavy top's, 150 rad/s, is the fastest.
double eps_for(const std::string& problem) {
  return problem == "heavy-top" ? 5e-5 : problem == "motor-pendulum" ? 1e-3 : 2e-3;
}

class EveryMethod : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, SolvesIt) {
  const std::string& name = GetParam();
  const auto problem = make_problem(name);
  RunOptions exact;
  exact.tolerance = {1e-10, 1e-10};
  exact.end = name == "heavy-top" ? 0.05 : 0.2;
  const Summary reference = run(problem, exact);
  ASSERT_EQ(reference.outcome, Outcome::ok);
  int tried = 0;
  for (const Pair& pair : approximate_pairs(*problem)) {
    // Rotations, velocity-level rows, first-order states and driven rows ask for every variant, not for every method.
    if (name != "pendulum" && name != "ascher-lin-6-1" && pair.method->name != "dopri5" &&
        pair.method->name != "radau5")
      continue;
    std::optional<double> step;
    if (!adapts(pair, *problem)) step = pair.method->order(pair.formulation->to) < 2 ? 1e-4 : 4e-4;
    const Summary s = solve(name, pair.formulation->name, pair.method->name, {{"eps", eps_for(name)}},
                            exact.end.value(), step);
    const std::string who = name + " " + pair.formulation->name + " " + pair.method->name;
    ASSERT_EQ(s.outcome, Outcome::ok) << who << ": " << s.message;
    const double order = pair.method->order(pair.formulation->to);
    for (const auto& [block, error] : block_errors(*problem, s.state, s.layout, reference.state)) {
      const bool multiplier = block == "lambda" || block == "mu" || block == "y";
      EXPECT_LT(error, (order < 2 ? 1e-3 : 5e-5) * (multiplier ? 100 : 1)) << who << " " << block;
    }
    ++tried;
  }
  EXPECT_GE(tried, 4);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod,
                         ::testing::Values("pendulum", "ascher-lin-6-1", "manufactured", "heavy-top",
                                           "sleigh", "motor-pendulum"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

TEST(Srm, TakesAsManyIteratesAsTheToleranceAsksFor) {
  std::int64_t last = 0;
  for (const double tolerance : {1e-3, 1e-4, 1e-6}) {
    const Summary s = solve("ascher-lin-6-1", "srm", "rk4", {{"eps", 2e-3}, {"iterates", 0}}, 1, 4e-4,
                            {tolerance, tolerance});
    EXPECT_TRUE(s.warnings.empty()) << s.warnings.front();
    EXPECT_LT(s.error.at("x"), tolerance);
    EXPECT_GT(s.statistics.force_evaluations, last);
    last = s.statistics.force_evaluations;
  }
}

TEST(Srm, SaysWhatTheLastIterateStillChanged) {
  const auto one = solve("ascher-lin-6-1", "srm", "heun", {{"iterates", 1}}, 1, 1e-3);
  ASSERT_EQ(one.warnings.size(), 1u);
  EXPECT_NE(one.warnings[0].find("one iterate"), std::string::npos);
  const auto two = solve("ascher-lin-6-1", "srm", "heun", {{"iterates", 2}}, 1, 1e-3);
  ASSERT_EQ(two.warnings.size(), 1u);
  EXPECT_NE(two.warnings[0].find("x.x"), std::string::npos) << two.warnings[0];
  EXPECT_TRUE(solve("ascher-lin-6-1", "srm", "heun", {{"iterates", 4}}, 1, 1e-3).warnings.empty());
}

/// Largest error of x in a run.
class Largest final : public Observer {
 public:
  Largest(double from, double to) : from_(from), to_(to) {}
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    if (view.end() < from_ - 1e-9 || view.end() > to_ + 1e-9) return;
    const State& ours = view.at(view.end(), Depth::coordinates);
    error = std::max(error, largest((ours.y - problem_->exact(view.end())->y).head(2)));
  }
  double error = 0;

 private:
  double from_, to_;
  const Problem* problem_ = nullptr;
};

double error_between(double from, double to, const std::string& problem, const std::string& formulation,
                     const Options& options, double h) {
  RunOptions o;
  o.request = {formulation, "heun"};
  o.options = options;
  o.control = Control::fixed;
  o.step = h;
  o.end = to;
  Largest watch(from, to);
  const Summary s = run(make_problem(problem), o, {&watch});
  EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  return watch.error;
}

TEST(Srm, AGoodStartLeavesNoLayer) {
  const Options bad = {{"eps", 5e-3}, {"iterates", 1}, {"E", 0}, {"good-start", 0}};
  Options good = bad;
  good["good-start"] = 1;
  EXPECT_NEAR(error_between(.005, .005, "ascher-lin-6-1", "srm", bad, 1e-3), 3.1e-3, .1e-3);
  EXPECT_NEAR(error_between(.005, .005, "ascher-lin-6-1", "srm", good, 1e-3), 9e-6, 1e-6);
}

TEST(Srm, PassesASingularityWhereTheMultiplierIsUnbounded) {
  // h = eps = 1e-3, so that no mesh point meets pi/2: f itself is 0/0 there.
  const auto error = [](double from, double to, double iterates) {
    return error_between(from, to, "ascher-lin-3-1", "srm-singular",
                         {{"eps", 1e-3}, {"iterates", iterates}, {"good-start", 0}}, 1e-3);
  };
  EXPECT_NEAR(error(.5, 1.5, 1), 5e-4, .1e-4);  // before it, as known from an independent program
  EXPECT_NEAR(error(.5, 1.5, 4), 1e-10, .3e-10);
  double last = 1;
  for (const double s : {1., 2., 3., 4.}) {  // after it
    const double now = error(1.65, 2.5, s);
    EXPECT_LT(now, last) << s;
    last = now;
  }
  EXPECT_LT(last, 5e-5);
}

std::vector<std::complex<double>> spectrum(const std::string& problem, const std::string& formulation,
                                           const Options& options) {
  const auto p = make_problem(problem);
  Statistics unused;
  const FormulationEntry& f = edge(formulation, *p, Kind::ode);
  return f.make(*p, Parameters(f.options, options, ""), unused)->added_spectrum();
}

TEST(Srm, KnowsTheEigenvaluesItAdds) {
  // Example 6.4 at the start: M = [8 5/2; 5/2 1], G = (2 1), so G M^-1 G' = 8/7.
  for (const auto& [E, mu] : {std::pair{0, 8. / 7}, {1, 64. / 49}, {2, 1.}}) {
    const auto all = spectrum("ascher-lin-6-4", "srm", {{"eps", 5e-3}, {"E", E}});
    ASSERT_EQ(all.size(), 2u);
    for (const auto& value : all) EXPECT_NEAR(std::abs(value + mu / 5e-3), 0, 1e-9);
  }
  // alpha1 = 1 adds what Baumgarte's method does: t^2 + 2 t + 1 = 0 as eps vanishes.
  for (const auto& value : spectrum("ascher-lin-6-4", "srm-baumgarte", {{"eps", 1e-10}}))
    EXPECT_NEAR(std::abs(value + 1.), 0, 2e-5);
  const auto index2 = spectrum("ascher-lin-6-1", "srm", {{"eps", 1e-2}, {"alpha1", 1}});
  ASSERT_EQ(index2.size(), 1u);
  EXPECT_NEAR(index2[0].real(), -1 / (1 + 1e-2), 1e-12);
}

TEST(Srm, RefusesWhatItCannotDo) {
  EXPECT_THROW(solve("exact-index2", "srm", "heun", {}, 1, 1e-3), Error);  // nonlinear in z
  EXPECT_THROW(solve("exact-index2", "srm-singular", "heun", {}, 1, 1e-3), Error);
  EXPECT_THROW(solve("pendulum", "srm", "heun", {{"eps", 0}}, 1, 1e-3), Error);
  EXPECT_THROW(solve("pendulum", "srm", "heun", {{"E", 3}}, 1, 1e-3), Error);
  EXPECT_THROW(solve("pendulum", "srm-baumgarte", "heun", {{"alpha2", 0}}, 1, 1e-3), Error);
}

TEST(Srm, BaumgarteCombinationAsKnownFromAnIndependentProgram) {
  // Example 6.4, E = I, h = 1e-3: position drift at t = 1 without second derivatives, error of q with them.
  const auto problem = make_problem("ascher-lin-6-4");
  const double known[] = {2.5e-3, 1.2e-7, 9e-8};
  for (int s = 1; s <= 3; ++s) {
    const Summary run = solve("ascher-lin-6-4", "srm-baumgarte", "heun",
                              {{"eps", 5e-3},
                               {"iterates", s},
                               {"E", 0},
                               {"alpha1", 0},
                               {"alpha2", 1},
                               {"alpha3", 1},
                               {"good-start", 0}},
                              1, 1e-3);
    const double drift = std::abs(std::sin(run.state.y[0]) + std::sin(run.state.y[0] + run.state.y[1]));
    EXPECT_NEAR(drift, known[s - 1], .06 * known[s - 1]) << s;
  }
  const Summary full = solve(
      "ascher-lin-6-4", "srm-baumgarte", "heun",
      {{"eps", 1e-8}, {"iterates", 1}, {"E", 0}, {"alpha2", 1}, {"alpha3", 1}, {"good-start", 0}}, 1, 1e-3);
  EXPECT_NEAR(largest((full.state.y - problem->exact(1)->y).head(2)), 3.0e-7, .1e-7);
}

/// Example 6.4 with its constraint force turned away from the gradient, and the force that keeps the motion as it was.
class Turned final : public Mechanical, public ForceDirections {
 public:
  Turned() : problem_(make_problem("ascher-lin-6-4")), robot_(dynamic_cast<const Mechanical&>(*problem_)) {}
  Sizes sizes() const override { return robot_.sizes(); }
  Layout layout() const override { return robot_.layout(); }
  State start() const override { return robot_.start(); }
  double end() const override { return robot_.end(); }
  std::optional<State> exact(double t) const override { return robot_.exact(t); }
  void mass(const Placement& at, Entries& M) const override { robot_.mass(at, M); }
  void force(const Placement& at, In v, In s, Out f) const override {
    robot_.force(at, v, s, f);
    f += std::cos(at.t) * turn(at);
  }
  void g(const Placement& at, Out r) const override { robot_.g(at, r); }
  void jacobian(const Placement& at, Entries& J) const override { robot_.jacobian(at, J); }
  void bias(const Placement& at, In v, Out b) const override { robot_.bias(at, v, b); }
  void directions(const Placement& at, Entries& W) const override {
    Entries J;
    robot_.jacobian(at, J);
    const Eigen::Vector2d more = turn(at);
    W.write<2>({{{0, 0}, {0, 1}}}, {J.value(0) + more[0], J.value(1) + more[1]});
  }

 private:
  static Eigen::Vector2d turn(const Placement& at) { return {.3, .2 + .1 * std::sin(at.q[0])}; }
  std::shared_ptr<const Problem> problem_;
  const Mechanical& robot_;
};

TEST(Srm, TakesConstraintForcesOfAnyDirection) {
  const auto turned = std::make_shared<const Turned>();
  const auto error = [&](const std::string& formulation, const Options& options) {
    RunOptions o;
    o.request = {formulation, "rk4"};
    o.options = options;
    o.control = Control::fixed;
    o.step = 5e-4;
    const Summary s = run(turned, o);
    EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
    return std::max({s.error.at("q"), s.error.at("v"), .01 * s.error.at("lambda")});
  };
  for (const double E : {0., 1., 2.}) {
    EXPECT_LT(error("srm", {{"E", E}, {"eps", 2e-3}}), 2e-6) << E;
    EXPECT_LT(error("srm-invariant", {{"E", E}, {"eps", 2e-3}}), 1e-9) << E;
    EXPECT_LT(error("srm-baumgarte", {{"E", E}, {"eps", 1e-4}}), 1e-9) << E;
  }
  EXPECT_LT(error("index1", {}), 1e-9);
  EXPECT_LT(error("baumgarte", {}), 1e-9);
  for (const std::string formulation : {"ggl", "index3", "srm-singular"})
    EXPECT_THROW(choose_pair(*turned, {formulation, "radau5"}, {}), Error) << formulation;
}

TEST(BaumgarteIndex2, HasTheOrderOfItsMethodAndHoldsTheConstraint) {
  double last = 0, slope = 0;
  for (const double steps : {100., 200., 400.}) {
    const Summary s = solve("exact-index2", "baumgarte", "rk4", {}, 1, 1 / steps);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    slope = std::log2(last / s.error.at("y"));
    last = s.error.at("y");
    EXPECT_LT(s.error.at("z"), 100 * last);
  }
  EXPECT_NEAR(slope, 4, .2);
}

}  // namespace
}  // namespace dalembert
