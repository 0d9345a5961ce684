// Can one problem, and the watches of one model, be used from several threads at once? Runs give the digits of a run alone.
// The preset `thread` runs this under the thread sanitizer.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

constexpr int threads = 4;

/// Calls work(k) in as many threads, all at once.
template <class Work>
void at_once(const Work& work) {
  std::vector<std::thread> all;
  for (int k = 0; k < threads; ++k) all.emplace_back([&work, k] { work(k); });
  for (auto& each : all) each.join();
}

struct Trial {
  std::string problem;
  PairRequest request{};
  double end = 0;
};

Summary solve(const std::shared_ptr<const Problem>& problem, const Trial& trial) {
  RunOptions options;
  options.request = trial.request;
  options.end = trial.end;
  return run(problem, options);
}

void same(const Summary& a, const Summary& b, const std::string& who) {
  EXPECT_EQ(a.outcome, b.outcome) << who;
  EXPECT_EQ(a.statistics.steps, b.statistics.steps) << who;
  EXPECT_EQ(a.statistics.force_evaluations, b.statistics.force_evaluations) << who;
  ASSERT_EQ(a.state.y.size(), b.state.y.size()) << who;
  for (Eigen::Index i = 0; i < a.state.y.size(); ++i)
    if (!(std::isnan(a.state.y[i]) && std::isnan(b.state.y[i])))  // entries that a mode does not have
      EXPECT_EQ(a.state.y[i], b.state.y[i]) << who << " " << a.layout.label(i);
}

// The threads go first: what is made when it is first asked for is then made by all of them.
TEST(Threads, ShareAProblem) {
  const std::vector<Trial> trials = {{"andrews", {}, .01},
                                     {"andrews", {"index2", "phem56"}, .005},
                                     {"pendulum", {"ggl", "radau"}, 1},
                                     {"pendulum", {"cs", "bdf"}, 1},
                                     {"four-bar", {}, 1},
                                     {"bricard", {}, .2},
                                     {"violin", {}, .002},
                                     {"heavy-top", {"maggi-qr", ""}, .1},
                                     {"transistor-amplifier", {"", "radau"}, .01},
                                     {"coupled-linear", {}, .2}};
  for (const Trial& trial : trials) {
    const std::shared_ptr<const Problem> problem = make_problem(trial.problem);
    std::vector<Summary> found(threads);
    at_once([&](int k) { found[static_cast<std::size_t>(k)] = solve(problem, trial); });
    const Summary alone = solve(problem, trial);
    EXPECT_TRUE(good(alone.outcome)) << trial.problem << ": " << alone.message;
    for (const Summary& each : found) same(each, alone, trial.problem);
  }
}

// Turns that are counted from output to output, several numbers of one look at the mechanism, and an expression of them.
constexpr const char* crank = R"toml(
title = "A crank that is driven round, with a loose arm"
space = "spatial"

[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0, 0]

[[body]]
name = "arm"
mass = 0.5
inertia = [0.02, 0.02, 0.02]
position = [1.2, 0, 0]

[[joint]]
name = "main"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
name = "pin"
kind = "revolute"
bodies = ["crank", "arm"]
at = [1, 0, 0]
axis = [0, 1, 0]

[[drive]]
name = "motor"
joint = "main"
motion = "20*t + sin(3*t)"

[[watch]]
name = "turned"
coordinate = "main"

[[watch]]
name = "bearing"
reaction = "main"

[[watch]]
name = "tip"
point = { body = "arm", at = [1.4, 0, 0] }
quantity = "acceleration"

[[watch]]
name = "mixed"
expression = "turned + bearing.x*tip.z + t"
)toml";

/// The values of all watches at all outputs.
class Table final : public Observer {
 public:
  explicit Table(const std::vector<Watch>& watches) : watches_(watches) {}
  void output(const State& state) override {
    for (const Watch& watch : watches_) values.push_back(watch.value(state));
  }
  std::vector<double> values;

 private:
  const std::vector<Watch>& watches_;
};

TEST(Threads, ShareTheWatchesOfAModel) {
  const Model model = Model::from_text(crank, "crank.toml");
  const auto watched = [&](double end) {
    RunOptions options;
    options.end = end;
    options.outputs = output_times(0, end, 40);
    Table table(model.watches);
    WatchFollower follower(model.watches);
    const Summary summary = run(model.mechanism, options, {&follower, &table});
    EXPECT_TRUE(good(summary.outcome)) << summary.message;
    return table.values;
  };
  // Each its own run: what one leaves behind is wrong for the others.
  const auto end_of = [](int k) { return 1 + .25 * k; };
  std::vector<std::vector<double>> found(threads);
  at_once([&](int k) { found[static_cast<std::size_t>(k)] = watched(end_of(k)); });
  for (int k = 0; k < threads; ++k) {
    const std::vector<double> alone = watched(end_of(k));
    EXPECT_EQ(found[static_cast<std::size_t>(k)], alone) << k;
    EXPECT_EQ(alone.size(), 41 * model.watches.size());
  }
  EXPECT_NEAR(found[0][found[0].size() - model.watches.size()], 20 + std::sin(3.),
              1e-5);  // full turns counted
}

}  // namespace
}  // namespace dalembert
