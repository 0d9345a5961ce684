#include "dalembert/constraints/position_correction.h"

#include <numeric>

#include "dalembert/constraints/correction_test.h"

namespace dalembert {

namespace {

constexpr double rounding = 1e-14;  // steps below this, relative to the positions, are not made
constexpr int most_rounds = 50;

}  // namespace

PositionCorrection::PositionCorrection(const Mechanical& problem, Correction correction,
                                       Statistics& statistics)
    : problem_(problem),
      n_(problem.sizes()),
      correction_(correction),
      statistics_(statistics),
      from_(problem.placed_at(problem.start())),
      at_(problem.placed_at(problem.start())),
      place_(static_cast<std::size_t>(n_.rows())),
      g_(Vector::Zero(n_.holonomic)),
      u_(Vector::Zero(n_.v)),
      total_(u_),
      change_(u_),
      q_(Vector::Zero(n_.q)) {
  problem.jacobian(*at_, J_);  // its pattern
  std::vector<Eigen::Index> all(static_cast<std::size_t>(n_.holonomic));
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  use(all);
}

void PositionCorrection::use(const std::vector<Eigen::Index>& rows) {
  const auto m = static_cast<Eigen::Index>(rows.size());
  rows_ = rows;
  std::fill(place_.begin(), place_.end(), m);
  for (Eigen::Index k = 0; k < m; ++k)
    place_[static_cast<std::size_t>(rows[static_cast<std::size_t>(k)])] = k;
  if (JJt_.rows() == m) return;
  Jt_ = Matrix::Zero(n_.v, m);
  JJt_ = Matrix::Zero(m, m);
  right_ = Vector::Zero(m);
  factors_ = Eigen::LLT<Matrix>(m);
}

void PositionCorrection::move(double t) {
  problem_.place_at(*at_, t, q_);
}

Outcome PositionCorrection::step() {
  problem_.g(*at_, g_);
  problem_.jacobian(*at_, J_);
  ++statistics_.constraint_evaluations;
  ++statistics_.jacobians;
  Jt_.setZero();
  for (std::size_t k = 0; k < J_.size(); ++k)
    if (const Eigen::Index row = place_[static_cast<std::size_t>(J_.row(k))]; row < Jt_.cols())
      Jt_(J_.column(k), row) += J_.value(k);
  for (Eigen::Index k = 0; k < right_.size(); ++k) right_[k] = -g_[rows_[static_cast<std::size_t>(k)]];
  if (correction_ == Correction::nearest) right_.noalias() += Jt_.transpose() * total_;
  JJt_.noalias() = Jt_.transpose() * Jt_;
  factors_.compute(JJt_);
  ++statistics_.factorizations;
  ++statistics_.solves;
  if (factors_.info() != Eigen::Success)
    return largest(right_) >= 0 ? Outcome::singular : Outcome::not_finite;
  factors_.solveInPlace(right_);
  u_.noalias() = Jt_ * right_;
  return u_.allFinite() ? Outcome::ok : Outcome::not_finite;
}

Outcome PositionCorrection::correct(double t, Out q) {
  if (rows_.empty()) return Outcome::ok;
  ++statistics_.projections;
  const double scale = 1 + largest(q);
  copy(q, q_);
  total_.setZero();
  problem_.place_at(*from_, t, q);
  CorrectionTest test(rounding);
  for (int round = 0; round < most_rounds; ++round) {
    move(t);
    if (const Outcome outcome = step(); outcome != Outcome::ok) return outcome;
    if (correction_ == Correction::newton) {
      change_ = u_;
      problem_.advance(*at_, u_, q_);
    } else {
      change_ = u_ - total_;
      total_ = u_;
      problem_.advance(*from_, total_, q_);
    }
    const double size = largest(change_);
    if (test.stalled(size)) return test.end(scale);
    q = q_;
    if (correction_ == Correction::newton ? size <= CorrectionTest::settled * scale
                                          : test.enough(size, scale))
      break;
    if (round + 1 == most_rounds) return Outcome::projection_failed;
    test.made(size);
  }
  return Outcome::ok;
}

}  // namespace dalembert
