// Friction in a joint, without events.
#include "dalembert/multibody/forces/friction.h"

#include "dalembert/model/elements/forces/coordinate.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr along = coordinate_of(of, c);
  if (!along) return;
  c.mechanism().add_force(
      of.name(), along,
      std::make_shared<Friction>(Friction::Constants{.viscous = of.number("viscous"),
                                                     .coulomb = of.number("coulomb"),
                                                     .breakaway = of.number("breakaway"),
                                                     .stribeck = of.number("stribeck"),
                                                     .transition = of.number("transition")}));
}

}  // namespace

std::vector<ElementEntry> elements_in_friction() {
  return {{.section = "force",
           .kind = "friction",
           .space = ElementEntry::Space::both,
           .summary =
               "viscous and smoothed dry friction in a joint; kind \"stick-slip\" is the dry one that sticks",
           .carries = "",
           .keys = {{"joint", Key::Type::joint, "", "where it rubs"},
                    coordinate_key(),
                    {"viscous", Key::Type::number, "N s/m, N m s/rad", "force per rate", "0"},
                    {"coulomb", Key::Type::number, "N, N m", "while sliding", "0"},
                    {"breakaway", Key::Type::number, "N, N m", "near rest; 0: as while sliding", "0"},
                    {"stribeck", Key::Type::number, "m/s, rad/s", "how fast breakaway is forgotten", "0"},
                    {"transition", Key::Type::number, "m/s, rad/s", "below this speed it creeps", "1e-3"}},
           .example = "joint = \"main\"\nviscous = 0.02\ncoulomb = 0.5",
           .build = build}};
}

}  // namespace dalembert
