// A flat joint in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_planar() {
  return {{.section = "joint",
           .kind = "planar",
           .space = ElementEntry::Space::spatial,
           .summary = "the second body slides and turns on a plane of the first",
           .carries = "normal: force on the first body along the normal, at the point of the second; "
                      "moment_u, moment_v: moment on the first body; u and v are across the normal and fixed "
                      "to the first body, normal x u = v",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the plane, and the other one"},
                    {"at", Key::Type::vector, "m",
                     "a point of the second body, in the ground frame at the start"},
                    {"normal", Key::Type::vector, "", "of the plane, at the start"}},
           .example = "bodies = [\"ground\", \"puck\"]\nat = [0, 0, 0]\nnormal = [0, 0, 1]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->planar(of.name(), a, b, of.vector("at"), of.vector("normal"));
           }}};
}

}  // namespace dalembert
