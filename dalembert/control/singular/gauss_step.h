// One long step over a position where the rows become dependent: Gauss collocation whose nodes keep away from it.
//
//   Y_i = y_0 + H sum_j a_ij F(P(Y_j)),   y = (q, v, s),   y_1 = P(y_0 + H sum_j b_j F(P(Y_j)))
//
// P moves positions and velocities onto the constraints, F is (N v, v', s'). There is no node at the start, so that a
// step may begin on the singular position itself. Solved by Picard's iteration: the motion is smooth, and all stages
// start on the branch it comes from, each predicted from the one before.
#pragma once

#include <string>
#include <vector>

#include "dalembert/control/singular/branch.h"
#include "dalembert/method/method.h"

namespace dalembert {

/// Gauss's formula with s nodes [HairerWanner1996, IV.5].
struct GaussFormula {
  explicit GaussFormula(int nodes);
  int nodes() const { return static_cast<int>(c.size()); }
  /// The integrals of Lagrange's polynomials from 0 to theta.
  void weights(double theta, Out w) const;
  /// How near the nearest node of a step H comes to a time `ahead` of its start.
  double clearance(double H, double ahead) const;
  double central_gap() const;  ///< half the distance between the nodes in the middle, for H = 1

  Vector c, b;
  Matrix A, legendre;  ///< legendre(k,i) f_i summed over i: the coefficient of P_k in f
};

/// How one try of a singular step went, apart from its Attempt.
struct GaussStepQuality {
  double drift = 0;     ///< how far the end was moved onto the constraints, in units of the tolerance
  RankCheck end;        ///< from there
  std::string trouble;  ///< "" if it converged
};

class GaussStep final : public Method {
 public:
  GaussStep(Branch&, const GaussFormula&, double tolerance);

  /// The whole step from a state on the constraints, with the singular position `ahead`. `noise` is what rounding adds to
  /// each sweep, in units of the tolerance.
  Attempt solve(const State& from, double H, double ahead, double noise);
  const GaussStepQuality& quality() const { return quality_; }
  const State& end() const { return end_; }
  double length() const { return H_; }

  /// The path through the projected nodes: q with its rates, and v. It is on the branch as exactly as they are.
  void path(double theta, Out q, Out v) const;

  /// v' at a time inside, from the nodes, which keep away from the position: what is known there beside q and v.
  void acceleration(double t, Out a) const;

  // As a method, so that outputs and events find their way inside: a shorter attempt is a point of the singular step.
  void bind(const Problem&, const Setting&) override {}
  Attempt attempt(const State& from, double h, State& to) override;
  void interpolate(double theta, State&) override;

 private:
  struct Node {
    Vector y;     // (q, v, s), as collocation has it
    Vector q, v;  // projected
    Vector rate;  // (N v, v', s')
  };
  void rate_at_start(double ahead);
  bool evaluate(double t, Node&);
  void predict(int i);
  double sweep();  // new Y from the rates; returns the largest change in units of the tolerance
  double decay() const;
  double scaled(In change, In size) const;

  Branch& branch_;
  const GaussFormula& gauss_;
  double tolerance_;
  MechanicalState part_;
  State from_, end_;
  Vector raw_end_, next_, l_, weights_, start_rate_;
  double H_ = 0, h_ = 0;  // of the whole step, and of the last attempt
  std::vector<Node> nodes_;
  GaussStepQuality quality_;
};

}  // namespace dalembert
