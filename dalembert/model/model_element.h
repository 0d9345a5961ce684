// An element of a model file as the file describes it: what it is attached to, and the numbers it was given. For those who
// draw a model or point at its lines; the equations come from what the element built.
#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/core/place.h"

namespace dalembert {

/// A point fixed to a body, in the ground frame at the start.
struct Attachment {
  int body = -1;  ///< -1: the ground
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
};

/// A joint, force, drive or watch.
struct ModelElement {
  std::string section, kind, name;                         ///< "force", "spring", "buffer"
  Place place{};                                           ///< where its description begins
  std::vector<std::pair<std::string, Attachment>> ends{};  ///< by key: "from", "to"
  std::vector<int> bodies{}, joints{};                     ///< that it names, as the mechanism numbers them
  std::vector<std::pair<std::string, std::vector<double>>> numbers{};  ///< by key: "radius", "teeth", "along"
};

}  // namespace dalembert
