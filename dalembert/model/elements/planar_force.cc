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
           .keys = {{"on", Key::Type::end, "m", "the point it acts on"},
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
           .example = "on = { body = \"crank\", at = [0.15, 0] }\nforce = [\"10*sin(2*t)\", "
                      "\"-3*vy\"]\nframe = \"ground\"",
           .build = [](const Fields& of, Construction& c) {
             const Attachment on = of.end("on");
             const std::vector<Law> force = of.laws("force");
             c.planar->load(of.name(), {.body = on.body,
                                        .at = flat(on.at),
                                        .frame = of.text("frame") == "body" ? PlanarLoad::Frame::body
                                                                            : PlanarLoad::Frame::ground,
                                        .force = {force.at(0), force.at(1)}});
           }}};
}

}  // namespace dalembert
