// A direct-current motor between two nodes that turns a joint.
#include "dalembert/model/elements/branches/network_keys.h"
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/network/electrical.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_branch_motor() {
  return {
      {.section = "branch",
       .kind = "motor",
       .space = ElementEntry::Space::both,
       .summary =
           "the winding of a direct-current motor behind a gear: a torque from its current, a voltage from "
           "its speed; the inertia of its rotor is not part of it",
       .carries = "",
       .keys = {electrical_nodes(),
                {"joint", Key::Type::joint, "", "what it turns"},
                coordinate_key(),
                {"constant", Key::Type::number, "N m/A", "torque per current = voltage per speed"},
                not_negative_key("resistance", "ohm", "of the winding", "0"),
                not_negative_key("inductance", "H", "of the winding; with it the current is a state", "0"),
                {"ratio", Key::Type::number, "", "turns of the rotor per turn of the joint", "1"},
                {"current", Key::Type::number, "A", "at the start, with inductance", "0"}},
       .example = "nodes = [\"a\", \"ground\"]\njoint = \"main\"\nconstant = 0.05\nresistance = 1",
       .build = [](const ElementKeys& of, Construction& c) {
         const MeasurePtr along = coordinate_of(of, c);
         if (!along) return;
         if (of.number("current") != 0 && of.number("inductance") == 0) {
           of.complain("current", "a winding without inductance has no current of its own", "leave it out");
           return;
         }
         network(c).add(
             of.name(), of.nodes("nodes"),
             std::make_shared<Winding>(of.number("ratio") * of.number("constant"), of.number("resistance"),
                                       of.number("inductance"), of.number("current")),
             along);
       }}};
}

}  // namespace dalembert
