// Do sizes, masses and the frame of a drawing leave alone what analyses say?
#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliScales = Program;

std::vector<double> frequencies(const nlohmann::ordered_json& modes) {
  std::vector<double> all;
  for (const auto& mode : modes) all.push_back(std::abs(double(mode["value"][1])));
  std::sort(all.begin(), all.end());
  return all;
}

/// A millimetre, whose bodies are as stiff to ways as to turns are soft. Eigenvalues by exact Hessians on the constraints, in 40 digits.
TEST_F(CliScales, APlateOfAMillimetreHasItsEigenvalues) {
  const std::string file = write("plate.toml", R"TOML(space = "spatial"
[[body]]
name = "b0"
mass = 0.046431497724159526
inertia = [5.383162953048533e-10, 4.95219516815754e-10, 6.5683067933994e-10]
position = [0.0010326189700892994, -0.00022024817336355483, 0.0003894712426128895]
orientation = [0.1736107408039871, -0.5358852252156137, 0.21427302742955304, 0.79798083046479]
[[joint]]
name = "j0"
kind = "planar"
bodies = ["ground", "b0"]
at = [0.000889752232974109, -0.0001410672442944536, 0.00024322790321746246]
normal = [0.17706599778955817, 0.9691296012278867, -0.17156762063590356]
[[force]]
name = "s0_0"
kind = "spring"
from = { body = "ground", at = [0.0008065403690630477, -0.00022267643319964092, 0.0009368425550618396] }
to = { body = "b0", at = [0.001073265774344385, 0.00015884315652117307, 0.00017288833795758388] }
stiffness = 23902.1694761381
length = 0.0008879754026231818
[[force]]
name = "s0_1"
kind = "spring"
from = { body = "ground", at = [-0.00023138221056517906, -0.0010567171863908587, -0.0014532894907852269] }
to = { body = "b0", at = [0.0006211590692102365, -6.869046948973059e-05, 0.00039072265938518033] }
stiffness = 48717.77567644232
length = 0.001478232742732822
[[force]]
name = "s0_2"
kind = "spring"
from = { body = "ground", at = [0.001193852978196005, -5.26502329777534e-06, 0.0009522244092927017] }
to = { body = "b0", at = [0.0009399570030031568, -0.00023839402418255885, -3.8728525757707796e-05] }
stiffness = 21968.332926177773
[[force]]
name = "s0_3"
kind = "spring"
from = { body = "ground", at = [-0.00024621175582359943, 0.0010693598981332743, -0.0010562792755628415] }
to = { body = "b0", at = [0.0008546722692893705, 0.00018003865313224586, 0.0004088614949885893] }
stiffness = 57499.42495601233
)TOML");
  const Json found = json("analyse modes " + file + " --at equilibrium");
  EXPECT_EQ(found["zero_eigenvalues"], 0);
  const auto w = frequencies(found["modes"]);
  ASSERT_EQ(w.size(), 3u) << found;
  EXPECT_NEAR(w[0], 744.697, 1e-3);
  EXPECT_NEAR(w[1], 1012.685, 1e-3);
  EXPECT_NEAR(w[2], 4274.930, 1e-3);
}

/// 80 g on a pin of 17 t that stiff springs hold: it hangs straight down, at sqrt(m g l/(J + m l^2)).
TEST_F(CliScales, ALightPendulumHangsOnAHeavyBody) {
  const std::string spring = "[[force]]\nkind = \"spring\"\nstiffness = 2e9\nlength = 1\n";
  const std::string file = write(
      "heavy.toml",
      "space = \"planar\"\n[[body]]\nname = \"heavy\"\nmass = 17e3\ninertia = 9e3\nposition = [0, 0]\n"
      "[[joint]]\nname = \"guide\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"heavy\"]\nat = [0, 0]\n"
      "along = [1, 1]\n" +
          spring +
          "name = \"s\"\nfrom = { body = \"ground\", at = [1, 0] }\nto = { body = \"heavy\", at = [0, 0] }\n"
          "[[body]]\nname = \"light\"\nmass = 0.08\ninertia = 1e-5\nposition = [0.04, -0.03]\n[[joint]]\n"
          "name = \"pin\"\nkind = \"revolute\"\nbodies = [\"heavy\", \"light\"]\nat = [0, 0]\n");
  const Json found = json("analyse equilibrium " + file);
  EXPECT_NEAR(double(found["state"]["q.light.angle"]), std::atan2(-4., 3.), 1e-9);
  EXPECT_NEAR(frequencies(found["modes"])[0], std::sqrt(.08 * 9.81 * .05 / (1e-5 + .08 * .0025)), 1e-3);
}

/// No joint and no load that would be seen: forces of three springs cancel.
TEST_F(CliScales, ABodyThatIsDrawnTurnedHangsAsStable) {
  for (const std::string turn : {"", "orientation = { axis = [1, 2, 3], angle = \"60 deg\" }\n"}) {
    std::string text =
        "space = \"spatial\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [0.1, 0.11, 0.12]\n"
        "position = [0, 0, 0]\n" +
        turn;
    const std::pair<std::string, std::string> springs[] = {
        {"[0, 0, 2]", "[0.1, 0, 1]"}, {"[1, 0, 2]", "[1, 0.2, 1]"}, {"[0, 1, 2]", "[0, 1, 1]"}};
    for (const auto& [from, to] : springs)
      text += "[[force]]\nname = \"s" + from.substr(1, 1) + from.substr(4, 1) +
              "\"\nkind = \"spring\"\nstiffness = 100\nfrom = { body = \"ground\", at = " + from +
              " }\nto = { body = \"b\", at = " + to + " }\n";
    const Json found = json("analyse modes " + write("hung.toml", text) + " --at equilibrium");
    EXPECT_NE(std::string(found["verdict"]).find("It is stable"), std::string::npos)
        << turn << found["verdict"];
  }
}

/// x'' = -100 x in an angle whose turns are counted: the count is no freedom.
TEST_F(CliScales, ATorsionSpringInSpaceAddsNoZeros) {
  const auto hinge = [&](const std::string& angle) {
    return write(
        "hinge" + angle + ".toml",
        "space = \"spatial\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\n"
        "inertia = [0.1, 0.1, 0.1]\nposition = [0, 0, 0]\n[[joint]]\nname = \"h\"\nkind = \"revolute\"\n"
        "bodies = [\"ground\", \"b\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n[[force]]\nname = \"t\"\n"
        "kind = \"torsion-spring\"\njoint = \"h\"\nstiffness = 10\nangle = " +
            angle + "\n");
  };
  // Beyond half a turn, which a quaternion alone does not know, and beyond several.
  for (const double angle : {0., 4., 30.}) {
    const Json found = json("analyse equilibrium " + hinge(std::to_string(angle)));
    EXPECT_EQ(found["zero_eigenvalues"], 0);
    EXPECT_NE(std::string(found["verdict"]).find("It is stable"), std::string::npos) << found["verdict"];
    EXPECT_NEAR(double(found["state"]["s.t.turned"]), angle, 1e-6);
  }
  EXPECT_EQ(json("analyse floquet " + hinge("0") + " --period 0.3")["multipliers"].size(), 2u);
  EXPECT_EQ(json("analyse lyapunov " + hinge("0") + " --end 20")["exponents"].size(), 2u);
  // It swings from 0 to 8 and back, more than a turn.
  EXPECT_NEAR(double(json("analyse floquet " + hinge("4"))["period"]), 2 * 3.14159265358979323846 / 10, 1e-9);
}

/// What the damper of one pendulum takes from another one is rounding.
TEST_F(CliScales, ADamperOnOnePendulumDoesNotPushTheOther) {
  const auto pendulum = [](const std::string& name, double y) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = 0.1\nposition = [0.5, " +
           std::to_string(y) + "]\n[[joint]]\nname = \"j" + name +
           "\"\nkind = \"revolute\"\nbodies = [\"ground\", \"" + name + "\"]\nat = [0, " + std::to_string(y) +
           "]\n";
  };
  const std::string file = write("two.toml", "space = \"planar\"\n" + pendulum("a", 0) + pendulum("b", 3) +
                                                 "[[force]]\nname = \"t\"\nkind = \"torsion-spring\"\n"
                                                 "joint = \"jb\"\nstiffness = 10\ndamping = 1\n");
  const std::string said = json("analyse modes " + file + " --at equilibrium")["verdict"];
  EXPECT_NE(said.find("It is stable"), std::string::npos) << said;
}

/// 5 rows of rank 5, one of which holds a turn by a lever of a millimetre only: as `run` does, it says what it leaves out.
TEST_F(CliScales, ARowThatIsTakenAsRoundedIsNamed) {
  const std::string file = write(
      "lever.toml",
      "space = \"planar\"\n[[body]]\nname = \"a\"\nmass = 6\ninertia = 26\nposition = [0, -2]\n[[joint]]\n"
      "name = \"j1\"\nkind = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0]\n[[body]]\nname = "
      "\"b\"\n"
      "mass = 55\ninertia = 200\nposition = [1, -6]\n[[joint]]\nname = \"j2\"\nkind = \"revolute\"\n"
      "bodies = [\"a\", \"b\"]\nat = [0, -4]\n[[joint]]\nname = \"loop\"\nkind = \"distance\"\n"
      "from = { body = \"a\", at = [0.001, -4] }\nto = { body = \"b\", at = [1.4, -7] }\n");
  for (const std::string call : {"analyse equilibrium ", "analyse modes --at equilibrium "}) {
    const std::string said = json(call + file)["warning"];
    EXPECT_NE(said.find("lambda.loop.rod"), std::string::npos) << call << said;
  }
  ASSERT_EQ(this->call("analyse equilibrium " + file), 0) << err;
  EXPECT_EQ(out.find("Drives are stopped"), std::string::npos) << out;
  EXPECT_NE(out.find("Warning: rows are inconsistent"), std::string::npos) << out;
}

/// Undamped pendulums: the period by the arithmetic-geometric mean, and both multipliers 1.
TEST_F(CliScales, APendulumOfAMillimetreIsAsOneOfAHundredMetres) {
  for (const double l : {1e-3, 1e-2, 1., 100.})
    for (const double amplitude : {.05, 1., 2.5}) {
      double a = 1, b = std::cos(amplitude / 2);
      for (int k = 0; k < 8; ++k) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b), a = mean;
      }
      char text[400];
      std::snprintf(
          text, sizeof text,
          "space = \"planar\"\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nposition = [%.17g, "
          "%.17g]\n[[joint]]\nname = \"h\"\nkind = \"distance\"\nfrom = { body = \"ground\", at = [0, 0] "
          "}\nto = { body = \"b\", at = [%.17g, %.17g] }\n",
          l * std::sin(amplitude), -l * std::cos(amplitude), l * std::sin(amplitude),
          -l * std::cos(amplitude));
      const Json found = json("analyse floquet " + write("pendulum.toml", text));
      const double period = 2 * 3.14159265358979323846 * std::sqrt(l / 9.81) / a;
      EXPECT_NEAR(double(found["period"]), period, 1e-7 * period) << l << " " << amplitude;
      EXPECT_EQ(found["stability"], "neutral") << l << " " << amplitude;
      EXPECT_EQ(found["drifts_along"], true) << l << " " << amplitude;
    }
}

/// A body that turns over is where it was after one turn, though its quaternion has changed its sign: with w^2 = w0^2 - 2 m g l (1 - cos)/J.
TEST_F(CliScales, ARotorComesBackAfterOneTurn) {
  const Json found =
      json("analyse floquet " +
           write("rotor.toml",
                 "space = \"spatial\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\n"
                 "inertia = [0.1, 0.1, 0.1]\nposition = [0, 0, 0]\nspin = [0, 0, 2]\n[[joint]]\n"
                 "name = \"h\"\nkind = \"revolute\"\nbodies = [\"ground\", \"b\"]\nat = [0, 0, 0]\n"
                 "axis = [0, 0, 1]\n[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"b\"\n"
                 "at = [0.1, 0, 0]\nforce = [0.5, 0, 0]\n"));
  // J w' = -0.05 sin(angle): the period is the integral of 1/w over a turn.
  double period = 0;
  constexpr int points = 400;
  for (int k = 0; k < points; ++k) {
    const double angle = 2 * 3.14159265358979323846 * k / points;
    period += 2 * 3.14159265358979323846 / points / std::sqrt(4 - 2 * .5 * (1 - std::cos(angle)));
  }
  EXPECT_NEAR(double(found["period"]), period, 1e-8 * period);
  EXPECT_EQ(found["stability"], "neutral");
}

/// A bob on a cone goes round at sqrt(g/(l cos)), whatever its length.
TEST_F(CliScales, AConeOfACentimetreIsASteadyMotion) {
  for (const double l : {.005, .02, 1., 50.}) {
    const double angle = .5, w = std::sqrt(9.81 / (l * std::cos(angle)));
    char text[400];
    std::snprintf(
        text, sizeof text,
        "space = \"spatial\"\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nposition = [%.17g, 0, "
        "%.17g]\nvelocity = [0, %.17g, 0]\n[[joint]]\nname = \"h\"\nkind = \"distance\"\nfrom = { body = "
        "\"ground\", at = [0, 0, 0] }\nto = { body = \"b\", at = [%.17g, 0, %.17g] }\n",
        l * std::sin(angle), -l * std::cos(angle), l * std::sin(angle) * w, l * std::sin(angle),
        -l * std::cos(angle));
    const Json found = json("analyse modes " + write("cone.toml", text));
    EXPECT_EQ(found["base"], "steady motion") << l;
    // w sqrt(1 + 3 cos^2) in the frame that goes along.
    EXPECT_NEAR(frequencies(found["modes"]).back(), w * std::sqrt(1 + 3 * std::pow(std::cos(angle), 2)),
                1e-5 * w)
        << l;
  }
}

}  // namespace
}  // namespace dalembert
