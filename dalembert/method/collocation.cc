#include "dalembert/method/collocation.h"

#include <cmath>

namespace dalembert {

namespace {

using Points = std::vector<long double>;

/// Value and derivative of theta^m prod_{k != skip} (theta - c_k).
std::pair<long double, long double> product(const Points& c, int m, std::size_t skip, long double theta) {
  long double value = 1, slope = 0;
  const auto times = [&](long double factor) {
    slope = slope * factor + value;
    value *= factor;
  };
  for (int k = 0; k < m; ++k) times(theta);
  for (std::size_t k = 0; k < c.size(); ++k)
    if (k != skip) times(theta - c[k]);
  return {value, slope};
}

/// B_j, or H for j = s, and its derivative.
std::pair<long double, long double> basis(const Points& c, Collocation::Start start, std::size_t j,
                                          long double theta) {
  if (j == c.size()) {
    if (start == Collocation::Start::value) return {0, 0};
    const auto [value, slope] = product(c, 1, j, theta);
    const long double scale = product(c, 0, j, 0).first;
    return {value / scale, slope / scale};
  }
  const int zeros = start == Collocation::Start::slope ? 2 : 1;
  const auto [value, slope] = product(c, zeros, j, theta);
  const long double scale = product(c, zeros, j, c[j]).first;
  return {value / scale, slope / scale};
}

/// P_s(x) - P_(s-1)(x)
long double radau_polynomial(int s, long double x) {
  long double before = 1, now = x;
  for (int k = 1; k < s; ++k) {
    const long double next =
        (static_cast<long double>(2 * k + 1) * x * now - static_cast<long double>(k) * before) /
        static_cast<long double>(k + 1);
    before = now;
    now = next;
  }
  return now - before;
}

}  // namespace

Collocation::Collocation(const Points& points, Start start) : points_(points), start_(start) {
  const auto s = static_cast<Eigen::Index>(points.size());
  c = d = Vector::Zero(s);
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> exact(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const long double at = points[static_cast<std::size_t>(i)];
    c[i] = static_cast<double>(at);
    d[i] = static_cast<double>(basis(points_, start_, points_.size(), at).second);
    for (Eigen::Index j = 0; j < s; ++j)
      exact(i, j) = basis(points_, start_, static_cast<std::size_t>(j), at).second;
  }
  W = exact.cast<double>();
  decompose(exact);
}

void Collocation::decompose(const Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>& exact) {
  const Eigen::EigenSolver<Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>> eigen(exact);
  const auto lambda = eigen.eigenvalues();
  const auto right = eigen.eigenvectors();
  const auto left = right.inverse().eval();
  for (Eigen::Index k = 0; k < lambda.size(); ++k) {
    if (lambda[k].imag() == 0)
      real_modes.push_back({static_cast<double>(lambda[k].real()),
                            left.row(k).transpose().real().cast<double>(),
                            right.col(k).real().cast<double>()});
    if (lambda[k].imag() > 0)
      pairs.push_back({std::complex<double>(lambda[k]), left.row(k).transpose().cast<std::complex<double>>(),
                       right.col(k).cast<std::complex<double>>()});
  }
}

void Collocation::values(double theta, Out weights) const {
  for (std::size_t j = 0; j <= points_.size(); ++j)
    weights[static_cast<Eigen::Index>(j)] = static_cast<double>(basis(points_, start_, j, theta).first);
}

void Collocation::slopes(double theta, Out weights) const {
  for (std::size_t j = 0; j <= points_.size(); ++j)
    weights[static_cast<Eigen::Index>(j)] = static_cast<double>(basis(points_, start_, j, theta).second);
}

std::vector<long double> radau_points(int stages) {
  // Sign changes on a fine grid, then bisection to the last bit: the polynomials are harmless up to degree 7 and more.
  Points found;
  const int grid = 64 * stages;
  const auto p = [&](int k) { return radau_polynomial(stages, -1 + 2.0L * k / grid); };
  for (int k = 0; k + 1 < grid; ++k) {
    if ((p(k) > 0) == (p(k + 1) > 0)) continue;
    long double low = -1 + 2.0L * k / grid, high = -1 + 2.0L * (k + 1) / grid;
    const bool rising = radau_polynomial(stages, low) < 0;
    for (int round = 0; round < 80; ++round) {
      const long double middle = (low + high) / 2;
      ((radau_polynomial(stages, middle) < 0) == rising ? low : high) = middle;
    }
    found.push_back((1 + (low + high) / 2) / 2);
  }
  found.push_back(1);
  return found;
}

}  // namespace dalembert
