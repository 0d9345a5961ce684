// Entries of index 2 and 3 of an implicit problem, with the accuracy of the other entries.
//
// Methods leave them with a lower order than the rest [HairerLubichRoche1989, 6]; where the constraints alone say how the rest moves, no
// error estimate of the rest tells how far they are off. The derivative array determines them (derivative_array.h); differences of
// different steps, looking to both sides, say how well.
#pragma once

#include <optional>
#include <string>

#include "dalembert/problem/implicit.h"

namespace dalembert {

class HiddenEntries {
 public:
  explicit HiddenEntries(const Implicit&);

  bool any() const { return index_ >= 2; }
  int index() const { return index_; }
  /// How far two results are apart, over 1 + |entry|. Empty, and y stays as it is, where none can be had: a kink at t, a problem too
  /// large for dense matrices.
  std::optional<double> improve(double t, Out y) const;
  std::string why_not() const;

 private:
  const Implicit& problem_;
  int index_ = 1;
  bool small_ = true;
  double span_;  // of the run
};

}  // namespace dalembert
