#include "dalembert/nonlinear/derivative_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/core/index.h"
#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

/// At tau = node * step: weights of the value, of the first and of the second derivative at 0.
struct Node {
  double node;
  std::array<double, 3> weights;
};

struct Differences {
  double step;  // in units of time
  std::vector<Node> nodes;
};

const Differences& differences(Sides sides) {
  static const Differences after = {0.01,
                                    {{0, {1, -49. / 20, 203. / 45}},
                                     {1, {0, 6, -87. / 5}},
                                     {2, {0, -15. / 2, 117. / 4}},
                                     {3, {0, 20. / 3, -254. / 9}},
                                     {4, {0, -15. / 4, 33. / 2}},
                                     {5, {0, 6. / 5, -27. / 5}},
                                     {6, {0, -1. / 6, 137. / 180}}}};
  static const Differences both = {0.05,
                                   {{-4, {0, 1. / 280, -1. / 560}},
                                    {-3, {0, -4. / 105, 8. / 315}},
                                    {-2, {0, 1. / 5, -1. / 5}},
                                    {-1, {0, -4. / 5, 8. / 5}},
                                    {0, {1, 0, -205. / 72}},
                                    {1, {0, 4. / 5, 8. / 5}},
                                    {2, {0, -1. / 5, -1. / 5}},
                                    {3, {0, 4. / 105, 8. / 315}},
                                    {4, {0, -1. / 280, -1. / 560}}}};
  return sides == Sides::both ? both : after;
}

constexpr std::array<double, 4> factorial = {1, 1, 2, 6};
constexpr double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};

constexpr double met = 1e-7;         // of the array, scaled: what differences leave
constexpr double noticed = 1e-6;     // of y
constexpr double rank_floor = 1e-6;  // Jacobians may be differences, and have no more digits
constexpr double bent = 1e-6;        // a jump of a derivative, scaled

/// A x = r by least squares, the groups from the first to the one given last.
void solve_in_order(const Matrix& A, const Vector& r, const DerivativeArray::Groups& groups,
                    std::size_t first, Vector& x) {
  if (first == groups.size()) return;
  const Matrix mine = A(Eigen::all, groups[first]);
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors(mine.rows(), mine.cols());
  factors.setThreshold(rank_floor);
  factors.compute(mine);
  if (first + 1 < groups.size()) {  // what no change of mine can meet is left to the others
    const Eigen::Index left = A.rows() - factors.rank();
    const Matrix turned = factors.householderQ().transpose() * A;
    const Vector turned_r = factors.householderQ().transpose() * r;
    solve_in_order(turned.bottomRows(left), turned_r.tail(left), groups, first + 1, x);
  }
  Vector rest = r;
  for (std::size_t g = first + 1; g < groups.size(); ++g) rest -= A(Eigen::all, groups[g]) * x(groups[g]);
  const Vector own = factors.solve(rest);
  x(groups[first]) = own;
}

}  // namespace

DerivativeArray::DerivativeArray(const Implicit& problem, double t, In y, double unit, Sides sides)
    : problem_(problem), t_(t), n_(problem.layout().size()), unit_(unit), sides_(sides) {
  const Layout layout = problem.layout();
  for (const Block& block : layout.blocks()) index_ = std::max(index_, block.index);
  groups_.resize(1);
  for (Eigen::Index i = n_; i < n_ * (index_ + 1); ++i) groups_.front().push_back(i);
  for (int own = index_; own >= 1; --own) {
    std::vector<Eigen::Index> group;
    for (const Block& block : layout.blocks())
      for (Eigen::Index i = 0; i < block.size && block.index == own; ++i) group.push_back(block.offset + i);
    if (!group.empty()) groups_.push_back(std::move(group));
  }
  choose_units(y);
}

/// Rows and columns of |F_y| + |F_y'|/unit are divided by their largest entries until these are near 1 [Ruiz2001]; the largest entry of y is then 1.
void DerivativeArray::choose_units(In y) {
  units_ = Vector::Ones(n_);
  Vector dy = Vector::Zero(n_);
  problem_.jacobians(t_, y, dy, F_y_, F_dy_);
  const Matrix size = F_y_.dense(n_, n_).cwiseAbs() + F_dy_.dense(n_, n_).cwiseAbs() / unit_;
  if (!size.allFinite()) return;
  Vector rows = Vector::Ones(n_);
  const auto root = [](double most) { return most > 0 ? 1 / std::sqrt(most) : 1; };
  for (int round = 0; round < 12; ++round) {
    const Matrix scaled = rows.asDiagonal() * size * units_.asDiagonal();
    for (Eigen::Index i = 0; i < n_; ++i) {
      rows[i] *= root(scaled.row(i).maxCoeff());
      units_[i] *= root(scaled.col(i).maxCoeff());
    }
  }
  if (!units_.allFinite() || !(units_.minCoeff() > 0)) units_.setOnes();
  const double most = largest(y.cwiseQuotient(units_));
  if (most > 0) units_ *= most;
}

Vector DerivativeArray::unknowns(In y) const {
  Vector x = Vector::Zero(n_ * (index_ + 1));
  x.head(n_) = y.cwiseQuotient(units_);
  return x;
}

Vector DerivativeArray::state(const Vector& x) const {
  return x.head(n_).cwiseProduct(units_);
}

/// y and its rate in units of time; tau too.
void DerivativeArray::along(const Vector& x, double tau, Vector& y, Vector& dy) const {
  y = x.head(n_);
  dy.setZero(n_);
  for (int j = 1; j <= index_; ++j) {
    y += x.segment(j * n_, n_) * (std::pow(tau, j) / factorial[at(j)]);
    dy += x.segment(j * n_, n_) * (std::pow(tau, j - 1) / factorial[at(j - 1)]);
  }
  y.array() *= units_.array();
  dy.array() *= units_.array();
}

void DerivativeArray::evaluate(const Vector& x, Matrices matrices) {
  r_.setZero(n_ * index_);
  if (matrices == Matrices::anew) A_.setZero(n_ * index_, n_ * (index_ + 1));
  Vector F(n_), y, dy;
  const auto& [h, nodes] = differences(sides_);
  for (const auto& [node, weights] : nodes) {
    along(x, node * h, y, dy);
    dy /= unit_;
    const double t = t_ + node * h * unit_;
    problem_.F(t, y, dy, F);
    const auto rate = [h = h, w = weights](int m) { return w[at(m)] / std::pow(h, m); };
    for (int k = 0; k < index_; ++k) r_.segment(k * n_, n_) += rate(k) * F;
    if (matrices == Matrices::kept) continue;
    problem_.jacobians(t, y, dy, F_y_, F_dy_);
    const Matrix F_y = F_y_.dense(n_, n_) * units_.asDiagonal(),
                 F_dy = F_dy_.dense(n_, n_) * (units_ / unit_).asDiagonal();
    for (int k = 0; k < index_; ++k) {
      for (int j = 0; j <= k; ++j) A_.block(k * n_, j * n_, n_, n_) += binomial[k][j] * rate(k - j) * F_y;
      for (int j = 1; j <= k + 1; ++j)
        A_.block(k * n_, j * n_, n_, n_) += binomial[k][j - 1] * rate(k - j + 1) * F_dy;
    }
  }
  if (matrices == Matrices::anew) {
    length_ = A_.rowwise().norm();
    length_ = (length_.array() > 0).select(length_, 1);
    A_ = length_.cwiseInverse().asDiagonal() * A_;
  }
  r_.array() /= length_.array();
}

/// So that the motion that x describes changes by its own size in a unit of time.
void DerivativeArray::shorten_unit(Vector& x) {
  const double size = 1 + largest(x.head(n_));
  double factor = 1;
  for (int j = 1; j <= index_; ++j)
    factor = std::min(factor, std::pow(size / (1e-300 + largest(x.segment(j * n_, n_))), 1.0 / j));
  if (factor > 0.1) return;
  unit_ *= factor;
  for (int j = 1; j <= index_; ++j) x.segment(j * n_, n_) *= std::pow(factor, j);
}

/// Jacobians may be many differences: they are kept while residuals shrink fast. With short units of time residuals become small by
/// themselves: what is left counts by the distance that y0, all entries free, would still have to go.
bool DerivativeArray::meet(Vector& x, const Groups& groups) {
  Vector trial = x, change(x.size());
  constexpr double fast = 0.1;
  double last = std::numeric_limits<double>::infinity(), unit = 0;
  bool shrinks = false;
  for (int round = 0; round < 40; ++round) {
    shorten_unit(trial);
    evaluate(trial, shrinks && unit_ == unit ? Matrices::kept : Matrices::anew);
    unit = unit_;
    if (!r_.allFinite() || !A_.allFinite()) return false;
    const double left = largest(r_), size = 1 + largest(trial);
    if (left <= met * size && (left <= 1e-3 * met * size || left > 0.5 * last)) {
      change.setZero();
      solve_in_order(A_, r_, groups_, 0, change);
      if (!(largest(change.head(n_)) <= noticed * (1 + largest(trial.head(n_))))) return false;
      if (groups.size() == groups_.size())
        trial -= change;  // what is small in a short unit of time need not be so in y
      x = trial;
      return true;
    }
    if (round > 8 && !(left < last)) return false;
    shrinks = left <= fast * last;
    last = left;
    change.setZero();
    solve_in_order(A_, r_, groups, 0, change);
    trial -= change;
  }
  return false;
}

/// The derivative after the last one that the array has, times a step, becomes smaller with the step. Where a derivative jumps it
/// does not, and central differences of both steps agree on the mean of the two sides.
bool DerivativeArray::smooth(const Vector& x, double span) {
  constexpr double h = 0.01;
  Vector y, dy;
  const auto F_at = [&](double tau) {
    Vector F(n_);
    along(x, tau, y, dy);
    dy /= unit_;
    problem_.F(t_ + tau * unit_, y, dy, F);
    return F;
  };
  const auto bends = [&](double s) {
    const Vector one = F_at(s), two = F_at(2 * s), back = F_at(-s), twice_back = F_at(-2 * s);
    Matrix b(n_, index_ - 1);
    b.col(0) = (one - 2 * F_at(0) + back) / s;
    if (index_ == 3) b.col(1) = (two - 2 * one + 2 * back - twice_back) / (2 * s * s);
    return b;
  };
  const Matrix coarse = bends(h), fine = bends(h / 2);
  along(x, 0, y, dy);
  dy /= unit_;
  problem_.jacobians(t_, y, dy, F_y_, F_dy_);
  const Matrix F_y = F_y_.dense(n_, n_) * units_.asDiagonal();
  for (int k = 1; k < index_; ++k) {
    double size = std::pow(unit_ / span, k);  // a jump is one over the run, however short the unit
    for (int j = 1; j <= k; ++j)
      size = std::max(size, std::pow(unit_ / span, k - j) * largest(x.segment(j * n_, n_)));
    for (Eigen::Index i = 0; i < n_; ++i)
      if (!(std::abs(fine(i, k - 1)) <= 0.75 * std::abs(coarse(i, k - 1)) + bent * size * F_y.row(i).norm()))
        return false;
  }
  return true;
}

}  // namespace dalembert
