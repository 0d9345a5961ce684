// A spring on the angle of a joint, linear or by formula.
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/spring.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr angle = coordinate_of(of, c, "angle");
  if (!angle) return;
  if (of.has("law")) {
    if (of.has("stiffness"))
      of.complain("law", "a torsion spring has either a law or a stiffness", "leave one of them out");
    c.mechanism().add_force(of.name(), angle, std::make_shared<ForceLaw>(of.law("law")));
    return;
  }
  if (!of.has("stiffness") && of.number("damping") == 0) {
    of.complain("stiffness", "the torsion spring has neither stiffness nor law", "give stiffness in N m/rad");
    return;
  }
  c.mechanism().add_force(of.name(), angle,
                          std::make_shared<Spring>(
                              Spring::Constants{.stiffness = of.has("stiffness") ? of.number("stiffness") : 0,
                                                .damping = of.number("damping"),
                                                .length = of.number("angle")}));
}

}  // namespace

std::vector<ElementEntry> elements_in_torsion_spring() {
  return {{.section = "force",
           .kind = "torsion-spring",
           .space = ElementEntry::Space::both,
           .summary = "the angle of a joint pulled back, with a damper beside it; full turns are counted",
           .carries = "",
           .keys = {{"joint", Key::Type::joint, "", "a revolute or cylindrical joint"},
                    rarely_negative_key("stiffness", "N m/rad", "torque per angle", "-"),
                    {"angle", Key::Type::number, "rad", "without torque, counted from the start", "0"},
                    rarely_negative_key("damping", "N m s/rad", "torque per angular velocity", "0"),
                    {"law",
                     Key::Type::law,
                     "N m",
                     "the torque that makes the angle smaller, instead of the others",
                     "-",
                     {"angle", "rate", "t"}}},
           .example = "joint = \"main\"\nstiffness = 20\nangle = 0.1",
           .build = build}};
}

}  // namespace dalembert
