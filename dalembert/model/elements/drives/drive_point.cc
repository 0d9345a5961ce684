// A point of a body follows a prescribed path.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"
#include "dalembert/multibody/pose.h"

namespace dalembert {
namespace {

Motion counted_from(double start, Motion f) {
  return {[start, f = std::move(f)](double t) {
    Motion::Value now = f(t);
    now.f -= start;
    return now;
  }};
}

}  // namespace

std::vector<ElementEntry> elements_in_drive_point() {
  return {{.section = "drive",
           .kind = "point",
           .space = ElementEntry::Space::both,
           .summary = "a point of a body follows a path that is a function of time",
           .carries = "x, y (z in space): minus the force on the body, ground frame",
           .keys = {{"point", Key::Type::end, "m", "the point"},
                    {"motion", Key::Type::motions, "m",
                     "where it is, in the ground frame; if that is not `at` for t = 0 the start is moved"}},
           .example = "point = { body = \"crank\", at = [0.5, 0] }\nmotion = [\"0.5 + 0.1*sin(3*t)\", 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const Attachment point = of.end("point");
             if (point.body == Mechanism::ground)
               return of.complain("point", "the ground does not move", "name a body");
             const std::vector<Motion> motions = of.motions("motion");
             std::vector<Mechanism::Driven> rows;
             for (std::size_t i = 0; i < motions.size(); ++i) {
               const auto k = static_cast<Eigen::Index>(i);
               const Eigen::Vector3d axis = Eigen::Vector3d::Unit(k);
               const MeasurePtr along =
                   c.planar
                       ? c.planar->displacement(Mechanism::ground, point.body, flat(point.at), flat(axis))
                       : c.spatial->displacement(Mechanism::ground, point.body, point.at, axis);
               rows.push_back({std::string(1, "xyz"[i]), along, counted_from(point.at[k], motions[i])});
             }
             const auto drive = c.mechanism().drive(of.name(), std::move(rows));
             c.mechanism().record(drive).on_b = fixed_in(c.mechanism(), point.body, point.at);
           }}};
}

}  // namespace dalembert
