// Does a run that is interrupted and resumed arrive where it would have arrived, step by step, whatever pair makes it?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

/// Asks for a checkpoint after some of the steps, and keeps the outputs.
class Catcher final : public Observer {
 public:
  explicit Catcher(std::int64_t every = 0) : every_(every) {}
  void step(const StepView&) override { ++steps_; }
  void output(const State& state) override { outputs.push_back(state); }
  bool wants_checkpoint() const override { return every_ > 0 && steps_ % every_ == 0; }
  void checkpoint(const Checkpoint& here) override { caught.push_back(here); }

  std::vector<Checkpoint> caught;
  std::vector<State> outputs;
  std::int64_t steps() const { return steps_; }

 private:
  std::int64_t every_, steps_ = 0;
};

/// max |a - b| / (1 + |b|); what is not known in both is the same.
double difference(const State& a, const State& b) {
  EXPECT_EQ(a.y.size(), b.y.size());
  double most = std::abs(a.t - b.t);
  for (Eigen::Index i = 0; i < a.y.size() && i < b.y.size(); ++i)
    if (!(std::isnan(a.y[i]) && std::isnan(b.y[i])))
      most = std::max(most, std::abs(a.y[i] - b.y[i]) / (1 + std::abs(b.y[i])));
  return most;
}

bool same_effort(const Statistics& a, const Statistics& b) {
  return a.steps == b.steps && a.rejected == b.rejected && a.newton_iterations == b.newton_iterations;
}

/// Runs, and resumes from a few places; returns the largest difference, or none where nothing could be written down.
std::optional<double> resumed(const std::shared_ptr<const Problem>& problem, RunOptions options,
                              const std::string& name) {
  Catcher whole;
  const Summary straight = run(problem, options, {&whole});
  EXPECT_TRUE(good(straight.outcome)) << name << ": " << straight.message;
  Catcher catcher(std::max<std::int64_t>(1, whole.steps() / 4));
  const Summary watched = run(problem, options, {&catcher});
  EXPECT_EQ(difference(watched.state, straight.state), 0) << name << ": a checkpoint changes nothing";
  if (catcher.caught.empty()) return {};
  double most = 0;
  for (const Checkpoint& from : catcher.caught) {
    options.resume = std::make_shared<Checkpoint>(from);
    Catcher rest;
    const Summary again = run(problem, options, {&rest});
    EXPECT_EQ(again.outcome, straight.outcome) << name << " from " << from.t << ": " << again.message;
    EXPECT_EQ(again.events.size(), straight.events.size()) << name << " from " << from.t;
    EXPECT_TRUE(same_effort(again.statistics, straight.statistics))
        << name << " from " << from.t << ": " << again.statistics.steps << " steps, "
        << straight.statistics.steps << " without a break";
    most = std::max(most, difference(again.state, straight.state));
    EXPECT_LE(rest.outputs.size(), whole.outputs.size());
    for (std::size_t i = 0; i < rest.outputs.size(); ++i)
      most = std::max(most, difference(rest.outputs[rest.outputs.size() - 1 - i],
                                       whole.outputs[whole.outputs.size() - 1 - i]));
  }
  return most;
}

bool fixed_only(const Pair& pair, const Problem& problem) {
  return !adapts(pair, problem);
}

class EveryPair : public ::testing::TestWithParam<std::string> {};

/// What cannot say what it remembers: iterates in lock-step, and fields in windows.
bool cannot(const Pair& pair) {
  return pair.formulation->name.starts_with("srm") || pair.method->name == "window-iteration";
}

TEST_P(EveryPair, GoesOnAsIfNothingHadHappened) {
  const auto problem = make_problem(GetParam());
  const double begin = problem->start().t, span = problem->end() - begin;
  std::vector<Pair> pairs = feasible_pairs(*problem);
  for (const Pair& pair : approximate_pairs(*problem)) pairs.push_back(pair);
  for (const Pair& pair : pairs) {
    const std::string name = GetParam() + ", " + pair.formulation->name + " with " + pair.method->name;
    RunOptions options;
    options.request = {pair.formulation->name, pair.method->name};
    const double rtol = pair.method->order(pair.formulation->to) < 3 ? 1e-3 : 1e-5;
    options.tolerance = {rtol, rtol};
    options.end = begin + 0.1 * span;
    options.outputs = output_times(begin, *options.end, 7);
    if (fixed_only(pair, *problem)) {
      options.step = 1e-3 * span;
      options.control = Control::fixed;
    }
    if (cannot(pair)) {
      options.most_steps = 100;
      Catcher catcher(1);
      try {
        run(problem, options, {&catcher});
      } catch (const Error&) {
        continue;  // not for this problem, or not with this step: refused before it begins
      }
      EXPECT_GT(catcher.steps(), 0) << name;
      EXPECT_TRUE(catcher.caught.empty()) << name << " can be resumed: take it off the list";
      continue;
    }
    const auto most = resumed(problem, options, name);
    ASSERT_TRUE(most) << name << " cannot be resumed";
    EXPECT_LE(*most, 1e-12) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Resume, EveryPair,
                         ::testing::Values("pendulum", "andrews", "exact-index2", "manufactured-ode"),
                         [](const auto& given) {
                           std::string name = given.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Events, modes, rows that depend on each other, singular positions, switches, breaks, changes of the pair.
TEST(Resume, WhateverHappensOnTheWay) {
  for (const std::string name :
       {"violin", "four-bar", "bricard", "heavy-top", "car-axis", "transistor-amplifier"}) {
    const auto problem = make_problem(name);
    RunOptions options;
    options.outputs = output_times(problem->start().t, problem->end(), 20);
    const auto most = resumed(problem, options, name);
    ASSERT_TRUE(most) << name;
    EXPECT_LE(*most, 1e-12) << name;
  }
  for (const std::string name :
       {"slider-crank", "double-four-bar", "four-bar", "bricard", "quarter-car", "flyball-governor"}) {
    const Model model = Model::from_file(std::filesystem::path(DALEMBERT_MODELS) / (name + ".toml"));
    RunOptions options = resolve(model.run, *model.mechanism).options;
    std::vector<PairRequest> requests = {options.request};
    if (name == "slider-crank")  // singular positions are crossed by a method of their own
      for (const char* method : {"hem5", "radau", "bdf", "generalized-alpha"})
        requests.push_back({"", method});
    for (const PairRequest& request : requests) {
      options.request = request;
      if (request.method == "generalized-alpha") options.step = 2e-3, options.control = Control::fixed;
      const auto most = resumed(model.mechanism, options, name + " " + request.method);
      ASSERT_TRUE(most) << name;
      EXPECT_LE(*most, 1e-12) << name << " " << request.method;
    }
  }
}

/// A mass on a rail that sticks and slips: each mode is another problem.
TEST(Resume, InAnyMode) {
  const Model model = Model::from_text(R"--(
space = "planar"
gravity = [0, 0]
[[body]]
name = "mass"
mass = 1
inertia = 1
position = [1.05, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "mass"]
at = [0, 0]
along = [1, 0]
[[force]]
name = "spring"
kind = "spring"
from = { body = "ground", at = [-10, 0] }
to = { body = "mass", at = [1.05, 0] }
stiffness = 4
length = 10
[[force]]
name = "rub"
kind = "stick-slip"
joint = "rail"
most = 0.5
sliding = 0.3
[[force]]
name = "push"
kind = "force"
body = "mass"
at = [1.05, 0]
force = ["3*sin(2*t)", 0]
[run]
end = 10
output = 40
)--");
  const auto most = resumed(model.mechanism, resolve(model.run, *model.mechanism).options, "stick-slip");
  ASSERT_TRUE(most);
  EXPECT_LE(*most, 1e-12);
}

TEST(Resume, DamagedMemoryIsRefused) {
  const auto problem = make_problem("pendulum");
  Catcher catcher(20);
  RunOptions options;
  run(problem, options, {&catcher});
  ASSERT_FALSE(catcher.caught.empty());
  Checkpoint cut = catcher.caught.front();
  cut.memory.resize(cut.memory.size() / 2);
  options.resume = std::make_shared<Checkpoint>(cut);
  EXPECT_THROW(run(problem, options), Error);
  Checkpoint longer = catcher.caught.front();
  longer.memory += "more";
  options.resume = std::make_shared<Checkpoint>(longer);
  EXPECT_THROW(run(problem, options), Error);
}

}  // namespace
}  // namespace dalembert
