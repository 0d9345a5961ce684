// A hinge in the plane: two points stay together.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_revolute() {
  return {{.section = "joint",
           .kind = "revolute",
           .space = ElementEntry::Space::planar,
           .summary = "two bodies turn about a common point",
           .carries = "x, y: force on the first body, ground frame",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                    {"at", Key::Type::vector, "m", "the common point, in the ground frame at the start"}},
           .example = "bodies = [\"ground\", \"crank\"]\nat = [0, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->revolute(of.name(), a, b, flat(of.vector("at")));
           }}};
}

}  // namespace dalembert
