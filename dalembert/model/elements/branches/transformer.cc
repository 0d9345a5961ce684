// An ideal transformer.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_transformer() {
  return {{.section = "branch",
           .kind = "transformer",
           .space = ElementEntry::Space::both,
           .summary = "an ideal transformer: voltages in a ratio, currents in its inverse",
           .carries = "",
           .keys = {electrical_nodes({"plus1", "minus1", "plus2", "minus2"}),
                    positive_key("ratio", "", "turns of the first winding per turn of the second")},
           .example = "nodes = [\"a\", \"ground\", \"b\", \"ground\"]\nratio = 10",
           .build = [](const ElementKeys& of, Construction& c) {
             network(c).add(of.name(), of.nodes("nodes"), std::make_shared<Transformer>(of.number("ratio")));
           }}};
}

}  // namespace dalembert
