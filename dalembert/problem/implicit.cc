#include "dalembert/problem/implicit.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

// Singular values below this part of the largest are zero: Jacobians by differences carry that much noise.
constexpr double noise = 1e-7;

/// a = rows * original * columns with rows and columns of length 1 (empty ones are left alone), so that ranks do not
/// depend on units.
struct Equilibrated {
  explicit Equilibrated(Matrix original)
      : a(std::move(original)), rows(Vector::Ones(a.rows())), columns(Vector::Ones(a.cols())) {
    for (int round = 0; round < 10; ++round) {
      for (Eigen::Index i = 0; i < a.rows(); ++i) shorten(a.row(i), rows[i]);
      for (Eigen::Index j = 0; j < a.cols(); ++j) shorten(a.col(j), columns[j]);
    }
  }
  /// The smallest x (in the units of a) with original x = b, or as near as can be.
  Vector solve(const Vector& b) const {
    if (a.size() == 0) return Vector::Zero(a.cols());
    Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
    factors.setThreshold(noise);
    factors.compute(a);
    return columns.cwiseProduct(factors.solve(rows.cwiseProduct(b)));
  }

  Matrix a;
  Vector rows, columns;

 private:
  static void shorten(auto part, double& scale) {
    const double length = part.norm();
    if (!(length > 0)) return;
    part /= length;
    scale /= length;
  }
};

/// A basis of {x: a x = 0}, up to `zero` times the largest pivot. By elimination, which leaves apart what is not connected: an orthonormal basis would mix
/// unknowns of different units.
Matrix kernel(const Matrix& a, double zero) {
  Eigen::FullPivLU<Matrix> factors;
  factors.setThreshold(zero);
  factors.compute(a);
  return factors.dimensionOfKernel() > 0 ? Matrix(factors.kernel()) : Matrix(a.cols(), 0);
}

/// F_t, forward (what lies before t may belong to other equations), in steps from long to short: of each entry the
/// difference that changes least from one step to the next.
Vector time_derivative(const Implicit& problem, double t, In y, In dy, In r) {
  const Eigen::Index n = r.size();
  Vector one(n), two(n), last = Vector::Constant(n, not_a_number), best = Vector::Zero(n),
                         change = Vector::Constant(n, std::numeric_limits<double>::infinity());
  double step = std::abs(problem.end() - problem.start().t) / 64;
  for (int round = 0; round < 13; ++round, step /= 8) {
    const double h = (t + step) - t;
    if (!(h > 0)) break;
    problem.F(t + h, y, dy, one);
    problem.F(t + 2 * h, y, dy, two);
    const Vector slope = (4 * one - two - 3 * r) / (2 * h);
    for (Eigen::Index i = 0; i < n; ++i)
      if (const double now = std::abs(slope[i] - last[i]); now < change[i])
        change[i] = now, best[i] = slope[i];
    last = slope;
  }
  return best;
}

/// Which entries a kernel reaches.
std::vector<Eigen::Index> support(const Matrix& kernel) {
  std::vector<Eigen::Index> reached;
  for (Eigen::Index i = 0; i < kernel.rows(); ++i)
    for (Eigen::Index k = 0; k < kernel.cols(); ++k)
      if (std::abs(kernel(i, k)) > .01 * kernel.col(k).cwiseAbs().maxCoeff()) {
        reached.push_back(i);
        break;
      }
  return reached;
}

/// "a, b, c" of at most four names, and how many more there are.
template <class Name>
std::string listed(const std::vector<Eigen::Index>& entries, const Name& name) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, entries.size()); ++k)
    text += (k > 0 ? ", " : "") + name(entries[k]);
  return entries.size() > most ? text + " and " + std::to_string(entries.size() - most) + " more" : text;
}

/// Is F_y + c F_y' singular whatever c is? Then some unknowns are not determined and some equations are of no use.
Fault find_dependence(const Implicit& problem, const Matrix& F_y, const Matrix& F_dy, In r) {
  const double span = std::abs(problem.end() - problem.start().t);
  Matrix unknowns, equations;
  for (const double c : {1e1 / span, 1e5 / span}) {
    const Equilibrated matrix(F_y + c * F_dy);
    unknowns = kernel(matrix.a, 1e-13);
    if (unknowns.cols() == 0) return {};
    equations = kernel(matrix.a.transpose(), 1e-13);
  }
  const Layout layout = problem.layout();
  const auto loose = support(unknowns), idle = support(equations);
  double residual = 0;
  for (const Eigen::Index i : idle) residual = std::max(residual, std::abs(r[i]));
  const auto label = [&](Eigen::Index i) { return layout.label(i); };
  const auto equation = [&](Eigen::Index i) { return problem.equation(i); };
  const bool alone = idle.size() == static_cast<std::size_t>(equations.cols());
  return {Outcome::singular, "the equations do not determine " + listed(loose, label) + "; " +
                                 listed(idle, equation) +
                                 (!alone             ? " depend on each other"
                                  : idle.size() == 1 ? " holds no unknown"
                                                     : " hold no unknown") +
                                 ", with a residual of " + short_number(residual)};
}

}  // namespace

// F = 0 fixes F_y' y' only. Differentiated, F_t + F_y y' + F_y' y'' = 0, and multiplied by Z with Z' F_y' = 0 it says
// Z'(F_t + F_y y') = 0, which fixes the rest where the index is 1; of what is still open the least is taken.
void Implicit::rate(double t, In y, Out dy) const {
  const Eigen::Index n = y.size();
  Vector r(n);
  dy.setZero();
  for (int round = 0; round < 10; ++round) {  // Newton, where F is not linear in y'
    Entries y_part, dy_part;
    jacobians(t, y, dy, y_part, dy_part);
    F(t, y, dy, r);
    const Matrix F_y = y_part.dense(n, n);
    Matrix F_dy = dy_part.dense(n, n);
    if (!r.allFinite() || !F_y.allFinite() || !F_dy.allFinite()) {
      dy.setConstant(not_a_number);
      return;
    }
    const Equilibrated E(std::move(F_dy));
    Vector change = E.solve(-r);
    const Matrix Z = E.rows.asDiagonal() * kernel(E.a.transpose(), noise);
    const Matrix N = E.columns.asDiagonal() * kernel(E.a, noise);
    const Vector F_t = time_derivative(*this, t, y, dy, r);
    change += N * Equilibrated(Z.transpose() * F_y * N).solve(-Z.transpose() * (F_t + F_y * (dy + change)));
    dy += change;
    if (!(largest(change) > 1e-12 * largest(dy))) break;
  }
}

void Implicit::tests(Out error, Out newton) const {
  usual_tests(error, newton);
  change_tests(error, newton);
}

void Implicit::usual_tests(Out error, Out newton) const {
  newton.setOnes();
  const Layout all = layout();
  for (const auto& block : all.blocks())
    error.segment(block.offset, block.size)
        .setConstant(block.role == Role::differential && block.index <= 1 ? 1 : 0);
}

Fault Implicit::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  const Eigen::Index n = y.size();
  constexpr Eigen::Index most = 1000;  // beyond that, dense matrices take too long even for a failure
  Vector r(n), dy = Vector::Zero(n);
  F(t, y, dy, r);
  for (Eigen::Index i = 0; i < n; ++i)
    if (!std::isfinite(r[i])) return {Outcome::not_finite, equation(i) + " is not finite"};
  if (n > most) return {};
  rate(t, y, dy);
  if (!dy.allFinite()) dy.setZero();
  Entries y_part, dy_part;
  jacobians(t, y, dy, y_part, dy_part);
  for (const Entries* part : {&y_part, &dy_part})
    for (std::size_t k = 0; k < part->size(); ++k)
      if (!std::isfinite(part->value(k)))
        return {Outcome::not_finite, "the Jacobian of " + equation(part->row(k)) + " with respect to " +
                                         layout().label(part->column(k)) + " is not finite"};
  F(t, y, dy, r);
  return find_dependence(*this, y_part.dense(n, n), dy_part.dense(n, n), r);
}

}  // namespace dalembert
