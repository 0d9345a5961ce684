// Does every mechanism come to rest somewhere, or is it said why not?
#include "dalembert/analysis/equilibrium.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>

#include "dalembert/analysis/linearisation.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/partitioned.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

/// f - J'l and g at rest, evaluated anew.
void expect_rest(const Mechanical& p, const Equilibrium& rest, const std::string& name) {
  const Mechanical::Sizes n = p.sizes();
  const MechanicalState part(n);
  const auto at = p.placed_at(rest.state);
  Vector f(n.v), g(n.holonomic), ds(n.s);
  p.force(*at, Vector::Zero(n.v), part.s(rest.state.y), f);
  p.g(*at, g);
  if (n.s > 0) p.auxiliary(*at, Vector::Zero(n.v), part.s(rest.state.y), ds);
  Entries J;
  p.jacobian(*at, J);
  J.multiply_transposed(part.multipliers(rest.state.y), -1, f);
  EXPECT_LE(largest(f), 1e-8 * (1e-3 + rest.load)) << name;
  EXPECT_LE(largest(g), 1e-8) << name;
  EXPECT_LE(largest(ds), 1e-8 * (1 + largest(part.s(rest.state.y)))) << name;
  EXPECT_EQ(largest(part.v(rest.state.y)), 0) << name;
}

/// Driven loops that are never in balance where their drive stops, a motor that turns on for ever, what rolls or glides on for ever, and equations that were
/// made for other questions. The torque on driven-pendulum is more than its weight can hold.
const std::set<std::string> without = {
    "four-bar.toml",     "four-bar-spatial.toml", "motor-slider-crank.toml",
    "rolling-disc.toml", "rolling-disc",          "skate",
    "manufactured",      "coupled-linear",        "coupled-nonlinear",
    "wang-hou-modnak",   "driven-pendulum"};

void visit(const Problem& problem, const std::string& name) {
  const Mechanical* p = as_mechanical(problem);
  if (p == nullptr) return;
  const Equilibrium rest = find_equilibrium(*p, p->start());
  EXPECT_EQ(rest.found, !without.contains(name)) << name << ": " << rest.why_not;
  if (rest.found) expect_rest(*p, rest, name);
}

TEST(Equilibrium, OfEveryModelOrTheReasonWhyNot) {
  for (const auto& file : std::filesystem::directory_iterator(DALEMBERT_MODELS))
    if (file.path().extension() == ".toml")
      visit(*Model::from_file(file.path()).mechanism, file.path().filename());
}

TEST(Equilibrium, OfEveryProblemOrTheReasonWhyNot) {
  for (const auto& entry : all_problems())
    if (entry.kind == Kind::mechanical || entry.kind == Kind::partitioned)
      visit(*make_problem(entry.name), entry.name);
}

TEST(Equilibrium, OfAPendulumIsBelowWhereverItIsDrawn) {
  const auto problem = make_problem("pendulum", {{"g", 9.81}});
  for (const double angle : {-3., -1.5, .1, 1.6, 3.1}) {
    State guess = problem->start();
    guess.y << std::sin(angle), -std::cos(angle), 0, 0, 0;
    const Equilibrium rest = find_equilibrium(as<Mechanical>(*problem), guess);
    ASSERT_TRUE(rest.found) << angle << ": " << rest.why_not;
    EXPECT_NEAR(rest.state.y[0], 0, 1e-10) << angle;
    EXPECT_NEAR(rest.state.y[1], -1, 1e-10) << angle;
  }
}

TEST(Equilibrium, NearestMayBeUnstable) {
  const auto problem = make_problem("pendulum");
  State guess = problem->start();
  guess.y << std::sin(3.), -std::cos(3.), 0, 0, 0;
  const Equilibrium rest =
      find_equilibrium(as<Mechanical>(*problem), guess, {EquilibriumOptions::Seek::nearest});
  ASSERT_TRUE(rest.found) << rest.why_not;
  EXPECT_NEAR(rest.state.y[1], 1, 1e-10);
}

/// A weight on a spring, without a joint that would bear it: what cancels on it is not seen.
TEST(Equilibrium, OfABodyWithoutJointsDoesNotDependOnTime) {
  const auto model = [](const std::string& y) {
    return Model::from_text(
        "space = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = 1\n"
        "position = [0, " +
        y +
        "]\n[[force]]\nname = \"spring\"\nkind = \"bushing\"\nbodies = [\"ground\", \"ball\"]\n"
        "at = [0, 0]\nat_b = [0, " +
        y + "]\nstiffness = [100, 300, 5]\n[run]\nend = 1\n");
  };
  for (const char* y : {"0", "-0.0654", "-0.2"}) {
    const Model one = model(y);
    const Equilibrium rest = find_equilibrium(*one.mechanism, one.mechanism->start());
    ASSERT_TRUE(rest.found) << y << ": " << rest.why_not;
    EXPECT_FALSE(rest.timed) << y;
  }
}

/// Oil between two volumes and a pipe: the rate of the flow is a small number of m^3/s^2, that of a pressure a large one of Pa/s.
TEST(Equilibrium, OfOilIsJudgedInTheUnitOfEachState) {
  using testing::branch, testing::nodes;
  const auto model = [](const std::string& b, const std::string& flow) {
    return Model::from_text(
        nodes("ab", "hydraulic") + branch("A", "volume", "node = 'a'\nvolume = 1e-3\npressure = 1e6") +
        branch("B", "volume", "node = 'b'\nvolume = 1e-3\npressure = " + b) +
        branch("P", "pipe", "nodes = ['a', 'b']\nlength = 2\ndiameter = 0.01\nstart = " + flow));
  };
  const auto base = [](const Model& one) { return linearise(*one.mechanism, one.mechanism->start()).base; };
  EXPECT_EQ(base(model("1e6", "0")), Linearisation::Base::equilibrium);
  EXPECT_NE(base(model("1.001e6", "0")), Linearisation::Base::equilibrium) << "1 kPa drives the oil";
  EXPECT_NE(base(model("1e6", "1e-10")), Linearisation::Base::equilibrium) << "it flows";
  for (const char* flow : {"0", "1e-10"}) {
    const Model one = model("1.001e6", flow);
    const Equilibrium rest = find_equilibrium(*one.mechanism, one.mechanism->start());
    ASSERT_TRUE(rest.found) << rest.why_not;
    EXPECT_FALSE(rest.at_guess);
    EXPECT_NEAR(rest.state.y[0], rest.state.y[1], 1e-3);
    EXPECT_NEAR(rest.state.y[2], 0, 1e-17);
    EXPECT_EQ(linearise(*one.mechanism, rest.state, Time::stands_still).base,
              Linearisation::Base::equilibrium);
  }
}

/// A carriage between two chambers whose pressures do not balance: it does not move yet, and is no equilibrium.
TEST(Equilibrium, IsNoneWherePressuresPush) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/servo-cylinder.toml");
  State start = model.mechanism->start();
  EXPECT_NE(linearise(*model.mechanism, start).base, Linearisation::Base::equilibrium);
  const Equilibrium rest = find_equilibrium(*model.mechanism, start);
  ASSERT_TRUE(rest.found) << rest.why_not;
  EXPECT_EQ(linearise(*model.mechanism, rest.state, Time::stands_still).base,
            Linearisation::Base::equilibrium);
}

TEST(Equilibrium, NamesWhatIsPushed) {
  const auto problem = make_problem("driven-pendulum");
  const Equilibrium rest = find_equilibrium(as<Mechanical>(*problem), problem->start());
  EXPECT_FALSE(rest.found);
  EXPECT_NE(rest.why_not.find("pushes"), std::string::npos) << rest.why_not;
}

TEST(Equilibrium, OfAFreeBodyIsRefused) {
  const Model model = Model::from_text(
      "space = \"planar\"\ngravity = [0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = 1\nposition "
      "= [0, 0]\n[run]\nend = 1\n");
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  EXPECT_FALSE(rest.found);
  EXPECT_NE(rest.why_not.find("nothing holds ball.y"), std::string::npos) << rest.why_not;
}

/// Forces that fade with the distance, and one that pulls towards a point where it is infinite: none is ever zero.
TEST(Equilibrium, IsNotWhereTheForceFadesBecauseItRunsAway) {
  for (const char* force : {"1/(x+1)^2", "-1/(x+1)^2", "exp(-x)", "-exp(x)", "exp(-x) + 1e-3/(x+1)^2",
                            "exp(-x^2)", "exp(-x^4)", "1/(x+1)^4"})
    for (const bool beside : {false, true}) {
      const std::string stiff =  // another body, on a spring that is much stiffer than what fades
          "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nposition = [0.5, 1]\n[[force]]\nname = \"k\"\n"
          "kind = \"force\"\nbody = \"b\"\nforce = [\"-1e3*x\", \"-1e3*y\"]\n";
      const Model model = Model::from_text(
          "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\n"
          "[[joint]]\nname = \"s\"\nkind = \"slot\"\nbodies = [\"ground\", \"p\"]\nat = [0, 0]\nalong = [1, "
          "0]\n[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"p\"\nforce = [\"" +
          std::string(force) + "\", 0]\n" + (beside ? stiff : "") + "[run]\nend = 1\n");
      const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
      EXPECT_FALSE(rest.found) << force << (beside ? ", beside a spring" : "");
      EXPECT_NE(rest.why_not, "");
    }
}

/// Two bars of length 1 on torsion springs k = 1, a dead load on top: (2 - P)(1 - P) = 1 is critical. Beyond it the column is bent, by
/// the balance of both moments, k b = P sin(a + b) and k a = k b + P sin a with the turns a and b of the hinges.
TEST(Equilibrium, OfAColumnNextToItsCriticalLoad) {
  const double critical = (3 - std::sqrt(5.)) / 2;
  for (const double tilt : {1e-3, .05, .3})
    for (const double part : {.9, .99, .999, 1., 1.0001, 1.001, 1.01, 1.1}) {
      const Model model = Model::from_text(
          "space = \"planar\"\ngravity = [0, 0]\n[parameters]\nP = 1\ne = 0\n"
          "[[body]]\nname = \"A\"\nmass = 1\ninertia = 0.1\nposition = [\"-sin(e)/2\", \"cos(e)/2\"]\n"
          "angle = \"e\"\n"
          "[[body]]\nname = \"B\"\nmass = 1\ninertia = 0.1\nposition = [\"-1.5*sin(e)\", \"1.5*cos(e)\"]\n"
          "angle = \"e\"\n"
          "[[joint]]\nname = \"h1\"\nkind = \"revolute\"\nbodies = [\"ground\", \"A\"]\nat = [0, 0]\n"
          "[[joint]]\nname = \"h2\"\nkind = \"revolute\"\nbodies = [\"A\", \"B\"]\nat = [\"-sin(e)\", "
          "\"cos(e)\"]\n"
          "[[force]]\nname = \"s1\"\nkind = \"torsion-spring\"\njoint = \"h1\"\nstiffness = 1\n"
          "angle = \"-e\"\n"
          "[[force]]\nname = \"s2\"\nkind = \"torsion-spring\"\njoint = \"h2\"\nstiffness = 1\n"
          "[[force]]\nname = \"load\"\nkind = \"force\"\nbody = \"B\"\nat = [\"-2*sin(e)\", \"2*cos(e)\"]\n"
          "force = [0, \"-P\"]\n[run]\nend = 1\n",
          "model.toml", {{"P", part * critical}, {"e", tilt}});
      const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
      ASSERT_TRUE(rest.found) << part << ": " << rest.why_not;
      EXPECT_LT(rest.steps, 50) << part;
      const double P = part * critical, a = rest.state.y[2], b = rest.state.y[5];  // angles of both bars
      EXPECT_NEAR(b - a, P * std::sin(b), 1e-9) << part;
      EXPECT_NEAR(a, (b - a) + P * std::sin(a), 1e-9) << part;
      EXPECT_EQ(std::abs(a) > .01, part > 1) << part << ": it bends";
    }
}

/// A soft spring beside a stiff one on the same point: each is judged by itself.
TEST(Equilibrium, OfASoftSpringBesideAStiffOne) {
  for (const char* soft : {"1e2", "1e-2", "1e-4", "1e-6"}) {
    const Model model = Model::from_text(
        "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = "
        "1\n[[force]]\n"
        "name = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" +
        std::string(soft) + "*(1-x)\", \"1e6*(1-y)\"]\n[run]\nend = 1\n");
    const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
    ASSERT_TRUE(rest.found) << soft << ": " << rest.why_not;
    EXPECT_NEAR(rest.state.y[0], 1, 1e-8) << soft;
    EXPECT_NEAR(rest.state.y[1], 1, 1e-8) << soft;
  }
}

/// Two free points on a spring: their centre stays where it was drawn.
TEST(Equilibrium, OfAFreeMechanismKeepsItsCentre) {
  const Model model = Model::from_text(
      "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\n"
      "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 3\nposition = [1, 0]\n[[force]]\nname = \"s\"\nkind "
      "= \"spring\"\n"
      "from = {body = \"a\", at = [0, 0]}\nto = {body = \"b\", at = [1, 0]}\nstiffness = 10\nlength = "
      "2\n[run]\nend = 1\n");
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  EXPECT_NEAR(rest.state.y[0], -.75, 1e-9);
  EXPECT_NEAR(rest.state.y[2], 1.25, 1e-9);
}

/// Springs that cancel on a rod without joints: what is left is their rounding, and along its spin nothing holds it.
TEST(Equilibrium, OfARodOnSpringsDoesNotRunAway) {
  const Model model = Model::from_text(R"TOML(space="spatial"
[[body]]
name="b"
mass=2
inertia=[0.5,0.5,0.1]
position=[0.27434,-0.00602,-0.37462]
orientation={axis=[-0.12901,-0.74849,0.0],angle=0.8625909058527618}
[[force]]
name="s00"
kind="spring"
from={body="ground",at=[-3.71876,-1.27404,2.25079]}
to={body="b",at=[-0.4741542500707006,0.12298704904817298,0.27585178179147923]}
stiffness=100
damping=1
length=1
[[force]]
name="s01"
kind="spring"
from={body="ground",at=[-2.94561,0.74028,3.09069]}
to={body="b",at=[-0.4741542500707006,0.12298704904817298,0.27585178179147923]}
stiffness=100
damping=1
length=1
[[force]]
name="s10"
kind="spring"
from={body="ground",at=[-0.2277,-0.00544,-0.11444]}
to={body="b",at=[1.0228342500707006,-0.13502704904817298,-1.0250917817914793]}
stiffness=100
damping=1
length=1
[[force]]
name="s11"
kind="spring"
from={body="ground",at=[1.79919,-1.60324,-0.82305]}
to={body="b",at=[1.0228342500707006,-0.13502704904817298,-1.0250917817914793]}
stiffness=100
damping=1
length=1
)TOML");
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  expect_rest(*model.mechanism, rest, "rod");
}

/// A beam on three supports: of all that bear 58.86 N the least ones, whatever the unit of length.
TEST(Equilibrium, OfRedundantSupportsHasTheLeastReactions) {
  const double weight = 6 * 9.81;
  for (const double metre : {1., 1e3}) {
    const auto number = [](double x) { return std::to_string(x); };
    std::string text = "space = \"planar\"\ngravity = [0, " + number(-9.81 * metre) +
                       "]\n[[body]]\nname = \"beam\"\nmass = 6\ninertia = " + number(2 * metre * metre) +
                       "\nposition = [0, 0]\n";
    for (const int i : {-1, 0, 1})
      text += "[[joint]]\nname = \"s" + std::to_string(i + 1) +
              "\"\nkind = \"slot\"\nbodies = [\"ground\", \"beam\"]\nat = [" + number(i * metre) +
              ", 0]\nalong = [1, 0]\n";
    text +=
        "[[joint]]\nname = \"end\"\nkind = \"slot\"\nbodies = [\"ground\", \"beam\"]\nat = [0, 0]\nalong = "
        "[0, 1]\n";
    const Model model = Model::from_text(text);
    const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
    ASSERT_TRUE(rest.found) << rest.why_not;
    const Vector l = MechanicalState(model.mechanism->sizes()).multipliers(rest.state.y);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(std::abs(l[i]), weight * metre / 3, 1e-9 * weight * metre) << l.transpose();
  }
}

}  // namespace
}  // namespace dalembert
