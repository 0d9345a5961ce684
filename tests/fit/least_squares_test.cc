// Least squares in a box: are minima found that are known in closed form, at sides too, and are endings honest?
#include "dalembert/fit/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dalembert {
namespace {

struct Counted {
  int calls = 0;
  LeastSquaresTask task(const std::function<std::optional<Vector>(const Vector&)>& r, int most = 10000) {
    LeastSquaresTask all;
    all.residuals = [this, r](const std::vector<Vector>& points) {
      std::vector<std::optional<Vector>> found;
      for (const Vector& u : points) {
        ++calls;
        found.push_back(r(u));
      }
      return found;
    };
    all.steps = [](const Vector& u) { return Vector::Constant(u.size(), 1e-4).eval(); };
    all.enough = [this, most] { return calls >= most; };
    all.noise = 1e-12;
    return all;
  }
};

// Rosenbrock's valley with its bottom at (1, 1), shrunk into the box: u = (x + 2)/4.
std::optional<Vector> valley(const Vector& u) {
  const double x = 4 * u[0] - 2, y = 4 * u[1] - 2;
  return Vector{{10 * (y - x * x), 1 - x}};
}

TEST(LeastSquares, FindsTheBottomOfRosenbrocksValley) {
  Counted counted;
  const auto found = least_squares(counted.task(valley), Vector{{0.2, 0.75}});
  EXPECT_EQ(found.ending, FitEnding::converged);
  EXPECT_NEAR(found.u[0], 0.75, 1e-9);
  EXPECT_NEAR(found.u[1], 0.75, 1e-9);
  EXPECT_LT(counted.calls, 400);
}

// A plane: the nearest point of the box to (1.5, 0.3) with r = u - target lies at the side u0 = 1.
TEST(LeastSquares, StaysAtASideThatItIsPushedAgainst) {
  Counted counted;
  const auto plane = [](const Vector& u) {
    return std::optional(Vector{{u[0] + 0.5 * u[1] - 1.65, u[1] - 0.3, 0.1}});
  };
  const auto found = least_squares(counted.task(plane), Vector{{0.1, 0.9}});
  EXPECT_EQ(found.ending, FitEnding::converged);
  // With u0 = 1: minimise (0.5 u1 - 0.65)^2 + (u1 - 0.3)^2: 1.25 u1 = 0.625.
  EXPECT_EQ(found.u[0], 1);
  EXPECT_NEAR(found.u[1], 0.5, 1e-8);
}

// The whole step would leave the box so that what is left of it leads uphill: shorter ones do not.
TEST(LeastSquares, IsNotMisledByStepsThatAreCutOff) {
  Counted counted;
  const auto skew = [](const Vector& u) {
    return std::optional(Vector{{u[0] + 10 * u[1] - 0.8, 0.01 * (u[0] - 40), 0.5 * u[1]}});
  };
  const auto found = least_squares(counted.task(skew), Vector{{0.3, 0.6}});
  EXPECT_EQ(found.ending, FitEnding::converged);
  // Stationary there: d/du0 = (u0 + 10 u1 - 0.8) + 1e-4 (u0 - 40), and u1 does not want to leave its side.
  const Vector g = found.jacobian.transpose() * found.residuals;
  for (Eigen::Index k = 0; k < 2; ++k) {
    const bool held = (found.u[k] == 0 && g[k] > 0) || (found.u[k] == 1 && g[k] < 0);
    EXPECT_TRUE(held || std::abs(g[k]) < 1e-6) << k << ": u = " << found.u[k] << ", g = " << g[k];
  }
}

// ln u is known only for u > 0.05: steps that leave it are not taken, and the way goes on.
TEST(LeastSquares, GoesAroundWhereNothingIsKnown) {
  Counted counted;
  const auto logarithm = [](const Vector& u) -> std::optional<Vector> {
    if (u[0] < 0.05) return {};
    return Vector{{std::log(u[0]) - std::log(0.06), 0}};
  };
  const auto found = least_squares(counted.task(logarithm), Vector{{0.9}});
  EXPECT_EQ(found.ending, FitEnding::converged);
  EXPECT_NEAR(found.u[0], 0.06, 1e-9);
}

TEST(LeastSquares, SaysHowItEnded) {
  Counted counted;
  EXPECT_EQ(least_squares(counted.task([](const Vector&) { return std::optional<Vector>(); }), Vector{{0.5}})
                .ending,
            FitEnding::no_start);
  const auto needle = [](const Vector& u) -> std::optional<Vector> {
    if (u[0] != 0.5) return {};
    return Vector{{1}};
  };
  EXPECT_EQ(least_squares(counted.task(needle), Vector{{0.5}}).ending, FitEnding::no_derivative);
  // A wall in front of the minimum: derivatives promise what no step keeps.
  const auto wall = [](const Vector& u) -> std::optional<Vector> {
    if (u[0] < 0.4) return {};
    return Vector{{u[0]}};
  };
  EXPECT_EQ(least_squares(counted.task(wall), Vector{{0.4001}}).ending, FitEnding::stuck);
  Counted few;
  const auto ended = least_squares(few.task(valley, 8), Vector{{0.2, 0.75}});
  EXPECT_EQ(ended.ending, FitEnding::too_many_runs);
  EXPECT_TRUE(ended.found());
}

// A third-order curve: central differences are wrong by h^2, steps twice as long show it, and it is taken off.
TEST(LeastSquares, KnowsHowWellItKnowsDerivatives) {
  Counted counted;
  const auto cubic = [](const Vector& u) { return std::optional(Vector{{u[0] * u[0] * u[0] - 0.125, 1}}); };
  const auto found = least_squares(counted.task(cubic), Vector{{0.3}});
  const double u = found.u[0];
  EXPECT_NEAR(u, 0.5, 1e-6);
  EXPECT_NEAR(found.jacobian(0, 0), 3 * u * u, 1e-10);
  EXPECT_NEAR(found.uncertainty[0], 1e-8, 1e-10);
}

// One-sided differences of second order at a side: exact for parabolas.
TEST(Differences, AreExactForParabolasAtASide) {
  const BoxFunction f = [](const std::vector<Vector>& points) {
    std::vector<std::optional<Vector>> all;
    for (const Vector& u : points) all.emplace_back(Vector{{3 * u[0] * u[0] + u[0], u[1] * u[1]}});
    return all;
  };
  const Vector u{{0, 1}};
  const auto J = differences(f, u, Vector{{0, 1}}, Vector{{1e-3, 1e-3}});
  ASSERT_TRUE(J);
  EXPECT_NEAR((*J)(0, 0), 1, 1e-11);
  EXPECT_NEAR((*J)(1, 1), 2, 1e-11);
  EXPECT_NEAR((*J)(1, 0), 0, 1e-11);
}

}  // namespace
}  // namespace dalembert
