// Displacements of a whole step: q o u to second order in u.
#pragma once

#include <memory>

#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// advance() need not follow q' = N(q) u/h beyond first order: what two half displacements add to a whole one is added once
/// more. Rotations moved by their exponential are not changed by that.
class SecondOrderAdvance {
 public:
  void bind(const Mechanical& problem) {
    const auto n = problem.sizes();
    problem_ = &problem;
    half_ = problem.placement();
    half_->q = half_q_ = Vector::Zero(n.q);
    half_u_ = Vector::Zero(n.v);
  }
  void move(const Placement& from, In u, Out q) {
    problem_->advance(from, u, q);
    if (problem_->plain()) return;
    half_u_ = u / 2;
    problem_->advance(from, half_u_, half_->q);
    half_->t = from.t;
    problem_->place(*half_);
    problem_->advance(*half_, half_u_, half_q_);
    q = 2 * half_q_ - q;
  }

 private:
  const Mechanical* problem_ = nullptr;
  std::unique_ptr<Placement> half_;
  Vector half_u_, half_q_;
};

}  // namespace dalembert
