#include "dalembert/formulation/null_space/maggi_equations.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {

/// Rows that know lengths and angles have levers: the greatest makes lengths of the angles, so that a choice of coordinates and
/// the angle between two bases do not depend on the unit of length. Entries that say no unit are taken as they are.
Vector lengths_per_velocity(const Layout& layout, const Mechanical::Sizes& n, const Matrix& J) {
  const Block* block = layout.find("v");
  Vector lengths = Vector::Ones(n.v);
  if (block == nullptr) return lengths;
  const auto angular = [&](Eigen::Index i) { return block->units[static_cast<std::size_t>(i)] == "rad/s"; };
  double lever = 0;
  for (Eigen::Index row = 0; row < J.rows(); ++row) {
    double straight = 0, turning = 0;
    for (Eigen::Index i = 0; i < n.v; ++i) {
      double& most = angular(i) ? turning : straight;
      most = std::max(most, std::abs(J(row, i)));
    }
    if (straight > 0) lever = std::max(lever, turning / straight);
  }
  if (lever > 0 && std::isfinite(lever))
    for (Eigen::Index i = 0; i < n.v; ++i)
      if (angular(i)) lengths[i] = lever;
  return lengths;
}

}  // namespace

MaggiEquations::MaggiEquations(const Mechanical& problem, const MakeChart& make_chart, Correction correction,
                               Statistics& statistics)
    : problem_(problem),
      n_(problem.sizes()),
      statistics_(statistics),
      at_(problem.placement()),
      correction_(problem, correction, statistics),
      rate_(problem) {
  const State start = problem.start();
  problem.place_at(*at_, start.t, start.y.head(n_.q));
  problem.mass(*at_, M_);
  problem.jacobian(*at_, J_);
  J_all_ = J_.dense(n_.rows(), n_.v);
  rows_ = std::make_unique<RowChoice>(J_all_, n_.holonomic);
  r_ = rows_->count();
  d_ = n_.v - r_;
  length_ = lengths_per_velocity(problem.layout(), n_, J_all_);
  chart_ = make_chart(n_.v, r_);
  Jt_ = Jt_of_chart_ = dJt_ = Matrix::Zero(n_.v, r_);
  T_ = MT_ = Matrix::Zero(n_.v, d_);
  reduced_ = Matrix::Zero(d_, d_);
  E_ = Matrix::Zero(n_.rows(), r_);
  EtE_ = Matrix::Zero(r_, r_);
  factors_ = Eigen::LLT<Matrix>(d_);
  row_factors_ = Eigen::LLT<Matrix>(r_);
  all_ = Vector::Zero(n_.rows());
  w_ = bias_ = l_ = Vector::Zero(r_);
  v_p_ = v_ = h_ = force_ = Vector::Zero(n_.v);
  x_ = de_ = Vector::Zero(d_);
  M_of_factors_ = Vector::Constant(static_cast<Eigen::Index>(M_.size()), not_a_number);
  settle(start.t, start.y.head(n_.q));
}

bool MaggiEquations::reset() {
  const State start = problem_.start();
  problem_.place_at(*at_, start.t, start.y.head(n_.q));
  problem_.jacobian(*at_, J_);
  read_rows();
  *rows_ = RowChoice(J_all_, n_.holonomic);
  if (rows_->count() != r_) return false;
  chart_->reset();
  settle(start.t, start.y.head(n_.q));
  return true;
}

void MaggiEquations::remember(Memory& memory) const {
  memory(at_->t, at_->q, left_, *rows_, *chart_);
  if (!memory.reading()) return;
  if (!rows_->all()) correction_.use(rows_->holonomic());
  const double t = at_->t;
  const Vector q = at_->q;
  problem_.place_at(*at_, t, q);
  problem_.jacobian(*at_, J_);
  read_rows();
  here_ = chart_->move(Jt_);
  adopt_basis();
  solve_particular();
}

Layout MaggiEquations::layout() const {
  const Layout all = problem_.layout();
  Layout mine;
  for (const auto& block : all.blocks()) {
    if (block.name == "v" && d_ > 0) mine.add("e", d_, Role::differential, 0);
    if (block.role == Role::differential && block.name != "v")
      mine.add(block.name, block.size, block.role, 0, block.labels, block.units);
  }
  return mine;
}

State MaggiEquations::start() const {
  const State full = problem_.start();
  State mine{full.t, Vector::Zero(n_.q + d_ + n_.s)};
  go(full.t, full.y.head(n_.q));
  q(mine.y) = full.y.head(n_.q);
  coordinates(full.y.segment(n_.q, n_.v), e(mine.y));
  s(mine.y) = full.y.segment(n_.q + n_.v, n_.s);
  return mine;
}

void MaggiEquations::keep(In rows, Out kept) const {
  for (Eigen::Index k = 0; k < r_; ++k) kept[k] = rows[rows_->kept()[static_cast<std::size_t>(k)]];
}

void MaggiEquations::read_rows() const {
  J_all_.setZero();
  for (std::size_t k = 0; k < J_.size(); ++k) J_all_(J_.row(k), J_.column(k)) += J_.value(k);
  for (Eigen::Index k = 0; k < r_; ++k)
    Jt_.col(k) = J_all_.row(rows_->kept()[static_cast<std::size_t>(k)]).transpose().cwiseQuotient(length_);
}

void MaggiEquations::adopt_basis() const {
  T_ = length_.cwiseInverse().asDiagonal() * chart_->T();
  Jt_of_chart_ = Jt_;
  M_of_factors_.setConstant(not_a_number);
}

void MaggiEquations::particular(In rows, Out u) const {
  chart_->particular(rows, u);
  u.array() /= length_.array();
}

void MaggiEquations::coordinates(In v, Out e) const {
  scaled_ = v.cwiseProduct(length_);
  chart_->coordinates(scaled_, e);
}

void MaggiEquations::solve_particular() const {
  problem_.velocity_bias(*at_, all_);
  keep(all_, w_);
  particular(w_, v_p_);
  v_p_ = -v_p_;
}

// Evaluations of one step often meet at one point, and rows may be constant: what is known is not computed again.
Outcome MaggiEquations::go(double t, In q) const {
  if (t == at_->t && std::equal(q.data(), q.data() + q.size(), at_->q.data())) return here_;
  problem_.place_at(*at_, t, q);
  problem_.jacobian(*at_, J_);
  ++statistics_.jacobians;
  read_rows();
  if (Jt_ != Jt_of_chart_ || here_ != Outcome::ok) {
    here_ = chart_->move(Jt_);
    left_ = left_ || here_ != Outcome::ok;
    adopt_basis();
    ++statistics_.factorizations;
  }
  solve_particular();
  return here_;
}

Outcome MaggiEquations::settle(double t, In q) const {
  problem_.place_at(*at_, t, q);
  problem_.jacobian(*at_, J_);
  read_rows();
  here_ = Outcome::ok;
  left_ = false;
  if (!rows_->all()) {
    here_ = rows_->choose(J_all_);
    correction_.use(rows_->holonomic());
    read_rows();
  }
  if (here_ == Outcome::ok) here_ = chart_->settle(Jt_);
  adopt_basis();
  solve_particular();
  return here_;
}

Outcome MaggiEquations::reduce(In e, In s, Out de) const {
  problem_.mass(*at_, M_);
  problem_.force(*at_, v_, s, force_);
  problem_.bias(*at_, v_, all_);
  keep(all_, bias_);
  particular(bias_, h_);
  h_ = -h_;
  if (chart_->turns(w_)) {
    const Matrix& rate = rate_(*at_, v_);
    if (!(rate.array() == 0).all()) {
      for (Eigen::Index k = 0; k < r_; ++k)
        dJt_.col(k) = rate.row(rows_->kept()[static_cast<std::size_t>(k)]).transpose().cwiseQuotient(length_);
      chart_->turn(dJt_, w_, e, x_);
      h_.noalias() += T_ * x_;
    }
  }
  M_.multiply(h_, -1, force_);
  if (d_ == 0) return Outcome::ok;
  if (!std::equal(M_.values(), M_.values() + M_.size(), M_of_factors_.data())) {
    MT_.setZero();
    for (std::size_t k = 0; k < M_.size(); ++k) MT_.row(M_.row(k)) += M_.value(k) * T_.row(M_.column(k));
    reduced_.noalias() = T_.transpose() * MT_;
    factors_.compute(reduced_);
    ++statistics_.factorizations;
    if (factors_.info() != Eigen::Success) return Outcome::singular;
    std::copy(M_.values(), M_.values() + M_.size(), M_of_factors_.data());
  }
  de.noalias() = T_.transpose() * force_;
  factors_.solveInPlace(de);
  ++statistics_.solves;
  return Outcome::ok;
}

void MaggiEquations::f(double t, In y, Out dy) const {
  Outcome outcome = go(t, q(y));
  if (outcome == Outcome::ok) {
    velocity(e(y));
    outcome = reduce(e(y), s(y), e(dy));
    problem_.tangent(*at_, v_, q(dy));
    if (n_.s > 0) problem_.auxiliary(*at_, v_, s(y), s(dy));
  }
  if (outcome != Outcome::ok) dy.setConstant(not_a_number);
}

// A step that ends where the chart does is not to be accepted. The next one begins with what is computed here.
Outcome MaggiEquations::project(double t, Out y) const {
  if (const Outcome outcome = correction_.correct(t, q(y)); outcome != Outcome::ok) return outcome;
  return go(t, q(y));
}

void MaggiEquations::enter(double t, In qvs, Out y) const {
  settle(t, qvs.head(n_.q));
  copy(qvs.head(n_.q), q(y));
  coordinates(qvs.segment(n_.q, n_.v), e(y));
  copy(qvs.tail(n_.s), s(y));
}

Outcome MaggiEquations::leave(double t, In y, Out qvs) const {
  const Outcome outcome = go(t, q(y));
  velocity(e(y));
  copy(q(y), qvs.head(n_.q));
  copy(v_, qvs.segment(n_.q, n_.v));
  copy(s(y), qvs.tail(n_.s));
  return outcome;
}

Outcome MaggiEquations::multipliers(double t, In y, Out l) const {
  Outcome outcome = go(t, q(y));
  velocity(e(y));
  if (outcome == Outcome::ok) outcome = reduce(e(y), s(y), de_);
  if (outcome != Outcome::ok) {
    l.setConstant(not_a_number);
    return outcome;
  }
  if (d_ > 0) force_.noalias() -= MT_ * de_;  // f - M v'
  force_.array() /= length_.array();
  chart_->reactions(force_, l_);
  if (rows_->all())
    copy(l_, l);
  else
    smallest(l_, l);
  return Outcome::ok;
}

// All rows are E times those that are kept, and E'l = l_kept: of such l the smallest is E (E'E)^-1 l_kept.
void MaggiEquations::smallest(In l, Out all) const {
  for (Eigen::Index k = 0; k < r_; ++k) {
    bias_ = Vector::Unit(r_, k);
    particular(bias_, h_);
    E_.col(k).noalias() = J_all_ * h_;
  }
  EtE_.noalias() = E_.transpose() * E_;
  row_factors_.compute(EtE_);
  bias_ = l;
  row_factors_.solveInPlace(bias_);
  all.noalias() = E_ * bias_;
}

bool MaggiEquations::renew(double t, Out y) const {
  if (go(t, q(y)) != Outcome::ok) return false;
  left_ = false;
  chart_->follow();
  if (!chart_->worn()) return false;
  velocity(e(y));
  h_ = v_;
  settle(t, q(y));
  coordinates(h_, e(y));
  return true;
}

Fault MaggiEquations::diagnose(double t, In y) const {
  if (Fault fault = Problem::diagnose(t, y)) return fault;
  Vector qvs = Vector::Zero(n_.q + n_.v + n_.s);
  leave(t, y, qvs);
  if (Fault fault = problem_.diagnose(t, qvs)) return fault;
  if (!left_) return {};
  return {Outcome::projection_failed,
          "the velocities that the rows admit turn farther within one step than one basis reaches"};
}

}  // namespace dalembert
