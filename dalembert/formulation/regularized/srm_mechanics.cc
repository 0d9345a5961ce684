#include "dalembert/formulation/regularized/srm_mechanics.h"

#include <Eigen/Eigenvalues>

namespace dalembert {

MechanicalRegularization::MechanicalRegularization(const Mechanical& problem, const Parameters& options,
                                                   Statistics& statistics)
    : problem_(problem),
      n_(problem.sizes()),
      part_(n_),
      statistics_(statistics),
      eps_(options.positive("eps")),
      at_(problem.placement()),
      directions_(as<ForceDirections>(&problem)) {
  g_ = w_ = Vector::Zero(n_.rows());
  f_ = a_ = Vector::Zero(n_.v);
  x_ = Vector::Zero(n_.v + n_.rows());
  at_->q = Vector::Zero(n_.q);
  none_.begin();
  none_.end();
  place_at_start();
  mass_.bind(n_.v, 0, M_, none_, Symmetry::symmetric);
  saddle_.bind(n_.v, n_.rows(), M_, J_, directions_ != nullptr ? Symmetry::unsymmetric : Symmetry::symmetric);
  if (directions_ != nullptr) directions_->directions(*at_, W_);
}

void MechanicalRegularization::place_at_start() {
  const State start = problem_.start();
  problem_.place_at(*at_, start.t, part_.q(start.y));
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
}

void MechanicalRegularization::reset() {
  place_at_start();
  mass_.reset(M_, none_);
  saddle_.reset(M_, J_);
  mass_factored_ = saddle_factored_ = false;
}

void MechanicalRegularization::place(double t, In x) const {
  problem_.place_at(*at_, t, part_.q(x));
  problem_.mass(*at_, M_);
  problem_.jacobian(*at_, J_);
  if (directions_ != nullptr) directions_->directions(*at_, W_);
  problem_.force(*at_, part_.v(x), part_.s(x), f_);
  g_.setZero();
  problem_.g(*at_, g_.head(n_.holonomic));
  problem_.velocity_bias(*at_, w_);
  J_.multiply(part_.v(x), 1, w_);
  ++statistics_.constraint_evaluations;
  ++statistics_.jacobians;
  mass_factored_ = saddle_factored_ = false;
}

void MechanicalRegularization::solve_mass(Out a) const {
  a_ = a;
  const Outcome outcome =
      mass_factored_ ? mass_.solve_again(a_, statistics_) : mass_.solve(M_, none_, none_, a_, statistics_);
  mass_factored_ = true;
  a = a_;
  if (outcome != Outcome::ok) a.setConstant(not_a_number);
}

/// M a + W'l = 0, J a = -r
void MechanicalRegularization::solve_constraints(Out r) const {
  x_.setZero();
  x_.tail(n_.rows()) = -r;
  const Outcome outcome = saddle_factored_ ? saddle_.solve_again(x_, statistics_)
                                           : saddle_.solve(M_, forces(), J_, x_, statistics_);
  saddle_factored_ = true;
  r = x_.tail(n_.rows());
  if (outcome != Outcome::ok) r.setConstant(not_a_number);
}

void MechanicalRegularization::direct(In l, Out a) const {
  a.setZero();
  forces().multiply_transposed(l, 1, a);
  solve_mass(a);
}

void MechanicalRegularization::weigh(Weight weight, In r, Out e) const {
  e = r;
  if (weight == Weight::inverse) solve_constraints(e);
  if (weight != Weight::transposed) return;
  auto a = x_.head(n_.v);  // S' r = W M^-1 J' r
  a.setZero();
  J_.multiply_transposed(r, 1, a);
  solve_mass(a);
  e.setZero();
  forces().multiply(a, 1, e);
}

void MechanicalRegularization::move(In x, In l, In u, Out dx) const {
  auto a = part_.v(dx);
  a = f_;
  forces().multiply_transposed(l, -1, a);
  solve_mass(a);
  problem_.tangent(*at_, u, part_.q(dx));
  if (n_.s > 0) problem_.auxiliary(*at_, part_.v(x), part_.s(x), part_.s(dx));
}

Matrix MechanicalRegularization::constraint_mass() const {
  const State start = problem_.start();
  place(start.t, start.y);
  Matrix S(n_.rows(), n_.rows());
  Vector column(n_.rows());
  for (Eigen::Index j = 0; j < n_.rows(); ++j) {
    weigh(Weight::transposed, Vector::Unit(n_.rows(), j), column);
    S.row(j) = column.transpose();
  }
  return S;
}

std::vector<std::complex<double>> MechanicalRegularization::eigenvalues(Weight weight) const {
  std::vector<std::complex<double>> all;
  if (n_.rows() == 0) return all;
  const Matrix S = constraint_mass();
  if (!S.allFinite()) return all;
  const Matrix SE = weight == Weight::identity     ? S
                    : weight == Weight::transposed ? Matrix(S * S.transpose())
                                                   : Matrix(Matrix::Identity(S.rows(), S.rows()));
  const Eigen::VectorXcd values = SE.eigenvalues();
  all.assign(values.begin(), values.end());
  return all;
}

std::vector<std::complex<double>> MechanicalRegularization::feedback_spectrum(Weight weight) const {
  std::vector<std::complex<double>> all;
  for (const auto& mu : eigenvalues(weight)) all.insert(all.end(), 2, -mu / eps_);
  return all;
}

}  // namespace dalembert
