// A universal joint: a cross between two bodies.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_universal() {
  return {{.section = "joint",
           .kind = "universal",
           .space = ElementEntry::Space::spatial,
           .summary = "two bodies share a cross: one axis is fixed to each, and they stay at right angles",
           .carries = "x, y, z: force on the first body at the point, in the ground frame; moment on the "
                      "first body about first axis x second axis",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                    {"at", Key::Type::vector, "m", "where the axes meet, in the ground frame at the start"},
                    {"first_axis", Key::Type::vector, "", "of the cross in the first body, at the start"},
                    {"second_axis", Key::Type::vector, "", "of the cross in the second body, at the start"}},
           .example = "bodies = [\"shaft\", \"spindle\"]\nat = [0, 0, 0]\nfirst_axis = [0, 1, "
                      "0]\nsecond_axis = [0, 0, 1]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->universal(of.name(), a, b, of.vector("at"), of.vector("first_axis"),
                                  of.vector("second_axis"));
           }}};
}

}  // namespace dalembert
