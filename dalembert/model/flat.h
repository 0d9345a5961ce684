// Vectors of model files in the plane.
#pragma once

#include "dalembert/multibody/planar/planar_mechanism.h"

namespace dalembert {

inline Point2 flat(const Eigen::Vector3d& v) {
  return {v[0], v[1]};
}

}  // namespace dalembert
