#include "dalembert/nonlinear/hidden_start.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace dalembert {

namespace {

constexpr std::size_t nodes = 7;
/// Of the polynomial through values at 0, 1, ..., 6: its value, first and second derivative at 0.
constexpr std::array<std::array<double, nodes>, 3> derivative = {
    {{1, 0, 0, 0, 0, 0, 0},
     {-49. / 20, 6, -15. / 2, 20. / 3, -15. / 4, 6. / 5, -1. / 6},
     {203. / 45, -87. / 5, 117. / 4, -254. / 9, 33. / 2, -27. / 5, 137. / 180}}};
constexpr std::array<double, 4> factorial = {1, 1, 2, 6};
constexpr double binomial[3][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}};

constexpr double step = 0.01;     // of the differences, in the time in which y changes by its size
constexpr double met = 1e-7;      // of the array, scaled: what differences leave
constexpr double noticed = 1e-6;  // of y: less is not moved
constexpr double rank_floor = 1e-8;
constexpr double good_enough = 1e-10;
constexpr double alike = 1e-5;  // two results that do not depend on the steps of differences

/// The derivative array at one point, in units of time in which the unknowns y_j T^j and the rows are of the size of y.
class Array {
 public:
  Array(const Implicit& problem, double t, int index, double span)
      : problem_(problem), t_(t), index_(index), n_(problem.layout().size()), unit_(span) {}

  /// x = (y0, y1 T, y2 T^2, ...)
  void evaluate(const Vector& x) {
    const double h = step;
    r.setZero(n_ * index_);
    A.setZero(n_ * index_, n_ * (index_ + 1));
    Vector F(n_);
    for (std::size_t i = 0; i < nodes; ++i) {
      const double tau = h * static_cast<double>(i);
      Vector y = Vector::Zero(n_), dy = Vector::Zero(n_);
      for (int j = 0; j <= index_; ++j) {
        y += x.segment(j * n_, n_) * (std::pow(tau, j) / factorial[static_cast<std::size_t>(j)]);
        if (j > 0)
          dy += x.segment(j * n_, n_) * (std::pow(tau, j - 1) / factorial[static_cast<std::size_t>(j - 1)]);
      }
      dy /= unit_;
      problem_.F(t_ + tau * unit_, y, dy, F);
      problem_.jacobians(t_ + tau * unit_, y, dy, F_y_, F_dy_);
      const Matrix F_y = F_y_.dense(n_, n_), F_dy = F_dy_.dense(n_, n_) / unit_;
      for (int k = 0; k < index_; ++k) {
        const auto rate = [&](int m) { return derivative[static_cast<std::size_t>(m)][i] / std::pow(h, m); };
        r.segment(k * n_, n_) += rate(k) * F;
        for (int j = 0; j <= k; ++j) A.block(k * n_, j * n_, n_, n_) += binomial[k][j] * rate(k - j) * F_y;
        for (int j = 1; j <= k + 1; ++j)
          A.block(k * n_, j * n_, n_, n_) += binomial[k][j - 1] * rate(k - j + 1) * F_dy;
      }
    }
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double length = A.row(i).norm();
      if (!(length > 0)) continue;
      A.row(i) /= length;
      r[i] /= length;
    }
  }
  /// So that the motion that x describes changes by its own size in a unit of time.
  void choose_unit(Vector& x) {
    const double size = 1 + x.head(n_).cwiseAbs().maxCoeff();
    double factor = 1;
    for (int j = 1; j <= index_; ++j)
      factor =
          std::min(factor, std::pow(size / (1e-300 + x.segment(j * n_, n_).cwiseAbs().maxCoeff()), 1.0 / j));
    if (factor > 0.1) return;
    unit_ *= factor;
    for (int j = 1; j <= index_; ++j) x.segment(j * n_, n_) *= std::pow(factor, j);
  }

  Vector r;
  Matrix A;

 private:
  const Implicit& problem_;
  double t_;
  int index_;
  Eigen::Index n_;
  double unit_;
  Entries F_y_, F_dy_;
};

/// Unknowns that may move for the same price; those of the first group for none, of the last as little as can be.
using Groups = std::vector<std::vector<Eigen::Index>>;

/// A x = r by least squares, the groups from the first to the one given last.
void solve_in_order(const Matrix& A, const Vector& r, const Groups& groups, std::size_t first, Vector& x) {
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

/// Newton's iteration for the array; x stays as it is if it fails. With short units of time residuals become small by
/// themselves: what is left counts by the distance that y0, all entries free, would still have to go.
bool meet_array(Array array, Vector& x, const Groups& groups, const Groups& all, Eigen::Index n) {
  Vector trial = x, change(x.size());
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 40; ++round) {
    array.choose_unit(trial);
    array.evaluate(trial);
    if (!array.r.allFinite() || !array.A.allFinite()) return false;
    const double left = array.r.cwiseAbs().maxCoeff(), size = 1 + trial.cwiseAbs().maxCoeff();
    if (left <= met * size && (left <= 1e-3 * met * size || left > 0.5 * last)) {
      change.setZero();
      solve_in_order(array.A, array.r, all, 0, change);
      if (!(largest(change.head(n)) <= noticed * (1 + largest(trial.head(n))))) return false;
      if (&groups == &all) trial -= change;  // what is small in a short unit of time need not be so in y
      x = trial;
      return true;
    }
    if (round > 8 && !(left < last)) return false;
    last = left;
    change.setZero();
    solve_in_order(array.A, array.r, groups, 0, change);
    trial -= change;
  }
  return false;
}

/// Derivatives, then entries of y0 from the highest index to the lowest.
Groups in_order(const std::vector<int>& indices, int index) {
  const auto n = static_cast<Eigen::Index>(indices.size());
  Groups all(1);
  for (Eigen::Index i = n; i < n * (index + 1); ++i) all.front().push_back(i);
  for (int own = index; own >= 1; --own) {
    all.emplace_back();
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] == own) all.back().push_back(static_cast<Eigen::Index>(i));
    if (all.back().empty()) all.pop_back();
  }
  return all;
}

std::vector<int> indices_of(const Layout& layout) {
  std::vector<int> indices;
  for (const Block& block : layout.blocks())
    indices.insert(indices.end(), static_cast<std::size_t>(block.size), block.index);
  return indices;
}

/// The nearest y0, if differences with steps of this unit of time find one.
std::optional<Vector> nearest_start(const Array& array, const Vector& y, const std::vector<int>& indices,
                                    const KeptEntries& kept) {
  const Eigen::Index n = y.size();
  const int index = *std::max_element(indices.begin(), indices.end());
  Vector x = Vector::Zero(n * (index + 1));
  x.head(n) = y;
  const Groups all = in_order(indices, index);
  Groups groups = {all.front()};
  if (meet_array(array, x, groups, all, n)) return y;
  std::vector<bool> held(indices.size(), false);
  for (Eigen::Index k = 0; k < kept.size(); ++k) held[static_cast<std::size_t>(kept[k])] = true;
  for (int lowest = index; lowest >= 1; --lowest) {
    std::vector<Eigen::Index> group;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] == lowest && !held[i]) group.push_back(static_cast<Eigen::Index>(i));
    if (group.empty()) continue;
    groups.push_back(std::move(group));
    if (meet_array(array, x, groups, all, n)) return Vector(x.head(n));
  }
  return {};
}

}  // namespace

HiddenStart meet_hidden(const Implicit& problem, double t, In given, double span, const KeptEntries& kept) {
  const Vector y = given;
  const std::vector<int> indices = indices_of(problem.layout());
  const int index = *std::max_element(indices.begin(), indices.end());
  HiddenStart start{.y = y};
  if (y.size() > most_hidden || index > 3) return start;
  // Steps over many periods of what is not smooth would find a start too, a wrong one: results are compared as steps become
  // shorter, and those that differ least are believed.
  std::optional<Vector> last;
  double least = alike;
  for (int round = 0; round < 12; ++round, span /= 8) {
    auto found = nearest_start(Array(problem, t, index, span), y, indices, kept);
    if (last && found) {
      const double apart = largest(*found - *last) / (1 + largest(*found));
      if (apart > 2 * least && least < alike) break;
      if (apart < least || apart == 0) {
        least = apart;
        const bool nothing = largest(*found - y) <= noticed * (1 + largest(y));
        start.verdict = nothing ? HiddenStart::Verdict::holds : HiddenStart::Verdict::moved;
        start.y = nothing ? y : *found;
        if (apart <= good_enough) break;
      }
    }
    last = std::move(found);
  }
  if (start.verdict == HiddenStart::Verdict::undecided && kept.size() > 0)
    start.verdict = HiddenStart::Verdict::unmet;
  return start;
}

std::optional<Vector> refine_hidden(const Implicit& problem, double t, In y, double span) {
  const std::vector<int> indices = indices_of(problem.layout());
  const int index = *std::max_element(indices.begin(), indices.end());
  const Groups all = in_order(indices, index);
  const Eigen::Index n = y.size();
  std::optional<Vector> last, best;
  double least = alike;
  for (int round = 0; round < 12 && least > good_enough; ++round, span /= 8) {
    Vector x = Vector::Zero(n * (index + 1));
    x.head(n) = y;
    if (!meet_array(Array(problem, t, index, span), x, all, all, n)) {
      last.reset();
      continue;
    }
    const Vector found = x.head(n);
    if (last) {
      const double apart = largest(found - *last) / (1 + largest(found));
      if (apart > 2 * least && best) break;  // rounding
      if (apart < least) least = apart, best = found;
    }
    last = found;
  }
  return best;
}

}  // namespace dalembert
