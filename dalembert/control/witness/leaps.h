// Entries that change by more than their rates explain: a step to another solution.
//
//   |y1 - y0 - h (k0 + k1)/2| > h (|k0| + |k1|)/2, and more than so many tolerances;  k1 counts if it is along y1 - y0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "dalembert/core/layout.h"

namespace dalembert {

/// What DefectMeasure::leaps asks, with rates that are kept from the end of a step to the beginning of the next one.
class Leaps {
 public:
  template <class Rates>
  bool found(double h, const State& begin, const State& end, Eigen::Index first, Eigen::Index size,
             In weights, double limit, Rates rates) {
    const bool known = last_.y.size() == begin.y.size() && last_.t == begin.t && last_.y == begin.y;
    if (!known) rates(begin, end_);  // else they are those of the end before
    std::swap(begin_, end_);
    rates(end, end_);
    last_ = end;
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index k = first + i;
      const double a = h / 2 * begin_[i], b = h / 2 * end_[i], moved = end.y[k] - begin.y[k];
      // A rate at the end that leads back to where it came from explains nothing.
      const double explained = std::abs(a) + (b * moved > 0 ? std::abs(b) : 0);
      if (std::abs(moved - a - b) > std::max(limit * weights[k], explained)) return true;
    }
    return false;
  }

 private:
  State last_;
  Vector begin_, end_;
};

}  // namespace dalembert
