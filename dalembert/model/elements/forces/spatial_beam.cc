// A slender elastic beam between two bodies in space.
#include "dalembert/model/element_entry.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const Attachment a = of.end("from"), b = of.end("to");
  SpatialBeam beam{.a = a.body,
                   .b = b.body,
                   .at_a = a.at,
                   .at_b = b.at,
                   .EA = of.number("EA"),
                   .GJ = of.number("GJ"),
                   .EI_y = of.number("EI_y"),
                   .EI_z = of.has("EI_z") ? of.number("EI_z") : of.number("EI_y"),
                   .damping = of.number("damping")};
  if (of.has("y")) beam.y = of.vector("y");
  c.spatial->beam(of.name(), beam);
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_beam() {
  return {{.section = "force",
           .kind = "beam",
           .space = ElementEntry::Space::spatial,
           .summary = "a slender beam without mass, clamped to two bodies, for small bending and any motion",
           .carries = "",
           .keys = {{"from", Key::Type::end, "m", "where it is clamped to one body"},
                    {"to", Key::Type::end, "m", "and to the other"},
                    {"EA", Key::Type::number, "N", "stiffness against stretching"},
                    {"GJ", Key::Type::number, "N m^2", "against torsion"},
                    {"EI_y", Key::Type::number, "N m^2", "against bending about y"},
                    {"EI_z", Key::Type::number, "N m^2", "about z; otherwise as about y", "-"},
                    {"y", Key::Type::vector, "",
                     "where y points at the start; of round beams it does not matter", "-"},
                    {"damping", Key::Type::number, "s", "times the stiffness it is the damping", "0"}},
           .example =
               "from = { body = \"ground\", at = [0, 0, 0] }\nto = { body = \"tip\", at = [1, 0, 0] }\n"
               "EA = 1e7\nGJ = 500\nEI_y = 800",
           .build = build}};
}

}  // namespace dalembert
