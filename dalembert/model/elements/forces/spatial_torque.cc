// A torque on a body in space, constant or by formula.
#include "dalembert/model/element_entry.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const auto torque = of.laws("torque");
  SpatialLoad load{.body = of.body("body")};
  if (of.text("frame") == "body") load.frame = SpatialLoad::Frame::body;
  for (std::size_t i = 0; i < 3; ++i) load.torque[i] = torque[i];
  c.spatial->load(of.name(), load);
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_torque() {
  return {
      {.section = "force",
       .kind = "torque",
       .space = ElementEntry::Space::spatial,
       .summary = "a torque on a body",
       .carries = "",
       .keys =
           {{"body", Key::Type::body, "", "what it acts on"},
            {"torque",
             Key::Type::laws,
             "N m",
             "its components; omega is the angular velocity in the body frame, x to vz of the centre of mass",
             "",
             {"t", "x", "y", "z", "vx", "vy", "vz", "omega1", "omega2", "omega3"}},
            {"frame",
             Key::Type::text,
             "",
             "in which the components are given",
             "\"ground\"",
             {"ground", "body"}}},
       .example = "body = \"rotor\"\nframe = \"body\"\ntorque = [0, 0, \"2 - 0.1*omega3\"]",
       .build = build}};
}

}  // namespace dalembert
