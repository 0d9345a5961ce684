// A blade or wheel that cannot slip sideways.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_knife_edge() {
  return {{.section = "joint",
           .kind = "knife-edge",
           .space = ElementEntry::Space::planar,
           .summary = "a point of a body moves along a direction of the body only",
           .carries = "side: force on the ground, to the left of `along`, which is fixed to the body",
           .keys = {{"body", Key::Type::body, "", "the body with the blade"},
                    {"at", Key::Type::vector, "m", "where the blade is, in the ground frame at the start"},
                    {"along", Key::Type::vector, "", "the direction of the blade at the start"}},
           .example = "body = \"sleigh\"\nat = [0, 0]\nalong = [1, 0]",
           .build = [](const ElementKeys& of, Construction& c) {
             c.planar->knife_edge(of.name(), of.body("body"), flat(of.vector("at")),
                                  flat(of.vector("along")));
           }}};
}

}  // namespace dalembert
