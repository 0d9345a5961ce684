// A disc that rolls on a line without slip.
#include "dalembert/model/elements/joints/wheel.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_rolling() {
  return {{.section = "joint",
           .kind = "rolling",
           .space = ElementEntry::Space::planar,
           .summary = "a disc stays on a line and rolls without slip",
           .carries = "along, normal: force on the first body where the disc meets the line, along `along` "
                      "and to the left of it; "
                      "both are fixed to that body",
           .keys = wheel_keys("the body with the line, and the disc"),
           .example = "bodies = [\"ground\", \"disc\"]\nat = [0, 0]\nalong = [1, 0]\nradius = 0.2",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->rolling(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")),
                               wheel_of(of));
           }}};
}

}  // namespace dalembert
