// A blade on a plane in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_knife_edge() {
  return {{.section = "joint",
           .kind = "knife-edge",
           .space = ElementEntry::Space::spatial,
           .summary = "a point of the second body moves along its blade only, as seen on a plane of the "
                      "first; what keeps it on the plane is another joint",
           .carries = "side: force on the first body along normal x blade",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the plane, and the one with the blade"},
                    {"at", Key::Type::vector, "m", "where the blade is, in the ground frame at the start"},
                    {"along", Key::Type::vector, "",
                     "the direction of the blade at the start, fixed to the second body"},
                    {"normal", Key::Type::vector, "", "of the plane at the start, fixed to the first body",
                     "[0, 0, 1]"}},
           .example = "bodies = [\"ground\", \"sleigh\"]\nat = [0, 0, 0]\nalong = [1, 0, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->knife_edge(of.name(), a, b, of.vector("at"), of.vector("along"), of.vector("normal"));
           }}};
}

}  // namespace dalembert
