// Springs, dampers, friction, motors, loads with jumps and pulses: whatever acts between bodies or on them.
#include <algorithm>

#include "tests/attack/draft.h"

namespace dalembert::attack {

namespace {

constexpr double gravity = 9.81;
constexpr Dimension volt{1, 2, -3};  // with amperes as they are

/// Of an oscillation that may be slow or fast beside the motion itself.
double frequency(Draft& d) {
  return d.dice.magnitude(.3, 30) / d.period;
}

/// A force that this mass feels.
double load(Draft& d, double mass) {
  return Dice::short_form(mass * gravity * d.dice.magnitude(.1, 3));
}

struct Span {
  DrawnBody from, to;
  Vector3d start, end;
  double length() const { return (end - start).norm(); }
};

/// Two points of two bodies, apart from each other.
Span span(Draft& d) {
  Span s{d.any_body(), d.bodies[d.dice.below(d.bodies.size())], {}, {}};
  if (s.from.name == s.to.name) s.from = {"ground", Vector3d::Zero(), 0, d.size};
  s.end = s.to.point ? s.to.position : d.near(s.to.position, .5 * s.to.size);
  s.start = s.from.point ? s.from.position : d.near(s.from.position, .5 * s.from.size);
  if (s.length() < .3 * d.size) {
    s.from = {"ground", Vector3d::Zero(), 0, d.size};
    s.start = s.end + d.size * d.direction();
  }
  return s;
}

void draw_spring(Draft& d) {
  const Span s = span(d);
  const double w = frequency(d), k = Dice::short_form(s.to.mass * w * w);
  const double c = Dice::short_form(2 * s.to.mass * w * d.dice.magnitude(1e-2, 1)),
               rest = s.length() * d.dice.number(.5, 1.3);
  Draft::Keys keys = {{"from", d.end(s.from.name, s.start)}, {"to", d.end(s.to.name, s.end)}};
  const double what = d.dice.uniform(0, 1);
  const std::string kind = what < .7 ? "spring" : "damper";
  keys.push_back({"kind", in_quotes(kind)});
  if (what < .4) {
    keys.push_back({"stiffness", d.number(k, stiffness)});
    keys.push_back({"length", d.number(rest, length)});
    if (d.dice.chance(.5)) keys.push_back({"damping", d.number(c, damping)});
  } else if (what < .55) {  // a bumper
    keys.push_back(
        {"law", in_quotes(d.world.law(fmt::format("{:.4g}*min($length - {:.4g}, 0)", k, rest), force))});
  } else if (what < .7) {  // a rope, and one that hardens
    const char* law = d.dice.chance(.5) ? "{:.4g}*max($length - {:.4g}, 0)"
                                        : "{0:.4g}*($length - {1:.4g})*(1 + (($length - {1:.4g})/{1:.4g})^2)";
    keys.push_back({"law", in_quotes(d.world.law(fmt::format(fmt::runtime(law), k, rest), force))});
  } else if (what < .85) {
    keys.push_back({"damping", d.number(c, damping)});
  } else {
    keys.push_back(
        {"law", in_quotes(d.world.law(
                    fmt::format("{:.4g}*$rate*(1 + abs($rate)*{:.3g})", c, d.period / d.size), force))});
  }
  d.add("force", kind, keys);
}

void draw_elastic(Draft& d) {
  const Span s = span(d);
  if (s.to.point || s.from.point) return;
  d.liftable = false;
  const double w = frequency(d), k = Dice::short_form(s.to.mass * w * w);
  const double kr = k * s.to.size * s.to.size * .1, time = Dice::short_form(d.dice.magnitude(1e-2, 1) / w);
  const double l = s.length(), bending = k * l * l * l / 12;
  Draft::Keys keys;
  if (d.dice.chance(.5)) {
    keys = {{"kind", in_quotes("beam")},
            {"from", d.end(s.from.name, s.start)},
            {"to", d.end(s.to.name, s.end)},
            {"EA", d.number(10 * k * l, force)},
            {"damping", d.number(time, duration)}};
    const Dimension EI{1, 3, -2};
    keys.push_back({d.planar ? "EI" : "EI_y", d.number(bending, EI)});
    if (!d.planar) keys.push_back({"GJ", d.number(.5 * bending, EI)});
  } else {
    keys = {{"kind", in_quotes("bushing")},
            {"bodies", Draft::pair(s.from.name, s.to.name)},
            {"at", d.point(s.end)}};
    const std::string across = d.number(k, stiffness), along = d.number(2 * k, stiffness),
                      turning = d.number(kr, moment);
    const std::string c = d.number(k * time, damping), cr = d.number(kr * time, angular_damping);
    const auto list = [&](const std::string& a, const std::string& b, const std::string& r) {
      return "[" + a + ", " + b + (d.planar ? ", " + r : ", " + a + ", " + r + ", " + r + ", " + r) + "]";
    };
    keys.push_back({"stiffness", list(across, along, turning)});
    if (d.dice.chance(.7)) keys.push_back({"damping", list(c, c, cr)});
    keys.push_back({d.planar ? "along" : "x", d.along(Vector3d::UnitX())});
    if (!d.planar) keys.push_back({"y", d.along(Vector3d::UnitY())});
  }
  d.add("force", keys[0].second == in_quotes("beam") ? "beam" : "bushing", keys);
}

/// What acts in a joint, along its angle or its displacement.
void draw_in_joint(Draft& d) {
  std::vector<DrawnJoint> moving;
  std::copy_if(d.joints.begin(), d.joints.end(), std::back_inserter(moving),
               [](const DrawnJoint& j) { return j.turns || j.slides; });
  if (moving.empty()) return draw_spring(d);
  const DrawnJoint joint = d.dice.one_of(moving);
  const bool angle = joint.turns && !(joint.slides && d.dice.chance(.5));
  const double arm = angle ? joint.size : 1, rate = (angle ? 1 : d.size) / d.period;
  const double level = Dice::short_form(load(d, joint.mass) * arm), w = frequency(d);
  const Dimension load_unit = angle ? moment : force, rate_unit = angle ? spin : speed;
  const Dimension per_rate = angle ? angular_damping : damping;
  Draft::Keys keys = {{"joint", in_quotes(joint.name)}};
  if (joint.turns && joint.slides)
    keys.push_back({"coordinate", in_quotes(angle ? "angle" : "displacement")});
  const double what = d.dice.uniform(0, 1);
  std::string kind;
  if (what < .25 && angle && !joint.slides) {
    kind = "torsion-spring";
    const double k = joint.mass * arm * arm * w * w * .2;
    if (d.dice.chance(.6)) {
      keys.push_back({"stiffness", d.number(k, moment)});
      keys.push_back({"angle", d.number(d.dice.number(-1, 1))});
      keys.push_back({"damping", d.number(k / w * d.dice.magnitude(.01, 1), angular_damping)});
    } else {  // an end of the range
      const std::string law = fmt::format("{:.4g}*(max($angle - {:.3g}, 0) + min($angle + {:.3g}, 0))", k,
                                          d.dice.number(.1, .7), d.dice.number(.1, .7));
      keys.push_back({"law", in_quotes(d.world.law(law, moment))});
    }
  } else if (what < .5) {
    kind = "friction";
    keys.push_back({"viscous", d.number(level / rate * d.dice.magnitude(.01, 1), per_rate)});
    if (d.dice.chance(.6)) {
      keys.push_back({"coulomb", d.number(level, load_unit)});
      keys.push_back({"transition", d.number(rate * d.dice.magnitude(1e-3, .1), rate_unit)});
    }
  } else if (what < .75) {
    kind = "stick-slip";
    const std::string rate_name = angle ? "$angular_speed" : "$speed";
    const std::string sliding = d.dice.chance(.5) ? fmt::format("{:.4g}", .7 * level)
                                                  : fmt::format("{:.4g}*(1 + 0.4*exp(-({}/{:.3g})^2))",
                                                                .7 * level, rate_name, .1 * rate);
    keys.push_back({"most", d.number(level, load_unit)});
    keys.push_back({"sliding", in_quotes(d.world.law(sliding, load_unit))});
  } else {
    kind = "motor";
    const double constant = d.dice.magnitude(.01, 1), resistance = d.dice.magnitude(.1, 10),
                 ratio = d.dice.magnitude(1, 30) / (angle ? 1 : d.size);
    const double volts = Dice::short_form(level / ratio / constant * resistance);
    keys.push_back({"constant", d.number(constant, moment)});
    keys.push_back({"resistance", d.number(resistance, volt)});
    keys.push_back({"inductance", d.number(resistance * d.period * d.dice.magnitude(1e-2, .3), moment)});
    keys.push_back({"ratio", d.number(ratio, angle ? pure : Dimension{0, -1, 0})});
    keys.push_back({"voltage", in_quotes(d.world.law(fmt::format("{:.4g}*{}", volts, course(d)), volt))});
  }
  keys.push_back({"kind", in_quotes(kind)});
  d.add("force", kind, keys);
}

void draw_load(Draft& d) {
  const DrawnBody body = d.bodies[d.dice.below(d.bodies.size())];
  const double f = load(d, body.mass);
  Draft::Keys keys = {{"body", in_quotes(body.name)}};
  if (!body.point && d.dice.chance(.4)) {
    const std::string law = fmt::format("{:.4g}*{}", Dice::short_form(f * body.size), course(d));
    keys.push_back({"kind", in_quotes("torque")});
    const Vector3d about = d.direction();
    if (d.planar && !d.in_space())
      keys.push_back({"torque", in_quotes(d.world.law(law, moment))});
    else if (d.planar)
      keys.push_back({"torque", "[0, 0, " + in_quotes(d.world.law(law, moment)) + "]"});
    else
      keys.push_back(
          {"torque", d.laws({fmt::format("{:.3g}*{}", about[0], law), fmt::format("{:.3g}*{}", about[1], law),
                             fmt::format("{:.3g}*{}", about[2], law)},
                            moment)});
    return d.add("force", "torque", keys);
  }
  keys.push_back({"kind", in_quotes("force")});
  const Vector3d at = body.point ? body.position : d.near(body.position, .5 * body.size);
  if (!body.point) keys.push_back({"at", d.point(at)});
  std::vector<std::string> parts;
  const double w = frequency(d), wall = at[0] + .2 * d.size;
  if (d.dice.chance(.25))  // a wall
    parts = {fmt::format("-{:.4g}*max($x - ({:.4g}), 0)", body.mass * w * w, wall), "0", "0"};
  else
    for (int i = 0; i < 3; ++i)
      parts.push_back(fmt::format("{:.4g}*{}", f * d.dice.number(-1, 1), course(d)));
  keys.push_back({"force", d.laws(parts, force)});
  d.add("force", "force", keys);
}

void draw_cylinder(Draft& d) {
  const Span s = span(d);
  const double f = load(d, s.to.mass), l = s.length(), supply = d.dice.magnitude(10, 1e3);
  const double area = f / supply, flow = area * l / d.period / std::sqrt(supply) * d.dice.magnitude(.1, 1);
  d.add("force", "cylinder",
        {{"kind", in_quotes("cylinder")},
         {"from", d.end(s.from.name, s.start)},
         {"to", d.end(s.to.name, s.end)},
         {"spool", in_quotes(d.world.law("0.5*" + course(d), pure))},
         {"areas", d.world.numbers({area, .6 * area}, {0, 2, 0})},
         {"volumes", d.world.numbers({area * l, area * l}, {0, 3, 0})},
         {"stroke", d.world.numbers({.2 * l, 3 * l}, length)},
         {"flow", d.number(flow, {-.5, 3.5, 0})},
         {"supply", d.number(supply, pressure)},
         {"tank", d.number(.1 * supply, pressure)},
         {"pressures", d.world.numbers({.5 * supply, .5 * supply}, pressure)},
         {"bulk_modulus", d.number(supply * d.dice.magnitude(1, 30), pressure)},
         {"soft", d.number(.1 * supply, pressure)},
         {"transition", d.number(.01 * d.size / d.period, speed)},
         {"viscous", d.number(f * d.period / d.size, damping)},
         {"stop", d.number(30 * f / l, stiffness)}});
}

}  // namespace

std::string course(Draft& d) {
  const double a = d.dice.number(.2, 1.5) * d.period, b = d.dice.magnitude(.01, 1) * d.period,
               w = frequency(d);
  switch (d.dice.below(9)) {
    case 0:
      return "1";
    case 1:
      return fmt::format("sin({:.3g}*$t)", w);
    case 2:
      return fmt::format("if($t < {:.3g}, 1, -0.5)", a);
    case 3:
      return fmt::format("if($t > {:.3g} and $t < {:.3g}, 1, 0)", a, a + b);
    case 4:
      return fmt::format("step($t - {:.3g})", a);
    case 5:
      return fmt::format("smooth_step($t, {:.3g}, {:.3g})", a, a + b);
    case 6:
      return fmt::format("ramp($t, {:.3g}, {:.3g})", a, a + b);
    case 7:
      return fmt::format("sign(sin({:.3g}*$t))", w);
    default:
      return fmt::format("exp(-(($t - {:.3g})/{:.3g})^2)", a, b);
  }
}

void draw_force(Draft& d) {
  const double what = d.dice.uniform(0, 1);
  if (what < .3) return draw_spring(d);
  if (what < .4) return draw_elastic(d);
  if (what < .7) return draw_in_joint(d);
  if (what < .96) return draw_load(d);
  draw_cylinder(d);
}

}  // namespace dalembert::attack
