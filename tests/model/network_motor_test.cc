// Do motors between the nodes of a circuit turn joints as their closed forms say, and as the motor that is a force does?
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "dalembert/analysis/equilibrium.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/trajectory.h"
#include "tests/support/force_proofs.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch, testing::complaint, testing::ended, testing::nodes, testing::watch;

/// A disc on a shaft with viscous friction: J w' = k i - b w, L i' = U - R i - k w.
constexpr double J = .02, b = .01, k = .3, R = 2, L = .01, U = 12;

const std::string shaft =
    "space = 'planar'\ngravity = [0, 0]\n"
    "[[body]]\nname = 'disc'\nmass = 1\ninertia = 0.02\n"
    "[[joint]]\nname = 'shaft'\nkind = 'revolute'\nbodies = ['ground', 'disc']\nat = [0, 0]\n"
    "[[force]]\nname = 'bearing'\nkind = 'friction'\njoint = 'shaft'\nviscous = 0.01\n";
const std::string source = branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 12");

std::string motor(const std::string& keys, const std::string& at = "['a', 'ground']") {
  return branch("M", "motor", "nodes = " + at + "\njoint = 'shaft'\nconstant = 0.3\n" + keys);
}

struct Poles {
  double slow, fast;
};

/// s^2 + (R/L + b/J) s + (R b + k^2)/(L J) = 0
Poles poles() {
  const double sum = R / L + b / J, product = (R * b + k * k) / (L * J),
               root = std::sqrt(sum * sum / 4 - product);
  return {-product / (sum / 2 + root), -sum / 2 - root};
}

/// From rest: w = w1 (1 - (p2 exp(p1 t) - p1 exp(p2 t))/(p2 - p1)).
double speed(double t) {
  const auto [p1, p2] = poles();
  return U * k / (R * b + k * k) * (1 - (p2 * std::exp(p1 * t) - p1 * std::exp(p2 * t)) / (p2 - p1));
}

double current(double t) {
  constexpr double h = 1e-5;
  return (J * (speed(t + h) - speed(t - h)) / (2 * h) + b * speed(t)) / k;
}

TEST(NetworkMotor, StartsWithTwoRealPoles) {
  auto all = ended(shaft + nodes("a") + source + motor("resistance = 2\ninductance = 0.01"), .1);
  EXPECT_NEAR(all["v.disc.angle'"], speed(.1), 1e-8);
  EXPECT_NEAR(all["s.M.current"], current(.1), 1e-7);
}

/// Resistance and inductance as branches of their own: the ideal winding between them has its current as unknown.
TEST(NetworkMotor, MayHaveItsResistanceAndInductanceOutside) {
  auto all =
      ended(shaft + nodes("abc") + source + branch("R", "resistor", "nodes = ['a', 'b']\nresistance = 2") +
                branch("L", "inductor", "nodes = ['b', 'c']\ninductance = '10 mH'") +
                motor("", "['c', 'ground']") + watch("i", "branch = 'M'") + watch("u", "potential = 'c'"),
            .1);
  EXPECT_NEAR(all["v.disc.angle'"], speed(.1), 1e-8);
  EXPECT_NEAR(all["i"], current(.1), 1e-7);
  EXPECT_NEAR(all["u"], k * speed(.1), 1e-8);
}

TEST(NetworkMotor, WithoutInductanceHasOnePole) {
  const double rate = (k * k / R + b) / J;
  auto all = ended(shaft + nodes("a") + source + motor("resistance = 2") + watch("i", "branch = 'M'"), .1);
  EXPECT_NEAR(all["v.disc.angle'"], U * k / R / (J * rate) * (1 - std::exp(-rate * .1)), 1e-8);
  EXPECT_NEAR(all["i"], (U - k * all["v.disc.angle'"]) / R, 1e-12);
}

/// A current source turns an ideal motor with a constant torque, and its voltage is that of the speed.
TEST(NetworkMotor, TakesTheCurrentOfASource) {
  auto all =
      ended(shaft + nodes("a") + branch("I", "current-source", "nodes = ['ground', 'a']\ncurrent = 2") +
                motor("") + watch("u", "potential = 'a'") + watch("P", "branch = 'M'\nquantity = 'power'"),
            .5);
  const double w = 2 * k / b * (1 - std::exp(-b / J * .5));
  EXPECT_NEAR(all["v.disc.angle'"], w, 1e-8);
  EXPECT_NEAR(all["u"], k * w, 1e-9);
  EXPECT_NEAR(all["P"], 2 * k * w, 1e-8);
}

/// A motor that runs as a generator: a spinning disc feeds a resistor through an ideal winding.
TEST(NetworkMotor, BrakesAsAGenerator) {
  std::string turning = shaft;
  turning.replace(turning.find("inertia = 0.02"), 14, "inertia = 0.02\nspin = 50");
  auto all =
      ended(turning + nodes("a") + branch("load", "resistor", "nodes = ['a', 'ground']\nresistance = 5") +
                motor("") + watch("P", "branch = 'load'\nquantity = 'power'"),
            .4);
  const double w = 50 * std::exp(-(k * k / 5 + b) / J * .4);
  EXPECT_NEAR(all["v.disc.angle'"], w, 1e-8);
  EXPECT_NEAR(all["P"], k * k * w * w / 5, 1e-8);
}

TEST(NetworkMotor, HasTheModesOfItsPoles) {
  const Model model =
      Model::from_text(shaft + nodes("a") + source + motor("resistance = 2\ninductance = 0.01"));
  const Linearisation linear = linearise(*model.mechanism, model.mechanism->start());
  const Modes modes = modes_of(linear.A);
  ASSERT_EQ(modes.all.size(), 2u);
  EXPECT_EQ(modes.zeros, 1);  // nothing holds the angle
  EXPECT_NEAR(modes.all[0].value.real(), poles().slow, 1e-9);
  EXPECT_NEAR(modes.all[1].value.real(), poles().fast, 1e-7);
}

/// Against a torsion spring it comes to rest where the torque at standstill holds the spring: c phi = k U/R.
TEST(NetworkMotor, ComesToRestAgainstASpring) {
  const Model model = Model::from_text(
      shaft + "[[force]]\nname = 'spring'\nkind = 'torsion-spring'\njoint = 'shaft'\nstiffness = 4\n" +
      nodes("a") + source + motor("resistance = 2\ninductance = 0.01"));
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  const Layout layout = model.mechanism->layout();
  EXPECT_NEAR(rest.state.y[2], k * U / R / 4, 1e-10);  // q.disc.angle
  EXPECT_NEAR(rest.state.y[layout["s"].offset], U / R, 1e-10);
}

const std::string crank = R"(
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 0.2
inertia = 0.01
position = [0.075, 0]
[[body]]
name = "rod"
mass = 0.5
inertia = 0.01
position = [0.35, 0]
[[body]]
name = "slider"
mass = 0.8
inertia = 1e-3
position = [0.55, 0]
[[joint]]
name = "shaft"
kind = "revolute"
bodies = ["ground", "crank"]
at = [0, 0]
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["crank", "rod"]
at = [0.15, 0]
[[joint]]
name = "wrist"
kind = "revolute"
bodies = ["rod", "slider"]
at = [0.55, 0]
[[joint]]
name = "guide"
kind = "prismatic"
bodies = ["ground", "slider"]
at = [0.55, 0]
along = [1, 0]
)";

TEST(NetworkMotor, TurnsASliderCrankAsTheForceDoes) {
  const std::string keys = "constant = 0.05\nresistance = 1\ninductance = 5e-3\nratio = 10\ncurrent = 2\n";
  auto net = ended(crank + nodes("a") +
                       branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = '24*sin(3*t)'") +
                       branch("M", "motor", "nodes = ['a', 'ground']\njoint = 'shaft'\n" + keys),
                   1.5);
  auto force = ended(
      crank + "[[force]]\nname = 'M'\nkind = 'motor'\njoint = 'shaft'\nvoltage = '24*sin(3*t)'\n" + keys,
      1.5);
  for (const auto& [name, value] : force) EXPECT_NEAR(net[name], value, 1e-7 * (1 + std::abs(value))) << name;
}

/// Power in = dissipated + stored, integrated over a run with a buffer capacitor, a diode and an ideal winding.
TEST(NetworkMotor, TurnsAllPowerIntoHeatAndMotion) {
  const Model model = Model::from_text(
      crank + "[[force]]\nname = 'rubs'\nkind = 'friction'\njoint = 'guide'\nviscous = 3\n" + nodes("abcd") +
      branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 24") +
      branch("Ri", "resistor", "nodes = ['a', 'b']\nresistance = 0.5") +
      branch("C", "capacitor", "nodes = ['b', 'ground']\ncapacitance = '10 mF'\nvoltage = 24") +
      branch("Rw", "resistor", "nodes = ['b', 'c']\nresistance = 1") +
      branch("Lw", "inductor", "nodes = ['c', 'd']\ninductance = '5 mH'") +
      branch("D", "diode", "nodes = ['ground', 'd']\nsaturation = 1e-9") +
      branch("M", "motor", "nodes = ['d', 'ground']\njoint = 'shaft'\nconstant = 0.05\nratio = 10") +
      watch("in", "branch = 'U'\nquantity = 'power'") + watch("Ri", "branch = 'Ri'\nquantity = 'power'") +
      watch("Rw", "branch = 'Rw'\nquantity = 'power'") + watch("D", "branch = 'D'\nquantity = 'power'") +
      watch("slide", "coordinate = 'guide'") + watch("kept", "energy = 'total'"));
  Monitor monitor;
  Trajectory recorded;
  const Summary summary = run(model.mechanism, {.tolerance = {.relative = 1e-9, .absolute = 1e-11}, .end = 1},
                              {&monitor, &recorded});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  const auto value = [&](const std::string& name, const State& at) {
    for (const Watch& each : model.watches)
      if (each.name == name) return each.value(at);
    ADD_FAILURE() << name;
    return 0.;
  };
  const Layout layout = model.mechanism->layout();
  Eigen::Index slider = 0;
  while (layout.label(slider) != "v.slider.x'") ++slider;
  double in = 0, heat = 0;  // Simpson's rule
  constexpr int pieces = 4000;
  for (int i = 0; i <= pieces; ++i) {
    const State at = recorded(static_cast<double>(i) / pieces);
    const double weight = (i == 0 || i == pieces ? 1 : i % 2 == 1 ? 4 : 2) / (3. * pieces), v = at.y[slider];
    in -= weight * value("in", at);
    heat += weight * (value("Ri", at) + value("Rw", at) + value("D", at) + 3 * v * v);
  }
  const double stored = value("kept", recorded(1)) - value("kept", recorded(0));
  EXPECT_GT(in, 10);
  EXPECT_GT(stored, .01);
  EXPECT_NEAR(in, heat + stored, 1e-6 * in);
  EXPECT_NEAR(monitor.energy()->error(), 0, 1e-6 * in);
}

TEST(NetworkMotor, HasTheDerivativesOfDifferences) {
  const Model model = Model::from_text(
      crank + nodes("ab") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = '9 + t'") +
      branch("R", "resistor", "nodes = ['a', 'b']\nlaw = 'voltage + voltage^3/50'") +
      branch("M", "motor", "nodes = ['b', 'ground']\njoint = 'shaft'\nconstant = 0.4") +
      branch("N", "motor",
             "nodes = ['b', 'ground']\njoint = 'guide'\nconstant = 3\n"
             "resistance = 1\ninductance = 0.1\ncurrent = 0.5"));
  expect_derivatives(*model.mechanism);
  expect_power(*model.mechanism);
}

TEST(NetworkMotor, IsRefusedByNameWhereItsCurrentIsNotDetermined) {
  const std::string ideal = complaint(shaft + nodes("a") + source + motor(""));
  EXPECT_TRUE(ideal.starts_with("model.toml:")) << ideal;
  EXPECT_NE(ideal.find("do not determine the current of 'M'"), std::string::npos) << ideal;
  EXPECT_NE(ideal.find("index 2"), std::string::npos) << ideal;
  const std::string coil =
      complaint(shaft + nodes("a") + branch("I", "current-source", "nodes = ['ground', 'a']\ncurrent = 2") +
                motor("inductance = 0.01"));
  EXPECT_NE(coil.find("only inductors, windings and current sources ('I', 'M') lead to node 'a'"),
            std::string::npos)
      << coil;
}

TEST(NetworkMotor, ComplainsWithThePlace) {
  EXPECT_EQ(complaint(shaft + nodes("a") + source +
                      branch("M", "motor",
                             "nodes = ['a', 'ground']\njoint = 'shafts'\nconstant = 1\nresistance = 1")),
            "model.toml:29:9: unknown joint 'shafts'; did you mean 'shaft'?");
  EXPECT_EQ(complaint(shaft + nodes("a") + source + motor("current = 3\nresistance = 1")),
            "model.toml:31:11: a winding without inductance has no current of its own; leave it out");
  EXPECT_EQ(complaint(shaft + nodes("a", "hydraulic") + motor("resistance = 1")),
            "model.toml:23:10: node 'a' is hydraulic; branch 'M' needs one of kind \"electrical\" here");
  EXPECT_EQ(complaint(shaft + nodes("a") + source + motor("resistance = -1")).substr(0, 17),
            "model.toml:31:14:");
}

}  // namespace
}  // namespace dalembert
