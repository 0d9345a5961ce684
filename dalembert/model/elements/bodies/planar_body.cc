// Bodies and point masses in the plane.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/elements/bodies/body_keys.h"
#include "dalembert/model/flat.h"

namespace dalembert {

namespace {

using namespace body_key;

ElementEntry rigid() {
  return {.section = "body",
          .kind = "rigid",
          .space = ElementEntry::Space::planar,
          .summary = "a rigid body: x, y and angle",
          .carries = "",
          .keys = {mass(),
                   {"inertia",
                    Key::Type::number,
                    "kg m^2",
                    "about the centre of mass",
                    "",
                    {},
                    Key::Frame::body,
                    Key::Sign::not_negative},
                   position(),
                   {"angle", Key::Type::orientation, "rad", "of the body", "0"},
                   velocity(),
                   {"spin", Key::Type::number, "rad/s", "angular velocity", "0"},
                   shape()},
          .example = "name = \"crank\"\nmass = 0.2\ninertia = \"mass*l^2/12\"\nposition = [\"l/2\", 0]",
          .build = [](const ElementKeys& of, Construction& c) {
            c.planar->body({.name = of.name(),
                            .mass = of.number("mass"),
                            .inertia = of.number("inertia"),
                            .position = flat(of.vector("position")),
                            .angle = of.number("angle"),
                            .velocity = flat(of.vector("velocity")),
                            .spin = of.number("spin")});
          }};
}

ElementEntry point() {
  return {.section = "body",
          .kind = "point",
          .space = ElementEntry::Space::planar,
          .summary = "a point mass: x and y",
          .carries = "",
          .keys = {mass(), position(), velocity(), shape()},
          .example = "name = \"bob\"\nkind = \"point\"\nmass = 1\nposition = [1, 0]",
          .build = [](const ElementKeys& of, Construction& c) {
            c.planar->point({.name = of.name(),
                             .mass = of.number("mass"),
                             .position = flat(of.vector("position")),
                             .velocity = flat(of.vector("velocity"))});
          }};
}

}  // namespace

std::vector<ElementEntry> elements_in_planar_body() {
  return {rigid(), point()};
}

}  // namespace dalembert
