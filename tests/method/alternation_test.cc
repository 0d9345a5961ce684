// Multipliers that alternate and grow are recognised; resolved motions, decaying and constant alternations are not.
#include "dalembert/method/alternation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace dalembert {
namespace {

Layout index3() {
  return Layout().add("q", 1, Role::differential, 1).add("lambda", 1, Role::algebraic, 3);
}

/// The step at which lambda(n) is called growing; 0 if it is not within 500.
int recognised(const Layout& layout, const std::function<double(int)>& lambda, int least_index = 3) {
  Alternation watch;
  watch.bind(layout, least_index);
  for (int n = 1; n <= 500; ++n) {
    const State state{0.1 * n, Eigen::Vector2d(1, lambda(n))};
    if (const auto trouble = watch.growing(state)) {
      EXPECT_EQ(trouble->entry, 1);
      EXPECT_NEAR(trouble->size, std::abs(lambda(n) - lambda(n - 1)), 1e-12 * trouble->size);
      return n;
    }
    watch.accept(state);
  }
  return 0;
}

double sign(int n) {
  return n % 2 == 0 ? 1 : -1;
}

TEST(Alternation, GrowthIsRecognisedWhetherLinearOrExponential) {
  const int linear = recognised(index3(), [](int n) { return 30 * std::sin(0.01 * n) + 0.02 * n * sign(n); });
  EXPECT_GT(linear, 10);
  EXPECT_LT(linear, 300);
  const int fast = recognised(index3(), [](int n) { return 5 + 1e-3 * std::pow(1.3, n) * sign(n); });
  EXPECT_GT(fast, 10);
  EXPECT_LT(fast, 40);
}

TEST(Alternation, ResolvedMotionIsNot) {
  // The fastest motion any method resolves has some five points per period.
  for (const double step : {0.01, 0.3, 1.0, 2 * M_PI / 5})
    EXPECT_EQ(recognised(index3(), [=](int n) { return std::exp(0.01 * n) * std::cos(step * n); }), 0)
        << step;
  EXPECT_EQ(recognised(index3(), [](int n) { return std::exp(0.05 * n); }), 0);
}

TEST(Alternation, WhatDecaysStaysOrIsTinyIsNot) {
  EXPECT_EQ(recognised(index3(), [](int n) { return 30 + std::pow(0.9, n) * 20 * sign(n); }), 0);
  EXPECT_EQ(recognised(index3(), [](int n) { return 30 + 5 * sign(n); }), 0);
  EXPECT_EQ(recognised(index3(), [](int n) { return 30 + 1e-6 * n * sign(n); }), 0);
}

TEST(Alternation, OnlyMultipliersOfTheIndexAskedFor) {
  const Layout index2 = Layout().add("v", 1, Role::differential, 2).add("z", 1, Role::algebraic, 2);
  const auto growing = [](int n) { return 0.1 * n * sign(n); };
  EXPECT_EQ(recognised(index2, growing), 0);
  EXPECT_GT(recognised(index2, growing, 2), 0);
}

TEST(Alternation, RestartForgets) {
  Alternation watch;
  watch.bind(index3());
  const auto state = [](int n) { return State{0, Eigen::Vector2d(0, 0.1 * n * sign(n))}; };
  for (int n = 1; n <= 15; ++n) watch.accept(state(n));
  EXPECT_TRUE(watch.growing(state(16)));
  EXPECT_TRUE(watch.breaking());
  watch.restart();
  EXPECT_FALSE(watch.growing(state(16)));
  EXPECT_FALSE(watch.breaking());
}

// Lobatto IIIA of order 4 has a root +1: its errors alternate between the middle of a step and its end.
TEST(Alternation, StagesCountAsWell) {
  EXPECT_GT(recognised(index3(), [](int n) { return n % 2 == 0 ? n : 1.5 * n; }), 0);
  EXPECT_EQ(recognised(index3(), [](int n) { return double(n); }), 0);
}

}  // namespace
}  // namespace dalembert
