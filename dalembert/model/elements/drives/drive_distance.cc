// The distance of two points follows a prescribed motion.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_drive_distance() {
  return {{.section = "drive",
           .kind = "distance",
           .space = ElementEntry::Space::both,
           .summary = "the distance of two points is a function of time",
           .carries = "drive: force along the line between the points, positive where it pulls them together",
           .keys = {{"from", Key::Type::end, "m", "one point"},
                    {"to", Key::Type::end, "m", "the other point"},
                    {"distance", Key::Type::motion, "m",
                     "their distance; if it is another one at t = 0 the start is moved"}},
           .example = "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"crank\", at = [0.5, 0] }\n"
                      "distance = \"0.5 + 0.1*sin(2*t)\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const Attachment from = of.end("from"), to = of.end("to");
             if ((from.at - to.at).norm() == 0)
               return of.complain("to", "the two points meet at the start",
                                  "a line between them needs points that lie apart");
             const MeasurePtr length = c.planar
                                           ? c.planar->length(from.body, flat(from.at), to.body, flat(to.at))
                                           : c.spatial->length(from.body, from.at, to.body, to.at);
             c.mechanism().drive(of.name(), length, of.motion("distance"));
           }}};
}

}  // namespace dalembert
