// Are small motions those that are known in closed form, whatever the coordinates and rows?
#include "dalembert/analysis/modes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/analysis/equilibrium.h"
#include "dalembert/analysis/higher_terms.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

using Complex = std::complex<double>;

Modes at_rest(const Mechanical& problem) {
  const Equilibrium rest = find_equilibrium(problem, problem.start());
  EXPECT_TRUE(rest.found) << rest.why_not;
  const Linearisation linear = linearise(problem, rest.state, Time::stands_still);
  EXPECT_EQ(linear.base, Linearisation::Base::equilibrium);
  return modes_of(linear.A, linear.doubt);
}

Modes modes_at(const Mechanical& problem, const State& state) {
  const Linearisation linear = linearise(problem, state);
  return modes_of(linear.A, linear.doubt);
}

void expect_values(const Modes& modes, std::vector<Complex> expected, double tolerance) {
  std::vector<Complex> found = modes.values();
  ASSERT_EQ(found.size(), expected.size());
  for (const Complex value : expected) {
    const auto nearest = std::min_element(found.begin(), found.end(), [&](Complex a, Complex b) {
      return std::abs(a - value) < std::abs(b - value);
    });
    EXPECT_LT(std::abs(*nearest - value), tolerance * (1 + std::abs(value))) << *nearest << " for " << value;
    found.erase(nearest);
  }
}

TEST(Modes, OfAHangingPendulum) {
  const auto problem = make_problem("pendulum", {{"g", 9.81}});
  const double w = std::sqrt(9.81);
  expect_values(at_rest(as<Mechanical>(*problem)), {{0, w}, {0, -w}}, 1e-10);
}

TEST(Modes, OfADoublePendulumOfPointMasses) {
  const auto problem = make_problem("double-pendulum");
  const double low = std::sqrt(9.81 * (2 - std::sqrt(2))), high = std::sqrt(9.81 * (2 + std::sqrt(2)));
  expect_values(at_rest(as<Mechanical>(*problem)), {{0, low}, {0, -low}, {0, high}, {0, -high}}, 1e-8);
}

/// A parallelogram of two cranks of length a and a coupler, each crank held upright by a torsion spring: one degree of freedom with
/// inertia 2 (I + m (a/2)^2) + m_c a^2 and stiffness 2 k - (2 m a/2 + m_c a) g.
TEST(Modes, OfAParallelogramOnSprings) {
  const double a = .5, m = 2, I = .04, mc = 3, k = 60, c = .7, g = 9.81;
  const std::string crank = "mass = 2\ninertia = 0.04\nangle = \"pi/2\"\n";
  const std::string text =
      "space = \"planar\"\ngravity = [0, -9.81]\n"
      "[[body]]\nname = \"left\"\nposition = [0, 0.25]\n" +
      crank + "[[body]]\nname = \"right\"\nposition = [1, 0.25]\n" + crank +
      "[[body]]\nname = \"coupler\"\nmass = 3\ninertia = 0.3\nposition = [0.5, 0.5]\n"
      "[[joint]]\nname = \"A\"\nkind = \"revolute\"\nbodies = [\"ground\", \"left\"]\nat = [0, 0]\n"
      "[[joint]]\nname = \"B\"\nkind = \"revolute\"\nbodies = [\"ground\", \"right\"]\nat = [1, 0]\n"
      "[[joint]]\nname = \"C\"\nkind = \"revolute\"\nbodies = [\"left\", \"coupler\"]\nat = [0, 0.5]\n"
      "[[joint]]\nname = \"D\"\nkind = \"revolute\"\nbodies = [\"right\", \"coupler\"]\nat = [1, 0.5]\n"
      "[[force]]\nname = \"s1\"\nkind = \"torsion-spring\"\njoint = \"A\"\nstiffness = 60\ndamping = 0.7\n"
      "[[force]]\nname = \"s2\"\nkind = \"torsion-spring\"\njoint = \"B\"\nstiffness = 60\ndamping = 0.7\n"
      "[run]\nend = 1\n";
  const Model model = Model::from_text(text);
  const double inertia = 2 * (I + m * a * a / 4) + mc * a * a, stiffness = 2 * k - (m * a + mc * a) * g,
               damping = 2 * c;
  const double real = -damping / (2 * inertia), imaginary = std::sqrt(stiffness / inertia - real * real);
  expect_values(at_rest(*model.mechanism), {{real, imaginary}, {real, -imaginary}}, 1e-10);
}

/// Two masses one above the other on guides, with springs and dampers: the textbook's quarter car.
TEST(Modes, OfADampedQuarterCar) {
  const std::string text =
      "space = \"planar\"\ngravity = [0, -9.81]\n"
      "[[body]]\nname = \"body\"\nmass = 300\ninertia = 1\nposition = [0, 1]\n"
      "[[body]]\nname = \"wheel\"\nmass = 35\ninertia = 1\nposition = [0, 0.4]\n"
      "[[joint]]\nname = \"g1\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"body\"]\nat = [0, 1]\nalong = "
      "[0, 1]\n"
      "[[joint]]\nname = \"g2\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"wheel\"]\nat = [0, "
      "0.4]\nalong = [0, 1]\n"
      "[[force]]\nname = \"strut\"\nkind = \"spring\"\nfrom = { body = \"wheel\", at = [0, 0.4] }\n"
      "to = { body = \"body\", at = [0, 1] }\nstiffness = 2e4\ndamping = 1500\nlength = 0.7\n"
      "[[force]]\nname = \"tyre\"\nkind = \"spring\"\nfrom = { body = \"ground\", at = [0, 0] }\n"
      "to = { body = \"wheel\", at = [0, 0.4] }\nstiffness = 2e5\ndamping = 200\nlength = 0.41\n[run]\nend = "
      "1\n";
  const Model model = Model::from_text(text);
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomRows<2>() << -2e4 / 300, 2e4 / 300, -1500. / 300, 1500. / 300, 2e4 / 35, -2.2e5 / 35, 1500. / 35,
      -1700. / 35;
  const Eigen::Vector4cd values = Eigen::EigenSolver<Eigen::Matrix4d>(A).eigenvalues();
  const Modes found = at_rest(*model.mechanism);
  expect_values(found, {values.begin(), values.end()}, 1e-10);
  EXPECT_FALSE(found.any(Mode::Fate::grows));
}

/// M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 in lean and steer [MeijaardEtAl2007, table 2 and appendix A].
TEST(Modes, OfTheBenchmarkBicycle) {
  Eigen::Matrix2d M, C1, K0, K2;
  M << 80.81722, 2.31941332208709, 2.31941332208709, .29784188199686;
  K0 << -80.95, -2.59951685249872, -2.59951685249872, -.80329488458618;
  K2 << 0, 76.59734589573222, 0, 2.65431523794604;
  C1 << 0, 33.86641391492494, -.85035641456978, 1.68540397397560;
  for (double v = 0; v <= 10; v += 1) {
    const Model model = Model::from_file(DALEMBERT_MODELS "/bicycle.toml", {{"push", 0}, {"v", v}});
    State start = model.mechanism->start();
    ASSERT_EQ(make_consistent(*model.mechanism, start).outcome, Outcome::ok);
    const Linearisation linear = linearise(*model.mechanism, start);
    EXPECT_EQ(linear.base, v == 0 ? Linearisation::Base::equilibrium : Linearisation::Base::steady);
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A.topRightCorner<2, 2>().setIdentity();
    A.bottomRows<2>() << -M.inverse() * (9.81 * K0 + v * v * K2), -v * M.inverse() * C1;
    const Eigen::Vector4cd values = Eigen::EigenSolver<Eigen::Matrix4d>(A).eigenvalues();
    std::vector<Complex> expected(values.begin(), values.end());
    expected.insert(expected.end(), 6, 0);  // along, across, heading, speed, both wheels
    expect_values(modes_of(linear.A, linear.doubt), expected, 1e-8);
  }
}

TEST(Modes, AtFiveMetresPerSecondAreThosePrinted) {
  const Model model = Model::from_file(DALEMBERT_MODELS "/bicycle.toml", {{"push", 0}, {"v", 5}});
  State start = model.mechanism->start();
  ASSERT_EQ(make_consistent(*model.mechanism, start).outcome, Outcome::ok);
  const Modes found = modes_at(*model.mechanism, start);
  ASSERT_EQ(found.all.size(), 3u);
  EXPECT_NEAR(found.all[0].value.real(), -.32286642900409, 1e-9);
  EXPECT_NEAR(found.all[1].value.real(), -.77534188219585, 1e-9);
  EXPECT_NEAR(found.all[1].value.imag(), 4.46486771378823, 1e-9);
  EXPECT_NEAR(found.all[2].value.real(), -14.07838969279822, 1e-9);
}

/// Where capsize passes the six zeros it looks as wrong as they are, and was taken for a copy of weave, which was lost.
TEST(Modes, OfABicycleNextToCapsizeStayApart) {
  for (const double v : {6.0235, 6.024, 6.0242, 6.0243, 6.0245}) {
    const Model model = Model::from_file(DALEMBERT_MODELS "/bicycle.toml", {{"push", 0}, {"v", v}});
    State start = model.mechanism->start();
    ASSERT_EQ(make_consistent(*model.mechanism, start).outcome, Outcome::ok);
    const Modes found = modes_at(*model.mechanism, start);
    ASSERT_EQ(found.all.size(), 3u) << v;
    EXPECT_NEAR(found.all[0].value.real(), .166 * (v - 6.02426), 3e-5) << v;
    EXPECT_NEAR(found.all[1].value.imag(), 5.91, .01) << v;
    EXPECT_NEAR(found.all[2].value.real(), -16.135, .01) << v;
  }
}

/// A chain of zeros that rounding alone would spread.
TEST(Modes, TellZerosByRank) {
  Matrix A = Matrix::Zero(4, 4);
  A(0, 1) = 1, A(1, 2) = 3, A(2, 0) = 1e-17, A(2, 3) = 1, A(3, 3) = -2;
  const Modes found = modes_of(A);
  EXPECT_EQ(found.zeros, 3);
  EXPECT_EQ(found.still.cols(), 1);
  ASSERT_EQ(found.all.size(), 1u);
  EXPECT_EQ(found.all[0].value, Complex(-2));
}

/// s^2 + c s + k = 0 beside an oscillator: a weak spring is not lost beside a stiff damper.
TEST(Modes, SmallBesideOthersAreFoundToAllDigits) {
  for (const double c : {1e2, 1e5, 1e8, 1e12})
    for (const double k : {-1., 1.}) {
      Matrix A = Matrix::Zero(4, 4);
      A(0, 1) = 1, A(1, 0) = -k, A(1, 1) = -c, A(2, 3) = 1, A(3, 2) = -1;
      const double large = -(c + std::sqrt(c * c - 4 * k)) / 2, small = k / large;
      const Modes found = modes_of(A);
      EXPECT_EQ(found.zeros, 0);
      ASSERT_EQ(found.all.size(), 3u) << c;
      const Mode& weak = found.all[0];
      EXPECT_NEAR(weak.value.real(), small, 1e-13 * std::abs(small)) << c;
      EXPECT_EQ(weak.fate, k < 0 ? Mode::Fate::grows : Mode::Fate::decays);
      EXPECT_NEAR(found.all[2].value.real(), large, 1e-13 * c);
    }
}

/// Beyond what entries are known to, there is nothing to be seen.
TEST(Modes, AreZeroWhereEntriesMayBeWrongByAsMuch) {
  Matrix A = Matrix::Zero(4, 4), doubt = Matrix::Zero(4, 4);
  A(0, 2) = A(1, 3) = 1;
  A(2, 0) = A(3, 1) = -1e9 - 1e-4, A(2, 1) = A(3, 0) = 1e9;  // two masses on a stiff spring, and a weak one
  EXPECT_EQ(modes_of(A).zeros, 2);
  const Modes found = modes_of(A, doubt);
  EXPECT_EQ(found.zeros, 0) << "exact entries say that it is there";
  doubt.bottomLeftCorner(2, 2).setConstant(1e-3);
  EXPECT_EQ(modes_of(A, doubt).zeros, 2);
  EXPECT_NEAR(modes_of(A, doubt).hidden, std::sqrt(1e-3), .02);
}

/// Free of forces about the middle axis of inertia: +-w sqrt((I2-I1)(I3-I2)/(I1 I3)).
TEST(Modes, OfABodyThatSpinsFreely) {
  const Model model = Model::from_text(
      "space = \"spatial\"\ngravity = [0, 0, 0]\n"
      "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 3]\nspin = [0, 3, 0]\n[run]\nend = 5\n");
  const Linearisation linear = linearise(*model.mechanism, model.mechanism->start());
  EXPECT_EQ(linear.base, Linearisation::Base::steady) << linear.stray;
  const Modes found = modes_of(linear.A, linear.doubt);
  ASSERT_GE(found.all.size(), 2u);
  EXPECT_NEAR(found.all[0].value.real(), std::sqrt(3.), 1e-9);
  EXPECT_EQ(found.all[0].fate, Mode::Fate::grows);
  EXPECT_EQ(std::count_if(found.all.begin(), found.all.end(),
                          [](const Mode& m) { return m.fate == Mode::Fate::grows; }),
            1);
}

/// A bob on a string of 3 to 30 cm goes round: its place and its pace are free, and it nutates with w sqrt(1 + 3 cos(th)^2).
TEST(Modes, OfAConicalPendulumGrowAtNoSize) {
  for (const double l : {0.03, 0.1, 0.3, 1.}) {
    const double angle = std::numbers::pi / 3, w = std::sqrt(9.81 / (l * std::cos(angle)));
    const auto number = [](double x) { return fmt::format("{:.17g}", x); };
    const std::string place = number(l * std::sin(angle)) + ", 0, " + number(-l * std::cos(angle));
    const Model model = Model::from_text(
        "space = \"spatial\"\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nposition = [" + place +
        "]\nvelocity = [0, " + number(w * l * std::sin(angle)) +
        ", 0]\n[[joint]]\nname = \"string\"\nkind = \"distance\"\nfrom = { body = \"ground\", at = [0, 0, 0] "
        "}\nto = { "
        "body = \"bob\", at = [" +
        place + "] }\n");
    State start = model.mechanism->start();
    make_consistent(*model.mechanism, start);
    EXPECT_EQ(linearise(*model.mechanism, start).base, Linearisation::Base::steady);
    const Modes found = modes_at(*model.mechanism, start);
    EXPECT_EQ(found.zeros, 2) << l;
    for (const Mode& mode : found.all) {
      EXPECT_NE(mode.fate, Mode::Fate::grows) << l;
      EXPECT_NEAR(std::abs(mode.value.imag()) / (w * std::sqrt(1.75)), 1, 1e-6) << l;
    }
  }
}

TEST(Modes, OfAMotionThatSwingsAreThoseOfAnInstant) {
  const auto problem = make_problem("pendulum");
  State state = problem->start();
  state.y << std::sin(.5), -std::cos(.5), .8 * std::cos(.5), .8 * std::sin(.5), 0;
  ASSERT_EQ(make_consistent(*problem, state).outcome, Outcome::ok);
  const Linearisation linear = linearise(as<Mechanical>(*problem), state);
  EXPECT_EQ(linear.base, Linearisation::Base::instant);
  // In the angle: x'' = -cos(.5) x.
  expect_values(modes_of(linear.A, linear.doubt),
                {{0, std::sqrt(std::cos(.5))}, {0, -std::sqrt(std::cos(.5))}}, 1e-6);
}

/// The nutation about a steady precession, in closed form: the lean a of a top with the energy
/// A' a'^2/2 + V(a), V = (p - C n cos a)^2/(2 (A' sin^2 a + I)) + m g l cos a, p the moment about the vertical.
TEST(Modes, OfAGyroscopeInSteadyPrecession) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/gyroscope.toml");
  State start = model.mechanism->start();
  ASSERT_EQ(make_consistent(*model.mechanism, start).outcome, Outcome::ok);
  const Linearisation linear = linearise(*model.mechanism, start);
  ASSERT_EQ(linear.base, Linearisation::Base::steady) << linear.stray;
  const double l = .12, g = 9.81, m = .5, ma = .05, lean = std::numbers::pi / 3, n = 300, C = 6e-4;
  const double across = 3.2e-4 + m * l * l + 6e-5 + ma * l * l / 4, axial = 2e-6, fork = 1e-4;
  const double weight = g * (m * l + ma * l / 2), K = (across - axial) * std::cos(lean);
  const double W = (C * n - std::sqrt(C * n * C * n - 4 * K * weight)) / (2 * K);
  const auto inertia = [&](double a) {
    return across * std::sin(a) * std::sin(a) + axial * std::cos(a) * std::cos(a) + fork;
  };
  const double p = W * inertia(lean) + C * n * std::cos(lean);
  const auto V = [&](double a) {
    return std::pow(p - C * n * std::cos(a), 2) / (2 * inertia(a)) + weight * std::cos(a);
  };
  const double d = 1e-4;
  EXPECT_NEAR((V(lean + d) - V(lean - d)) / (2 * d), 0, 1e-6) << "the formula is that of a precession";
  const double w = std::sqrt((V(lean + d) - 2 * V(lean) + V(lean - d)) / (d * d) / across);
  const Modes modes = modes_of(linear.A, linear.doubt);
  ASSERT_EQ(modes.all.size(), 1u);
  EXPECT_NEAR(modes.all[0].value.imag(), w, 1e-4 * w);
  EXPECT_EQ(modes.all[0].fate, Mode::Fate::lasts);
}

/// Ziegler's column of two uniform bars under a load P that follows it: 1.75 s^4 + (9 - 2.5 P) s^2 + 1 = 0. Where it flutters all four
/// eigenvalues have one size, and s and -s are two of them.
TEST(Modes, OfAColumnThatFluttersAreFour) {
  Matrix M(2, 2), K(2, 2), A = Matrix::Zero(4, 4);
  M << 4, 1.5, 1.5, 1;
  for (double P = 2.6; P < 5.2; P += .02) {
    K << 2 - P, P - 1, -1, 1;
    A.topRightCorner(2, 2).setIdentity();
    A.bottomLeftCorner(2, 2) = -M.inverse() * K;
    const Complex root = std::sqrt(Complex(std::pow(9 - 2.5 * P, 2) - 7));
    std::vector<Complex> expected;
    for (const double sign : {-1., 1.}) {
      const Complex s = std::sqrt((2.5 * P - 9 + sign * root) / 3.5);
      expected.insert(expected.end(), {s, -s});
    }
    const Modes found = modes_of(A);
    expect_values(found, expected, 1e-6);
    EXPECT_TRUE(found.any(Mode::Fate::grows)) << P;
  }
}

TEST(Modes, OfOneSizeAndOppositeSignsAreBothThere) {
  for (const double k : {1.2, 4., 5., 7.8, 8.}) {
    Matrix A(2, 2);
    A << 0, 1, k, 0;
    expect_values(modes_of(A), {std::sqrt(k), -std::sqrt(k)}, 1e-12);
  }
}

/// x'' = x + 2 y', y'' = y - 2 x' is (s^2 + 1)^2 = 0 with one shape: t exp(i t) is a motion, too.
TEST(Modes, WithFewerShapesThanCopiesSayOfWhichChainTheyAre) {
  Matrix A = Matrix::Zero(4, 4);
  A.topRightCorner(2, 2).setIdentity();
  A(2, 0) = A(3, 1) = 1, A(2, 3) = 2, A(3, 2) = -2;
  const Modes found = modes_of(A);
  expect_values(found, {{0, 1}, {0, 1}, {0, -1}, {0, -1}}, 1e-6);
  ASSERT_EQ(found.all.size(), 2u);
  EXPECT_NE(found.all[0].chained, found.all[1].chained);
  for (const Mode& mode : found.all) EXPECT_EQ(mode.fate, Mode::Fate::lasts);
  EXPECT_FALSE(at_rest(as<Mechanical>(*make_problem("double-pendulum"))).all[0].chained);
}

/// Three oscillators of one frequency that do not know of each other.
TEST(Modes, OfOneFrequencyHaveIndependentShapes) {
  Matrix A = Matrix::Zero(6, 6);
  for (Eigen::Index i = 0; i < 3; ++i) A(i, 3 + i) = 1, A(3 + i, i) = -4, A(3 + i, 3 + i) = -.1;
  const Modes found = modes_of(A);
  ASSERT_EQ(found.all.size(), 3u);
  Eigen::MatrixXcd shapes(6, 3);
  for (Eigen::Index j = 0; j < 3; ++j) {
    const Mode& mode = found.all[static_cast<std::size_t>(j)];
    EXPECT_FALSE(mode.chained);
    EXPECT_LT((A * mode.shape - mode.value * mode.shape).norm(), 1e-12);
    shapes.col(j) = mode.shape;
  }
  EXPECT_GT(Eigen::JacobiSVD<Eigen::MatrixXcd>(shapes).singularValues()[2], .5);
}

/// Every motion turns about something for an instant; these do not turn on.
TEST(Modes, OfAnInstantThatLooksLikeATurn) {
  const char* texts[] = {
      "space = \"planar\"\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nvelocity = [1, 0]\n",
      "space = \"planar\"\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nposition = [0, -1]\n"
      "velocity = [1, 0]\n[[joint]]\nname = \"r\"\nkind = \"distance\"\n"
      "from = {body = \"ground\", at = [0, 0]}\nto = {body = \"p\", at = [0, -1]}\n",
      "space = \"spatial\"\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nposition = [0.6, 0, -0.8]\n"
      "velocity = [0, 1, 0]\n[[joint]]\nname = \"r\"\nkind = \"distance\"\n"
      "from = {body = \"ground\", at = [0, 0, 0]}\nto = {body = \"p\", at = [0.6, 0, -0.8]}\n"};
  for (const char* text : texts) {
    const Model model = Model::from_text(std::string(text) + "[run]\nend = 1\n");
    State state = model.mechanism->start();
    ASSERT_EQ(make_consistent(*model.mechanism, state).outcome, Outcome::ok);
    EXPECT_EQ(linearise(*model.mechanism, state).base, Linearisation::Base::instant) << text;
  }
}

/// Rods that are drawn sideways and swing down: what turns them about themselves is as small as the distance from the equilibrium that was found, and not zero.
TEST(Modes, OfRodsThatWereNotDrawnHanging) {
  const Model model = Model::from_text(R"TOML(space="spatial"
[[body]]
name="b0"
mass=1
inertia=[0.1,0.1,0.01]
position=[0.3, 0.4, 0.0]
orientation={axis=[-0.8, 0.6, 0.0],angle=1.5707963267948966}
[[joint]]
name="j0"
kind="spherical"
bodies=["ground","b0"]
at=[0.0, 0.0, 0.0]
[[body]]
name="b1"
mass=1
inertia=[0.1,0.1,0.01]
position=[0.8999999999999999, 0.8, 0.4]
orientation={axis=[0.0, 0.6, 0.0],angle=0.6435011087932843}
[[joint]]
name="j1"
kind="spherical"
bodies=["b0","b1"]
at=[0.6, 0.8, 0.0]
)TOML");
  std::vector<Complex> expected(4, 0);
  for (const double w : {2.6604857, 2.6604857, 6.7697635, 6.7697635})
    expected.insert(expected.end(), {{0, w}, {0, -w}});
  expect_values(at_rest(*model.mechanism), expected, 1e-6);
}

/// Held by springs of 1.4 and 5.6 N/m, an inertia of 1.4 kg rolls; how it is turned changes nothing.
TEST(Modes, OfABallThatRollsInAValley) {
  const Model model = Model::from_text(R"TOML(space="spatial"
[[body]]
name="m"
mass=1
inertia=[0.4,0.4,0.4]
position=[0.2,0.1,1]
[[joint]]
name="floor"
kind="rolling-ball"
bodies=["ground","m"]
radius=1
[[force]]
name="pull"
kind="force"
body="m"
force=["-1.4*x","-5.6*y",0]
)TOML");
  const Modes found = at_rest(*model.mechanism);
  expect_values(found, {{0, 1}, {0, -1}, {0, 2}, {0, -2}, 0, 0, 0, 0}, 1e-9);
  EXPECT_LE(found.zero_chain, 2);
}

/// A rod turns about itself as it likes: smooth springs make no kink there, and none is away from zero that the rounding of others hides.
TEST(Modes, OfARodOnSpringsHaveNoKink) {
  const Model model = Model::from_text(R"TOML(space="spatial"
[[body]]
name="b"
mass=2
inertia=[0.1,0.5,0.5]
position=[0,0,0]
[[force]]
name="s0"
kind="spring"
from={body="ground",at=[2.3,0.4,1.1]}
to={body="b",at=[1,0,0]}
stiffness=100
damping=1
length=1
[[force]]
name="s1"
kind="spring"
from={body="ground",at=[0.5,0.4,1.8]}
to={body="b",at=[1,0,0]}
stiffness=100
damping=1
length=1
[[force]]
name="s2"
kind="spring"
from={body="ground",at=[-3.4,-1.2,1.1]}
to={body="b",at=[-1,0,0]}
stiffness=100
damping=1
length=1
[[force]]
name="s3"
kind="spring"
from={body="ground",at=[-2.6,1.3,-0.5]}
to={body="b",at=[-1,0,0]}
stiffness=100
damping=1
length=1
)TOML");
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  const Linearisation linear = linearise(*model.mechanism, rest.state, Time::stands_still);
  EXPECT_TRUE(kinks_at(*model.mechanism, rest.state, linear.tolerance).empty());
  EXPECT_EQ(modes_of(linear.A, linear.doubt).zeros, 2);
}

/// Two bodies and what binds them move as one: however far, no force meets that.
TEST(Modes, OfAPairThatFloatsMeetNoForceFartherOff) {
  const Model model = Model::from_text(R"TOML(space="spatial"
gravity=[0,0,0]
[[body]]
name="b0"
mass=2
inertia=[1,1.3,1.7]
position=[0.41263323378163186,-2.4508540182321297,-0.4587638020896202]
[[body]]
name="b1"
mass=1
inertia=[0.3,0.3,0.4]
position=[-1.4796396470781195,-2.0939010641710754,0.9936670353695463]
orientation={axis=[0.9544943557388357,-0.5520945686597548,-0.6313082318760488],angle=2.163845960270702}
[[force]]
name="bu"
kind="bushing"
bodies=["b0","b1"]
at=[-0.11171415620272537,-2.687425356889417,-0.9193198020152286]
stiffness=[100,200,300,20,30,40]
damping=[[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],[0,0,0,0,0,1]]
)TOML");
  const State start = model.mechanism->start();
  for (const SoftDirection& each : soft_directions(*model.mechanism, start, 1e-10))
    EXPECT_EQ(each.force, SoftDirection::Force::none);
}

}  // namespace
}  // namespace dalembert
