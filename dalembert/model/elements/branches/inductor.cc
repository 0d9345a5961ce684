// An inductor between two nodes.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_inductor() {
  return {
      {.section = "branch",
       .kind = "inductor",
       .space = ElementEntry::Space::both,
       .summary = "an inductor, with its current as state",
       .carries = "",
       .keys = {electrical_nodes(),
                positive_key("inductance", "H", "flux per current"),
                {"current", Key::Type::number, "A", "at the start, from the first node to the second", "0"}},
       .example = "nodes = [\"a\", \"b\"]\ninductance = \"5 mH\"",
       .build = [](const ElementKeys& of, Construction& c) {
         network(c).add(of.name(), of.nodes("nodes"),
                        std::make_shared<Inductor>(of.number("inductance"), of.number("current")));
       }}};
}

}  // namespace dalembert
