// A disc that rolls on a line without slip.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_rolling() {
  return {{.section = "joint",
           .kind = "rolling",
           .space = ElementEntry::Space::planar,
           .summary = "a disc stays on a line and rolls without slip",
           .carries = "along, normal: force on the first body where the disc meets the line, along `along` "
                      "and to the left of it; "
                      "both are fixed to that body",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the line, and the disc"},
                    {"at", Key::Type::vector, "m", "a point of the line, in the ground frame at the start"},
                    {"along", Key::Type::vector, "", "the direction of the line at the start"},
                    {.name = "radius",
                     .type = Key::Type::number,
                     .unit = "m",
                     .meaning = "of the wheel; unless given the distance of its centre from the line",
                     .preset = "-",
                     .sign = Key::Sign::positive},
                    {"centre", Key::Type::vector, "m",
                     "of the wheel, in the ground frame at the start; unless given its centre "
                     "of mass",
                     "-"}},
           .example = "bodies = [\"ground\", \"disc\"]\nat = [0, 0]\nalong = [1, 0]\nradius = 0.2",
           .build = [](const Fields& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             PlanarWheel wheel;
             if (of.has("centre")) wheel.centre = flat(of.vector("centre"));
             if (of.has("radius")) wheel.radius = of.number("radius");
             c.planar->rolling(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")), wheel);
           }}};
}

}  // namespace dalembert
