// Mechanisms of any size, put together as anybody would.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/rotations.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"

namespace dalembert::testing {

using MechanismPtr = std::shared_ptr<const Mechanism>;

inline std::string numbered(const char* name, int i) {
  return name + std::to_string(i);
}

/// Between two points.
inline PlanarBody bar(std::string name, Point2 from, Point2 to, double mass) {
  const double x = to[0] - from[0], y = to[1] - from[1];
  return {.name = std::move(name),
          .mass = mass,
          .inertia = mass * (x * x + y * y) / 12,
          .position = {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2},
          .angle = std::atan2(y, x)};
}

/// Links of equal length and mass, one below the other on the ground, the first leaning from the vertical by
/// `lean(1)` and so on.
template <class Lean>
MechanismPtr hanging_chain(int n, double length, double mass, Lean&& lean) {
  auto m = std::make_shared<PlanarMechanism>();
  Point2 end{0, 0};
  Mechanism::Body last = Mechanism::ground;
  for (int i = 1; i <= n; ++i) {
    const Point2 next{end[0] + length * std::sin(lean(i)), end[1] - length * std::cos(lean(i))};
    const auto link = m->body(bar(numbered("link", i), end, next, mass));
    m->revolute(numbered("pin", i), last, link, end);
    end = next;
    last = link;
  }
  return m;
}

inline MechanismPtr planar_chain(int n) {
  return hanging_chain(n, 1, 1, [](int i) { return .5 * std::sin(.7 * i); });
}

enum class SpatialLink { spherical, revolute };

/// Boxes one after the other; hinges turn about changing axes.
inline MechanismPtr spatial_chain(int n, SpatialLink kind) {
  using Eigen::Vector3d;
  auto m = std::make_shared<SpatialMechanism>();
  Vector3d end = Vector3d::Zero();
  Mechanism::Body last = Mechanism::ground;
  for (int i = 1; i <= n; ++i) {
    const Eigen::Vector4d turn =
        quaternion_of({.4 * std::sin(.9 * i), .5 * std::cos(.7 * i), .3 * std::sin(1.1 * i)});
    const Vector3d next = end + rotation_matrix(turn) * Vector3d(0, 0, -1);
    const auto link = m->body({.name = numbered("link", i),
                               .mass = 1,
                               .inertia = Vector3d(.09, .085, .01).asDiagonal(),
                               .position = (end + next) / 2,
                               .orientation = turn});
    if (kind == SpatialLink::spherical)
      m->spherical(numbered("ball", i), last, link, end);
    else
      m->revolute(numbered("hinge", i), last, link, end, {std::cos(1. * i), std::sin(1. * i), .2});
    end = next;
    last = link;
  }
  return m;
}
inline MechanismPtr spherical_chain(int n) {
  return spatial_chain(n, SpatialLink::spherical);
}
inline MechanismPtr revolute_chain(int n) {
  return spatial_chain(n, SpatialLink::revolute);
}

/// A row of n four-bar loops: n + 1 leaning posts on the ground, n beams between their tops.
inline MechanismPtr four_bars(int n) {
  auto m = std::make_shared<PlanarMechanism>();
  const Point2 top{std::cos(.9), std::sin(.9)};
  Mechanism::Body before = Mechanism::ground;
  for (int i = 0; i <= n; ++i) {
    const Point2 foot{1. * i, 0}, head{foot[0] + top[0], top[1]};
    const auto post = m->body(bar(numbered("post", i), foot, head, 1));
    m->revolute(numbered("foot", i), Mechanism::ground, post, foot);
    if (i > 0) {
      const Point2 behind{head[0] - 1, head[1]};
      const auto beam = m->body(bar(numbered("beam", i), behind, head, 1));
      m->revolute(numbered("left", i), before, beam, behind);
      m->revolute(numbered("right", i), beam, post, head);
    }
    before = post;
  }
  return m;
}

/// A sheet of side x side bars: hinges along the rows, a rod across at every other bar. Many loops.
inline MechanismPtr lattice(int side) {
  auto m = std::make_shared<PlanarMechanism>();
  std::vector<Mechanism::Body> above, row;
  std::vector<Point2> above_middles, middles;
  for (int i = 0; i < side; ++i) {
    row.clear(), middles.clear();
    Point2 end{0, -1. * i};
    for (int j = 0; j < side; ++j) {
      const double angle = .3 * std::sin(1.3 * j + .7 * i);
      const Point2 next{end[0] + std::cos(angle), end[1] + std::sin(angle)};
      row.push_back(m->body(bar(numbered("bar", i * side + j), end, next, 1)));
      middles.push_back({(end[0] + next[0]) / 2 + .1, (end[1] + next[1]) / 2});
      const auto k = static_cast<std::size_t>(j);
      if (j > 0) m->revolute(numbered("pin", i * side + j), row[k - 1], row[k], end);
      if (i > 0 && j % 2 == 0)
        m->distance(numbered("rod", i * side + j), above[k], above_middles[k], row[k], middles[k]);
      end = next;
    }
    above = row, above_middles = middles;
  }
  return m;
}

}  // namespace dalembert::testing
