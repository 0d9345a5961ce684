// fuehrer-leimkuhler: the constraints at position, velocity and acceleration level together [FuehrerLeimkuhler1991],
// as in [MantegazzaMasarati2012, (115)] with velocities for momenta and the sign of M v' = f - J'l:
//
//   q' - N (v - x) = 0,     M x - G'eta [ - (dG/dt)'nu_G ] = 0
//   M (v' - a) + J'nu = 0,  M a - f + J'l = 0,   s' - k = 0
//   g(t,q) = 0,   J v + w = 0,   J a + bias = 0
//
// a are the accelerations (notes: w = M a); eta and nu are -mu and -nu of the notes and vanish with x in exact
// arithmetic. a and l are of index 1, eta, nu and x of index 2. Rows given at velocity level take no part in the
// correction of q'.
//
// The term in brackets stands in (115); it makes the correction of (q',v') orthogonal to the constraints in the metric
// of M, and vanishes with nu. It is an option here: its derivatives are third derivatives of the constraints, and without
// those Newton's iteration is slow where velocities are large. dG/dt is then a difference of J along the motion.
#include "dalembert/core/rounding.h"
#include "dalembert/formulation/by_index/implicit_form.h"

namespace dalembert {

namespace {

class FuehrerLeimkuhler final : public ImplicitForm {
 public:
  FuehrerLeimkuhler(const Mechanical& problem, const Parameters& options, Statistics& statistics);

  void F(double t, In y, In dy, Out residual) const override;
  void jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const override;
  void enter(const State& original, State& mine) const override;
  /// eta and nu are velocities times masses, and zero but for errors: without sizes of their own they are judged by what they move.
  void change_tests(Out /*error*/, Out newton) const override {
    newton.segment(eta0_, n_.holonomic + n_.rows()) /= heaviest_;  // eta, and nu behind it
  }

 private:
  auto accelerations(auto& y) const { return y.segment(a0_, n_.v); }
  auto slip(auto& y) const { return y.segment(x0_, n_.v); }
  auto eta(auto& y) const { return y.segment(eta0_, n_.holonomic); }
  auto nu(auto& y) const { return y.segment(nu0_, n_.rows()); }

  void rate_of_G(In v) const;  ///< rate_ = dJ/dt along the motion, all rows
  /// r = J a + bias at `near_`, displaced from here by u.
  void acceleration_residual(In u, In v, In a, Out r) const;
  void acceleration_rows(In y, Entries& F_y) const;
  /// C = K(a,l) - K of d_, which is what a and l have more than those of d_.
  void difference_of_K(In y, In a, In l, Entries& C) const;

  enum class Correction { plain, orthogonal } correction_;
  Eigen::Index a0_, x0_, eta0_, nu0_;  // where these blocks begin
  double heaviest_ = 1;                // inertia at the start, at least 1
  mutable std::unique_ptr<Placement> near_;
  mutable Derivatives bent_;
  mutable Entries ahead_, behind_, rate_, near_J_, by_q_, C_;
  mutable Vector u_, step_, v_moved_, plus_, minus_;
};

FuehrerLeimkuhler::FuehrerLeimkuhler(const Mechanical& problem, const Parameters& options,
                                     Statistics& statistics)
    : ImplicitForm(problem, options, statistics),
      correction_(options.count("orthogonal", 0, 1) == 0 ? Correction::plain : Correction::orthogonal),
      a0_(part_.size()),
      x0_(a0_ + n_.v),
      eta0_(x0_ + n_.v),
      nu0_(eta0_ + n_.holonomic),
      near_(mechanics_.make_placement()) {
  add_blocks({.v = 1, .lambda = 1, .mu = 1});
  add_block("a", n_.v, Role::algebraic, 1);
  add_block("x", n_.v, Role::algebraic, 2);
  add_block("eta", n_.holonomic, Role::algebraic, 2, row_labels(0, n_.holonomic));
  add_block("nu", n_.rows(), Role::algebraic, 2, row_labels(0, n_.rows()));
  const Layout all = problem.layout();
  name_rows(Level::acceleration, 0, n_.rows());
  for (Eigen::Index i = 0; i < n_.v; ++i) name_equation("the forces on " + all.label(n_.q + i));
  for (Eigen::Index i = 0; i < n_.v; ++i) name_equation("the kinematic correction of " + all.label(n_.q + i));
  name_rows(Level::position, 0, n_.holonomic);
  name_rows(Level::velocity, 0, n_.rows());
  const State first = problem.start();
  problem.place_at(*near_, first.t, part_.q(first.y));
  problem.mass(*near_, M_);
  for (std::size_t k = 0; k < M_.size(); ++k) heaviest_ = std::max(heaviest_, std::abs(M_.value(k)));
  u_ = step_ = v_moved_ = Vector::Zero(n_.v);
  plus_ = minus_ = Vector::Zero(n_.rows());
}

void FuehrerLeimkuhler::enter(const State& original, State& mine) const {
  ImplicitForm::enter(original, mine);
  const Outcome outcome = mechanics_.accelerate(original.t, part_.q(original.y), part_.v(original.y),
                                                part_.s(original.y), {}, a_, l_);
  if (outcome == Outcome::ok) accelerations(mine.y) = a_;
}

void FuehrerLeimkuhler::rate_of_G(In v) const {
  const double dt = central_difference / (1 + largest(v));
  for (const double side : {1.0, -1.0}) {
    step_ = side * dt * v;
    near_->t = at_->t + side * dt;
    original().advance(*at_, step_, near_->q);
    original().place(*near_);
    original().jacobian(*near_, side > 0 ? ahead_ : behind_);
  }
  rate_.begin();
  for (std::size_t k = 0; k < ahead_.size(); ++k)
    rate_.add(ahead_.row(k), ahead_.column(k), (ahead_.value(k) - behind_.value(k)) / (2 * dt));
  rate_.end();
}

void FuehrerLeimkuhler::F(double t, In y, In dy, Out residual) const {
  const auto v = part_.v(y);
  place(t, part_.q(y));
  auto rate = part_.q(residual), motion = part_.v(residual), x_rows = slip(residual);
  u_ = v - slip(y);
  original().tangent(*at_, u_, rate);
  rate = part_.q(dy) - rate;
  a_ = part_.v(dy) - accelerations(y);
  motion.setZero();
  M_.multiply(a_, 1, motion);
  J_.multiply_transposed(nu(y), 1, motion);
  auxiliary_residual(y, dy, residual);

  auto rows = part_.multipliers(residual);
  original().bias(*at_, v, rows);
  J_.multiply(accelerations(y), 1, rows);
  auto forces = accelerations(residual);
  original().force(*at_, v, part_.s(y), forces);
  for (Eigen::Index i = 0; i < n_.v; ++i) forces[i] = -forces[i];
  M_.multiply(accelerations(y), 1, forces);
  J_.multiply_transposed(part_.multipliers(y), 1, forces);

  x_rows.setZero();
  M_.multiply(slip(y), 1, x_rows);
  for (std::size_t k = 0; k < J_.size(); ++k)
    if (J_.row(k) < n_.holonomic) x_rows[J_.column(k)] -= J_.value(k) * y[eta0_ + J_.row(k)];
  if (correction_ == Correction::orthogonal) {
    rate_of_G(v);
    for (std::size_t k = 0; k < rate_.size(); ++k)
      if (rate_.row(k) < n_.holonomic) x_rows[rate_.column(k)] -= rate_.value(k) * y[nu0_ + rate_.row(k)];
  }
  if (n_.holonomic > 0) original().g(*at_, eta(residual));
  velocity_residual(v, nu(residual));
}

void FuehrerLeimkuhler::difference_of_K(In y, In a, In l, Entries& C) const {
  original().derivatives(*at_, part_.v(y), part_.s(y), a, l, bent_);
  C.begin();
  for (std::size_t k = 0; k < d_.K.size(); ++k)
    C.add(d_.K.row(k), d_.K.column(k), bent_.K.value(k) - d_.K.value(k));
  C.end();
}

void FuehrerLeimkuhler::acceleration_residual(In u, In v, In a, Out r) const {
  near_->t = at_->t;
  original().advance(*at_, u, near_->q);
  original().place(*near_);
  original().jacobian(*near_, near_J_);
  original().bias(*near_, v, r);
  near_J_.multiply(a, 1, r);
}

// The contract of mechanical problems has no derivatives of the bias: differences, along the tangent and in v.
void FuehrerLeimkuhler::acceleration_rows(In y, Entries& F_y) const {
  const auto a = accelerations(y);
  v_moved_ = part_.v(y);
  by_q_.begin();
  step_.setZero();
  for (Eigen::Index j = 0; j < n_.v; ++j) {
    step_[j] = central_difference;
    acceleration_residual(step_, v_moved_, a, plus_);
    step_[j] = -central_difference;
    acceleration_residual(step_, v_moved_, a, minus_);
    step_[j] = 0;
    for (Eigen::Index i = 0; i < n_.rows(); ++i)
      by_q_.add(i, j, (plus_[i] - minus_[i]) / (2 * central_difference));
  }
  by_q_.end();
  put_along(F_y, by_q_, Rows{}, part_.differential(), 1);
  for (Eigen::Index j = 0; j < n_.v; ++j) {
    const double v = v_moved_[j], step = central_difference * (1 + std::abs(v));
    v_moved_[j] = v + step;
    original().bias(*at_, v_moved_, plus_);
    v_moved_[j] = v - step;
    original().bias(*at_, v_moved_, minus_);
    v_moved_[j] = v;
    for (Eigen::Index i = 0; i < n_.rows(); ++i)
      F_y.add(part_.differential() + i, n_.q + j, (plus_[i] - minus_[i]) / (2 * step));
  }
  put(F_y, J_, part_.differential(), a0_, 1);
}

void FuehrerLeimkuhler::jacobians(double t, In y, In dy, Entries& F_y, Entries& F_dy) const {
  place(t, part_.q(y));
  const auto a = accelerations(y);
  const auto l = part_.multipliers(y);
  u_ = part_.v(y) - slip(y);
  linearize(y, a, l, u_);
  const Eigen::Index v0 = n_.q, s0 = n_.q + n_.v, l0 = part_.differential();
  const Rows holonomic{0, n_.holonomic};
  F_y.begin();
  F_dy.begin();
  if (plain_) {
    put_identity(F_y, 0, v0, n_.v, -1);
    put_identity(F_y, 0, x0_, n_.v, 1);
  } else {
    put(F_y, kin_.Nv_q, 0, 0, -1);
    put(F_y, kin_.N, 0, v0, -1);
    put(F_y, kin_.N, 0, x0_, 1);
  }
  put_identity(F_dy, 0, 0, n_.q, 1);

  l_ = l + nu(y);
  difference_of_K(y, part_.v(dy), l_, C_);  // of M (v' - a) + J'nu
  put_along(F_y, C_, Rows{}, v0, 1);
  put(F_y, M_, v0, a0_, -1);
  put_transposed(F_y, J_, Rows{}, v0, nu0_, 1);
  put(F_dy, M_, v0, v0, 1);
  auxiliary_blocks(F_y, F_dy);

  acceleration_rows(y, F_y);
  put_along(F_y, d_.K, Rows{}, a0_, 1);
  put(F_y, d_.D, a0_, v0, 1);
  put(F_y, d_.S, a0_, s0, 1);
  put(F_y, M_, a0_, a0_, 1);
  put_transposed(F_y, J_, Rows{}, a0_, l0, 1);

  l_ = l;
  l_.head(n_.holonomic) -= eta(y);
  a_ = a + slip(y);
  difference_of_K(y, a_, l_, C_);  // of M x - G'eta
  put_along(F_y, C_, Rows{}, x0_, 1);
  put(F_y, M_, x0_, x0_, 1);
  put_transposed(F_y, J_, holonomic, x0_, eta0_, -1);
  if (correction_ == Correction::orthogonal) {
    l_ = l;
    l_.head(n_.holonomic) += nu(y).head(n_.holonomic);
    difference_of_K(y, a, l_, C_);  // of (dG/dt)'nu, with respect to v; what depends on q is left out
    put(F_y, C_, x0_, v0, -1);
    rate_of_G(part_.v(y));
    put_transposed(F_y, rate_, holonomic, x0_, nu0_, -1);
  }
  position_rows(F_y, eta0_);
  velocity_rows(F_y, nu0_, {0, n_.rows()});
  F_y.end();
  F_dy.end();
}

}  // namespace

std::vector<FormulationEntry> formulations_in_fuehrer_leimkuhler() {
  return {{.name = "fuehrer-leimkuhler",
           .summary = "position, velocity and acceleration constraints, each with multipliers of its own",
           .cite = "FuehrerLeimkuhler1991 MantegazzaMasarati2012",
           .from = Kind::mechanical,
           .to = Kind::implicit,
           .index = 2,
           .preference = 2,
           .drifts = false,
           .options = {ImplicitForm::multipliers_option(),
                       {"orthogonal", 0, "", "1: M x has (dG/dt)'nu too, as in (115) of the notes"}},
           .make = make_implicit<FuehrerLeimkuhler>}};
}

}  // namespace dalembert
