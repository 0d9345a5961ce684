// The pieces of an iterative method for constrained dynamic problems, [WangHouModnak2011].
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "papers/paper.h"

namespace dalembert::wang_hou_modnak {

/// (16)-(19) as they stand, or with C of (62), (72), (73) as printed.
enum class Signs { corrected, printed };
std::shared_ptr<const Problem> make_case(Signs);

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

/// The signs of (16)-(19) are those of the problem; a run with the others is another reading of the same figures.
constexpr std::array both = {Signs::corrected, Signs::printed};
std::string variant(Signs);

inline const char* const program = "an independent program of the same scheme, corrected signs";

struct Figure {
  std::string label, quantity, printed, reference = {};
};

/// With what is printed within 1 % or half a unit of its last digit, with the reference within one unit. The reference has the corrected signs;
/// what the printed ones give must have a reason like any other row.
PaperRow compare(const Figure&, Signs, double ours, const Reason&);
/// The same for what is not printed; a reference may be.
PaperRow unprinted(const std::string& label, const std::string& quantity, double ours, Signs,
                   const std::string& reference = {});

PaperPart convergence();  ///< Table 1 and the counts in the text
PaperPart accuracy();     ///< Table 2, and errors against exact digits
PaperPart constraint();   ///< Table 3
PaperPart runge_kutta();  ///< Table 4
PaperPart mixed();        ///< explicit Euler for x, trapezoid for y
PaperPart theory();       ///< E, F, beta, gamma

}  // namespace dalembert::wang_hou_modnak
