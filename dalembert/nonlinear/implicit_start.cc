#include "dalembert/nonlinear/implicit_start.h"

#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

/// F and its matrices at one point, rows brought to length 1.
class Linearized {
 public:
  Linearized(const Implicit& problem, double t, const Vector& y, const Vector& dy, const KeptEntries& kept) {
    const Eigen::Index n = y.size();
    Entries y_part, dy_part;
    problem.jacobians(t, y, dy, y_part, dy_part);
    const Matrix F_y = y_part.dense(n, n), F_dy = dy_part.dense(n, n);
    finite = F_y.allFinite() && F_dy.allFinite();
    if (!finite) return;
    V = null_space(F_dy);
    Matrix held(kept.size(), V.cols());
    for (Eigen::Index k = 0; k < kept.size(); ++k) held.row(k) = V.row(kept[k]);
    if (held.size() > 0 && held.cwiseAbs().maxCoeff() > 1e-12) V = V * null_space(held);
    A.resize(n, V.cols() + n);
    A << F_y * V, F_dy;
    length = Vector::Ones(n);
    size = Vector::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const double whole = std::hypot(F_y.row(i).norm(), F_dy.row(i).norm());
      if (whole > 0) length[i] = whole;
      size[i] =
          (F_y.row(i).cwiseAbs().dot(y.cwiseAbs()) + F_dy.row(i).cwiseAbs().dot(dy.cwiseAbs())) / length[i];
      A.row(i) /= length[i];
    }
  }
  /// (c, p), the least there is.
  Vector solve(const Vector& r) const {
    return -A.completeOrthogonalDecomposition().solve(r.cwiseQuotient(length));
  }

  bool finite = true;
  Matrix V, A;
  Vector length, size;  // of the rows; of the terms in them
};

}  // namespace

ImplicitStart meet(const Implicit& problem, double t, In given, const KeptEntries& kept) {
  ImplicitStart start{.y = given};
  const Eigen::Index n = given.size();
  Vector dy = Vector::Zero(n), r(n), trial(n);
  problem.rate(t, given, dy);
  if (!dy.allFinite()) dy.setZero();
  const auto evaluate = [&](const Vector& y, const Vector& rate, Vector& into) {
    problem.F(t, y, rate, into);
  };
  evaluate(start.y, dy, r);
  for (int round = 0; round < 50; ++round) {
    const Linearized at(problem, t, start.y, dy, kept);
    if (!at.finite || !r.allFinite()) {
      start.outcome = Outcome::not_finite;
      break;
    }
    const Vector x = at.solve(r), d = at.V * x.head(at.V.cols()), p = x.tail(n);
    if (round == 0 && largest(d) <= consistent * (1 + largest(start.y))) {
      dy += p;  // rounding of the given digits: nothing is moved
      evaluate(start.y, dy, r);
      break;
    }
    const double before = r.cwiseQuotient(at.length).norm();
    double factor = 1, after = 0;
    for (;; factor /= 2) {
      evaluate(start.y + factor * d, dy + factor * p, trial);
      after = trial.cwiseQuotient(at.length).norm();
      if (after <= (1 - 1e-4 * factor) * before || factor < 1e-8) break;
    }
    if (!(after < before)) break;
    start.change = ImplicitStart::Change::algebraic;
    start.y += factor * d;
    dy += factor * p;
    r = trial;
  }
  start.residual = r;
  const Linearized at(problem, t, start.y, dy, kept);
  if (start.outcome != Outcome::ok || !at.finite) return start.outcome = Outcome::not_finite, start;
  for (Eigen::Index i = 0; i < n; ++i)
    if (!(std::abs(r[i]) / at.length[i] <= consistent * (1 + at.size[i]))) start.unmet.push_back(i);
  if (!start.unmet.empty()) start.outcome = Outcome::inconsistent_start;
  return start;
}

}  // namespace dalembert
