// Equilibria, modes and the index on the command line: tables, JSON, files, and what is refused.
#include <Eigen/Dense>
#include <cmath>
#include <complex>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliLinearised = Program;
const std::string models = DALEMBERT_SOURCE "/models/";

TEST_F(CliLinearised, ARunStartsAtTheEquilibriumThatWasSaved) {
  const std::string car = models + "quarter-car.toml", rest = file("rest.csv");
  ASSERT_EQ(call("analyse equilibrium " + car + " --save-state " + rest), 0) << err;
  EXPECT_NE(out.find("It is stable"), std::string::npos) << out;
  ASSERT_EQ(call("run " + car + " --from-state " + rest + " --end 0.01 --json"), 0) << err;
  const Json end = Json::parse(out);
  ASSERT_EQ(call("analyse equilibrium " + car + " --json"), 0) << err;
  const Json found = Json::parse(out);
  const Json &names = end["names"]["q"], &q = end["state"]["q"];
  ASSERT_GT(names.size(), 0u);
  double moved = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double there = found["state"]["q." + names[i].get<std::string>()].get<double>();
    moved = std::max(moved, std::abs(q[i].get<double>() - there));
  }
  EXPECT_LT(moved, 1e-8);
}

TEST_F(CliLinearised, WhatHasNoEquilibriumSaysSo) {
  EXPECT_NE(call("analyse equilibrium " + models + "rolling-disc.toml"), 0);
  EXPECT_NE(err.find("balance"), std::string::npos) << err;
}

/// On rails of 30 degrees 2 kg are pushed by 9.81 N; the brake holds with 3, and is not enough.
TEST_F(CliLinearised, WhatHasNoEquilibriumNamesWhatPushes) {
  const std::string sledge =
      write("sledge.toml",
            "space = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"sledge\"\nmass = 2\ninertia = 1\n"
            "position = [0, 0]\n[[joint]]\nname = \"rails\"\nkind = \"prismatic\"\n"
            "bodies = [\"ground\", \"sledge\"]\nat = [0, 0]\nalong = [\"cos(pi/6)\", \"sin(pi/6)\"]\n"
            "[[force]]\nname = \"brake\"\nkind = \"force\"\nbody = \"sledge\"\nat = [0, 0]\n"
            "force = [\"3*cos(pi/6)\", \"3*sin(pi/6)\"]\n[run]\nend = 1\n");
  EXPECT_NE(call("analyse equilibrium " + sledge), 0);
  EXPECT_NE(err.find("what pushes there is weight with 9.81; against it brake with 3"), std::string::npos)
      << err;
  EXPECT_NE(call("analyse equilibrium " + sledge + " --json"), 0);
  EXPECT_EQ(Json::parse(out)["pushing"].get<std::string>(), "weight with 9.81; against it brake with 3")
      << out;
}

TEST_F(CliLinearised, ModesOfTheBicycleAtFiveMetresPerSecond) {
  ASSERT_EQ(call("analyse modes " + models + "bicycle.toml --set v=5 --set push=0 --json"), 0) << err;
  bool weave = false;
  const Json all = Json::parse(out);
  for (const auto& mode : all["modes"])
    weave = weave || (std::abs(mode["value"][0].get<double>() + .77534) < 1e-4 &&
                      std::abs(std::abs(mode["value"][1].get<double>()) - 4.46487) < 1e-4);
  EXPECT_TRUE(weave) << out;
}

/// C (s - A)^-1 B + D: whatever the basis of y is.
std::complex<double> transfer(const nlohmann::ordered_json& of, std::size_t output, std::size_t input,
                              std::complex<double> s) {
  const auto n = static_cast<Eigen::Index>(of["A"].size());
  Eigen::MatrixXcd A(n, n);
  Eigen::VectorXcd B(n), C(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    B[i] = of["B"][at][input].get<double>();
    C[i] = of["C"][output][at].get<double>();
    for (Eigen::Index j = 0; j < n; ++j) A(i, j) = of["A"][at][static_cast<std::size_t>(j)].get<double>();
  }
  const Eigen::VectorXcd y = (s * Eigen::MatrixXcd::Identity(n, n) - A).partialPivLu().solve(B);
  return C.cwiseProduct(y).sum() + of["D"][output][input].get<double>();
}

void expect_transfer(const nlohmann::ordered_json& of, const std::string& output, std::size_t input,
                     std::complex<double> s, std::complex<double> expected) {
  for (std::size_t i = 0; i < of["outputs"].size(); ++i)
    if (of["outputs"][i] == output) {
      EXPECT_LT(std::abs(transfer(of, i, input, s) - expected), 1e-7 * std::abs(expected))
          << output << ": " << transfer(of, i, input, s) << " for " << expected;
      return;
    }
  ADD_FAILURE() << "no output " << output << " in " << of["outputs"];
}

/// m x'' = F - k x - c x', pushed aslant: the guide bears what is across, at once.
TEST_F(CliLinearised, TheStateSpaceOfACartIsItsClosedForm) {
  write("cart.toml", R"TOML(space = "planar"
[parameters]
F = 0
tilt = 0.3
[[body]]
name = "cart"
mass = 2
inertia = 0.1
position = [1, 0]
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "cart"]
at = [1, 0]
along = [1, 0]
[[force]]
kind = "spring"
from = { body = "ground", at = [0, 0] }
to = { body = "cart", at = [1, 0] }
stiffness = 50
damping = 3
length = 1
[[force]]
kind = "force"
body = "cart"
force = ["F*cos(tilt)", "F*sin(tilt)"]
[[watch]]
name = "x"
coordinate = "rail"
[[watch]]
name = "acceleration"
point = { body = "cart", at = [1, 0] }
quantity = "acceleration"
[[watch]]
name = "rail"
reaction = "rail"
[run]
end = 1
)TOML");
  ASSERT_EQ(call("analyse modes " + file("cart.toml") + " --at equilibrium --input F --state-space " +
                 file("cart.json")),
            0)
      << err;
  const Json all = Json::parse(content(file("cart.json")));
  for (const std::complex<double> s : {std::complex<double>(0, 0), {0, 4.}, {1, -7}}) {
    const std::complex<double> x = std::cos(.3) / (2. * s * s + 3. * s + 50.);
    expect_transfer(all, "x", 0, s, x);
    if (s != 0.) expect_transfer(all, "acceleration.x", 0, s, s * s * x);
    expect_transfer(all, "rail.y", 0, s, -std::sin(.3));
  }
}

/// I phi'' = tau - m g l phi about the hanging rest; the pin bears the acceleration of the weight, with a part at once.
TEST_F(CliLinearised, TheStateSpaceOfAPendulumWithATorqueIsItsClosedForm) {
  write("swing.toml", R"TOML(space = "planar"
gravity = [0, -9.81]
[parameters]
tau = 0
[[body]]
name = "bar"
mass = 2
inertia = 0.05
position = [0, -0.4]
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["ground", "bar"]
at = [0, 0]
[[force]]
kind = "torque"
body = "bar"
torque = "tau"
[[watch]]
name = "angle"
coordinate = "pin"
[[watch]]
name = "pin"
reaction = "pin"
[run]
end = 1
)TOML");
  ASSERT_EQ(call("analyse modes " + file("swing.toml") + " --at equilibrium --input tau --state-space " +
                 file("swing.json")),
            0)
      << err;
  const Json all = Json::parse(content(file("swing.json")));
  for (const std::complex<double> s : {std::complex<double>(0, 0), {0, 3.}, {.5, 6}}) {
    const std::complex<double> phi = 1. / ((.05 + 2 * .16) * s * s + 2 * 9.81 * .4);
    expect_transfer(all, "angle", 0, s, phi);
    if (s != 0.) expect_transfer(all, "pin.x", 0, s, 2 * .4 * s * s * phi);
  }
}

/// A resistor, an inductor and a capacitor in a row: the voltage of the source enters the rate of a state.
TEST_F(CliLinearised, TheStateSpaceOfANetworkIsItsClosedForm) {
  write("rlc.toml", R"TOML([parameters]
U = 0
[[node]]
name = "a"
[[node]]
name = "b"
[[node]]
name = "c"
[[branch]]
name = "U"
kind = "voltage-source"
nodes = ["a", "ground"]
voltage = "U"
[[branch]]
name = "R"
kind = "resistor"
nodes = ["a", "b"]
resistance = 20
[[branch]]
name = "L"
kind = "inductor"
nodes = ["b", "c"]
inductance = 0.1
[[branch]]
name = "C"
kind = "capacitor"
nodes = ["c", "ground"]
capacitance = "10 uF"
[[watch]]
name = "u"
potential = "c"
[[watch]]
name = "inductor"
branch = "L"
quantity = "difference"
[run]
end = 1
)TOML");
  ASSERT_EQ(call("analyse modes " + file("rlc.toml") + " --at equilibrium --input U --state-space " +
                 file("rlc.json")),
            0)
      << err;
  const Json all = Json::parse(content(file("rlc.json")));
  for (const std::complex<double> s : {std::complex<double>(0, 0), {0, 900.}, {-50, 1100}}) {
    const std::complex<double> u = 1. / (1e-6 * s * s + 2e-4 * s + 1.);
    expect_transfer(all, "u", 0, s, u);
    if (s != 0.) expect_transfer(all, "inductor", 0, s, 1e-6 * s * s * u);
  }
}

/// b follows the rate of U: H = s R C1/(1 + s R (C1 + C2)), which no A, B, C, D in U has.
TEST_F(CliLinearised, AnInputWhoseRateCountsIsRefused) {
  std::ofstream(file("loop.toml")) << R"TOML(space = "planar"
[parameters]
U = 1
spare = 2
[[node]]
name = "a"
[[node]]
name = "b"
[[branch]]
name = "source"
kind = "voltage-source"
nodes = ["a", "ground"]
voltage = "U"
[[branch]]
name = "C1"
kind = "capacitor"
nodes = ["a", "b"]
capacitance = 1
[[branch]]
name = "C2"
kind = "capacitor"
nodes = ["b", "ground"]
capacitance = 3
[[branch]]
name = "R"
kind = "resistor"
nodes = ["b", "ground"]
resistance = 0.5
[[watch]]
name = "b"
potential = "b"
)TOML";
  const std::string modes = "analyse modes " + file("loop.toml") + " --state-space " + file("loop.json");
  EXPECT_EQ(call(modes + " --input U"), 1);
  EXPECT_NE(err.find("the rate of parameter 'U'"), std::string::npos) << err;
  ASSERT_EQ(call(modes + " --input spare"), 0) << err;
  EXPECT_EQ(Json::parse(content(file("loop.json")))["without_effect"], Json::array({"spare"}));
}

TEST_F(CliLinearised, TheIndexOfAPendulumIsThree) {
  ASSERT_EQ(call("analyse index pendulum"), 0) << err;
  EXPECT_NE(out.find("Index 3."), std::string::npos) << out;
  EXPECT_NE(out.find("Structural index 3"), std::string::npos) << out;
}

TEST_F(CliLinearised, SingularPerturbationIsSaidAndDrawn) {
  const std::string call_it = "analyse singular-perturbation slow-fast --parameter eps --count 3 --quiet";
  ASSERT_EQ(call(call_it + " --plot " + file("layer.svg")), 0) << err;
  EXPECT_NE(out.find("boundary layer"), std::string::npos) << out;
  EXPECT_NE(content(file("layer.svg")).find(">limit + layer<"), std::string::npos);
  const Json all = json(call_it);
  EXPECT_EQ(all["limit_index"], 1);
  EXPECT_EQ(all["fate"], "decays");
  EXPECT_NEAR(all["fast"][0]["value"][0].get<double>(), -100, 1e-6);
  EXPECT_NEAR(all["distances"][1]["order"].get<double>(), 1, .01);
  EXPECT_NEAR(json(call_it + " --eps 0.005")["layer_time"].get<double>(), .005, 1e-9);
  EXPECT_NEAR(
      json("analyse singular-perturbation slow-fast --set eps=0.005 --parameter eps --count 3 --quiet")
          ["layer_time"]
              .get<double>(),
      .005, 1e-9);
}

TEST_F(CliLinearised, SingularPerturbationIsRefusedWithAReason) {
  refused("analyse singular-perturbation slow-fast", {"--parameter"});
  refused("analyse singular-perturbation slow-fast --parameter epz", {"epz", "eps"});
  refused("analyse singular-perturbation slow-fast --parameter eps --eps -1", {"larger than 0"});
  refused("analyse singular-perturbation slow-fast --parameter eps --eps 1", {"eps is not small"});
  refused("analyse singular-perturbation stiff-spring-pendulum --parameter eps", {"eps = 0", "--limit"});
  refused("analyse singular-perturbation circle-bushing --parameter Kn --inverse",
          {"infinite Kn", "--limit"});
  refused("analyse singular-perturbation " + models + "pendulum.toml --parameter mass", {"--eps"});
}

TEST_F(CliLinearised, TheIndexIsDrawn) {
  ASSERT_EQ(call("analyse index pendulum --plot " + file("index.svg")), 0) << err;
  const std::string drawn = content(file("index.svg"));
  for (const char* words : {"Index 3", ">dropped<", ">derivative (E)<"})
    EXPECT_NE(drawn.find(words), std::string::npos) << words;
}

/// 5 sin 2t is zero at the start, and not for long.
TEST_F(CliLinearised, AnEquilibriumOfOneTimeOnlyIsSaidToBeOne) {
  const std::string forced = write(
      "forced.toml",
      "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\n[[force]]\n"
      "name = \"f\"\nkind = \"force\"\nbody = \"p\"\nforce = [\"-x-0.1*vx+5*sin(2*t)\", \"-y-0.1*vy\"]\n"
      "[run]\nend = 1\n");
  ASSERT_EQ(call("analyse modes " + forced), 0) << err;
  EXPECT_NE(out.find("an equilibrium of t = 0 only"), std::string::npos) << out;
}

TEST_F(CliLinearised, OneValueWithoutAnEquilibriumDoesNotHideTheOthers) {
  const std::string hung = write(
      "hung.toml",
      "space = \"planar\"\ngravity = [0, -10]\n[parameters]\nk = 100\n[[body]]\nname = \"p\"\nkind = "
      "\"point\"\n"
      "mass = 2\n[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"p\"\nforce = [\"-k*x\", \"-k*y\"]\n"
      "[run]\nend = 1\n");
  ASSERT_EQ(call("analyse equilibrium " + hung + " --vary k=100:0:5"), 0) << err;
  EXPECT_NE(out.find("q.p.y"), std::string::npos) << out;
  EXPECT_NE(out.find("-0.2"), std::string::npos) << out;
  EXPECT_NE(out.find("none: "), std::string::npos) << out;
}

/// A beam on three supports: rows that follow from others contradict each other off the constraints, and are left out.
TEST_F(CliLinearised, TheSpectrumOfRedundantRowsIsThatOfTheOthers) {
  for (const char* feedback : {"--formulation index1", "--option alpha=5 --option beta=5"}) {
    ASSERT_EQ(call("analyse spectrum bricard --json " + std::string(feedback)), 0) << err;
    for (const auto& each : Json::parse(out)["constraint_errors"])
      for (int part = 0; part < 2; ++part)
        EXPECT_NEAR(each["found"][part].get<double>(), each["theory"][part].get<double>(), .05) << feedback;
  }
  ASSERT_EQ(call("analyse spectrum bricard"), 0) << err;
  EXPECT_NE(out.find("Left out are rows that follow from others"), std::string::npos) << out;
}

TEST_F(CliLinearised, TheStructuralIndexIsNoClaimAboutNumbersThatCancel) {
  ASSERT_EQ(call("analyse index transistor-amplifier"), 0) << err;
  EXPECT_EQ(out.find("whatever the numbers are"), std::string::npos) << out;
  EXPECT_NE(out.find("Those of these equations cancel"), std::string::npos) << out;
  ASSERT_EQ(call("analyse index pendulum"), 0) << err;
  EXPECT_EQ(out.find("cancel"), std::string::npos) << out;
}

/// A point on which formulas act.
std::string point(const std::string& x, const std::string& y, const std::string& more = "") {
  return "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\n" + more +
         "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" + x + "\", \"" + y + "\"]\n";
}

/// x'' = y, y'' = 0: x grows like t^3. With a damper it still grows like t^2, or like the time if y is damped, too.
TEST_F(CliLinearised, ChainsOfZerosGrow) {
  const std::pair<std::string, std::string> cases[] = {{point("y", "0"), "grows like t^3"},
                                                       {point("y - vx", "0"), "grows like t^2"},
                                                       {point("y - vx", "-vy"), "grows like the time"},
                                                       {point("0", "0"), "moves on"}};
  for (const auto& [text, expected] : cases) {
    ASSERT_EQ(call("analyse modes " + write("zeros.toml", text)), 0) << err;
    EXPECT_NE(out.find(expected), std::string::npos) << text << out;
    EXPECT_EQ(out.find("unstable") == std::string::npos, expected == "moves on") << text << out;
  }
}

}  // namespace
}  // namespace dalembert
