#include "dalembert/linear/rank.h"

#include <algorithm>

namespace dalembert {
namespace {

/// A' with columns of unit length, decomposed with column exchanges: A' P = Q R.
Eigen::ColPivHouseholderQR<Matrix> decompose_rows(const Matrix& A, double tolerance) {
  Matrix columns = A.transpose();
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    const double length = columns.col(i).stableNorm();
    if (length > 0) columns.col(i) /= length;
  }
  Eigen::ColPivHouseholderQR<Matrix> qr(columns);
  qr.setThreshold(tolerance);
  return qr;
}

}  // namespace

std::vector<Eigen::Index> dependent_rows(const Matrix& A, double tolerance) {
  std::vector<Eigen::Index> rows;
  if (A.rows() == 0) return rows;
  if (A.cols() == 0) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) rows.push_back(i);
    return rows;
  }
  const auto qr = decompose_rows(A, tolerance);
  for (Eigen::Index k = qr.rank(); k < A.rows(); ++k) rows.push_back(qr.colsPermutation().indices()[k]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Eigen::Index numerical_rank(const Matrix& A, double tolerance) {
  return A.size() == 0 ? 0 : decompose_rows(A, tolerance).rank();
}

Matrix null_space(const Matrix& A, double tolerance) {
  const Eigen::Index n = A.cols();
  if (A.size() == 0) return Matrix::Identity(n, n);
  const auto qr = decompose_rows(A, tolerance);
  const Matrix Q = qr.householderQ() * Matrix::Identity(n, n);
  return Q.rightCols(n - qr.rank());
}

}  // namespace dalembert
