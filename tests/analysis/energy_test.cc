// The account of the energy: does it close, and does it know where the energy went?
#include "dalembert/analysis/energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

EnergyAccount account(const std::string& name, const std::map<std::string, double>& set, double end) {
  EnergyAccount all(output_times(0, end, 10));
  RunOptions options;
  options.end = end;
  options.tolerance = {1e-10, 1e-10};
  EXPECT_EQ(run(make_problem(name, set), options, {&all}).outcome, Outcome::ok);
  return all;
}

TEST(EnergyAccount, ClosesWithForcesAndDrives) {
  for (const char* name : {"pendulum", "driven-pendulum", "moving-pivot", "pendulum-driven-length"}) {
    const auto all = account(name, {}, 10);
    ASSERT_EQ(all.points().size(), 11u) << name;
    EXPECT_LT(all.worst(), 1e-6) << name;
    EXPECT_EQ(all.points().front().work(), 0);
    EXPECT_EQ(all.points().back().t, 10);
  }
}

TEST(EnergyAccount, KnowsWhereItWent) {
  // Damped and not driven: what is lost is dissipated, and nothing else happens.
  const auto damped = account("driven-pendulum", {{"A", 0}, {"phi", 1}}, 40);
  const auto& end = damped.points().back();
  EXPECT_NEAR(end.input, 0, 1e-14);
  EXPECT_EQ(end.drives, 0);
  EXPECT_NEAR(end.dissipated, 1 - std::cos(1), 1e-4);  // all of it: the bob hangs still
  EXPECT_NEAR(end.kinetic, 0, 1e-4);
  EXPECT_NEAR(end.potential, -1, 1e-4);
  // A pivot without damping: only the drive works.
  const auto driven = account("moving-pivot", {}, 5);
  EXPECT_NEAR(driven.points().back().dissipated, 0, 1e-14);
  EXPECT_NE(driven.points().back().drives, 0);
}

TEST(EnergyAccount, TellsADamperFromATorqueThatActsAtTheSameTime) {
  const auto both = account("driven-pendulum", {}, 10);
  double last = 0;
  for (const auto& p : both.points()) {
    EXPECT_GE(p.dissipated, last) << "a damper never gives";
    last = p.dissipated;
  }
  EXPECT_GT(last, 1);
  EXPECT_GT(both.points().back().input, last) << "the torque pays for it, and for the motion";
}

TEST(EnergyAccount, IsEmptyWhereNoEnergyIsKnown) {
  EXPECT_TRUE(account("lorenz", {}, 1).points().empty());
  EXPECT_TRUE(account("manufactured", {}, 1).points().empty());
}

}  // namespace
}  // namespace dalembert
