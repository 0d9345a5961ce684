// rattle and discrete-gradient over long times: does the energy stay, on constraints, in space, and with masses that change?
#include "dalembert/analysis/energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

struct Kept {
  double early, late;  ///< the largest error of the energy in the first tenth of the time, and in all of it
};

Kept kept(std::shared_ptr<const Problem> problem, const std::string& method, double step, double end) {
  Kept result{};
  for (const double until : {end / 10, end}) {
    EnergyAccount account({});
    RunOptions options;
    options.request = {{}, method};
    options.step = step;
    options.control = Control::fixed;
    options.end = until;
    const Summary summary = run(problem, options, {&account});
    EXPECT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
    (until == end ? result.late : result.early) = account.worst();
  }
  return result;
}

std::shared_ptr<const Problem> double_pendulum() {
  return Model::from_file(DALEMBERT_MODELS "/double-pendulum.toml").mechanism;
}

TEST(EnergyKeeping, DiscreteGradientKeepsItToRounding) {
  EXPECT_LT(kept(make_problem("pendulum"), "discrete-gradient", .1, 500).late, 1e-10);
  EXPECT_LT(kept(make_problem("pendulum"), "discrete-gradient", .4, 500).late, 1e-10) << "whatever the step";
  EXPECT_LT(kept(make_problem("spherical-pendulum"), "discrete-gradient", .02, 50).late, 1e-10) << "in space";
  EXPECT_LT(kept(double_pendulum(), "discrete-gradient", .005, 20).late, 1e-9) << "chaotic";
  EXPECT_LT(kept(make_problem("andrews"), "discrete-gradient", 2e-5, .03).late, 1e-9) << "the mass changes";
  EXPECT_LT(kept(make_problem("heavy-top"), "discrete-gradient", 2e-4, .2).late, 1e-6)
      << "of 5400, with rotations";
}

TEST(EnergyKeeping, RattleDoesNotDrift) {
  const auto pendulum = kept(make_problem("pendulum"), "rattle", .1, 2000);
  EXPECT_LT(pendulum.late, 5e-3);
  EXPECT_LT(pendulum.late, 1.05 * pendulum.early) << "no worse after ten times the time";
  const auto fine = kept(make_problem("pendulum"), "rattle", .05, 200);
  EXPECT_NEAR(pendulum.early / fine.late, 4, .4) << "order 2";
  const auto space = kept(make_problem("spherical-pendulum"), "rattle", .02, 200);
  EXPECT_LT(space.late, 1.2 * space.early);
  const auto changing = kept(make_problem("triple-pendulum"), "rattle", 1e-3, 5);
  EXPECT_LT(changing.late, 1e-2);
}

TEST(EnergyKeeping, OthersDrift) {  // so that the tests above can fail
  const auto euler = kept(make_problem("pendulum"), "forward-differences", .01, 20);
  EXPECT_GT(euler.late, 5 * euler.early);
}

TEST(EnergyKeeping, RattleIsCentralDifferencesWhereMassesAreConstant) {
  RunOptions options;
  options.step = .05;
  options.control = Control::fixed;
  options.request = {{}, "rattle"};
  const State a = run(make_problem("pendulum"), options).state;
  options.request = {{}, "central-differences"};
  const State b = run(make_problem("pendulum"), options).state;
  EXPECT_LT(largest(a.y - b.y), 1e-11);
}

}  // namespace
}  // namespace dalembert
