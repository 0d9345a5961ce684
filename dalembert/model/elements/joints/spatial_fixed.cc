// Two bodies welded together in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_fixed() {
  return {{.section = "joint",
           .kind = "fixed",
           .space = ElementEntry::Space::spatial,
           .summary = "two bodies do not move against each other",
           .carries = "x, y, z: force on the first body at the point, in the ground frame; moment_x, "
                      "moment_y, moment_z: moment on the first body about axes fixed to it, which are those "
                      "of the ground at the start",
           .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                    {"at", Key::Type::vector, "m",
                     "where the reaction is taken, in the ground frame at the start"}},
           .example = "bodies = [\"ground\", \"post\"]\nat = [0, 0, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->fixed(of.name(), a, b, of.vector("at"));
           }}};
}

}  // namespace dalembert
