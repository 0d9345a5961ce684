// A toothed wheel on a rack.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_rack() {
  return {{.section = "joint",
           .kind = "rack",
           .space = ElementEntry::Space::planar,
           .summary = "a toothed wheel rolls along the pitch line of a rack; other joints keep it there",
           .carries =
               "along: force on the rack where the wheel meets it, along `along`, which is fixed to the rack",
           .keys = {{"bodies", Key::Type::bodies, "", "the rack and the wheel"},
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
           .example = "bodies = [\"rack\", \"pinion\"]\nat = [0, 0]\nalong = [1, 0]\nradius = 0.05",
           .build = [](const Fields& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             PlanarWheel wheel;
             if (of.has("centre")) wheel.centre = flat(of.vector("centre"));
             if (of.has("radius")) wheel.radius = of.number("radius");
             c.planar->rack(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")), wheel);
           }}};
}

}  // namespace dalembert
