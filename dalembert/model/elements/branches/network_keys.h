// What the branches of networks share: their nodes, their starts, and the network they are added to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/model/element_entry.h"
#include "dalembert/multibody/network/network.h"

namespace dalembert {

inline Network& network(const Construction& c) {
  return c.mechanism().forces<Network>();
}

inline Key electrical_nodes(std::vector<std::string> roles = {"from", "to"}) {
  return {"nodes", Key::Type::nodes, "V", "electrical nodes", "", std::move(roles)};
}
inline Key hydraulic_nodes(std::vector<std::string> roles = {"from", "to"}) {
  return {"nodes", Key::Type::nodes, "Pa", "hydraulic nodes", "", std::move(roles)};
}

inline std::array<int, 2> two_nodes(const ElementKeys& of) {
  const std::vector<int> both = of.nodes("nodes");
  return {both[0], both[1]};
}

/// A constant that cannot be 0.
inline Key positive_key(const char* name, const char* unit, const char* meaning, const char* preset = "") {
  return {name, Key::Type::number, unit, meaning, preset, {}, Key::Frame::ground, Key::Sign::positive};
}
inline Key not_negative_key(const char* name, const char* unit, const char* meaning, const char* preset) {
  return {name, Key::Type::number, unit, meaning, preset, {}, Key::Frame::ground, Key::Sign::not_negative};
}

inline std::optional<double> number_if_given(const ElementKeys& of, const std::string& key) {
  return of.has(key) ? std::optional(of.number(key)) : std::nullopt;
}

/// Exactly one of two keys; complains otherwise.
inline bool one_of(const ElementKeys& of, const std::string& one, const std::string& other) {
  if (of.has(one) != of.has(other)) return true;
  of.complain(one, "it needs " + one + " or " + other + ", and not both", "give one of them");
  return false;
}

}  // namespace dalembert
