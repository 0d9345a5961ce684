// Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2, [BraseyHairer1993].
#include "papers/brasey_hairer/parts.h"

namespace dalembert {

std::vector<PaperEntry> papers_in_brasey_hairer() {
  std::vector<PaperPart> parts;
  for (const auto& some : {brasey_hairer::coefficient_tables, brasey_hairer::lemmas,
                           brasey_hairer::inner_unknowns, brasey_hairer::figures}) {
    auto more = some();
    parts.insert(parts.end(), more.begin(), more.end());
  }
  return {make_paper("brasey-hairer",
                     "Half-explicit Runge-Kutta methods for differential-algebraic systems of index 2",
                     "BraseyHairer1993", std::move(parts))};
}

}  // namespace dalembert
