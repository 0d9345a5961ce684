// A resistor between two nodes, linear or by a law.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_resistor() {
  Key resistance = positive_key("resistance", "ohm", "voltage per current", "-");
  return {
      {.section = "branch",
       .kind = "resistor",
       .space = ElementEntry::Space::both,
       .summary = "a current that the voltage determines",
       .carries = "",
       .keys = {electrical_nodes(),
                resistance,
                {"law", Key::Type::law, "A", "the current, instead of resistance", "-", {"voltage", "t"}}},
       .example = "nodes = [\"a\", \"ground\"]\nresistance = \"9 kohm\"",
       .build = [](const ElementKeys& of, Construction& c) {
         if (!one_of(of, "resistance", "law")) return;
         network(c).add(of.name(), of.nodes("nodes"),
                        of.has("law") ? std::make_shared<Resistor>(of.law("law"))
                                      : std::make_shared<Resistor>(of.number("resistance")));
       }}};
}

}  // namespace dalembert
