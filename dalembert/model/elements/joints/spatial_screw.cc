// A screw.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_screw() {
  return {
      {.section = "joint",
       .kind = "screw",
       .space = ElementEntry::Space::spatial,
       .summary =
           "the second body turns about an axis of the first and moves along it by the pitch for each turn",
       .carries =
           "u, v: force on the first body, at the point of the second; moment_u, moment_v: moment on the "
           "first body; axial: force on the first body along the axis, with the moment -pitch/(2 pi) times "
           "it about the axis; u and v are across the axis and fixed to the first body, axis x u = v",
       .keys = {{"bodies", Key::Type::bodies, "", "the two bodies"},
                {"at", Key::Type::vector, "m", "a point of the axis, in the ground frame at the start"},
                {"axis", Key::Type::vector, "", "its direction at the start"},
                {"pitch", Key::Type::number, "m",
                 "way along the axis for one turn; negative for a left-handed thread"}},
       .example = "bodies = [\"ground\", \"nut\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\npitch = 0.01",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         c.spatial->screw(of.name(), a, b, of.vector("at"), of.vector("axis"), of.number("pitch"));
       }}};
}

}  // namespace dalembert
