// A mechanical problem as an Ode in positions and the coordinates e of its admissible velocities [MantegazzaMasarati2012,
// (17)-(23)]:
//
//   q' = N v,   v = T e + v_p,   T'M T e' = T'(f - M h),   s' = k
//
// with J T = 0, J v_p = -w and v' = T e' + h. T comes from a chart (null_space_chart.h): h has all its terms, so that a
// method keeps its order. Velocities satisfy all rows, positions are brought back onto theirs by project(). Rows that
// depend on others are left aside; reactions are then the smallest that do.
#pragma once

#include <functional>
#include <memory>

#include "dalembert/constraints/position_correction.h"
#include "dalembert/constraints/row_rate.h"
#include "dalembert/core/statistics.h"
#include "dalembert/formulation/null_space/null_space_chart.h"
#include "dalembert/formulation/null_space/row_choice.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

class MaggiEquations final : public Ode, private Invariant {
 public:
  /// Makes the chart for velocities of a size and so many independent rows.
  using MakeChart = std::function<std::unique_ptr<NullSpaceChart>(Eigen::Index size, Eigen::Index rows)>;
  MaggiEquations(const Mechanical&, const MakeChart&, Correction, Statistics&);

  /// As if just made; false where another number of rows is independent now.
  bool reset();
  /// The rows that are kept, the chart, and where it was looked at last.
  void remember(Memory&) const;

  const Mechanical& problem() const { return problem_; }
  Layout layout() const override;
  State start() const override;
  double end() const override { return problem_.end(); }
  void f(double t, In y, Out dy) const override;
  const Invariant* invariant() const override { return n_.rows() > 0 ? this : nullptr; }
  Outcome project(double t, Out y) const override;
  Fault diagnose(double t, In y) const override;

  /// The state (q, e, s) of (q, v, s), in a chart that begins here.
  void enter(double t, In qvs, Out y) const;
  /// (q, v, s)
  Outcome leave(double t, In y, Out qvs) const;
  Outcome multipliers(double t, In y, Out l) const;
  /// Begins a new chart if the one in use is worn out here.
  bool renew(double t, Out y) const;

 private:
  auto q(auto& y) const { return y.segment(0, n_.q); }
  auto e(auto& y) const { return y.segment(n_.q, d_); }
  auto s(auto& y) const { return y.segment(n_.q + d_, n_.s); }

  Outcome go(double t, In q) const;  ///< places at_, with J, w and v_p there
  void read_rows() const;            ///< Jt_, from the rows that are kept
  Outcome settle(double t, In q) const;
  void adopt_basis() const;       ///< T_, after the chart has moved
  void solve_particular() const;  ///< w and v_p at at_
  void particular(In rows, Out u) const;
  void coordinates(In v, Out e) const;
  void velocity(In e) const { v_ = v_p_, v_.noalias() += T_ * e; }
  Outcome reduce(In e, In s, Out de) const;  ///< e', after go() and velocity()
  void keep(In rows, Out kept) const;
  void smallest(In l, Out all) const;  ///< reactions of all rows, from those that are kept

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  Statistics& statistics_;
  // The work space of this run.
  mutable std::unique_ptr<Placement> at_;
  mutable Outcome here_ = Outcome::ok;  // of go(), at at_
  mutable bool left_ = false;           // has a stage left the chart since the last accepted step?
  mutable Entries M_, J_;
  mutable std::unique_ptr<RowChoice> rows_;
  Eigen::Index r_ = 0, d_ = 0;
  Vector length_;  // the chart is one of length_ v: its columns, its e and its angles have one unit
  mutable std::unique_ptr<NullSpaceChart> chart_;
  mutable PositionCorrection correction_;
  mutable RowRate rate_;
  mutable Matrix J_all_, Jt_, Jt_of_chart_, dJt_, T_, MT_, reduced_, E_, EtE_;
  mutable Eigen::LLT<Matrix> factors_, row_factors_;
  mutable Vector M_of_factors_, all_, w_, bias_, v_p_, v_, h_, x_, force_, de_, l_, scaled_;
};

}  // namespace dalembert
