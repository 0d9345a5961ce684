// Eigenvalues and eigenvectors of y' = A y, with the zero ones told apart by rank.
//
// Zero eigenvalues of a mechanism come in chains (a free body: its position stands still, or moves on), which rounding spreads to
// +-sqrt(eps) and beyond. They are taken out first: a basis X of the null space of A, then of that of what is left, until
// nothing is left that is singular,
//
//   T^-1 A T = [N  B]     N nilpotent, R regular: the other eigenvalues are those of R; they and their vectors are refined by
//              [0  R]     inverse iteration with A itself.
//
// Zero is what entries cannot tell from it, each being wrong by so much as its `doubt` says: rows and columns are scaled by powers of
// two until all are alike (a stiff damper beside a weak spring is no reason to drop the spring), and singular values then are compared with
// the doubt, scaled alike. X has unit rows, so that what is exact stays so. Each eigenvalue is known to |y|' doubt |x|/|y'x|, with its
// left and right vectors; those that this does not tell apart are known by their mean (repeated_values.h). What is block triangular is
// taken block by block, since there rounding spreads no copies.
#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

struct Mode {
  std::complex<double> value;
  Eigen::VectorXcd shape;  ///< of unit length

  bool oscillates() const { return value.imag() != 0; }
  double error = 0;  ///< of the value, from the doubt about entries
  /// Not known to differ from zero.
  bool maybe_zero() const { return std::abs(value) <= error; }
  double frequency() const;  ///< |Im|/(2 pi)
  double damping() const;    ///< -Re/|value|: 1 and more for what does not oscillate
  /// Unknown: copies decay if they are one value, but entries do not say that they are.
  enum class Fate { decays, lasts, grows, unknown } fate = Fate::lasts;
  /// The value is there more often than it has shapes, and this copy has that of another: t exp(value t) is a motion, too.
  bool chained = false;
};

struct Modes {
  /// One for each real eigenvalue and each pair, with Im >= 0: first what grows, then by size.
  std::vector<Mode> all;
  Eigen::Index zeros = 0;  ///< eigenvalues that are zero, counted with multiplicity
  Matrix still;            ///< columns of unit length that A maps to zero
  double hidden = 0;       ///< so large the zeros could be, for all that entries are known to
  /// The longest chain of zeros, A x_k = x_(k-1), ..., A x_1 = 0: x_1 grows like t^(k-1).
  Eigen::Index zero_chain = 0;
  Matrix moving;  ///< columns of unit length that A maps to `still`, and not to zero
  Matrix driven;  ///< x_1 of the longest ones

  bool any(Mode::Fate) const;
  std::vector<std::complex<double>> values()
      const;  ///< all of them, pairs and zeros too, by growing real part
};

/// Entries are wrong by 1e-13 of the largest one of their row.
Modes modes_of(const Matrix& A);
/// Each entry of A is wrong by that of `doubt`, at most.
Modes modes_of(const Matrix& A, const Matrix& doubt,
               const std::function<void(const std::string&)>& progress = {});

/// Columns with the same span in reduced echelon form, the largest entries being pivots: each has an entry of its own. Those that
/// depend on others are left out.
Matrix echelon(Matrix);

}  // namespace dalembert
