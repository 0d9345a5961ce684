// A blade on a plane in space: a point of b moves along a direction of b only, as seen along the normal of a plane of a. Its
// rows, and how it is put together.
#include "dalembert/multibody/spatial/contact.h"
#include "dalembert/multibody/spatial/making.h"

namespace dalembert {

using namespace spatial;

namespace {

/// A point of b moves along its blade only, as seen in the plane of a; at velocity level.
struct Edge {
  static constexpr int rows = 1;
  static constexpr bool holonomic = false;
  static constexpr std::array jacobian_places = jacobian_places_of_all<1>();
  static constexpr std::array hessian_places = hessian_places_of_all<1>();
  Vector3d normal, on_b, along;  ///< in a, in b, in b

  void jacobian(const Frame& a, const Frame& b, double* s) const {
    slip_gradient(a, b, b.place(on_b), sideways(a, b).at, s);
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    slip_hessian(a, b, point_of(b, rb, on_b), sideways(a, b), h);
  }

 private:
  Moving sideways(const Frame& a, const Frame& b) const {
    const Moving n = direction_of(a, ra, normal), e = direction_of(b, rb, along);
    return normalised({n.at.cross(e.at), skew(n.at) * e.by - skew(e.at) * n.by});
  }
};

}  // namespace

Mechanism::Joint SpatialMechanism::knife_edge(const std::string& name, Body a, Body b, const Point& at,
                                              const Point& along, const Point& normal) {
  const Point n = Across(normal, name).along, e = Across(along, name).along;
  if (n.cross(e).norm() < 1e-6)
    throw Error("joint '" + name + "' has a blade along the normal", "let it lie in the plane");
  must_turn(name, {a, b});
  const Joint joint = begin_joint(name, "knife-edge", a, b, at, n);
  record(joint).axis_b = turned_into(b, e);
  add_rows(Edge{turned_into(a, n), in_body(b, at), turned_into(b, e)}, a, b, {{name + ".side", "N"}});
  return joint;
}

}  // namespace dalembert
