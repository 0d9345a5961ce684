// A force on a body in space, constant or by formula.
#include "dalembert/model/element_entry.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const auto force = of.laws("force");
  SpatialLoad load{.body = of.body("body")};
  if (of.has("at")) load.at = of.vector("at");
  if (of.text("frame") == "body") load.frame = SpatialLoad::Frame::body;
  for (std::size_t i = 0; i < 3; ++i) load.force[i] = force[i];
  c.spatial->load(of.name(), load);
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_force() {
  return {{.section = "force",
           .kind = "force",
           .space = ElementEntry::Space::spatial,
           .summary = "a force on a point of a body",
           .carries = "",
           .keys = {{"body", Key::Type::body, "", "what it acts on"},
                    {"at", Key::Type::vector, "m",
                     "the point, in the ground frame at the start; otherwise the centre of mass", "-"},
                    {"force",
                     Key::Type::laws,
                     "N",
                     "its components; x to vz are those of the point in the ground frame",
                     "",
                     {"t", "x", "y", "z", "vx", "vy", "vz", "omega1", "omega2", "omega3"}},
                    {"frame",
                     Key::Type::text,
                     "",
                     "in which the components are given",
                     "\"ground\"",
                     {"ground", "body"}}},
           .example = "body = \"rotor\"\nat = [0, 0, 1]\nforce = [\"10*sin(t)\", 0, \"-2*vz\"]",
           .build = build}};
}

}  // namespace dalembert
