#include "dalembert/analysis/repeated_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "dalembert/analysis/known_rank.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::MatrixXcd;

constexpr double not_apart = 8;       // errors of two values by which they may differ and be one
constexpr double worst = 1e6;         // distances to the next value that an error of first order may be
constexpr double same_value = 2e-12;  // beside |value|
constexpr double beside = .05;        // of the distance to the next value: where the inverse iteration stands
constexpr double summed = 1e-15;      // rounding of a sum, beside its terms
constexpr int samples = 8;

/// The inverse of A - shift, with rows and columns alike.
class Shifted {
 public:
  Shifted(const Matrix& A, Complex shift)
      : matrix_(A.cast<Complex>() - shift * ComplexMatrix::Identity(A.rows(), A.cols())),
        alike_(matrix_.cwiseAbs()),
        lu_(alike_(matrix_)) {}
  ComplexMatrix solve(const ComplexMatrix& b) const {
    return alike_.columns.asDiagonal() * lu_.solve(ComplexMatrix(alike_.rows.asDiagonal() * b));
  }
  ComplexMatrix solve_adjoint(const ComplexMatrix& b) const {
    const ComplexMatrix y = lu_.adjoint().solve(ComplexMatrix(alike_.columns.asDiagonal() * b));
    return alike_.rows.asDiagonal() * y;
  }

 private:
  ComplexMatrix matrix_;
  Alike alike_;
  Eigen::PartialPivLU<ComplexMatrix> lu_;
};

ComplexMatrix orthonormal(const ComplexMatrix& X) {
  return Eigen::HouseholderQR<ComplexMatrix>(X).householderQ() * ComplexMatrix::Identity(X.rows(), X.cols());
}

Complex mean_of(const std::vector<Complex>& all) {
  Complex sum = 0;
  for (const Complex each : all) sum += each;
  return sum / static_cast<double>(all.size());
}

/// Bases of the right and the left invariant subspace.
struct Subspace {
  ComplexMatrix right, left;
};

Subspace subspace_of(const Matrix& A, const std::vector<Complex>& members, double gap) {
  const Eigen::Index n = A.rows(), k = static_cast<Eigen::Index>(members.size());
  if (k == n) return {ComplexMatrix::Identity(n, n), ComplexMatrix::Identity(n, n)};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  Subspace found{ComplexMatrix(n, k), ComplexMatrix(n, k)};
  for (ComplexMatrix* each : {&found.right, &found.left})
    *each = orthonormal(each->unaryExpr([&](Complex) { return Complex(number(random)); }));
  // At the mean itself A is singular to a power, and the first vector of a chain would hide the others.
  const Shifted inverse(A, mean_of(members) + beside * gap);
  for (int round = 0; round < 30; ++round) {
    const ComplexMatrix X = orthonormal(inverse.solve(found.right)),
                        Y = orthonormal(inverse.solve_adjoint(found.left));
    if (!X.allFinite() || !Y.allFinite()) break;
    const double turned = (X - found.right * (found.right.adjoint() * X)).norm() +
                          (Y - found.left * (found.left.adjoint() * Y)).norm();
    found = {X, Y};
    if (turned < 1e-14) break;
  }
  return found;
}

/// How far values of B lie from their mean if its entries are wrong by `doubt`, one way or the other.
double farthest_of(const ComplexMatrix& B, const Matrix& doubt, Complex mean) {
  std::mt19937 random(1);
  double most = 0;
  for (int sample = 0; sample <= samples; ++sample) {
    ComplexMatrix wrong = B;
    if (sample > 0)
      for (Eigen::Index i = 0; i < B.rows(); ++i)
        for (Eigen::Index j = 0; j < B.cols(); ++j)
          wrong(i, j) += random() % 2 == 0 ? doubt(i, j) : -doubt(i, j);
    const Eigen::ComplexEigenSolver<ComplexMatrix> solver(wrong, false);
    for (const Complex value : solver.eigenvalues()) most = std::max(most, std::abs(value - mean));
  }
  return most;
}

bool with_conjugates(const std::vector<Complex>& members) {
  const auto above = [](Complex z) { return z.imag() > 0; };
  const auto below = [](Complex z) { return z.imag() < 0; };
  return std::none_of(members.begin(), members.end(), above) ==
         std::none_of(members.begin(), members.end(), below);
}

/// Everything about members, the next value being `gap` away.
RepeatedValue together(const Matrix& A, const Matrix& doubt, std::vector<Complex> members, double gap) {
  const auto k = static_cast<double>(members.size());
  const Subspace at = subspace_of(A, members, gap);
  const ComplexMatrix overlap = at.left.adjoint() * at.right,
                      left = overlap.partialPivLu().solve(ComplexMatrix(at.left.adjoint()));
  const ComplexMatrix B = left * A.cast<Complex>() * at.right, P = at.right * left;
  constexpr double unknown = std::numeric_limits<double>::infinity();
  RepeatedValue found{std::move(members), B.trace() / k, unknown, unknown};
  const double error = P.transpose().cwiseAbs().cwiseProduct(doubt).sum() / k;
  if (B.allFinite() && std::isfinite(error)) {
    const Matrix wrong = left.cwiseAbs() * doubt * at.right.cwiseAbs();
    // A trace of values far apart is what is left of larger numbers.
    const double sum = (left.cwiseAbs() * A.cwiseAbs() * at.right.cwiseAbs()).trace() / k;
    found.mean_error = error + summed * sum;
    found.radius = std::max(found.mean_error, 2 * farthest_of(B, wrong, found.mean));
  } else {
    found.mean = mean_of(found.members);
  }
  if (with_conjugates(found.members)) found.mean = found.mean.real();
  return found;
}

double distance(const RepeatedValue& a, const RepeatedValue& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Complex x : a.members)
    for (const Complex y : b.members) least = std::min(least, std::abs(x - y));
  return least;
}

/// Are they one, for all that is known?
bool one(const RepeatedValue& a, const RepeatedValue& b, double off) {
  const double size = std::max(std::abs(a.mean), std::abs(b.mean));
  return off <= std::max(same_value * size, not_apart * (a.radius + b.radius));
}

/// Of a value whose error is e to first order and that is d away from the next: of k copies in a chain each is off by the root of k e d^(k-1).
double radius_of(double e, double d) {
  return e <= d ? e : std::sqrt(2 * std::min(e, worst * d) * d);
}

/// Next to zeros a value looks as wrong as one of a chain: its neighbours are these, and no others that are far away.
std::vector<RepeatedValue> one_by_one(const std::vector<Complex>& values, const std::vector<double>& errors,
                                      bool zeros) {
  std::vector<RepeatedValue> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double next = zeros ? std::abs(values[i]) : std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < values.size(); ++j)
      if (j != i) next = std::min(next, std::abs(values[i] - values[j]));
    all.push_back({{values[i]}, values[i], errors[i], radius_of(errors[i], next)});
  }
  return all;
}

/// The nearest that are one, and all that are about as near to them and one of them. Empty: none are.
std::vector<std::size_t> nearest(const std::vector<RepeatedValue>& all) {
  std::vector<std::size_t> group;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double off = distance(all[i], all[j]); off < least && one(all[i], all[j], off))
        least = off, group = {j, i};
  for (std::size_t seen = 0; seen < group.size(); ++seen)
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (std::find(group.begin(), group.end(), j) != group.end()) continue;
      const RepeatedValue& member = all[group[seen]];
      const double off = distance(member, all[j]);
      if (off <= 2 * least + same_value * std::abs(member.mean) && one(member, all[j], off))
        group.push_back(j);
    }
  std::sort(group.rbegin(), group.rend());
  return group;
}

}  // namespace

std::vector<RepeatedValue> repeated_values(const Matrix& A, const Matrix& doubt,
                                           const std::vector<Complex>& values,
                                           const std::vector<double>& errors, bool zeros) {
  std::vector<RepeatedValue> all = one_by_one(values, errors, zeros);
  for (auto group = nearest(all); !group.empty(); group = nearest(all)) {
    std::vector<Complex> members;
    for (const std::size_t i : group) {  // the last one first
      members.insert(members.end(), all[i].members.begin(), all[i].members.end());
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const Complex mean = mean_of(members);
    double gap = zeros || all.empty() ? std::abs(mean) : std::numeric_limits<double>::infinity();
    for (const RepeatedValue& other : all)
      for (const Complex z : other.members) gap = std::min(gap, std::abs(z - mean));
    all.push_back(together(A, doubt, std::move(members), gap));
  }
  for (RepeatedValue& each : all)
    if (each.copies() == 1) each.radius = each.mean_error;
  return all;
}

}  // namespace dalembert
