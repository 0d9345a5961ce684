// A toothed wheel on a rack.
#include "dalembert/model/elements/joints/wheel.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_rack() {
  return {{.section = "joint",
           .kind = "rack",
           .space = ElementEntry::Space::planar,
           .summary = "a toothed wheel rolls along the pitch line of a rack; other joints keep it there",
           .carries =
               "along: force on the rack where the wheel meets it, along `along`, which is fixed to the rack",
           .keys = wheel_keys("the rack and the wheel"),
           .example = "bodies = [\"rack\", \"pinion\"]\nat = [0, 0]\nalong = [1, 0]\nradius = 0.05",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.planar->rack(of.name(), a, b, flat(of.vector("at")), flat(of.vector("along")), wheel_of(of));
           }}};
}

}  // namespace dalembert
