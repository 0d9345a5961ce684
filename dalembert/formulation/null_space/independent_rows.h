// A mechanical problem without the constraint rows that follow from others: the same motion, and rows every formulation
// and method can work with.
//
//   dropped rows = C kept rows        M x + K'c = d', K x = 0:  c a row of C, M x what it leaves of the dropped row d
//   l of least norm with J'l = K'k:   l_dropped = (I + C C')^-1 C k,  l_kept = k - C'l_dropped
//
// States are widened to those of the original problem, whose multipliers are then the ones of least norm. Holds the
// work space of one run.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/formulation/formulation.h"
#include "dalembert/linear/saddle/saddle_point.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

class IndependentRows final : public Mechanical {
 public:
  /// kept: rows of the original, ascending. may_leave: residuals of the others that are no conflict; more where they follow from the
  /// kept ones only roughly.
  IndependentRows(const Mechanical& original, std::vector<Eigen::Index> kept, double may_leave = 1e-7);

  const Mechanical& original() const { return all_; }
  const std::vector<Eigen::Index>& dropped() const { return dropped_; }

  /// The state of the original problem; its multipliers are NaN if only coordinates are asked for, or cannot be had.
  void widen(const State& mine, State& original, Depth) const;
  void narrow(const State& original, State& mine) const;

  /// How dropped rows follow from the kept ones at a position.
  struct Dependence {
    double coefficient =
        0;  ///< largest |c| between rows of unit length: above 1, other rows were a better choice
    double sticking_out = 0;  ///< of a unit row that is not in the span of the kept ones
  };
  Dependence dependence(double t, In q) const;
  /// Largest residual of the dropped rows, |g| or |J v + w|, beyond what those of the kept rows explain.
  struct Conflict {
    double size = 0;
    Eigen::Index row = 0;  ///< of the original
  };
  Conflict conflict(const State& mine) const;

  // Mechanical, of the kept rows.
  Sizes sizes() const override { return n_; }
  Layout layout() const override;
  State start() const override;
  double end() const override { return all_.end(); }
  std::optional<State> exact(double t) const override;
  std::vector<double> breaks(double begin, double end) const override { return all_.breaks(begin, end); }
  bool switches() const override { return all_.switches(); }
  Piece piece(const State& state) const override { return all_.piece(state); }
  const Events* events() const override { return events_ ? events_.get() : nullptr; }
  std::unique_ptr<Placement> placement() const override { return all_.placement(); }
  void place(Placement& at) const override { all_.place(at); }
  void tangent(const Placement& at, In u, Out dq) const override { all_.tangent(at, u, dq); }
  void advance(const Placement& at, In u, Out q) const override { all_.advance(at, u, q); }
  void difference(In from, In to, Out u) const override { all_.difference(from, to, u); }
  void mass(const Placement& at, Entries& M) const override { all_.mass(at, M); }
  void force(const Placement& at, In v, In s, Out f) const override { all_.force(at, v, s, f); }
  void auxiliary(const Placement& at, In v, In s, Out ds) const override { all_.auxiliary(at, v, s, ds); }
  void jump(const Placement& before, const Placement& after, Out s) const override {
    all_.jump(before, after, s);
  }
  std::vector<Eigen::Index> turn_counters() const override { return all_.turn_counters(); }
  void g(const Placement&, Out residual) const override;
  void jacobian(const Placement&, Entries& J) const override;
  void velocity_bias(const Placement&, Out w) const override;
  void bias(const Placement&, In v, Out bias) const override;
  std::optional<double> energy(const Placement& at, In v, In s) const override {
    return all_.energy(at, v, s);
  }
  double power(const Placement& at, In v, In s) const override { return all_.power(at, v, s); }
  bool conservative() const override { return all_.conservative(); }
  void derivatives(const Placement&, In v, In s, In a, In l, Derivatives&) const override;
  bool plain() const override { return all_.plain(); }
  void kinematics(const Placement& at, In v, Kinematics& k) const override { all_.kinematics(at, v, k); }

 private:
  class WidenedEvents;

  void pick(const Vector& from, Out to) const;
  void put_kept(const Entries& all, Entries& kept) const;
  Outcome solve_for_coefficients(double t, In q) const;  ///< C_, and x_ of each dropped row

  const Mechanical& all_;
  std::vector<Eigen::Index> kept_, dropped_;
  std::vector<Eigen::Index> place_;  // of each row among the kept ones; none: dropped
  Sizes n_, n_all_;
  double may_leave_;
  MechanicalState part_, part_all_;
  std::unique_ptr<Events> events_;

  mutable Vector rows_, gap_, l_;
  mutable Entries J_all_;
  mutable Derivatives d_all_;
  // Of the coefficients.
  mutable std::unique_ptr<Placement> at_;
  mutable SaddlePoint saddle_;
  mutable Statistics unseen_;
  mutable Entries M_, K_;
  mutable Vector x_, length_;
  mutable Matrix C_, left_, gram_;  // left_: what is left of the dropped rows, as columns
};

}  // namespace dalembert
