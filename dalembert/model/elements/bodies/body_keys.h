// The keys that bodies in the plane and in space share.
#pragma once

#include "dalembert/model/element_entry.h"

namespace dalembert::body_key {

inline Key mass() {
  return {"mass", Key::Type::number, "kg", "mass", "", {}, Key::Frame::ground, Key::Sign::not_negative};
}
inline Key position() {
  return {"position", Key::Type::vector, "m", "of the centre of mass", "0"};
}
inline Key velocity() {
  return {"velocity", Key::Type::vector, "m/s", "of the centre of mass", "0"};
}
inline Key shape() {
  return {"shape", Key::Type::shape, "", "what it looks like", "-"};
}

}  // namespace dalembert::body_key
