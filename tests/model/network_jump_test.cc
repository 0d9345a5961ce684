// Where a source jumps in a loop of stores: do their voltages jump as their charges ask, and is that said?
#include <cmath>

#include "dalembert/observe/monitor.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch;
using testing::ended;
using testing::nodes;
using testing::watch;

/// C1 from a source to b; C2 and R from b to the ground: b jumps by C1/(C1 + C2) and decays with R (C1 + C2).
std::string divider(const std::string& voltage) {
  return nodes("ab") +
         branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = \"" + voltage + "\"") +
         branch("C1", "capacitor", "nodes = ['a', 'b']\ncapacitance = 2e-3") +
         branch("C2", "capacitor", "nodes = ['b', 'ground']\ncapacitance = 1e-3\nvoltage = 0.5") +
         branch("R", "resistor", "nodes = ['b', 'ground']\nresistance = 100") + watch("b", "potential = 'b'");
}

TEST(NetworkJump, ChargesAreKept) {
  const auto after = [](double seconds) { return std::exp(-seconds / 0.3); };
  const double part = 2. / 3;
  EXPECT_NEAR(ended(divider("9*step(t - 0.2)"), 1)["b"], 0.5 * after(1) + part * 9 * after(0.8), 1e-9);
  EXPECT_NEAR(ended(divider("9*(step(t - 0.2) - step(t - 0.5))"), 1)["b"],
              0.5 * after(1) + part * 9 * (after(0.8) - after(0.5)), 1e-9);
  EXPECT_NEAR(ended(divider("floor(4*t)"), 1)["b"],
              0.5 * after(1) + part * (after(0.75) + after(0.5) + after(0.25) + 1), 1e-8);
}

TEST(NetworkJump, OfEveryPairAndToEveryTolerance) {
  const Model model = Model::from_text(divider("9*(step(t - 0.2) - step(t - 0.5))"));
  const double truth = 0.5 * std::exp(-1 / 0.3) + 6 * (std::exp(-0.8 / 0.3) - std::exp(-0.5 / 0.3));
  for (const char* method : {"", "dopri5", "radau", "bdf", "rodas5p", "sdirk4", "hem5"})
    for (const double rtol : {1e-3, 1e-6, 1e-9}) {
      RunOptions options{.tolerance = {.relative = rtol, .absolute = rtol}, .end = 1};
      options.request.method = method;
      const Summary s = run(model.mechanism, options);
      SCOPED_TRACE(method + std::string(" ") + std::to_string(rtol));
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_TRUE(s.warnings.empty()) << s.warnings.front();
      for (const Watch& each : model.watches) EXPECT_NEAR(each.value(s.state), truth, 100 * rtol);
      ASSERT_EQ(s.events.size(), 2u);
      EXPECT_NEAR(s.events[0].t, 0.2, 1e-9);
      EXPECT_EQ(s.events[0].name.substr(0, 8), "jump of ") << s.events[0].name;
    }
}

/// What a run ends with is the motion behind a jump at its end: everything, and it can be gone on with.
TEST(NetworkJump, AtTheEndOfTheRun) {
  for (const char* voltage : {"9*step(t - 1)", "if(t < 1, 0, 9)"}) {
    auto all = ended(divider(voltage), 1);
    EXPECT_NEAR(all["b"], 0.5 * std::exp(-1 / 0.3) + 6, 1e-9) << voltage;
    EXPECT_NEAR(all["s.C2.voltage"], all["b"], 1e-9) << voltage;
  }
}

/// A capacitor that a source holds takes its energy from it at once: 2^2/2.
TEST(NetworkJump, OfACapacitorThatASourceHolds) {
  const Model model = Model::from_text(
      nodes("ab") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = '2*step(t - 0.3)'") +
      branch("C", "capacitor", "nodes = ['a', 'ground']\ncapacitance = 1") +
      branch("R", "resistor", "nodes = ['a', 'b']\nresistance = 1") +
      branch("C2", "capacitor", "nodes = ['b', 'ground']\ncapacitance = 1"));
  Monitor monitor;
  const Summary s = run(model.mechanism, {.tolerance = {1e-9, 1e-9}, .end = 1}, {&monitor});
  EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(s.state.y[0], 2 * (1 - std::exp(-0.7)), 1e-7);
  ASSERT_EQ(s.events.size(), 1u);
  EXPECT_EQ(s.events[0].name, "jump of the energy by 2");
}

}  // namespace
}  // namespace dalembert
