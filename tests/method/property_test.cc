// What must be true whatever the method: pure attempts, one trajectory from all formulations, honest dense output.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/formulation/by_index/velocity_level.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

struct Bound {
  std::shared_ptr<const Problem> problem;
  Statistics statistics;
  std::unique_ptr<Formulation> formulation;
  std::unique_ptr<Method> method;
  State from, to;

  Bound(const std::string& name, const Pair& pair, Projection projection = Projection::off)
      : problem(make_problem(name)) {
    formulation = pair.formulation->make(*problem, Parameters(pair.formulation->options, {}, ""), statistics);
    method = pair.method->make();
    method->bind(formulation->rewritten(), {.tolerance = {1e-8, 1e-8},
                                            .projection = projection,
                                            .precision = Precision::rounding,
                                            .options = Parameters(pair.method->options, {}, ""),
                                            .statistics = &statistics});
    State start = problem->start();
    make_consistent(*problem, start);
    from = formulation->rewritten().start();
    formulation->enter(start, from);
    to = from;
  }
  void step(double h) {
    ASSERT_EQ(method->attempt(from, h, to).outcome, Outcome::ok);
    method->accept();
    std::swap(from, to);
  }
};

TEST(Property, RejectThenAcceptEqualsDirectStep) {
  for (const std::string name : {"andrews", "exact-index2", "manufactured", "manufactured-ode"})
    for (const Pair& pair : feasible_pairs(*make_problem(name))) {
      Bound direct(name, pair), other(name, pair);
      const double h = 1e-3 * (direct.problem->end() - direct.from.t);
      for (int k = 0; k < 5; ++k) {
        direct.step(h);
        other.method->attempt(other.from, 3 * h, other.to);
        other.step(h);
        // Newton's iteration meets the same point by another matrix, up to rounding divided by h.
        const bool iterates =
            pair.formulation->to == Kind::implicit || pair.formulation->to == Kind::mechanical;
        const Eigen::Index n = differential_size(direct.formulation->rewritten().layout());
        const double scale = iterates ? 3e-12 / h * (1 + largest(direct.from.y.head(n))) : 0;
        ASSERT_LE(largest(direct.from.y.head(n) - other.from.y.head(n)), scale)
            << name << " " << pair.formulation->name << " " << pair.method->name;
      }
    }
}

TEST(Property, DenseOutputMeetsBothEndsAndHasItsOrder) {
  for (const std::string name : {"pendulum", "exact-index3", "manufactured-ode"})
    for (const Pair& pair : feasible_pairs(*make_problem(name))) {
      double last = 0, slope = 0;
      const double order =
          std::min<double>(pair.method->dense_order, pair.method->order(pair.formulation->to));
      const double longest = pair.method->dense_order > 5 ? 0.8 : 0.1;
      const double shortest = longest / (pair.method->dense_order <= 2 ? 20 : 5);
      for (double h = longest; h > shortest; h /= 2) {
        Bound b(name, pair);
        ASSERT_EQ(b.method->attempt(b.from, h, b.to).outcome, Outcome::ok);
        State inside = b.to;
        b.method->interpolate(0, inside);
        EXPECT_LT((inside.y.head(2) - b.from.y.head(2)).norm(), 1e-14) << pair.method->name;
        b.method->interpolate(1, inside);
        EXPECT_LT((inside.y.head(2) - b.to.y.head(2)).norm(), 1e-14) << pair.method->name;
        double error = 0;
        for (const double theta : {0.3, 0.6, 0.8}) {
          b.method->interpolate(theta, inside);
          const auto exact = b.problem->exact(theta * h);
          error = std::max(error, (inside.y.head(2) - exact->y.head(2)).norm());
        }
        slope = last > 0 ? std::log2(last / error) : error < 1e-12 ? order + 1 : 0;
        last = error;
        if (error < 1e-12) break;
      }
      EXPECT_GT(slope, order + 1 - 0.6) << name << " " << pair.formulation->name << " " << pair.method->name;
    }
}

class OneTrajectory : public testing::TestWithParam<std::string> {};

/// A local error of tol leaves a global one of tol^(p/(p+1)) for order p, times what the problem makes of it. Velocities
/// (and the multipliers computed from them) follow from differentiated positions where only those are imposed.
double allowed(const Pair& pair, const std::string& block, double tol) {
  const double p = pair.method->order(pair.formulation->to);
  const bool differentiated = pair.formulation->name == "index3";
  return (block == "q" ? 30 : differentiated ? 500 : 100) * std::pow(tol, p / (p + 1));
}

TEST_P(OneTrajectory, FromAllFeasiblePairs) {
  const std::string& name = GetParam();
  const auto problem = make_problem(name);
  const double end = name == "andrews" ? 0.01 : name == "heavy-top" ? 0.1 : 1;
  RunOptions options;
  options.end = end;
  options.tolerance = {1e-12, 1e-12};
  options.request = {"index1", "dop853"};
  const Summary reference = run(problem, options);
  ASSERT_EQ(reference.outcome, Outcome::ok);
  options.tolerance = {1e-5, 1e-5};
  for (const Pair& pair : feasible_pairs(*problem)) {
    options.request = {pair.formulation->name, pair.method->name};
    options.step.reset();
    if (!adapts(pair, *problem)) options.step = end / 4000;
    const Summary s = run(problem, options);
    const std::string who = name + " " + pair.formulation->name + " " + pair.method->name;
    EXPECT_EQ(s.outcome, Outcome::ok) << who << ": " << s.message;
    for (const auto& [block, error] : block_errors(*problem, s.state, s.layout, reference.state))
      EXPECT_LT(error, allowed(pair, block, 1e-5)) << who << " " << block;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OneTrajectory,
                         testing::Values("pendulum", "andrews", "sleigh", "heavy-top", "triple-pendulum",
                                         "manufactured"),
                         [](const auto& given) {
                           std::string name = given.param;
                           for (char& letter : name)
                             if (letter == '-') letter = '_';
                           return name;
                         });

/// The velocity level of a mechanical problem hidden behind its general interface, so that stages iterate in z.
class General final : public Hessenberg {
 public:
  explicit General(const VelocityLevel& level) : level_(level) {}
  Layout layout() const override { return level_.layout(); }
  State start() const override { return level_.start(); }
  double end() const override { return level_.end(); }
  void f(double t, In y, In z, Out dy) const override { level_.f(t, y, z, dy); }
  void g(double t, In y, Out r) const override { level_.g(t, y, r); }
  void f_y(double t, In y, In z, Entries& e) const override { level_.f_y(t, y, z, e); }
  void f_z(double t, In y, In z, Entries& e) const override { level_.f_z(t, y, z, e); }
  void g_y(double t, In y, Entries& e) const override { level_.g_y(t, y, e); }
  void g_t(double t, In y, Out r) const override { level_.g_t(t, y, r); }

 private:
  const VelocityLevel& level_;
};

TEST(Property, NewtonStagesEqualLinearStages) {
  for (const std::string name : {"pendulum", "manufactured", "sleigh"})
    for (const auto& entry : all_methods()) {
      if (!entry.accepts(Kind::hessenberg)) continue;
      const auto problem = make_problem(name);
      Statistics statistics;
      const VelocityLevel level(as<Mechanical>(*problem), statistics);
      const General general(level);
      State a = problem->start(), b = a, to = a;
      const Setting setting{.tolerance = {1e-8, 1e-8},
                            .projection = Projection::off,
                            .options = Parameters(entry.options, {}, ""),
                            .statistics = &statistics};
      const auto linear = entry.make(), newton = entry.make();
      linear->bind(level, setting);
      newton->bind(general, setting);
      for (int k = 0; k < 10; ++k) {
        ASSERT_EQ(linear->attempt(a, 0.01, to).outcome, Outcome::ok);
        linear->accept();
        std::swap(a, to);
        ASSERT_EQ(newton->attempt(b, 0.01, to).outcome, Outcome::ok) << entry.name;
        newton->accept();
        std::swap(b, to);
      }
      const Eigen::Index n = differential_size(problem->layout());
      EXPECT_LT((a.y.head(n) - b.y.head(n)).cwiseAbs().maxCoeff(), 1e-11) << name << " " << entry.name;
    }
}

TEST(Property, ProjectionHoldsTheConstraintsAndNotTheOrderBack) {
  const auto problem = make_problem("pendulum");
  RunOptions options;
  options.request = {"index2", "hem4"};
  options.control = Control::fixed;
  options.step = 0.1;
  options.end = 1000;
  options.projection = Projection::off;
  const auto off_by = [&](const Summary& s) { return std::abs(s.state.y.head(2).squaredNorm() - 1) / 2; };
  const double drift = off_by(run(problem, options));
  EXPECT_NEAR(drift, 2.4e-4, 0.3e-4);  // the known drift of hem4 over T = 1000 at h = 0.1
  options.projection = Projection::on;
  EXPECT_LT(off_by(run(problem, options)), 1e-14);
}

}  // namespace
}  // namespace dalembert
