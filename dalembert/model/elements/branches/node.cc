// Nodes of networks: where branches meet.
#include "dalembert/model/elements/branches/network_keys.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_node() {
  const auto entry = [](const char* kind, const char* summary, Network::Domain domain) {
    return ElementEntry{
        .section = "node",
        .kind = kind,
        .space = ElementEntry::Space::both,
        .summary = summary,
        .carries = "",
        .keys = {},
        .example = std::string("kind = \"") + kind + "\"",
        .build = [domain](const ElementKeys& of, Construction& c) { network(c).node(of.name(), domain); }};
  };
  return {entry("electrical", "a node of a circuit; \"ground\" is at 0 V", Network::Domain::electrical),
          entry("hydraulic", "a node of a hydraulic network; \"ground\" is the tank, where pressures are 0",
                Network::Domain::hydraulic)};
}

}  // namespace dalembert
