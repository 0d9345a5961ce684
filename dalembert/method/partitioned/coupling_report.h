// What the iteration between the fields of a partitioned problem did, window by window and field by field.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/statistics.h"

namespace dalembert {

/// One accepted window [t, t+h].
struct WindowRecord {
  double t = 0, h = 0;
  int iterations = 0;
  double contraction = 0;  ///< ratio of the last two increments; 0 after a single iteration
  double residual = 0;     ///< largest residual of the original equations at the end of the window
  /// Per iteration: the largest change at the end of the window in the positions of each field, then in the interface
  /// multipliers, each over its tolerance.
  std::vector<std::vector<double>> increments;
};

/// What one field did.
struct FieldRecord {
  std::string name, method;
  int substeps = 0;
  Statistics statistics;
  double seconds = 0;
};

/// What all windows and fields did.
struct CouplingReport {
  std::vector<WindowRecord> windows;
  std::vector<FieldRecord> fields;
  std::optional<WindowRecord> failed{};  ///< the window that ended the run, or was last thrown away
  long sweeps = 0;                       ///< iterations in all, those of windows that were thrown away too

  double worst_contraction() const {
    double worst = 0;
    for (const auto& w : windows) worst = w.contraction > worst ? w.contraction : worst;
    return worst;
  }
  int most_iterations() const {
    int most = 0;
    for (const auto& w : windows) most = w.iterations > most ? w.iterations : most;
    return most;
  }
};

}  // namespace dalembert
