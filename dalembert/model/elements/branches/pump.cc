// A pump between two nodes, with a flow of its own or driven by a joint.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/network/hydraulic.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_pump() {
  return {
      {.section = "branch",
       .kind = "pump",
       .space = ElementEntry::Space::both,
       .summary =
           "a flow from the first node to the second, given or from the turning of a joint, with a leak back",
       .carries = "",
       .keys = {hydraulic_nodes({"suction", "pressure"}),
                {"flow", Key::Type::law, "m^3/s", "a function of time", "-", {"t"}},
                {"joint", Key::Type::joint, "", "what drives it, instead of flow", "-"},
                coordinate_key(),
                {"displacement", Key::Type::number, "m^3/rad", "with joint: volume per angle", "0"},
                not_negative_key("leak", "m^3/(s Pa)", "back, per pressure", "0")},
       .example = "nodes = [\"ground\", \"supply\"]\nflow = 2e-4\nleak = 1e-12",
       .build = [](const ElementKeys& of, Construction& c) {
         if (!one_of(of, "flow", "joint")) return;
         MeasurePtr along;
         if (of.has("joint") && !(along = coordinate_of(of, c))) return;
         network(c).add(of.name(), of.nodes("nodes"),
                        std::make_shared<Pump>(of.has("flow") ? of.law("flow") : Law(),
                                               along ? of.number("displacement") : 0, of.number("leak")),
                        along);
       }}};
}

}  // namespace dalembert
