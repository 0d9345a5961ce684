// The pieces of the paper on half-explicit Runge-Kutta methods, [BraseyHairer1993].
#pragma once

#include <string>
#include <vector>

#include "dalembert/method/tableau.h"
#include "papers/paper.h"

namespace dalembert::brasey_hairer {

/// The coefficients as the paper prints them: "hem3" (Table 2), "hem4" (Table 5).
Tableau printed_tableau(const std::string& name);
/// The coefficients with which the method of that name runs; the printed ones if no such method is entered.
Tableau paper_tableau(const std::string& name);

std::vector<PaperPart> coefficient_tables();  ///< Tables 1 to 5 and Proposition 5

}  // namespace dalembert::brasey_hairer
