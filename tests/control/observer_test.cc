// Are observers told of a run in the order that is promised: begin, output of the start, steps, outputs and events, end?
#include "dalembert/control/observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model_run.h"
#include "dalembert/model/reference_check.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// Writes down what it is told, repetitions once.
class Diary final : public Observer {
 public:
  void begin(const Problem&, const State& start) override { note("begin", start.t); }
  void step(const StepView& step) override { note("step", step.begin()); }
  void output(const State& state) override { note("output", state.t); }
  void event(const EventRecord& record, const State&) override { note("event", record.t); }
  void end() override { note("end", last_); }

  std::vector<std::string> told;

 private:
  void note(const std::string& what, double t) {
    EXPECT_GE(t, last_) << what << " goes back in time";
    last_ = t;
    if (told.empty() || told.back() != what) told.push_back(what);
  }
  double last_ = -1e300;
};

std::vector<std::string> told(const std::string& problem, std::vector<double> outputs) {
  const auto made = make_problem(problem);
  Diary diary;
  EXPECT_EQ(run(made, {.end = 1, .outputs = std::move(outputs)}, {&diary}).outcome, Outcome::ok);
  return diary.told;
}

using Words = std::vector<std::string>;

TEST(Observers, BeginComesFirstAndTheOutputOfTheStartSecond) {
  EXPECT_EQ(told("pendulum", {0}), (Words{"begin", "output", "step", "end"}));
  EXPECT_EQ(told("pendulum", {1}), (Words{"begin", "step", "output", "end"}));
  EXPECT_EQ(told("pendulum", {}), (Words{"begin", "step", "end"}));
}

TEST(Observers, RedundantRowsAndModesBeginOnceEach) {
  EXPECT_EQ(told("bricard", {0}), (Words{"begin", "output", "step", "end"}));
  const Words violin = told("violin", {0});
  ASSERT_GE(violin.size(), 4u);
  EXPECT_EQ(Words(violin.begin(), violin.begin() + 3), (Words{"begin", "output", "step"}));
  EXPECT_EQ(violin.back(), "end");
  for (std::size_t i = 1; i < violin.size(); ++i)
    if (violin[i] == "begin") {
      EXPECT_EQ(violin[i - 1], "event") << "a mode begins where an event ended the last one";
    }
}

TEST(Observers, ARunThatCannotStartEndsAllTheSame) {
  const auto problem = make_problem("pendulum");
  Diary diary;
  const Summary summary = run(problem, {.outputs = {0}, .start = {{"q.x", 0}, {"q.y", 0}}}, {&diary});
  EXPECT_NE(summary.outcome, Outcome::ok);
  EXPECT_EQ(diary.told, (Words{"end"}));
}

/// A reference at the start is compared like any other.
TEST(Observers, AReferenceAtTheStartIsCompared) {
  const auto error = [](const std::string& x) {
    const Model model = Model::from_text(R"(
space = "planar"
[[body]]
name = "ball"
mass = 1
inertia = 1
position = [2, 0]
[[reference]]
t = 0
source = "the drawing"
[reference.values]
"q.ball.x" = )" + x + "\n",
                                         "ball.toml");
    return run_model(model, {.tolerance = {1e-8, 1e-8}}).error;
  };
  ASSERT_TRUE(error("2").has_value());
  EXPECT_EQ(*error("2"), 0);
  EXPECT_NEAR(*error("3"), .25, 1e-12);
}

/// References are compared inside of steps, whatever outputs there are; what lies ahead is not.
TEST(Observers, ReferencesBetweenOutputsAreCompared) {
  const Model model = Model::from_text(R"(
space = "planar"
gravity = [0, -10]
[[body]]
name = "ball"
mass = 1
inertia = 1
position = [0, 0]
[[reference]]
t = 0.75
values = { "q.ball.y" = -2.8125, "v.ball.y'" = -7.5 }
[[reference]]
t = 0.25
within = 0.01
values = { "q.ball.y" = -0.25 }
[[reference]]
t = 5
values = { "q.ball.y" = 0 }
)",
                                       "ball.toml");
  ReferenceCheck check(model, 1e-8);
  Summary summary = run(model.problem(), {.tolerance = {1e-8, 1e-8}, .end = 1}, {&check});
  ASSERT_EQ(check.compared().size(), 2);
  EXPECT_EQ(check.compared()[0].t, .25);
  EXPECT_NEAR(check.compared()[0].error, .0625 / 1.25, 1e-9);
  EXPECT_FALSE(check.compared()[0].right());
  EXPECT_TRUE(check.compared()[1].right());
  EXPECT_EQ(check.ahead(), 1);
  weigh(check, summary);
  ASSERT_EQ(summary.warnings.size(), 1);
  EXPECT_NE(summary.warnings.front().find("t = 0.25"), std::string::npos) << summary.warnings.front();
}

/// An output at the time of a jump lies between the end of one step and the beginning of the next: methods that end steps on outputs
/// were asked for a step backwards.
TEST(Observers, AnOutputAtAJumpIsShownOnce) {
  const Model model = Model::from_text(R"toml(
space = "planar"
[[body]]
name = "w"
mass = 1
inertia = 0.05
[[joint]]
name = "j"
kind = "revolute"
bodies = ["ground", "w"]
at = [0, 0]
[[force]]
kind = "torque"
body = "w"
torque = "0.1*floor(4*t)"
)toml");
  struct Times final : Observer {
    void output(const State& state) override { t.push_back(state.t), angle.push_back(state.y[2]); }
    std::vector<double> t, angle;
  };
  for (const PairRequest& request :
       {PairRequest{"index3", "radau5"}, PairRequest{"ggl", "radau"}, PairRequest{"index1", "dop853"}}) {
    Times times;
    const Summary summary =
        run(model.mechanism,
            {.request = request, .tolerance = {1e-7, 1e-7}, .end = 1, .outputs = output_times(0, 1, 20)},
            {&times});
    ASSERT_EQ(summary.outcome, Outcome::ok) << request.method << " " << summary.message;
    ASSERT_EQ(times.t, output_times(0, 1, 20)) << request.method;
    // angle'' = 2 floor(4 t)
    for (std::size_t k = 0; k < times.t.size(); ++k) {
      double angle = 0;
      for (int jump = 1; jump < 4; ++jump) angle += std::pow(std::max(0., times.t[k] - jump / 4.), 2);
      EXPECT_NEAR(times.angle[k], angle, 1e-5) << request.method << " " << times.t[k];
    }
  }
}

}  // namespace
}  // namespace dalembert
