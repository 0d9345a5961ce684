#include "dalembert/formulation/by_index/velocity_level.h"

#include "dalembert/core/rounding.h"

namespace dalembert {

VelocityLevel::VelocityLevel(const Mechanical& problem, Statistics& statistics)
    : part_(problem.sizes()), mechanics_(problem, Symmetry::unsymmetric, statistics) {
  at_ = mechanics_.make_placement();
}

void VelocityLevel::reset() {
  mechanics_.reset();
  bound_ = false;  // masses are inverted in an order that suits the first point asked for
}

void VelocityLevel::f(double t, In y, In z, Out dy) const {
  const Mechanical& problem = mechanics_.problem();
  const auto v = part_.v(y), s = part_.s(y);
  mechanics_.problem().place_at(*at_, t, part_.q(y));
  problem.mass(*at_, M_);
  problem.jacobian(*at_, J_);
  if (!bound_) {
    inverse_mass_.bind(v.size(), 0, M_, Entries{}, Symmetry::symmetric);
    bound_ = true;
  }
  auto a = part_.v(dy);
  problem.force(*at_, v, s, a);
  J_.multiply_transposed(z, -1, a);
  if (inverse_mass_.solve(M_, Entries{}, Entries{}, a, mechanics_.statistics()) != Outcome::ok)
    a.setConstant(not_a_number);
  problem.tangent(*at_, v, part_.q(dy));
  if (s.size() > 0) problem.auxiliary(*at_, v, s, part_.s(dy));
}

void VelocityLevel::g(double t, In y, Out residual) const {
  mechanics_.problem().place_at(*at_, t, part_.q(y));
  mechanics_.problem().jacobian(*at_, J_);
  mechanics_.problem().velocity_bias(*at_, residual);
  J_.multiply(part_.v(y), 1, residual);
}

namespace {

/// Writes the Jacobian of `evaluate` with respect to x by central differences.
template <class Evaluate>
void differentiate(In x, Eigen::Index rows, Entries& jacobian, Evaluate&& evaluate) {
  Vector at = x, plus(rows), minus(rows);
  jacobian.begin();
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double step = central_difference * (1 + std::abs(x[j]));
    at[j] = x[j] + step;
    evaluate(at, plus);
    at[j] = x[j] - step;
    evaluate(at, minus);
    at[j] = x[j];
    for (Eigen::Index i = 0; i < rows; ++i) jacobian.add(i, j, (plus[i] - minus[i]) / (2 * step));
  }
  jacobian.end();
}

}  // namespace

void VelocityLevel::f_y(double t, In y, In z, Entries& jacobian) const {
  differentiate(y, y.size(), jacobian, [&](In at, Out out) { f(t, at, z, out); });
}

// f is linear in z, so differences of any size are exact up to rounding.
void VelocityLevel::f_z(double t, In y, In z, Entries& jacobian) const {
  differentiate(z, y.size(), jacobian, [&](In at, Out out) { f(t, y, at, out); });
}

void VelocityLevel::g_y(double t, In y, Entries& jacobian) const {
  differentiate(y, mechanics_.sizes().rows(), jacobian, [&](In at, Out out) { g(t, at, out); });
}

void VelocityLevel::g_t(double t, In y, Out rate) const {
  const double step = central_difference * (1 + std::abs(t));
  Vector before(rate.size());
  g(t - step, y, before);
  g(t + step, y, rate);
  rate = (rate - before) / (2 * step);
}

Outcome VelocityLevel::project(double t, Out y) const {
  return mechanics_.project(t, part_.q(y), part_.v(y));
}

Outcome Index2Formulation::recover(const State& rewritten, State& original, Depth depth) const {
  const MechanicalState& part = index2_.parts();
  original = rewritten;
  auto l = part.multipliers(original.y);
  l.setConstant(not_a_number);
  if (depth != Depth::multipliers) return Outcome::ok;
  return index2_.mechanics().accelerate(rewritten.t, part.q(rewritten.y), part.v(rewritten.y),
                                        part.s(rewritten.y), {}, a_, l);
}

}  // namespace dalembert
