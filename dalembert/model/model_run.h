// Runs a model as its file says, and judges the run: what the energy, the joints and the known digits say about it.
//
//   energy  |E(end) - E(start) - work| / (greatest kinetic energy + |work|)
//   drift   largest |g| of all steps / size, the size being the diagonal of the box around all bodies and joints
//   error   largest |difference|/(1+|reference|) of all references
#pragma once

#include <optional>

#include "dalembert/control/run.h"
#include "dalembert/model/model.h"

namespace dalembert {

/// The diagonal of the box around all bodies and joints at the start, in metres; 1 if they are all in one place.
double size_of(const Mechanism&);

/// A run of a model, and the verdict on it.
struct ModelRun {
  Summary summary;
  double size = 0;
  Eigen::Index bodies = 0, joints = 0;
  std::optional<Eigen::Index> degrees_of_freedom;  ///< by rank; none if the run did not begin
  std::optional<double> energy, drift, error;
  double within = 0;  ///< what the file allows for the error at the worst reference
  double excess = 0;  ///< error/within there
};

ModelRun run_model(const Model&, const RunOptions&);

}  // namespace dalembert
