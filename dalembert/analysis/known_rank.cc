#include "dalembert/analysis/known_rank.h"

#include <algorithm>
#include <cmath>

#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

constexpr double little = 1e-6;  // doubt of a row, beside the largest entries of the others

/// Of what is known, with doubt that stays small.
Alike known_scale(const Matrix& sizes, const Matrix& doubt) {
  Alike alike(sizes);
  const Matrix wrong = alike(doubt);
  for (Eigen::Index i = 0; i < wrong.rows(); ++i)
    if (const double most = wrong.row(i).maxCoeff(); most > little)
      alike.rows[i] *= std::exp2(std::floor(std::log2(little / most)));
  return alike;
}

}  // namespace

std::vector<Eigen::Index> reduce_columns(Matrix& X) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index done = 0; done < X.cols(); ++done) {
    Eigen::Index row = 0, column = 0;
    X.rightCols(X.cols() - done).cwiseAbs().maxCoeff(&row, &column);
    X.col(done).swap(X.col(done + column));
    X.col(done) /= X(row, done);
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (j != done) X.col(j) -= X(row, j) * X.col(done);
    rows.push_back(row);
  }
  X = (X.array().abs() > 1e-14).select(X, 0).eval();
  return rows;
}

Alike::Alike(Matrix sizes) : rows(Vector::Ones(sizes.rows())), columns(Vector::Ones(sizes.cols())) {
  const auto factor = [](double size) { return size > 0 ? std::exp2(-std::round(std::log2(size) / 2)) : 1.; };
  if (sizes.size() == 0) return;
  for (int round = 0; round < 40; ++round) {
    const Vector r = sizes.rowwise().maxCoeff().unaryExpr(factor);
    sizes.array().colwise() *= r.array(), rows.array() *= r.array();
    const Vector c = sizes.colwise().maxCoeff().transpose().unaryExpr(factor);
    for (Eigen::Index j = 0; j < sizes.cols(); ++j)
      if (c[j] != 1) sizes.col(j) *= c[j];
    columns.array() *= c.array();
    if ((r.array() == 1).all() && (c.array() == 1).all()) return;
  }
}

KnownRank known_rank(const Matrix& A, const Matrix& doubt, double least) {
  KnownRank found;
  const Eigen::Index n = A.cols();
  if (A.rows() == 0 || n == 0) {
    found.null = Matrix::Identity(n, n);
    for (Eigen::Index i = 0; i < n; ++i) found.unit.push_back(i);
    return found;
  }
  const Matrix sizes = (A.array().abs() > doubt.array()).select(A.cwiseAbs(), 0);
  const Alike alike = known_scale(sizes, doubt);
  const Matrix known = alike(Matrix((sizes.array() > 0).select(A, 0)));
  Matrix V;
  const auto take = [&](const auto& svd) { found.singular_values = svd.singularValues(), V = svd.matrixV(); };
  constexpr Eigen::Index many = 200;  // from there on rotations take ten times as long
  if (std::min(known.rows(), n) < many)
    take(Eigen::JacobiSVD<Matrix>(known, Eigen::ComputeFullV));
  else
    take(Eigen::BDCSVD<Matrix>(known, Eigen::ComputeFullV));
  found.doubt = std::max({alike(doubt).norm(), 1e-15 * static_cast<double>(std::max(A.rows(), n)), least});
  found.rank = (found.singular_values.array() > found.doubt).count();
  found.null = V.rightCols(n - found.rank);
  found.unit = reduce_columns(found.null);
  for (Eigen::Index j = 0; j < found.null.cols(); ++j)
    found.null.col(j) = alike.columns.cwiseProduct(found.null.col(j)) /
                        alike.columns[found.unit[static_cast<std::size_t>(j)]];
  return found;
}

Matrix blurred(const Matrix& A, double part) {
  Matrix all = A.cwiseAbs();
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double least = A.cols() == 0 ? 0 : part * all.row(i).maxCoeff();
    for (double& x : all.row(i))
      if (x != 0) x += least;
  }
  return all;
}

KnownSolution::KnownSolution(const Matrix& A, const Matrix& doubt, const Vector& b, double least)
    : y(Vector::Zero(A.cols())), null(Matrix::Identity(A.cols(), A.cols())) {
  if (A.size() == 0) return;
  const Matrix known = (A.array().abs() > doubt.array()).select(A, 0);
  const Alike alike = known_scale(known.cwiseAbs(), doubt);
  const Eigen::BDCSVD<Matrix> svd(alike(known), Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Vector& sizes = svd.singularValues();
  const double zero = std::max(least * sizes[0], alike(doubt).norm());
  const Eigen::Index rank = sizes[0] > 0 ? (sizes.array() > zero).count() : 0;
  const Vector parts =
      (svd.matrixU().leftCols(rank).transpose() * alike.rows.cwiseProduct(b)).cwiseQuotient(sizes.head(rank));
  y = alike.columns.asDiagonal() * (svd.matrixV().leftCols(rank) * parts);
  null = alike.columns.asDiagonal() * svd.matrixV().rightCols(A.cols() - rank);
}

Matrix inverse_of(const Matrix& A) {
  const Alike alike(A.cwiseAbs());
  Eigen::FullPivLU<Matrix> lu(alike(A));
  lu.setThreshold(0);
  return alike.columns.asDiagonal() * lu.solve(Matrix(alike.rows.asDiagonal()));
}

}  // namespace dalembert
