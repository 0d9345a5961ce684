// The multistep family and diagonally implicit methods: coefficients, orders by index, steps of any size, damping.
#include "dalembert/method/multistep/multistep.h"

#include <gtest/gtest.h>

#include <random>

#include "dalembert/core/error.h"
#include "dalembert/method/runge_kutta/dirk.h"
#include "tests/support/implicit_trials.h"

namespace dalembert {
namespace {

using testing::Index1Pair;
using testing::Index3Pendulum;

TEST(TunableFormula, IsTheOneOfTheNotesForEqualSteps) {
  for (const double rho : {0.0, 0.2, 0.6, 0.9, 1.0}) {
    const double below = 4 - (1 - rho) * (1 - rho);  // (77)
    const double beta = (4 * rho * rho - (1 - rho) * (1 - rho)) / below,
                 delta = (1 - rho) * (1 - rho) / below / 2;
    const MultistepFormula f = tunable_formula(rho, 1);
    EXPECT_NEAR(f.alpha1, beta - 1, 1e-15);
    EXPECT_NEAR(f.alpha2, -beta, 1e-15);
    EXPECT_NEAR(f.beta0, 0.5 + delta, 1e-15);
    EXPECT_NEAR(f.beta1, 0.5 + beta / 2 - 2 * delta, 1e-15);
    EXPECT_NEAR(f.beta2, beta / 2 + delta, 1e-15);
    EXPECT_NEAR(f.residual(2, 1) / f.sum(), -(rho * rho - rho + 1) / (3 * (1 + rho) * (1 + rho)), 1e-15);
  }
}

TEST(TunableFormula, HasOrderTwoAndADoubleRootForEveryRatio) {
  for (const double rho : {0.0, 0.3, 0.6, 0.95})
    for (const double r : {0.2, 0.5, 1.0, 1.7, 6.0}) {
      const MultistepFormula f = tunable_formula(rho, r);
      EXPECT_NEAR(1 + f.alpha1 + f.alpha2, 0, 1e-14);
      EXPECT_NEAR(1 - r * f.alpha2, f.sum(), 1e-14);
      EXPECT_NEAR(f.residual(1, r), 0, 1e-13);
      EXPECT_NEAR(f.beta1 * f.beta1, 4 * f.beta0 * f.beta2, 1e-14);  // one root of sigma, twice
      EXPECT_NEAR(-f.beta1 / (2 * f.beta0), -rho, 1e-15);
    }
  const double w =
      1.7;  // BDF2 with growing steps: y_n - (1+w)^2/(1+2w) y_{n-1} + w^2/(1+2w) y_{n-2} = h (1+w)/(1+2w) y'_n
  EXPECT_NEAR(tunable_formula(0, 1 / w).alpha2, w * w / (1 + 2 * w), 1e-14);
  EXPECT_NEAR(tunable_formula(0, 1 / w).beta0, (1 + w) / (1 + 2 * w), 1e-14);
}

TEST(TunableFormula, StepsMayGrowAsFarAsItIsStable) {
  EXPECT_NEAR(largest_growth(0), 2, 1e-6);  // 1 + sqrt(2) would be the limit
  for (const double rho : {0.85, 0.9, 0.97}) {
    const double w = largest_growth(rho);
    EXPECT_GT(w, 1) << rho;
    EXPECT_LT(w, 2) << rho;
    EXPECT_NEAR(std::abs(tunable_formula(rho, 1 / w).alpha2), 0.95, 1e-6);
  }
}

struct Expected {
  const char* method;
  double order;
};

class ByIndex : public ::testing::TestWithParam<Expected> {};

TEST_P(ByIndex, OrderOfEveryBlock) {
  const auto [method, order] = GetParam();
  const PairRequest request{"direct", method};
  for (const auto& [problem, end, steps] :
       std::vector<std::tuple<std::shared_ptr<const Problem>, double, int>>{
           {make_problem("manufactured-ode"), 3, 160},
           {std::make_shared<Index1Pair>(), 3, 160},
           {make_problem("exact-index2"), 1, 320}})
    for (const auto& [block, slope] : testing::slopes_of(problem, request, end, steps))
      EXPECT_NEAR(slope, order, 0.1) << method << " block " << block;
}

INSTANTIATE_TEST_SUITE_P(All, ByIndex,
                         ::testing::Values(Expected{"implicit-euler", 1}, Expected{"bdf2", 2},
                                           Expected{"trapezoid", 2}, Expected{"ms", 2},
                                           Expected{"multistep", 2}),
                         [](const auto& given) {
                           std::string name = given.param.method;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// From the first step on, multipliers included: what the offset start is for.
TEST(Index3, FullOrderFromTheStart) {
  for (const auto& [method, rho, steps] :
       {std::tuple{"bdf2", -1.0, 1600}, {"ms", 0.0, 1600}, {"ms", 0.6, 800}, {"ms", 0.9, 1600}}) {
    std::map<std::string, double> settings;
    if (rho >= 0) settings["rho_inf"] = rho;
    for (const auto& [block, slope] :
         testing::slopes_of(std::make_shared<Index3Pendulum>(), {"direct", method}, 10, steps, settings))
      EXPECT_NEAR(slope, 2, 0.1) << method << " " << rho << " " << block;
  }
  for (const auto& [block, slope] : testing::slopes_of(
           make_problem("manufactured"), {"index3", "implicit-euler"}, 3, 400, {{"multipliers", 1}}))
    EXPECT_NEAR(slope, 1, 0.1) << block;
}

TEST(Index3, UndampedMethodsEndUnstable) {
  for (const char* method : {"trapezoid", "midpoint-implicit"})
    for (const double h : {0.05, 0.0125}) {
      RunOptions options;
      options.request = {"direct", method};
      options.control = Control::fixed;
      options.step = h;
      const Summary summary = run(std::make_shared<Index3Pendulum>(9.81), options);
      EXPECT_EQ(summary.outcome, Outcome::unstable) << method << " " << summary.message;
      EXPECT_NE(summary.message.find("lambda"), std::string::npos) << summary.message;
    }
}

TEST(Midpoint, DoesNotConvergeInMultipliersOfIndexTwo) {
  for (const auto& [block, slope] :
       testing::slopes_of(std::make_shared<Index1Pair>(), {"direct", "midpoint-implicit"}, 3, 160))
    EXPECT_NEAR(slope, 2, 0.1) << block;
  RunOptions options;
  options.request = {"direct", "midpoint-implicit"};
  options.control = Control::fixed;
  options.step = 1.0 / 80;
  EXPECT_EQ(run(make_problem("ascher-petzold"), options).outcome, Outcome::unstable);
  EXPECT_FALSE(find_method("midpoint-implicit").stable(Kind::implicit, 2));
}

/// y' = slope (y - sin t) + cos t
class Pulled final : public Implicit {
 public:
  explicit Pulled(double slope) : slope_(slope) {}
  Layout layout() const override { return Layout().add("y", 1, Role::differential, 1); }
  State start() const override { return {0, Vector::Zero(1)}; }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override { return State{t, Vector::Constant(1, std::sin(t))}; }
  void F(double t, In y, In dy, Out r) const override {
    r[0] = (dy[0] - std::cos(t) - slope_ * (y[0] - std::sin(t))) / (1 + std::abs(slope_));
  }
  void jacobians(double, In, In, Entries& F_y, Entries& F_dy) const override {
    F_y.write<1>({{{0, 0}}}, {-slope_ / (1 + std::abs(slope_))});
    F_dy.write<1>({{{0, 0}}}, {1 / (1 + std::abs(slope_))});
  }
  void rate(double t, In y, Out dy) const override { dy[0] = std::cos(t) + slope_ * (y[0] - std::sin(t)); }

 private:
  double slope_;
};

/// A method bound to a problem, driven by hand.
struct Driven {
  Driven(const Problem& problem, const std::string& name, const std::map<std::string, double>& options = {}) {
    const MethodEntry& entry = find_method(name);
    method = entry.make();
    method->bind(problem, {.tolerance = {},
                           .precision = Precision::rounding,
                           .options = Parameters(entry.options, options, name),
                           .statistics = &statistics});
    from = to = problem.start();
  }
  Attempt step(double h) {
    const Attempt attempt = method->attempt(from, h, to);
    EXPECT_EQ(attempt.outcome, Outcome::ok);
    method->accept();
    std::swap(from, to);
    return attempt;
  }
  Statistics statistics;
  std::unique_ptr<Method> method;
  State from, to;
};

TEST(VariableSteps, KeepTheOrder) {
  for (const auto& [name, order] :
       {std::pair{"implicit-euler", 1.0}, {"bdf2", 2.0}, {"trapezoid", 2.0}, {"ms", 2.0}}) {
    const auto error = [&](int steps) {
      std::mt19937 random(7);
      std::uniform_real_distribution<double> part(0.5, 1.5);
      const auto problem = make_problem("manufactured-ode");
      Statistics unused;
      const auto formulation = [&] {
        for (const auto& f : find_formulation("direct"))
          if (f.from == Kind::ode && f.to == Kind::implicit) return f.make(*problem, {}, unused);
        throw Error("no direct formulation");
      }();
      Driven driven(formulation->rewritten(), name);
      std::vector<double> pieces;
      double sum = 0;
      for (int k = 0; k < steps; ++k) sum += pieces.emplace_back(part(random));
      double worst = 0;
      for (const double piece : pieces) {
        driven.step(3 * piece / sum);
        worst = std::max(worst, largest(driven.from.y - problem->exact(driven.from.t)->y));
      }
      return worst;
    };
    EXPECT_NEAR(std::log2(error(400) / error(1600)) / 2, order, 0.15) << name;
  }
}

TEST(VariableSteps, KeepTheRootAtInfinity) {
  const Pulled stiff(-1e12);
  for (const double rho : {0.0, 0.4, 0.8}) {
    Driven driven(stiff, "ms", {{"rho_inf", rho}});
    driven.from.y[0] = 1;  // far from sin t: what is left of it obeys y_n + 2 rho y_{n-1} + rho^2 y_{n-2} = 0
    std::vector<double> y{1};
    for (const double h : {0.01, 0.02, 0.005, 0.009, 0.015, 0.001, 0.002}) {
      driven.step(h);
      y.push_back(driven.from.y[0] - std::sin(driven.from.t));
    }
    for (std::size_t n = 2; n < y.size(); ++n)
      EXPECT_NEAR(y[n] + 2 * rho * y[n - 1] + rho * rho * y[n - 2], 0, 1e-6) << rho << " " << n;
  }
}

TEST(Estimate, IsTheLocalError) {
  const Pulled quadrature(0);
  for (const auto& [name, rho] :
       {std::pair{"implicit-euler", -1.0}, {"bdf2", -1.0}, {"trapezoid", -1.0}, {"ms", 0.6}, {"ms", 0.2}}) {
    const int order = std::string(name) == "implicit-euler" ? 1 : 2;
    std::map<std::string, double> options;
    if (rho >= 0) options["rho_inf"] = rho;
    Driven driven(quadrature, name, options);
    driven.from.y[0] = 0;
    double last = 0;
    for (int k = 0; k < 90; ++k) {
      // Equal steps, then steps that change: there the error of the points before is no longer smooth.
      const double h = k < 60 || k % 7 < 3 ? 0.004 : k % 7 == 3 ? 0.003 : 0.005, before = driven.from.t;
      const Attempt attempt = driven.step(h);
      if (k > 25) {
        const double r = last / h, w = rho >= 0 ? rho : 0;
        const MultistepFormula f = std::string(name) == "trapezoid" ? MultistepFormula{-1, 0, .5, .5, 0}
                                   : std::string(name) == "implicit-euler" ? MultistepFormula{-1, 0, 1, 0, 0}
                                                                           : tunable_formula(w, r);
        const double t = before, derivative = order == 1 ? std::sin(t) : std::cos(t);
        const double expected = std::abs(f.residual(order, r)) * std::pow(h, order + 1) * derivative;
        EXPECT_NEAR(attempt.error * (1 + std::abs(driven.from.y[0])) / expected, 1, k < 60 ? 0.05 : 0.4)
            << name << " " << k;
      }
      last = h;
    }
  }
}

TEST(Multistep, RunsAnyFormulaAndRefusesBadOnes) {
  const MultistepFormula f = tunable_formula(0.6, 1);
  const std::map<std::string, double> same = {
      {"alpha1", f.alpha1}, {"alpha2", f.alpha2}, {"beta0", f.beta0}, {"beta1", f.beta1}, {"beta2", f.beta2}};
  const auto problem = std::make_shared<Index3Pendulum>();
  const auto ms = testing::errors_of(problem, {"direct", "ms"}, 10, 500);
  const auto given = testing::errors_of(problem, {"direct", "multistep"}, 10, 500, same);
  for (const auto& [block, error] : ms) EXPECT_NEAR(given.at(block), error, 1e-9) << block;

  const auto refuse = [&](std::map<std::string, double> options) {
    EXPECT_THROW(testing::errors_of(problem, {"direct", "multistep"}, 1, 10, options), Error);
  };
  refuse({{"beta0", 0.5}});                                     // not consistent
  refuse({{"beta0", 0}, {"beta1", 2.0 / 3}});                   // explicit
  refuse({{"alpha1", 0.5}, {"alpha2", -1.5}, {"beta0", 2.5}});  // not zero-stable
  EXPECT_THROW(testing::errors_of(problem, {"direct", "ms"}, 1, 10, {{"rho_inf", 1.2}}), Error);
}

/// A formula for equal steps, where the last one is shorter: it falls back on one that knows no equal steps.
TEST(Multistep, AShorterLastStepKeepsTheOrder) {
  const auto problem = make_problem("manufactured-ode");
  const auto error = [&](double step) {
    return run(problem,
               {.request = {"direct", "multistep"}, .control = Control::fixed, .end = 1.007, .step = step})
        .error.at("y");
  };
  EXPECT_NEAR(std::log2(error(.04) / error(.02)), 2, .3);
  EXPECT_NEAR(std::log2(error(.02) / error(.01)), 2, .3);
}

TEST(OneLeg, HasTheSameOrder) {
  for (const char* method : {"ms", "multistep"})
    for (const auto& [block, slope] :
         testing::slopes_of(std::make_shared<Index1Pair>(), {"direct", method}, 3, 160, {{"one_leg", 1}}))
      EXPECT_NEAR(slope, 2, 0.1) << method << " " << block;
  // BDF2 asks for F at one point only: its one-leg form is itself.
  const auto problem = make_problem("manufactured-ode");
  const auto plain = testing::errors_of(problem, {"direct", "multistep"}, 3, 100);
  const auto leg = testing::errors_of(problem, {"direct", "multistep"}, 3, 100, {{"one_leg", 1}});
  EXPECT_NEAR(plain.at("y"), leg.at("y"), 1e-12);
}

TEST(Dirk, OrderConditionsAndDamping) {
  for (const auto& [name, order] : {std::pair{"sdirk2", 2}, {"sdirk3", 3}, {"sdirk4", 4}, {"dirk", 2}}) {
    const DirkTableau& tableau = dirk_tableau(name);
    const Matrix& A = tableau.A;
    const Vector b = A.bottomRows(1).transpose(), one = Vector::Ones(A.rows()), c = A * one;
    const Vector c2 = c.cwiseProduct(c), c3 = c2.cwiseProduct(c);
    const auto defect = [&](const Vector& w, int p) {
      double most = std::abs(w.sum() - 1);
      const auto note = [&](double value, double wanted) { most = std::max(most, std::abs(value - wanted)); };
      if (p >= 2) note(w.dot(c), 1.0 / 2);
      if (p >= 3) note(w.dot(c2), 1.0 / 3), note(w.dot(A * c), 1.0 / 6);
      if (p >= 4)
        note(w.dot(c3), 1.0 / 4), note(w.dot(c.cwiseProduct(A * c)), 1.0 / 8), note(w.dot(A * c2), 1.0 / 12),
            note(w.dot(A * (A * c)), 1.0 / 24);
      return most;
    };
    EXPECT_LT(defect(b, order), 1e-13) << name;
    if (order < 4) {
      EXPECT_GT(defect(b, order + 1), 1e-3) << name;
    }
    EXPECT_LT(defect(tableau.embedded, tableau.embedded_order), 1e-13) << name;
    EXPECT_GT(defect(tableau.embedded, tableau.embedded_order + 1), 1e-3) << name;
    EXPECT_NEAR(1 - b.dot(A.inverse() * one), 0, 1e-12) << name;  // R(infinity)
    for (double y = 0.01; y < 1e3; y *= 1.5) {                    // |R(iy)| <= 1
      const Eigen::MatrixXcd M =
          Eigen::MatrixXcd::Identity(A.rows(), A.rows()) - std::complex<double>(0, y) * A;
      const std::complex<double> R =
          1.0 + std::complex<double>(0, y) *
                    b.cast<std::complex<double>>().dot(M.lu().solve(one.cast<std::complex<double>>()));
      EXPECT_LE(std::abs(R), 1 + 1e-12) << name << " " << y;
    }
  }
}

// Stage order 1: full order at index 1, 2 and 1 at index 2, no convergence of multipliers at index 3 [HairerWanner1996]. Those that are
// reported there follow from positions and velocities, with the order of velocities.
TEST(Dirk, OrdersByIndex) {
  for (const auto& [name, order] :
       {std::pair{"sdirk2", 2.0}, {"sdirk3", 3.0}, {"sdirk4", 4.0}, {"dirk", 2.0}}) {
    const PairRequest request{"direct", name};
    for (const auto& [block, slope] : testing::slopes_of(std::make_shared<Index1Pair>(), request, 3, 80))
      EXPECT_NEAR(slope, order, 0.15) << name << " " << block;
    auto index2 =
        testing::slopes_of(make_problem("manufactured"), {"ggl", name}, 3, 240, {{"multipliers", 1}});
    for (const char* block : {"q", "v", "s"}) EXPECT_NEAR(index2[block], 2, 0.25) << name << " " << block;
    for (const char* block : {"lambda", "mu"}) EXPECT_NEAR(index2[block], 1, 0.15) << name << " " << block;
    auto index3 = testing::slopes_of(std::make_shared<Index3Pendulum>(), request, 10, 400);
    EXPECT_NEAR(index3["lambda"], 1, 0.2) << name;
    EXPECT_FALSE(find_method(name).stable(Kind::implicit, 3));
  }
}

// One local error per step is kept below the tolerance, so what has gathered at the end falls as tol^(p/(p+1)), where p is
// the order of the estimate's formula.
TEST(Adaptive, ErrorsFollowTheTolerance) {
  for (const auto& [method, p] : {std::pair{"implicit-euler", 1},
                                  {"bdf2", 2},
                                  {"trapezoid", 2},
                                  {"ms", 2},
                                  {"sdirk2", 1},
                                  {"sdirk3", 2},
                                  {"sdirk4", 2},
                                  {"dirk", 1}})
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
      RunOptions options;
      options.request = {"ggl", method};
      options.tolerance = {tolerance, tolerance};
      options.end = 3;
      const Summary summary = run(make_problem("pendulum"), options);
      ASSERT_EQ(summary.outcome, Outcome::ok) << method << " " << summary.message;
      const double expected = std::pow(tolerance, p / (p + 1.0)), error = summary.error.at("q");
      EXPECT_LT(error, 4 * expected) << method << " " << tolerance;
      EXPECT_LT(summary.statistics.rejected, summary.statistics.steps / 3 + 5) << method << " " << tolerance;
    }
}

}  // namespace
}  // namespace dalembert
