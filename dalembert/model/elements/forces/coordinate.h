// The number a force acts along: the coordinate of a joint, or the distance between two points.
#pragma once

#include <string>

#include "dalembert/core/error.h"
#include "dalembert/model/element_entry.h"

namespace dalembert {

inline Key coordinate_key() {
  return {"coordinate", Key::Type::text,          "", "which one, for joints with two",
          "-",          {"angle", "displacement"}};
}

/// The number of `joint` that has this name, or its only one if no name is given; complains and returns none if there is
/// no such number.
inline MeasurePtr coordinate_of(const ElementKeys& of, const Construction& c, const std::string& name) {
  const JointRecord& record = c.mechanism().joints()[static_cast<std::size_t>(of.joint("joint"))];
  const std::string what = "joint '" + record.name + "' (" + record.kind + ")";
  const auto& all = record.coordinates;
  if (name.empty() && all.size() == 1) return all.front();
  std::string names;
  for (const MeasurePtr& each : all) {
    if (each->name == name) return each;
    if (names.find(each->name) == std::string::npos) names += (names.empty() ? "" : " or ") + each->name;
  }
  if (all.empty())
    of.complain("joint", what + " has no coordinate to act along", "take a joint that turns or slides");
  else if (name.empty())
    of.complain("joint", what + " has more than one coordinate", "add coordinate = " + names);
  else
    of.complain("joint", what + " has no " + name, "it has its " + names);
  return nullptr;
}
inline MeasurePtr coordinate_of(const ElementKeys& of, const Construction& c) {
  return coordinate_of(of, c, of.has("coordinate") ? of.text("coordinate") : "");
}

/// The distance between the ends `from` and `to`.
inline MeasurePtr length_between(const ElementKeys& of, const Construction& c) {
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

/// A constant that is below 0 for a few strange elements, and for slips of the pen.
inline Key rarely_negative_key(const char* name, const char* unit, const char* meaning, const char* preset) {
  return {name, Key::Type::number, unit, meaning, preset, {}, Key::Frame::ground, Key::Sign::rarely_negative};
}

}  // namespace dalembert
