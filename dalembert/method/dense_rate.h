// A method whose dense output knows its own rate, which others must take from differences.
#pragma once

#include "dalembert/problem/problem.h"

namespace dalembert {

class DenseRate {
 public:
  virtual ~DenseRate() = default;
  /// As Method::interpolate, with the derivative of what it gives, by time.
  virtual void interpolate(double theta, State&, Vector& rate) = 0;
};

}  // namespace dalembert
