// What tests of dependent constraint rows share: a point with its rows, multipliers of least norm, a four-bar.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/repeated_rows.h"

namespace dalembert::testing {

using Indices = std::vector<Eigen::Index>;

struct RowPoint {
  RowPoint(const Mechanical& p, const State& state) : n(p.sizes()), at(p.placed_at(state)) {
    const MechanicalState part(n);
    v = part.v(state.y), s = part.s(state.y), l = part.multipliers(state.y);
    Entries rows;
    p.jacobian(*at, rows);
    J = rows.dense(n.rows(), n.v);
  }
  Mechanical::Sizes n;
  std::unique_ptr<Placement> at;
  Vector v, s, l;
  Matrix J;
};

inline Vector constraint_force(const Mechanical& p, const State& state) {
  const RowPoint here(p, state);
  return here.J.transpose() * here.l;
}

/// Multipliers are of least norm if they have no part that J' does not see.
inline void expect_nothing_unseen(const Mechanical& p, const State& state, double tolerance) {
  const RowPoint here(p, state);
  const Eigen::BDCSVD<Matrix> svd(here.J.transpose(), Eigen::ComputeThinU | Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  const Eigen::Index rank = (sigma.array() > 1e-8 * sigma[0]).count();
  ASSERT_LT(rank, here.n.rows());
  EXPECT_LE(largest(svd.matrixV().rightCols(here.n.rows() - rank).transpose() * here.l),
            tolerance * (1 + largest(here.l)));
}

/// And M a + J'l = f, J a + bias = 0 for some a.
inline void expect_least_norm(const Mechanical& p, const State& state, double tolerance) {
  const RowPoint here(p, state);
  Entries M;
  Vector f(here.n.v), bias(here.n.rows());
  p.mass(*here.at, M);
  p.force(*here.at, here.v, here.s, f);
  p.bias(*here.at, here.v, bias);
  const Vector a = M.dense(here.n.v, here.n.v).ldlt().solve(f - here.J.transpose() * here.l);
  EXPECT_LE(largest(here.J * a + bias), tolerance * (1 + largest(bias)));
  expect_nothing_unseen(p, state, tolerance);
}

/// A four-bar of two point masses: cranks of length 1 turn about (0,0) and (2,0), the coupler joins their ends.
class FourBar : public Mechanical {
 public:
  explicit FourBar(double coupler, double angle = 1) : c_(coupler), angle_(angle) {}
  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 3}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x1", "y1", "x2", "y2"},
                              .v = {"x1'", "y1'", "x2'", "y2'"},
                              .lambda = {"left", "coupler", "right"},
                              .q_units = {},
                              .v_units = {},
                              .lambda_units = {}});
  }
  State start() const override {
    // The right end lies on circles about the left end and about (2,0); above the line between them.
    const Eigen::Vector2d left(std::cos(angle_), std::sin(angle_)), base(2, 0), line = base - left;
    const double d = line.norm(), along = (c_ * c_ - 1 + d * d) / (2 * d);
    const Eigen::Vector2d across(-line[1] / d, line[0] / d);
    const Eigen::Vector2d right =
        left + along / d * line + std::sqrt(std::max(0., c_ * c_ - along * along)) * across;
    State state{0, Vector::Zero(11)};
    state.y.head(4) << left, c_ == 2 ? Eigen::Vector2d(base + left) : right;
    if (c_ == 2) state.y.segment(4, 4) << -left[1], left[0], -left[1], left[0];
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 4; ++i) M.add(i, i, i < 2 ? 1 : 2);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0, -2; }
  void g(const Placement& at, Out r) const override {
    const auto [a, b, c] = bars(at.q);
    r << (a.squaredNorm() - 1) / 2, (b.squaredNorm() - c_ * c_) / 2, (c.squaredNorm() - 1) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const auto [a, b, c] = bars(at.q);
    J.begin();
    for (Eigen::Index i = 0; i < 2; ++i) {
      J.add(0, i, a[i]);
      J.add(1, i, -b[i]);
      J.add(1, 2 + i, b[i]);
      J.add(2, 2 + i, c[i]);
    }
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override {
    r << v.head(2).squaredNorm(), (v.tail(2) - v.head(2)).squaredNorm(), v.tail(2).squaredNorm();
  }

 private:
  static std::array<Eigen::Vector2d, 3> bars(const Vector& q) {
    const Eigen::Vector2d p = q.head(2), r = q.tail(2);
    return {p, r - p, r - Eigen::Vector2d(2, 0)};
  }
  double c_, angle_;
};

inline std::shared_ptr<const RepeatedRows> repeated(const std::string& name, std::vector<MoreRow> more) {
  return std::make_shared<const RepeatedRows>(make_problem(name), std::move(more));
}

inline Summary run_with(std::shared_ptr<const Problem> problem, const std::string& formulation,
                        const std::string& method, double end, double tolerance,
                        const std::vector<Observer*>& observers = {}) {
  RunOptions options;
  options.request = {formulation, method};
  options.tolerance = {.relative = tolerance, .absolute = tolerance};
  options.end = end;
  options.outputs = output_times(problem->start().t, end, 4);
  return run(std::move(problem), options, observers);
}

/// Remembers what it was shown.
class Onlooker : public Observer {
 public:
  void begin(const Problem& problem, const State& start) override {
    ++beginnings, shown = &problem, sizes.push_back(start.y.size());
  }
  void step(const StepView& step) override {
    sizes.push_back(step.at(step.end(), Depth::multipliers).y.size());
  }
  void output(const State& state) override {
    outputs.push_back(state);
    sizes.push_back(state.y.size());
  }
  void event(const EventRecord&, const State& after) override { sizes.push_back(after.y.size()); }
  int beginnings = 0;
  const Problem* shown = nullptr;
  std::vector<Eigen::Index> sizes;
  std::vector<State> outputs;
};

}  // namespace dalembert::testing
