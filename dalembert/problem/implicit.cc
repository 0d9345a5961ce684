#include "dalembert/problem/implicit.h"

#include <cmath>

namespace dalembert {

// F(t,y,y') = 0 fixes F_y' y' only. With Z' F_y' = 0 the derivative of the algebraic part, Z'(F_t + F_y y') = 0, fixes
// the rest where the index is 1; of what is still open the least is taken.
void Implicit::rate(double t, In y, Out dy) const {
  const Eigen::Index n = y.size();
  Vector r(n), later(n);
  dy.setZero();
  for (int round = 0; round < 5; ++round) {
    Entries y_part, dy_part;
    jacobians(t, y, dy, y_part, dy_part);
    const Matrix F_y = y_part.dense(n, n), F_dy = dy_part.dense(n, n);
    if (!F_y.allFinite() || !F_dy.allFinite()) {
      dy.setConstant(not_a_number);
      return;
    }
    F(t, y, dy, r);
    const double step = 1e-7 * (1 + std::abs(t));
    F(t + step, y, dy, later);
    const Vector F_t = (later - r) / step;
    const Eigen::FullPivLU<Matrix> transposed(F_dy.transpose());
    const Matrix Z = transposed.dimensionOfKernel() > 0 ? Matrix(transposed.kernel()) : Matrix(n, 0);
    Matrix A(n + Z.cols(), n);
    Vector b(n + Z.cols());
    A << F_dy, Z.transpose() * F_y;
    b << -r, -(Z.transpose() * (F_t + F_y * dy));
    // Rows of very different units: each to length 1 before ranks are judged.
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (const double length = A.row(i).norm(); length > 0) A.row(i) /= length, b[i] /= length;
    const Vector change = A.completeOrthogonalDecomposition().solve(b);
    dy += change;
    if (!(largest(change) > 1e-12 * (1 + largest(dy)))) break;
  }
}

void Implicit::tests(Out error, Out newton) const {
  newton.setOnes();
  const Layout all = layout();
  for (const auto& block : all.blocks())
    error.segment(block.offset, block.size)
        .setConstant(block.role == Role::differential && block.index <= 1 ? 1 : 0);
}

Fault Implicit::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  Vector r(y.size());
  const Vector dy = Vector::Zero(y.size());
  F(t, y, dy, r);
  for (Eigen::Index i = 0; i < r.size(); ++i)
    if (!std::isfinite(r[i])) return {Outcome::not_finite, equation(i) + " is not finite"};
  return {};
}

}  // namespace dalembert
