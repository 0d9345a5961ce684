// A constant-velocity joint, as on the shafts of driven front wheels.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_constant_velocity() {
  return {
      {.section = "joint",
       .kind = "constant-velocity",
       .space = ElementEntry::Space::spatial,
       .summary = "two shafts meet in a point and turn equally fast, whatever the angle between them",
       .carries = "x, y, z: force on the first body at the point, in the ground frame; torque: moment on the "
                  "first body about its axis",
       .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                {"at", Key::Type::vector, "m", "where the axes meet, in the ground frame at the start"},
                {"first_axis", Key::Type::vector, "", "of the first shaft at the start"},
                {"second_axis", Key::Type::vector, "",
                 "of the second shaft at the start; where the shafts are in line it is the same direction"}},
       .example = "bodies = [\"shaft\", \"axle\"]\nat = [0, 0, 0]\nfirst_axis = [1, 0, 0]\nsecond_axis = [1, "
                  "0.3, 0]",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         c.spatial->constant_velocity(of.name(), a, b, of.vector("at"), of.vector("first_axis"),
                                      of.vector("second_axis"));
       }}};
}

}  // namespace dalembert
