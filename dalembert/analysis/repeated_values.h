// Eigenvalues that lie so close that entries do not tell them apart, as the copies of one value that has fewer shapes than copies.
//
// Each of k copies may be off by the k-th root of an error, and |y|' doubt |x|/|y'x| says nothing where y'x vanishes. What all of
// them are together is well known [BaiDemmelMcKenney1993]: with bases A X = X B and Y'A = C Y' of their invariant subspace, and its
// projector P = X (Y'X)^-1 Y',
//
//   mean = tr(B)/k,   known to sum |P_ji| doubt_ij / k,   and none is farther from it than those of B + (Y'X)^-1 Y' dA X.
//
// Values are brought together nearest first, as long as what is known of them does not separate them.
#pragma once

#include <complex>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// Values that are not told apart; most often one.
struct RepeatedValue {
  std::vector<std::complex<double>> members;  ///< as computed
  std::complex<double> mean;                  ///< real if conjugates are among them
  double mean_error = 0;
  double radius = 0;  ///< of a circle about the mean in which all of them are; of a single one its error

  std::size_t copies() const { return members.size(); }
};

/// What lies where of A, whose entries are wrong by `doubt` at most. Values are all that are not zero, with the error that each one has to first
/// order; `zeros`: A has zeros as well.
std::vector<RepeatedValue> repeated_values(const Matrix& A, const Matrix& doubt,
                                           const std::vector<std::complex<double>>& values,
                                           const std::vector<double>& errors, bool zeros);

}  // namespace dalembert
