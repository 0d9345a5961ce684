// A valve with a spool and four edges: supply to a, supply to b, a to tank, b to tank.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  MeasurePtr along;
  if (of.has("joint")) {
    along = coordinate_of(of, c);
    if (!along) return;
    if (along->cyclic) {
      of.complain("joint", "this angle is known up to full turns only", "take a joint that slides");
      return;
    }
  }
  const ValveEdge::Constants is{
      .flow = of.number("flow"), .soft = of.number("soft"), .underlap = of.number("underlap")};
  const std::vector<int> nodes = of.nodes("nodes");
  const int supply = nodes[0], tank = nodes[1], a = nodes[2], b = nodes[3];
  const auto edge = [&](const std::string& part, int from, int to, ValveEdge::Opens opens) {
    std::vector<int> all = {from, to};
    if (of.has("signal"))
      for (const int node : of.nodes("signal")) all.push_back(node);
    network(c).add(of.name() + "." + part, all, std::make_shared<ValveEdge>(is, of.law("spool"), opens),
                   along);
  };
  edge("pa", supply, a, ValveEdge::Opens::forwards);
  edge("bt", b, tank, ValveEdge::Opens::forwards);
  edge("pb", supply, b, ValveEdge::Opens::backwards);
  edge("at", a, tank, ValveEdge::Opens::backwards);
}

}  // namespace

std::vector<ElementEntry> elements_in_valve() {
  return {
      {.section = "branch",
       .kind = "valve",
       .space = ElementEntry::Space::both,
       .summary = "a servo valve: its spool opens the supply to a and b to the tank, or the other way "
                  "round; its edges are NAME.pa, NAME.bt, NAME.pb and NAME.at",
       .carries = "",
       .keys = {hydraulic_nodes({"supply", "tank", "a", "b"}),
                {"spool",
                 Key::Type::law,
                 "",
                 "1: supply to a fully open, -1: supply to b",
                 "",
                 {"t", "position", "rate", "signal"}},
                positive_key("flow", "m^3/(s Pa^.5)", "of an open edge, per root of pressure"),
                positive_key("soft", "Pa", "below this the flow is laminar", "1e5"),
                positive_key("underlap", "", "of the spool, as part of its stroke", "0.05"),
                {"joint", Key::Type::joint, "", "whose position and rate the spool may use", "-"},
                coordinate_key(),
                {"signal", Key::Type::nodes, "V", "whose voltage the spool may use", "-", {"plus", "minus"}}},
       .example = "nodes = [\"supply\", \"ground\", \"a\", \"b\"]\nspool = \"0.5*sin(t)\"\nflow = 4e-7",
       .build = build}};
}

}  // namespace dalembert
