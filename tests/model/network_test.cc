// Do networks in files do what their elements say, whatever the order, the orientation and the units they are written in?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/problem/catalogue.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch, testing::complaint, testing::ended, testing::nodes, testing::watch;

const std::string source = branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 10");
const std::string resistor = branch("R", "resistor", "nodes = ['a', 'b']\nresistance = '2 kohm'");
const std::string capacitor = branch("C", "capacitor", "nodes = ['b', 'ground']\ncapacitance = '5 uF'");

TEST(Network, ACapacitorChargesWithTimeConstantRC) {
  auto all = ended(nodes("ab") + source + resistor + capacitor + watch("i", "branch = 'R'") +
                       watch("source", "branch = 'U'\nquantity = 'power'") +
                       watch("heat", "branch = 'R'\nquantity = 'power'") +
                       watch("charging", "branch = 'C'\nquantity = 'power'") + watch("b", "potential = 'b'"),
                   .02);
  const double left = std::exp(-2);
  EXPECT_NEAR(all["s.C.voltage"], 10 * (1 - left), 1e-9);
  EXPECT_NEAR(all["b"], 10 * (1 - left), 1e-9);
  EXPECT_NEAR(all["i"], 5e-3 * left, 1e-12);
  EXPECT_NEAR(all["source"], -.05 * left, 1e-11);
  EXPECT_NEAR(all["source"] + all["heat"] + all["charging"], 0, 1e-15);
}

TEST(Network, NeitherOrderNorOrientationMatters) {
  const std::string reversed =
      branch("R", "resistor", "nodes = ['b', 'a']\nresistance = 2000") +
      branch("C", "capacitor", "nodes = ['ground', 'b']\ncapacitance = 5e-6") +
      branch("U", "voltage-source", "nodes = ['ground', 'a']\nvoltage = '-10000 mV'");
  auto one = ended(nodes("ab") + source + resistor + capacitor + watch("i", "branch = 'R'"), .02);
  auto other = ended(nodes("ba") + reversed + watch("i", "branch = 'R'"), .02);
  EXPECT_NEAR(one["s.C.voltage"], -other["s.C.voltage"], 1e-12);
  EXPECT_NEAR(one["i"], -other["i"], 1e-15);
}

TEST(Network, ASeriesCircuitRingsAsItsClosedForm) {
  const double L = .1, C = 1e-5, R = 20, U = 10, t = .02, delta = R / (2 * L),
               omega = std::sqrt(1 / (L * C) - delta * delta);
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/rlc.toml");
  const Summary summary = run(model.mechanism, {.tolerance = {.relative = 1e-10, .absolute = 1e-12}});
  ASSERT_EQ(summary.outcome, Outcome::ok);
  const double decay = U * std::exp(-delta * t);
  EXPECT_NEAR(summary.state.y[0], decay * (std::cos(omega * t) + delta / omega * std::sin(omega * t)), 1e-8);
  EXPECT_NEAR(summary.state.y[1], -C * decay * (omega + delta * delta / omega) * std::sin(omega * t), 1e-10);
}

TEST(Network, ATransformerTakesTheLoadTimesTheSquareOfItsRatio) {
  auto all = ended(nodes("abc") + source + resistor +
                       branch("T", "transformer", "nodes = ['b', 'ground', 'c', 'ground']\nratio = 5") +
                       branch("load", "resistor", "nodes = ['c', 'ground']\nresistance = 80") +
                       watch("i1", "branch = 'T'") + watch("c", "potential = 'c'") +
                       watch("b", "potential = 'b'") + watch("i2", "branch = 'load'") +
                       branch("C", "capacitor", "nodes = ['b', 'ground']\ncapacitance = 1e-9"),
                   .001);
  EXPECT_NEAR(all["i1"], 10 / (2000 + 25 * 80.), 1e-15);
  EXPECT_NEAR(all["i2"], 5 * all["i1"], 1e-15);
  EXPECT_NEAR(all["b"], 5 * all["c"], 1e-13);
}

/// A coil behind a diode, switched on: u = R i + V ln(1 + i/Is) at rest.
TEST(Network, ADiodeLetsThroughWhatItsExponentialSays) {
  const std::string rest = branch("L", "inductor", "nodes = ['b', 'c']\ninductance = '10 mH'") +
                           branch("D", "diode", "nodes = ['c', 'ground']\nsaturation = 1e-9") +
                           branch("leak", "resistor", "nodes = ['c', 'ground']\nresistance = 1e6");
  auto all = ended(nodes("abc") + source + resistor + rest + watch("u", "potential = 'c'"), .001);
  const double i = all["s.L.current"], u = all["u"];
  EXPECT_NEAR(i, 1e-9 * (std::exp(u / .026) - 1) + u / 1e6, 1e-15);
  EXPECT_NEAR(10, 2000 * i + u, 1e-7);
  const std::string shut = branch("U", "voltage-source", "nodes = ['ground', 'a']\nvoltage = 10");
  EXPECT_NEAR(ended(nodes("abc") + shut + resistor + rest, .001)["s.L.current"], -1e-9 - 10 / 1.002e6, 1e-11);
}

/// A diode behind a transformer: 1e-9 A where it is shut beside 60 A through the resistor.
std::string transformed(const std::string& voltage) {
  return branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = '" + voltage + "'") +
         branch("R", "resistor", "nodes = ['a', 'b']\nresistance = 0.5") +
         branch("T", "transformer", "nodes = ['b', 'ground', 'c', 'ground']\nratio = 2") +
         branch("D", "diode", "nodes = ['c', 'd']\nsaturation = 1e-9") +
         branch("C", "capacitor", "nodes = ['d', 'ground']\ncapacitance = 0.02");
}

/// The number is that of 0.02 v' = i - v/20 with 40 sin(8 t) = 2 (v + V ln(1 + i/Is)) + 0.5 i/2, by rk4 in steps of 1e-5.
TEST(Network, ADiodeBehindATransformerShuts) {
  const Model model =
      Model::from_text(nodes("abcd") + transformed("40*sin(8*t)") +
                       branch("load", "resistor", "nodes = ['d', 'ground']\nresistance = 20"));
  for (const char* method : {"dop853", "radau", "bdf"}) {
    const Summary summary =
        run(model.mechanism,
            {.request = {.method = method}, .tolerance = {.relative = 1e-8, .absolute = 1e-8}, .end = 2});
    ASSERT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
    EXPECT_NEAR(summary.state.y[0], 11.43306574133, 1e-6) << method;
  }
}

/// Once all is at -200 V, exp(200/0.026) at the potentials of the start, where Newton's method begins, is no number.
TEST(Network, ADiodeConductsFarBelowThePotentialsOfTheStart) {
  auto all =
      ended(nodes("abcde") + transformed("-400*tanh(10*t)") +
                branch("low", "voltage-source", "nodes = ['e', 'ground']\nvoltage = '-800*tanh(10*t)'") +
                branch("load", "resistor", "nodes = ['d', 'e']\nresistance = 20") +
                watch("i", "branch = 'D'") + watch("c", "potential = 'c'"),
            6);
  const double i = all["i"], d = all["s.C.voltage"];
  EXPECT_NEAR(i, (d + 800) / 20, 1e-8);
  EXPECT_NEAR(d, -200 - .125 * i - .026 * std::log1p(i / 1e-9), 1e-8);
}

/// A switch opens, and the diode behind it takes over the coil's current: until then neither of them conducts, and Newton's first step is
/// a thousand million volts. Over so short a time the diode is at V ln(1 + i/Is), and the coil loses what it is under.
TEST(Network, ADiodeTakesOverWhatASwitchLeaves) {
  const std::string coil =
      branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 12") +
      branch("S", "resistor", "nodes = ['a', 'b']\nlaw = 'voltage*if(t < 0.001, 10, 1e-9)'") +
      branch("D", "diode", "nodes = ['ground', 'b']\nsaturation = 1e-14") +
      branch("L", "inductor", "nodes = ['b', 'c']\ninductance = 0.001\ncurrent = 1") +
      branch("R", "resistor", "nodes = ['c', 'ground']\nresistance = 5");
  auto all = ended(nodes("abc") + coil + watch("u", "potential = 'b'"), .0012);
  const double i = all["s.L.current"];
  EXPECT_NEAR(all["u"], -.026 * std::log1p(i / 1e-14), 1e-6);
  // L i' = 12 - 5.1 i for a millisecond, then -5 i - u with u = V ln(1 + i/Is): by the trapezoidal rule in i.
  const double on = 12 / 5.1 + (1 - 12 / 5.1) * std::exp(-5.1);
  double t = 0;
  const int pieces = 100000;
  const auto rate = [](double now) { return (5 * now + .026 * std::log1p(now / 1e-14)) / .001; };
  for (int k = 0; k < pieces; ++k) {
    const double a = on + (i - on) * k / pieces, b = on + (i - on) * (k + 1) / pieces;
    t += (a - b) * (1 / rate(a) + 1 / rate(b)) / 2;
  }
  EXPECT_NEAR(t, .0002, 1e-9);
}

/// exp(u/V) - 1 has the error of 1 where u is small; a law that a file writes so does, too.
TEST(Network, SmallVoltagesHaveCurrents) {
  const std::string rest = nodes("ab") +
                           branch("C", "capacitor", "nodes = ['a', 'ground']\ncapacitance = 0.01") +
                           branch("R", "resistor", "nodes = ['b', 'ground']\nresistance = 2");
  for (const std::string& junction :
       {branch("D", "diode", "nodes = ['a', 'b']\nsaturation = 0.3\nthermal = 2"),
        branch("D", "resistor", "nodes = ['a', 'b']\nlaw = '0.3*(exp(voltage/2) - 1)'")}) {
    const Model model = Model::from_text(rest + junction);
    const auto place = model.mechanism->placed_at(0, Vector());
    for (double u = 1e-9; u < 1e-6; u *= 1.001) {
      Vector rate(1);
      model.mechanism->auxiliary(*place, Vector(), Vector{{u}}, rate);
      ASSERT_NEAR(rate[0], -u / (2 / .3 + 2) / .01, 1e-6 * u / .01 + 1e-14) << u << "\n" << junction;
    }
  }
}

TEST(Network, TheAmplifierHasTheVoltagesOfTheCatalogue) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/transistor-amplifier.toml");
  const Summary summary = run(
      model.mechanism, {.request = {.method = "radau"}, .tolerance = {.relative = 1e-7, .absolute = 1e-9}});
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  const auto catalogue = make_problem("transistor-amplifier")->exact(.2);
  ASSERT_TRUE(catalogue);
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(model.watches[i].value(summary.state), catalogue->y[static_cast<Eigen::Index>(i)], 1e-7)
        << model.watches[i].name;
}

/// The index is 2: a current that jumps with U', stores whose voltages are not independent.
TEST(Network, LoopsOfStoresAndSourcesAreSolved) {
  auto all =
      ended(nodes("ab") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = '10*sin(t)'") +
                branch("C1", "capacitor", "nodes = ['a', 'ground']\ncapacitance = 3") +
                branch("C2", "capacitor", "nodes = ['a', 'b']\ncapacitance = 2") +
                branch("C3", "capacitor", "nodes = ['b', 'ground']\ncapacitance = 6") +
                watch("i", "branch = 'U'") + watch("b", "potential = 'b'"),
            1);
  EXPECT_NEAR(all["i"], -(3 + 2 * 6 / 8.) * 10 * std::cos(1), 1e-9);
  EXPECT_NEAR(all["b"], 10 * std::sin(1) * 2 / 8, 1e-9);
}

TEST(Network, WhatHasNoUniqueCurrentsIsRefusedByName) {
  EXPECT_NE(
      complaint(nodes("a") + source + branch("V", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 10"))
          .find("sources in a loop: 'V', 'U'"),
      std::string::npos);
  const std::string coils = branch("L1", "inductor", "nodes = ['a', 'b']\ninductance = 1") +
                            branch("L2", "inductor", "nodes = ['b', 'ground']\ninductance = 1");
  EXPECT_NE(complaint(nodes("ab") + source + coils)
                .find("only inductors, windings and current sources ('L1', 'L2') lead to node 'b'"),
            std::string::npos);
  EXPECT_NE(complaint(nodes("abc") + source + resistor + capacitor)
                .find("no current can flow between the ground and node 'c'"),
            std::string::npos);
  EXPECT_NE(complaint(nodes("ab") + source +
                      branch("T", "transformer", "nodes = ['a', 'ground', 'b', 'ground']\nratio = 2") +
                      branch("W", "voltage-source", "nodes = ['b', 'ground']\nvoltage = 5"))
                .find("do not determine the current of 'T'"),
            std::string::npos);
  EXPECT_NE(complaint(nodes("a") + source +
                      branch("C", "capacitor", "nodes = ['a', 'ground']\ncapacitance = 1\nvoltage = 3"))
                .find("'C' cannot start with 3: it lies in a loop of sources and stores that gives it 10"),
            std::string::npos);
  EXPECT_NE(complaint(nodes("ab") + source + resistor +
                      branch("R2", "resistor", "nodes = ['b', 'ground']\nresistance = 1"))
                .find("nothing in this network keeps anything"),
            std::string::npos);
  EXPECT_NE(complaint(nodes("a", "hydraulic") + source).find("node 'a' is hydraulic"), std::string::npos);
  EXPECT_NE(complaint(nodes("ab") + source + branch("R", "resistor", "nodes = ['a', 'bb']\nresistance = 1"))
                .find("unknown node 'bb'"),
            std::string::npos);
}

/// The line of a complaint, without the name of the text.
int line_of(const std::string& text) {
  try {
    Model::from_text(text);
  } catch (const ModelError& error) {
    return error.complaints().front().place.line;
  }
  return 0;
}

/// The line on which the [[node]] or [[branch]] of that name begins.
int begin_of(const std::string& text, const std::string& name) {
  const auto at = text.find("name = \"" + name + "\"");
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST(Network, WhatIsWrongIsSaidWhereItIsWrong) {
  const std::string loop =
      nodes("a") + source + branch("V", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 10");
  EXPECT_EQ(line_of(loop), begin_of(loop, "V"));
  const std::string floating = nodes("abc") + source + resistor + capacitor;
  EXPECT_EQ(line_of(floating), begin_of(floating, "c"));
  const std::string coils = nodes("ab") + source +
                            branch("L1", "inductor", "nodes = ['a', 'b']\ninductance = 1") +
                            branch("L2", "inductor", "nodes = ['b', 'ground']\ninductance = 1");
  EXPECT_EQ(line_of(coils), begin_of(coils, "L1"));
  const std::string transformer =
      nodes("ab") + source + branch("T", "transformer", "nodes = ['a', 'ground', 'b', 'ground']\nratio = 2") +
      branch("W", "voltage-source", "nodes = ['b', 'ground']\nvoltage = 5");
  EXPECT_EQ(line_of(transformer), begin_of(transformer, "T"));
  const std::string started =
      nodes("ab") + source + resistor + capacitor +
      branch("C2", "capacitor", "nodes = ['ground', 'b']\ncapacitance = 1\nvoltage = 3") +
      branch("C3", "capacitor", "nodes = ['b', 'ground']\ncapacitance = 1\nvoltage = 4");
  EXPECT_EQ(line_of(started), begin_of(started, "C3"));
  const std::string law = nodes("ab") + source + resistor +
                          branch("bad", "resistor", "nodes = ['b', 'ground']\nlaw = 'sqrt(voltage - 20)'") +
                          branch("L", "inductor", "nodes = ['a', 'ground']\ninductance = 1");
  EXPECT_EQ(line_of(law), begin_of(law, "bad")) << complaint(law);
}

TEST(Network, AnOrificeHasTheRootOfThePressureAndIsLaminarBelowSoft) {
  const auto flow = [](double pressure) {
    return ended(nodes("a", "hydraulic") +
                     branch("p", "pressure-source",
                            "nodes = ['a', 'ground']\npressure = " + std::to_string(pressure)) +
                     branch("O", "orifice", "nodes = ['a', 'ground']\nflow = 1e-7\nsoft = 1e4") +
                     branch("P", "pipe", "nodes = ['a', 'ground']\nlength = 1\ndiameter = 0.01") +
                     watch("q", "branch = 'O'"),
                 .1)["q"];
  };
  EXPECT_NEAR(flow(1e7) / (1e-7 * std::sqrt(1e7)), 1, 1e-6);
  EXPECT_NEAR(flow(-1e7), -flow(1e7), 1e-18);
  EXPECT_NEAR(flow(10) / (1e-7 * 10 / std::sqrt(1e4)), 1, 1e-6);
}

TEST(Network, APipeComesToItsLaminarFlowWithItsTimeConstant) {
  const double d = .01, mu = .04, rho = 860, l = 2, R = 128 * mu * l / (std::numbers::pi * std::pow(d, 4)),
               tau = rho * d * d / (32 * mu);
  auto all = ended(nodes("a", "hydraulic") +
                       branch("p", "pressure-source", "nodes = ['a', 'ground']\npressure = '2 bar'") +
                       branch("P", "pipe", "nodes = ['a', 'ground']\nlength = 2\ndiameter = '10 mm'"),
                   tau);
  EXPECT_NEAR(all["s.P.flow"] / (2e5 / R * (1 - std::exp(-1))), 1, 1e-9);
}

/// Isothermal: p (V0 - oil) = p0 V0 with absolute pressures, while a pump fills it.
TEST(Network, AnAccumulatorHoldsOilByTheLawOfItsGas) {
  const std::string text = nodes("a", "hydraulic") +
                           branch("P", "pump", "nodes = ['ground', 'a']\nflow = 1e-4") +
                           branch("A", "accumulator",
                                  "node = 'a'\nvolume = '1 l'\nfilling = '49 bar'\nexponent = 1\nambient = "
                                  "'1 bar'\npressure = '49 bar'");
  EXPECT_NEAR(ended(text, 5)["s.A.pressure"], 5e6 / (1 - .5) - 1e5, 1);
  const auto kept = [&](double t) {
    const Model model = Model::from_text(text);
    const State state = run(model.mechanism, {.tolerance = {.relative = 1e-10}, .end = t}).state;
    return *model.mechanism->energy(*model.mechanism->placed_at(state), Vector(), state.y);
  };
  EXPECT_NEAR(kept(5) - kept(1e-9), 5e6 * 1e-3 * std::log(2) - 1e5 * .5e-3, 1e-4);
}

/// Half a litre of oil is drawn out of it within 5 s.
TEST(Network, AnAccumulatorThatRunsEmptyEndsTheRunByName) {
  const Model model = Model::from_text(
      nodes("a", "hydraulic") + branch("P", "pump", "nodes = ['a', 'ground']\nflow = 1e-4") +
      branch("A", "accumulator",
             "node = 'a'\nvolume = '1 l'\nfilling = '49 bar'\nexponent = 1\nambient = '1 bar'\n"
             "pressure = '99 bar'"));
  for (const char* method : {"", "radau", "bdf", "dopri5"})
    for (const double rtol : {1e-3, 1e-6, 1e-9}) {
      RunOptions options{.tolerance = {.relative = rtol}, .end = 10};
      options.request.method = method;
      const Summary summary = run(model.mechanism, options);
      SCOPED_TRACE(summary.message);
      EXPECT_EQ(summary.outcome, Outcome::out_of_range);
      EXPECT_NEAR(summary.state.t, 5, 10 * rtol);
      EXPECT_NE(summary.message.find("'A' is empty"), std::string::npos);
    }
}

}  // namespace
}  // namespace dalembert
