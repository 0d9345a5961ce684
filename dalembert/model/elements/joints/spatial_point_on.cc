// Points of one body that stay on a line or plane of another.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_spatial_point_on() {
  return {{.section = "joint",
           .kind = "point-on-line",
           .space = ElementEntry::Space::spatial,
           .summary = "a point of the second body stays on a line of the first",
           .carries = "u, v: force on the first body, at the point; u and v are across the axis and fixed to "
                      "the first body, axis x u = v",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the line, and the one with the point"},
                    {"at", Key::Type::vector, "m", "the point, in the ground frame at the start"},
                    {"axis", Key::Type::vector, "", "the direction of the line at the start"}},
           .example = "bodies = [\"ground\", \"rod\"]\nat = [0.5, 0, 0]\naxis = [1, 0, 0]",
           .build =
               [](const ElementKeys& of, Construction& c) {
                 const auto [a, b] = of.bodies("bodies");
                 c.spatial->point_on_line(of.name(), a, b, of.vector("at"), of.vector("axis"));
               }},
          {.section = "joint",
           .kind = "point-on-plane",
           .space = ElementEntry::Space::spatial,
           .summary = "a point of the second body stays in a plane of the first",
           .carries = "normal: force on the first body along the normal, at the point",
           .keys = {{"bodies", Key::Type::bodies, "", "the body with the plane, and the one with the point"},
                    {"at", Key::Type::vector, "m", "the point, in the ground frame at the start"},
                    {"normal", Key::Type::vector, "", "of the plane, at the start"}},
           .example = "bodies = [\"ground\", \"leg\"]\nat = [0.5, 0, 0]\nnormal = [0, 0, 1]",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->point_on_plane(of.name(), a, b, of.vector("at"), of.vector("normal"));
           }}};
}

}  // namespace dalembert
