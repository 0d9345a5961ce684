// A blade in the plane: a point of a body moves along a direction of the body only. Its rows, and how it is put together.
#include "dalembert/multibody/planar/making.h"

namespace dalembert {

using namespace planar;

namespace {

/// n . p_b' = 0 with n fixed to b, at velocity level.
struct Blade {
  static constexpr int rows = 1;
  static constexpr bool holonomic = false;
  static constexpr std::array jacobian_places{JacobianPlace{0, 3}, JacobianPlace{0, 4}, JacobianPlace{0, 5}};
  static constexpr std::array hessian_places{HessianPlace{0, 3, 5}, HessianPlace{0, 4, 5}};
  Point2 normal, on_b;

  void value(const Frame&, const Frame&, double, double*) const {}
  void jacobian(const Frame&, const Frame& b, double* s) const {
    const Arrow n = turned(b, normal);
    s[0] = n.x, s[1] = n.y, s[2] = normal[1] * on_b[0] - normal[0] * on_b[1];
  }
  void hessian(const Frame&, const Frame& b, double* h) const {
    const Arrow m = turned(b, normal).normal();
    h[0] = m.x, h[1] = m.y;
  }
};

}  // namespace

Mechanism::Joint PlanarMechanism::knife_edge(const std::string& name, Body b, Point2 p, Point2 along) {
  must_turn(name, {b});
  const Joint joint = begin_joint(name, "knife-edge", ground, b, p, unit(along, name));
  const Point2 direction = turned_into(b, unit(along, name));
  add_rows(Blade{{-direction[1], direction[0]}, in_body(b, p)}, ground, b, {{name + ".side", "N"}});
  return joint;
}

}  // namespace dalembert
