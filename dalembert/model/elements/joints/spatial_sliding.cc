// Sleeves and slides in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_sliding() {
  return {
      {.section = "joint",
       .kind = "cylindrical",
       .space = ElementEntry::Space::spatial,
       .summary = "two bodies slide along a common axis and turn about it",
       .carries = "u, v: force on the first body, at the point of the second; moment_u, moment_v: moment on "
                  "the first body; u and v are across the axis and fixed to the first body, axis x u = v",
       .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                {"at", Key::Type::vector, "m", "a point of the axis, in the ground frame at the start"},
                {"axis", Key::Type::vector, "", "its direction at the start"}},
       .example = "bodies = [\"ground\", \"rod\"]\nat = [0, 0, 0]\naxis = [1, 0, 0]",
       .build =
           [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->cylindrical(of.name(), a, b, of.vector("at"), of.vector("axis"));
           }},
      {.section = "joint",
       .kind = "prismatic",
       .space = ElementEntry::Space::spatial,
       .summary = "two bodies slide along a common axis and do not turn against each other",
       .carries =
           "u, v: force on the first body, at the point of the second; moment_u, moment_v, moment_axis: "
           "moment on the first body; u and v are across the axis and fixed to the first body, axis x u = v",
       .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                {"at", Key::Type::vector, "m", "a point of the axis, in the ground frame at the start"},
                {"axis", Key::Type::vector, "", "its direction at the start"}},
       .example = "bodies = [\"ground\", \"slider\"]\nat = [0.5, 0, 0]\naxis = [1, 0, 0]",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         c.spatial->prismatic(of.name(), a, b, of.vector("at"), of.vector("axis"));
       }}};
}

}  // namespace dalembert
