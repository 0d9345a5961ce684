// Inside a step of a method for second-order equations: cubic Hermite, with accelerations at both ends.
#pragma once

#include "dalembert/method/structural/second_order_advance.h"

namespace dalembert {

/// Both ends of a step. Displacements are taken in the tangent space of where it begins; s and multipliers are linear.
struct WholeStep {
  State start, end;
  Vector u, a_start, a_end;  // displacement of the step, accelerations

  void bind(const Mechanical& problem) {
    const auto n = problem.sizes();
    start.y = end.y = Vector::Zero(problem.layout().size());
    u = a_start = a_end = moved_ = Vector::Zero(n.v);
    advance_.bind(problem);
    n_ = n;
  }
  void begin(const State& from) { start.t = from.t, start.y = from.y; }
  void finish(double t, In q, In v, In s, In l, State& to) {
    const MechanicalState part(n_);
    to.t = t;
    part.q(to.y) = q;
    part.v(to.y) = v;
    part.s(to.y) = s;
    part.multipliers(to.y) = l;
    end.t = t, end.y = to.y;
  }
  void at(double theta, const Placement& from, State& state) {
    const MechanicalState part(n_);
    const double h = end.t - start.t, bend = theta * (1 - theta);
    state.t = start.t + theta * h;
    state.y = start.y + theta * (end.y - start.y);
    moved_ = theta * u + bend * ((1 - theta) * (h * part.v(start.y) - u) - theta * (h * part.v(end.y) - u));
    advance_.move(from, moved_, part.q(state.y));
    moved_ = part.v(end.y) - part.v(start.y);
    part.v(state.y) += bend * ((1 - theta) * (h * a_start - moved_) - theta * (h * a_end - moved_));
  }
  /// q_n o d.
  void move(const Placement& from, In d, Out q) { advance_.move(from, d, q); }

 private:
  SecondOrderAdvance advance_;
  Mechanical::Sizes n_;
  Vector moved_;
};

}  // namespace dalembert
