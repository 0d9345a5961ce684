// The height of a body: how far its centre of mass is above the origin of the ground.
#include "dalembert/model/watching.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_watch_height() {
  return {{.section = "watch",
           .kind = "height",
           .space = ElementEntry::Space::both,
           .summary = "height of the centre of mass of a body",
           .carries = "",
           .keys = {{"height", Key::Type::body, "", "the body"}},
           .example = "name = \"h\"\nheight = \"crank\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const int body = of.body("height"), up = c.planar != nullptr ? 1 : 2;
             Watching(of, c).add("", "m", [body, up](MechanismView& view) {
               return view.point(body, Eigen::Vector3d::Zero())[up];
             });
           }}};
}

}  // namespace dalembert
