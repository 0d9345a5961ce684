#include "dalembert/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

constexpr double singular = 1e-10;  // singular values of the balanced matrix beside the largest one
constexpr double lasting = 1e-8;    // real parts beside |value|
constexpr double real_value = 1e-9;
constexpr double rounding = 1e-12;

/// Powers of 2 that make rows and columns of D^-1 A D alike in size [ParlettReinsch1969]. Entries that are rounding beside
/// others of their row have no say in it.
Vector balance(const Matrix& given) {
  const Eigen::Index n = given.rows();
  Matrix A = given.cwiseAbs();
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (A(i, j) <= rounding * given.row(i).cwiseAbs().maxCoeff()) A(i, j) = 0;
  Vector D = Vector::Ones(n);
  for (bool again = true; again;) {
    again = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double column = A.col(i).norm(), row = A.row(i).norm();
      if (column == 0 || row == 0) continue;
      const double factor = std::exp2(std::round(std::log2(row / column) / 2));
      if (std::hypot(column * factor, row / factor) > .95 * std::hypot(column, row)) continue;
      A.col(i) *= factor;
      A.row(i) /= factor;
      D[i] *= factor;
      again = true;
    }
  }
  return D;
}

/// A balanced matrix with its zero eigenvalues in front.
struct Deflated {
  explicit Deflated(Matrix balanced) : A(std::move(balanced)), Q(Matrix::Identity(A.rows(), A.cols())) {
    const double scale = A.size() == 0 ? 0 : A.norm();
    while (zeros < A.rows()) {
      const Eigen::Index left = A.rows() - zeros;
      const Eigen::JacobiSVD<Matrix> svd(A.bottomRightCorner(left, left), Eigen::ComputeFullV);
      const Eigen::Index null = (svd.singularValues().array() <= singular * scale).count();
      if (null == 0) break;
      Matrix V(left, left);
      V << svd.matrixV().rightCols(null), svd.matrixV().leftCols(left - null);
      A.rightCols(left) = (A.rightCols(left) * V).eval();
      A.bottomRows(left) = (V.transpose() * A.bottomRows(left)).eval();
      A.block(zeros, zeros, left, null).setZero();
      Q.rightCols(left) = (Q.rightCols(left) * V).eval();
      if (zeros == 0) first = null;
      zeros += null;
    }
  }
  Matrix A, Q;
  Eigen::Index zeros = 0, first = 0;  ///< first: those that A itself maps to zero
};

Mode::Fate fate_of(std::complex<double> value) {
  if (std::abs(value.real()) <= lasting * std::abs(value)) return Mode::Fate::lasts;
  return value.real() < 0 ? Mode::Fate::decays : Mode::Fate::grows;
}

bool before(const Mode& a, const Mode& b) {
  const bool grows = a.fate == Mode::Fate::grows;
  if (grows != (b.fate == Mode::Fate::grows)) return grows;
  return std::abs(a.value) < std::abs(b.value);
}

}  // namespace

double Mode::frequency() const {
  return std::abs(value.imag()) / (2 * std::numbers::pi);
}

double Mode::damping() const {
  return -value.real() / std::abs(value);
}

bool Modes::any(Mode::Fate fate) const {
  return std::any_of(all.begin(), all.end(), [&](const Mode& m) { return m.fate == fate; });
}

std::vector<std::complex<double>> Modes::values() const {
  std::vector<std::complex<double>> values(static_cast<std::size_t>(zeros), 0);
  for (const Mode& mode : all) {
    values.push_back(mode.value);
    if (mode.oscillates()) values.push_back(std::conj(mode.value));
  }
  std::sort(values.begin(), values.end(), [](std::complex<double> a, std::complex<double> b) {
    return std::pair(a.real(), a.imag()) < std::pair(b.real(), b.imag());
  });
  return values;
}

Modes modes_of(const Matrix& given) {
  Modes found;
  const Vector D = balance(given);
  const Deflated whole(D.cwiseInverse().asDiagonal() * given * D.asDiagonal());
  const Eigen::Index n = given.rows(), k = whole.zeros, left = n - k;
  found.zeros = k;
  found.still = D.asDiagonal() * whole.Q.leftCols(whole.first);
  for (Eigen::Index j = 0; j < found.still.cols(); ++j) found.still.col(j).normalize();
  if (left == 0) return found;

  const Eigen::EigenSolver<Matrix> solver(whole.A.bottomRightCorner(left, left));
  const Matrix N = whole.A.topLeftCorner(k, k), B = whole.A.topRightCorner(k, left);
  for (Eigen::Index i = 0; i < left; ++i) {
    std::complex<double> value = solver.eigenvalues()[i];
    if (std::abs(value.imag()) <= real_value * std::abs(value)) value = value.real();
    if (value.imag() < 0) continue;
    const Eigen::VectorXcd x2 = solver.eigenvectors().col(i);
    Eigen::VectorXcd x(n);
    const Eigen::MatrixXcd chain = value * Eigen::MatrixXcd::Identity(k, k) - N;
    x << (k == 0 ? Eigen::VectorXcd(0) : Eigen::VectorXcd(chain.partialPivLu().solve(B * x2))), x2;
    Mode mode{value, D.asDiagonal() * (whole.Q * x), fate_of(value)};
    mode.shape.normalize();
    found.all.push_back(std::move(mode));
  }
  std::stable_sort(found.all.begin(), found.all.end(), before);
  return found;
}

Matrix echelon(Matrix all) {
  Eigen::Index done = 0;
  for (; done < all.cols(); ++done) {
    Eigen::Index row = 0, column = 0;
    if (all.rightCols(all.cols() - done).cwiseAbs().maxCoeff(&row, &column) < 1e-9) break;
    all.col(done).swap(all.col(done + column));
    all.col(done) /= all(row, done);
    for (Eigen::Index j = 0; j < all.cols(); ++j)
      if (j != done) all.col(j) -= all(row, j) * all.col(done);
  }
  return all.leftCols(done);
}

}  // namespace dalembert
