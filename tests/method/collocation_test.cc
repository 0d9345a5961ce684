// Collocation methods: their coefficients, their orders on problems of index 1, 2 and 3, and their error estimates.
#include "dalembert/method/collocation/collocation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {
namespace {

// --- coefficients

TEST(CollocationTable, HasTheRadauPoints) {
  const auto two = radau_points(2), three = radau_points(3);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NEAR(static_cast<double>(two[0]), 1.0 / 3, 1e-17);
  ASSERT_EQ(three.size(), 3u);
  EXPECT_NEAR(static_cast<double>(three[0]), (4 - std::sqrt(6.0)) / 10, 1e-16);
  EXPECT_NEAR(static_cast<double>(three[1]), (4 + std::sqrt(6.0)) / 10, 1e-16);
  EXPECT_EQ(three[2], 1);
}

TEST(CollocationTable, HasTheOrderOfItsQuadrature) {
  for (const int s : {2, 3, 5, 7}) {
    const auto points = radau_points(s);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(s));
    EXPECT_EQ(Collocation(points, Collocation::Start::value).order(), 2 * s - 1);
  }
  EXPECT_EQ(Collocation({0.5L, 1}, Collocation::Start::slope).order(), 4);
  EXPECT_EQ(Collocation({0.625L, 1}, Collocation::Start::slope).order(), 3);
}

TEST(CollocationTable, DifferentiatesPolynomials) {
  for (const int s : {2, 3, 5, 7}) {
    const Collocation table(radau_points(s), Collocation::Start::value);
    for (int k = 1; k <= s; ++k) {
      const Vector Z = table.c.array().pow(k), slope = k * table.c.array().pow(k - 1);
      EXPECT_LT(largest(table.W * Z - slope), 1e-11) << s << " " << k;
    }
  }
  for (const double c : {0.5, 0.625, 0.9}) {
    const Collocation table({c, 1}, Collocation::Start::slope);
    for (int k = 1; k <= 3; ++k) {
      const Vector Z = table.c.array().pow(k), slope = k * table.c.array().pow(k - 1);
      EXPECT_LT(largest(table.W * Z + (k == 1 ? table.d : 0 * table.d) - slope), 1e-12) << c << " " << k;
    }
  }
}

TEST(CollocationTable, FallsApartIntoModes) {
  for (const int s : {2, 3, 5, 7}) {
    const Collocation table(radau_points(s), Collocation::Start::value);
    EXPECT_EQ(table.real_modes.size(), static_cast<std::size_t>(s % 2));
    EXPECT_EQ(table.pairs.size(), static_cast<std::size_t>(s / 2));
    Matrix sum = Matrix::Zero(s, s);
    for (const auto& m : table.real_modes) sum += m.lambda * m.right * m.left.transpose();
    for (const auto& m : table.pairs) sum += 2 * (m.lambda * m.right * m.left.transpose()).real();
    EXPECT_LT((sum - table.W).cwiseAbs().maxCoeff(), 1e-11 * table.W.cwiseAbs().maxCoeff());
  }
}

TEST(CollocationTable, KnowsTheEmbeddedFormula) {
  // e_i/gamma_0 of [HairerWanner1996, IV.8], with the other sign.
  const Collocation table(radau_points(3), Collocation::Start::value);
  Vector slope(4);
  table.slopes(0, slope);
  EXPECT_NEAR(slope[0], (13 + 7 * std::sqrt(6.0)) / 3, 1e-13);
  EXPECT_NEAR(slope[1], (13 - 7 * std::sqrt(6.0)) / 3, 1e-13);
  EXPECT_NEAR(slope[2], 1.0 / 3, 1e-13);
}

/// y_1/y_0 for y' = z y and h = 1: (W - z) Z = z 1 - z d.
double amplification(const Collocation& table, double z) {
  const Eigen::Index s = table.stages();
  const Matrix A = table.W - z * Matrix::Identity(s, s);
  return 1 + A.lu().solve(z * (Vector::Ones(s) - table.d)).eval()[s - 1];
}

TEST(CollocationTable, DampsAtInfinityAsAskedFor) {
  for (const double rho : {0.1, 0.3, 0.6, 1.0}) {
    const Collocation table({1 / (1 + static_cast<long double>(rho)), 1}, Collocation::Start::slope);
    EXPECT_NEAR(std::abs(amplification(table, -1e9)), rho, 1e-6);
    for (double z = -0.1; z > -1e6; z *= 2)
      EXPECT_LT(std::abs(amplification(table, z)), 1) << rho << " " << z;
  }
  for (const int s : {2, 3, 5, 7})
    EXPECT_LT(std::abs(amplification({radau_points(s), Collocation::Start::value}, -1e9)), 1e-6);
}

// --- orders

/// [Jay1993Collocation] of index 3 as it stands: y1, y2 of index 1, z1, z2 of index 2, u of index 3. Its rows may be mixed
/// by a matrix that changes with time, so that no equation is algebraic by itself.
class JayIndex3 final : public Implicit {
 public:
  explicit JayIndex3(double mixed) : mixed_(mixed) {}
  Layout layout() const override {
    return Layout()
        .add("y", 2, Role::differential, 1)
        .add("z", 2, Role::differential, 2)
        .add("u", 1, Role::algebraic, 3);
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    State state{t, Vector(5)};
    state.y << std::exp(2 * t), std::exp(-t), std::exp(2 * t), std::exp(-t), std::exp(t);
    return state;
  }
  void F(double t, In y, In dy, Out r) const override {
    r[0] = dy[0] - 2 * y[0] * y[1] * y[2] * y[3];
    r[1] = dy[1] + y[0] * y[1] * y[3] * y[3];
    r[2] = dy[2] - (y[0] * y[1] + y[2] * y[3]) * y[4];
    r[3] = dy[3] + y[0] * y[1] * y[1] * y[3] * y[3] * y[4];
    r[4] = y[0] * y[1] * y[1] - 1;
    r = (mix(t) * Vector(r)).eval();
  }
  void jacobians(double t, In y, In, Entries& F_y, Entries& F_dy) const override {
    Matrix a = Matrix::Zero(5, 5), b = Matrix::Identity(5, 5);
    b(4, 4) = 0;
    a.row(0) << -2 * y[1] * y[2] * y[3], -2 * y[0] * y[2] * y[3], -2 * y[0] * y[1] * y[3],
        -2 * y[0] * y[1] * y[2], 0;
    a.row(1) << y[1] * y[3] * y[3], y[0] * y[3] * y[3], 0, 2 * y[0] * y[1] * y[3], 0;
    a.row(2) << -y[1] * y[4], -y[0] * y[4], -y[3] * y[4], -y[2] * y[4], -(y[0] * y[1] + y[2] * y[3]);
    a.row(3) << y[1] * y[1] * y[3] * y[3] * y[4], 2 * y[0] * y[1] * y[3] * y[3] * y[4], 0,
        2 * y[0] * y[1] * y[1] * y[3] * y[4], y[0] * y[1] * y[1] * y[3] * y[3];
    a.row(4) << y[1] * y[1], 2 * y[0] * y[1], 0, 0, 0;
    write(mix(t) * a, F_y);
    write(mix(t) * b, F_dy);
  }
  void rate(double t, In, Out dy) const override {
    dy << 2 * std::exp(2 * t), -std::exp(-t), 2 * std::exp(2 * t), -std::exp(-t), std::exp(t);
  }

 private:
  Matrix mix(double t) const {
    Matrix m = Matrix::Identity(5, 5);
    m(0, 4) = mixed_ * std::sin(3 * t), m(4, 0) = -0.5 * mixed_ * std::cos(t), m(2, 3) = mixed_ * t;
    return m;
  }
  static void write(const Matrix& a, Entries& entries) {
    entries.begin();
    for (Eigen::Index i = 0; i < 5; ++i)
      for (Eigen::Index j = 0; j < 5; ++j) entries.add(i, j, a(i, j));
    entries.end();
  }
  double mixed_;
};

/// The largest error of each block over all steps.
class WorstError final : public Observer {
 public:
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    const State& ours = view.at(view.end(), Depth::coordinates);
    const auto exact = problem_->exact(view.end());
    const Layout layout = problem_->layout();
    for (const auto& b : layout.blocks())
      errors[b.name] = std::max(errors[b.name], largest(ours[b] - (*exact)[b]));
  }
  std::map<std::string, double> errors;

 private:
  const Problem* problem_ = nullptr;
};

std::map<std::string, double> errors(const std::shared_ptr<const Problem>& problem, const std::string& method,
                                     int steps) {
  RunOptions options;
  options.request = {"direct", method};
  options.control = Control::fixed;
  options.step = (problem->end() - problem->start().t) / steps;
  WorstError watch;
  const Summary summary = run(problem, options, {&watch});
  EXPECT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
  return watch.errors;
}

void expect_orders(const std::shared_ptr<const Problem>& problem, const std::string& method, int steps,
                   double ratio, const std::map<std::string, double>& orders) {
  const int more = static_cast<int>(std::lround(ratio * steps));
  auto coarse = errors(problem, method, steps), fine = errors(problem, method, more);
  for (const auto& [block, order] : orders) {
    const double observed = std::log(coarse[block] / fine[block]) / std::log(1.0 * more / steps);
    EXPECT_NEAR(observed, order, 0.35)
        << method << ", " << block << " " << coarse[block] << " " << fine[block];
  }
}

TEST(Collocation, HasItsOrdersAtIndex3) {
  for (const double mixed : {0.0, 1.0}) {
    const auto jay = std::make_shared<const JayIndex3>(mixed);
    expect_orders(jay, "radau3", 40, 2, {{"y", 3}, {"z", 2}, {"u", 1}});
    expect_orders(jay, "radau5", 16, 2, {{"y", 5}, {"z", 3}, {"u", 2}});
    // y reaches rounding before it shows order 9 or 13.
    expect_orders(jay, "radau9", 8, 2, {{"z", 5}, {"u", 4}});
    expect_orders(jay, "radau13", 4, 1.5, {{"z", 7}, {"u", 6}});
  }
}

TEST(Collocation, HasItsOrdersAtIndex2) {
  const auto problem = make_problem("exact-index2");
  expect_orders(problem, "radau3", 50, 2, {{"y", 3}, {"z", 2}});
  expect_orders(problem, "radau5", 20, 2, {{"y", 5}, {"z", 3}});
  expect_orders(problem, "lobatto", 40, 2, {{"y", 4}, {"z", 2}});
}

// --- error estimates and strategy

/// The estimate over one step from consistent values, in units of a tolerance that Newton's iteration respects.
double estimate(const Problem& problem, const std::string& method, double h) {
  Statistics statistics;
  const auto bound = find_method(method).make();
  bound->bind(problem, {.tolerance = {1e-8, 1e-8},
                        .options = Parameters(find_method(method).options, {}, ""),
                        .statistics = &statistics});
  State from = problem.start(), to = from;
  const Attempt attempt = bound->attempt(from, h, to);
  EXPECT_EQ(attempt.outcome, Outcome::ok);
  EXPECT_GT(attempt.exponent, 0);
  return attempt.error;
}

TEST(Collocation, EstimatesWithTheOrderItSaysAtIndex3) {
  const JayIndex3 jay(0);
  for (const auto& [method, stages, h] :
       {std::tuple{"radau3", 2, 0.002}, {"radau5", 3, 0.02}, {"radau9", 5, 0.16}}) {
    const double whole = estimate(jay, method, h), slope = std::log2(whole / estimate(jay, method, h / 2));
    EXPECT_LT(whole, 1) << method << ": what is too large is filtered twice";
    EXPECT_NEAR(slope, stages + 1, 0.4) << method;
  }
}

/// y' = -1e6 (y - cos t) - sin t
class ProtheroRobinson final : public Ode {
 public:
  Layout layout() const override { return Layout().add("y", 1, Role::differential, 0); }
  State start() const override { return *exact(0); }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override { return State{t, Vector::Constant(1, std::cos(t))}; }
  void f(double t, In y, Out dy) const override { dy[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t); }
  void f_y(double, In, Entries& a) const override { a.begin(), a.add(0, 0, -1e6), a.end(); }
};

TEST(Collocation, IsNotSlowedDownByStiffParts) {
  const auto stiff = std::make_shared<const ProtheroRobinson>();
  for (const std::string method : {"radau", "radau5", "radau9", "radau13"}) {
    RunOptions options;
    options.request = {"direct", method};
    options.tolerance = {1e-6, 1e-6};
    const Summary summary = run(stiff, options);
    ASSERT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
    EXPECT_LT(summary.error.at("y"), 1e-6) << method;
    EXPECT_LT(summary.statistics.steps, 60) << method;
  }
}

Summary car_axis(const std::string& formulation, const std::string& method, double tolerance) {
  RunOptions options;
  options.request = {formulation, method};
  options.tolerance = {tolerance, tolerance};
  return run(make_problem("car-axis"), options);
}

TEST(Collocation, ErrorsFollowTheTolerance) {
  for (const std::string method :
       {"radau", "radau3", "radau5", "radau9", "radau13", "lobatto", "collocation"})
    for (const double tolerance : {1e-4, 1e-6}) {
      const Summary summary = car_axis("ggl", method, tolerance);
      ASSERT_EQ(summary.outcome, Outcome::ok) << method << ": " << summary.message;
      EXPECT_LT(summary.error.at("q"), 3 * tolerance) << method;
      EXPECT_LT(summary.error.at("v"), 20 * tolerance) << method;
      EXPECT_GT(summary.error.at("v"), 0.02 * tolerance) << method;  // and no work is wasted
    }
}

TEST(Collocation, ChoosesAHighOrderForTightTolerances) {
  const Summary fixed = car_axis("ggl", "radau5", 1e-8), chosen = car_axis("ggl", "radau", 1e-8);
  EXPECT_LT(chosen.statistics.steps, fixed.statistics.steps / 5);
  EXPECT_LT(chosen.statistics.force_evaluations, fixed.statistics.force_evaluations / 2);
}

TEST(Collocation, KeepsFactorsWhereItCan) {
  // One matrix of two unknowns, constant: a Jacobian now and then, and factors only where the step changes.
  RunOptions options;
  options.request = {"direct", "radau5"};
  options.control = Control::fixed;
  options.step = 0.1;
  const Summary summary = run(std::make_shared<const ProtheroRobinson>(), options);
  EXPECT_EQ(summary.statistics.jacobians, 1);
  EXPECT_LE(summary.statistics.factorizations, 4);  // the last step may differ by rounding
}

TEST(Collocation, NamesTheInstabilityAtIndex3) {
  RunOptions options;
  options.request = {"index3", "lobatto"};
  options.control = Control::fixed;
  options.step = 0.0025;
  const Summary summary = run(make_problem("pendulum"), options);
  EXPECT_EQ(summary.outcome, Outcome::unstable) << summary.message;
  EXPECT_NE(summary.message.find("lambda"), std::string::npos) << summary.message;
}

TEST(Collocation, RefusesPointsThatMeet) {
  RunOptions options;
  options.request = {"direct", "collocation"};
  options.options = {{"rho_inf", 0.0}};
  EXPECT_THROW(run(make_problem("exact-index2"), options), Error);
}

}  // namespace
}  // namespace dalembert
