#include "dalembert/formulation/splitting/coordinate_splitting.h"

#include <array>
#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

std::optional<Eigen::Index> forced_coordinate(const Mechanical::Sizes& n, const Parameters& options) {
  const int forced = options.count("force-x", 0, static_cast<int>(n.v));
  if (forced == 0) return {};
  if (n.v - n.holonomic != 1 || n.nonholonomic > 0)
    throw Error("force-x needs a problem with one free coordinate",
                "this one has " + std::to_string(n.v - n.rows()) + "; leave the choice to pivoting");
  return forced - 1;
}

}  // namespace

std::vector<Parameter> splitting_options() {
  return {{"multipliers", 0, "", "always 0 here: there are none but those computed from q and v"},
          {"split", 0, "", "0: free coordinates by pivoted LU of J'; 1: orthonormal free directions by QR"},
          {"force-x", 0, "", "0: by pivoting; k: coordinate k is the free one, for one degree of freedom"},
          {"error-test", 0, "",
           "0: q and v; 1: the free positions only, which damps oscillations silently; 2: free positions and "
           "velocities, where q' = v; 3: the same, each times the length of the whole change that it makes"}};
}

CoordinateSplitting::CoordinateSplitting(Projector projector, const Mechanical& problem,
                                         const Parameters& options, Statistics& statistics)
    : ImplicitForm(problem, options, statistics),
      projector_(projector),
      basis_(options.count("split", 0, 1) == 0 ? CoordinatePartition::Basis::coordinates
                                               : CoordinatePartition::Basis::orthonormal),
      error_test_(
          std::array{Tested::motion, Tested::free_positions, Tested::free_motion,
                     Tested::magnified}[static_cast<std::size_t>(options.count("error-test", 0, 3))]) {
  add_blocks({.v = 1, .lambda = 0, .mu = 0});
  if (n_.rows() > n_.v) throw Error("the problem has more constraints than coordinates");
  const auto forced = forced_coordinate(n_, options);
  if (forced && basis_ == CoordinatePartition::Basis::orthonormal)
    throw Error("force-x and split 1 exclude each other", "an orthonormal split has no free coordinate");
  G_split_.bind(n_.holonomic, n_.v, basis_, forced);
  J_split_.bind(n_.rows(), n_.v, basis_, {});
  on_q_ = Matrix::Zero(n_.v, n_.q), on_v_ = Matrix::Zero(n_.v, n_.v), on_s_ = Matrix::Zero(n_.v, n_.s);
  N_dense_ = Matrix::Zero(n_.q, n_.v), N_basis_ = Matrix::Identity(n_.q, n_.q);
  Z_ = Matrix::Zero(n_.q, n_.q - n_.v), E_ = Matrix::Zero(n_.q - n_.v, n_.q);
  rho_ = u_ = r_ = Vector::Zero(n_.v);
  s1_ = Vector::Zero(n_.holonomic), s2_ = Vector::Zero(n_.rows());
  dq_ = work_ = Vector::Zero(n_.q), column_ = factors_ = Vector::Zero(n_.v);
  identity_.begin();
  put_identity(identity_, 0, 0, n_.v, 1);
  identity_.end();
  split_at_start();
}

void CoordinateSplitting::split_at_start() {
  const State given = original().start();
  frozen_ = false;
  u_.setZero();
  place(given.t, part_.q(given.y));
  choose_splits();
  frozen_J_ = J_;  // the room it needs
}

void CoordinateSplitting::choose_splits() const {
  const Entries& J = frozen_ ? frozen_J_ : J_;
  G_split_.choose(J);
  if (n_.nonholonomic > 0) J_split_.choose(J);
  if (n_.q == n_.v) return;
  original().kinematics(*at_, u_, kin_);
  N_dense_.setZero();
  for (std::size_t k = 0; k < kin_.N.size(); ++k)
    N_dense_(kin_.N.row(k), kin_.N.column(k)) += kin_.N.value(k);
  complete_basis(N_dense_, N_basis_, work_);
  Z_ = N_basis_.rightCols(n_.q - n_.v);
}

void CoordinateSplitting::slip(In y, In dy) const {
  if (plain_) {
    u_ = part_.q(dy);
  } else {
    original().kinematics(*at_, part_.v(y), kin_);
    u_.setZero();
    kin_.inverse.multiply(part_.q(dy), 1, u_);
  }
  rho_ = u_ - part_.v(y);
}

void CoordinateSplitting::F(double t, In y, In dy, Out residual) const {
  place(t, part_.q(y));
  if (projector_ == Projector::at_q) place_projectors();
  slip(y, dy);
  G_split_.project(rho_, residual.head(n_.v - n_.holonomic));
  if (n_.q > n_.v) {
    original().tangent(*at_, u_, dq_);
    dq_ = part_.q(dy) - dq_;
    for (Eigen::Index k = 0; k < n_.q - n_.v; ++k) residual[out0() + k] = Z_.col(k).dot(dq_);
  }
  if (n_.holonomic > 0) original().g(*at_, residual.segment(g0(), n_.holonomic));
  l_.setZero();
  motion_residual(y, dy, l_, r_);
  of_J().project(r_, residual.segment(motion0(), n_.v - n_.rows()));
  velocity_residual(part_.v(y), residual.segment(velocity0(), n_.rows()));
  auxiliary_residual(y, dy, residual);
}

void CoordinateSplitting::put_projected(Entries& to, const CoordinatePartition& split, const Entries& block,
                                        Eigen::Index row0, Eigen::Index col0, double scale,
                                        Matrix& dense) const {
  dense.setZero();
  for (std::size_t k = 0; k < block.size(); ++k)
    dense(block.row(k), block.column(k)) += scale * block.value(k);
  for (Eigen::Index j = 0; j < dense.cols(); ++j) {
    split.project(dense.col(j), column_.head(split.free()));
    for (Eigen::Index i = 0; i < split.free(); ++i) to.add(row0 + i, col0 + j, column_[i]);
  }
}

// d(N^+ q')/dq = -N^+ (N u)_q with u = N^+ q' held; exact where q' = N u, and everywhere if N is square.
void CoordinateSplitting::put_rates(Entries& F_y, Entries& F_dy) const {
  rates_.begin();
  if (!plain_)
    for (std::size_t k = 0; k < kin_.Nv_q.size(); ++k)
      for (std::size_t i = 0; i < kin_.inverse.size(); ++i)
        if (kin_.inverse.column(i) == kin_.Nv_q.row(k))
          rates_.add(kin_.inverse.row(i), kin_.Nv_q.column(k), -kin_.inverse.value(i) * kin_.Nv_q.value(k));
  if (projector_ == Projector::at_q) put_along(rates_, C_, Rows{}, 0, 1);
  rates_.end();
  put_projected(F_y, G_split_, rates_, 0, 0, 1, on_q_);
  put_projected(F_y, G_split_, identity_, 0, n_.q, -1, on_v_);
  put_projected(F_dy, G_split_, plain_ ? identity_ : kin_.inverse, 0, 0, 1, on_q_);
}

// E = Z'(I - N N^+) on q', -E (N u)_q on q.
void CoordinateSplitting::put_out_of_tangent(Entries& F_y, Entries& F_dy) const {
  if (n_.q == n_.v) return;
  for (Eigen::Index k = 0; k < n_.q - n_.v; ++k) {
    auto z = Z_.col(k);
    column_.setZero();
    kin_.N.multiply_transposed(z, 1, column_);
    work_ = z;
    kin_.inverse.multiply_transposed(column_, -1, work_);
    E_.row(k) = work_.transpose();
    for (Eigen::Index j = 0; j < n_.q; ++j) F_dy.add(out0() + k, j, E_(k, j));
    work_.setZero();
    for (std::size_t i = 0; i < kin_.Nv_q.size(); ++i)
      work_[kin_.Nv_q.column(i)] -= E_(k, kin_.Nv_q.row(i)) * kin_.Nv_q.value(i);
    for (Eigen::Index j = 0; j < n_.q; ++j) F_y.add(out0() + k, j, work_[j]);
  }
}

void CoordinateSplitting::jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const {
  place(t, part_.q(y));
  choose_splits();
  slip(y, dy);
  s1_.setZero();
  s2_.setZero();
  if (projector_ == Projector::at_q) {
    l_.setZero();
    motion_residual(y, dy, l_, r_);
    G_split_.multipliers(rho_, s1_);
    of_J().multipliers(r_, s2_);
  }
  linearize(y, part_.v(dy), s2_, u_);
  if (projector_ == Projector::at_q) {  // (G's1)_q N: K is affine in the multipliers
    l_ = s2_;
    l_.head(n_.holonomic) += s1_;
    original().derivatives(*at_, part_.v(y), part_.s(y), part_.v(dy), l_, bent_);
    C_.begin();
    for (std::size_t k = 0; k < d_.K.size(); ++k)
      C_.add(d_.K.row(k), d_.K.column(k), bent_.K.value(k) - d_.K.value(k));
    C_.end();
  }
  const Eigen::Index v0 = n_.q, s0 = n_.q + n_.v;
  F_y.begin();
  F_dy.begin();
  put_rates(F_y, F_dy);
  put_out_of_tangent(F_y, F_dy);
  position_rows(F_y, g0());
  along_.begin();
  put_along(along_, d_.K, Rows{}, 0, 1);
  along_.end();
  put_projected(F_y, of_J(), along_, motion0(), 0, 1, on_q_);
  put_projected(F_y, of_J(), d_.D, motion0(), v0, 1, on_v_);
  put_projected(F_y, of_J(), d_.S, motion0(), s0, 1, on_s_);
  put_projected(F_dy, of_J(), M_, motion0(), v0, 1, on_v_);
  velocity_rows(F_y, velocity0(), {0, n_.rows()});
  auxiliary_blocks(F_y, F_dy);
  F_y.end();
  F_dy.end();
}

void CoordinateSplitting::change_tests(Out error, Out /*newton*/) const {
  if (error_test_ == Tested::motion) return;
  if (error_test_ == Tested::free_positions) part_.v(error).setZero();
  if (basis_ == CoordinatePartition::Basis::orthonormal || n_.q != n_.v) return;  // no entry is X'q
  part_.q(error).setZero();
  for (const Eigen::Index i : G_split_.free_coordinates()) error[i] = 1;
  if (error_test_ == Tested::free_positions) return;
  part_.v(error).setZero();
  for (const Eigen::Index i : of_J().free_coordinates()) error[n_.q + i] = 1;
  if (error_test_ != Tested::magnified) return;
  magnify(G_split_, error.head(n_.q));
  magnify(of_J(), error.segment(n_.q, n_.v));
}

/// What a free coordinate is off, all are by kappa and more [YenPetzold1998, (2.27)].
void CoordinateSplitting::magnify(const CoordinatePartition& split, Out tests) const {
  auto factors = factors_.head(split.free());
  split.magnify(factors);
  for (std::size_t k = 0; k < split.free_coordinates().size(); ++k)
    if (const double factor = factors[static_cast<Eigen::Index>(k)]; std::isfinite(factor))
      tests[split.free_coordinates()[k]] = factor;
}

std::string CoordinateSplitting::equation(Eigen::Index i) const {
  const Layout all = original().layout();
  const auto free = [&](const CoordinatePartition& split, Eigen::Index k, Eigen::Index offset) {
    return basis_ == CoordinatePartition::Basis::orthonormal
               ? "free direction " + std::to_string(k + 1)
               : all.label(offset + split.free_coordinates()[static_cast<std::size_t>(k)]);
  };
  if (i < out0()) return "the projected rate of " + free(G_split_, i, n_.q == n_.v ? 0 : n_.q);
  if (i < g0()) return "the rate of q out of its tangent space";
  if (i < motion0()) return "the position constraint " + all.label(part_.differential() + i - g0());
  if (i < velocity0()) return "the projected motion of " + free(of_J(), i - motion0(), n_.q);
  if (i < n_.q + n_.v) return "the velocity constraint " + all.label(part_.differential() + i - velocity0());
  return "the rate of " + all.label(i);
}

}  // namespace dalembert
