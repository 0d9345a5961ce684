// A point of a body follows a prescribed path.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_drive_point() {
  return {{.section = "drive",
           .kind = "point",
           .space = ElementEntry::Space::both,
           .summary = "a point of a body moves as functions of time say",
           .carries = "x, y (z in space): minus the force on the body, ground frame",
           .keys = {{"point", Key::Type::end, "m", "the point"},
                    {"motion", Key::Type::motions, "m",
                     "its displacement, counted from `at`, in the ground frame; if it is not 0 "
                     "at t = 0 the start is moved"}},
           .example = "point = { body = \"table\", at = [0, 0] }\nmotion = [\"0.1*sin(3*t)\", \"0\"]",
           .build = [](const Fields& of, Construction& c) {
             const Attachment point = of.end("point");
             if (point.body == Mechanism::ground)
               return of.complain("point", "the ground does not move", "name a body");
             const std::vector<Motion> motions = of.motions("motion");
             std::vector<Mechanism::Driven> rows;
             for (std::size_t i = 0; i < motions.size(); ++i) {
               const Eigen::Vector3d axis = Eigen::Vector3d::Unit(static_cast<Eigen::Index>(i));
               const MeasurePtr along =
                   c.planar
                       ? c.planar->displacement(Mechanism::ground, point.body, flat(point.at), flat(axis))
                       : c.spatial->displacement(Mechanism::ground, point.body, point.at, axis);
               rows.push_back({std::string(1, "xyz"[i]), along, motions[i]});
             }
             c.mechanism().drive(of.name(), std::move(rows));
           }}};
}

}  // namespace dalembert
