// The pieces of the paper on half-explicit Runge-Kutta methods, [BraseyHairer1993].
#pragma once

#include <string>
#include <vector>

#include "dalembert/method/runge_kutta/tableau.h"
#include "papers/paper.h"

namespace dalembert::brasey_hairer {

/// The coefficients as the paper prints them: "hem3" (Table 2), "hem4" (Table 5).
Tableau printed_tableau(const std::string& name);
/// The coefficients with which the method of that name runs; the printed ones if no such method is entered.
Tableau paper_tableau(const std::string& name);

std::vector<PaperPart> coefficient_tables();  ///< Tables 1 to 5 and Proposition 5
std::vector<PaperPart> lemmas();              ///< Lemmas 6 to 9
std::vector<PaperPart> inner_unknowns();      ///< problems of the form (1.4)
std::vector<PaperPart> figures();             ///< Figure 2 (work and precision) and Figure 3 (violin string)

/// One run of Figure 2: hem4 as the paper describes it (no projection, (6.2) with safety 0.9, factors in [0.2, 5]) or
/// the extrapolation method. The error is max |difference|/(1+|reference|) over positions and velocities at the end.
struct WorkPrecision {
  double tolerance, error, evaluations, seconds;
};
WorkPrecision work_precision(const std::string& problem, const std::string& method, double tolerance);

}  // namespace dalembert::brasey_hairer
