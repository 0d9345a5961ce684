// Is a run that was prepared once the same run when it is made again, from other starts and with other parameters?
#include "dalembert/control/solver.h"

#include <gtest/gtest.h>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"
#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

void expect_same(const Summary& one, const Summary& other, const std::string& what) {
  EXPECT_EQ(one.outcome, other.outcome) << what << ": " << one.message << " / " << other.message;
  EXPECT_EQ(one.message, other.message) << what;
  EXPECT_EQ(one.state.t, other.state.t) << what;
  ASSERT_EQ(one.state.y.size(), other.state.y.size()) << what;
  for (Eigen::Index i = 0; i < one.state.y.size(); ++i)
    EXPECT_TRUE(one.state.y[i] == other.state.y[i] ||
                (std::isnan(one.state.y[i]) && std::isnan(other.state.y[i])))
        << what << ": " << one.layout.label(i) << " " << one.state.y[i] << " " << other.state.y[i];
  const auto counts = [](const Summary& summary) {
    std::vector<std::int64_t> all;
    summary.statistics.each([&](auto, std::int64_t count, auto) { all.push_back(count); });
    return all;
  };
  EXPECT_EQ(counts(one), counts(other)) << what;
  EXPECT_EQ(one.events.size(), other.events.size()) << what;
}

/// What cannot forget a run, and is made anew.
bool forgets(const Pair& pair) {
  return pair.method->name != "window-iteration";
}

/// Of those that approximate, which are slow, each with two methods. Of a partitioned problem those that take it in fields:
/// in one piece it is a mechanical one.
std::vector<Pair> all_pairs(const Problem& problem) {
  std::vector<Pair> all = feasible_pairs(problem);
  for (const Pair& pair : approximate_pairs(problem))
    if (problem.layout().size() < 6 && (pair.method->name == "dopri5" || pair.method->name == "sdirk3"))
      all.push_back(pair);
  std::erase_if(all, [&](const Pair& pair) { return pair.formulation->from != problem.kind(); });
  return all;
}

TEST(Solver, EveryPairMakesTheSameRunAgain) {
  for (const char* name : {"pendulum", "andrews", "heavy-top", "sleigh", "transistor-amplifier", "bricard",
                           "ascher-lin-6-1", "coupled-linear"}) {
    const auto problem = make_problem(name);
    const double begin = problem->start().t, span = problem->end() - begin;
    for (const Pair& pair : all_pairs(*problem)) {
      RunOptions options{.request = {pair.formulation->name, pair.method->name}, .tolerance = {1e-4, 1e-4}};
      options.end = begin + span / (std::string(name) == "heavy-top" ? 50 : 20);
      if (!adapts(pair, *problem)) options.step = span / 2000;
      if (pair.formulation->approximate) options.options = {{"eps", .1}};  // not too stiff for that step
      const std::string what = std::string(name) + " " + pair.formulation->name + " " + pair.method->name;
      Solver solver(problem, options);
      const Summary first = solver.run();
      expect_same(first, run(problem, options), what + ", once");
      const State start = problem->start();
      solver.run({{problem->layout().label(0), start.y[0] + .01}});  // another one, however it ends
      expect_same(first, solver.run(), what + ", again");
      const bool in_one_piece = std::string(name) != "bricard";  // whose rows are chosen for each run
      if (in_one_piece) {
        EXPECT_EQ(solver.preparations(), forgets(pair) ? 1 : 3) << what;
      }
    }
  }
}

TEST(Solver, OtherStartsAreThoseOfAFreshRun) {
  const auto problem = make_problem("pendulum");
  for (const char* method : {"dop853", "hem5", "radau", "bdf"}) {
    RunOptions options{.request = {"", method}, .tolerance = {1e-8, 1e-8}};
    Solver solver(problem, options);
    solver.run();
    for (const double y : {-.2, .1, .3}) {
      options.start = {{"q.x", std::sqrt(1 - y * y)}, {"q.y", y}};
      const Summary fresh = run(problem, options), again = solver.run(options.start);
      expect_same(fresh, again, std::string(method) + " " + std::to_string(y));
      EXPECT_GT(largest(fresh.state.y - solver.run().state.y), 1e-2);
    }
    EXPECT_EQ(solver.preparations(), 1);
  }
}

TEST(Solver, OtherParametersAreThoseOfAFreshRun) {
  const ProblemFamily family = [](const Values& p) { return make_problem("pendulum", p); };
  for (const char* method : {"dop853", "radau"}) {
    const RunOptions options{.request = {"", method}, .tolerance = {1e-8, 1e-8}, .end = 2};
    Solver solver(family, options);
    for (const double l : {1., 2., .5}) {
      const Values parameters{{"l", l}};
      expect_same(solver.run({}, parameters), run(family(parameters), options),
                  std::string(method) + ", l = " + std::to_string(l));
    }
    EXPECT_EQ(solver.preparations(), 1) << "one plan serves all";
  }
}

constexpr const char* bars = R"(
space = "planar"
[parameters]
n = 2
m = 1
l = 1
k = 0
[[repeat]]
count = "n"
index = "i"
start = 1
[[repeat.body]]
name = "bar{i}"
mass = "m"
inertia = "m*l^2/12"
position = ["(i - 0.5)*l", 0]
[[repeat.joint]]
name = "pin{i}"
kind = "revolute"
bodies = ["bar{i-1|ground}", "bar{i}"]
at = ["(i - 1)*l", 0]
[[force]]
name = "tie"
kind = "spring"
from = { body = "ground", at = [0, 1] }
to = { body = "bar1", at = ["l/2", 0] }
stiffness = "k"
length = 1
)";

std::shared_ptr<const Problem> some_bars(const Values& parameters) {
  return Model::from_text(bars, "bars.toml", parameters).mechanism;
}

/// Masses, lengths and stiffnesses change in place; another number of bars is another structure.
TEST(Solver, ModelFilesChangeTheirParametersInPlace) {
  for (const char* method : {"dop853", "radau", "hem5"}) {
    const RunOptions options{.request = {"", method}, .tolerance = {1e-8, 1e-8}, .end = 1};
    Solver solver(ModelFamily::from_text(bars, "bars.toml"), options);
    for (const Values& parameters :
         {Values{}, Values{{"m", 2}}, Values{{"l", .5}, {"k", 3}}, Values{{"m", .1}, {"k", 8}}}) {
      const Summary fresh = run(some_bars(parameters), options);
      ASSERT_EQ(fresh.outcome, Outcome::ok) << fresh.message;
      expect_same(solver.run({}, parameters), fresh, method);
    }
    const int plans = solver.preparations();
    EXPECT_EQ(plans, 1);
    const Values three{{"n", 3}};
    expect_same(solver.run({}, three), run(some_bars(three), options), "three bars");
    EXPECT_EQ(solver.preparations(), plans + 1) << method;
  }
}

TEST(Solver, SaysWhatItCannotDo) {
  Solver solver(make_problem("pendulum"), {});
  EXPECT_THROW(solver.run({}, Values{{"l", 2}}), Error);
  EXPECT_THROW(solver.run(Values{{"q.w", 2}}), Error);
  EXPECT_EQ(solver.run().outcome, Outcome::ok) << "a mistake leaves it as it was";
}

#if DALEMBERT_COUNTS_ALLOCATIONS
/// What a further run allocates is bound or said at its end: a run of ten times as many steps does not allocate for each.
TEST(Solver, AFurtherRunAllocatesNothingPerStep) {
  for (const char* name : {"andrews", "pendulum"})
    for (const char* method : {"dop853", "hem5", "radau"}) {
      const auto problem = make_problem(name);
      struct Count {
        long allocations;
        std::int64_t steps;
      };
      const auto count = [&](double share) -> Count {
        Solver solver(problem,
                      {.request = {"", method}, .tolerance = {1e-8, 1e-8}, .end = share * problem->end()});
        solver.run();
        const long before = testing::allocations;
        const Summary summary = solver.run();
        const long after = testing::allocations;
        EXPECT_EQ(summary.outcome, Outcome::ok);
        return {after - before, summary.statistics.steps};
      };
      const Count some = count(.5), all = count(1);
      EXPECT_LT(static_cast<double>(all.allocations - some.allocations),
                100 + .5 * static_cast<double>(
                               all.steps - some.steps))  // room of the witness, made once when it is needed
          << name << " " << method << " " << some.allocations << " " << all.allocations;
    }
}
#endif

TEST(Solver, AnotherProblemIsCheckedLikeTheFirst) {
  const auto oscillator = [](double t0, double end) {
    return mechanical({.t = t0, .q = Vector{{1}}, .v = Vector{{0}}}, Vector{{1}},
                      [](double, In q, In, Out f) { f = -q; }, {.end = end});
  };
  Solver solver(oscillator(0, 1), {});
  for (const double end : {-1.0, 0.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(solver.exchange(oscillator(0, end)), Error) << end;
  EXPECT_THROW(solver.exchange(nullptr), Error);
  EXPECT_NEAR(solver.run().state.y[0], std::cos(1), 1e-5) << "a mistake leaves it as it was";
}

TEST(Solver, MovedAwayItSaysSo) {
  Solver solver(make_problem("pendulum"), {});
  const Solver other = std::move(solver);
  EXPECT_THROW(solver.run(), Error);  // NOLINT(bugprone-use-after-move)
  EXPECT_THROW(Solver(ProblemFamily(), {}), Error);
}

TEST(Solver, ANullObserverIsRefused) {
  Solver solver(make_problem("pendulum"), {});
  EXPECT_THROW(solver.run({nullptr}), Error);
}

}  // namespace
}  // namespace dalembert
