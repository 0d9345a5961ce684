// A spring between two points, linear or by formula.
#include "dalembert/multibody/forces/spring.h"

#include "dalembert/model/elements/forces/coordinate.h"
#include "dalembert/multibody/forces/force_law.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr length = length_between(of, c);
  if (of.has("law")) {
    if (of.has("stiffness") || of.has("length"))
      of.complain("law", "a spring has either a law or a stiffness", "leave one of them out");
    c.mechanism().add_force(of.name(), length, std::make_shared<ForceLaw>(of.law("law")));
    if (of.number("damping") != 0)
      c.mechanism().add_force(of.name(), length,
                              std::make_shared<Spring>(Spring::Constants{.damping = of.number("damping")}));
    return;
  }
  if (!of.has("stiffness")) {
    of.complain("stiffness", "the spring has neither stiffness nor law", "give stiffness in N/m");
    return;
  }
  const Eigen::Vector3d apart = of.end("to").at - of.end("from").at;
  c.mechanism().add_force(of.name(), length,
                          std::make_shared<Spring>(Spring::Constants{
                              .stiffness = of.number("stiffness"),
                              .damping = of.number("damping"),
                              .length = of.has("length") ? of.number("length") : apart.norm()}));
}

}  // namespace

std::vector<ElementEntry> elements_in_spring() {
  std::vector<Key> keys = end_keys();
  keys.push_back(rarely_negative_key("stiffness", "N/m", "force per elongation", "-"));
  keys.push_back(rarely_negative_key("length", "m", "without force; otherwise the one at the start", "-"));
  keys.push_back(rarely_negative_key("damping", "N s/m", "force per rate of elongation", "0"));
  keys.push_back({"law",
                  Key::Type::law,
                  "N",
                  "the force that pulls the ends together, instead of stiffness and length",
                  "-",
                  {"length", "rate", "t"}});
  return {{.section = "force",
           .kind = "spring",
           .space = ElementEntry::Space::both,
           .summary = "two points pulled together along the line between them, with a damper beside it",
           .carries = "",
           .keys = keys,
           .example = "from = { body = \"crank\", at = [0.1, 0] }\nto = { body = \"ground\", at = [1, 0] }\n"
                      "stiffness = 1e3\nlength = 0.3",
           .build = build}};
}

}  // namespace dalembert
