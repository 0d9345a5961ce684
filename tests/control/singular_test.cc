// Positions where constraint rows become dependent: no run comes out on another branch and calls it success.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"
#include "tests/support/repeated_rows.h"

namespace dalembert {
namespace {

using Set = std::map<std::string, double>;
constexpr double pi = std::numbers::pi;

Summary solve(const std::string& name, const Set& set, double tolerance, std::optional<double> end = {},
              const PairRequest& request = {}) {
  RunOptions options;
  options.tolerance = {tolerance, tolerance};
  options.end = end;
  options.request = request;
  return run(make_problem(name, set), options);
}

/// How far the mechanism has left the branch on which all its parts move together.
double astray(const std::string& name, const Vector& q, Eigen::Index n = 2) {
  const auto turned = [](double angle) { return std::abs(std::remainder(angle, 2 * pi)); };
  if (name == "slider-crank") return turned(q[0] + q[1]);
  if (name == "slider-crank-6") return turned(q[2] + q[5]);
  double most = 0;
  for (Eigen::Index i = 1; i <= n; ++i) most = std::max(most, turned(q[3 * i + 2] - q[2]));
  for (Eigen::Index j = 0; j < n; ++j) most = std::max(most, turned(q[3 * (n + 1 + j) + 2]));
  return most;
}

/// The largest error of the tip of the first crank (or bar), position and velocity apart.
struct TipError {
  double position, velocity;
};
TipError tip_error(const Summary& s, const Problem& problem) {
  const State exact = problem.exact(s.state.t).value();
  const Eigen::Index v = s.layout["v"].offset;
  return {2 * largest(s.state.y.segment(0, 2) - exact.y.segment(0, 2)),
          2 * largest(s.state.y.segment(v, 2) - exact.y.segment(v, 2))};
}

struct Level {
  double tolerance, bound;
};
const std::vector<Level> levels = {{1e-4, 2e-1}, {1e-6, 1e-3}, {1e-8, 1e-5}, {1e-10, 1e-7}, {1e-12, 1e-8}};

TEST(FourBar, KnowsTheDigitsOfItsReduction) {
  // By quadrature with 30 digits; the double nearest to 9.81 moves the last ones.
  struct Row {
    double t, x, y, vx, vy;
  };
  const auto problem = make_problem("four-bar");
  for (const Row& row :
       {Row{1, -0.195020301949435094, -0.980799205662173833, -6.67667803688115807, 1.32757832516048721},
        Row{4, 0.117616102376808612, 0.993059138451325101, 1.06903926502896864, -0.12661504916672028},
        Row{10, 0.328458111540815379, 0.944518538178600962, 1.42305147020694412, -0.494868845487042959},
        Row{20, 0.839746574306843547, 0.542978536352884662, 1.83822264419674271, -2.84291378927409713}}) {
    const Vector y = problem->exact(row.t).value().y;
    EXPECT_NEAR(2 * y[0], row.x, 5e-15) << row.t;
    EXPECT_NEAR(2 * y[1], row.y, 5e-15) << row.t;
    EXPECT_NEAR(2 * y[15], row.vx, 3e-14) << row.t;
    EXPECT_NEAR(2 * y[16], row.vy, 3e-14) << row.t;
  }
  const double period = 1.94251492260708368;
  EXPECT_NEAR(problem->exact(period).value().y[2], pi / 2 - 2 * pi, 1e-14);
}

TEST(FourBar, StartsWithTheKnownEnergy) {
  const auto problem = make_problem("four-bar");
  const auto& m = as<Mechanical>(*problem);
  const auto at = m.placement();
  const State start = problem->start();
  at->q = start.y.head(15);
  m.place(*at);
  const Vector v = start.y.segment(15, 15), none(0);
  const double height = 9.81 * (3 * .5 + 2 * 1.0);
  EXPECT_NEAR(m.energy(*at, v, none).value() - height, 1.5, 1e-12);  // kinetic
}

TEST(SingularityCrossing, DefaultChoicePassesAtEveryTolerance) {
  for (const std::string name : {"four-bar", "slider-crank-6"})
    for (const auto& [tolerance, bound] : levels) {
      const auto problem = make_problem(name);
      const Summary s = solve(name, {}, tolerance);
      ASSERT_EQ(s.outcome, Outcome::ok) << name << " at " << tolerance << ": " << s.message;
      EXPECT_LT(tip_error(s, *problem).position, bound) << name << " at " << tolerance;
      EXPECT_LT(astray(name, s.state.y), bound) << name << " at " << tolerance;
      EXPECT_EQ(s.crossings.size(), name == "four-bar" ? 10u : 11u) << name << " at " << tolerance;
    }
}

// The step over the fourth one, at 3.0476, begins before the run ends.
TEST(SingularityCrossing, WhatLiesBehindTheEndIsNotOnRecord) {
  const Summary s = solve("slider-crank-6", {}, 1e-6, 3.04);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_EQ(s.crossings.size(), 3u);
}

TEST(SingularityCrossing, ManyRowsAtOnce) {
  // 40 ranks are lost at each of the passages.
  const Summary s = solve("four-bar", {{"n", 40}}, 1e-6, 3);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_LT(tip_error(s, *make_problem("four-bar", {{"n", 40}})).position, 1e-3);
  EXPECT_LT(astray("four-bar", s.state.y, 40), 1e-3);
  EXPECT_EQ(s.crossings.size(), 3u);
}

TEST(SingularityCrossing, NoPairIsSilentlyWrong) {
  for (const std::string name : {"four-bar", "slider-crank-6"}) {
    const auto problem = make_problem(name);
    int tried = 0, passed = 0;
    for (const Pair& pair : feasible_pairs(*problem)) {
      if (!adapts(pair, *problem) || pair.method->order(pair.formulation->to) < 2) continue;
      ++tried;
      const Summary s = solve(name, {}, 1e-5, 3, {pair.formulation->name, pair.method->name});
      const std::string who = name + " " + pair.formulation->name + " " + pair.method->name;
      if (s.outcome != Outcome::ok) {
        EXPECT_NE(s.message.find("t = "), std::string::npos) << who;
        continue;
      }
      ++passed;
      EXPECT_LT(astray(name, s.state.y), .05) << who;
      EXPECT_LT(tip_error(s, *problem).position, .5) << who;  // low orders are not exact, but on their way
      EXPECT_EQ(s.crossings.size(), 3u) << who;
    }
    EXPECT_GE(tried, 60) << name;
    EXPECT_GE(passed, tried - 4) << name;
  }
}

TEST(SingularityCrossing, RandomStartsArriveOnTheirBranch) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int k = 0; k < 12; ++k) {
    const double w = 1 + 4 * uniform(random), angle = 2 * pi * uniform(random);
    for (const double tolerance : {1e-6, 1e-10})
      for (const std::string name : {"four-bar", "slider-crank-6", "slider-crank"}) {
        const Set set =
            name == "four-bar" ? Set{{"th0", angle}, {"w0", w}} : Set{{"phi", angle}, {"w", w + 3}};
        const Summary s = solve(name, set, tolerance, 6);
        ASSERT_EQ(s.outcome, Outcome::ok) << name << " from " << angle << ", " << w << ": " << s.message;
        EXPECT_LT(s.error.at("q"), 3000 * tolerance) << name << " from " << angle << ", " << w;
        EXPECT_LT(astray(name, s.state.y), 3000 * tolerance) << name << " from " << angle << ", " << w;
      }
  }
}

TEST(SingularityCrossing, ALengthThatDoesNotFitTurnsTheCorner) {
  for (const double dl : {1e-3, 1e-6}) {
    // One loop: the crank that comes too late swings the coupler over. The same from a controlled run that is tighter by
    // far and by another method, which sees the corner as any other motion.
    const Set set = {{"n", 1}, {"th0", .5}, {"w0", 4}, {"dl", dl}};
    const Summary loose = solve("four-bar", set, 1e-7, .6);
    const Summary tight = solve("four-bar", set, 1e-9, .6, {"index1", "dopri5"});
    ASSERT_EQ(loose.outcome, Outcome::ok) << loose.message;
    ASSERT_EQ(tight.outcome, Outcome::ok) << tight.message;
    EXPECT_LT(largest(loose.state.y.head(9) - tight.state.y.head(9)), 1e-5) << dl;
    EXPECT_GT(astray("four-bar", loose.state.y, 1), 1) << "went through";
    const Set crank = {{"dl", dl}};
    const Summary a = solve("slider-crank-6", crank, 1e-7, .6);
    const Summary b = solve("slider-crank-6", crank, 1e-10, .6, {"index1", "dopri5"});
    ASSERT_EQ(a.outcome, Outcome::ok) << a.message;
    ASSERT_EQ(b.outcome, Outcome::ok) << b.message;
    EXPECT_LT(largest(a.state.y.head(6) - b.state.y.head(6)), 1e-5) << dl;
    EXPECT_GT(astray("slider-crank-6", a.state.y), 1) << "went through";
  }
}

/// Near misses at loose tolerances: the corner, or a refusal; never the other branch.
TEST(SingularityCrossing, NearMissesAreTurnedOrRefused) {
  for (const int loops : {1, 2})
    for (const double dl : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4})
      for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
        const Set set = {{"n", loops}, {"dl", dl}};
        const Summary s = solve("four-bar", set, tolerance, 1.5);
        if (!good(s.outcome)) continue;
        // Once the last crank has turned, the first one comes up again on the side it came from.
        EXPECT_NEAR(s.state.y[2], 1.9, .1) << loops << " loops, dl = " << dl << " at " << tolerance;
      }
  // Where one loop stays nearer to its singular position than the tolerance, chance would decide.
  EXPECT_EQ(solve("four-bar", {{"n", 2}, {"dl", 1e-6}}, 1e-4, 1.5).outcome, Outcome::undecided);
  EXPECT_EQ(solve("four-bar", {{"n", 2}, {"dl", 1e-6}}, 1e-6, 1.5).outcome, Outcome::ok);
  EXPECT_EQ(solve("four-bar", {{"n", 1}, {"dl", 1e-9}}, 1e-6, 1.5).outcome, Outcome::ok);
}

TEST(SingularityCrossing, RefusesWhatCannotBeDecided) {
  for (const auto& [name, dl] : {std::pair<std::string, double>{"four-bar", 1e-12},
                                 {"four-bar", 1e-13},
                                 {"slider-crank-6", 1e-12},
                                 {"slider-crank-6", 1e-13}}) {
    const Summary s = solve(name, {{"dl", dl}}, 1e-8);
    EXPECT_EQ(s.outcome, Outcome::undecided) << name << ": " << s.message;
    EXPECT_NE(s.message.find("lambda."), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("miss each other by"), std::string::npos) << s.message;
    EXPECT_LT(s.state.t, 1) << name;
  }
}

TEST(SingularityCrossing, BeginsOnTheSingularPosition) {
  for (const double tolerance : {1e-4, 1e-8, 1e-12})
    for (const auto& [name, set] : {std::pair<std::string, Set>{"four-bar", {{"th0", pi / 2}, {"w0", 4}}},
                                    {"slider-crank-6", {{"phi", pi / 2}, {"w", 3}}},
                                    {"slider-crank", {{"phi", pi / 2}, {"w", 3}}}}) {
      const Summary s = solve(name, set, tolerance, 3);
      ASSERT_EQ(s.outcome, Outcome::ok) << name << " at " << tolerance << ": " << s.message;
      EXPECT_LT(s.error.at("q"), 100 * tolerance) << name;
      EXPECT_NE(s.crossings.front().how.find("started on it"), std::string::npos) << s.crossings.front().how;
    }
}

TEST(SingularityCrossing, FixedStepsKeepTheirGrid) {
  RunOptions options;
  options.request = {"index1", "rk4"};
  options.step = .01;
  options.end = 3;
  class Times final : public Observer {
   public:
    void step(const StepView& view) override { ends.push_back(view.end()); }
    std::vector<double> ends;
  } times;
  const Summary s = run(make_problem("four-bar"), options, {&times});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_EQ(s.crossings.size(), 3u);
  EXPECT_LT(s.error.at("q"), 1e-5);
  for (const double t : times.ends) EXPECT_NEAR(t / .01, std::round(t / .01), 1e-6);
}

TEST(SingularityCrossing, OutputsInsideAHopAreOnTheMotion) {
  class Keep final : public Observer {
   public:
    void output(const State& state) override { states.push_back(state); }
    std::vector<State> states;
  } keep;
  RunOptions options;
  options.tolerance = {1e-8, 1e-8};
  options.end = 1;
  options.outputs = output_times(0, 1, 500);
  const auto problem = make_problem("four-bar");
  const Summary s = run(problem, options, {&keep});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_EQ(keep.states.size(), 501u);
  for (const State& state : keep.states) {
    const Vector exact = problem->exact(state.t).value().y;
    EXPECT_LT(largest(state.y.head(30) - exact.head(30)), 3e-6) << state.t;
    EXPECT_TRUE(state.y.allFinite()) << state.t;
    EXPECT_LT(largest(state.y.tail(14)), 500) << state.t;  // multipliers of least size do not blow up
  }
}

/// A four-bar that takes notice of its tip at some height; at height 0 that is the singular position itself.
class Crossed final : public testing::RepeatedRows, public Events {
 public:
  Crossed(double height, EventResponse::Action action)
      : RepeatedRows(make_problem("four-bar"), {}), height_(height), action_(action) {}
  const Events* events() const override { return this; }
  const std::vector<Event>& list() const override { return list_; }
  void values(const State& state, Out e) const override { e[0] = 2 * state.y[1] - height_; }
  EventResponse respond(std::size_t, State&) const override { return {action_, nullptr}; }

 private:
  double height_;
  EventResponse::Action action_;
  std::vector<Event> list_ = {{"height", Direction::either}};
};

TEST(SingularityCrossing, EventsHappenInsideAHop) {
  const auto exact = make_problem("four-bar");
  const auto height = [&](double t) { return 2 * exact->exact(t).value().y[1]; };
  for (const double wanted : {.05, 0., -.05})
    for (const auto action : {EventResponse::Action::note, EventResponse::Action::restart}) {
      RunOptions options;
      options.tolerance = {1e-8, 1e-8};
      options.end = 3;
      const Summary s = run(std::make_shared<const Crossed>(wanted, action), options);
      ASSERT_EQ(s.outcome, Outcome::ok) << wanted << ": " << s.message;
      ASSERT_EQ(s.events.size(), 3u) << wanted;
      for (const EventRecord& event : s.events) EXPECT_NEAR(height(event.t), wanted, 1e-5);
      EXPECT_LT(largest(s.state.y.head(30) - exact->exact(3).value().y.head(30)), 2e-5) << wanted;
    }
  RunOptions options;
  options.tolerance = {1e-8, 1e-8};
  const Summary s = run(std::make_shared<const Crossed>(0, EventResponse::Action::stop), options);
  EXPECT_EQ(s.outcome, Outcome::stopped) << s.message;
  EXPECT_NEAR(s.state.t, 0.714355528, 1e-6);
  EXPECT_TRUE(s.state.y.allFinite());
}

TEST(SingularityCrossing, EndsOnTheSingularPosition) {
  for (const double off : {0., 1e-6, -1e-6, 1e-3, -1e-3}) {
    const Summary s = solve("four-bar", {}, 1e-8, 0.714355528 + off);
    ASSERT_EQ(s.outcome, Outcome::ok) << off << ": " << s.message;
    EXPECT_LT(s.error.at("q"), 1e-6) << off;
    EXPECT_LT(s.error.at("v"), 1e-6) << off;
    EXPECT_TRUE(s.state.y.allFinite()) << off;
  }
}

TEST(SliderCrank, SwingsThroughTheLowerPositionForSeventySeconds) {
  const Summary s = solve("slider-crank", {}, 1e-9);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_EQ(s.state.t, 70);
  EXPECT_LT(s.error.at("q"), 1e-5);
  EXPECT_LT(s.error.at("v"), 1e-5);
  EXPECT_GE(s.crossings.size(), 30u);
}

/// Largest and smallest horizontal acceleration of the slider, by differences of its velocity on a fine grid.
struct Extremes {
  double least = 0, most = 0;
};

class SliderAcceleration final : public Observer {
 public:
  explicit SliderAcceleration(bool two_angles) : two_angles_(two_angles) {}
  void output(const State& state) override {
    const double phi1 = two_angles_ ? state.y[0] : state.y[2], phi2 = two_angles_ ? state.y[1] : state.y[5];
    const double w1 = two_angles_ ? state.y[2] : state.y[8], w2 = two_angles_ ? state.y[3] : state.y[11];
    speeds_.push_back(-std::sin(phi1) * w1 - std::sin(phi2) * w2);
    times_.push_back(state.t);
  }
  Extremes extremes() const {
    Extremes e;
    for (std::size_t k = 1; k + 1 < speeds_.size(); ++k) {
      const double a = (speeds_[k + 1] - speeds_[k - 1]) / (times_[k + 1] - times_[k - 1]);
      e.least = std::min(e.least, a);
      e.most = std::max(e.most, a);
    }
    return e;
  }

 private:
  bool two_angles_;
  std::vector<double> speeds_, times_;
};

TEST(SliderCrank, AcceleratesAlikeToBothSides) {
  for (const auto& [name, expected] :
       {std::pair<std::string, double>{"slider-crank", 77.039}, {"slider-crank-6", 85.144}}) {
    SliderAcceleration watch(name == "slider-crank");
    RunOptions options;
    options.tolerance = {1e-8, 1e-8};
    options.end = 5;
    options.outputs = output_times(0, 5, 10000);
    const Summary s =
        run(make_problem(name, {{"phi", pi / 4}, {"w", 2 * std::numbers::sqrt2}}), options, {&watch});
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_NEAR(watch.extremes().most / expected, 1, 1e-3) << name;
    EXPECT_NEAR(watch.extremes().least / -expected, 1, 1e-3) << name;
  }
}

TEST(SingularityCrossing, OrdinaryProblemsHaveNone) {
  for (const std::string name :
       {"andrews", "pendulum", "car-axis", "heavy-top", "triple-pendulum", "sleigh"}) {
    const Summary s = solve(name, {}, 1e-6);
    EXPECT_EQ(s.outcome, Outcome::ok) << name;
    EXPECT_TRUE(s.crossings.empty()) << name << " at " << s.crossings.front().t;
  }
}

TEST(SingularPositions, AreWatchedIgnoredOrEndTheRun) {
  RunOptions options;
  options.tolerance = {1e-8, 1e-8};
  options.end = 1.5;
  const auto problem = make_problem("four-bar");
  const Summary watched = run(problem, options);
  ASSERT_EQ(watched.outcome, Outcome::ok) << watched.message;
  ASSERT_EQ(watched.crossings.size(), 2u);
  options.singular = Singular::ignore;
  EXPECT_EQ(run(problem, options).statistics.rank_checks, 0);
  for (const char* formulation : {"", "udwadia-kalaba"}) {  // which would pass them by itself
    options.singular = Singular::stop;
    options.request.formulation = formulation;
    const Summary stopped = run(problem, options);
    EXPECT_EQ(stopped.outcome, Outcome::singular) << stopped.message;
    EXPECT_LT(stopped.state.t, watched.crossings[0].t);
    ASSERT_EQ(stopped.crossings.size(), 1u);
    EXPECT_NEAR(stopped.crossings[0].t, watched.crossings[0].t, 1e-6);
    EXPECT_EQ(stopped.crossings[0].how, "stopped before it");
    for (const auto& row : stopped.crossings[0].rows)
      EXPECT_NE(stopped.message.find(row), std::string::npos) << stopped.message;
  }
}

}  // namespace
}  // namespace dalembert
