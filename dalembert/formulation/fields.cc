// fields: a partitioned problem as it stands, each field to be advanced on its own. Every formulation of mechanical
// problems takes it in one piece instead.
#include "dalembert/formulation/unchanged.h"

namespace dalembert {

std::vector<FormulationEntry> formulations_in_fields() {
  return {
      {.name = "fields",
       .summary =
           "a partitioned problem as it stands; all formulations of mechanical problems take it in one piece",
       .cite = "WangHouModnak2011",
       .from = Kind::partitioned,
       .to = Kind::partitioned,
       .preference = 1000,
       .drifts = true,
       .options = {},
       .make = [](const Problem& p, const Parameters&, Statistics&) {
         return std::make_unique<Unchanged>(p);
       }}};
}

}  // namespace dalembert
