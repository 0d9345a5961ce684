// Boundary value problems: the iterates of the regularization improve as published, direct shooting agrees, and
// conditions that do not fit are named.
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/boundary/shooting_equations.h"
#include "dalembert/boundary/solve_boundary.h"
#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

using Approach = BoundaryOptions::Approach;
using E = Regularization::E;

/// A problem of the catalogue with other conditions.
class Changed final : public BoundaryProblem {
 public:
  using Conditions = std::function<void(In, In, Out)>;
  Changed(std::shared_ptr<const BoundaryProblem> original, std::vector<std::string> names, Conditions b)
      : original_(std::move(original)), names_(std::move(names)), b_(std::move(b)) {}
  const Problem& equations() const override { return original_->equations(); }
  double begin() const override { return original_->begin(); }
  double end() const override { return original_->end(); }
  std::vector<std::string> conditions() const override { return names_; }
  void residual(In x0, In x1, Out r) const override { b_(x0, x1, r); }
  Vector guess(double t) const override { return original_->guess(t); }

 private:
  std::shared_ptr<const BoundaryProblem> original_;
  std::vector<std::string> names_;
  Conditions b_;
};

std::vector<double> later_errors(const BoundarySummary& s) {
  std::vector<double> all;
  for (const auto& i : s.iterates) all.push_back(i.later_error);
  return all;
}

void expect_within_factor_2(const std::vector<double>& ours, const std::vector<double>& known) {
  ASSERT_EQ(ours.size(), known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_LT(ours[i], 2 * known[i]) << "iterate " << i + 1;
    EXPECT_GT(ours[i], known[i] / 2) << "iterate " << i + 1;
  }
}

// The equations of the catalogue and their derivatives, by what the exact solution must satisfy.
TEST(Boundary, ExactSolutionsSolveTheEquations) {
  for (const auto& entry : all_boundary_problems()) {
    const auto problem = make_boundary_problem(entry.name);
    const Problem& dae = problem->equations();
    Statistics statistics;
    const auto direct = direct_equations(dae, statistics);
    const ShootingSizes n = shooting_sizes(dae);
    for (const double t : {.1, .45, .8}) {
      constexpr double e = 1e-5;
      const State exact = dae.exact(t).value();
      const Vector x = exact.y.head(n.x);
      const Vector rate = (dae.exact(t + e)->y - dae.exact(t - e)->y).head(n.x) / (2 * e);
      Vector dx(n.x), y(n.y), h(n.rows);
      direct->ode().f(t, x, dx);
      direct->constraint(t, x, h);
      ASSERT_EQ(direct->multiplier(t, x, y), Outcome::ok);
      EXPECT_LT(largest(dx - rate), 1e-8) << entry.name;
      EXPECT_LT(largest(y - exact.y.tail(n.y)), 1e-8) << entry.name;
      EXPECT_LT(largest(h), 1e-13) << entry.name;
      if (const auto* index2 = as<Hessenberg>(&dae)) {
        Entries f_y;
        index2->f_y(t, x, y, f_y);
        for (Eigen::Index j = 0; j < n.x; ++j) {
          Vector plus(n.x), minus(n.x);
          index2->f(t, x + e * Vector::Unit(n.x, j), y, plus);
          index2->f(t, x - e * Vector::Unit(n.x, j), y, minus);
          EXPECT_LT(largest((plus - minus) / (2 * e) - f_y.dense(n.x, n.x).col(j)), 1e-8) << entry.name;
        }
      }
    }
    Vector r(static_cast<Eigen::Index>(problem->conditions().size()));
    problem->residual(dae.exact(problem->begin())->y.head(n.x), dae.exact(problem->end())->y.head(n.x), r);
    EXPECT_LT(largest(r), 1e-13) << entry.name;
  }
}

TEST(Boundary, NonlinearIndex2ImprovesAsKnown) {
  for (const int segments : {1, 4})
    for (const double angle : {0.3, -0.5}) {
      BoundaryOptions o;
      o.segments = segments;
      const BoundarySummary s =
          solve_boundary(*make_boundary_problem("ascher-lin-boundary", {{"angle", angle}}), o);
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      EXPECT_TRUE(s.warnings.empty());
      expect_within_factor_2(later_errors(s), {.12, 2.6e-3, 5.8e-5, 1.3e-6, 6.9e-7});
      EXPECT_LT(s.iterates.back().trajectories, 80);
    }
}

TEST(Boundary, GrowingModesImproveAsKnown) {
  BoundaryOptions o;
  o.regularization.e = E::inverse;
  o.iterations = 4;
  const BoundarySummary s = solve_boundary(*make_boundary_problem("fast-and-slow"), o);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  expect_within_factor_2(later_errors(s), {1.46e-1, 2.49e-3, 3.43e-5, 1.49e-5});
  o.first_multiplier = 1;  // y(0): no initial layer
  const BoundarySummary better = solve_boundary(*make_boundary_problem("fast-and-slow"), o);
  EXPECT_LT(better.iterates[2].error, .2 * s.iterates[2].error);
}

TEST(Boundary, EveryProblemConvergesInEveryWay) {
  for (const auto& entry : all_boundary_problems())
    for (const int segments : {1, 5}) {
      const auto problem = make_boundary_problem(entry.name);
      BoundaryOptions o;
      o.segments = segments;
      o.approach = Approach::direct;
      const BoundarySummary direct = solve_boundary(*problem, o);
      ASSERT_EQ(direct.outcome, Outcome::ok) << entry.name << ": " << direct.message;
      EXPECT_LT(direct.iterates[0].error, 2e-5) << entry.name;
      EXPECT_LT(direct.iterates[0].drift, 1e-10) << entry.name;
      o.approach = Approach::regularized;
      for (const E e : {E::identity, E::transposed, E::inverse}) {
        o.regularization.e = e;
        const BoundarySummary s = solve_boundary(*problem, o);
        ASSERT_EQ(s.outcome, Outcome::ok) << entry.name << ": " << s.message;
        EXPECT_LT(s.iterates[4].later_error, 3e-5) << entry.name << " E=" << static_cast<int>(e);
        EXPECT_LT(s.iterates[1].later_error, .1 * s.iterates[0].later_error) << entry.name;
        Vector r(static_cast<Eigen::Index>(problem->conditions().size()));
        problem->residual(s.x->at(0), s.x->at(o.steps), r);
        EXPECT_LT(largest(r), 1e-8) << entry.name;
      }
    }
}

// y_{s-1} is asked for between grid points by methods with inner nodes: interpolation must not cost order.
TEST(Boundary, OrderOfTheMethodIsKept) {
  struct Expected {
    const char* method;
    double order;
  };
  const auto problem = make_boundary_problem("robot-arm");
  for (const auto& [method, order] : {Expected{"heun", 2}, Expected{"midpoint", 2}, Expected{"rk4", 4}}) {
    std::vector<Matrix> solutions;  // of one and the same iterate
    for (const int steps : {200, 400, 800}) {
      BoundaryOptions o;
      o.method = method;
      o.steps = steps;
      o.regularization.eps = 0.04;
      o.iterations = 3;
      const BoundarySummary s = solve_boundary(*problem, o);
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      Matrix every(4, 101);
      for (int k = 0; k <= 100; ++k) every.col(k) = s.x->at(k * steps / 100);
      solutions.push_back(every);
    }
    const double coarse = (solutions[0] - solutions[1]).cwiseAbs().maxCoeff();
    const double fine = (solutions[1] - solutions[2]).cwiseAbs().maxCoeff();
    EXPECT_NEAR(std::log2(coarse / fine), order, .3) << method << " " << coarse << " " << fine;
  }
}

TEST(Boundary, DirectShootingHasTheOrderOfTheMethod) {
  for (const std::string name : {"pendulum-swing", "ascher-lin-boundary"}) {
    std::vector<double> errors;
    for (const int steps : {20, 40}) {
      BoundaryOptions o;
      o.approach = Approach::direct;
      o.method = "rk4";
      o.steps = steps;
      const BoundarySummary s = solve_boundary(*make_boundary_problem(name), o);
      ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
      errors.push_back(s.iterates[0].error);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4, .4) << name << " " << errors[0];
  }
}

/// Any problem of the catalogue, its own motion found again from conditions at both ends.
class FoundAgain final : public BoundaryProblem {
 public:
  FoundAgain(const std::string& name, double end, Vector guess, std::vector<Eigen::Index> at_begin,
             std::vector<Eigen::Index> at_end)
      : problem_(make_problem(name)), end_(end), guess_(std::move(guess)) {
    RunOptions o;
    o.request = {"index1", "dop853"};
    o.end = end;
    o.tolerance = {1e-11, 1e-11};
    before_ = problem_->start().y;
    after_ = run(problem_, o).state.y;
    begin_ = std::move(at_begin);
    last_ = std::move(at_end);
  }
  const Problem& equations() const override { return *problem_; }
  double begin() const override { return problem_->start().t; }
  double end() const override { return end_; }
  std::vector<std::string> conditions() const override {
    return std::vector<std::string>(begin_.size() + last_.size(), "as it was");
  }
  void residual(In x0, In x1, Out r) const override {
    Eigen::Index k = 0;
    for (const auto i : begin_) r[k++] = x0[i] - before_[i];
    for (const auto i : last_) r[k++] = x1[i] - after_[i];
  }
  Vector guess(double) const override { return before_.head(guess_.size()) + guess_; }
  const Vector& before() const { return before_; }

 private:
  std::shared_ptr<const Problem> problem_;
  double end_;
  Vector guess_, before_, after_;
  std::vector<Eigen::Index> begin_, last_;
};

TEST(Boundary, VelocityLevelRowsCountOnce) {
  // q = (x, y, theta), v; one row on velocities: five degrees of freedom.
  const FoundAgain sleigh("sleigh", .5, .1 * Vector::Unit(6, 3) - .1 * Vector::Unit(6, 5), {0, 1, 2}, {0, 2});
  for (const Approach approach : {Approach::regularized, Approach::direct}) {
    BoundaryOptions o;
    o.approach = approach;
    o.method = "rk4";
    const BoundarySummary s = solve_boundary(sleigh, o);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_LT(largest(s.x->at(0) - sleigh.before().head(6)), 1e-6);
    EXPECT_LT(s.iterates.back().drift, approach == Approach::direct ? 1e-10 : 1e-3);
  }
}

TEST(GridFunction, InterpolatesWithItsDegree) {
  for (const int degree : {1, 2, 4, 5}) {
    std::vector<double> errors;
    for (const int steps : {20, 40}) {
      GridFunction f({0, 2, steps}, 1, degree);
      for (int k = 0; k <= steps; ++k) f.at(k)[0] = std::sin(f.grid().time(k));
      double worst = 0;
      Vector y(1);
      for (double t = 0; t <= 2; t += .0137) {
        f(t, y);
        worst = std::max(worst, std::abs(y[0] - std::sin(t)));
      }
      f(f.grid().time(7), y);
      EXPECT_EQ(y[0], std::sin(f.grid().time(7)));
      errors.push_back(worst);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), degree + 1, .4) << degree;
  }
}

TEST(Boundary, AWrongNumberOfConditionsIsRefused) {
  const Changed problem(make_boundary_problem("pendulum-swing"), {"q.y = 0 at the start"},
                        [](In x0, In, Out r) { r[0] = x0[1]; });
  EXPECT_THROW(
      {
        try {
          solve_boundary(problem, {});
        } catch (const Error& error) {
          EXPECT_NE(error.sentence().find("1 boundary conditions"), std::string::npos) << error.sentence();
          EXPECT_NE(error.sentence().find("2 degrees of freedom"), std::string::npos) << error.sentence();
          throw;
        }
      },
      Error);
}

TEST(Boundary, ConditionsThatContradictTheConstraintsAreNamed) {
  const Changed problem(make_boundary_problem("pendulum-swing"),
                        {"q.y = 0 at the start", "the bar is 2 m long at the end"}, [](In x0, In x1, Out r) {
                          r[0] = x0[1];
                          r[1] = x1.head(2).squaredNorm() - 4;
                        });
  for (const Approach approach : {Approach::regularized, Approach::direct}) {
    BoundaryOptions o;
    o.approach = approach;
    const BoundarySummary s = solve_boundary(problem, o);
    EXPECT_EQ(s.outcome, Outcome::inconsistent_boundary) << s.message;
    EXPECT_NE(s.message.find("'the bar is 2 m long at the end'"), std::string::npos) << s.message;
    EXPECT_NE(s.message.find("3"), std::string::npos) << s.message;  // the residual |q|^2 - 4
  }
}

TEST(Boundary, ConditionsThatContradictEachOtherAreNamed) {
  const Changed problem(make_boundary_problem("fast-and-slow"),
                        {"x1 = 0 at the start", "x1 = 1 at the start"}, [](In x0, In, Out r) {
                          r[0] = x0[0];
                          r[1] = x0[0] - 1;
                        });
  const BoundarySummary s = solve_boundary(problem, {});
  EXPECT_EQ(s.outcome, Outcome::inconsistent_boundary) << s.message;
  EXPECT_NE(s.message.find("x1 = 1 at the start"), std::string::npos) << s.message;
}

TEST(Boundary, ConditionsThatAddNothingLeaveTheMotionUndecided) {
  const Changed problem(make_boundary_problem("pendulum-swing"),
                        {"q.y = 0 at the start", "the bar is 1 m long at the end"}, [](In x0, In x1, Out r) {
                          r[0] = x0[1];
                          r[1] = x1.head(2).squaredNorm() - 1;
                        });
  const BoundarySummary s = solve_boundary(problem, {});
  EXPECT_EQ(s.outcome, Outcome::undecided) << s.message;
  EXPECT_NE(s.message.find("'the bar is 1 m long at the end'"), std::string::npos) << s.message;
}

TEST(Boundary, AGuessAtASpecialPlaceIsNoMisfit) {
  // x of a pendulum does not change to first order where the guess starts, at y = 0; it does where x = .9.
  const Changed problem(make_boundary_problem("pendulum-swing"),
                        {"q.x = .9 at the start", "q.y = -.8 at the end"}, [](In x0, In x1, Out r) {
                          r[0] = x0[0] - .9;
                          r[1] = x1[1] + .8;
                        });
  for (const Approach approach : {Approach::regularized, Approach::direct}) {
    BoundaryOptions o;
    o.approach = approach;
    const BoundarySummary s = solve_boundary(problem, o);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_NEAR(s.x->at(0)[0], .9, 1e-8);
    EXPECT_NEAR(s.x->at(o.steps)[1], -.8, 1e-8);
    EXPECT_NEAR(s.x->at(o.steps).head(2).norm(), 1, 1e-4);
  }
}

TEST(Boundary, ConditionsOutOfReachEndNewton) {
  // With the push that would be needed the pendulum cannot be 2 m high: no solution, but nothing is dependent.
  const Changed problem(make_boundary_problem("pendulum-swing"),
                        {"q.y = 0 at the start", "q.y = 2 at the end"}, [](In x0, In x1, Out r) {
                          r[0] = x0[1];
                          r[1] = x1[1] - 2;
                        });
  BoundaryOptions o;
  o.approach = Approach::direct;
  const BoundarySummary s = solve_boundary(problem, o);
  EXPECT_FALSE(good(s.outcome));
  EXPECT_NE(s.message.find("residual"), std::string::npos) << s.message;
}

/// Conditions that are met say nothing of what lies between them: x2(0) was 53.7 instead of 1, and the iterates moved apart.
TEST(Boundary, WhatOnlyMeetsItsConditionsIsNotTrusted) {
  BoundaryOptions o;
  o.method = "euler";
  o.steps = 20;
  o.segments = 2;
  o.iterations = 3;
  o.regularization.eps = .05;
  const auto problem = make_boundary_problem("fast-and-slow");
  const BoundarySummary s = solve_boundary(*problem, o);
  EXPECT_EQ(s.outcome, Outcome::untrusted) << s.message;
  EXPECT_GT(s.iterates.back().change, s.iterates[1].change);
}

TEST(Boundary, StepsTooLongForEpsAreSeen) {
  BoundaryOptions o;
  o.regularization = {.e = E::inverse, .eps = 4e-4};  // h/eps = 2.5, heun ends at 2
  const auto problem = make_boundary_problem("robot-arm");
  const BoundarySummary s = solve_boundary(*problem, o);
  ASSERT_EQ(s.warnings.size(), 1u);
  EXPECT_NE(s.warnings[0].find("2.5"), std::string::npos) << s.warnings[0];
  EXPECT_NE(s.warnings[0].find("1250 steps"), std::string::npos) << s.warnings[0];
  o.regularization.eps = 1e-5;
  EXPECT_THROW(solve_boundary(*problem, o), Error);
}

TEST(Boundary, MistakesAreRefused) {
  const auto problem = make_boundary_problem("pendulum-swing");
  EXPECT_THROW(make_boundary_problem("pendulum-swign"), Error);
  const auto refused = [&](const auto& change) {
    BoundaryOptions o;
    change(o);
    EXPECT_THROW(solve_boundary(*problem, o), Error);
  };
  refused([](BoundaryOptions& o) { o.method = "radau5"; });
  refused([](BoundaryOptions& o) { o.method = "heum"; });
  refused([](BoundaryOptions& o) { o.steps = 1; });
  refused([](BoundaryOptions& o) { o.segments = 0; });
  refused([](BoundaryOptions& o) { o.iterations = 0; });
  refused([](BoundaryOptions& o) { o.regularization.eps = 0; });
  Statistics statistics;
  EXPECT_THROW(direct_equations(*make_problem("heavy-top"), statistics), Error);       // q' = N v
  EXPECT_THROW(direct_equations(*make_problem("ring-modulator"), statistics), Error);  // not such a problem
}

}  // namespace
}  // namespace dalembert
