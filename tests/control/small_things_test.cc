// Are reactions, potentials and places right where a tolerance of 1e-6 m, m/s or A would allow large errors of them?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/solve.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch, testing::nodes;

/// The multipliers at all outputs.
struct Recorder final : Observer {
  void begin(const Problem& problem, const State&) override { block = *problem.report().find("lambda"); }
  void output(const State& state) override { lambda.push_back(state[block]); }
  Block block;
  std::vector<Vector> lambda;
};

/// With the tolerances that a call without --atol has.
Solution solved(const Model& model, double rtol, double end) {
  RunSettings settings;
  settings.rtol = rtol;
  settings.end = end;
  return solve(model.problem(), resolve(settings, *model.problem()).options);
}

/// A coil that feeds 100 kohm: V = U (1 - exp(-t R/L)). A part of a microampere is a part of a volt.
TEST(SmallThings, APotentialBehindALargeResistanceIsRight) {
  const std::string circuit = nodes("ab") +
                              branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 5") +
                              branch("L", "inductor", "nodes = ['a', 'b']\ninductance = 1e4") +
                              branch("R", "resistor", "nodes = ['b', 'ground']\nresistance = 1e5");
  const Model model = Model::from_text(circuit);
  for (const double rtol : {1e-3, 1e-4, 1e-6}) {
    const Solution s = solved(model, rtol, .3);
    ASSERT_EQ(s.summary.outcome, Outcome::ok);
    EXPECT_NEAR(1e5 * s.summary.state.y[0], 5 * (1 - std::exp(-3.)), 10 * rtol) << rtol;
  }
}

/// A pipe of inertia L and resistance R into a volume: at rest in the end, where nothing flows and no power is spent.
TEST(SmallThings, TheFlowOfAPipeComesToRest) {
  const Model model =
      Model::from_text(nodes("sa", "hydraulic") +
                       branch("U", "pressure-source", "nodes = ['s', 'ground']\npressure = '100 bar'") +
                       branch("P", "pipe", "nodes = ['s', 'a']\nlength = 2.4\ndiameter = '10 mm'") +
                       branch("V", "volume", "node = 'a'\nvolume = '0.2 l'"));
  const Solution s = solved(model, 1e-3, 3);
  ASSERT_EQ(s.summary.outcome, Outcome::ok);
  const Layout layout = model.mechanism->layout();
  for (Eigen::Index i = 0; i < layout.size(); ++i)
    if (layout.label(i) == "s.P.flow") EXPECT_LT(std::abs(s.summary.state.y[i]), 1e-7);  // 1e-3 at first
}

/// A pendulum of a millimetre, beside one of a metre that swings slower by the root of a thousand.
TEST(SmallThings, APendulumOfAMillimetreSwingsLikeALargeOne) {
  const auto pendulum = [](const std::string& length) {
    return Model::from_text(
        "space = 'planar'\n[parameters]\nL = " + length +
        "\n[[body]]\nname = 'b'\nmass = 1\ninertia = 'L^2/12'\nposition = ['L', 0]\n"
        "[[joint]]\nname = 'j'\nkind = 'revolute'\nbodies = ['ground', 'b']\nat = [0, 0]\n");
  };
  const double place = solved(pendulum("1"), 1e-10, 1).summary.state.y[0];
  for (const double rtol : {1e-4, 1e-6}) {
    const Solution small = solved(pendulum("1e-3"), rtol, std::sqrt(1e-3));
    ASSERT_EQ(small.summary.outcome, Outcome::ok);
    EXPECT_NEAR(small.summary.state.y[0] / 1e-3, place, 30 * rtol) << rtol;
  }
}

/// Who gives a tolerance gets that one.
TEST(SmallThings, WhatIsGivenStays) {
  const Model model =
      Model::from_text(nodes("ab") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 5") +
                       branch("L", "inductor", "nodes = ['a', 'b']\ninductance = 1") +
                       branch("R", "resistor", "nodes = ['b', 'ground']\nresistance = 1e5"));
  RunSettings settings;
  settings.rtol = 1e-6;
  const auto entry = [&] {
    return resolve(settings, *model.problem()).options.tolerance.on(model.problem()->layout()).absolute_of(0);
  };
  EXPECT_NEAR(entry(), 1e-11, 1e-14);
  settings.atol_of["s"] = 1e-7;
  EXPECT_EQ(entry(), 1e-7);
  settings.atol_of.clear();
  settings.atol = 1e-5;
  EXPECT_EQ(entry(), 1e-5);
}

/// Dense outputs of dop853 at the limit of its stability: the damper made 4000 tolerances of what they are off.
TEST(SmallThings, ReactionsOfAStiffDamperAreRightBetweenSteps) {
  const std::string file = std::string(DALEMBERT_MODELS) + "/flyball-governor.toml";
  const Model model = Model::from_file(file);
  RunOptions options;
  options.end = .3;
  for (int k = 0; k <= 97; ++k) options.outputs.push_back(.3 * k / 97);
  const auto reactions = [&](const PairRequest& pair, double tolerance) {
    options.request = pair;
    options.tolerance = {tolerance, tolerance};
    Recorder recorder;
    const Summary summary = run(model.mechanism, options, {&recorder});
    EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
    return recorder.lambda;
  };
  const auto exact = reactions({"ggl", "radau"}, 1e-9), ours = reactions({"index1", "dop853"}, 1e-6);
  ASSERT_EQ(exact.size(), ours.size());
  double worst = 0;  // from the third output on: before, steps have grown to that limit unseen
  for (std::size_t k = 3; k < exact.size(); ++k)
    worst = std::max(worst, ((ours[k] - exact[k]).array().abs() / (1 + exact[k].array().abs())).maxCoeff());
  EXPECT_LT(worst, 5e-4);
}

}  // namespace
}  // namespace dalembert
