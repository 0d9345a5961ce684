// Drives, smooth and with corners, and what is watched of a motion.
#include "tests/attack/draft.h"

namespace dalembert::attack {

namespace {

/// A motion that begins at 0, about this large.
std::string motion(Draft& d, double amplitude) {
  const double a = Dice::short_form(amplitude), w = Dice::short_form(d.dice.magnitude(.5, 10) / d.period);
  const double t0 = Dice::short_form(d.dice.number(.2, 1.5) * d.period),
               t1 = t0 + Dice::short_form(d.dice.magnitude(.05, 2) * d.period);
  switch (d.dice.below(10)) {
    case 0:
    case 1:
      return fmt::format("{}*sin({}*$t)", a, w);
    case 2:
      return fmt::format("{}*(1 - cos({}*$t))", a, w);
    case 3:
      return fmt::format("{}*$t", a * w);
    case 4:
      return fmt::format("{}*smooth_step($t, {}, {})", a, t0, t1);
    case 5:
      return fmt::format("{}*ramp($t, {}, {})", a, t0, t1);
    case 6:
      return fmt::format("if($t < {0}, 0, {1}*($t - {0}))", t0, a / d.period);
    case 7:
      return fmt::format("{}*max(sin({}*$t), 0)", a, w);
    case 8:
      return fmt::format("{}*min({}*$t, 1)", a, w);
    default:
      return fmt::format("{}*abs(sin({}*$t))", a, w);
  }
}

void drive_point(Draft& d) {
  const Vector3d at = d.near(Vector3d::Zero(), d.size);
  const DrawnBody body = d.add_body(d.near(at, .5 * d.size), d.size);
  std::vector<std::string> path;
  for (Eigen::Index i = 0; i < 3; ++i)  // the frame is shifted too
    path.push_back(fmt::format("{} + {}", at[i], d.dice.chance(.6) ? motion(d, .3 * d.size) : "0"));
  const Vector3d shift = d.world.turn.transpose() * d.world.shift;
  for (Eigen::Index i = 0; i < 3; ++i)
    if (shift[i] != 0) path[static_cast<std::size_t>(i)] += fmt::format(" + ({})", shift[i]);
  d.liftable = false;
  d.add("drive", "point",
        {{"name", in_quotes(d.new_name("d"))},
         {"point", d.end(body.name, at)},
         {"motion", d.laws(path, length)}});
  d.freedoms -= d.planar ? 2 : 3;
}

void drive_distance(Draft& d) {
  const DrawnBody body = d.bodies[d.dice.below(d.bodies.size())];
  if (body.point) return;
  const Vector3d to = d.near(body.position, .5 * body.size),
                 from = d.near(to, d.size * d.dice.number(.7, 1.5));
  d.add("drive", "distance",
        {{"name", in_quotes(d.new_name("d"))},
         {"from", d.end("ground", from)},
         {"to", d.end(body.name, to)},
         {"distance", in_quotes(d.world.law(
                          fmt::format("{} + {}", (to - from).norm(), motion(d, .2 * d.size)), length))}});
  --d.freedoms;
}

}  // namespace

void draw_drive(Draft& d) {
  const double what = d.dice.uniform(0, 1);
  if (what < .15) return drive_point(d);
  if (d.freedoms < 1) return;
  if (what < .3) return drive_distance(d);
  std::vector<DrawnJoint> moving;
  for (const DrawnJoint& joint : d.joints)
    if (joint.turns || joint.slides) moving.push_back(joint);
  if (moving.empty()) return;
  const DrawnJoint joint = d.dice.one_of(moving);
  const bool angle = joint.turns && !(joint.slides && d.dice.chance(.5));
  Draft::Keys keys = {{"name", in_quotes(d.new_name("d"))}, {"joint", in_quotes(joint.name)}};
  if (joint.turns && joint.slides)
    keys.push_back({"coordinate", in_quotes(angle ? "angle" : "displacement")});
  keys.push_back(
      {"motion", in_quotes(d.world.law(motion(d, angle ? 1 : .5 * d.size), angle ? pure : length))});
  d.add("drive", "joint", keys);
  --d.freedoms;
}

void draw_watches(Draft& d) {
  const auto watch = [&](const std::string& kind, Draft::Keys keys) {
    const std::string name = d.new_name("w");
    keys.insert(keys.begin(), {"name", in_quotes(name)});
    d.add("watch", kind, keys);
    return name;
  };
  for (const DrawnJoint& joint : d.joints) {
    if (d.dice.chance(.4)) watch("reaction", {{"reaction", in_quotes(joint.name)}});
    if ((joint.turns || joint.slides) && d.dice.chance(.5))
      watch("coordinate", {{"coordinate", in_quotes(joint.name)}});
  }
  if (d.bodies.empty()) return;
  const DrawnBody body = d.bodies[d.dice.below(d.bodies.size())];
  const std::string quantity =
      d.dice.one_of(std::vector<std::string>{"position", "velocity", "acceleration"});
  const Vector3d at = body.point ? body.position : d.near(body.position, body.size);
  if (d.dice.chance(.6)) watch("point", {{"point", d.end(body.name, at)}, {"quantity", in_quotes(quantity)}});
  if (d.dice.chance(.4)) watch("energy", {{"energy", in_quotes("total")}});
  if (d.dice.chance(.3) && !body.point) watch("angle", {{"angle", in_quotes(body.name)}});
  if (d.dice.chance(.3)) watch("whole", {{"whole", in_quotes("angular-momentum")}});
  if (d.dice.chance(.3)) {
    const Vector3d from = at + d.size * d.direction();
    const std::string gap = watch(
        "distance",
        {{"kind", in_quotes("distance")}, {"from", d.end("ground", from)}, {"to", d.end(body.name, at)}});
    watch("expression", {{"expression", in_quotes("2*" + gap)}});
  }
}

}  // namespace dalembert::attack
