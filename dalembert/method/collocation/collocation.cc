#include "dalembert/method/collocation/collocation.h"

#include <cmath>

namespace dalembert {

namespace {

using Points = std::vector<long double>;

/// Value and derivative of theta^m prod_{k != skip} (theta - c_k).
template <class Real>
std::pair<Real, Real> product(const Points& c, int m, std::size_t skip, Real theta) {
  Real value = 1, slope = 0;
  const auto times = [&](Real factor) {
    slope = slope * factor + value;
    value *= factor;
  };
  for (int k = 0; k < m; ++k) times(theta);
  for (std::size_t k = 0; k < c.size(); ++k)
    if (k != skip) times(theta - static_cast<Real>(c[k]));
  return {value, slope};
}

/// How many zeros at 0 the j-th basis function has: B_j, or H for j = s.
int zeros_at_start(Collocation::Start start, bool is_slope) {
  return start == Collocation::Start::slope && !is_slope ? 2 : 1;
}

/// The order of the interpolatory quadrature formula with these points: their number, and one more for each power of
/// theta that prod (theta - points) is orthogonal to on [0,1].
int quadrature_order(const Points& points) {
  Points coefficients{1};  // by ascending powers
  for (const long double point : points) {
    coefficients.push_back(0);
    for (std::size_t k = coefficients.size() - 1; k > 0; --k)
      coefficients[k] = coefficients[k - 1] - point * coefficients[k];
    coefficients[0] *= -point;
  }
  int order = static_cast<int>(points.size());
  for (std::size_t power = 0; power < points.size(); ++power, ++order) {
    long double integral = 0, size = 0;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const long double part = coefficients[k] / static_cast<long double>(k + power + 1);
      integral += part;
      size += std::abs(part);
    }
    if (std::abs(integral) > 1e-14L * size) break;
  }
  return order;
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
  for (std::size_t j = 0; j < points_.size(); ++j)
    scales_.push_back(product(points_, zeros_at_start(start_, false), j, points_[j]).first);
  scales_.push_back(product(points_, 0, points_.size(), 0.0L).first);
  inverse_scales_ = Vector::Zero(s + 1);
  for (Eigen::Index j = 0; j <= s; ++j)
    inverse_scales_[j] = static_cast<double>(1 / scales_[static_cast<std::size_t>(j)]);
  c = d = Vector::Zero(s);
  Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic> exact(s, s);
  for (Eigen::Index i = 0; i < s; ++i) {
    const long double at = points[static_cast<std::size_t>(i)];
    c[i] = static_cast<double>(at);
    d[i] = static_cast<double>(basis(points_.size(), at).second);
    for (Eigen::Index j = 0; j < s; ++j) exact(i, j) = basis(static_cast<std::size_t>(j), at).second;
  }
  W = exact.cast<double>();
  W_transposed = W.transpose();
  decompose(exact);
  middle = middle_slope = Vector::Zero(s + 1);
  values(0.5, middle);
  slopes(0.5, middle_slope);
  // prod (x + 1/2 - zero) = x^s + x^(s-1) sum (1/2 - zero) + ...
  bend = Vector::Zero(s);
  for (Eigen::Index j = 0; j < s; ++j)
    bend[j] = (0.5 * static_cast<double>(s) - (c.sum() - c[j])) /
              static_cast<double>(scales_[static_cast<std::size_t>(j)]);
  Points all = points;
  if (start == Start::slope) all.push_back(0);
  order_ = quadrature_order(all);
}

template <class Real>
std::pair<Real, Real> Collocation::basis(std::size_t j, Real theta) const {
  const bool is_slope = j == points_.size();
  if (is_slope && start_ == Start::value) return {0, 0};
  const auto [value, slope] = product(points_, zeros_at_start(start_, is_slope), j, theta);
  const auto scale = static_cast<Real>(scales_[j]);
  return {value / scale, slope / scale};
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
  to_modes = from_modes = Matrix::Zero(lambda.size(), lambda.size());
  Eigen::Index at = 0;
  for (const auto& mode : real_modes) {
    to_modes.col(at) = mode.left;
    from_modes.row(at++) = mode.right.transpose();
  }
  for (const auto& mode : pairs) {  // the eigenvalue and its conjugate: twice the real part
    to_modes.col(at) = mode.left.real();
    from_modes.row(at++) = 2 * mode.right.real().transpose();
    to_modes.col(at) = mode.left.imag();
    from_modes.row(at++) = -2 * mode.right.imag().transpose();
  }
}

void Collocation::values(double theta, Out weights) const {
  const Eigen::Index s = c.size();
  double before = theta, behind = 1;  // the factors on either side of the one that is left out
  if (start_ == Start::slope) before *= theta;
  for (Eigen::Index j = 0; j < s; ++j) {
    weights[j] = before * inverse_scales_[j];
    before *= theta - c[j];
  }
  for (Eigen::Index j = s - 1; j >= 0; --j) {
    weights[j] *= behind;
    behind *= theta - c[j];
  }
  weights[s] = start_ == Start::slope ? theta * behind * inverse_scales_[s] : 0.0;
}

void Collocation::slopes(double theta, Out weights) const {
  for (std::size_t j = 0; j <= points_.size(); ++j)
    weights[static_cast<Eigen::Index>(j)] = basis(j, theta).second;
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
