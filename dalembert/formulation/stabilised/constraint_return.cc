#include "dalembert/formulation/stabilised/constraint_return.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dalembert/core/rounding.h"

namespace dalembert {

ConstraintReturn::ConstraintReturn(const Mechanical& problem, ReturnChoice choice)
    : problem_(problem), choice_(choice), n_(problem.sizes()), moved_(problem.placement()) {
  const Eigen::Index rows = n_.holonomic + n_.rows();
  moved_->q = Vector::Zero(n_.q);
  h_ = e_ = Vector::Zero(rows);
  x_ = Vector::Zero(n_.v + n_.rows());
  row_ = other_ = zero_l_ = Vector::Zero(n_.rows());
  zero_a_ = Vector::Zero(n_.v);
  q_ = Vector::Zero(n_.q);
  H_ = Matrix::Zero(rows, 2 * n_.v);
  D_ = Matrix::Zero(2 * n_.v, rows);
  HD_ = Matrix::Identity(rows, rows);
  kinetic_ = Matrix::Zero(n_.v, n_.rows());
  mass_ = Matrix::Identity(n_.v, n_.v);
  mass_factors_.compute(mass_);
  factors_.compute(HD_);

  const State start = problem.start();  // record the patterns
  const MechanicalState part(n_);
  problem.place_at(*moved_, start.t, part.q(start.y));
  problem.jacobian(*moved_, J_);
  problem.jacobian(*moved_, J_moved_);
  if (!factored()) form(*moved_, part.v(start.y), part.s(start.y));
}

void ConstraintReturn::velocity_rows(const Placement& at, const Entries& J, In v, Out r) const {
  problem_.velocity_bias(at, r);
  J.multiply(v, 1, r);
}

void ConstraintReturn::residuals(const Placement& at, In v) {
  problem_.g(at, h_.head(n_.holonomic));
  problem_.jacobian(at, J_);
  velocity_rows(at, J_, v, h_.tail(n_.rows()));
}

Outcome ConstraintReturn::operator()(Mechanics& mechanics, In v, In s, Out u, Out dv) {
  residuals(mechanics.here(), v);
  ++mechanics.statistics().constraint_evaluations;
  return apply(mechanics, v, s, u, dv);
}

Outcome ConstraintReturn::apply(Mechanics& mechanics, In v, In s, Out u, Out dv) {
  return factored() ? with_factors(mechanics, v, u, dv) : with_matrices(mechanics.here(), v, s, u, dv);
}

// H D is block triangular: positions first, and what their return does to the velocity rows is taken off those.
Outcome ConstraintReturn::with_factors(Mechanics& mechanics, In v, Out u, Out dv) {
  x_.setZero();
  x_.segment(n_.v, n_.holonomic) = h_.head(n_.holonomic);
  Outcome outcome = mechanics.saddle().solve_again(x_, mechanics.statistics());
  copy(x_.head(n_.v), u);
  if (outcome != Outcome::ok) return outcome;
  x_.head(n_.v).setZero();
  x_.tail(n_.rows()) = h_.tail(n_.rows());
  if (choice_.e == ReturnChoice::E::inverse) {
    turn_rows(mechanics.here(), v, u, row_);
    x_.tail(n_.rows()) -= row_;
  }
  outcome = mechanics.saddle().solve_again(x_, mechanics.statistics());
  copy(x_.head(n_.v), dv);
  return outcome;
}

void ConstraintReturn::turn_rows(const Placement& at, In v, In u, Out Lu) {
  Lu.setZero();
  const double size = largest(u);
  if (!(size > 0)) return;
  const double step = std::cbrt(machine_epsilon) * (1 + largest(at.q)) / size;
  moved_->t = at.t;
  for (const double side : {1.0, -1.0}) {
    for (Eigen::Index i = 0; i < n_.v; ++i) x_[i] = side * step * u[i];
    problem_.advance(at, x_.head(n_.v), q_);
    moved_->q = q_;
    problem_.place(*moved_);
    problem_.jacobian(*moved_, J_moved_);
    velocity_rows(*moved_, J_moved_, v, other_);
    Lu += side / (2 * step) * other_;
  }
  x_.head(n_.v).setZero();
}

Outcome ConstraintReturn::form(const Placement& at, In v, In s) {
  const Eigen::Index m = n_.rows(), nh = n_.holonomic, nv = n_.v;
  H_.setZero();
  for (std::size_t k = 0; k < J_.size(); ++k) {
    if (J_.row(k) < nh) H_(J_.row(k), J_.column(k)) += J_.value(k);
    H_(nh + J_.row(k), nv + J_.column(k)) += J_.value(k);
  }
  problem_.derivatives(at, v, s, zero_a_, zero_l_, derivatives_);
  const Entries& L = derivatives_.B;
  for (std::size_t k = 0; k < L.size(); ++k) H_(nh + L.row(k), L.column(k)) += L.value(k);

  D_.setZero();
  switch (choice_.d) {
    case ReturnChoice::D::full:
      D_ = H_.transpose();
      break;
    case ReturnChoice::D::transposed:
      D_.topLeftCorner(nv, nh) = H_.topLeftCorner(nh, nv).transpose();
      D_.bottomRightCorner(nv, m) = H_.bottomRightCorner(m, nv).transpose();
      break;
    case ReturnChoice::D::kinetic:
      problem_.mass(at, M_);
      mass_.setZero();
      for (std::size_t k = 0; k < M_.size(); ++k) mass_(M_.row(k), M_.column(k)) += M_.value(k);
      mass_factors_.compute(mass_);
      if (mass_factors_.info() != Eigen::Success) return Outcome::singular;
      kinetic_ = H_.bottomRightCorner(m, nv).transpose();
      mass_factors_.solveInPlace(kinetic_);
      D_.topLeftCorner(nv, nh) = kinetic_.leftCols(nh);
      D_.bottomRightCorner(nv, m) = kinetic_;
      break;
  }
  HD_ = H_.lazyProduct(D_);
  return Outcome::ok;
}

Outcome ConstraintReturn::with_matrices(const Placement& at, In v, In s, Out u, Out dv) {
  if (const Outcome outcome = form(at, v, s); outcome != Outcome::ok) return outcome;
  switch (choice_.e) {
    case ReturnChoice::E::identity:
      e_ = h_;
      break;
    case ReturnChoice::E::symmetric:
      e_ = HD_.transpose().lazyProduct(h_);
      break;
    case ReturnChoice::E::blocks:
      HD_.bottomLeftCorner(n_.rows(), n_.holonomic).setZero();
      HD_.topRightCorner(n_.holonomic, n_.rows()).setZero();
      [[fallthrough]];
    case ReturnChoice::E::inverse:
      factors_.compute(HD_);
      e_ = factors_.solve(h_);
      break;
  }
  u = D_.topRows(n_.v).lazyProduct(e_);
  dv = D_.bottomRows(n_.v).lazyProduct(e_);
  return u.allFinite() && dv.allFinite() ? Outcome::ok : Outcome::singular;
}

std::vector<std::complex<double>> ConstraintReturn::spectrum(Mechanics& mechanics, In v, In s, double gamma) {
  const Eigen::Index rows = h_.size(), nh = n_.holonomic;
  if (choice_.e == ReturnChoice::E::inverse)
    return std::vector<std::complex<double>>(static_cast<std::size_t>(rows), -gamma);
  residuals(mechanics.here(), v);
  if (form(mechanics.here(), v, s) != Outcome::ok) return {};
  Matrix F(2 * n_.v, rows);
  Vector u(n_.v), dv(n_.v);
  for (Eigen::Index j = 0; j < rows; ++j) {
    h_ = Vector::Unit(rows, j);
    if (apply(mechanics, v, s, u, dv) != Outcome::ok) return {};
    F.col(j) << u, dv;
  }
  Matrix S = -gamma * H_ * F;
  for (Eigen::Index i = 0; i < nh; ++i) S(i, nh + i) += 1;  // g' = G v + g_t
  const Eigen::VectorXcd roots = Eigen::EigenSolver<Matrix>(S, false).eigenvalues();
  return {roots.begin(), roots.end()};
}

}  // namespace dalembert
