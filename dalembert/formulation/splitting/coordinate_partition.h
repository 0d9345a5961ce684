// Coordinates split into free ones X and ones Y that the constraints determine, and the projector that goes with them
// [YenPetzold1998, 2.1]:
//
//   P(q) r = X'(r + J's),   s = -(J Y)^-T Y'r,   so that P J' = 0
//
// For fixed X and Y the derivative of P(q) r is P (J's)_q [YenPetzold1998, (2.9)]: differentiate J's with s held.
// The rows of P are not orthonormal: P P' = I + Q'Q with Q = (J Y)^-1 J X.
#pragma once

#include <optional>

#include "dalembert/core/memory.h"
#include "dalembert/linear/iteration_matrix.h"

namespace dalembert {

class CoordinatePartition {
 public:
  enum class Basis {
    coordinates,  ///< X and Y are columns of I, from Gaussian elimination of J' with row exchanges
    orthonormal   ///< Y, X = Q1, Q2 of J' = Q1 R [YenPetzold1998, Remark 2.2]
  };

  /// For the first `rows` rows of Jacobians with `columns` columns. `forced` must be free (only if one coordinate is).
  void bind(Eigen::Index rows, Eigen::Index columns, Basis, std::optional<Eigen::Index> forced);
  Eigen::Index free() const { return n_ - m_; }

  /// A new X and Y for this J; singular if its rows depend on each other.
  Outcome choose(const Entries& J);
  /// Keeps X and Y, and evaluates P for this J.
  Outcome place(const Entries& J);

  /// The choice, and the J that P was evaluated for.
  void remember(Memory&);

  /// p = P r
  void project(In r, Out p) const;
  /// s = -(J Y)^-T Y'r
  void multipliers(In r, Out s) const;
  /// By how much a change of all coordinates along the constraints is longer than that of each free one: sqrt(1 + |Q e_i|^2), the
  /// length of a row of P, with |Q| = kappa of [YenPetzold1998, (2.27)].
  void magnify(Out factors) const;
  /// The entries X takes, ascending; of no meaning for an orthonormal basis.
  const std::vector<Eigen::Index>& free_coordinates() const { return x_; }

 private:
  void read(const Entries& J);
  Outcome factor();  ///< Y'J'
  Outcome choose_coordinates();
  Outcome choose_orthonormal();

  Eigen::Index m_ = 0, n_ = 0;
  Basis basis_ = Basis::coordinates;
  std::optional<Eigen::Index> forced_;
  std::vector<Eigen::Index> x_, y_, order_;
  Matrix Jt_, A_, X_, Y_, Q_;  // A_: J' to be eliminated
  Entries small_;              // Y'J'
  std::optional<IterationMatrix> factors_;
  Outcome state_ = Outcome::ok;  // unless ok, whatever is projected is NaN
  mutable Statistics unseen_;    // small solves are not those of the run
  mutable Vector s_, full_, column_, unit_, image_;
};

/// Q = [range of A, its orthogonal complement] by Householder reflections; A is overwritten by R. Allocates nothing.
void complete_basis(Matrix& A, Matrix& Q, Vector& work);

}  // namespace dalembert
