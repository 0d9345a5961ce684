// What of a run is drawn: bodies with the columns that move them, joints with the columns of what they transmit, elements with the
// points that they are attached to.
#pragma once

#include <vector>

#include "dalembert/page/json_text.h"
#include "dalembert/page/page.h"

namespace dalembert {

/// The mechanism of a run, in one piece if it is cut into fields; nullptr if it has none.
const Mechanism* mechanism_of(const PageRun&);

/// A column that is computed from the rows of a run.
struct DerivedColumn {
  RecordColumn head;
  std::vector<double> values;
};

/// Forces and moments of joints on their second bodies, in the ground frame; points of a sketch.
std::vector<DerivedColumn> derived_columns(const PageRun&);

/// Writes the member "scene". Columns are counted through: those of the record, then those derived.
void write_scene(JsonText&, const PageRun&, const std::vector<DerivedColumn>&);

}  // namespace dalembert
