// The keys that racks and rolling discs share: a line of one body, and a wheel on it.
#pragma once

#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

inline std::vector<Key> wheel_keys(const std::string& bodies) {
  return {{"bodies", Key::Type::bodies, "", bodies},
          {"at", Key::Type::vector, "m", "a point of the line, in the ground frame at the start"},
          {"along", Key::Type::vector, "", "the direction of the line at the start"},
          {.name = "radius",
           .type = Key::Type::number,
           .unit = "m",
           .meaning = "of the wheel; unless given the distance of its centre from the line",
           .preset = "-",
           .sign = Key::Sign::positive},
          {"centre", Key::Type::vector, "m",
           "of the wheel, in the ground frame at the start; unless given its centre of mass", "-"}};
}

inline PlanarWheel wheel_of(const ElementKeys& of) {
  PlanarWheel wheel;
  if (of.has("centre")) wheel.centre = flat(of.vector("centre"));
  if (of.has("radius")) wheel.radius = of.number("radius");
  return wheel;
}

}  // namespace dalembert
