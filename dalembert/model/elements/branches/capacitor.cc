// A capacitor between two nodes.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_capacitor() {
  return {
      {.section = "branch",
       .kind = "capacitor",
       .space = ElementEntry::Space::both,
       .summary = "a capacitor, with its voltage as state unless a loop determines it",
       .carries = "",
       .keys = {electrical_nodes(),
                positive_key("capacitance", "F", "charge per voltage"),
                {"voltage", Key::Type::number, "V", "at the start; 0 unless its loop says otherwise", "-"}},
       .example = "nodes = [\"a\", \"ground\"]\ncapacitance = \"2 uF\"\nvoltage = 5",
       .build = [](const ElementKeys& of, Construction& c) {
         network(c).store(
             of.name(), two_nodes(of),
             std::make_shared<Capacity>(of.number("capacitance"), number_if_given(of, "voltage")));
       }}};
}

}  // namespace dalembert
