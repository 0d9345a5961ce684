// The way back onto the constraints: F(z) h(z) with F = D E [AscherChinReich1994; AscherLin1997, (4.10)].
//
//   h = (g; J v + w),   H = h_z = [G 0; L J],   L = (J v + w)_q
//
//   D  kinetic     blockdiag(M^-1 G', M^-1 J')     E  inverse     (H D)^-1: z - F h cancels h to first order
//      transposed  blockdiag(G', J')                  blocks      (H D)^-1 without L, and so without g_qq
//      full        H'                                 identity    I
//                                                     symmetric   (H D)'
//
// Kinetic with blocks is (5.2) of [AscherLin1997]. Velocities are moved by J' of all rows; positions, where D is
// kinetic and E an inverse, only along directions that the velocity-level rows allow.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "dalembert/constraints/mechanics.h"

namespace dalembert {

struct ReturnChoice {
  enum class D { kinetic, transposed, full } d = D::kinetic;
  enum class E { inverse, blocks, identity, symmetric } e = E::inverse;
};

class ConstraintReturn {
 public:
  ConstraintReturn(const Mechanical&, ReturnChoice);

  /// u and dv, displacements in velocity space: z - F h is q moved by -u, v - dv. At the point where `mechanics` was
  /// evaluated or factored last, whose factors it uses. Nothing is allocated.
  Outcome operator()(Mechanics&, In v, In s, Out u, Out dv);

  /// What h' = (h_2, 0) - gamma H F h makes of the errors at the given point; -gamma throughout for E = inverse.
  std::vector<std::complex<double>> spectrum(Mechanics&, In v, In s, double gamma);

 private:
  /// Do the factors of the system of mass and constraints give F h?
  bool factored() const {
    return choice_.d == ReturnChoice::D::kinetic &&
           (choice_.e == ReturnChoice::E::inverse || choice_.e == ReturnChoice::E::blocks);
  }
  /// F times what stands in h_.
  Outcome apply(Mechanics&, In v, In s, Out u, Out dv);
  Outcome with_factors(Mechanics&, In v, Out u, Out dv);
  Outcome with_matrices(const Placement&, In v, In s, Out u, Out dv);
  /// H, D and H D at the point.
  Outcome form(const Placement&, In v, In s);
  void residuals(const Placement&, In v);
  /// L u, by a difference along u.
  void turn_rows(const Placement&, In v, In u, Out Lu);
  void velocity_rows(const Placement&, const Entries& J, In v, Out r) const;

  const Mechanical& problem_;
  ReturnChoice choice_;
  Mechanical::Sizes n_;
  std::unique_ptr<Placement> moved_;
  Entries M_, J_, J_moved_;
  Derivatives derivatives_;
  Vector h_, x_, row_, other_, zero_a_, zero_l_, e_, q_;
  Matrix H_, D_, HD_, mass_, kinetic_;
  Eigen::LLT<Matrix> mass_factors_;
  Eigen::PartialPivLU<Matrix> factors_;
};

}  // namespace dalembert
