// The rank of a matrix whose entries are known to so much only, each of its own.
//
//   r A c, with powers of two r and c that bring the largest entries of all rows and columns near 1 [Ruiz2001]
//
// Rows of which little is known are made smaller again, or what is all but doubt would be as large as the rest. Singular values of it that the doubt, scaled alike, could have made are zero: an entry that is small beside others is no reason to drop it. Null vectors are given
// in reduced echelon form, so that what is exact stays so.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// Powers of two for rows and columns.
struct Alike {
  explicit Alike(Matrix sizes);
  template <class M>
  M operator()(const M& A) const {
    return rows.asDiagonal() * A * columns.asDiagonal();
  }
  Vector rows, columns;
};

struct KnownRank {
  Eigen::Index rank = 0;
  Vector singular_values;          ///< of r A c
  double doubt = 0;                ///< what is below may be zero
  Matrix null;                     ///< columns with A null = 0
  std::vector<Eigen::Index> unit;  ///< the rows of `null` that are those of the identity
};

/// Each entry is wrong by that of `doubt`, at most. Singular values below `least` are zero, whatever the doubt.
KnownRank known_rank(const Matrix& A, const Matrix& doubt, double least = 0);

/// Without signs. What is not zero is known to no better than this part of eps of the largest of its row.
Matrix blurred(const Matrix& A, double part);

/// What is known of the solution of A y = b.
struct KnownSolution {
  /// What belongs to singular values that may be zero, or are less than `least` of the largest one, is left out.
  KnownSolution(const Matrix& A, const Matrix& doubt, const Vector& b, double least);
  Vector y;     ///< of least size, columns scaled alike
  Matrix null;  ///< columns with A null = 0
};

/// Of a matrix that is regular, however different its entries are in size.
/// To reduced echelon form, the largest entries being pivots; their rows. Columns have to be independent; what rounding has left of zeros becomes 0.
std::vector<Eigen::Index> reduce_columns(Matrix& X);

Matrix inverse_of(const Matrix&);

}  // namespace dalembert
