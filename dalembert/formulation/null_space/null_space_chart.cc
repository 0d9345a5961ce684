#include "dalembert/formulation/null_space/null_space_chart.h"

#include <cmath>
#include <numeric>

namespace dalembert {

namespace {

constexpr double widest =
    .75;  // cos^2 of the angle to the origin at which an aligned chart is worn: 30 degrees,
constexpr double orthogonal =
    .1;  // and at which it ends, before it could be mistaken for its mirror: 72 degrees
constexpr double last_resort = 5;  // times its limit, coordinates are not independent enough to pass on

}  // namespace

CoordinateChart::CoordinateChart(Eigen::Index size, Eigen::Index rows, double limit)
    : n_(size),
      r_(rows),
      limit_(limit),
      order_(static_cast<std::size_t>(size)),
      choice_(rows, size),
      factors_(rows),
      scaled_(Matrix::Zero(rows, size)),
      Jo_(Matrix::Zero(rows, rows)),
      identity_(Matrix::Identity(rows, rows)),
      Ja_(Matrix::Zero(rows, size - rows)),
      part_(Vector::Zero(rows)) {
  CoordinateChart::reset();
}

void CoordinateChart::reset() {
  T_ = Matrix::Zero(n_, n_ - r_);
  inverse_ = Matrix::Zero(r_, r_);
  X_ = Matrix::Zero(r_, n_ - r_);
  std::iota(order_.begin(), order_.end(), Eigen::Index{0});
}

Outcome CoordinateChart::settle(const Matrix& Jt) {
  if (!Jt.allFinite()) return Outcome::not_finite;
  if (r_ > 0) {
    for (Eigen::Index i = 0; i < r_; ++i) {
      const double length = Jt.col(i).norm();
      scaled_.row(i) = Jt.col(i).transpose() / (length > 0 ? length : 1);
    }
    choice_.compute(scaled_);
    const auto& pivots = choice_.permutationQ().indices();  // the best columns first
    for (Eigen::Index k = 0; k < n_; ++k)
      order_[static_cast<std::size_t>(k < r_ ? n_ - r_ + k : k - r_)] = pivots[k];
  }
  T_.setZero();
  for (Eigen::Index k = 0; k < n_ - r_; ++k) T_(order_[static_cast<std::size_t>(k)], k) = 1;
  return move(Jt);
}

Outcome CoordinateChart::move(const Matrix& Jt) {
  if (r_ == 0) return Outcome::ok;
  const Eigen::Index d = n_ - r_;
  for (Eigen::Index k = 0; k < n_; ++k) {
    const auto row = Jt.row(order_[static_cast<std::size_t>(k)]);
    if (k < d)
      Ja_.col(k) = row.transpose();
    else
      Jo_.col(k - d) = row.transpose();
  }
  factors_.compute(Jo_);
  inverse_ = factors_.solve(identity_);
  if (!inverse_.allFinite()) return Outcome::singular;
  X_.noalias() = inverse_ * Ja_;
  for (Eigen::Index k = 0; k < r_; ++k) T_.row(order_[static_cast<std::size_t>(d + k)]) = -X_.row(k);
  return limit_ > 0 && largest_entry() > last_resort * limit_ ? Outcome::singular : Outcome::ok;
}

void CoordinateChart::particular(In rows, Out u) const {
  const Eigen::Index d = n_ - r_;
  part_.noalias() = inverse_ * rows;
  for (Eigen::Index k = 0; k < n_; ++k) u[order_[static_cast<std::size_t>(k)]] = k < d ? 0 : part_[k - d];
}

void CoordinateChart::reactions(In force, Out l) const {
  for (Eigen::Index k = 0; k < r_; ++k) part_[k] = force[order_[static_cast<std::size_t>(n_ - r_ + k)]];
  l.noalias() = inverse_.transpose() * part_;
}

void CoordinateChart::coordinates(In v, Out e) const {
  for (Eigen::Index k = 0; k < n_ - r_; ++k) e[k] = v[order_[static_cast<std::size_t>(k)]];
}

bool CoordinateChart::worn() const {
  return limit_ > 0 && largest_entry() > limit_;
}

AlignedChart::AlignedChart(Eigen::Index size, Eigen::Index rows, Orthonormal by, Alignment alignment)
    : n_(size),
      r_(rows),
      d_(size - rows),
      alignment_(alignment),
      factors_(rows),
      JQ_(Matrix::Zero(rows, rows)),
      identity_(Matrix::Identity(rows, rows)),
      small_inverse_(JQ_),
      W_(Matrix::Zero(d_, d_)),
      WtW_(W_),
      U_(W_),
      dJT_(Matrix::Zero(rows, d_)),
      JT0_(dJT_),
      K_(W_),
      BK_(W_),
      l_(Vector::Zero(rows)),
      u_(Vector::Zero(size)),
      along_(Vector::Zero(d_)),
      turned_(along_) {
  basis_.bind(n_, r_, by);
  square_.bind(d_);
  AlignedChart::reset();
}

void AlignedChart::reset() {
  T_ = Matrix::Identity(n_, n_).rightCols(d_);
  T0_.resize(0, 0);
  inverse_ = Matrix::Zero(n_, r_);
  sigma_ = Vector::Zero(d_);
}

Outcome AlignedChart::settle(const Matrix& Jt) {
  if (r_ == 0) return Outcome::ok;
  if (T0_.size() == 0) {  // the first: any columns that complete the rows will do for gram_schmidt
    OrthonormalBasis first;
    first.bind(n_, r_, Orthonormal::qr);
    if (const Outcome outcome = first.compute(Jt, T_); outcome != Outcome::ok) return outcome;
    T0_ = first.null();
  }
  if (const Outcome outcome = basis_.compute(Jt, T0_); outcome != Outcome::ok) return outcome;
  // The columns that are at hand already, if they still are near: e then keeps its values.
  W_.noalias() = basis_.null().transpose() * T0_;
  if (alignment_ == Alignment::none || align() != Outcome::ok) T_ = basis_.null();
  T0_ = T_;
  return move(Jt);
}

Outcome AlignedChart::move(const Matrix& Jt) {
  if (r_ == 0) return Outcome::ok;
  if (const Outcome outcome = basis_.compute(Jt, T0_); outcome != Outcome::ok) return outcome;
  if (const Outcome outcome = invert(Jt); outcome != Outcome::ok) return outcome;
  if (alignment_ == Alignment::none) {
    T_ = basis_.null();
    return Outcome::ok;
  }
  W_.noalias() = basis_.null().transpose() * T0_;
  return align();
}

Outcome AlignedChart::invert(const Matrix& Jt) {
  JQ_.noalias() = Jt.transpose() * basis_.range();
  factors_.compute(JQ_);
  small_inverse_ = factors_.solve(identity_);
  if (!small_inverse_.allFinite()) return Outcome::singular;
  inverse_.noalias() = basis_.range() * small_inverse_;
  return Outcome::ok;
}

Outcome AlignedChart::align() {
  if (d_ == 0) return Outcome::ok;
  WtW_.noalias() = W_.transpose() * W_;
  if (const Outcome outcome = square_.compute(WtW_); outcome != Outcome::ok) return outcome;
  if (!(square_.values()[0] > orthogonal)) return Outcome::singular;
  sigma_ = square_.values().cwiseSqrt();
  BK_ = B() * sigma_.cwiseInverse().asDiagonal();
  K_.noalias() = BK_ * B().transpose();
  U_.noalias() = W_ * K_;
  T_.noalias() = basis_.null() * U_;
  return Outcome::ok;
}

bool AlignedChart::worn() const {
  return alignment_ == Alignment::carried && r_ > 0 && d_ > 0 && !(sigma_[0] * sigma_[0] >= widest);
}

void AlignedChart::follow() {
  if (d_ != 1 || r_ == 0 || alignment_ == Alignment::none) return;
  T0_ = T_;
  sigma_.setOnes();
}

/// One column can only keep its length; with more, they turn in their plane.
bool AlignedChart::turns(In w) const {
  return alignment_ == Alignment::carried && r_ > 0 && d_ > 0 && (d_ > 1 || largest(w) != 0);
}

void AlignedChart::turn(const Matrix& dJt, In w, In e, Out x) const {
  dJT_.noalias() = dJt.transpose() * T_;
  u_.noalias() = inverse_ * w;
  l_.noalias() = inverse_.transpose() * u_;  // (J J')^-1 w
  x.noalias() = -dJT_.transpose() * l_;
  if (d_ == 1) return;
  JT0_.noalias() = inverse_.transpose() * T0_;
  K_.noalias() = dJT_.transpose() * JT0_;
  // Omega in the basis B, where S is diagonal.
  BK_.noalias() = B().transpose() * K_;
  K_.noalias() = BK_ * B();
  for (Eigen::Index j = 0; j < d_; ++j)
    for (Eigen::Index i = 0; i <= j; ++i) {
      const double omega = (K_(j, i) - K_(i, j)) / (sigma_[i] + sigma_[j]);
      K_(i, j) = omega;
      K_(j, i) = -omega;
    }
  along_.noalias() = B().transpose() * e;
  turned_.noalias() = K_ * along_;
  x.noalias() += B() * turned_;
}

}  // namespace dalembert
