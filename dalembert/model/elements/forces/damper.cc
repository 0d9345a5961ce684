// A damper between two points, linear or by formula.
#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/forces/force_law.h"
#include "dalembert/multibody/forces/spring.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr length = length_between(of, c);
  if (of.has("damping") == of.has("law"))
    of.complain("damping", "a damper has either a damping or a law", "give one of them");
  else if (of.has("law"))
    c.mechanism().add_force(of.name(), length, std::make_shared<ForceLaw>(of.law("law")));
  else
    c.mechanism().add_force(of.name(), length,
                            std::make_shared<Spring>(Spring::Constants{.damping = of.number("damping")}));
}

}  // namespace

std::vector<ElementEntry> elements_in_damper() {
  std::vector<Key> keys = end_keys();
  keys.push_back(rarely_negative_key("damping", "N s/m", "force per rate of elongation", "-"));
  keys.push_back({"law",
                  Key::Type::law,
                  "N",
                  "the force that pulls the ends together, instead of damping",
                  "-",
                  {"length", "rate", "t"}});
  return {{.section = "force",
           .kind = "damper",
           .space = ElementEntry::Space::both,
           .summary = "two points slowed down along the line between them",
           .carries = "",
           .keys = keys,
           .example = "from = { body = \"axle\", at = [0, 0.3] }\nto = { body = \"frame\", at = [0, 0.8] }\n"
                      "law = \"1500*rate + 300*rate*abs(rate)\"",
           .build = build}};
}

}  // namespace dalembert
