#include "dalembert/analysis/modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;
using ComplexVector = Eigen::VectorXcd;

constexpr double undoubted = 1e-13;   // entries of which nothing is said, beside the largest of their row
constexpr double rounding = 1e-15;    // that of any entry that is not zero, beside the largest of its row
constexpr double certain_errors = 4;  // that a real part is away from zero if it is not zero
constexpr double least_part = 1e-12;  // of a real or an imaginary part beside |value|
constexpr double told_apart = 1.01;   // sizes of eigenvalues
constexpr double one_value = 1e-3;    // beside |value|: rounding spreads a value of several copies no farther

/// Powers of 2 that make rows and columns of D^-1 A D alike in size [ParlettReinsch1969]. Entries that may be zero have no say.
Vector balance(const Matrix& given, const Matrix& doubt) {
  const Eigen::Index n = given.rows();
  Matrix A = (given.array().abs() > doubt.array()).select(given.cwiseAbs(), 0);
  Vector D = Vector::Ones(n);
  for (int round = 0; round < 100; ++round) {
    bool again = false;
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
    if (!again) break;
  }
  return D;
}

/// A with its zero eigenvalues in front.
struct Deflated {
  Deflated(Matrix given, Matrix wrong)
      : A(std::move(given)), doubt(std::move(wrong)), T(Matrix::Identity(A.rows(), A.cols())) {
    while (zeros < A.rows()) {
      const Eigen::Index left = A.rows() - zeros;
      const KnownRank known =
          known_rank(A.bottomRightCorner(left, left), doubt.bottomRightCorner(left, left));
      const Eigen::Index null = left - known.rank;
      if (null == 0) break;
      take_out(known.null, known.unit);
      if (zeros == 0) first = null;
      zeros += null;
    }
  }

  Matrix A, doubt, T;
  Eigen::Index zeros = 0, first = 0;  ///< first: those that A itself maps to zero

 private:
  /// The next basis: columns X, and unit vectors for all rows that are not those of the identity in X.
  void take_out(const Matrix& X, const std::vector<Eigen::Index>& unit) {
    const Eigen::Index left = X.rows(), null = X.cols();
    std::vector<Eigen::Index> others;
    for (Eigen::Index i = 0; i < left; ++i)
      if (std::find(unit.begin(), unit.end(), i) == unit.end()) others.push_back(i);
    Matrix basis = Matrix::Zero(left, left), inverse = Matrix::Zero(left, left);
    basis.leftCols(null) = X;
    for (std::size_t j = 0; j < unit.size(); ++j) inverse(static_cast<Eigen::Index>(j), unit[j]) = 1;
    for (std::size_t j = 0; j < others.size(); ++j) {
      const auto k = null + static_cast<Eigen::Index>(j);
      basis(others[j], k) = 1, inverse(k, others[j]) = 1;
      for (std::size_t i = 0; i < unit.size(); ++i)
        inverse(k, unit[i]) = -X(others[j], static_cast<Eigen::Index>(i));
    }
    A.rightCols(left) = (A.rightCols(left) * basis).eval();
    A.bottomRows(left) = (inverse * A.bottomRows(left)).eval();
    doubt.rightCols(left) = (doubt.rightCols(left) * basis.cwiseAbs()).eval();
    doubt.bottomRows(left) = (inverse.cwiseAbs() * doubt.bottomRows(left)).eval();
    A.block(zeros, zeros, left, null).setZero();
    T.rightCols(left) = (T.rightCols(left) * basis).eval();
  }
};

std::vector<Complex> eigenvalues(const Matrix& A) {
  const Vector D = balance(A, Matrix::Zero(A.rows(), A.cols()));
  const Eigen::EigenSolver<Matrix> solver(D.cwiseInverse().asDiagonal() * A * D.asDiagonal(), false);
  return {solver.eigenvalues().begin(), solver.eigenvalues().end()};
}

/// Of a regular matrix. Those that are small beside others are lost in the rounding of these: they are the inverse ones of the
/// inverse, which a solution with rows and columns that are alike gives to nearly all digits. Both lists are cut at one place, between sizes that
/// are told apart: those of one size (lambda and -lambda of a column that flutters) are all from one list, or some would be there twice.
std::vector<Complex> eigenvalues_of_all_sizes(const Matrix& R) {
  const auto larger = [](Complex a, Complex b) { return std::abs(a) > std::abs(b); };
  std::vector<Complex> large = eigenvalues(R), small = eigenvalues(inverse_of(R));
  for (Complex& s : small) s = 1. / s;
  std::sort(large.begin(), large.end(), larger), std::sort(small.begin(), small.end(), larger);
  const double middle = std::sqrt(std::abs(large.front()) * std::abs(small.back()));
  std::size_t cut = large.size();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < large.size(); ++k) {
    const double above = std::abs(large[k - 1]), below = std::abs(small[k]);
    const double off = std::abs(std::log(std::sqrt(above * below) / middle));
    if (above > told_apart * below && off < least) cut = k, least = off;
  }
  std::copy(small.begin() + static_cast<std::ptrdiff_t>(cut), small.end(),
            large.begin() + static_cast<std::ptrdiff_t>(cut));
  return large;
}

struct Pair {
  Complex value;
  ComplexVector right, left;
  double error = 0;
};

/// Iteration with Rayleigh quotients of both vectors, as long as it stays next to the value.
Pair refined(const Matrix& R, const Matrix& doubt, Complex value, double gap, std::size_t which) {
  const Eigen::Index n = R.rows();
  Pair found{value, {}, {}};
  const ComplexMatrix whole = R.cast<Complex>();
  const double size = std::abs(value);
  for (int round = 0; round < 4; ++round) {
    const double off = 1e-15 * std::abs(found.value) * (round == 0 ? 1e3 : 1);  // not to divide by zero
    const ComplexMatrix shifted = whole - (found.value + off) * ComplexMatrix::Identity(n, n);
    const Alike alike(shifted.cwiseAbs());
    const Eigen::PartialPivLU<ComplexMatrix> lu(alike(shifted));  // it is all but singular, as it should be
    // In the scale of the matrix a start without zeros has a part of every vector.
    if (round == 0) {
      found.right = alike.columns.cast<Complex>(), found.left = alike.rows.cast<Complex>();
      std::mt19937 random(static_cast<unsigned>(which));  // values that are the same get vectors of their own
      std::uniform_real_distribution<double> factor(.5, 1.5);
      for (Eigen::Index i = 0; i < n; ++i) found.right[i] *= factor(random), found.left[i] *= factor(random);
    }
    const auto solve = [&](const ComplexVector& b) -> ComplexVector {
      return alike.columns.asDiagonal() * lu.solve(ComplexVector(alike.rows.asDiagonal() * b));
    };
    const auto solve_adjoint = [&](const ComplexVector& b) -> ComplexVector {
      const ComplexVector y = lu.adjoint().solve(ComplexVector(alike.columns.asDiagonal() * b));
      return alike.rows.asDiagonal() * y;
    };
    const int again = round == 0 ? 2 : 1;
    ComplexVector x = found.right, y = found.left;
    for (int k = 0; k < again; ++k) {
      x = solve(x), y = solve_adjoint(y);
      if (!x.allFinite() || !y.allFinite() || x.norm() == 0 || y.norm() == 0) return found;
      x.normalize(), y.normalize();
    }
    found.right = x, found.left = y;
    const Complex overlap = y.dot(x);
    found.error = (y.cwiseAbs().dot(doubt * x.cwiseAbs())) / std::abs(overlap);
    if (!std::isfinite(found.error)) found.error = std::numeric_limits<double>::infinity();
    const Complex next = y.dot(whole * x) / overlap;
    if (!(std::abs(next - value) <= std::min(gap, size) / 2)) return found;
    const bool settled = std::abs(next - found.value) <= 1e-15 * size;
    found.value = next;
    if (settled) break;
  }
  return found;
}

Mode::Fate fate_of(Complex value, double error) {
  if (std::abs(value.real()) <= std::max(certain_errors * error, least_part * std::abs(value)))
    return Mode::Fate::lasts;
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

Modes modes_of(const Matrix& A) {
  Matrix doubt(A.rows(), A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    doubt.row(i).setConstant(undoubted * A.row(i).cwiseAbs().maxCoeff());
  return modes_of(A, doubt);
}

namespace {

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

/// How large eigenvalues become if entries of a nilpotent matrix are wrong by their doubt, one way or the other.
double spread(const Matrix& N, const Matrix& doubt) {
  if (N.size() == 0 || doubt.maxCoeff() == 0) return 0;
  std::mt19937 random(1);
  double most = 0;
  for (int k = 0; k < 4; ++k) {
    Matrix wrong = N;
    for (Eigen::Index i = 0; i < N.rows(); ++i)
      for (Eigen::Index j = 0; j < N.cols(); ++j)
        wrong(i, j) += random() % 2 == 0 ? doubt(i, j) : -doubt(i, j);
    for (const Complex s : eigenvalues(wrong)) most = std::max(most, std::abs(s));
  }
  return most;
}

/// Columns x with A x = value x, for all that is known of entries, each with an entry of its own.
ComplexMatrix eigenspace(const Matrix& A, const Matrix& doubt, Complex value) {
  const Eigen::Index n = A.rows();
  Matrix real(2 * n, 2 * n), wrong(2 * n, 2 * n);  // of p and q, x = p + i q
  const Matrix I = Matrix::Identity(n, n), turn = value.imag() * I, zero = Matrix::Zero(n, n),
               blurred = undoubted * std::abs(value) * I;
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
  const Eigen::JacobiSVD<ComplexMatrix> svd(left.adjoint() * X, Eigen::ComputeFullV);
  const Eigen::Index rank = (svd.singularValues().array() > 1e-6).count();
  return X * svd.matrixV().rightCols(X.cols() - rank);
}

/// Values that are there several times get independent shapes, as many as there are; the copies that are left over belong to chains.
void share_shapes(const Matrix& A, const Matrix& doubt, const std::vector<Complex>& computed,
                  std::vector<Mode>& all) {
  std::vector<bool> seen(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::size_t> same;
    Complex mean = 0;
    for (std::size_t j = i; j < all.size(); ++j) {
      const double off = std::abs(all[i].value - all[j].value), size = std::abs(all[i].value);
      const double blur =
          std::min(one_value * size, std::max({all[i].error, all[j].error, least_part * size}));
      if (seen[j] || all[i].oscillates() != all[j].oscillates() || off > blur) continue;
      same.push_back(j), mean += computed[j], seen[j] = true;
    }
    if (same.size() < 2) continue;
    mean /= static_cast<double>(same.size());  // rounding spreads copies about what they are: the mean stays
    const ComplexMatrix X = eigenspace(A, doubt, mean);
    if (X.cols() == 0) continue;  // close to each other, and not the same
    const auto own = static_cast<std::size_t>(X.cols());
    const ComplexMatrix Y = eigenspace(A.transpose(), doubt.transpose(), std::conj(mean));
    ComplexMatrix heads = chained(X, Y);
    if (heads.cols() == 0) heads = X;
    for (std::size_t k = 0; k < same.size(); ++k) {
      Mode& mode = all[same[k]];
      mode.chained = k >= own;
      if (same.size() > own) mode.value = mean;
      if (mode.chained)
        mode.shape = heads.col(static_cast<Eigen::Index>(k - own) % heads.cols());
      else
        mode.shape = X.col(static_cast<Eigen::Index>(k));
    }
  }
}

}  // namespace

Modes modes_of(const Matrix& given, const Matrix& doubt) {
  Modes found;
  const Vector D = balance(given, doubt);
  const auto balanced = [&](const Matrix& A) -> Matrix {
    return D.cwiseInverse().asDiagonal() * A * D.asDiagonal();
  };
  const Matrix A = balanced(given);
  Matrix doubts = balanced(doubt);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double least = rounding * A.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (A(i, j) != 0) doubts(i, j) = std::max(doubts(i, j), least);
  }
  const Deflated whole(A, doubts);
  const Eigen::Index k = whole.zeros, left = given.rows() - k;
  found.zeros = k;
  found.still = D.asDiagonal() * whole.T.leftCols(whole.first);
  for (Eigen::Index j = 0; j < found.still.cols(); ++j) found.still.col(j).normalize();
  found.hidden = spread(whole.A.topLeftCorner(k, k), whole.doubt.topLeftCorner(k, k));
  if (left == 0) return found;

  const std::vector<Complex> values = eigenvalues_of_all_sizes(whole.A.bottomRightCorner(left, left));
  std::vector<Complex> computed;  // what each mode was before it was refined
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].imag() < 0) continue;
    double gap = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < values.size(); ++j)
      if (j != i) gap = std::min(gap, std::abs(values[i] - values[j]));
    Pair pair = refined(A, doubts, values[i], gap, i);
    Complex& value = pair.value;
    // A pair that is real for all that is known is a real value twice.
    const bool real = std::abs(value.imag()) <= std::max(pair.error, least_part * std::abs(value));
    if (real) value = value.real();
    const int copies = real && values[i].imag() > 0 ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy) {
      computed.push_back(real ? values[i].real() : values[i]);
      found.all.push_back({value, pair.right, pair.error, fate_of(value, pair.error)});
    }
  }
  share_shapes(A, doubts, computed, found.all);
  for (Mode& mode : found.all) mode.shape = (D.asDiagonal() * mode.shape).normalized();
  std::stable_sort(found.all.begin(), found.all.end(), before);
  return found;
}

Matrix echelon(Matrix all) {
  return reduced(std::move(all));
}

}  // namespace dalembert
