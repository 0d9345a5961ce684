#include "dalembert/analysis/mode_shapes.h"

#include <algorithm>
#include <cmath>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;

constexpr double value_rounding = 1e-13;  // of a value, beside its size
constexpr double least_part = 1e-12;      // by which values of one size differ
constexpr double one_value = 1e-3;        // beside |value|: copies are no farther from each other

/// Reduced echelon form of columns, the largest entries being pivots, without those that depend on others.
template <class M>
M reduced(M all) {
  Eigen::Index done = 0;
  for (; done < all.cols(); ++done) {
    Eigen::Index row = 0, column = 0;
    if (all.rightCols(all.cols() - done).cwiseAbs().maxCoeff(&row, &column) < 1e-9) break;
    all.col(done).swap(all.col(done + column));
    all.col(done) /= typename M::Scalar(all(row, done));
    for (Eigen::Index j = 0; j < all.cols(); ++j)
      if (j != done) all.col(j) -= typename M::Scalar(all(row, j)) * all.col(done);
  }
  return all.leftCols(done);
}

/// Columns x with A x = value x, for all that is known of entries, each with an entry of its own.
ComplexMatrix eigenspace(const Matrix& A, const Matrix& doubt, Complex value, double error) {
  const Eigen::Index n = A.rows();
  Matrix real(2 * n, 2 * n), wrong(2 * n, 2 * n);  // of p and q, x = p + i q
  const Matrix I = Matrix::Identity(n, n), turn = value.imag() * I, zero = Matrix::Zero(n, n),
               blurred = std::max(value_rounding * std::abs(value), error) * I;
  real << A - value.real() * I, turn, -turn, A - value.real() * I;
  wrong << doubt + blurred, zero, zero, doubt + blurred;
  const Matrix null = known_rank(real, wrong).null;
  ComplexMatrix all(n, null.cols());
  all.real() = null.topRows(n), all.imag() = null.bottomRows(n);
  for (Eigen::Index j = 0; j < all.cols(); ++j) all.col(j).normalize();
  return reduced(std::move(all));
}

/// Those of X that begin a chain, A w = value w + x: no left vector sees them.
ComplexMatrix chained(const ComplexMatrix& X, const ComplexMatrix& left) {
  if (left.cols() == 0) return left;  // none is known
  const Eigen::JacobiSVD<ComplexMatrix> svd(left.adjoint() * X, Eigen::ComputeFullV);
  const Eigen::Index rank = (svd.singularValues().array() > 1e-6).count();
  return X * svd.matrixV().rightCols(X.cols() - rank);
}

}  // namespace

void share_shapes(const Matrix& A, const Matrix& doubt, const std::vector<double>& errors,
                  std::vector<Mode>& all) {
  std::vector<bool> seen(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::size_t> same;
    Complex mean = 0;
    double error = 0;
    for (std::size_t j = i; j < all.size(); ++j) {
      const double off = std::abs(all[i].value - all[j].value), size = std::abs(all[i].value);
      const double blur = std::min(one_value * size, std::max({errors[i], errors[j], least_part * size}));
      if (seen[j] || all[i].oscillates() != all[j].oscillates() || off > blur) continue;
      same.push_back(j), mean += all[j].value, seen[j] = true;
      error = std::max(error, errors[j]);
    }
    if (same.size() < 2) continue;
    mean /= static_cast<double>(same.size());
    const ComplexMatrix X = eigenspace(A, doubt, mean, error);
    if (X.cols() == 0) continue;  // close to each other, and not the same
    const auto own = static_cast<std::size_t>(X.cols());
    const ComplexMatrix Y = eigenspace(A.transpose(), doubt.transpose(), std::conj(mean), error);
    ComplexMatrix heads = chained(X, Y);
    if (heads.cols() == 0) heads = X;
    for (std::size_t k = 0; k < same.size(); ++k) {
      Mode& mode = all[same[k]];
      mode.chained = k >= own;
      if (mode.chained)
        mode.shape = heads.col(static_cast<Eigen::Index>(k - own) % heads.cols());
      else
        mode.shape = X.col(static_cast<Eigen::Index>(k));
    }
  }
}

Matrix echelon(Matrix all) {
  return reduced(std::move(all));
}

}  // namespace dalembert
