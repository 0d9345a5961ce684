// What nodes and branches of networks do: potentials, currents, differences, powers.
#include <algorithm>

#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/model/watching.h"

namespace dalembert {

namespace {

void watch_node(const ElementKeys& of, Construction& c) {
  const Network& all = network(c);
  const int node = of.node("potential");
  if (node == Network::ground) {
    of.complain("potential", "the potential of the ground is 0", "name a node");
    return;
  }
  const auto k = static_cast<std::size_t>(node);
  const bool hydraulic = all.nodes()[k].domain == Network::Domain::hydraulic;
  Watching(of, c).add("", hydraulic ? "Pa" : "V", [&all, k](MechanismView& view) {
    return all.read(view.at(), view.v(), view.s(), view.multipliers()).potentials[k];
  });
}

void watch_branch(const ElementKeys& of, Construction& c) {
  const Network& all = network(c);
  const std::vector<std::string> names = all.names();
  const std::string name = of.text("branch"), quantity = of.text("quantity");
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
    of.complain("branch", "there is no branch '" + name + "'",
                names.empty() ? "the model has no network" : "there are: " + known);
    return;
  }
  const auto k = static_cast<std::size_t>(found - names.begin());
  const bool hydraulic = all.domain_of(k) == Network::Domain::hydraulic;
  const auto values = quantity == "current"      ? &Network::Reading::currents
                      : quantity == "difference" ? &Network::Reading::differences
                                                 : &Network::Reading::powers;
  const std::string unit = quantity == "power"     ? "W"
                           : quantity == "current" ? (hydraulic ? "m^3/s" : "A")
                                                   : (hydraulic ? "Pa" : "V");
  Watching(of, c).add("", unit, [&all, k, values](MechanismView& view) {
    return (all.read(view.at(), view.v(), view.s(), view.multipliers()).*values)[k];
  });
}

}  // namespace

std::vector<ElementEntry> elements_in_watch_network() {
  return {
      {.section = "watch",
       .kind = "potential",
       .space = ElementEntry::Space::both,
       .summary = "voltage of a node against the ground, or pressure above the tank",
       .carries = "",
       .keys = {{"potential", Key::Type::node, "", "the node"}},
       .example = "name = \"output\"\npotential = \"a\"",
       .build = watch_node},
      {.section = "watch",
       .kind = "branch",
       .space = ElementEntry::Space::both,
       .summary = "what a branch of a network does",
       .carries = "",
       .keys = {{"branch", Key::Type::branch, "", "the branch, or a part of it"},
                {"quantity",
                 Key::Type::text,
                 "",
                 "current or flow from the first node into it; difference of the potentials of its first two "
                 "nodes; power that it takes from the network",
                 "\"current\"",
                 {"current", "difference", "power"}}},
       .example = "name = \"heat\"\nbranch = \"R1\"\nquantity = \"power\"",
       .build = watch_branch}};
}

}  // namespace dalembert
