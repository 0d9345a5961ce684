// Diodes and transistors: currents that grow with the exponential of a voltage.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_junction() {
  const Key saturation = positive_key("saturation", "A", "the current in the direction that is shut");
  const Key thermal = positive_key("thermal", "V", "voltage by which the current grows e-fold", "0.026");
  return {{.section = "branch",
           .kind = "diode",
           .space = ElementEntry::Space::both,
           .summary = "a diode: saturation (exp(voltage/thermal) - 1)",
           .carries = "",
           .keys = {electrical_nodes({"anode", "cathode"}), saturation, thermal},
           .example = "nodes = [\"a\", \"ground\"]\nsaturation = 1e-9",
           .build =
               [](const ElementKeys& of, Construction& c) {
                 network(c).add(of.name(), of.nodes("nodes"),
                                std::make_shared<Diode>(of.number("saturation"), of.number("thermal")));
               }},
          {.section = "branch",
           .kind = "transistor",
           .space = ElementEntry::Space::both,
           .summary = "an npn transistor in forward direction; that its collector falls below its base is "
                      "not part of it",
           .carries = "",
           .keys = {electrical_nodes({"base", "collector", "emitter"}),
                    {"gain", Key::Type::number, "", "collector current per emitter current", "0.99"},
                    saturation,
                    thermal},
           .example = "nodes = [\"b\", \"c\", \"e\"]\nsaturation = 1e-6",
           .build = [](const ElementKeys& of, Construction& c) {
             network(c).add(of.name(), of.nodes("nodes"),
                            std::make_shared<Transistor>(of.number("gain"), of.number("saturation"),
                                                         of.number("thermal")));
           }}};
}

}  // namespace dalembert
