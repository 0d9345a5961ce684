// The number a force acts along: the coordinate of a joint, or the distance between two points.
#pragma once

#include <string>

#include "dalembert/core/error.h"
#include "dalembert/model/element_entry.h"

namespace dalembert {

/// Of `coordinate` keys: which number of the joint, if it has several.
inline Key coordinate_key() {
  return {"coordinate", Key::Type::text,
          "",           "which number of the joint, if it leaves several free",
          "any",        {"any", "angle", "displacement"}};
}

/// The number of the joint that `coordinate` asks for.
inline MeasurePtr coordinate_of(const Fields& of, const Construction& c, const std::string& wanted) {
  const Mechanism& mechanism = c.mechanism();
  const int joint = of.joint("joint");
  if (wanted == "any") return mechanism.coordinate(joint);
  const JointRecord& record = mechanism.joints()[static_cast<std::size_t>(joint)];
  const std::string unit = wanted == "angle" ? "rad" : "m";
  for (const MeasurePtr& each : record.coordinates)
    if (each->unit == unit) return each;
  throw Error(
      "joint '" + record.name + "' (" + record.kind + ") leaves no " + wanted + " free",
      wanted == "angle" ? "take a revolute or cylindrical joint" : "take a prismatic or cylindrical joint");
}

/// The distance between the ends `from` and `to`.
inline MeasurePtr length_between(const Fields& of, const Construction& c) {
  const Attachment a = of.end("from"), b = of.end("to");
  if (a.body == b.body)
    throw Error("both ends of '" + of.name() + "' are on one body", "give from and to different bodies");
  if (c.planar) return c.planar->length(a.body, {a.at[0], a.at[1]}, b.body, {b.at[0], b.at[1]});
  return c.spatial->length(a.body, a.at, b.body, b.at);
}

inline std::vector<Key> end_keys() {
  return {{"from", Key::Type::end, "m", "a point fixed to a body, in the ground frame at the start"},
          {"to", Key::Type::end, "m", "a point of another body"}};
}

}  // namespace dalembert
