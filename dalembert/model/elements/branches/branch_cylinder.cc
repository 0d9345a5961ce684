// A hydraulic cylinder between two points, fed at two nodes.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const std::vector<double> areas = of.numbers("areas"), volumes = of.numbers("volumes");
  const std::vector<double> starts =
      of.has("pressures") ? of.numbers("pressures") : std::vector<double>{0, 0};
  for (const auto& [key, list] : {std::pair{"areas", areas}, {"volumes", volumes}, {"pressures", starts}})
    if (list.size() != 2 || (key != std::string("pressures") && !(list[0] >= 0 && list[1] >= 0))) {
      of.complain(key, "a cylinder has two chambers",
                  "give two numbers, [piston side, rod side], none below 0");
      return;
    }
  const MeasurePtr along = length_between(of, c);
  const State start = c.mechanism().start();
  const double length = along->value(*c.mechanism().placed_at(start));
  for (const std::size_t side : {0U, 1U}) {
    const int node = of.nodes("nodes")[side];
    const double area = side == 0 ? areas[0] : -areas[1];
    const std::string name = of.name() + (side == 0 ? ".a" : ".b");
    if (area == 0 || node == Network::ground) continue;
    network(c).add(name, {node}, std::make_shared<Piston>(area), along);
    if (volumes[side] == 0) continue;
    const Chamber::Constants chamber{
        .area = area, .volume = volumes[side], .at = length, .bulk_modulus = of.number("bulk_modulus")};
    network(c).store(
        name + ".chamber", {node, Network::ground},
        std::make_shared<Chamber>(chamber, of.has("pressures") ? std::optional(starts[side]) : std::nullopt),
        along);
  }
}

}  // namespace

std::vector<ElementEntry> elements_in_branch_cylinder() {
  std::vector<Key> keys = {hydraulic_nodes({"a", "b"})};
  for (const Key& key : end_keys()) keys.push_back(key);
  for (const Key& key :
       std::vector<Key>{{"areas", Key::Type::numbers, "m^2", "of the piston, and of its side with the rod"},
                        {"volumes", Key::Type::numbers, "m^3",
                         "of both chambers at the start; 0: oil that does not give way"},
                        positive_key("bulk_modulus", "Pa", "of the oil", "1.5e9"),
                        {"pressures", Key::Type::numbers, "Pa", "in both chambers at the start", "-"}})
    keys.push_back(key);
  return {{.section = "branch",
           .kind = "cylinder",
           .space = ElementEntry::Space::both,
           .summary =
               "a hydraulic cylinder without friction: forces from pressures, flows from its rate; its "
               "parts are NAME.a, NAME.b and their chambers",
           .carries = "",
           .keys = keys,
           .example = "nodes = [\"a\", \"b\"]\nfrom = { body = \"ground\", at = [0, 0] }\n"
                      "to = { body = \"load\", at = [0.5, 0] }\nareas = [2e-3, 1e-3]\nvolumes = [1e-4, 1e-4]",
           .build = build}};
}

}  // namespace dalembert
