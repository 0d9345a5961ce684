// How a problem looks: points that move with its state, and what is drawn between them.
//
//   class Pendulum : public Mechanical, public Drawable
//
// For the eye only. Mechanisms need none of it: they have bodies and joints.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dalembert/core/layout.h"

namespace dalembert {

/// What there is to draw.
struct Sketch {
  enum class Kind {
    link,     ///< a rigid body, seen as the hull of its points
    ball,     ///< a mass in a point
    disc,     ///< about the first point, through the second; in space with its axle through the third
    spring,   ///< from point to point
    rope,     ///< from point to point, without thickness
    support,  ///< of the ground, under a point
    rail,     ///< of the ground, along the line through two points
  };
  /// A part, drawn at these points.
  struct Part {
    Kind kind;
    std::string name;
    std::vector<int> points;
  };
  bool planar = true;
  std::vector<std::string> points{};  ///< their names
  std::vector<Part> parts{};
};

/// As it is written into pages: "link".
constexpr const char* name(Sketch::Kind kind) {
  constexpr const char* names[] = {"link", "ball", "disc", "spring", "rope", "support", "rail"};
  return names[static_cast<int>(kind)];
}

/// A problem that says how it looks.
class Drawable {
 public:
  virtual ~Drawable() = default;
  virtual Sketch sketch() const = 0;
  /// Where the points are [m], a column each, at a complete state; in the plane z = 0.
  virtual Eigen::Matrix3Xd sketch_points(const State&) const = 0;
};

/// Points of the plane, as sketch_points() returns them.
inline Eigen::Matrix3Xd in_plane(const std::vector<Eigen::Vector2d>& points) {
  Eigen::Matrix3Xd all = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) all.col(static_cast<Eigen::Index>(i)).head<2>() = points[i];
  return all;
}

}  // namespace dalembert
