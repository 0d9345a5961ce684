// Several steps at once, as multistep methods with fixed steps need them to start:
//
//   p(t_0) = y_0,   F(t_j, p(t_j), p'(t_j)) = 0  at  t_j = t_0 + j h,  j = 1..k
//
// p is a polynomial of degree k: collocation at equidistant points [HairerNorsettWanner1993, II.7]. Its values are
// accurate to O(h^(k+1)), those of entries of index 2 and 3 to O(h^k) and O(h^(k-1)). Newton's method runs down to
// rounding with a matrix of all points, renewed in each round: dear, and done once per start.
#pragma once

#include <optional>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/nonlinear/test_norm.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class CollocationBlock {
 public:
  void bind(const Implicit&, int k, Statistics&);  ///< allocates
  void reset();                                    ///< as if just bound

  /// The polynomial of the last solve.
  void remember(Memory& memory) { memory(norm_, t0_, h_, solved_, Y_); }

  /// From y0 with the rate dy0, k steps h.
  Outcome solve(double t0, double h, In y0, In dy0);
  /// y_0 .. y_k of the last solve; an owner that projects writes into it.
  Vector& value(int j) { return Y_[static_cast<std::size_t>(j)]; }
  /// Is there a polynomial that reaches over [a, b]?
  bool covers(double a, double b) const;
  bool ends_at(double t) const;
  double step() const { return h_; }
  void forget() { solved_ = false; }
  void interpolate(double t, Out y) const;

  /// After a failure: the equation with the largest residual (or the unknown without a pivot), and that residual.
  Eigen::Index culprit() const { return culprit_; }
  double residual() const { return residual_; }

 private:
  void derivative(int j, Out dy) const;  ///< p'(t_j)
  Outcome linearise();
  Outcome blame(Outcome);

  const Implicit* problem_ = nullptr;
  Statistics* statistics_ = nullptr;
  int k_ = 0;
  Eigen::Index n_ = 0;
  double t0_ = 0, h_ = 0;
  bool solved_ = false;
  std::vector<Vector> Y_;
  Matrix D_;  // p'(t_j) = sum_i D(j,i) y_i / h
  Entries F_y_, F_dy_;
  std::optional<IterationMatrix> matrix_;
  TestNorm norm_;
  Vector y_, dy_, r_;
  Eigen::Index culprit_ = 0;
  double residual_ = 0;
};

}  // namespace dalembert
