// The nodes and branches that an element names.
#include <algorithm>

#include "dalembert/model/element_keys.h"
#include "dalembert/multibody/network/network.h"

namespace dalembert {

std::optional<int> ElementFields::node_named(const Value& value, const Key& key) {
  const auto text = scope_.text(value, key.name);
  if (!text) return {};
  if (*text == "ground") return Network::ground;
  const std::string& prefix = scope_.file().prefix;
  const auto found = directory_.nodes.find(prefix + *text);
  if (found == directory_.nodes.end()) {
    good_ = false;
    if (directory_.incomplete) return {};
    std::vector<std::string> known = {"ground"};
    for (const auto& [name, id] : directory_.nodes)
      if (name.starts_with(prefix) && known.size() < 1000) known.push_back(name.substr(prefix.size()));
    std::sort(known.begin() + 1, known.end());
    scope_.complaints().add_unknown(scope_.document(), value.spot, "node", *text, known);
    return {};
  }
  if (found->second == Directory::broken) {
    good_ = false;
    return found->second;
  }
  const std::string& kind = directory_.node_kinds[static_cast<std::size_t>(found->second)];
  const std::string wanted = key.unit == "V" ? "electrical" : key.unit == "Pa" ? "hydraulic" : kind;
  if (kind != wanted)
    refuse(value, "node '" + *text + "' is " + kind, what_ + " needs one of kind \"" + wanted + "\" here");
  return found->second;
}

ElementFields::Field ElementFields::read_network_reference(const Key& key, const Value& value) {
  if (key.type == Key::Type::node) {
    const auto node = node_named(value, key);
    return node ? Field(*node) : Field();
  }
  if (key.type == Key::Type::branch) {
    const auto text = scope_.text(value, key.name);
    return text ? Field(scope_.file().prefix + *text) : Field();
  }
  if (!is_list(value, key.name, static_cast<Eigen::Index>(key.words.size()))) return {};
  std::vector<int> all;
  for (const Value& each : value.list)
    if (const auto node = node_named(each, key)) all.push_back(*node);
  if (all.size() < value.list.size()) return {};
  if (all.size() == 2 && all[0] == all[1] && all[0] != Directory::broken)
    refuse(value, "both ends of " + what_ + " are at one node", "two different nodes were expected");
  return all;
}

}  // namespace dalembert
