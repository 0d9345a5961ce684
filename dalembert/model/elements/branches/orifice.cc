// An orifice between two nodes.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/multibody/network/electrical.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_orifice() {
  return {{.section = "branch",
           .kind = "orifice",
           .space = ElementEntry::Space::both,
           .summary = "a flow with the root of the pressure, laminar where that is small; or by a law",
           .carries = "",
           .keys = {hydraulic_nodes(),
                    positive_key("flow", "m^3/(s Pa^.5)", "per root of pressure: cd A sqrt(2/rho)", "-"),
                    positive_key("soft", "Pa", "below this the flow is laminar", "1e5"),
                    {"law", Key::Type::law, "m^3/s", "the flow, instead of flow", "-", {"pressure", "t"}}},
           .example = "nodes = [\"supply\", \"a\"]\nflow = 4e-7",
           .build = [](const ElementKeys& of, Construction& c) {
             if (!one_of(of, "flow", "law")) return;
             std::shared_ptr<const Branch> branch;
             if (of.has("law"))
               branch = std::make_shared<Resistor>(of.law("law"));
             else
               branch = std::make_shared<Orifice>(of.number("flow"), of.number("soft"));
             network(c).add(of.name(), of.nodes("nodes"), branch);
           }}};
}

}  // namespace dalembert
