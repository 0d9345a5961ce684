// Implicit problems with known solutions, and the slopes of a method on them, for tests of implicit methods.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"

namespace dalembert::testing {

/// The pendulum of the catalogue as it stands, q 1, v 2, lambda 3.
class Index3Pendulum final : public Implicit {
 public:
  explicit Index3Pendulum(double g = 1) : model_(make_problem("pendulum", {{"g", g}})), g_(g) {}
  Layout layout() const override {
    return Layout()
        .add("q", 2, Role::differential, 1)
        .add("v", 2, Role::differential, 2)
        .add("lambda", 1, Role::algebraic, 3);
  }
  State start() const override { return *exact(0); }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override { return model_->exact(t); }
  void F(double, In y, In dy, Out r) const override {
    r << dy[0] - y[2], dy[1] - y[3], dy[2] + y[4] * y[0], dy[3] + g_ + y[4] * y[1],
        (y[0] * y[0] + y[1] * y[1] - 1) / 2;
  }
  void jacobians(double, In y, In, Entries& F_y, Entries& F_dy) const override {
    F_y.write<8>({{{0, 2}, {1, 3}, {2, 0}, {2, 4}, {3, 1}, {3, 4}, {4, 0}, {4, 1}}},
                 {-1, -1, y[4], y[0], y[4], y[1], y[0], y[1]});
    F_dy.write<4>({{{0, 0}, {1, 1}, {2, 2}, {3, 3}}}, {1, 1, 1, 1});
  }
  void rate(double, In y, Out dy) const override { dy << y[2], y[3], -y[4] * y[0], -g_ - y[4] * y[1], 0; }

 private:
  std::shared_ptr<const Problem> model_;
  double g_;
};

/// x' = -2 x + z + e1(t), 0 = z^3 + z + x - e2(t) with x = sin t, z = cos 2t: index 1, nonlinear.
class Index1Pair final : public Implicit {
 public:
  Layout layout() const override {
    return Layout().add("x", 1, Role::differential, 1).add("z", 1, Role::algebraic, 1);
  }
  State start() const override { return *exact(0); }
  double end() const override { return 3; }
  std::optional<State> exact(double t) const override {
    State s{t, Vector(2)};
    s.y << std::sin(t), std::cos(2 * t);
    return s;
  }
  void F(double t, In y, In dy, Out r) const override {
    const double x = std::sin(t), z = std::cos(2 * t);
    r[0] = dy[0] - std::cos(t) + 2 * (y[0] - x) - (y[1] - z) * (1 + y[0]);
    r[1] = y[1] * y[1] * y[1] + y[1] + y[0] - (z * z * z + z + x);
  }
  void jacobians(double t, In y, In, Entries& F_y, Entries& F_dy) const override {
    F_y.write<4>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}}},
                 {2 - (y[1] - std::cos(2 * t)), -(1 + y[0]), 1, 3 * y[1] * y[1] + 1});
    F_dy.write<1>({{{0, 0}}}, {1});
  }
  void rate(double t, In y, Out dy) const override {
    const double x = std::sin(t), z = std::cos(2 * t);
    dy << std::cos(t) - 2 * (y[0] - x) + (y[1] - z) * (1 + y[0]), -2 * std::sin(2 * t);
  }
};

/// The largest error of each index of entries over all steps.
class WorstByIndex final : public Observer {
 public:
  void begin(const Problem& problem, const State&) override {
    problem_ = &problem;
    layout_ = problem.layout();
  }
  void step(const StepView& view) override {
    const State& ours = view.at(view.end(), Depth::multipliers);
    const auto exact = problem_->exact(view.end());
    for (const auto& b : layout_.blocks())
      for (Eigen::Index i = b.offset; i < b.offset + b.size; ++i)
        errors[b.name] = std::max(errors[b.name], std::abs(ours.y[i] - exact->y[i]));
  }
  std::map<std::string, double> errors;  // by block

 private:
  const Problem* problem_ = nullptr;
  Layout layout_;
};

/// Errors of a run with fixed steps.
inline std::map<std::string, double> errors_of(const std::shared_ptr<const Problem>& problem,
                                               const PairRequest& request, double end, int steps,
                                               const std::map<std::string, double>& settings = {}) {
  RunOptions options;
  options.request = request;
  options.control = Control::fixed;
  options.end = end;
  options.step = (end - problem->start().t) / steps;
  options.options = settings;
  WorstByIndex watch;
  const Summary summary = run(problem, options, {&watch});
  EXPECT_EQ(summary.outcome, Outcome::ok) << request.method << ": " << summary.message;
  return watch.errors;
}

/// log2 of the ratio of errors with n and 2n steps, by block.
inline std::map<std::string, double> slopes_of(const std::shared_ptr<const Problem>& problem,
                                               const PairRequest& request, double end, int steps,
                                               const std::map<std::string, double>& settings = {}) {
  auto coarse = errors_of(problem, request, end, steps, settings);
  auto fine = errors_of(problem, request, end, 2 * steps, settings);
  std::map<std::string, double> slopes;
  for (const auto& [block, error] : coarse) slopes[block] = std::log2(error / fine[block]);
  return slopes;
}

}  // namespace dalembert::testing
