// Tolerances of blocks and entries, longest steps, and the end of double precision: does a run do what was said?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

RunOptions asked(const PairRequest& request, Tolerance tolerance) {
  RunOptions options;
  options.request = request;
  options.tolerance = std::move(tolerance);
  return options;
}

// One pair of each family, and of each way to rewrite the state.
const std::vector<PairRequest> pairs = {
    {"index1", "dop853"}, {"index1", "dopri5"},        {"index2", "hem5"},
    {"index2", "phem56"}, {"index2", "mexx"},          {"ggl", "radau"},
    {"ggl", "bdf"},       {"ggl", "sdirk4"},           {"ggl", "trapezoid"},
    {"index3", "radau"},  {"maggi-qr", "radau"},       {"maggi-lu", "dopri5"},
    {"cs", "bdf"},        {"srm-baumgarte", "dopri5"}, {"udwadia-kalaba", "dopri5"}};

TEST(Tolerance, EqualOnesByNameGiveTheSameRun) {
  for (const auto& pair : pairs) {
    RunOptions all = asked(pair, {1e-5, 1e-5}), named = all;
    named.tolerance.named = {{"q", 1e-5}, {"v.x'", 1e-5}, {"lambda", 1e-5}};
    all.end = named.end = 0.5;
    const Summary a = run(make_problem("pendulum"), all), b = run(make_problem("pendulum"), named);
    ASSERT_EQ(a.outcome, Outcome::ok) << pair.formulation << " " << pair.method << ": " << a.message;
    EXPECT_EQ(a.statistics.steps, b.statistics.steps) << pair.formulation << " " << pair.method;
    EXPECT_EQ(a.state.y.head(4), b.state.y.head(4)) << pair.formulation << " " << pair.method;
  }
}

TEST(Tolerance, LooseVelocitiesTakeFewerSteps) {
  for (const auto& pair : pairs) {
    if (pair.method == "radau") continue;  // changes its order instead
    RunOptions tight = asked(pair, {1e-6, 1e-6}), loose = tight;
    loose.tolerance.named = {{"v", 1e-2}, {"q", 1e-2}};
    tight.end = loose.end = 2;
    const Summary a = run(make_problem("pendulum"), tight), b = run(make_problem("pendulum"), loose);
    ASSERT_EQ(b.outcome, Outcome::ok) << pair.formulation << " " << pair.method << ": " << b.message;
    EXPECT_LT(b.statistics.steps, a.statistics.steps) << pair.formulation << " " << pair.method;
  }
}

/// A voltage of volts and, apart from it, a current of microamperes that follows its source.
std::shared_ptr<const Problem> circuit() {
  return ode(0, Vector{{1, 0}},
             [](auto t, const auto& y, auto&& dy) {
               using std::cos;
               dy[0] = -y[0];
               dy[1] = 5 * (1e-6 * cos(20 * t) - y[1]);
             },
             {.end = 3, .names = {"u", "i"}, .units = {"V", "A"}});
}
/// |i - truth| at the end, relative to its size.
double error_of_current(const Summary& s) {
  const double t = s.state.t, a = 5, w = 20;
  const double truth =
      1e-6 * a / (a * a + w * w) * (a * std::cos(w * t) + w * std::sin(w * t) - a * std::exp(-a * t));
  return std::abs(s.state.y[1] - truth) / 1e-6;
}

TEST(Tolerance, OfOneEntryHoldsForACircuitOfMixedUnits) {
  for (const PairRequest& pair : {PairRequest{"direct", "dop853"}, PairRequest{"direct", "dopri5"},
                                  PairRequest{"direct", "radau"}, PairRequest{"direct", "bdf"}}) {
    const Summary blind = run(circuit(), asked(pair, {1e-6, 1e-6}));
    const Summary seeing = run(circuit(), asked(pair, {1e-6, 1e-6, {{"y.i", 1e-12}}}));
    ASSERT_EQ(seeing.outcome, Outcome::ok) << pair.method << ": " << seeing.message;
    EXPECT_LT(error_of_current(seeing), 1e-4) << pair.method;
    EXPECT_LT(error_of_current(seeing), error_of_current(blind) / 3) << pair.method;
    EXPECT_LT(blind.statistics.steps, seeing.statistics.steps) << pair.method;
  }
}

TEST(Tolerance, TheLongestNameIsTaken) {
  const Layout layout = Layout()
                            .add("q", 3, Role::differential, 1, {"crank.x", "crank.y", "rod.x"})
                            .add("v", 1, Role::differential, 2, {"crank"});
  const Tolerance t{1e-3, 1, {{"q", 2}, {"q.crank", 3}, {"q.crank.y", 4}}};
  EXPECT_EQ(t.on(layout).entries, (Vector{{3, 4, 2, 1}}));
  EXPECT_EQ(t.times(0.5).on(layout).entries, (Vector{{1.5, 2, 1, 0.5}}));
  EXPECT_EQ(t.least(), 1);
  // Of blocks that are rewritten, the new ones are held to the smallest tolerance of the old ones.
  const Layout rewritten =
      Layout().add("e", 1, Role::differential, 0).add("v", 1, Role::differential, 2, {"crank"});
  EXPECT_EQ(t.carried(layout, rewritten).on(rewritten).entries, (Vector{{2, 1}}));
}

TEST(Tolerance, UnknownNamesAreRefusedWithAProposal) {
  for (const auto& [name, proposal] :
       std::map<std::string, std::string>{{"q.z", "q.x"}, {"lamda", "lambda"}}) {
    try {
      run(make_problem("pendulum"), asked({}, {1e-6, 1e-6, {{name, 1e-3}}}));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(error.sentence().find("did you mean '" + proposal), std::string::npos) << error.sentence();
    }
  }
  EXPECT_THROW(run(make_problem("pendulum"), asked({}, {1e-6, 1e-6, {{"q", 0.}}})), Error);
}

/// 1 around t = 5, and nothing else.
std::shared_ptr<const Problem> pulse() {
  return ode(0, Vector{{0}},
             [](auto t, const auto&, auto&& dy) {
               using std::exp;
               dy[0] = exp(-1e6 * (t - 5) * (t - 5));
             },
             {.end = 10});
}

struct Longest final : Observer {
  double h = 0;
  void step(const StepView& step) override { h = std::max(h, step.end() - step.begin()); }
};

TEST(MaxStep, SeesWhatLongStepsJumpOver) {
  for (const char* method : {"dop853", "radau", "bdf"}) {
    RunOptions options = asked({"direct", method}, {1e-8, 1e-8});
    options.max_step = 0.002;
    Longest longest;
    const Summary s = run(pulse(), options, {&longest});
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_NEAR(s.state.y[0], std::sqrt(M_PI) / 1000, 1e-7) << method;
    EXPECT_LE(longest.h, 0.002 * (1 + 1e-12)) << method;
  }
}

TEST(MaxStep, IsRefusedWhereItCannotBe) {
  RunOptions options;
  options.max_step = 0;
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
  options.max_step = 0.01;
  options.step = 0.1;
  options.control = Control::fixed;
  EXPECT_THROW(run(make_problem("pendulum"), options), Error);
}

TEST(Tolerance, WhatDoublePrecisionDoesNotAllowIsSaid) {
  const auto warned = [](const PairRequest& pair, double tolerance) {
    RunOptions options = asked(pair, {tolerance, tolerance});
    options.end = 0.1;
    const Summary s = run(make_problem("pendulum"), options);
    EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
    for (const auto& warning : s.warnings)
      if (warning.find("limit of double precision") != std::string::npos) return true;
    return false;
  };
  for (const PairRequest& pair : {PairRequest{"ggl", "sdirk4"}, PairRequest{"ggl", "bdf"}}) {
    EXPECT_FALSE(warned(pair, 1e-8)) << pair.method;
    EXPECT_TRUE(warned(pair, 1e-11)) << pair.method;
  }
  EXPECT_FALSE(warned({"index1", "dop853"}, 1e-12));
  EXPECT_TRUE(warned({"index1", "dopri5"}, 1e-13));
  EXPECT_THROW(run(make_problem("pendulum"), asked({}, {1e-15, 1e-15})), Error);
}

}  // namespace
}  // namespace dalembert
