#include "dalembert/observe/trajectory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr int coarsest = 4, usual = 8, finest = 16;
// Against the largest value of an entry in a step: what linear solves leave of multipliers is about as large.
constexpr double rounding = 1e-12;
// A step that the finest polynomial leaves more of than that is kept in halves: it may be of many turns.
constexpr double too_much = 1e-11;
constexpr int most_halvings = 6;

/// Point j of n on [-1,1]. Symmetric in rounding, too.
double point(int j, int n) {
  return std::sin(std::numbers::pi * (2 * j - n) / (2 * n));
}

/// Row k holds the weights of the k-th Chebyshev coefficient of the polynomial through values at the n+1 points.
Matrix coefficients_matrix(int n) {
  Matrix a(n + 1, n + 1);
  for (int k = 0; k <= n; ++k)
    for (int j = 0; j <= n; ++j) {
      const double halves = (k == 0 || k == n ? .5 : 1) * (j == 0 || j == n ? .5 : 1);
      a(k, j) = 2. / n * halves * std::cos(std::numbers::pi * k * (n - j) / n);
    }
  return a;
}

enum class Asked { all, differential };

/// Largest coefficient beyond `degree`, of the size of its entry. Entries that are not finite are not asked; one that is next to
/// nothing beside others of its block is rounding itself.
double left_by(const Matrix& values, const Layout& layout, const Matrix& to_coefficients, int degree,
               Asked asked = Asked::all) {
  const Eigen::Index beyond = to_coefficients.rows() - 1 - degree;
  double most = 0;
  for (const auto& block : layout.blocks()) {
    if (asked == Asked::differential && block.role != Role::differential) continue;
    double least = 0;
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i)
      if (values.row(i).allFinite()) least = std::max(least, 1e-3 * values.row(i).cwiseAbs().maxCoeff());
    for (Eigen::Index i = block.offset; i < block.offset + block.size; ++i) {
      if (!values.row(i).allFinite()) continue;
      const double size = std::max(least, values.row(i).cwiseAbs().maxCoeff());
      const Vector rest = to_coefficients.bottomRows(beyond) * values.row(i).transpose();
      if (size > 0) most = std::max(most, largest(rest) / size);
    }
  }
  return most;
}

/// Every `stride`-th column.
Matrix thinned(const Matrix& values, int stride) {
  Matrix kept(values.rows(), (values.cols() - 1) / stride + 1);
  for (Eigen::Index j = 0; j < kept.cols(); ++j) kept.col(j) = values.col(j * stride);
  return kept;
}

/// What each column contributes at t; a single one if t is its point.
struct Weights {
  std::array<double, finest + 1> w{};
  Eigen::Index only = -1;
};

Weights weights(double begin, double end, Eigen::Index columns, double t) {
  Weights result;
  const int n = static_cast<int>(columns) - 1;
  if (t <= begin || n == 0)
    result.only = 0;
  else if (t >= end)
    result.only = n;
  if (result.only >= 0) return result;
  const double x = 2 * ((t - begin) / (end - begin)) - 1;
  double sum = 0;
  for (int j = 0; j <= n; ++j) {
    const double distance = x - point(j, n);
    if (distance == 0) {
      result.only = j;
      return result;
    }
    const double weight = (j % 2 == 0 ? 1 : -1) * (j == 0 || j == n ? .5 : 1) / distance;
    result.w[static_cast<std::size_t>(j)] = weight;
    sum += weight;
  }
  for (double& weight : result.w) weight /= sum;
  return result;
}

bool same(const Vector& a, const Vector& b) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  return true;
}

}  // namespace

double Component::operator()(double t) const {
  return of_->at(t, Trajectory::Side::after).y[entry_];
}

double Component::before(double t) const {
  return of_->at(t, Trajectory::Side::before).y[entry_];
}

State Trajectory::operator()(double t) const {
  return at(t, Side::after);
}

State Trajectory::before(double t) const {
  return at(t, Side::before);
}

Component Trajectory::operator[](std::string_view label) const {
  std::vector<std::string> labels;
  for (const auto& block : layout_.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i) {
      labels.push_back(layout_.label(block.offset + i));
      if (labels.back() == label)
        return {*this, block.offset + i, labels.back(), block.units[static_cast<std::size_t>(i)]};
    }
  throw unknown("entry of the state", std::string(label), labels);
}

Matrix Trajectory::block(std::string_view name, const std::vector<double>& times) const {
  const Block& block = layout_[name];
  Matrix all(block.size, static_cast<Eigen::Index>(times.size()));
  for (Eigen::Index k = 0; k < all.cols(); ++k)
    all.col(k) = (*this)(times[static_cast<std::size_t>(k)])[block];
  return all;
}

double Trajectory::first() const {
  if (pieces_.empty()) throw Error("the trajectory is empty", "give it to a run as an observer");
  return pieces_.front().begin;
}

double Trajectory::last() const {
  if (pieces_.empty()) throw Error("the trajectory is empty", "give it to a run as an observer");
  return pieces_.back().end;
}

std::vector<double> Trajectory::times() const {
  std::vector<double> all = {first()};
  for (const Piece& piece : pieces_)
    if (piece.ends_step && piece.end > all.back()) all.push_back(piece.end);
  return all;
}

void Trajectory::begin(const Problem& problem, const State& start) {
  if (ended_) *this = {};
  if (pieces_.empty())
    layout_ = problem.report();
  else
    breaks_.push_back(start.t);
  reporter_.emplace(problem, layout_);
  add_point(start);
}

void Trajectory::step(const StepView& step) {
  add_pieces(step, step.begin(), step.end(), 0);
}

void Trajectory::add_pieces(const StepView& step, double a, double b, int halvings) {
  static const Matrix usual_coefficients = coefficients_matrix(usual),
                      finest_coefficients = coefficients_matrix(finest);
  const auto sample = [&](int j, int n) {
    const double t = j == 0 ? a : j == n ? b : a + (b - a) * (1 + point(j, n)) / 2;
    return (*reporter_)(step.at(t, Depth::multipliers)).y;
  };
  Matrix values(layout_.size(), usual + 1);
  for (int j = 0; j <= usual; ++j) values.col(j) = sample(j, usual);
  if (left_by(values, layout_, usual_coefficients, coarsest) <= rounding) {
    values = thinned(values, usual / coarsest);
  } else if (left_by(values, layout_, usual_coefficients, usual - 2) > rounding) {
    // The last two coefficients are those of the polynomial, or what is left of the others: more points tell.
    Matrix more(layout_.size(), finest + 1);
    for (int j = 0; j <= finest; ++j)
      more.col(j) = j % 2 == 0 ? values.col(j / 2) : Matrix(sample(j, finest));
    if (halvings < most_halvings &&
        left_by(more, layout_, finest_coefficients, finest - 2, Asked::differential) > too_much) {
      add_pieces(step, a, (a + b) / 2, halvings + 1);
      add_pieces(step, (a + b) / 2, b, halvings + 1);
      return;
    }
    if (left_by(more, layout_, finest_coefficients, usual) > rounding) values = std::move(more);
  }
  pieces_.push_back({a, b, std::move(values), b == step.end()});
}

void Trajectory::event(const EventRecord&, const State& after) {
  if (after.y.size() != reporter_->layout().size()) return;  // of the next mode, which begins at once
  const State seen = (*reporter_)(after);
  const Matrix& last = pieces_.back().values;
  if (same(seen.y, last.col(last.cols() - 1))) return;
  breaks_.push_back(after.t);
  add_point(after);
}

void Trajectory::add_point(const State& state) {
  pieces_.push_back({state.t, state.t, (*reporter_)(state).y});
}

const Trajectory::Piece& Trajectory::piece(double t, Side side) const {
  if (!(t >= first() && t <= last()))
    throw Error("t = " + full_number(t) + " is not in the trajectory",
                "it goes from " + full_number(first()) + " to " + full_number(last()));
  if (side == Side::before)
    return *std::lower_bound(pieces_.begin(), pieces_.end(), t,
                             [](const Piece& piece, double time) { return piece.end < time; });
  return *(std::upper_bound(pieces_.begin(), pieces_.end(), t,
                            [](double time, const Piece& piece) { return time < piece.begin; }) -
           1);
}

State Trajectory::at(double t, Side side) const {
  const Piece& p = piece(t, side);
  const Weights at = weights(p.begin, p.end, p.values.cols(), t);
  if (at.only >= 0) return {t, p.values.col(at.only)};
  return {t, p.values * Eigen::Map<const Vector>(at.w.data(), p.values.cols())};
}

}  // namespace dalembert
