// A hinge in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_revolute() {
  return {
      {.section = "joint",
       .kind = "revolute",
       .space = ElementEntry::Space::spatial,
       .summary = "two bodies turn about a common axis",
       .carries =
           "x, y, z: force on the first body at the point, in the ground frame; moment_u, moment_v: moment "
           "on the first body; u and v are across the axis and fixed to the first body, axis x u = v",
       .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                {"at", Key::Type::vector, "m", "a point of the axis, in the ground frame at the start"},
                {"axis", Key::Type::vector, "", "its direction at the start"}},
       .example = "bodies = [\"ground\", \"crank\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         c.spatial->revolute(of.name(), a, b, of.vector("at"), of.vector("axis"));
       }}};
}

}  // namespace dalembert
