// Rows that never become dependent.
//
// Singular positions are looked for all along a run. Where the structure of a mechanism says that there are none, as in a tree of
// joints that each hold a body of their own, nobody needs to.
#pragma once

#include "dalembert/problem/problem.h"

namespace dalembert {

/// Something that a mechanical problem may know besides.
class LastingRank {
 public:
  virtual ~LastingRank() = default;
  /// Are all rows independent wherever they are satisfied?
  virtual bool rows_stay_independent() const = 0;
};

/// Are there singular positions to look for?
inline bool rows_may_become_dependent(const Problem& problem) {
  const auto* lasting = as<LastingRank>(&problem);
  return lasting == nullptr || !lasting->rows_stay_independent();
}

}  // namespace dalembert
