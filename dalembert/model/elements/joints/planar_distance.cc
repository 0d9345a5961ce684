// A rod without mass in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_distance() {
  return {{.section = "joint",
           .kind = "distance",
           .space = ElementEntry::Space::planar,
           .summary = "two points keep their distance",
           .carries = "rod: force along the rod, positive where it is pulled",
           .keys = {{"from", Key::Type::end, "m", "one end"},
                    {"to", Key::Type::end, "m", "the other end"},
                    {.name = "length",
                     .type = Key::Type::number,
                     .unit = "m",
                     .meaning = "the distance; unless given that of the start",
                     .preset = "-",
                     .sign = Key::Sign::positive}},
           .example =
               "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"bob\", at = [1, 0] }\nlength = 1",
           .build = [](const ElementKeys& of, Construction& c) {
             const Attachment from = of.end("from"), to = of.end("to");
             c.planar->distance(of.name(), from.body, flat(from.at), to.body, flat(to.at),
                                of.has("length") ? of.number("length") : 0);
           }}};
}

}  // namespace dalembert
