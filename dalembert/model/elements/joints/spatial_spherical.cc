// A ball joint in space: two points stay together.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_spherical() {
  return {
      {.section = "joint",
       .kind = "spherical",
       .space = ElementEntry::Space::spatial,
       .summary = "two bodies turn about a common point, every way",
       .carries = "x, y, z: force on the first body, in the ground frame",
       .keys =
           {{"bodies", Key::Type::bodies, "", "the two bodies"},
            {"at", Key::Type::vector, "m",
             "the common point, in the ground frame at the start; of a point mass it is where the mass is"}},
       .example = "bodies = [\"ground\", \"top\"]\nat = [0, 0, 0]",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto [a, b] = of.bodies("bodies");
         c.spatial->spherical(of.name(), a, b, of.vector("at"));
       }}};
}

}  // namespace dalembert
