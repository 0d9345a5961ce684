// A formulation that has planned the elimination of [M J'; J 0] of its original problem lends the plan to others.
#pragma once

#include "dalembert/linear/saddle/saddle_point.h"

namespace dalembert {

class SharedPlan {
 public:
  virtual ~SharedPlan() = default;
  virtual const SaddlePoint& plan() const = 0;
};

}  // namespace dalembert
