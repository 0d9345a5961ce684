// A rod without mass in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_distance() {
  return {{.section = "joint",
           .kind = "distance",
           .space = ElementEntry::Space::spatial,
           .summary = "two points keep their distance",
           .carries = "rod: force along the rod, positive where it is pulled",
           .keys = {{"from", Key::Type::end, "m", "one end"},
                    {"to", Key::Type::end, "m", "the other end"},
                    {"length", Key::Type::number, "m", "the distance; unless given that of the start", "-"}},
           .example = "from = { body = \"ground\", at = [0, 0, 0] }\nto = { body = \"bob\", at = [1, 0, 0] "
                      "}\nlength = 1",
           .build = [](const ElementKeys& of, Construction& c) {
             const Attachment from = of.end("from"), to = of.end("to");
             if (of.has("length") && !(of.number("length") > 0))
               return of.complain("length", "the length of a rod is positive",
                                  "for length 0 use a spherical joint");
             c.spatial->distance(of.name(), from.body, from.at, to.body, to.at,
                                 of.has("length") ? of.number("length") : 0);
           }}};
}

}  // namespace dalembert
