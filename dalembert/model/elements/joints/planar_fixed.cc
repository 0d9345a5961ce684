// Two bodies of the plane held together.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_fixed() {
  return {{.section = "joint",
           .kind = "fixed",
           .space = ElementEntry::Space::planar,
           .summary = "two bodies move as one",
           .carries = "x, y: force on the first body at the point, ground frame; moment on the first body "
                      "(none if one of the two "
                      "is a point mass)",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                    {"at", Key::Type::vector, "m",
                     "where the force is counted, in the ground frame at the start"}},
           .example = "bodies = [\"crank\", \"weight\"]\nat = [0.1, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->fixed(of.name(), a, b, flat(of.vector("at")));
           }}};
}

}  // namespace dalembert
