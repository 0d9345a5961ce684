#include "dalembert/analysis/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "dalembert/analysis/irreducible.h"
#include "dalembert/analysis/known_rank.h"
#include "dalembert/analysis/mode_shapes.h"
#include "dalembert/analysis/repeated_values.h"
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
      levels.push_back(null);
      zeros += null;
    }
  }

  Matrix A, doubt, T;
  Eigen::Index zeros = 0;
  std::vector<Eigen::Index> levels;  ///< how many chains are at least 1, 2, ... long

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

/// Are the first ones conjugate to each other?
bool paired(const std::vector<Complex>& values, std::size_t count) {
  long more = 0;
  for (std::size_t i = 0; i < count; ++i) more += (values[i].imag() > 0) - (values[i].imag() < 0);
  return more == 0;
}

/// Of a regular matrix. Those that are small beside others are lost in the rounding of these: they are the inverse ones of the
/// inverse, which a solution with rows and columns that are alike gives to nearly all digits. Both lists are cut at one place, between sizes that
/// are told apart: those of one size (lambda and -lambda of a column that flutters) are all from one list, or some would be there twice. So are copies
/// of one value, which rounding spreads: there the lists differ.
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
    const double apart = std::log(above / below);
    const auto alike = [&](std::size_t i) {
      return std::abs(std::log(std::abs(large[i]) / std::abs(small[i]))) < apart / 4;
    };
    if (above > told_apart * below && off < least && alike(k - 1) && alike(k) && paired(large, k) &&
        paired(small, k))
      cut = k, least = off;
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
  Pair found{value, ComplexVector::Zero(n), ComplexVector::Zero(n), std::numeric_limits<double>::infinity()};
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
      // The largest of all rounds: from the vector that copies of a value share, the next round leads anywhere.
      const double error = (y.cwiseAbs().dot(doubt * x.cwiseAbs())) / std::abs(y.dot(x));
      found.error = round + k == 0 ? error : std::max(found.error, error);
      if (!std::isfinite(error)) found.error = std::numeric_limits<double>::infinity();
    }
    found.right = x, found.left = y;
    const Complex overlap = y.dot(x);
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
  // Real parts that differ by rounding are one, or pairs would be torn apart: these are sorted by size, the fastest first.
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) { return a.real() < b.real(); });
  for (auto from = values.begin(); from != values.end();) {
    auto to = from + 1;
    while (to != values.end() &&
           to->real() - (to - 1)->real() <= least_part * std::max(std::abs(*to), std::abs(*from)))
      ++to;
    std::sort(from, to, [](Complex a, Complex b) {
      return std::pair(-std::abs(a), a.imag()) < std::pair(-std::abs(b), b.imag());
    });
    from = to;
  }
  return values;
}

Modes modes_of(const Matrix& A) {
  Matrix doubt(A.rows(), A.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    doubt.row(i).setConstant(undoubted * A.row(i).cwiseAbs().maxCoeff());
  return modes_of(A, doubt);
}

namespace {

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

/// One eigenvalue, or one of a pair, with as many copies as it has.
struct Value {
  RepeatedValue known;
  Mode::Fate fate;
};

/// Copies may lie anywhere within their radius, but their mean is where it is: if that is to the right, so is one of them.
Mode::Fate fate_of(const RepeatedValue& v) {
  const Mode::Fate fate = fate_of(v.mean, v.mean_error);
  if (v.copies() == 1 || fate != Mode::Fate::decays) return fate;
  return -v.mean.real() > v.radius ? fate : Mode::Fate::unknown;
}

/// Eigenvalues of a matrix that no permutation makes block triangular.
struct Block {
  Block(const Matrix& A, const Matrix& doubt, const std::function<void(const std::string&)>& progress) {
    if (progress) progress(fmt::format("eigenvalues of {} x {} numbers", A.rows(), A.rows()));
    const Deflated whole(A, doubt);
    zeros = whole.zeros;
    const Eigen::Index left = A.rows() - zeros;
    hidden = spread(whole.A.topLeftCorner(zeros, zeros), whole.doubt.topLeftCorner(zeros, zeros));
    if (left == 0) return;
    const std::vector<Complex> values = eigenvalues_of_all_sizes(whole.A.bottomRightCorner(left, left));
    std::vector<Complex> all, better;  // as computed, and refined
    std::vector<double> errors;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].imag() < 0) continue;
      if (progress) progress(fmt::format("eigenvalue {} of {}", i + 1, values.size()));
      double gap = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < values.size(); ++j)
        if (j != i) gap = std::min(gap, std::abs(values[i] - values[j]));
      const Pair pair = refined(A, doubt, values[i], gap, i);
      all.push_back(values[i]), errors.push_back(pair.error), better.push_back(pair.value);
      if (values[i].imag() == 0) continue;
      all.push_back(std::conj(values[i])), errors.push_back(pair.error),
          better.push_back(std::conj(pair.value));
    }
    for (RepeatedValue& each : repeated_values(A, doubt, all, errors, zeros > 0)) {
      if (each.copies() == 1)
        each.mean =
            better[static_cast<std::size_t>(std::find(all.begin(), all.end(), each.mean) - all.begin())];
      if (each.mean.imag() >= 0) found.push_back({each, fate_of(each)});
    }
  }

  std::vector<Value> found;
  Eigen::Index zeros = 0;
  double hidden = 0;
};

/// A shape for each copy, of the whole matrix.
void add_modes(const Matrix& A, const Matrix& doubt, const Value& value, std::vector<Mode>& all,
               std::vector<double>& errors) {
  for (const Complex member : value.known.members) {
    const bool alone = value.known.copies() == 1;
    const Pair pair = refined(A, doubt, alone ? value.known.mean : member,
                              std::numeric_limits<double>::infinity(), all.size());
    all.push_back({value.known.mean, pair.right, value.known.radius, value.fate});
    errors.push_back(value.known.mean_error);
  }
}

/// Chains of zeros: how long they are, and what they move.
void look_at_zeros(const Deflated& whole, const Vector& D, Modes& found) {
  const auto columns = [&](const Matrix& X) {
    Matrix all = D.asDiagonal() * X;
    for (Eigen::Index j = 0; j < all.cols(); ++j)
      if (const double length = all.col(j).norm(); length > 0) all.col(j) /= length;
    return all;
  };
  if (whole.levels.empty()) return;
  found.still = columns(whole.T.leftCols(whole.levels[0]));
  found.zero_chain = static_cast<Eigen::Index>(whole.levels.size());
  if (found.zero_chain < 2) return;
  found.moving = columns(whole.T.middleCols(whole.levels[0], whole.levels[1]));
  // A^(k-1) of the end of a chain of k is its head: N, since T^-1 A T is triangular.
  const Eigen::Index k = whole.zeros, last = whole.levels.back();
  Matrix head = Matrix::Identity(k, k).rightCols(last);
  for (Eigen::Index i = 1; i < found.zero_chain; ++i) head = whole.A.topLeftCorner(k, k) * head;
  found.driven = columns(whole.T.leftCols(k) * head);
}

}  // namespace

Modes modes_of(const Matrix& given, const Matrix& doubt,
               const std::function<void(const std::string&)>& progress) {
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
  look_at_zeros(Deflated(A, doubts), D, found);
  std::vector<double> errors;  // of each mode, or of the mean of its copies
  for (const auto& block : irreducible_blocks(A, doubts)) {
    const Block one(A(block, block), doubts(block, block), progress);
    found.zeros += one.zeros;
    found.hidden = std::max(found.hidden, one.hidden);
    for (const Value& value : one.found) {
      if (progress) progress(fmt::format("the shape of mode {}", found.all.size() + 1));
      add_modes(A, doubts, value, found.all, errors);
    }
  }
  share_shapes(A, doubts, errors, found.all);
  for (Mode& mode : found.all) mode.shape = (D.asDiagonal() * mode.shape).normalized();
  std::stable_sort(found.all.begin(), found.all.end(), before);
  return found;
}

}  // namespace dalembert
