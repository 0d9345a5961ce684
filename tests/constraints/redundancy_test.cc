// Are constraint rows that follow from others found, named, and without any effect on the motion?
#include "dalembert/constraints/redundancy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "tests/support/dependent_rows.h"

namespace dalembert {
namespace {

using namespace testing;

/// A mechanism, what is repeated in it, and what must be found out about it.
struct Repetition {
  std::string name;
  std::shared_ptr<const Problem> problem;
  std::vector<MoreRow> more;
  std::vector<std::string> unique;
};

std::vector<Repetition> repetitions() {
  return {{"pendulum", make_problem("pendulum"), {{"copy", {{0, 1}}}}, {}},
          {"pendulum_twice", make_problem("pendulum"), {{"copy", {{0, 1}}}, {"scaled", {{0, -30}}}}, {}},
          {"four_bar", std::make_shared<FourBar>(1.7), {{"copy", {{1, 1}}}}, {"lambda.left", "lambda.right"}},
          {"four_bar_sum", std::make_shared<FourBar>(1.7), {{"sum", {{0, .5}, {2, -2}}}}, {"lambda.coupler"}},
          {"andrews",
           make_problem("andrews"),
           {{"copy", {{2, 1}}}, {"sum", {{0, 1}, {4, .3}}}},
           {"lambda.K3.y", "lambda.K5.y", "lambda.K7.y"}}};
}

struct Run {
  std::string formulation, method;
  double step;  ///< as part of the time; 0: under control
};

class Redundant : public ::testing::TestWithParam<std::tuple<std::size_t, Run>> {};

// The same pair takes the same steps, with or without the rows that say nothing new.
TEST_P(Redundant, DoesNotChangeTheMotion) {
  const auto& [which, pair] = GetParam();
  const Repetition given = repetitions()[which];
  const auto problem = std::make_shared<const RepeatedRows>(given.problem, given.more);
  RunOptions options;
  options.request = {pair.formulation, pair.method};
  options.tolerance = {.relative = 1e-7, .absolute = 1e-7};
  options.end = given.name == "andrews" ? .01 : 1;
  if (pair.step > 0) {
    options.control = Control::fixed;
    options.step = pair.step * *options.end;
  }
  const Summary without = run(given.problem, options), with = run(problem, options);
  ASSERT_EQ(without.outcome, Outcome::ok) << without.message;
  ASSERT_EQ(with.outcome, Outcome::ok) << with.message;
  for (const char* block : {"q", "v"}) {
    const Vector a = without.state[without.layout[block]], b = with.state[with.layout[block]];
    EXPECT_LE(largest(a - b), 1e-10 * (1 + largest(a))) << block;
  }
  EXPECT_FALSE(without.redundancy);
  ASSERT_TRUE(with.redundancy);
  ASSERT_EQ(with.redundancy->dependent.size(), given.more.size());
  for (std::size_t i = 0; i < given.more.size(); ++i)
    EXPECT_EQ(with.redundancy->dependent[i].row, "lambda." + given.more[i].name);
  EXPECT_EQ(with.redundancy->unique, given.unique);
  const Vector force = constraint_force(dynamic_cast<const Mechanical&>(*given.problem), without.state);
  EXPECT_LE(largest(force - constraint_force(*problem, with.state)), 1e-8 * (1 + largest(force)));
  expect_nothing_unseen(*problem, with.state, 1e-9);
}

const std::vector<Run> runs = {{"index1", "dopri5", 0},
                               {"index2", "hem4", 0},
                               {"index2", "hem5", 0},
                               {"index2", "radau5", 0},
                               {"ggl", "radau", 0},
                               {"ggl", "bdf", 0},
                               {"index3", "radau5", 0},
                               {"cs", "radau5", 0},
                               {"baumgarte", "rk4", .001},
                               {"index3", "generalized-alpha", .001},
                               {"udwadia-kalaba", "dopri5", 0}};

std::string name_of(const ::testing::TestParamInfo<std::tuple<std::size_t, Run>>& info) {
  const auto& [which, pair] = info.param;
  std::string name = repetitions()[which].name + "_" + pair.formulation + "_" + pair.method;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Redundant,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{5}),
                                            ::testing::ValuesIn(runs)),
                         name_of);

// Rotations, driven rows, velocity-level rows, first-order states: every kind of row may be repeated.
TEST(RedundantRows, OfEveryKind) {
  struct Case {
    std::string problem;
    std::vector<MoreRow> more;
  };
  for (const auto& [name, more] :
       {Case{"heavy-top", {{"copy", {{1, 1}}}, {"sum", {{0, 1}, {2, 1}}}}},
        Case{"sleigh", {{"copy", {{0, 2}}}}}, Case{"manufactured", {{"copy", {{0, 1}}}, {"late", {{1, -1}}}}},
        Case{"motor-pendulum", {{"copy", {{0, 1}}}}}}) {
    const auto plain = make_problem(name);
    const auto problem = repeated(name, more);
    const double end = plain->start().t + .1 * (plain->end() - plain->start().t);
    for (const auto& [formulation, method] : {std::pair("index1", "dopri5"), {"ggl", "radau5"}}) {
      SCOPED_TRACE(name + " " + formulation);
      const Summary without = run_with(plain, formulation, method, end, 1e-7);
      const Summary with = run_with(problem, formulation, method, end, 1e-7);
      ASSERT_EQ(with.outcome, Outcome::ok) << with.message;
      for (const char* block : {"q", "v"}) {
        const Vector a = without.state[without.layout[block]], b = with.state[with.layout[block]];
        EXPECT_LE(largest(a - b), 1e-10 * (1 + largest(a))) << block;
      }
      ASSERT_TRUE(with.redundancy);
      EXPECT_EQ(with.redundancy->dependent.size(), more.size());
      expect_nothing_unseen(*problem, with.state, 1e-9);
    }
  }
}

/// A pendulum hung on two bars in one place, that stops where the bars together pull with a given force.
class Pulled : public RepeatedRows, private Events {
 public:
  Pulled() : RepeatedRows(make_problem("pendulum"), {{"copy", {{0, 1}}}}) {}
  const Events* events() const override { return this; }

 private:
  const std::vector<Event>& list() const override {
    static const std::vector<Event> all = {{"pull", Direction::rising}};
    return all;
  }
  void values(const State& state, Out e) const override { e[0] = state.y[4] + state.y[5] - 1.5; }
  EventResponse respond(std::size_t, State&) const override {
    return {.action = EventResponse::Action::stop, .next = {}};
  }
  bool need_multipliers() const override { return true; }
};

TEST(RedundantRows, EventsAndObserversSeeTheOriginalProblem) {
  const auto problem = std::make_shared<const Pulled>();
  Onlooker onlooker;
  const Summary s = run_with(problem, "index1", "dopri5", 3, 1e-9, {&onlooker});
  EXPECT_EQ(s.outcome, Outcome::stopped) << s.message;
  EXPECT_NEAR(s.state.y[1], -.5, 1e-8);  // lambda = -3 y
  EXPECT_NEAR(s.state.y[4], .75, 1e-8);
  EXPECT_NEAR(s.state.y[5], .75, 1e-8);
  EXPECT_EQ(onlooker.beginnings, 1);
  EXPECT_EQ(onlooker.shown, problem.get());
  EXPECT_EQ(onlooker.sizes, std::vector<Eigen::Index>(onlooker.sizes.size(), 6));
  ASSERT_GE(onlooker.outputs.size(), 2u);
  for (const State& state : onlooker.outputs) EXPECT_NEAR(state.y[4], state.y[5], 1e-12);
}

/// A point on the unit circle in the plane z = 0, driven around; the first row turns from one of these rows to the
/// other as the point goes around: cos(p) plane + sin(p) circle, with p the angle of the point.
class Turning : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 3}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x", "y", "z"},
                              .v = {"x'", "y'", "z'"},
                              .lambda = {"turning", "plane", "circle"},
                              .q_units = {},
                              .v_units = {},
                              .lambda_units = {}});
  }
  State start() const override {
    State state{0, Vector::Zero(9)};
    state.y[1] = 1;
    state.y[3] = -2;
    return state;
  }
  double end() const override { return 5; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 3; ++i) M.add(i, i, 1);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, -3; }
  void g(const Placement& at, Out r) const override {
    const double x = at.q[0], y = at.q[1], z = at.q[2], c = (x * x + y * y - 1) / 2;
    r << x * z + y * c, z, c;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const double x = at.q[0], y = at.q[1], z = at.q[2], c = (x * x + y * y - 1) / 2;
    J.begin();
    J.add(0, 0, z + y * x);
    J.add(0, 1, c + y * y);
    J.add(0, 2, x);
    J.add(1, 2, 1);
    J.add(2, 0, x);
    J.add(2, 1, y);
    J.end();
  }
  void bias(const Placement& at, In v, Out r) const override {
    const double x = at.q[0], y = at.q[1], w = v[0] * v[0] + v[1] * v[1];
    r << 2 * v[0] * v[2] + 2 * v[1] * (x * v[0] + y * v[1]) + y * w, 0, w;
  }
};

TEST(RedundantRows, OtherRowsAreChosenWhereTheFirstOnesBecomeDependent) {
  const auto problem = std::make_shared<const Turning>();
  Onlooker onlooker;
  for (const auto& [formulation, method] : {std::pair("index1", "dopri5"), {"ggl", "radau5"}}) {
    const Summary s = run_with(problem, formulation, method, 5, 1e-9, {&onlooker});
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    ASSERT_TRUE(s.redundancy);
    EXPECT_GE(s.redundancy->choices, 2);
    // x = cos p, y = sin p: p'' = -cos p
    const double speed2 = s.state.y[3] * s.state.y[3] + s.state.y[4] * s.state.y[4];
    EXPECT_NEAR(speed2 / 2 + s.state.y[1], 3, 1e-7);
    const Summary alone = run_with(problem, "udwadia-kalaba", "dopri5", 5, 1e-9);
    ASSERT_EQ(alone.outcome, Outcome::ok) << alone.message;
    EXPECT_LE(largest(alone.state.y.head(6) - s.state.y.head(6)), 1e-6);
    expect_least_norm(*problem, s.state, 1e-8);
  }
  EXPECT_EQ(onlooker.beginnings, 2);
}

/// Two bars in one place, until one of them begins to shrink.
class Shrinking : public RepeatedRows {
 public:
  Shrinking() : RepeatedRows(make_problem("pendulum"), {{"copy", {{0, 1}}}}) {}
  void g(const Placement& at, Out r) const override {
    RepeatedRows::g(at, r);
    r[1] += .1 * std::pow(late(at), 3);
  }
  void velocity_bias(const Placement& at, Out w) const override {
    RepeatedRows::velocity_bias(at, w);
    w[1] += .3 * std::pow(late(at), 2);
  }
  void bias(const Placement& at, In v, Out b) const override {
    RepeatedRows::bias(at, v, b);
    b[1] += .6 * late(at);
  }

 private:
  static double late(const Placement& at) { return std::max(0., at.t - 1); }
};

TEST(RedundantRows, ConflictAlongTheWayEndsTheRun) {
  for (const auto& [formulation, method] :
       {std::pair("index1", "dopri5"), {"ggl", "radau5"}, {"udwadia-kalaba", "dopri5"}}) {
    const Summary s = run_with(std::make_shared<const Shrinking>(), formulation, method, 3, 1e-8);
    EXPECT_FALSE(good(s.outcome)) << formulation << ": " << s.message;
    EXPECT_GE(s.state.t, .9) << s.message;
    EXPECT_LE(s.state.t, 1.5) << s.message;
    if (std::string(formulation) == "udwadia-kalaba") continue;
    EXPECT_NE(s.message.find("lambda.copy"), std::string::npos) << s.message;
  }
}

}  // namespace
}  // namespace dalembert
