// How a mechanism is written down: in which frame, units, space and order. Motion does not depend on it.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dalembert::attack {

/// Powers of mass, length and time.
struct Dimension {
  double mass = 0, length = 0, time = 0;
};
inline constexpr Dimension pure{}, mass{1, 0, 0}, length{0, 1, 0}, duration{0, 0, 1}, speed{0, 1, -1},
    spin{0, 0, -1}, inertia{1, 2, 0}, force{1, 1, -2}, moment{1, 2, -2}, stiffness{1, 0, -2},
    damping{1, 0, -1}, angular_damping{1, 2, -1}, acceleration{0, 1, -2}, pressure{1, -1, -2};

/// Lengths, masses and times are written as `length`, ... times what they are in SI units; points as turn p + shift.
struct World {
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  ///< in metres
  double mass = 1, length = 1, time = 1;
  bool lifted = false;      ///< a planar mechanism is written in space
  std::uint64_t order = 0;  ///< of the elements; 0: as they are drawn

  double factor(const Dimension&) const;
  std::string number(double value, const Dimension& = pure) const;
  std::string numbers(const std::vector<double>&, const Dimension& = pure) const;
  Eigen::Vector3d point(const Eigen::Vector3d&) const;
  /// A law of `variables`: each $name of the text stands for the variable in SI units and in the frame of the drawing.
  std::string law(const std::string& text, const Dimension& result) const;
  /// Where a written point, and a written vector of this dimension, are in the drawing.
  Eigen::Vector3d point_back(const Eigen::Vector3d&) const;
  Eigen::Vector3d vector_back(const Eigen::Vector3d&, const Dimension&) const;
  /// How much more than in SI units an absolute tolerance allows.
  double loosened() const;
};

/// Text in quotation marks.
std::string in_quotes(const std::string&);

}  // namespace dalembert::attack
