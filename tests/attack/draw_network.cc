// Networks beside a mechanism: a source, and a ladder of what lies between nodes and from nodes to the ground; a motor or a
// cylinder may join them with it.
#include <algorithm>
#include <numbers>
#include <optional>

#include "tests/attack/draft.h"

namespace dalembert::attack {

namespace {

constexpr Dimension volt{1, 2, -3}, ohm = volt, farad{-1, -2, 4}, henry = moment;  // with amperes as they are
constexpr Dimension flow{0, 3, -1}, volume{0, 3, 0}, flow_per_root{-.5, 3.5, 0};

std::string nodes(const std::string& first, const std::string& second) {
  return "[" + in_quotes(first) + ", " + in_quotes(second) + "]";
}

std::string list(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + in_quotes(name);
  return "[" + all + "]";
}

/// A branch, with its name and what a watch may ask for.
void add_branch(Draft& d, const std::string& kind, Draft::Keys keys) {
  const std::string name = d.new_name("n"), part = kind == "valve" ? ".pa" : kind == "cylinder" ? ".a" : "";
  keys.insert(keys.begin(), {{"name", in_quotes(name)}, {"kind", in_quotes(kind)}});
  d.add("branch", kind, keys);
  if (d.dice.chance(.3))
    d.add("watch", "branch", {{"name", in_quotes(d.new_name("w"))}, {"branch", in_quotes(name + part)}});
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

struct Circuit {
  double volts, ohms;
};

/// From a node to the next one.
void draw_along(Draft& d, const Circuit& c, const std::string& last, const std::string& next) {
  const std::string way = nodes(last, next);
  const auto saturation = [&] { return d.number(c.volts / c.ohms * d.dice.magnitude(1e-8, 1e-3)); };
  const auto thermal = [&] { return d.number(c.volts * d.dice.magnitude(.02, .2), volt); };
  const double what = d.dice.uniform(0, 1), ohms = Dice::short_form(c.ohms * d.dice.magnitude(.2, 5));
  if (what < .3) {
    add_branch(d, "resistor", {{"nodes", way}, {"resistance", d.number(ohms, ohm)}});
  } else if (what < .45) {
    add_branch(d, "inductor", {{"nodes", way}, {"inductance", d.number(c.ohms * time_constant(d), henry)}});
  } else if (what < .6) {
    add_branch(d, "diode", {{"nodes", way}, {"saturation", saturation()}, {"thermal", thermal()}});
  } else if (what < .7) {
    add_branch(
        d, "resistor",
        {{"nodes", way},
         {"law", in_quotes(d.world.law(
                     fmt::format("$voltage/{0:.4g}*(1 + ($voltage/{1:.4g})^2)", c.ohms, c.volts), pure))}});
  } else if (what <
             .85) {  // with a resistance in front of it, because sources and stores leave its current open
    const std::string between = add_node(d, "electrical");
    add_branch(d, "resistor", {{"nodes", nodes(last, between)}, {"resistance", d.number(ohms, ohm)}});
    add_branch(
        d, "transformer",
        {{"nodes", list({between, "ground", next, "ground"})}, {"ratio", d.number(d.dice.magnitude(.2, 5))}});
  } else {  // a follower: its collector hangs on the node before
    const std::string base = add_node(d, "electrical");
    add_branch(d, "resistor", {{"nodes", nodes(last, base)}, {"resistance", d.number(ohms, ohm)}});
    add_branch(d, "resistor", {{"nodes", nodes(base, "ground")}, {"resistance", d.number(c.ohms, ohm)}});
    add_branch(d, "transistor",
               {{"nodes", list({base, last, next})},
                {"gain", d.number(d.dice.number(.8, .99))},
                {"saturation", saturation()},
                {"thermal", thermal()}});
  }
}

void draw_circuit(Draft& d) {
  const double volts = d.dice.magnitude(.5, 50), ohms = d.dice.magnitude(.3, 300);
  const auto resistance = [&] { return Dice::short_form(ohms * d.dice.magnitude(.2, 5)); };
  std::string last = add_node(d, "electrical");
  if (d.dice.chance(.8)) {
    add_branch(d, "voltage-source",
               {{"nodes", nodes(last, "ground")},
                {"voltage", in_quotes(d.world.law(fmt::format("{:.4g}*{}", volts, course(d)), volt))}});
  } else {
    add_branch(
        d, "current-source",
        {{"nodes", nodes("ground", last)},
         {"current", in_quotes(d.world.law(fmt::format("{:.4g}*{}", volts / ohms, course(d)), pure))}});
    add_branch(d, "resistor",
               {{"nodes", nodes(last, "ground")}, {"resistance", d.number(resistance(), ohm)}});
  }
  const std::size_t stages = 1 + d.dice.below(3);
  for (std::size_t k = 0; k < stages; ++k) {
    const std::string next = add_node(d, "electrical"), down = nodes(next, "ground");
    draw_along(d, {volts, ohms}, last, next);
    const bool stores = d.dice.chance(.6) || d.bodies.empty();  // a network alone must keep something
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
  Draft::Keys keys = {{"nodes", nodes(last, "ground")},
                      {"joint", in_quotes(joint->name)},
                      {"constant", d.number(torque / (volts / ohms), moment)},
                      {"resistance", d.number(resistance(), ohm)}};
  if (d.dice.chance(.7)) keys.push_back({"inductance", d.number(ohms * time_constant(d), henry)});
  add_branch(d, "motor", keys);
}

/// As long as the mechanism, with this flow per pressure, and as much inertia as gives it a time constant.
void draw_pipe(Draft& d, const std::string& way, double conductance) {
  const double diameter = d.size * d.dice.magnitude(.01, .1);
  const double viscosity = std::numbers::pi * std::pow(diameter, 4) / (128 * d.size * conductance);
  Draft::Keys keys = {{"nodes", way},
                      {"length", d.number(d.size, length)},
                      {"diameter", d.number(diameter, length)},
                      {"viscosity", d.number(viscosity, {1, -1, -1})}};
  const double density = time_constant(d) * 32 * viscosity / (diameter * diameter);
  keys.push_back({"density", d.number(d.dice.chance(.8) ? density : 0, {1, -3, 0})});
  add_branch(d, "pipe", keys);
}

/// A valve from this node to both sides of a cylinder that pushes a body.
void draw_actuator(Draft& d, const std::string& from, double supply, double stiffness_of_oil,
                   double conductance) {
  if (d.bodies.empty()) return;
  const DrawnBody body = d.bodies[d.dice.below(d.bodies.size())];
  const Vector3d end = body.point ? body.position : d.near(body.position, .5 * body.size),
                 start = d.near(end, d.size * d.dice.number(1, 2));
  const double area = body.mass * 9.81 * d.dice.magnitude(.1, 3) / supply, l = (end - start).norm();
  const std::string a = add_node(d, "hydraulic"), b = add_node(d, "hydraulic");
  add_branch(
      d, "valve",
      {{"nodes", list({from, "ground", a, b})},
       {"spool", in_quotes(d.world.law(fmt::format("{:.3g}*{}", d.dice.number(.2, 1), course(d)), pure))},
       {"flow", d.number(conductance, flow_per_root)},
       {"underlap", d.number(d.dice.magnitude(.03, .3))},
       {"soft", d.number(.1 * supply, pressure)}});
  add_branch(d, "cylinder",
             {{"nodes", nodes(a, b)},
              {"from", d.end("ground", start)},
              {"to", d.end(body.name, end)},
              {"areas", d.world.numbers({area, .6 * area}, {0, 2, 0})},
              {"volumes", d.world.numbers({area * l, area * l}, volume)},
              {"bulk_modulus", d.number(stiffness_of_oil, pressure)},
              {"pressures", d.world.numbers({.5 * supply, .5 * supply}, pressure)}});
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
    const double soft = .1 * supply, what = d.dice.uniform(0, 1);
    if (what < .5)
      add_branch(d, "orifice",
                 {{"nodes", way},
                  {"flow", d.number(conductance(), flow_per_root)},
                  {"soft", d.number(soft, pressure)}});
    else if (what < .75)
      draw_pipe(d, way, conductance() / std::sqrt(supply));
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
  if (d.dice.chance(.5)) draw_actuator(d, last, supply, stiffness_of_oil, conductance());
}

}  // namespace

void draw_network(Draft& d) {
  d.dice.chance(.6) ? draw_circuit(d) : draw_hydraulics(d);
}

}  // namespace dalembert::attack
