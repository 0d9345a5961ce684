// Forces and torques on a body in space, constant or by formula.
#include "dalembert/model/element_entry.h"

namespace dalembert {

namespace {

SpatialLoad load(const ElementKeys& of) {
  SpatialLoad is{.body = of.body("body")};
  if (of.text("frame") == "body") is.frame = SpatialLoad::Frame::body;
  return is;
}

std::array<Law, 3> components(const ElementKeys& of, const char* key) {
  const auto all = of.laws(key);
  return {all[0], all[1], all[2]};
}

Key body_key() {
  return {"body", Key::Type::body, "", "what it acts on"};
}
Key components_key(const char* name, const char* unit, const char* meaning) {
  return {name, Key::Type::laws,
          unit, meaning,
          "",   {"t", "x", "y", "z", "vx", "vy", "vz", "omega1", "omega2", "omega3"}};
}
Key frame_key() {
  return {"frame",      Key::Type::text,   "", "in which the components are given",
          "\"ground\"", {"ground", "body"}};
}

ElementEntry force() {
  return {.section = "force",
          .kind = "force",
          .space = ElementEntry::Space::spatial,
          .summary = "a force on a point of a body",
          .carries = "",
          .keys = {body_key(),
                   {"at", Key::Type::vector, "m",
                    "the point, in the ground frame at the start; otherwise the centre of mass", "-"},
                   components_key("force", "N",
                                  "its components; x to vz are those of the point in the ground frame"),
                   frame_key()},
          .example = "body = \"rotor\"\nat = [0, 0, 1]\nforce = [\"10*sin(t)\", 0, \"-2*vz\"]",
          .build = [](const ElementKeys& of, Construction& c) {
            SpatialLoad is = load(of);
            if (of.has("at")) is.at = of.vector("at");
            is.force = components(of, "force");
            c.spatial->load(of.name(), is);
          }};
}

ElementEntry torque() {
  return {.section = "force",
          .kind = "torque",
          .space = ElementEntry::Space::spatial,
          .summary = "a torque on a body",
          .carries = "",
          .keys = {body_key(),
                   components_key("torque", "N m",
                                  "its components; omega is the angular velocity in the body frame, x to vz "
                                  "of the centre of mass"),
                   frame_key()},
          .example = "body = \"rotor\"\nframe = \"body\"\ntorque = [0, 0, \"2 - 0.1*omega3\"]",
          .build = [](const ElementKeys& of, Construction& c) {
            SpatialLoad is = load(of);
            is.torque = components(of, "torque");
            c.spatial->load(of.name(), is);
          }};
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_load() {
  return {force(), torque()};
}

}  // namespace dalembert
