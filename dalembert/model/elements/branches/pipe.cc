// A pipe between two nodes.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_pipe() {
  return {
      {.section = "branch",
       .kind = "pipe",
       .space = ElementEntry::Space::both,
       .summary = "a round pipe with laminar flow; the flow is a state, because the oil in it has mass",
       .carries = "",
       .keys = {hydraulic_nodes(),
                positive_key("length", "m", "from node to node"),
                positive_key("diameter", "m", "inside"),
                positive_key("viscosity", "Pa s", "of the oil", "0.04"),
                not_negative_key("density", "kg/m^3", "of the oil; with 0 the flow follows at once", "860"),
                {"start", Key::Type::number, "m^3/s", "flow at the start, from the first node to the second",
                 "0"}},
       .example = "nodes = [\"supply\", \"a\"]\nlength = 2\ndiameter = \"10 mm\"",
       .build = [](const ElementKeys& of, Construction& c) {
         network(c).add(of.name(), of.nodes("nodes"),
                        std::make_shared<Pipe>(Pipe::Constants{.length = of.number("length"),
                                                               .diameter = of.number("diameter"),
                                                               .viscosity = of.number("viscosity"),
                                                               .density = of.number("density"),
                                                               .flow = of.number("start")}));
       }}};
}

}  // namespace dalembert
