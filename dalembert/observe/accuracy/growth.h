// How much a problem itself multiplies a small error: what no method and no tolerance removes.
//
// At several times along a motion the state is changed a little in random directions and brought back onto its constraints;
// how far the motion from there is from the undisturbed one, over how far it was there, is the growth. An error of the
// right-hand side is such a change at every time, so that the growth from all times on covers it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/control/run.h"

namespace dalembert {

/// How it is measured.
struct GrowthOptions {
  /// Start, end, pair and interrupt are those of this run; outputs and tolerance are not.
  RunOptions run{};
  int moments = 8;     ///< times at which errors are made and looked at, the start included
  int directions = 4;  ///< in which the state is changed at each of them
  double size = 1e-6;  ///< of the change: its largest |difference|/(1 + |value|)
  double limit = 20;   ///< processor seconds for one run
  std::function<void(const std::string&)> progress{};  ///< told before each run
};

/// What becomes of errors.
struct Growth {
  /// Errors until then, and from then on.
  struct Moment {
    double t = 0;
    double from_start = 0;  ///< factor by which an error of the start has grown when this is reached
    double to_end = 0;      ///< factor by which an error made here has grown at the end
    double largest = 0;     ///< the same, at any of the moments that follow
  };
  std::vector<Moment> moments{};  ///< the last one is the end
  double size = 0;                ///< of the errors that were made
  std::string formulation, method;
  std::string why_not{};  ///< nothing could be measured; "" if it could
  /// Errors grew beyond what is small: factors are at least these.
  bool saturated = false;
  /// Where the constraints leave no freedom, they correct every error at once.
  bool determined = false;

  /// Of an error of the start, at the end.
  double from_start() const { return moments.empty() ? 0 : moments.back().from_start; }
  double worst() const;  ///< of errors made anywhere, anywhere later
};

/// Throws Error for mistakes of the caller, as run() does.
Growth measure_growth(std::shared_ptr<const Problem>, const GrowthOptions& = {});

/// "An error of 1e-06 made at the start has grown to 3e-05 at t = 5."
std::string sentence(const Growth&);

}  // namespace dalembert
