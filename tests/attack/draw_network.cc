// Networks beside a mechanism: a source, and a ladder of what lies between nodes and from nodes to the ground; a motor or a
// cylinder may join them with it.
#include <algorithm>
#include <optional>

#include "tests/attack/draft.h"

namespace dalembert::attack {

namespace {

constexpr Dimension volt{1, 2, -3}, ohm = volt, farad{-1, -2, 4}, henry = moment;  // with amperes as they are
constexpr Dimension flow{0, 3, -1}, volume{0, 3, 0}, flow_per_root{-.5, 3.5, 0};

std::string nodes(const std::string& first, const std::string& second) {
  return "[" + in_quotes(first) + ", " + in_quotes(second) + "]";
}

/// A branch, with its name and what a watch may ask for.
void add_branch(Draft& d, const std::string& kind, Draft::Keys keys) {
  const std::string name = d.new_name("n");
  keys.insert(keys.begin(), {{"name", in_quotes(name)}, {"kind", in_quotes(kind)}});
  d.add("branch", kind, keys);
  if (d.dice.chance(.3))
    d.add("watch", "branch", {{"name", in_quotes(d.new_name("w"))}, {"branch", in_quotes(name)}});
}

std::string add_node(Draft& d, const std::string& kind) {
  const std::string name = d.new_name("n");
  d.add("node", kind, {{"name", in_quotes(name)}, {"kind", in_quotes(kind)}});
  if (d.dice.chance(.5))
    d.add("watch", "potential", {{"name", in_quotes(d.new_name("w"))}, {"potential", in_quotes(name)}});
  return name;
}

/// Of a part, fast or slow beside the motion.
double time_constant(Draft& d) {
  return d.period * d.dice.magnitude(1e-2, 1);
}

std::optional<DrawnJoint> turning_joint(Draft& d) {
  std::vector<DrawnJoint> turning;
  std::copy_if(d.joints.begin(), d.joints.end(), std::back_inserter(turning),
               [](const DrawnJoint& joint) { return joint.turns && !joint.slides; });
  if (turning.empty()) return {};
  return d.dice.one_of(turning);
}

void draw_circuit(Draft& d) {
  const double volts = d.dice.magnitude(.5, 50), ohms = d.dice.magnitude(.3, 300);
  const auto resistance = [&] { return Dice::short_form(ohms * d.dice.magnitude(.2, 5)); };
  std::string last = add_node(d, "electrical");
  add_branch(d, "voltage-source",
             {{"nodes", nodes(last, "ground")},
              {"voltage", in_quotes(d.world.law(fmt::format("{:.4g}*{}", volts, course(d)), volt))}});
  const std::size_t stages = 1 + d.dice.below(3);
  for (std::size_t k = 0; k < stages; ++k) {
    const std::string next = add_node(d, "electrical"), way = nodes(last, next), down = nodes(next, "ground");
    const double what = d.dice.uniform(0, 1);
    if (what < .4)
      add_branch(d, "resistor", {{"nodes", way}, {"resistance", d.number(resistance(), ohm)}});
    else if (what < .6)
      add_branch(d, "inductor", {{"nodes", way}, {"inductance", d.number(ohms * time_constant(d), henry)}});
    else if (what < .8)
      add_branch(d, "diode",
                 {{"nodes", way},
                  {"saturation", d.number(volts / ohms * d.dice.magnitude(1e-8, 1e-3))},
                  {"thermal", d.number(volts * d.dice.magnitude(.02, .2), volt)}});
    else
      add_branch(
          d, "resistor",
          {{"nodes", way},
           {"law", in_quotes(d.world.law(
                       fmt::format("$voltage/{0:.4g}*(1 + ($voltage/{1:.4g})^2)", ohms, volts), pure))}});
    const bool stores = d.dice.chance(.6);
    if (stores)
      add_branch(d, "capacitor",
                 {{"nodes", down}, {"capacitance", d.number(time_constant(d) / ohms, farad)}});
    if (!stores || d.dice.chance(.4))
      add_branch(d, "resistor", {{"nodes", down}, {"resistance", d.number(resistance(), ohm)}});
    last = next;
  }
  const auto joint = turning_joint(d);
  if (!joint || !d.dice.chance(.6)) return;
  const double torque = joint->mass * 9.81 * joint->size * d.dice.magnitude(.1, 1);
  add_branch(d, "motor",
             {{"nodes", nodes(last, "ground")},
              {"joint", in_quotes(joint->name)},
              {"constant", d.number(torque / (volts / ohms), moment)},
              {"resistance", d.number(resistance(), ohm)},
              {"inductance", d.number(ohms * time_constant(d), henry)}});
}

void draw_hydraulics(Draft& d) {
  const double supply = d.dice.magnitude(10, 1e3),
               litres = std::pow(d.size, 3) * d.dice.magnitude(1e-4, 1e-2);
  const double stiffness_of_oil = supply * d.dice.magnitude(3, 30);
  const auto size = [&] { return litres * d.dice.magnitude(.3, 3); };
  // Fills a volume by its compressibility within a time.
  const auto conductance = [&] {
    return Dice::short_form(litres * supply / stiffness_of_oil / time_constant(d) / std::sqrt(supply));
  };
  std::string last = add_node(d, "hydraulic");
  if (d.dice.chance(.7)) {
    add_branch(d, "pressure-source",
               {{"nodes", nodes(last, "ground")},
                {"pressure",
                 in_quotes(d.world.law(fmt::format("{:.4g}*(1 + 0.5*{})", supply, course(d)), pressure))}});
  } else {
    const double rate = conductance() * std::sqrt(supply);
    add_branch(d, "pump",
               {{"nodes", nodes("ground", last)},
                {"flow", in_quotes(d.world.law(fmt::format("{:.4g}*{}", rate, course(d)), flow))},
                {"leak", d.number(rate / supply, {-1, 4, 1})}});
    add_branch(d, "volume",
               {{"node", in_quotes(last)},
                {"volume", d.number(size(), volume)},
                {"bulk_modulus", d.number(stiffness_of_oil, pressure)}});
  }
  const std::size_t stages = 1 + d.dice.below(3);
  for (std::size_t k = 0; k < stages; ++k) {
    const std::string next = add_node(d, "hydraulic"), way = nodes(last, next);
    const double soft = .1 * supply;
    if (d.dice.chance(.7))
      add_branch(d, "orifice",
                 {{"nodes", way},
                  {"flow", d.number(conductance(), flow_per_root)},
                  {"soft", d.number(soft, pressure)}});
    else
      add_branch(d, "orifice",
                 {{"nodes", way},
                  {"law", in_quotes(d.world.law(fmt::format("{:.4g}*max($pressure, 0)*(1 + 0.5*{})",
                                                            conductance() / std::sqrt(supply), course(d)),
                                                flow))}});
    if (d.dice.chance(.7))
      add_branch(d, "volume",
                 {{"node", in_quotes(next)},
                  {"volume", d.number(size(), volume)},
                  {"bulk_modulus", d.number(stiffness_of_oil, pressure)}});
    else
      add_branch(d, "accumulator",
                 {{"node", in_quotes(next)},
                  {"volume", d.number(size(), volume)},
                  {"filling", d.number(.2 * supply, pressure)},
                  {"ambient", d.number(.1 * supply, pressure)},
                  {"pressure", d.number(.5 * supply, pressure)}});
    if (d.dice.chance(.4))
      add_branch(d, "orifice",
                 {{"nodes", nodes(next, "ground")},
                  {"flow", d.number(conductance(), flow_per_root)},
                  {"soft", d.number(soft, pressure)}});
    last = next;
  }
}

}  // namespace

void draw_network(Draft& d) {
  d.dice.chance(.6) ? draw_circuit(d) : draw_hydraulics(d);
}

}  // namespace dalembert::attack
