// Everything that the linearised equations of a mechanical problem are made of, at one state, as dense matrices.
//
//   M v' = f - J'l,   J v' + bias = 0,   and the derivatives of problem/mechanical.h
//
// Rows may follow from others: J^+ is the pseudo-inverse by unit rows, multipliers are those of least norm. Small displacements u
// (along the tangent, q + N u) of coordinates that are no plain numbers change with the motion itself:
//
//   u' = w + T u,   N T e_j = (N v)_q N e_j - (N e_j)_q N v,
//
// for turns in the frame of a body T = -omega x.
#pragma once

#include "dalembert/linear/decompositions.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// J^+ r, of rows that may follow from each other.
class RowInverse {
 public:
  /// Unit rows that stick out of the span of others by less than `tolerance` follow from them.
  RowInverse(const Matrix& J, double tolerance);
  Matrix operator()(const Matrix& r) const;  ///< of least norm with J x = r
  Vector multipliers(
      const Vector& force) const;  ///< of least norm with J'l = the part of the force that rows can bear
  Eigen::Index rank() const { return cod_.rank(); }

 private:
  Vector lengths_;
  Eigen::Index columns_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod_, transposed_;
  Matrix loose_;  ///< columns with J'loose = 0
};

/// States whose small changes change anything: all but those that count turns.
std::vector<Eigen::Index> felt_states(const Mechanical&);

/// How large positions are along each velocity: 1 for angles; for lengths as far as coordinates reach, and 1 m beyond unless the mechanism is known to be
/// smaller.
Vector sizes_of_positions(const Mechanical&, In q);

/// How time goes on: as it does, or standing still, with drives stopped and loads as they are then.
enum class Time { goes_on, stands_still };

struct MotionTerms {
  /// At positions, velocities and states of their own; accelerations and multipliers follow. Where time stands still, so does
  /// everything: v must be zero.
  MotionTerms(const Mechanical&, double t, In q, In v, In s, double tolerance, Time = Time::goes_on);

  Mechanical::Sizes n;
  double tolerance;
  Matrix M, J, K, D, S, B, k_q, k_v, k_s;
  Matrix K_size, D_size,
      S_size;  ///< sums of what entries are made of, without signs: 1e9 - 1e9 is known to 1e-7 only
  Matrix T;    ///< zero for plain coordinates
  Vector f, bias, w, ds, a, l;
  Matrix free;  ///< Z, orthonormal, J Z = 0
};

/// What rates of states are compared with, each in its own unit: the sum of what they are made of,
///   |k_s| (|s| + least) + |k_q| 1 + |k_v| |v|,
/// so that a rate of 1e-9 of it belongs to a state that is 1e-9 of its size away, or to a displacement of 1e-9. `least` is small for
/// the unit: 1 Pa, 1 mm^3/s.
Vector size_of_rates(const Mechanical&, In s, In v, const Matrix& k_q, const Matrix& k_v, const Matrix& k_s);
/// The largest rate in parts of that.
double unrest(const Vector& rates, const Vector& sizes);

/// Rates of change along the motion, by differences of fourth order.
struct MotionRates {
  Matrix M, J, K, D, B;
  Matrix M_second, K_second, D_second;  ///< the second ones: a rate may vanish at one instant
  Vector a;
};
MotionRates rates_along(const Mechanical&, const State&, const MotionTerms& here);

}  // namespace dalembert
