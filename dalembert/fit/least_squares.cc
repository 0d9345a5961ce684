#include "dalembert/fit/least_squares.h"

#include <algorithm>
#include <cmath>

#include "dalembert/linear/decompositions.h"

namespace dalembert {

namespace {

constexpr double shortest_step = 1e-10;  // in the box
constexpr double least_gain = 1e-12;     // of the sum of squares, promised
constexpr double orthogonal = 1e-3;  // cosine between residual and derivatives: what is stuck and what is not
constexpr int most_iterations = 500;

/// From `u`, where the derivatives are known, the step with this damping.
Vector damped_step(const Vector& u, const Vector& r, const Matrix& J, const Vector& D, double mu) {
  const Vector g = J.transpose() * r;
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < u.size(); ++k)
    if (!(u[k] <= 0 && g[k] >= 0) && !(u[k] >= 1 && g[k] <= 0) && D[k] > 0) free.push_back(k);
  Vector step = Vector::Zero(u.size());
  if (free.empty()) return step;
  const auto count = static_cast<Eigen::Index>(free.size());
  Matrix A = Matrix::Zero(J.rows() + count, count);
  Vector b = Vector::Zero(J.rows() + count);
  b.head(J.rows()) = -r;
  for (Eigen::Index i = 0; i < count; ++i) {
    A.col(i).head(J.rows()) = J.col(free[static_cast<std::size_t>(i)]);
    A(J.rows() + i, i) = std::sqrt(mu) * D[free[static_cast<std::size_t>(i)]];
  }
  const Vector d = Eigen::ColPivHouseholderQR<Matrix>(A).solve(b);
  for (Eigen::Index i = 0; i < count; ++i) step[free[static_cast<std::size_t>(i)]] = d[i];
  return step;
}

/// The largest cosine between the residual and a column that is free to move.
double cosine(const Vector& u, const Vector& r, const Matrix& J) {
  double largest = 0;
  for (Eigen::Index k = 0; k < u.size(); ++k) {
    const double g = J.col(k).dot(r), size = J.col(k).norm() * r.norm();
    const bool held = (u[k] <= 0 && g >= 0) || (u[k] >= 1 && g <= 0);
    if (!held && size > 0) largest = std::max(largest, std::abs(g) / size);
  }
  return largest;
}

class Search {
 public:
  explicit Search(const LeastSquaresTask& task) : task_(task) {}

  LeastSquaresResult from(const Vector& start) {
    out_.u = start;
    out_.ending = go();
    if (out_.found()) judge();
    return std::move(out_);
  }

 private:
  FitEnding go() {
    if (task_.enough()) return FitEnding::too_many_runs;
    const auto first = task_.residuals({out_.u}).front();
    if (!first) return FitEnding::no_start;
    take(out_.u, *first);
    Vector D = Vector::Zero(out_.u.size());
    double mu = 1e-3, growth = 2;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      if (task_.enough()) return FitEnding::too_many_runs;
      const auto J = differences(task_.residuals, out_.u, out_.residuals, task_.steps(out_.u));
      if (!J) return FitEnding::no_derivative;
      out_.jacobian = *J;
      D = D.cwiseMax(J->colwise().norm().transpose());
      for (bool taken = false; !taken;) {
        const Vector whole = damped_step(out_.u, out_.residuals, *J, D, mu);
        const Vector step = (out_.u + whole).cwiseMax(0).cwiseMin(1) - out_.u;
        const double half = out_.residuals.squaredNorm() / 2;
        if (half <= task_.noise * task_.noise / 2) return FitEnding::converged;
        if (settled(step) || promised(*J, whole) <= least_gain * half)
          return mu <= 1 || cosine(out_.u, out_.residuals, *J) <= orthogonal ? FitEnding::converged
                                                                             : FitEnding::stuck;
        // Cut off at the sides, a long step may promise nothing, where a shorter one does.
        const double gain = promised(*J, step);
        if (gain <= 0) {
          mu *= growth;
          growth *= 2;
          continue;
        }
        if (task_.enough()) return FitEnding::too_many_runs;
        const Vector next = out_.u + step;
        const auto r = task_.residuals({next}).front();
        const double ratio = r ? (half - r->squaredNorm() / 2) / gain : -1;
        taken = ratio > 1e-4;
        if (taken) {
          take(next, *r);
          mu = std::max(mu * std::max(1.0 / 3, 1 - std::pow(2 * ratio - 1, 3)), 1e-15);
          growth = 2;
        } else {
          mu *= growth;
          growth *= 2;
        }
      }
    }
    return FitEnding::too_many_runs;
  }

  /// By how much the linearised sum of squares gets smaller.
  double promised(const Matrix& J, const Vector& step) const {
    const Vector along = J * step;
    return -(out_.residuals.dot(along) + along.squaredNorm() / 2);
  }
  static bool settled(const Vector& step) { return step.lpNorm<Eigen::Infinity>() <= shortest_step; }

  void take(const Vector& u, const Vector& r) {
    out_.u = u;
    out_.residuals = r;
    out_.norms.push_back(r.norm());
    out_.jacobian.resize(0, 0);
  }

  /// Derivatives where it ended, with two lengths of steps.
  void judge() {
    const Vector steps = task_.steps(out_.u);
    if (out_.jacobian.size() == 0)
      if (const auto J = differences(task_.residuals, out_.u, out_.residuals, steps)) out_.jacobian = *J;
    if (out_.jacobian.size() == 0) return;
    out_.uncertainty = out_.jacobian.colwise().norm().transpose();
    const auto coarse = differences(task_.residuals, out_.u, out_.residuals, 2 * steps);
    if (!coarse) return;
    // Both are wrong by h^2 f'''/6, with h and 2h: a third of what they differ by is the error of the finer ones.
    const Matrix error = (*coarse - out_.jacobian) / 3;
    out_.jacobian -= error;
    out_.uncertainty = error.colwise().norm().transpose();
  }

  const LeastSquaresTask& task_;
  LeastSquaresResult out_;
};

}  // namespace

LeastSquaresResult least_squares(const LeastSquaresTask& task, const Vector& start) {
  return Search(task).from(start);
}

}  // namespace dalembert
