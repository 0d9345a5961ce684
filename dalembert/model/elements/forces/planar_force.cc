// A force on a point of a body in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_force() {
  return {{.section = "force",
           .kind = "force",
           .space = ElementEntry::Space::planar,
           .summary = "a force on a point of a body, constant or by a law",
           .carries = {},
           .keys = {{"body", Key::Type::body, "", "what it acts on"},
                    {"at", Key::Type::vector, "m",
                     "the point, in the ground frame at the start; unless given the centre of mass", "-"},
                    {"force",
                     Key::Type::laws,
                     "N",
                     "both components; x, y, vx, vy are those of the point in the ground frame",
                     "",
                     {"t", "x", "y", "vx", "vy", "angle", "spin"}},
                    {"frame",
                     Key::Type::text,
                     "",
                     "where the components are given; that of the body turns with it",
                     "\"ground\"",
                     {"ground", "body"}}},
           .example = "body = \"crank\"\nat = [0.15, 0]\nforce = [\"10*sin(2*t)\", \"-3*vy\"]",
           .build = [](const ElementKeys& of, Construction& c) {
             const std::vector<Law> force = of.laws("force");
             PlanarLoad load{.body = of.body("body"), .force = {force.at(0), force.at(1)}};
             if (of.has("at")) load.at = flat(of.vector("at"));
             if (of.text("frame") == "body") load.frame = PlanarLoad::Frame::body;
             c.planar->load(of.name(), load);
           }}};
}

}  // namespace dalembert
