// Runge-Kutta coefficients, read from a picture of the tableau.
//
//     0   |
//     1/2 | 1/2
//     1   | -1  2
//     ----+-------------
//         | 1/6 2/3 1/6        the weights b
//         | 0   1   0          (optional) the embedded weights
//
// A coefficient is a sum of terms without blanks: 19372/6561, -0.25, 2/5-1/10r, where r is the square root of 6.
// The text is the only place where a coefficient is written: methods read it as doubles, the order-condition engine
// reads the same text exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

struct Tableau {
  /// Throws Error, naming the row, if the picture is not a strictly lower triangular tableau with c = row sums.
  static Tableau parse(std::string_view picture);
  /// The same, read once per process: for pictures that are constants of the program.
  static const Tableau& of(const char* picture);

  Eigen::Index stages = 0;
  Matrix A;         ///< strictly lower triangular
  Vector b, c;      ///< weights and nodes
  Vector embedded;  ///< empty if there are none

  std::vector<std::vector<std::string>> A_text;  ///< row i holds the i texts a_i1 .. a_i,i-1
  std::vector<std::string> b_text, c_text, embedded_text;
};

/// One coefficient as a sum of terms (numerator, denominator, times r or not), shared by the double and exact readers.
struct CoefficientTerm {
  std::string numerator, denominator;  ///< decimal numbers; denominator "1" if not written
  bool negative = false, times_r = false;
};
std::vector<CoefficientTerm> coefficient_terms(
    std::string_view text);  ///< throws Error if it is not a coefficient
double coefficient(std::string_view text);

}  // namespace dalembert
