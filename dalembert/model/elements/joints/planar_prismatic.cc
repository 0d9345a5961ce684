// A slide in the plane: one body moves along a line of another and does not turn against it.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_prismatic() {
  return {{.section = "joint",
           .kind = "prismatic",
           .space = ElementEntry::Space::planar,
           .summary = "the second body slides along a line of the first",
           .carries = "normal: force on the first body, to the left of `along`, which is fixed to that body; "
                      "moment on the first "
                      "body (none if one of the two is a point mass)",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the line, and the one that slides"},
                    {"at", Key::Type::vector, "m", "a point of the line, in the ground frame at the start"},
                    {"along", Key::Type::vector, "", "the direction of the line at the start"}},
           .example = "bodies = [\"ground\", \"slider\"]\nat = [0.5, 0]\nalong = [1, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->prismatic(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")));
           }}};
}

}  // namespace dalembert
