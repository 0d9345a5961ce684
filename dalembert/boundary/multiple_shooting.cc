#include "dalembert/boundary/multiple_shooting.h"

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

constexpr double difference = 1e-7;  // relative; grid functions are known to about 1e-14
constexpr double rank_of_differences = 1e-6;
constexpr int most_iterations = 40;

double step_of(double x) {
  return difference * (1 + std::abs(x));
}

std::string listed(const std::vector<Eigen::Index>& rows, const std::vector<std::string>& names) {
  std::string all;
  for (const auto row : rows) all += (all.empty() ? "'" : ", '") + names[static_cast<std::size_t>(row)] + "'";
  return all;
}

}  // namespace

MultipleShooting::MultipleShooting(const BoundaryProblem& problem, const ShootingEquations& equations,
                                   const MethodEntry& method, const Grid& grid, int segments,
                                   Statistics& statistics)
    : problem_(problem),
      equations_(equations),
      grid_(grid),
      segments_(segments),
      method_(method.make()),
      n_(shooting_sizes(problem.equations()).x),
      rows_(equations.rows()),
      conditions_(static_cast<Eigen::Index>(problem.conditions().size())) {
  if (conditions_ + rows_ != n_)
    throw Error("there are " + std::to_string(conditions_) + " boundary conditions, and the motion on " +
                    std::to_string(rows_) + " constraints has " + std::to_string(n_ - rows_) +
                    " degrees of freedom (position and velocity counted)",
                "give as many conditions as degrees of freedom");
  method_->bind(equations.ode(), {.tolerance = {},
                                  .projection = Projection::on,
                                  .precision = Precision::rounding,
                                  .options = Parameters(method.options, {}, method.name),
                                  .statistics = &statistics});
  S_.resize(n_, segments_);
  for (int k = 0; k < segments_; ++k) S_.col(k) = problem.guess(grid_.time(first(k)));
  from_.y = to_.y = Vector::Zero(n_);
  segment_x_.assign(static_cast<std::size_t>(segments_), Matrix::Zero(n_, n_));
}

/// The end of segment k, and where it failed if it did; `visited` receives x at its grid points but the last.
Outcome MultipleShooting::segment(int k, In from, Vector& to, double& t, Matrix* visited) {
  method_->restart();
  from_.y = from;
  for (int i = first(k); i < first(k + 1); ++i) {
    from_.t = t = grid_.time(i);
    if (visited != nullptr) visited->col(i) = from_.y;
    const Attempt attempt = method_->attempt(from_, grid_.time(i + 1) - from_.t, to_);
    if (attempt.outcome != Outcome::ok) return attempt.outcome;
    method_->accept();
    std::swap(from_, to_);
    ++steps_;
  }
  to = from_.y;
  return to.allFinite() ? Outcome::ok : Outcome::not_finite;
}

MultipleShooting::Residual MultipleShooting::evaluate(const Matrix& S) {
  Residual r;
  r.value = Vector::Zero(unknowns());
  equations_.constraint(grid_.begin, S.col(0), r.value.head(rows_));
  Vector end;
  for (int k = 0; k < segments_ && r.outcome == Outcome::ok; ++k) {
    r.outcome = segment(k, S.col(k), end, r.t);
    if (r.outcome == Outcome::ok && k + 1 < segments_)
      r.value.segment(rows_ + k * n_, n_) = end - S.col(k + 1);
  }
  if (r.outcome == Outcome::ok) problem_.residual(S.col(0), end, r.value.tail(conditions_));
  r.size = largest(r.value) / (1 + S.cwiseAbs().maxCoeff());
  if (r.outcome == Outcome::ok && !std::isfinite(r.size)) r.outcome = Outcome::not_finite;
  return r;
}

bool MultipleShooting::differentiate() {
  double t = 0;
  Vector end, moved_end, last_end;
  for (int k = 0; k < segments_; ++k) {
    if (segment(k, S_.col(k), end, t) != Outcome::ok) return false;
    for (Eigen::Index j = 0; j < n_; ++j) {
      Vector moved = S_.col(k);
      moved[j] += step_of(moved[j]);
      if (segment(k, moved, moved_end, t) != Outcome::ok) return false;
      segment_x_[static_cast<std::size_t>(k)].col(j) = (moved_end - end) / (moved[j] - S_(j, k));
    }
  }
  const auto columns = [&](Eigen::Index rows, const Vector& at, const auto& f) {
    Matrix J(rows, n_);
    Vector plus(rows), minus(rows);
    for (Eigen::Index j = 0; j < n_; ++j) {
      Vector up = at, down = at;
      up[j] += 100 * step_of(at[j]);
      down[j] -= 100 * step_of(at[j]);
      f(up, plus);
      f(down, minus);
      J.col(j) = (plus - minus) / (up[j] - down[j]);
    }
    return J;
  };
  const Vector start = S_.col(0);
  H_ = columns(rows_, start, [&](const Vector& x, Vector& r) { equations_.constraint(grid_.begin, x, r); });
  b0_ = columns(conditions_, start, [&](const Vector& x, Vector& r) { problem_.residual(x, end, r); });
  b1_ = columns(conditions_, end, [&](const Vector& x, Vector& r) { problem_.residual(start, x, r); });
  return H_.allFinite() && b0_.allFinite() && b1_.allFinite();
}

Matrix MultipleShooting::assembled() const {
  Matrix J = Matrix::Zero(unknowns(), unknowns());
  J.topLeftCorner(rows_, n_) = H_;
  for (int k = 0; k + 1 < segments_; ++k) {
    J.block(rows_ + k * n_, k * n_, n_, n_) = segment_x_[static_cast<std::size_t>(k)];
    J.block(rows_ + k * n_, (k + 1) * n_, n_, n_) = -Matrix::Identity(n_, n_);
  }
  J.bottomLeftCorner(conditions_, n_) = b0_;
  J.bottomRightCorner(conditions_, n_) += b1_ * segment_x_.back();
  return J;
}

std::string MultipleShooting::worst_equation(const Vector& value) const {
  Eigen::Index worst = 0;
  value.cwiseAbs().maxCoeff(&worst);
  if (worst < rows_) return "constraint row " + std::to_string(worst + 1) + " at the start";
  if (worst >= unknowns() - conditions_)
    return "condition '" + problem_.conditions()[static_cast<std::size_t>(worst - unknowns() + conditions_)] +
           "'";
  const auto k = static_cast<int>((worst - rows_) / n_) + 1;
  return "continuity of " + problem_.equations().layout().label((worst - rows_) % n_) +
         " at t = " + short_number(grid_.time(first(k)));
}

ShootingEnd MultipleShooting::ended(Outcome outcome, const Residual& r, int iterations) const {
  ShootingEnd end{outcome, {}, iterations, largest(r.value)};
  if (outcome == Outcome::ok) return end;
  if (r.outcome != Outcome::ok)
    end.message = "t = " + short_number(r.t) + ": the motion from the present guess cannot be followed (" +
                  std::string(name(r.outcome)) + "); give a better guess, more segments or more steps";
  else if (outcome == Outcome::singular)
    end.message =
        "the Jacobian of constraints, continuity and boundary conditions is singular; the largest "
        "residual is " +
        short_number(end.residual) + " in " + worst_equation(r.value) +
        "; do the conditions determine the motion?";
  else
    end.message = "Newton's iteration stands still after " + std::to_string(iterations) +
                  " steps with residual " + short_number(end.residual) + " in " + worst_equation(r.value) +
                  "; give a better guess, or more segments";
  return end;
}

ShootingEnd MultipleShooting::solve() {
  constexpr double good_enough = 1e-11, rounding = 1e-9;
  Residual now = evaluate(S_);
  if (now.outcome != Outcome::ok) return ended(now.outcome, now, 0);
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (now.size <= good_enough) return ended(Outcome::ok, now, iteration);
    const bool fresh = !jacobian_serves_;
    if (fresh) {
      if (!differentiate()) return ended(Outcome::not_finite, now, iteration);
      lu_.compute(assembled());
      if (!(lu_.rcond() > 1e-14)) return ended(Outcome::singular, now, iteration);
      jacobian_serves_ = true;
    }
    const Vector step = lu_.solve(now.value);
    Residual next;
    Matrix S;
    double damping = 1;
    for (; damping > 1e-3; damping /= 2) {
      S = S_ - damping * Eigen::Map<const Matrix>(step.data(), n_, segments_);
      next = evaluate(S);
      if (next.outcome == Outcome::ok && next.size < (1 - damping / 4) * now.size) break;
      if (!fresh) break;
    }
    const bool progress = next.outcome == Outcome::ok && next.size < (1 - damping / 4) * now.size;
    if (!progress && now.size <= rounding) return ended(Outcome::ok, now, iteration);
    jacobian_serves_ = progress && damping == 1 && next.size < 0.1 * now.size;
    if (!progress && fresh)
      return ended(Outcome::newton_diverged, next.outcome != Outcome::ok ? next : now, iteration);
    if (!progress) continue;
    S_ = S;
    now = next;
  }
  return ended(Outcome::newton_diverged, now, most_iterations);
}

Outcome MultipleShooting::follow(GridFunction& x) {
  double t = 0;
  Vector end;
  for (int k = 0; k < segments_; ++k)
    if (const Outcome outcome = segment(k, S_.col(k), end, t, &x.values()); outcome != Outcome::ok)
      return outcome;
  x.at(grid_.steps) = end;
  return Outcome::ok;
}

// b by the start, along the motion, and only where the constraints leave it free.
std::vector<Eigen::Index> MultipleShooting::redundant_conditions() const {
  Matrix motion = Matrix::Identity(n_, n_);
  for (const Matrix& x : segment_x_) motion = (x * motion).eval();
  Matrix seen = (b0_ + b1_ * motion) * null_space(H_, rank_of_differences);
  for (Eigen::Index i = 0; i < seen.rows(); ++i) {  // rows that only rounding fills are empty
    const double size = b0_.row(i).norm() + b1_.row(i).norm() * motion.norm();
    if (seen.row(i).norm() <= rank_of_differences * size) seen.row(i).setZero();
  }
  return dependent_rows(seen, rank_of_differences);
}

/// Gauss and Newton: as near to all conditions as the constraints allow.
MultipleShooting::Residual MultipleShooting::approach(Residual now) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(rank_of_differences);
  for (int iteration = 0; iteration < 20 && now.size > 1e-10; ++iteration) {
    decomposition.compute(assembled());
    const Vector step = decomposition.solve(now.value);
    double damping = 1;
    Residual next;
    Matrix S;
    for (; damping > 1e-2; damping /= 2) {
      S = S_ - damping * Eigen::Map<const Matrix>(step.data(), n_, segments_);
      next = evaluate(S);
      if (next.outcome == Outcome::ok && next.value.norm() < now.value.norm() * (1 - damping / 10)) break;
    }
    if (!(damping > 1e-2)) break;
    S_ = S;
    now = next;
    if (!differentiate()) break;
  }
  return now;
}

ShootingEnd MultipleShooting::check_fit() {
  Residual now = evaluate(S_);
  if (now.outcome != Outcome::ok || !differentiate()) return {};  // the iteration itself will say why
  if (const auto rows = dependent_rows(H_, rank_of_differences); !rows.empty())
    return {Outcome::singular, "the constraint rows depend on each other at the start: row " +
                                   std::to_string(rows.front() + 1) + " follows from others"};
  if (redundant_conditions().empty()) return {};
  now = approach(now);  // the guess may be a special place
  const auto rows = redundant_conditions();
  if (rows.empty()) return {};
  const std::string which = listed(rows, problem_.conditions());
  const double left = largest(now.value);
  if (now.size > 1e-7)
    return {Outcome::inconsistent_boundary,
            which + " cannot be met: constraints and other conditions decide it otherwise; a residual of " +
                short_number(left) + " remains",
            0, left};
  return {Outcome::undecided,
          which +
              " adds nothing to the constraints and the other conditions: they do not determine the motion; "
              "replace it by another one",
          0, left};
}

}  // namespace dalembert
