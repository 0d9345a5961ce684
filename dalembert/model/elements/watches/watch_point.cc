// A point of a body: where it is, how fast it moves, how it is accelerated.
#include "dalembert/model/watching.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_watch_point() {
  return {{.section = "watch",
           .kind = "point",
           .space = ElementEntry::Space::both,
           .summary = "position, velocity or acceleration of a point of a body, in the ground frame",
           .carries = "",
           .keys = {{"point", Key::Type::end, "m", "the point"},
                    {"quantity",
                     Key::Type::text,
                     "",
                     "what to tell of it",
                     "\"position\"",
                     {"position", "velocity", "acceleration"}}},
           .example = "name = \"tip\"\npoint = { body = \"crank\", at = [1, 0] }\nquantity = \"velocity\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const Attachment end = of.end("point");
             const int body = end.body;
             const Eigen::Vector3d fixed = fixed_in(c.mechanism(), end.body, end.at);
             const std::string quantity = of.text("quantity");
             Watching watching(of, c);
             if (quantity == "velocity")
               watching.add_vector("", "m/s",
                                   [=](MechanismView& view) { return view.velocity(body, fixed); });
             else if (quantity == "acceleration")
               watching.add_vector("", "m/s^2",
                                   [=](MechanismView& view) { return view.acceleration(body, fixed); });
             else
               watching.add_vector("", "m", [=](MechanismView& view) { return view.point(body, fixed); });
           }}};
}

}  // namespace dalembert
