// The equations of one step of the generalized-alpha family (generalized_alpha.h), and Newton's iteration for them.
//
// Unknowns are (u, [p], s, k (lambda, mu), [h eta]); p = u + h G_n' eta is what the accelerations see. Those in brackets
// belong to the stabilised form. k brings multipliers to the size of displacements.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dalembert/core/memory.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/method/structural/second_order_advance.h"

namespace dalembert {

/// The coefficients that make a member of the family.
struct AlphaScheme {
  std::string name;
  double alpha_m = 0, alpha_f = 0;
  double b0 = 0, b1 = 1, g0 = 0, g1 = 1;
  enum class Form { index3, stabilised } form = Form::index3;
  enum class AtInfinity { damped, undamped } at_infinity = AtInfinity::damped;

  /// Chung and Hulbert's coefficients [ChungHulbert1993] for a spectral radius at infinity.
  static AlphaScheme tuned(double rho_inf);
};

class AlphaStep {
 public:
  /// Velocities or first-order states: value x, its derivative dx, and the auxiliary a with which it moves.
  struct Moving {
    void remember(Memory& memory) { memory(x, dx, a); }
    Vector x, dx, a;
  };
  struct Motion {
    Moving v, s;
  };

  void bind(const AlphaScheme&, const Mechanical&, Statistics&);
  /// As if just bound: forgets the run before.
  void reset();
  /// Steps begin at this q from now on.
  void leave(const State& from);
  /// Finds next() and q() a step later, from now().
  Outcome solve(double h, const State& from);
  void remember(Memory& memory) { memory(now_.v, now_.s, *newton_.matrix, newton_.good, newton_.h); }
  void forget_matrix() { newton_.good = false; }
  void accept() { std::swap(now_, next_); }

  Motion& now() { return now_; }    ///< at t_n
  Motion& next() { return next_; }  ///< at t_{n+1}
  const Vector& q() const { return at_->q; }
  auto displacement() const { return x_.head(n_.v); }  ///< u
  void multipliers(double h, Out) const;
  const Entries& rows_at_start() const { return J_from_; }
  void move(In u, Out q) { advance_.move(*from_, u, q); }  ///< q_n o u

 private:
  /// Where the unknowns begin; the first ones are u.
  struct Offsets {
    Eigen::Index p = 0, s = 0, l = 0, eta = 0, size = 0;
  };
  struct Scales;
  /// The iteration matrix and what it is made of.
  struct Newton {
    std::optional<IterationMatrix> matrix{};
    Derivatives d{};
    Entries G{}, B{};
    bool good = false;
    double h = 0;
  };
  enum class MatrixAge { old, fresh };

  bool stabilised() const { return scheme_.form == AlphaScheme::Form::stabilised; }
  Outcome iterate(const Scales&, double t, MatrixAge);
  void evaluate(const Scales&, double t);  ///< next_ and residual_ at the unknowns x_
  Outcome renew(const Scales&);

  AlphaScheme scheme_;
  const Mechanical* problem_ = nullptr;
  Statistics* statistics_ = nullptr;
  Mechanical::Sizes n_;
  Offsets at_x_;
  SecondOrderAdvance advance_;
  Newton newton_;
  Motion now_, next_;
  Vector x_, residual_, guess_, row_;
  std::unique_ptr<Placement> from_, at_;
  Entries M_, J_, J_from_, G_from_;
};

}  // namespace dalembert
