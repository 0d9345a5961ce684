// A pin in a slot: a point of one body stays on a line of another.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_slot() {
  return {{.section = "joint",
           .kind = "slot",
           .space = ElementEntry::Space::planar,
           .summary = "a point of the second body stays on a line of the first",
           .carries = "normal: force on the first body, to the left of `along`, which is fixed to that body",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the line, and the one with the point"},
                    {"at", Key::Type::vector, "m", "the point, in the ground frame at the start"},
                    {"along", Key::Type::vector, "", "the direction of the line at the start"}},
           .example = "bodies = [\"ground\", \"rod\"]\nat = [0.5, 0]\nalong = [1, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->slot(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")));
           }}};
}

}  // namespace dalembert
