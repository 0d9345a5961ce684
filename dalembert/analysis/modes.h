// Eigenvalues and eigenvectors of y' = A y, with the zero ones told apart by rank.
//
// Zero eigenvalues of a mechanism come in chains (a free body: its position stands still, or moves on), which rounding spreads to
// +-sqrt(eps) and beyond. They are taken out first: an orthonormal basis of the null space of A, then of that of what is left, until
// nothing is left that is singular,
//
//   Q'A Q = [N  B]      N nilpotent, R regular: the other eigenvalues are those of R, and their vectors Q (x1, x2) have
//           [0  R]      R x2 = s x2, (s - N) x1 = B x2.
#pragma once

#include <complex>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

struct Mode {
  std::complex<double> value;
  Eigen::VectorXcd shape;  ///< of unit length

  bool oscillates() const { return value.imag() != 0; }
  double frequency() const;  ///< |Im|/(2 pi)
  double damping() const;    ///< -Re/|value|: 1 and more for what does not oscillate
  enum class Fate { decays, lasts, grows } fate = Fate::lasts;
};

struct Modes {
  /// One for each real eigenvalue and each pair, with Im >= 0: first what grows, then by size.
  std::vector<Mode> all;
  Eigen::Index zeros = 0;  ///< eigenvalues that are zero, counted with multiplicity
  Matrix still;            ///< orthonormal columns that A maps to zero

  bool any(Mode::Fate) const;
  std::vector<std::complex<double>> values()
      const;  ///< all of them, pairs and zeros too, by growing real part
};

Modes modes_of(const Matrix& A);

/// Columns with the same span in reduced echelon form, the largest entries being pivots: each has an entry of its own. Those that
/// depend on others are left out.
Matrix echelon(Matrix);

}  // namespace dalembert
