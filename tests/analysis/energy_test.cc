// The account of the energy: does it close, and does it know where the energy went?
#include "dalembert/analysis/energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/network_texts.h"

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

EnergyAccount account_of(const std::string& text, double end) {
  EnergyAccount all(output_times(0, end, 10));
  const Model model = Model::from_text(text);
  const Summary summary =
      run(model.mechanism, {.tolerance = {.relative = 1e-10, .absolute = 1e-12}, .end = end}, {&all});
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  return all;
}

/// A capacitor behind a resistor: half of what the source gives becomes heat, whatever the resistance.
TEST(EnergyAccount, ResistorsDissipateAndSourcesPutIn) {
  using testing::branch, testing::nodes;
  const double U = 10, C = 5e-6, RC = .01, end = 2 * RC;
  const auto all =
      account_of(nodes("ab") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 10") +
                     branch("R", "resistor", "nodes = ['a', 'b']\nresistance = '2 kohm'") +
                     branch("C", "capacitor", "nodes = ['b', 'ground']\ncapacitance = '5 uF'"),
                 end);
  const auto& last = all.points().back();
  EXPECT_NEAR(last.dissipated / (C * U * U / 2 * (1 - std::exp(-4))), 1, 1e-8);
  EXPECT_NEAR(last.input / (C * U * U * (1 - std::exp(-2))), 1, 1e-8);
  EXPECT_LT(all.worst(), 1e-12);
}

/// A pump with a leak fills a volume: the leak is heat, the pump is not.
TEST(EnergyAccount, LeaksDissipateAndPumpsPutIn) {
  using testing::branch, testing::nodes;
  const auto all = account_of(nodes("a", "hydraulic") +
                                  branch("P", "pump", "nodes = ['ground', 'a']\nflow = 1e-4\nleak = 2e-11") +
                                  branch("V", "volume", "node = 'a'\nvolume = 1e-3\nbulk_modulus = 1e9"),
                              .05);
  const double tau = 1e-12 / 2e-11, p = 1e-4 / 2e-11, t = .05, e = std::exp(-t / tau);
  const auto& last = all.points().back();
  EXPECT_NEAR(last.dissipated / (2e-11 * p * p * (t - 2 * tau * (1 - e) + tau / 2 * (1 - e * e))), 1, 1e-7);
  EXPECT_NEAR(last.input / (1e-4 * p * (t - tau * (1 - e))), 1, 1e-7);
}

/// A motor at a locked joint would only heat; this one turns, and the account tells its resistance from its source.
TEST(EnergyAccount, WindingsDissipateWhatTheirResistanceTakes) {
  const std::string body =
      "space = 'planar'\n[[body]]\nname = 'rotor'\nmass = 1\ninertia = 0.5\nposition = [0, 0]\n[[joint]]\n"
      "name = 'axle'\nkind = 'revolute'\nbodies = ['ground', 'rotor']\nat = [0, 0]\n";
  // Without inductance: J w' = k (U - k w)/R, so w = U/k (1 - exp(-t/T)), T = J R/k^2
  const double J = .5, R = 2, k = .5, U = 6, T = J * R / (k * k), t = 3;
  const double e = std::exp(-t / T), heat = U * U / R * T / 2 * (1 - e * e), given = U * U / R * T * (1 - e);
  using testing::branch, testing::nodes;
  const auto winding = account_of(
      body + nodes("a") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 6") +
          branch("M", "motor", "nodes = ['a', 'ground']\njoint = 'axle'\nconstant = 0.5\nresistance = 2"),
      t);
  EXPECT_NEAR(winding.points().back().dissipated / heat, 1, 1e-8);
  EXPECT_NEAR(winding.points().back().input / given, 1, 1e-8);
  const auto element =
      account_of(body +
                     "[[force]]\nname = 'M'\nkind = 'motor'\njoint = 'axle'\nconstant = 0.5\n"
                     "resistance = 2\ninductance = 1e-5\nvoltage = '6'\n",
                 t);
  EXPECT_NEAR(element.points().back().dissipated / heat, 1, 1e-4) << "but for the inductance";
  EXPECT_NEAR(element.points().back().input / given, 1, 1e-4);
}

TEST(EnergyAccount, IsEmptyWhereNoEnergyIsKnown) {
  EXPECT_TRUE(account("lorenz", {}, 1).points().empty());
  EXPECT_TRUE(account("manufactured", {}, 1).points().empty());
}

/// A block slides down a slope of 0.5 rad against dry friction of 3.2 N: backwards it would push the same way, until its mode ends.
TEST(EnergyAccount, DryFrictionThatSticksAndSlipsDissipates) {
  const auto sliding = account_of(
      "space = \"planar\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n"
      "[[joint]]\nname = \"g\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"b\"]\nat = [0, 0]\n"
      "along = [\"cos(0.5)\", \"sin(0.5)\"]\n"
      "[[force]]\nname = \"f\"\nkind = \"stick-slip\"\njoint = \"g\"\nmost = 4\nsliding = 3.2\n[run]\nend = "
      "2\n",
      2);
  const auto& end = sliding.points().back();
  const double way = (9.81 * std::sin(.5) - 3.2) / 2 * 4;  // a t^2/2
  EXPECT_NEAR(end.dissipated, 3.2 * way, 1e-2);
  EXPECT_NEAR(end.input, 0, 1e-9);
  EXPECT_LT(sliding.worst(), 1e-6);
}

}  // namespace
}  // namespace dalembert
