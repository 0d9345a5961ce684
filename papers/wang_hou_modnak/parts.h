// The pieces of an iterative method for constrained dynamic problems, [WangHouModnak2011].
#pragma once

#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "papers/paper.h"

namespace dalembert::wang_hou_modnak {

/// (16)-(19) as they stand, or with C of (62), (72), (73) as printed.
enum class Signs { corrected, printed };

/// A run to t = 10 as the paper describes it: rows on y, guess (23), no relaxation, absolute norms.
struct Case {
  double dt = 1;
  std::string x = "trapezoid", y = "trapezoid";
  int substeps = 10;
  double tolerance = 1e-6;
  Signs signs = Signs::corrected;
  int passes = 0;  ///< 0: until it converges
  double end = 10;
};
Summary run_case(const Case&);

/// R of x, y and lambda (Euclidean norms) from runs with dt, dt/2, dt/4; `substeps` may depend on dt.
struct Ratios {
  double x, y, lambda;
};
Ratios richardson(Case, const std::function<int(double dt)>& substeps);

PaperPart convergence();  ///< Table 1 and the counts in the text
PaperPart accuracy();     ///< Table 2, and errors against exact digits
PaperPart constraint();   ///< Table 3
PaperPart runge_kutta();  ///< Table 4
PaperPart mixed();        ///< explicit Euler for x, trapezoid for y
PaperPart theory();       ///< E, F, beta, gamma

}  // namespace dalembert::wang_hou_modnak
