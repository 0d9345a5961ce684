// A torque on a body in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_torque() {
  return {{.section = "force",
           .kind = "torque",
           .space = ElementEntry::Space::planar,
           .summary = "a torque on a body, constant or by a law",
           .carries = {},
           .keys = {{"body", Key::Type::body, "", "what it acts on"},
                    {"torque",
                     Key::Type::law,
                     "N m",
                     "counter-clockwise; x, y, vx, vy are those of the centre of mass",
                     "",
                     {"t", "x", "y", "vx", "vy", "angle", "spin"}}},
           .example = "body = \"crank\"\ntorque = \"2 - 0.1*spin\"",
           .build = [](const ElementKeys& of, Construction& c) {
             c.planar->load(of.name(), {.body = of.body("body"), .torque = of.law("torque")});
           }}};
}

}  // namespace dalembert
