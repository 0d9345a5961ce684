// Velocities that satisfy their rows, by as many numbers e as there are degrees of freedom:
//
//   J v + w = 0:   v = T e + v_p,   J T = 0,  J v_p = -w        [MantegazzaMasarati2012, (17), (25)]
//
// T is a smooth function of J within a chart, fixed by what is chosen at the chart's origin; where a chart is worn out a
// new origin is chosen. Of the derivative v' = T e' + h, h = T'e + v_p' (primes: d/dt), the rows say J h = -bias. What they
// do not say is T^T h. Rows are independent; their transpose Jt is what is passed around.
#pragma once

#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/vector.h"
#include "dalembert/formulation/null_space/orthonormal_basis.h"
#include "dalembert/linear/symmetric_eigen.h"

namespace dalembert {

class NullSpaceChart {
 public:
  virtual ~NullSpaceChart() = default;
  /// As if just made: no origin was chosen yet.
  virtual void reset() = 0;
  /// Its origin; move() follows where it is put back.
  virtual void remember(Memory&) = 0;
  /// A new origin at these rows.
  virtual Outcome settle(const Matrix& Jt) = 0;
  /// T and what belongs to it at these rows.
  virtual Outcome move(const Matrix& Jt) = 0;
  const Matrix& T() const { return T_; }

  /// u with J u = rows: v_p = particular(-w).
  virtual void particular(In rows, Out u) const = 0;
  /// l with J'l = force, for a force that is one of constraints.
  virtual void reactions(In force, Out l) const = 0;
  virtual void coordinates(In v, Out e) const = 0;
  /// Moves the origin here if that changes neither T nor its derivative: a step has been accepted.
  virtual void follow() {}
  /// Has J moved so far that another origin would do better?
  virtual bool worn() const = 0;

  /// Does h have a part along T? Then turn() wants J'.
  virtual bool turns(In /*w*/) const { return false; }
  /// T x is that part.
  virtual void turn(const Matrix& /*dJt*/, In /*w*/, In /*e*/, Out x) const { x.setZero(); }

 protected:
  Matrix T_;  // size x degrees of freedom
};

/// Some velocities are e themselves, chosen by elimination with complete pivoting; the rows give the others:
///
///   v_a = e,  v_o = -J_o^-1 (J_a e + w)                      [WehageHaug1982], [MantegazzaMasarati2012, (16)]
class CoordinateChart final : public NullSpaceChart {
 public:
  /// Worn where an entry of J_o^-1 J_a exceeds `limit`; never for 0.
  CoordinateChart(Eigen::Index size, Eigen::Index rows, double limit);
  void reset() override;
  void remember(Memory& memory) override { memory(order_, T_); }
  Outcome settle(const Matrix& Jt) override;
  Outcome move(const Matrix& Jt) override;
  void particular(In rows, Out u) const override;
  void reactions(In force, Out l) const override;
  void coordinates(In v, Out e) const override;
  bool worn() const override;

 private:
  double largest_entry() const { return X_.size() > 0 ? X_.cwiseAbs().maxCoeff() : 0; }

  Eigen::Index n_, r_;
  double limit_;
  std::vector<Eigen::Index> order_;  // the free ones, then the others
  Eigen::FullPivLU<Matrix> choice_;
  Eigen::PartialPivLU<Matrix> factors_;
  Matrix scaled_, Jo_, inverse_, identity_, Ja_, X_;  // X = J_o^-1 J_a
  mutable Vector part_;
};

/// T orthonormal, v_p the shortest. A basis Q2 as it comes is turned to lie nearest to that of the origin,
///
///   T = Q2 W (W'W)^-1/2,  W = Q2'T0:   S = T'T0 is symmetric, e = T'v,
///   T'h = Omega e - T'(J')^T (J J')^-1 w,  Omega S + S Omega = K' - K,  K = T'(J')^T J^+T T0   ((J')^T: dJ/dt, transposed)
///
/// e keeps its values where T0 is replaced by T. Worn at angles beyond 30 degrees; of one column only the sign depends on T0.
class AlignedChart final : public NullSpaceChart {
 public:
  enum class Alignment { carried, none };  ///< none: Q2 as it comes, and nothing said about T^T h: wrong
  AlignedChart(Eigen::Index size, Eigen::Index rows, Orthonormal, Alignment);
  void reset() override;
  void remember(Memory& memory) override { memory(T0_, T_); }
  Outcome settle(const Matrix& Jt) override;
  Outcome move(const Matrix& Jt) override;
  void particular(In rows, Out u) const override { u.noalias() = inverse_ * rows; }
  void reactions(In force, Out l) const override { l.noalias() = inverse_.transpose() * force; }
  void coordinates(In v, Out e) const override { e.noalias() = T_.transpose() * v; }
  void follow() override;
  bool worn() const override;
  bool turns(In w) const override;
  void turn(const Matrix& dJt, In w, In e, Out x) const override;

 private:
  Outcome invert(const Matrix& Jt);  ///< J^+ = Q1 (J Q1)^-1
  Outcome align();
  const Matrix& B() const { return square_.vectors(); }

  Eigen::Index n_, r_, d_;
  Alignment alignment_;
  OrthonormalBasis basis_;
  Eigen::PartialPivLU<Matrix> factors_;
  SymmetricEigen square_;  // of W'W = B Sigma^2 B'
  Matrix T0_, JQ_, identity_, small_inverse_, inverse_, W_, WtW_, U_;
  Vector sigma_;
  mutable Matrix dJT_, JT0_, K_, BK_;
  mutable Vector l_, u_, along_, turned_;
};

}  // namespace dalembert
