// Laws of a part that is placed elsewhere: what they see is given in the frame of its file, r' = R'(r - s), and so are the components
// that they answer.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dalembert/multibody/law.h"

namespace dalembert {

/// Where the frame of a file lies in the ground frame: r = R r' + s.
struct PartFrame {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();
};

/// How the components of several laws are meant.
enum class Components { of_ground, of_body };

/// The laws, made to see what `words` name (x, y, z of a place, vx, vy, vz of its velocity, angle of a body in the plane) in the ground
/// frame. Their components, if there are several in that frame, turn with it.
std::vector<Law> moved(std::vector<Law>, const std::vector<std::string>& words, const PartFrame&, Components);

}  // namespace dalembert
