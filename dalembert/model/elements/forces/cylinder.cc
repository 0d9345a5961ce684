// A hydraulic cylinder between two points.
#include "dalembert/multibody/forces/cylinder.h"

#include "dalembert/model/elements/forces/coordinate.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const auto pair = [&](const std::string& key, double& a, double& b) {
    const std::vector<double> both = of.numbers(key);
    if (both.size() != 2) {
      of.complain(key, "a cylinder has two chambers", "give [piston side, rod side]");
      return;
    }
    a = both[0], b = both[1];
  };
  Cylinder::Constants is{.bulk_modulus = of.number("bulk_modulus"),
                         .flow = of.number("flow"),
                         .supply = of.number("supply"),
                         .tank = of.number("tank"),
                         .soft = of.number("soft"),
                         .underlap = of.number("underlap"),
                         .leak = of.number("leak"),
                         .stop = of.number("stop")};
  pair("areas", is.area_a, is.area_b);
  pair("volumes", is.volume_a, is.volume_b);
  pair("pressures", is.start_a, is.start_b);
  pair("stroke", is.shortest, is.longest);
  c.mechanism().add_force(
      of.name(), length_between(of, c),
      std::make_shared<Cylinder>(is, of.law("spool"),
                                 Friction::Constants{.viscous = of.number("viscous"),
                                                     .coulomb = of.number("coulomb"),
                                                     .transition = of.number("transition")}));
}

}  // namespace

std::vector<ElementEntry> elements_in_cylinder() {
  std::vector<Key> keys = end_keys();
  for (const Key& key : std::vector<Key>{
           {"spool",
            Key::Type::law,
            "",
            "of the valve: 1 drives the ends apart",
            "",
            {"t", "length", "rate"}},
           {"areas", Key::Type::numbers, "m^2", "of the piston, and of its side with the rod"},
           {"volumes", Key::Type::numbers, "m^3", "of both chambers at their ends of the stroke"},
           {"stroke", Key::Type::numbers, "m", "the shortest and the longest distance of the ends"},
           {"flow", Key::Type::number, "m^3/(s Pa^.5)", "of the open valve, per root of pressure"},
           {"supply", Key::Type::number, "Pa", "pressure of the pump"},
           {"tank", Key::Type::number, "Pa", "pressure of the tank", "1e5"},
           {"pressures", Key::Type::numbers, "Pa", "in both chambers at the start"},
           {"bulk_modulus", Key::Type::number, "Pa", "of the oil", "1.5e9"},
           {"soft", Key::Type::number, "Pa", "below this the flow is laminar", "1e5"},
           {"underlap", Key::Type::number, "", "of the spool, as part of its stroke", "0.05"},
           {"leak", Key::Type::number, "m^3/(s Pa)", "across the piston", "0"},
           {"viscous", Key::Type::number, "N s/m", "friction of the seal per rate", "0"},
           {"coulomb", Key::Type::number, "N", "dry friction of the seal", "0"},
           {"transition", Key::Type::number, "m/s", "below this speed dry friction creeps", "1e-3"},
           {"stop", Key::Type::number, "N/m", "stiffness of the ends of the stroke", "1e8"}})
    keys.push_back(key);
  return {{.section = "force",
           .kind = "cylinder",
           .space = ElementEntry::Space::both,
           .summary = "a hydraulic cylinder fed by a valve, with the pressures of its chambers",
           .carries = "",
           .keys = keys,
           .example = "from = { body = \"frame\", at = [0, 0] }\nto = { body = \"boom\", at = [0.8, 0.4] }\n"
                      "spool = \"0.5*sin(t)\"\nareas = [2e-3, 1.2e-3]\nvolumes = [2e-4, 2e-4]\n"
                      "stroke = [0.7, 1.2]\nflow = 4e-7\nsupply = 1e7\npressures = [3e6, 5e6]",
           .build = build}};
}

}  // namespace dalembert
