// How a body stands: its angle in the plane, its rotation vector or Euler angles in space, and its spin.
//
//   zxz   R = Rz(precession) Rx(nutation) Rz(spin)
#include <cmath>

#include "dalembert/core/rotations.h"
#include "dalembert/model/watching.h"

namespace dalembert {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector3d rotation_vector(const Matrix3d& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

Vector3d euler_zxz(const Matrix3d& R) {
  return {std::atan2(R(0, 2), -R(1, 2)), std::atan2(std::hypot(R(0, 2), R(1, 2)), R(2, 2)),
          std::atan2(R(2, 0), R(2, 1))};
}

Matrix3d rotation(const MechanismView& view, int body) {
  return pose_of(view.mechanism(), view.at(), body).R;
}

void watch_in_space(const ElementKeys& of, Construction& c, int body) {
  Watching watching(of, c);
  if (of.text("as") == "euler-zxz") {
    static const char* names[] = {"precession", "nutation", "spin"};
    for (int i = 0; i < 3; ++i)
      watching.add(names[i], "rad",
                   [body, i](MechanismView& view) { return euler_zxz(rotation(view, body))[i]; });
  } else {
    watching.add_vector("", "rad",
                        [body](MechanismView& view) { return rotation_vector(rotation(view, body)); });
  }
  watching.add_vector("rate_", "rad/s", [body](MechanismView& view) {
    return twist_of(view.mechanism(), view.at(), view.v(), body).spin;
  });
}

}  // namespace

std::vector<ElementEntry> elements_in_watch_angle() {
  const Key which{"angle", Key::Type::body, "", "the body"};
  return {{.section = "watch",
           .kind = "angle",
           .space = ElementEntry::Space::planar,
           .summary = "angle of a body and its rate",
           .carries = "",
           .keys = {which},
           .example = "name = \"phi\"\nangle = \"crank\"",
           .build =
               [](const ElementKeys& of, Construction& c) {
                 const int body = of.body("angle");
                 if (body < 0 || c.mechanism().bodies()[static_cast<std::size_t>(body)].velocities != 3) {
                   of.complain("angle", "this does not turn", "name a body that is not a point");
                   return;
                 }
                 const BodyRecord& record = c.mechanism().bodies()[static_cast<std::size_t>(body)];
                 const Eigen::Index q = record.q + 2, v = record.v + 2;
                 Watching watching(of, c);
                 watching.add("", "rad", [q](MechanismView& view) { return view.at().q[q]; });
                 watching.add("rate", "rad/s", [v](MechanismView& view) { return view.v()[v]; });
               }},
          {.section = "watch",
           .kind = "angle",
           .space = ElementEntry::Space::spatial,
           .summary = "orientation of a body and its angular velocity, in the ground frame",
           .carries = "",
           .keys = {which,
                    {"as",
                     Key::Type::text,
                     "",
                     "how the orientation is written",
                     "\"rotation-vector\"",
                     {"rotation-vector", "euler-zxz"}}},
           .example = "name = \"attitude\"\nangle = \"top\"\nas = \"euler-zxz\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const int body = of.body("angle");
             if (body < 0 || c.mechanism().bodies()[static_cast<std::size_t>(body)].velocities != 6)
               of.complain("angle", "this does not turn", "name a body that is not a point");
             else
               watch_in_space(of, c, body);
           }}};
}

}  // namespace dalembert
