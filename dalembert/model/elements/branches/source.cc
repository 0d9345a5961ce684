// Sources of networks: what they impose does not depend on what is connected to them.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

namespace {

void impose(const std::string& key, const ElementKeys& of, Construction& c) {
  network(c).impose(of.name(), two_nodes(of), of.motion(key));
}

}  // namespace

std::vector<ElementEntry> elements_in_source() {
  return {
      {.section = "branch",
       .kind = "voltage-source",
       .space = ElementEntry::Space::both,
       .summary = "the first node lies above the second by a function of time",
       .carries = "",
       .keys = {electrical_nodes({"plus", "minus"}),
                {"voltage", Key::Type::motion, "V", "plus against minus"}},
       .example = "nodes = [\"a\", \"ground\"]\nvoltage = \"0.1*sin(200*pi*t)\"",
       .build = [](const ElementKeys& of, Construction& c) { impose("voltage", of, c); }},
      {.section = "branch",
       .kind = "pressure-source",
       .space = ElementEntry::Space::both,
       .summary = "the pressure of the first node lies above that of the second by a function of time",
       .carries = "",
       .keys = {hydraulic_nodes({"high", "low"}), {"pressure", Key::Type::motion, "Pa", "high against low"}},
       .example = "nodes = [\"supply\", \"ground\"]\npressure = \"210 bar\"",
       .build = [](const ElementKeys& of, Construction& c) { impose("pressure", of, c); }},
      {.section = "branch",
       .kind = "current-source",
       .space = ElementEntry::Space::both,
       .summary = "a current that is a function of time",
       .carries = "",
       .keys = {electrical_nodes(),
                {"current",
                 Key::Type::law,
                 "A",
                 "through the source, from the first node to the second",
                 "",
                 {"t"}}},
       .example = "nodes = [\"ground\", \"a\"]\ncurrent = \"2*step(t - 1)\"",
       .build = [](const ElementKeys& of, Construction& c) {
         network(c).add(of.name(), of.nodes("nodes"), std::make_shared<CurrentSource>(of.law("current")));
       }}};
}

}  // namespace dalembert
