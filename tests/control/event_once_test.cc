// Is a crossing found once where a run is handed over to another pair, late in time, and where a step ends at a break as well?
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/ode.h"

namespace dalembert {
namespace {

constexpr double pi = std::numbers::pi;

/// y = sin(w (t - t0) + phase), with an event wherever it is `level`.
class Swing final : public Ode {
 public:
  Swing(double w, double phase, double t0, double span, double level)
      : w_(w), phase_(phase), t0_(t0), end_(t0 + span), crossing_(level) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 0); }
  State start() const override { return {t0_, Vector{{std::sin(phase_), std::cos(phase_)}}}; }
  double end() const override { return end_; }
  void f(double, In y, Out dy) const override {
    dy[0] = w_ * y[1];
    dy[1] = -w_ * y[0];
  }
  const Events* events() const override { return &crossing_; }

 private:
  struct Crossing final : Events {
    explicit Crossing(double at) : level(at) {}
    const std::vector<Event>& list() const override { return names; }
    void values(const State& state, Out e) const override { e[0] = state.y[0] - level; }
    EventResponse respond(std::size_t, State&) const override { return {}; }
    double level;
    std::vector<Event> names = {{"crossing"}};
  };
  double w_, phase_, t0_, end_;
  Crossing crossing_;
};

/// Runs of 400 steps and more are handed over to pairs for stiff motions, which have a try: often right at an event.
TEST(EventsOnce, ByThePairThatGoesOn) {
  int changes = 0;
  for (double w = 5; w < 30; w += 1.37) {
    RunOptions options;
    options.tolerance = {1e-6, 1e-6};
    const double phase = std::asin(0.1), span = 25;
    const Summary s = run(std::make_shared<Swing>(w, phase, 0, span, 0.), options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    changes += static_cast<int>(s.changes.size());
    EXPECT_EQ(s.events.size(), static_cast<std::size_t>((w * span + phase) / pi)) << w;
  }
  EXPECT_GT(changes, 10) << "nothing was handed over";
}

/// At 1e5 s times have the rounding of 1e-11 s: what begins at a crossing cannot be told from it sooner.
TEST(EventsOnce, LateInTime) {
  const double w = 1.6381259308038227, level = 0.6433276978576249, first = std::asin(level);
  for (const double t0 : {0., 1e4, 1e5, 1e6, -1e5})
    for (const char* method : {"bdf", "radau", "dop853", "bdf2"}) {
      RunOptions options;
      options.request = {"direct", method};
      options.tolerance = {1e-3, 1e-3};
      const double span = 20;
      const Summary s = run(std::make_shared<Swing>(w, 0, t0, span, level), options);
      SCOPED_TRACE(method + std::string(" from ") + std::to_string(t0));
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      std::size_t expected = 0;
      for (double turn = 0; turn < w * span; turn += 2 * pi)
        expected += (turn + first < w * span) + (turn + pi - first < w * span);
      EXPECT_EQ(s.events.size(), expected);
    }
}

/// A value that is zero where a load jumps.
class Switched final : public Ode {
 public:
  Layout layout() const override { return Layout().add("y", 1, Role::differential, 0); }
  State start() const override { return {0, Vector{{0.}}}; }
  double end() const override { return 1; }
  void f(double t, In, Out dy) const override { dy[0] = t < 0.5 ? 1 : 2; }
  std::vector<double> breaks(double, double) const override { return {0.5}; }
  const Events* events() const override { return &there_; }

 private:
  struct There final : Events {
    const std::vector<Event>& list() const override { return names; }
    void values(const State& state, Out e) const override { e[0] = state.y[0] - 0.5; }
    EventResponse respond(std::size_t, State&) const override { return {}; }
    std::vector<Event> names = {{"half"}};
  };
  There there_;
};

TEST(EventsOnce, WhereTheEquationsJump) {
  for (const char* method : {"dop853", "dopri5", "radau", "bdf"}) {
    RunOptions options;
    options.request = {"direct", method};
    options.tolerance = {1e-8, 1e-8};
    const Summary s = run(std::make_shared<Switched>(), options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    ASSERT_EQ(s.events.size(), 1u) << method;
    EXPECT_NEAR(s.events[0].t, 0.5, 1e-8);
    EXPECT_NEAR(s.state.y[0], 1.5, 1e-8);
  }
}

/// x' = cos t, and a rate that jumps where its event is: steps behind it are of a few roundings of t.
class Kicked final : public Ode {
 public:
  explicit Kicked(double at) : at_(at), there_(at) {}
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 0); }
  State start() const override { return {0, Vector{{0., 0.}}}; }
  double end() const override { return 1; }
  void f(double t, In, Out dy) const override {
    dy[0] = std::cos(t);
    dy[1] = t < at_ ? 0 : 1;
  }
  const Events* events() const override { return &there_; }

 private:
  struct There final : Events {
    explicit There(double time) : at(time) {}
    const std::vector<Event>& list() const override { return names; }
    void values(const State& state, Out e) const override {
      e[0] = state.y[0] - 0.1;
      e[1] = state.t - at;
      e[2] = at - state.t;
    }
    EventResponse respond(std::size_t, State&) const override { return {}; }
    double at;
    std::vector<Event> names = {{"before"}, {"kick"}, {"never", Direction::rising}};
  };
  double at_;
  There there_;
};

TEST(EventsOnce, WhereStepsBecomeAsShortAsTheRoundingOfTime) {
  for (double at = 0.5; at < 0.95; at += 0.0371)
    for (const double tolerance : {1e-8, 1e-10})
      for (const char* method : {"bdf", "radau", "dopri5"}) {
        RunOptions options;
        options.request = {"direct", method};
        options.tolerance = {tolerance, tolerance};
        const Summary s = run(std::make_shared<Kicked>(at), options);
        SCOPED_TRACE(method + std::string(" ") + std::to_string(at));
        ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
        ASSERT_EQ(s.events.size(), 2u);
        EXPECT_EQ(s.events[1].name, "kick");
        EXPECT_NEAR(s.events[1].t, at, 1e-12);
      }
}

}  // namespace
}  // namespace dalembert
