// A flexible beam without mass in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_beam() {
  return {
      {.section = "force",
       .kind = "beam",
       .space = ElementEntry::Space::planar,
       .summary = "a slender elastic beam clamped to two bodies; it may turn far but bends little",
       .carries = {},
       .keys = {{"from", Key::Type::end, "m", "one end; at the start the beam is straight and without load"},
                {"to", Key::Type::end, "m", "the other end"},
                {"EA", Key::Type::number, "N", "stiffness against stretching"},
                {"EI", Key::Type::number, "N m^2", "stiffness against bending"},
                {"length", Key::Type::number, "m", "without load; unless given that of the start", "-"},
                {"damping", Key::Type::number, "s", "times the stiffness it is the damping", "0"}},
       .example = "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"weight\", at = [1, 0] }\n"
                  "EA = 1e6\nEI = 200\ndamping = 1e-4",
       .build = [](const Fields& of, Construction& c) {
         const Attachment from = of.end("from"), to = of.end("to");
         PlanarBeam beam{.a = from.body,
                         .b = to.body,
                         .at_a = flat(from.at),
                         .at_b = flat(to.at),
                         .EA = of.number("EA"),
                         .EI = of.number("EI"),
                         .damping = of.number("damping")};
         if (of.has("length")) beam.length = of.number("length");
         c.planar->beam(of.name(), beam);
       }}};
}

}  // namespace dalembert
