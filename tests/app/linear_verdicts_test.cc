// Does `analyse modes` claim no more than linear terms, and what was tried beside them, say?
#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliLinearVerdicts = Program;

/// A point on which formulas act.
std::string point(const std::string& x, const std::string& y, const std::string& start = "") {
  return "space = \"planar\"\ngravity = [0, 0]\n[parameters]\nc = 0\n[[body]]\nname = \"a\"\nkind = "
         "\"point\"\nmass = 1\n" +
         start + "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" + x + "\", \"" + y +
         "\"]\n";
}

/// Stiffness and damping of these are the same.
TEST_F(CliLinearVerdicts, AreLeftToHigherTermsWhereForcesPutEnergyIn) {
  const std::string in = "forces put energy in", unknown = "no potential that is known",
                    least = "It is stable";
  const std::pair<std::string, std::string> cases[] = {
      {point("-x + vx^3", "-y - vy"), in},
      {point("-x - vx^3", "-y - vy"), unknown},
      {point("-x - y*(x^2 + y^2)", "-y + x*(x^2 + y^2)"), in},
      {point("-x - x*(x^2 + y^2)", "-y - y*(x^2 + y^2)"), unknown},
      {point("-x + y*vx", "-y - vy + vx^2"), in},
      {point("-x", "-4*y + x^2"), in},  // y grows by resonance; no work around loops about the origin
      {point("-x + 10*vx^3*(1e-8 - x^2 - vx^2)", "-y"), unknown},
      {point("-x", "-2*y"), least}};
  for (const auto& [text, verdict] : cases) {
    const std::string said = json("analyse modes " + write("point.toml", text))["verdict"];
    for (const std::string& each : {in, unknown, least})
      EXPECT_EQ(said.find(each) != std::string::npos, each == verdict) << text << said;
  }
}

/// A bob of 10 g between springs 5 cm long, beside whose anchors forces turn within millimetres.
TEST_F(CliLinearVerdicts, OfSmallSpringsAreThoseOfLargeOnes) {
  const std::string spring =
      "[[force]]\nkind = \"spring\"\nstiffness = 100\nlength = 0.04\nfrom = { body = \"m\", at = [0, 0] }\n";
  const std::string bob = "space = \"planar\"\n[[body]]\nname = \"m\"\nkind = \"point\"\nmass = 0.01\n" +
                          spring + "name = \"a\"\nto = { body = \"ground\", at = [-0.05, 0.02] }\n" + spring +
                          "name = \"b\"\nto = { body = \"ground\", at = [0.05, 0.03] }\n";
  ASSERT_EQ(call("analyse equilibrium " + write("bob.toml", bob)), 0) << err;
  EXPECT_NE(out.find("It is stable"), std::string::npos) << out;
}

/// First and second rates vanish at the start of all but the last two.
/// Four bodies of a millimetre and less on two springs, at the least of their energy: eigenvalues from 8i to 2184i, of which rounding hides some.
TEST_F(CliLinearVerdicts, CallNothingUnstableWhereTheEnergyIsLeast) {
  const std::string bodies = R"TOML(space="planar"
[[body]]
name="b0"
mass=5.190272582984144e-06
inertia=7.381958555239461e-13
position=[-0.0004636148468477064,0.0003069629140593533]
[[force]]
name="f0_1"
kind="spring"
from={body="ground",at=[-0.0003765721100754342,0.0008740831808348002]}
to={body="b0",at=[-0.0007017708442744787,0.0003656998077366191]}
stiffness=0.04196228553629828
length=0.00041756670522472136
[[body]]
name="b1"
mass=3.542882780650354e-07
inertia=4.019178053735278e-14
position=[-0.0013042054017160503,0.0011568271086740784]
[[joint]]
name="j1"
kind="revolute"
bodies=["b0","b1"]
at=[-0.0004636148468477064,0.0003069629140593533]
[[body]]
name="b2"
mass=8.016091156312364e-06
inertia=9.638443334931431e-13
position=[-0.002247460039602481,0.0009883098409803654]
[[joint]]
name="j2"
kind="distance"
from={body="b1",at=[-0.0013042054017160503,0.0011568271086740784]}
to={body="b2",at=[-0.002324238215920199,0.000803634147827949]}
[[body]]
name="b3"
mass=1.1605881220074645e-07
inertia=3.958451743635437e-15
position=[-0.0012565531113265386,0.0008813510388766167]
[[joint]]
name="j3"
kind="distance"
from={body="b2",at=[-0.002247460039602481,0.0009883098409803654]}
to={body="b3",at=[-0.0011310558959660097,0.0010370765953429625]}
[[force]]
name="f3_1"
kind="spring"
from={body="ground",at=[-0.0011438670799528254,0.0007130699533754968]}
to={body="b3",at=[-0.0012428945326603503,0.0008683988869579763]}
stiffness=0.031014151347451977
length=0.0001786792213747544
damping=4.316164104519169e-06
)TOML";
  ASSERT_EQ(call("analyse modes " + write("small.toml", bodies) + " --at equilibrium"), 0) << err;
  EXPECT_EQ(out.find("unstable"), std::string::npos) << out;
  EXPECT_EQ(out.find("vanishes"), std::string::npos) << out;
}

TEST_F(CliLinearVerdicts, CallSteadyWhatStaysSo) {
  const std::string along = "position = [0, 0]\nvelocity = [1, 0]\n",
                    around = "position = [1, 0]\nvelocity = [0, 1]\n";
  const std::pair<std::string, bool> cases[] = {{point("-x", "-y - 0.3*y^3", around), false},
                                                {point("0", "-(1 + x^3)*y", along), false},
                                                {point("0", "-(1 + step(x - 1))*y", along), false},
                                                {point("0", "-y", along), true},
                                                {point("-x", "-y", around), true}};
  for (const auto& [text, steady] : cases) {
    ASSERT_EQ(call("analyse modes " + write("moving.toml", text + "[run]\nend = 4\n")), 0) << err;
    EXPECT_EQ(out.find("This is a steady motion") != std::string::npos, steady) << text << out;
  }
}

/// (s^2 + 1)(s^2 + 1.9) + c^2 = 0: beyond c = 0.45 there are four roots of one size. Linear interpolation names the value of the grid before it.
TEST_F(CliLinearVerdicts, NameWhereFlutterBegins) {
  const std::string file = write("flutter.toml", point("-x + c*y", "-1.9*y - c*x"));
  for (const char* grid : {"c=0:1:11", "c=0:1:4", "c=0.1:3:3", "c=1:0:8"}) {
    ASSERT_EQ(call("analyse modes " + file + " --vary " + grid), 0) << err;
    EXPECT_NE(out.find("Near c = 0.45 an oscillation of 0.192 Hz"), std::string::npos) << grid << out;
  }
}

/// A block on a slope that sticks.
TEST_F(CliLinearVerdicts, FrictionThatSticksHolds) {
  const std::string block = write("block.toml",
                                  "space = \"planar\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = "
                                  "1\n[[joint]]\nname = \"g\"\nkind = \"prismatic\"\n"
                                  "bodies = [\"ground\", \"a\"]\nat = [0, 0]\nalong = [1, "
                                  "0.3]\n[[force]]\nname = \"fr\"\nkind = \"stick-slip\"\n"
                                  "joint = \"g\"\nmost = 5\nsliding = 3\n");
  ASSERT_EQ(call("analyse equilibrium " + block), 0) << err;
  EXPECT_EQ(out.find("no force resists"), std::string::npos) << out;
  EXPECT_NE(out.find("friction that sticks"), std::string::npos) << out;
}

/// A soft spring beside a stiff one: the energy is least all the same.
TEST_F(CliLinearVerdicts, KnowASoftSpringBesideAStiffOne) {
  ASSERT_EQ(call("analyse equilibrium " + write("soft.toml", point("1e-4*(1 - x)", "1e6*(1 - y)"))), 0)
      << err;
  EXPECT_NE(out.find("It is stable"), std::string::npos) << out;
  EXPECT_NE(
      call("analyse equilibrium " + write("fade.toml", point("exp(-x^2)", "-y", "position = [0.2, 0.5]\n"))),
      0);
  EXPECT_NE(err.find("a.x runs away"), std::string::npos) << err;
}

TEST_F(CliLinearVerdicts, AtTheTimeOfTheStartAreThoseOfTheStart) {
  ASSERT_EQ(call("analyse modes pendulum --at 0 --json"), 0) << err;
  const std::string at_zero = out;
  ASSERT_EQ(call("analyse modes pendulum --json"), 0) << err;
  EXPECT_EQ(at_zero, out);
}

}  // namespace
}  // namespace dalembert
