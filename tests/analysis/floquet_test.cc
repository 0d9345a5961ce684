// Periodic motions and their multipliers: van der Pol's orbit, Mathieu's chart by determinants, orbits that come in families.
#include "dalembert/analysis/floquet.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

using std::numbers::pi;

FloquetOptions with_period(double period, double tolerance = 1e-11) {
  FloquetOptions options;
  options.flow.tolerance = {tolerance, tolerance};
  options.period = period;
  return options;
}

TEST(Floquet, VanDerPol) {
  FloquetOptions options;
  options.flow.tolerance = {1e-12, 1e-12};
  const auto orbit = find_periodic_orbit(make_problem("van-der-pol"), options);
  ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
  EXPECT_NEAR(orbit.period, 6.6632868593, 1e-9);
  EXPECT_NEAR(orbit.start.y[0], 2.00861986087, 1e-9);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  EXPECT_TRUE(orbit.multipliers[0].trivial);
  EXPECT_NEAR(std::abs(orbit.multipliers[0].value - 1.0), 0, 1e-9);
  // The product of all is exp of the integral of mu (1 - x^2) over the orbit, by the trapezoidal rule on what was found.
  double integral = 0;
  for (std::size_t k = 0; k + 1 < orbit.motion.size(); ++k)
    integral += (1 - std::pow(orbit.motion[k].y[0], 2)) * orbit.period / 100;
  EXPECT_NEAR(orbit.multipliers[1].value.real(), std::exp(integral), 1e-9);
  EXPECT_EQ(stability(orbit), Stability::stable);
}

/// cos(pi nu) of u'' + (A - 2 Q cos 2 tau) u = 0 by Hill's determinant [WhittakerWatson, 19.42]:
/// sin^2(pi nu/2) = det sin^2(pi sqrt(A)/2), det of 1 on the diagonal and -Q/(A - (2k)^2) beside it.
double hill(double A, double Q) {
  constexpr int n = 3000;
  const auto beside = [&](int k) { return -Q / (A - 4. * k * k); };
  double before = 1, det = 1;  // of the first rows, by expansion along the last one
  for (int k = -n + 1; k <= n; ++k) {
    const double next = det - beside(k - 1) * beside(k) * before;
    before = det, det = next;
  }
  const std::complex<double> s = std::sin(pi / 2 * std::sqrt(std::complex<double>(A)));
  return 1 - 2 * det * (s * s).real();
}

/// The pendulum on a moving pivot whose small motions are Mathieu's equation, hanging or upright.
PeriodicOrbit pivot(double A, double Q) {
  const double w = 6, l = 1, g = std::abs(A) * l * w * w / 4;
  return find_periodic_orbit(
      make_problem("moving-pivot", {{"g", g}, {"l", l}, {"a", Q * l / 2}, {"w", w}, {"phi", A < 0 ? pi : 0}}),
      with_period(2 * pi / w));
}

TEST(Floquet, MultipliersOfTheMovingPivotAreThoseOfMathieu) {
  for (const double A : {.1, .5, 1.09, 2.3, 4.1, -.05, -.2})
    for (const double Q : {.2, .6, 1.}) {
      const auto orbit = pivot(A, Q);
      ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
      ASSERT_EQ(orbit.multipliers.size(), 2u);
      const auto sum = orbit.multipliers[0].value + orbit.multipliers[1].value;
      EXPECT_NEAR(sum.real() / 2, hill(A, Q), 1e-7 * std::max(1., std::abs(hill(A, Q)))) << A << " " << Q;
      const double trace = std::abs(hill(A, Q));
      if (std::abs(trace - 1) < 1e-3) continue;  // too near to a boundary to tell
      EXPECT_EQ(stability(orbit), trace < 1 ? Stability::neutral : Stability::unstable) << A << " " << Q;
    }
}

/// Where tongues begin and end: eigenvalues of the symmetric matrices of Ince's four series.
double boundary(double Q, double first, double diagonal, double beside) {
  constexpr int n = 40;
  Matrix T = Matrix::Zero(n, n);
  for (int k = 0; k < n; ++k) {
    T(k, k) = std::pow(first + 2 * k, 2);
    if (k + 1 < n) T(k, k + 1) = T(k + 1, k) = k == 0 ? beside * Q : Q;
  }
  T(0, 0) += diagonal * Q;
  return Eigen::SelfAdjointEigenSolver<Matrix>(T).eigenvalues()[0];
}

TEST(Floquet, StabilityChangesOnTheBoundariesOfInceAndStrutt) {
  for (const double Q : {.2, .5, .9}) {
    const double a0 = boundary(Q, 0, 0, std::sqrt(2.)), b1 = boundary(Q, 1, -1, 1), a1 = boundary(Q, 1, 1, 1),
                 b2 = boundary(Q, 2, 0, 1);
    ASSERT_LT(a0, 0);
    ASSERT_LT(b1, a1);
    constexpr double beside = 2e-3;
    EXPECT_EQ(stability(pivot(a0 - beside, Q)), Stability::unstable) << "upright, too slow, " << Q;
    EXPECT_EQ(stability(pivot(a0 + beside, Q)), Stability::neutral) << "upright, held by the pivot, " << Q;
    EXPECT_EQ(stability(pivot(b1 - beside, Q)), Stability::neutral) << Q;
    EXPECT_EQ(stability(pivot(b1 + beside, Q)), Stability::unstable) << Q;
    EXPECT_EQ(stability(pivot(a1 - beside, Q)), Stability::unstable) << Q;
    EXPECT_EQ(stability(pivot(a1 + beside, Q)), Stability::neutral) << Q;
    EXPECT_EQ(stability(pivot(b2 - beside, Q)), Stability::neutral) << Q;
  }
}

TEST(Floquet, ForcedOrbitsOfBothFormsAgree) {
  auto options = with_period(3 * pi);
  options.transient = 60;
  const auto constrained = find_periodic_orbit(make_problem("driven-pendulum", {{"A", .5}}), options);
  const auto minimal = find_periodic_orbit(make_problem("driven-pendulum-angle", {{"A", .5}}), options);
  ASSERT_EQ(constrained.outcome, Outcome::ok) << constrained.message;
  ASSERT_EQ(minimal.outcome, Outcome::ok) << minimal.message;
  EXPECT_NEAR(constrained.start.y[0], std::sin(minimal.start.y[0]), 1e-8);
  std::complex<double> product = 1;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(constrained.multipliers[i].value - minimal.multipliers[i].value), 0, 1e-7);
    product *= constrained.multipliers[i].value;
  }
  EXPECT_NEAR(product.real(), std::exp(-.5 * 3 * pi), 1e-8);
  EXPECT_EQ(stability(constrained), Stability::stable);
}

TEST(Floquet, OrbitsThatComeInFamiliesAreMetWhereTheyAre) {
  const auto orbit = find_periodic_orbit(make_problem("pendulum"), {});
  ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
  EXPECT_NEAR(orbit.period, 4 * 1.8540746773013719, 1e-5);  // 4 K(1/sqrt 2)
  for (const auto& m : orbit.multipliers) EXPECT_NEAR(std::abs(m.value - 1.0), 0, 1e-3) << "a double one";
}

TEST(Floquet, RefusesAPeriodThatIsNone) {
  EXPECT_THROW(find_periodic_orbit(make_problem("moving-pivot"), with_period(1)), Error);
  EXPECT_THROW(find_periodic_orbit(make_problem("moving-pivot"), {}), Error);
  EXPECT_THROW(find_periodic_orbit(make_problem("van-der-pol"), with_period(-1)), Error);
}

/// x'' + x = 0: any start lies on an orbit of period 2 pi, and the equilibrium repeats after the guess as well.
TEST(Floquet, AGuessNextToThePeriodStaysOnTheOrbit) {
  const std::string text =
      "space = \"planar\"\ngravity = [0, 0]\n[parameters]\nb = 0\n[[body]]\nname = \"p\"\nkind = "
      "\"point\"\nmass = 1\n"
      "position = [1, 0]\n[[joint]]\nname = \"s\"\nkind = \"slot\"\nbodies = [\"ground\", \"p\"]\nat = [0, "
      "0]\n"
      "along = [1, 0]\n[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"p\"\nforce = [\"-x-b*x^3\", 0]\n"
      "[run]\nend = 1\n";
  for (const double guess : {6., 6.28, 6.5}) {
    const auto orbit = find_periodic_orbit(Model::from_text(text).mechanism, with_period(guess));
    ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
    EXPECT_NEAR(orbit.period, 2 * pi, 1e-7) << guess;
    EXPECT_NEAR(orbit.start.y[0], 1, 1e-3) << guess;
  }
  const auto duffing =
      find_periodic_orbit(Model::from_text(text, "model.toml", {{"b", 1}}).mechanism, with_period(4.77));
  ASSERT_EQ(duffing.outcome, Outcome::ok) << duffing.message;
  EXPECT_NEAR(duffing.period, 4.768022, 1e-4);
  // a run of 1 s is shorter than the period
  const auto sought = find_periodic_orbit(Model::from_text(text).mechanism, {});
  ASSERT_EQ(sought.outcome, Outcome::ok) << sought.message;
  EXPECT_NEAR(sought.period, 2 * pi, 1e-6);
}

/// A bead in a slot of a rotor that is driven at a constant rate w: rates do not depend on time, positions do. s^2 = w^2 - k, and no
/// multiplier is that of a shift along the orbit.
TEST(Floquet, ADriveOfConstantRateIsADrive) {
  const Model model = Model::from_text(
      "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"r\"\nmass = 1\ninertia = 1\n"
      "[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\n"
      "[[joint]]\nname = \"h\"\nkind = \"revolute\"\nbodies = [\"ground\", \"r\"]\nat = [0, 0]\n"
      "[[joint]]\nname = \"s\"\nkind = \"slot\"\nbodies = [\"r\", \"b\"]\nat = [0, 0]\nalong = [1, 0]\n"
      "[[drive]]\njoint = \"h\"\nmotion = \"3*t\"\n"
      "[[force]]\nname = \"k\"\nkind = \"force\"\nbody = \"b\"\nforce = [\"-4*x\", \"-4*y\"]\n[run]\nend = "
      "1\n");
  const auto orbit = find_periodic_orbit(model.mechanism, with_period(2 * pi / 3));
  ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
  EXPECT_EQ(orbit.which, PeriodicOrbit::Period::known);
  ASSERT_EQ(orbit.multipliers.size(), 2u);
  EXPECT_NEAR(orbit.multipliers[0].value.real(), std::exp(std::sqrt(5.) * 2 * pi / 3), 1e-5);
  for (const auto& m : orbit.multipliers) EXPECT_FALSE(m.trivial);
}

std::string a_point(const std::string& start, const std::string& x, const std::string& y) {
  return "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"a\"\nkind = \"point\"\nmass = 1\nposition "
         "= " +
         start + "\n[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" + x + "\", \"" + y +
         "\"]\n[run]\nend = 10\n";
}

/// |m| = exp(d T/2) of x'' = -2 x + d x' + cos(3 t): what is beyond the error of the computation counts.
TEST(Floquet, AWeakGrowthIsOne) {
  for (const double d : {1e-4, 1e-6, 0., -1e-6}) {
    const auto orbit = find_periodic_orbit(
        Model::from_text(a_point("[0, 0]", "-2*x + (" + std::to_string(d) + ")*vx + cos(3*t)", "-y - vy"))
            .mechanism,
        with_period(2 * pi / 3));
    ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
    EXPECT_NEAR(std::abs(orbit.multipliers[0].value), std::exp(d * pi / 3), orbit.multipliers[0].error) << d;
    EXPECT_LT(orbit.multipliers[0].error, 1e-7) << d;
    EXPECT_EQ(stability(orbit), d > 0   ? Stability::unstable
                                : d < 0 ? Stability::stable
                                        : Stability::neutral)
        << d;
  }
}

/// x'' + a(t) x = c y, y'' + a(t) y = 0: with c the pair of multipliers is there twice, but has its directions once.
TEST(Floquet, AChainOnTheCircleGrowsWithTime) {
  for (const bool coupled : {false, true}) {
    const Model model = Model::from_text(
        "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = "
        "1\n[[force]]\n"
        "name = \"f\"\nkind = \"force\"\nbody = \"p\"\nforce = [\"-(3.3-0.4*cos(2*t))*x" +
        std::string(coupled ? "+0.3*y" : "") + "\", \"-(3.3-0.4*cos(2*t))*y\"]\n");
    const auto orbit = find_periodic_orbit(model.problem(), with_period(pi));
    ASSERT_EQ(orbit.multipliers.size(), 4u);
    EXPECT_EQ(stability(orbit), Stability::neutral);
    EXPECT_EQ(orbit.multipliers[0].chained, coupled);
    EXPECT_EQ(sentence(orbit).find("in proportion to the time") != std::string::npos, coupled)
        << sentence(orbit);
  }
}

/// r' = -0.3 (1 - r^2)^2 r and the like: neighbours come closer from outside and leave on the inside, and both multipliers are 1.
TEST(Floquet, AnOrbitThatAttractsOnOneSideIsNotStable) {
  const auto orbit = find_periodic_orbit(
      Model::from_text(a_point("[1.05, 0]", "-0.3*(1-x^2-vx^2)^2*vx-x", "-y-0.2*vy")).mechanism, {});
  ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
  EXPECT_EQ(stability(orbit), Stability::neutral) << sentence(orbit);
}

/// A start beside the family of a hard spring: the orbit next to it, not one of a third of its amplitude.
TEST(Floquet, BesideAFamilyTheNearestOneIsMet) {
  for (const char* start : {"[1, 0.05]", "[1, 0.01]", "[1, 0]"}) {
    const auto orbit = find_periodic_orbit(Model::from_text(a_point(start, "-x-x^3", "-2*y")).mechanism, {});
    ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
    EXPECT_NEAR(orbit.start.y[0], 1, .02) << start;
    EXPECT_NEAR(orbit.period, 4.768022, .05) << start;
    EXPECT_EQ(stability(orbit), Stability::neutral) << start;
  }
}

/// angle = A (cos t + 0.1 sin t)/1.01 on a torsion spring, which sees whole turns.
TEST(Floquet, ATorsionSpringSeesTurns) {
  for (const double A : {.3, 3., 3.2, 30.}) {
    const Model model = Model::from_text(
        "space = \"planar\"\ngravity = [0, 0]\n[parameters]\nA = 30\n[[body]]\nname = \"a\"\nmass = "
        "1\ninertia = 1\n"
        "[[joint]]\nname = \"h\"\nkind = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0]\n[[force]]\n"
        "name = \"t\"\nkind = \"torque\"\nbody = \"a\"\ntorque = \"-2*angle - 0.1*spin + "
        "A*cos(t)\"\n[run]\nend = 10\n",
        "model.toml", {{"A", A}});
    const auto orbit = find_periodic_orbit(model.mechanism, with_period(2 * pi));
    ASSERT_EQ(orbit.outcome, Outcome::ok) << orbit.message;
    EXPECT_NEAR(orbit.start.y[2], A / 1.01, 1e-6 * A) << A;
    EXPECT_EQ(stability(orbit), Stability::stable);
  }
}

/// A period that is given twice as long is said to be so.
TEST(Floquet, AMotionThatRepeatsEarlierSaysSo) {
  const std::string text = a_point("[0, 0]", "-2*x - vx + cos(3*t)", "-y - vy");
  EXPECT_EQ(find_periodic_orbit(Model::from_text(text).mechanism, with_period(2 * pi / 3)).times, 1);
  EXPECT_EQ(find_periodic_orbit(Model::from_text(text).mechanism, with_period(4 * pi / 3)).times, 2);
}

}  // namespace
}  // namespace dalembert
