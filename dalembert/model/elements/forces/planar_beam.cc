// A flexible beam without mass in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_beam() {
  return {
      {.section = "force",
       .kind = "beam",
       .space = ElementEntry::Space::planar,
       .summary = "a slender elastic beam clamped to two bodies; it may turn far but bend little, and an end "
                  "that has "
                  "turned by 170 degrees against its chord ends the run",
       .carries = {},
       .keys = {{"from", Key::Type::end, "m", "one end; at the start the beam is straight and without load"},
                {"to", Key::Type::end, "m", "the other end"},
                {.name = "EA",
                 .type = Key::Type::number,
                 .unit = "N",
                 .meaning = "stiffness against stretching",
                 .sign = Key::Sign::positive},
                {.name = "EI",
                 .type = Key::Type::number,
                 .unit = "N m^2",
                 .meaning = "stiffness against bending",
                 .sign = Key::Sign::positive},
                {.name = "length",
                 .type = Key::Type::number,
                 .unit = "m",
                 .meaning = "without load; unless given that of the start",
                 .preset = "-",
                 .sign = Key::Sign::positive},
                {.name = "damping",
                 .type = Key::Type::number,
                 .unit = "s",
                 .meaning = "times the stiffness it is the damping",
                 .preset = "0",
                 .sign = Key::Sign::not_negative}},
       .example = "from = { body = \"ground\", at = [0, 0] }\nto = { body = \"weight\", at = [1, 0] }\n"
                  "EA = 1e6\nEI = 200\ndamping = 1e-4",
       .build = [](const ElementKeys& of, Construction& c) {
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
