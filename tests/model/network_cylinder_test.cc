// Do cylinders between hydraulic nodes push as their closed forms say, with oil that gives way and with oil that does not?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/equilibrium.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/model/model_findings.h"
#include "dalembert/observe/monitor.h"
#include "tests/support/force_proofs.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch, testing::complaint, testing::ended, testing::nodes, testing::watch;

/// Masses of 20 kg and 5 kg on guides along x, half a metre from the ground points of their cylinders.
std::string guided(const std::string& name, double mass, double y) {
  const std::string at = "[0.5, " + std::to_string(y) + "]\n";
  return "[[body]]\nname = '" + name + "'\nmass = " + std::to_string(mass) +
         "\ninertia = 1\nposition = " + at + "[[joint]]\nname = 'guide_" + name +
         "'\nkind = 'prismatic'\nbodies = ['ground', '" + name + "']\nat = " + at + "along = [1, 0]\n";
}
const std::string plane = "space = 'planar'\ngravity = [0, 0]\n";
const std::string load = plane + guided("load", 20, 0);
const std::string two = load + guided("light", 5, 1);

std::string cylinder(const std::string& at, const std::string& keys, const std::string& body = "load",
                     const std::string& y = "0") {
  return branch("Z" + body, "cylinder",
                "nodes = " + at + "\nfrom = { body = 'ground', at = [0, " + y + "] }\nto = { body = '" +
                    body + "', at = [0.5, " + y + "] }\n" + keys);
}
const std::string ideal = "areas = [2e-3, 1e-3]\nvolumes = [0, 0]\n";

TEST(NetworkCylinder, AtConstantPressureAcceleratesItsLoad) {
  auto all = ended(load + nodes("a", "hydraulic") +
                       branch("p", "pressure-source", "nodes = ['a', 'ground']\npressure = '10 bar'") +
                       cylinder("['a', 'ground']", ideal) + watch("q", "branch = 'Zload.a'") +
                       watch("P", "branch = 'Zload.a'\nquantity = 'power'"),
                   .05);
  const double a = 1e6 * 2e-3 / 20;
  EXPECT_NEAR(all["q.load.x"], .5 + a * .05 * .05 / 2, 1e-10);
  EXPECT_NEAR(all["q"], 2e-3 * a * .05, 1e-13);
  EXPECT_NEAR(all["P"], 1e6 * 2e-3 * a * .05, 1e-6);
}

/// omega = sqrt(2 A^2 beta/(V m)) between two closed chambers, and 1/sqrt(2) of that with one of them open to the tank.
TEST(NetworkCylinder, BetweenClosedChambersHasTheHydraulicNaturalFrequency) {
  const double omega = std::sqrt(2 * 4e-6 * 1.5e9 / (5e-4 * 20));
  for (const auto& [at, expected] :
       {std::pair{"['a', 'b']", omega}, {"['a', 'ground']", omega / std::sqrt(2)}}) {
    const bool both = std::string(at) == "['a', 'b']";
    const Model model = Model::from_text(
        load + nodes(both ? "ab" : "a", "hydraulic") +
        cylinder(at, both ? "areas = [2e-3, 2e-3]\nvolumes = [5e-4, 5e-4]\npressures = [5e6, 5e6]"
                          : "areas = [2e-3, 2e-3]\nvolumes = [5e-4, 5e-4]"));
    const Modes modes = modes_of(linearise(*model.mechanism, model.mechanism->start()).A);
    ASSERT_EQ(modes.all.size(), 1u);
    EXPECT_NEAR(modes.all[0].value.imag(), expected, 1e-9 * expected);
    EXPECT_NEAR(modes.all[0].value.real(), 0, 1e-9 * expected);
  }
}

/// Small amplitudes of the same, in time: x = v/omega sin omega t.
TEST(NetworkCylinder, RingsWithThatFrequency) {
  const double omega = std::sqrt(2 * 4e-6 * 1.5e9 / (5e-4 * 20)), v = 1e-4;
  std::string moving = load;
  moving.replace(moving.find("inertia = 1\n"), 12, "inertia = 1\nvelocity = [1e-4, 0]\n");
  auto all = ended(
      moving + nodes("ab", "hydraulic") +
          cylinder("['a', 'b']", "areas = [2e-3, 2e-3]\nvolumes = [5e-4, 5e-4]\npressures = [5e6, 5e6]"),
      .01);
  EXPECT_NEAR(all["q.load.x"] - .5, v / omega * std::sin(omega * .01), 1e-9 * v);
  EXPECT_NEAR(all["s.Zload.a.chamber.pressure"],
              5e6 - 1.5e9 * 2e-3 / 5e-4 * v / omega * std::sin(omega * .01), .1);
}

/// The force element counts its volumes from the ends of the stroke, the branch from where it is drawn.
TEST(NetworkCylinder, BehindAValvePushesAsTheForceDoes) {
  const std::string valve = "areas = [2e-3, 1.2e-3]\npressures = [3e6, 5e6]\n";
  auto net = ended(
      load + nodes("sab", "hydraulic") +
          branch("p", "pressure-source", "nodes = ['s', 'ground']\npressure = 1e7") +
          branch("V", "valve", "nodes = ['s', 'ground', 'a', 'b']\nspool = '0.5*sin(5*t)'\nflow = 4e-7") +
          cylinder("['a', 'b']", valve + "volumes = ['2e-4 + 2e-3*0.2', '2e-4 + 1.2e-3*0.3']"),
      .4);
  auto force = ended(load +
                         "[[force]]\nname = 'Z'\nkind = 'cylinder'\nfrom = { body = 'ground', at = [0, 0] }\n"
                         "to = { body = 'load', at = [0.5, 0] }\n" +
                         valve +
                         "volumes = [2e-4, 2e-4]\nstroke = [0.3, 0.8]\nflow = 4e-7\nsupply = 1e7\ntank = 0\n"
                         "spool = '0.5*sin(5*t)'\n",
                     .4);
  EXPECT_GT(std::abs(force["q.load.x"] - .5), .01);
  EXPECT_NEAR(net["q.load.x"], force["q.load.x"], 1e-9);
  EXPECT_NEAR(net["v.load.x'"], force["v.load.x'"], 1e-8);
  EXPECT_NEAR(net["s.Zload.a.chamber.pressure"] / force["s.Z.pressure_a"], 1, 1e-8);
  EXPECT_NEAR(net["s.Zload.b.chamber.pressure"] / force["s.Z.pressure_b"], 1, 1e-8);
}

/// Behind an orifice pressure follows from speed at once: A v = K sqrt(p - b v/A) in the end, with A^2 v^2 + K^2 b/A v = K^2 p.
TEST(NetworkCylinder, BehindAnOrificeComesToItsSpeed) {
  const double A = 2e-3, K = 1e-7, p = 5e6, damping = 4e3, soft = 10;
  auto all =
      ended(load + "[[force]]\nname = 'rubs'\nkind = 'friction'\njoint = 'guide_load'\nviscous = 4e3\n" +
                nodes("sa", "hydraulic") +
                branch("p", "pressure-source", "nodes = ['s', 'ground']\npressure = 5e6") +
                branch("O", "orifice", "nodes = ['s', 'a']\nflow = 1e-7\nsoft = " + std::to_string(soft)) +
                cylinder("['a', 'ground']", ideal) + watch("u", "potential = 'a'"),
            1);
  const double half = K * K * damping / (2 * A * A * A),
               v = std::sqrt(half * half + K * K * p / (A * A)) - half;
  EXPECT_NEAR(all["v.load.x'"] / v, 1, 1e-8);
  EXPECT_NEAR(all["u"], damping * v / A, 1);
}

/// Two cylinders on one node and no oil that gives way: 2e-3 x1 + 1e-3 x2 is constant, pushed by 100 N. The balance is a row, and
/// the pressure its multiplier: 1e-3 u = 5 x2''.
TEST(NetworkCylinder, OnOneNodeAreALever) {
  const std::string text =
      two +
      "[[force]]\nname = 'push'\nkind = 'force'\nbody = 'load'\n"
      "force = [100, 0]\n" +
      nodes("a", "hydraulic") + cylinder("['a', 'ground']", "areas = [2e-3, 0]\nvolumes = [0, 0]\n") +
      cylinder("['a', 'ground']", "areas = [1e-3, 0]\nvolumes = [0, 0]\n", "light", "1") +
      watch("u", "potential = 'a'") + watch("P", "branch = 'Zload.a'\nquantity = 'power'");
  Monitor monitor;
  auto all = ended(text, .2, {&monitor});
  const double acceleration = 100 / (20 + 5 * 4.);
  EXPECT_NEAR(all["q.load.x"], .5 + acceleration * .02, 1e-10);
  EXPECT_NEAR(all["q.light.x"], .5 - 2 * acceleration * .02, 1e-10);
  EXPECT_NEAR(all["lambda.a.pressure"], -5 * 2 * acceleration / 1e-3, 1e-4);
  EXPECT_NEAR(all["u"], all["lambda.a.pressure"], 1e-9);
  EXPECT_NEAR(all["P"], all["u"] * 2e-3 * acceleration * .2, 1e-6);
  EXPECT_NEAR(monitor.energy()->error(), 0, 1e-9);
  const Findings findings = examine(Model::from_text(text));
  EXPECT_TRUE(findings.fine());
  EXPECT_EQ(findings.degrees_of_freedom, 1);
}

/// With a spring at the heavy one: omega^2 = k/(m1 + 4 m2).
TEST(NetworkCylinder, OnOneNodeHaveTheModeOfALever) {
  const Model model = Model::from_text(
      two +
      "[[force]]\nname = 'spring'\nkind = 'spring'\nfrom = { body = 'ground', at = [1, 0] }\n"
      "to = { body = 'load', at = [0.5, 0] }\nstiffness = 1000\nlength = 0.4\n" +
      nodes("a", "hydraulic") + cylinder("['a', 'ground']", "areas = [2e-3, 0]\nvolumes = [0, 0]\n") +
      cylinder("['a', 'ground']", "areas = [1e-3, 0]\nvolumes = [0, 0]\n", "light", "1"));
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  EXPECT_NEAR(rest.state.y[0], .6, 1e-9);
  const Modes modes = modes_of(linearise(*model.mechanism, rest.state, Time::stands_still).A);
  ASSERT_EQ(modes.all.size(), 1u);
  EXPECT_NEAR(modes.all[0].value.imag(), std::sqrt(1000 / 40.), 1e-8);
}

/// A flow that time gives drives it: A x' = Q, A u = m x''. The work is that of the pump.
TEST(NetworkCylinder, AtAPumpFollowsItsFlow) {
  Monitor monitor;
  auto all = ended(load + nodes("a", "hydraulic") +
                       branch("P", "pump", "nodes = ['ground', 'a']\nflow = '1e-3*sin(3*t)'") +
                       cylinder("['a', 'ground']", ideal) + watch("u", "potential = 'a'") +
                       watch("given", "branch = 'P'\nquantity = 'power'"),
                   .5, {&monitor});
  EXPECT_NEAR(all["q.load.x"], .5 + .5 * (1 - std::cos(1.5)) / 3, 1e-10);
  EXPECT_NEAR(all["mu.a.pressure"], 20 * .5 * 3 * std::cos(1.5) / 2e-3, 1e-4);
  EXPECT_NEAR(all["given"], -all["u"] * 1e-3 * std::sin(1.5), 1e-8);
  EXPECT_NEAR(monitor.energy()->error(), 0, 1e-9);
}

/// A pump and a motor on two shafts, without a leak: 3e-6 w1 = 1e-6 w2, turned by 2 N m.
TEST(NetworkCylinder, ATransmissionOfPumpAndMotorHasItsRatio) {
  const auto wheel = [](const std::string& name, const std::string& inertia, const std::string& x) {
    return "[[body]]\nname = '" + name + "'\nmass = 1\ninertia = " + inertia + "\nposition = [" + x +
           ", 0]\n[[joint]]\nname = 'shaft_" + name + "'\nkind = 'revolute'\nbodies = ['ground', '" + name +
           "']\nat = [" + x + ", 0]\n";
  };
  auto all = ended(
      plane + wheel("one", "0.5", "0") + wheel("two", "0.1", "1") +
          "[[force]]\nname = 'T'\nkind = 'torque'\nbody = 'one'\ntorque = 2\n" + nodes("a", "hydraulic") +
          branch("P", "pump", "nodes = ['ground', 'a']\njoint = 'shaft_one'\ndisplacement = 3e-6") +
          branch("M", "pump", "nodes = ['a', 'ground']\njoint = 'shaft_two'\ndisplacement = 1e-6"),
      2);
  const double acceleration = 2 / (.5 + .1 * 9);
  EXPECT_NEAR(all["v.one.angle'"], 2 * acceleration, 1e-9);
  EXPECT_NEAR(all["v.two.angle'"], 6 * acceleration, 1e-9);
  EXPECT_NEAR(all["lambda.a.pressure"], .1 * 3 * acceleration / 1e-6, 1e-3);
}

/// The same in space, where angles are known up to full turns only: a row of velocity level.
TEST(NetworkCylinder, ATransmissionInSpaceHasItsRatioAfterManyTurns) {
  const auto wheel = [](const std::string& name, const std::string& inertia, const std::string& x) {
    return "[[body]]\nname = '" + name + "'\nmass = 1\ninertia = [1, 1, " + inertia + "]\nposition = [" + x +
           ", 0, 0]\n[[joint]]\nname = 'shaft_" + name + "'\nkind = 'revolute'\nbodies = ['ground', '" +
           name + "']\nat = [" + x + ", 0, 0]\naxis = [0, 0, 1]\n";
  };
  auto all =
      ended("space = 'spatial'\n" + wheel("one", "0.5", "0") + wheel("two", "0.1", "1") +
                "[[force]]\nname = 'T'\nkind = 'torque'\nbody = 'one'\ntorque = [0, 0, 2]\n" +
                nodes("a", "hydraulic") +
                branch("P", "pump", "nodes = ['ground', 'a']\njoint = 'shaft_one'\ndisplacement = 3e-6") +
                branch("M", "pump", "nodes = ['a', 'ground']\njoint = 'shaft_two'\ndisplacement = 1e-6") +
                watch("one", "coordinate = 'shaft_one'") + watch("two", "coordinate = 'shaft_two'"),
            6);
  const double acceleration = 2 / (.5 + .1 * 9);
  EXPECT_NEAR(all["one.rate"], 6 * acceleration, 1e-8);
  EXPECT_NEAR(all["two.rate"], 18 * acceleration, 1e-8);
  EXPECT_NEAR(all["mu.a.pressure"], .1 * 3 * acceleration / 1e-6, 1e-2);
}

/// At rest the loop of the model holds A pa = B pb, the pump gives what leaks, and every small motion decays.
TEST(NetworkCylinder, InAPositionLoopComesToRestAtItsTarget) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/servo-cylinder.toml");
  const Mechanism& m = *model.mechanism;
  const Equilibrium rest = find_equilibrium(m, m.start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  std::map<std::string, double> at;
  for (Eigen::Index i = 0; i < m.layout().size(); ++i) at[m.layout().label(i)] = rest.state.y[i];
  EXPECT_NEAR(2e-3 * at["s.cylinder.a.chamber.pressure"], 1.2e-3 * at["s.cylinder.b.chamber.pressure"], 1e-6);
  EXPECT_NEAR(at["q.carriage.x"], .6, 1e-3);  // off by what spool the unequal areas need
  const double supply = at["s.accumulator.pressure"], u = -20 * (at["q.carriage.x"] - .6);
  const auto through = [&](double spool, double from, double to) {
    const double d = from - to, open = (std::sqrt(spool * spool + .05 * .05) + spool) / 2;
    return 4e-7 * open * d / std::pow(d * d + 1e10, .25);
  };
  const double a = at["s.cylinder.a.chamber.pressure"], b = at["s.cylinder.b.chamber.pressure"];
  EXPECT_NEAR(through(u, supply, a), through(-u, a, 0), 1e-12);
  EXPECT_NEAR(through(-u, supply, b), through(u, b, 0), 1e-12);
  EXPECT_NEAR(2e-4 * (1 - .78 * supply / 1e7), through(u, supply, a) + through(-u, supply, b), 1e-12);
  const Modes modes = modes_of(linearise(m, rest.state, Time::stands_still).A);
  EXPECT_FALSE(modes.any(Mode::Fate::grows));
  EXPECT_EQ(modes.zeros, 0);
}

TEST(NetworkCylinder, HasTheDerivativesOfDifferences) {
  const std::string hydraulics =
      nodes("sab", "hydraulic") + branch("p", "pressure-source", "nodes = ['s', 'ground']\npressure = 1e3") +
      branch("V", "valve",
             "nodes = ['s', 'ground', 'a', 'b']\nspool = '0.3 - position + 0.1*rate'\n"
             "flow = 1e-3\nsoft = 10\njoint = 'guide_load'");
  const std::string stretched = branch(
      "Z", "cylinder",
      "nodes = ['a', 'b']\nfrom = { body = 'ground', at = [0, 0.3] }\nto = { body = 'load', at = [0.4, 0] }\n"
      "areas = [0.2, 0.1]\nbulk_modulus = 100\npressures = [30, 20]\nvolumes = [0.5, 0.6]");
  const Model soft = Model::from_text(load + hydraulics + stretched);
  expect_derivatives(*soft.mechanism);
  expect_power(*soft.mechanism);
  const auto tied = [](const std::string& name, const std::string& body, const std::string& y) {
    return branch(name, "cylinder",
                  "nodes = ['a', 'ground']\nfrom = { body = 'ground', at = [0, 0.3] }\nto = { body = '" +
                      body + "', at = [0.4, " + y + "] }\nareas = [0.2, 0]\nvolumes = [0, 0]\n");
  };
  const std::string lever = tied("Y", "load", "0.1") + tied("Z", "light", "0.9");
  expect_derivatives(*Model::from_text(two + nodes("a", "hydraulic") + lever).mechanism);
  expect_derivatives(*Model::from_text(two + nodes("a", "hydraulic") + lever +
                                       branch("P", "pump", "nodes = ['ground', 'a']\nflow = '0.1*t^2'"))
                          .mechanism);
}

TEST(NetworkCylinder, IsRefusedByNameWhereItsPressureIsNotDetermined) {
  const std::string text = complaint(
      load + nodes("ab", "hydraulic") + branch("P", "pump", "nodes = ['ground', 'a']\nflow = 1e-4") +
      branch("O", "orifice", "nodes = ['a', 'b']\nflow = 1e-7") + cylinder("['b', 'ground']", ideal));
  EXPECT_EQ(text.substr(0, 17), "model.toml:20:1: ") << text;
  EXPECT_NE(text.find("only flows that no pressure changes at once ('P', 'Zload.a') lead to nodes 'a', 'b'"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("give the node a volume, or a leak"), std::string::npos) << text;
}

TEST(NetworkCylinder, ComplainsWithThePlace) {
  const std::string at = load + nodes("ab", "hydraulic");
  EXPECT_EQ(complaint(at + cylinder("['a', 'b']", "areas = [1e-3]\nvolumes = [0, 0]")),
            "model.toml:26:9: a cylinder has two chambers; give two numbers, [piston side, rod side], none "
            "below 0");
  EXPECT_EQ(complaint(at + cylinder("['a', 'b']", "areas = [1e-3, 1e-3]\nvolumes = [-1e-3, 0]")),
            "model.toml:27:11: a cylinder has two chambers; give two numbers, [piston side, rod side], none "
            "below 0");
  EXPECT_EQ(complaint(at + cylinder("['a', 'c']", ideal)),
            "model.toml:23:15: unknown node 'c'; did you mean 'a'?");
  EXPECT_EQ(complaint(at + cylinder("['a', 'b']", ideal, "ground")).substr(0, 17), "model.toml:20:1: ");
}

}  // namespace
}  // namespace dalembert
