// A direct-current motor in a joint.
#include "dalembert/multibody/forces/motor.h"

#include "dalembert/model/elements/forces/coordinate.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr along = coordinate_of(of, c);
  if (!along) return;
  c.mechanism().add_force(of.name(), along,
                          std::make_shared<Motor>(Motor::Constants{.constant = of.number("constant"),
                                                                   .resistance = of.number("resistance"),
                                                                   .inductance = of.number("inductance"),
                                                                   .ratio = of.number("ratio"),
                                                                   .current = of.number("current")},
                                                  of.law("voltage")));
}

}  // namespace

std::vector<ElementEntry> elements_in_motor() {
  return {{.section = "force",
           .kind = "motor",
           .space = ElementEntry::Space::both,
           .summary = "a direct-current motor behind a gear, with its current; the inertia of its rotor is "
                      "not part of it",
           .carries = "",
           .keys = {{"joint", Key::Type::joint, "", "what it turns"},
                    coordinate_key(),
                    {"voltage", Key::Type::law, "V", "of the source", "", {"t", "position", "rate"}},
                    {"constant", Key::Type::number, "N m/A", "torque per current = voltage per speed"},
                    {"resistance", Key::Type::number, "ohm", "of the winding"},
                    {"inductance", Key::Type::number, "H", "of the winding"},
                    {"ratio", Key::Type::number, "", "turns of the rotor per turn of the joint", "1"},
                    {"current", Key::Type::number, "A", "at the start", "0"}},
           .example = "joint = \"shoulder\"\nvoltage = \"12*sin(5*t)\"\nconstant = 0.05\nresistance = 1\n"
                      "inductance = 5e-3\nratio = 20",
           .build = build}};
}

}  // namespace dalembert
