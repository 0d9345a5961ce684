// Exact coefficients of Runge-Kutta methods that compute theirs in doubles: implicit ones.
//
// A collocation method, sum_j a_ij c_j^{k-1} = c_i^k/k for k = 1..s, is known by its nodes. These are recognised as
// numbers p/q + (m/n) sqrt(6), or as roots of a polynomial with rational coefficients and then computed to sixty digits. Of
// other methods each coefficient is recognised for itself. What is recognised is compared with what the method uses: the
// distance is a matter of rounding.
#pragma once

#include <optional>
#include <string>

#include "dalembert/analysis/exact_tableau.h"
#include "dalembert/method/linear_form.h"

namespace dalembert {

/// The number with small numerators and denominators that a double is, up to 1e-13; nothing if there is none.
std::optional<Exact> recognised(double);
std::optional<Exact> recognised(double, double within);

struct RecognisedTableau {
  ExactTableau exact;
  double distance = 0;  ///< largest difference from a coefficient as the method uses it
  std::string how;      ///< "nodes to 60 digits, ..."
};
RecognisedTableau recognised(const RungeKuttaForm&);

}  // namespace dalembert
