// Joints of every kind, at points where the bodies are, so that all of them fit at the start.
#include "tests/attack/draft.h"

namespace dalembert::attack {

namespace {

/// What a new body is joined to: never a point mass, which has no points to hold on to.
DrawnBody parent(Draft& d) {
  DrawnBody on{"ground", Vector3d::Zero(), 0, d.size};
  if (!d.bodies.empty() && !d.dice.chance(.25)) on = d.dice.chance(.6) ? d.bodies.back() : d.any_body();
  return on.point ? DrawnBody{"ground", Vector3d::Zero(), 0, d.size} : on;
}

struct Kind {
  std::string name;
  int rows;
  bool turns = false, slides = false;
  std::string direction = {};  ///< the key of its axis
};

const std::vector<Kind>& planar_kinds() {
  static const std::vector<Kind> all = {{"revolute", 2, true},
                                        {"revolute", 2, true},
                                        {"revolute", 2, true},
                                        {"prismatic", 2, false, true, "along"},
                                        {"slot", 1, false, false, "along"},
                                        {"fixed", 3}};
  return all;
}

const std::vector<Kind>& spatial_kinds() {
  static const std::vector<Kind> all = {{"revolute", 5, true, false, "axis"},
                                        {"revolute", 5, true, false, "axis"},
                                        {"spherical", 3},
                                        {"cylindrical", 4, true, true, "axis"},
                                        {"prismatic", 5, false, true, "axis"},
                                        {"screw", 5, false, false, "axis"},
                                        {"planar", 3, false, false, "normal"},
                                        {"point-on-line", 2, false, false, "axis"},
                                        {"point-on-plane", 1, false, false, "normal"},
                                        {"universal", 4},
                                        {"constant-velocity", 4},
                                        {"fixed", 6}};
  return all;
}

/// How a planar joint is called in space, and along which of its keys the axis goes.
Kind lifted(const Kind& kind, Vector3d& axis) {
  if (kind.name == "revolute") {
    axis = Vector3d::UnitZ();
    return {"revolute", kind.rows, true, false, "axis"};
  }
  if (kind.name == "prismatic") return {"prismatic", kind.rows, false, true, "axis"};
  if (kind.name == "slot") return {"point-on-line", kind.rows, false, false, "axis"};
  return kind;
}

/// Any joint of two bodies at a point.
void join(Draft& d, Kind kind, const std::string& first, const DrawnBody& second, const Vector3d& at) {
  Vector3d axis = d.direction();
  const Vector3d across = d.direction().cross(axis).normalized();
  const double pitch = Dice::short_form(d.size * d.dice.magnitude(.01, 1));
  if (d.world.lifted) kind = lifted(kind, axis);
  const std::string name = d.new_name("j");
  Draft::Keys keys = {{"name", in_quotes(name)},
                      {"kind", in_quotes(kind.name)},
                      {"bodies", Draft::pair(first, second.name)},
                      {"at", d.point(at)}};
  if (!kind.direction.empty()) keys.push_back({kind.direction, d.along(axis)});
  if (kind.name == "screw") keys.push_back({"pitch", d.number(pitch, length)});
  if (kind.name == "universal" || kind.name == "constant-velocity") {
    const Vector3d other = kind.name == "universal" ? across : Vector3d(axis + .4 * across);
    keys.push_back({"first_axis", d.along(axis)});
    keys.push_back({"second_axis", d.along(other)});
  }
  d.add("joint", kind.name, keys);
  d.joints.push_back({name, first, second.name, second.mass, second.size, kind.turns, kind.slides});
  d.freedoms -= kind.rows;
}

void join_by_distance(Draft& d, const std::string& first, const Vector3d& from, const std::string& second,
                      const Vector3d& to) {
  const std::string name = d.new_name("j");
  d.add("joint", "distance",
        {{"name", in_quotes(name)},
         {"kind", in_quotes("distance")},
         {"from", d.end(first, from)},
         {"to", d.end(second, to)}});
  d.joints.push_back({name, first, second, 0, 0});
  --d.freedoms;
}

/// Two wheels on a carrier.
void draw_gear(Draft& d) {
  const DrawnBody carrier = parent(d);
  const std::string ratio =
      d.dice.one_of(std::vector<std::string>{"[20, 40]", "[17, 29]", "[30, -70]", "[12, 12]"});
  const Kind hinge = d.planar ? planar_kinds()[0] : spatial_kinds()[0];
  std::vector<std::string> wheels, hinges;
  for (int i = 0; i < 2; ++i) {
    const Vector3d at = d.near(carrier.position, d.dice.number(.3, 1) * d.size);
    const DrawnBody wheel = d.add_body(d.dice.chance(.5) ? at : d.near(at, .2 * d.size), .5 * d.size);
    join(d, hinge, carrier.name, wheel, at);
    wheels.push_back(wheel.name);
    hinges.push_back(d.joints.back().name);
  }
  const std::string name = d.new_name("j");
  Draft::Keys keys = {{"name", in_quotes(name)}, {"kind", in_quotes("gear")}, {"teeth", ratio}};
  if (d.in_space()) {
    keys.push_back({"first", in_quotes(hinges[0])});
    keys.push_back({"second", in_quotes(hinges[1])});
  } else {
    keys.push_back({"bodies", Draft::pair(wheels[0], wheels[1])});
    keys.push_back({"carrier", in_quotes(carrier.name)});
  }
  d.add("joint", "gear", keys);
  d.joints.push_back({name, wheels[0], wheels[1], 0, 0});
  --d.freedoms;
}

/// A disc on a line, a wheel on a rack, a blade: of the plane only.
void draw_planar_contact(Draft& d) {
  d.liftable = false;
  const double radius = d.size * d.dice.number(.2, 1);
  const Vector3d along = d.direction(), normal = Vector3d::UnitZ().cross(along);
  const Vector3d at = d.near(Vector3d::Zero(), d.size);
  const std::string name = d.new_name("j");
  Draft::Keys keys = {{"name", in_quotes(name)}, {"at", d.point(at)}, {"along", d.along(along)}};
  if (d.dice.chance(.4)) {
    const DrawnBody sleigh = d.add_body(d.near(at, .5 * d.size), d.size);
    keys.push_back({"kind", in_quotes("knife-edge")});
    keys.push_back({"body", in_quotes(sleigh.name)});
    d.add("joint", "knife-edge", keys);
    d.joints.push_back({name, "ground", sleigh.name, 0, 0});
    --d.freedoms;
    return;
  }
  const bool rack = d.dice.chance(.5);
  std::string line = "ground";
  if (rack) {
    const DrawnBody bar = d.add_body(at, d.size);
    line = bar.name;
    const std::string guide = d.new_name("j");
    d.add("joint", "prismatic",
          {{"name", in_quotes(guide)},
           {"kind", in_quotes("prismatic")},
           {"bodies", Draft::pair("ground", bar.name)},
           {"at", d.point(at)},
           {"along", d.along(along)}});
    d.joints.push_back({guide, "ground", bar.name, bar.mass, bar.size, false, true});
    d.freedoms -= 2;
  }
  const Vector3d centre = at + radius * normal + .3 * d.size * along;
  const DrawnBody wheel = d.add_body(centre, radius);
  if (rack) join(d, planar_kinds()[0], "ground", wheel, centre);
  const std::string kind = rack ? "rack" : "rolling";
  keys.push_back({"kind", in_quotes(kind)});
  keys.push_back({"bodies", Draft::pair(line, wheel.name)});
  d.add("joint", kind, keys);
  d.joints.push_back({name, line, wheel.name, 0, 0});
  d.freedoms -= rack ? 1 : 2;
}

/// A ball or a disc that rolls on a plane, or a blade on it.
void draw_spatial_contact(Draft& d) {
  const double radius = d.size * d.dice.number(.2, 1);
  const Vector3d at = d.near(Vector3d::Zero(), d.size), normal = d.direction();
  const Vector3d across = d.direction().cross(normal).normalized();
  const std::string name = d.new_name("j");
  Draft::Keys keys = {{"name", in_quotes(name)}, {"normal", d.along(normal)}};
  const std::string kind =
      d.dice.one_of(std::vector<std::string>{"rolling-ball", "rolling-disc", "knife-edge"});
  keys.push_back({"kind", in_quotes(kind)});
  if (kind == "knife-edge") {
    const DrawnBody sleigh = d.add_body(d.near(at, .5 * d.size), d.size);
    join(d, {"planar", 3, false, false, "normal"}, "ground", sleigh, at);
    keys.push_back({"at", d.point(at)});
    keys.push_back({"along", d.along(across)});
    keys.push_back({"bodies", Draft::pair("ground", sleigh.name)});
    --d.freedoms;
  } else {
    const double lean =
        kind == "rolling-disc" ? d.dice.number(.6, 1) : 1;  // sine of the angle with the plane
    const Vector3d axle = lean * across + std::sqrt(1 - lean * lean) * normal;
    const DrawnBody wheel = d.add_body(at + radius * lean * normal, radius);
    keys.push_back({"at", d.point(at)});
    keys.push_back({"radius", d.number(radius, length)});
    if (kind == "rolling-disc") keys.push_back({"axle", d.along(axle)});
    keys.push_back({"bodies", Draft::pair("ground", wheel.name)});
    d.freedoms -= 3;
  }
  d.add("joint", kind, keys);
  d.joints.push_back({name, "ground", d.bodies.back().name, 0, 0});
}

void draw_point_mass(Draft& d) {
  const DrawnBody on = parent(d);
  const Vector3d from = d.near(on.position, .5 * on.size);
  const DrawnBody bob = d.add_point_mass(d.near(from, d.size * d.dice.number(.3, 1.5)));
  const double what = d.dice.uniform(0, 1);
  if (what < .6)
    join_by_distance(d, on.name, from, bob.name, bob.position);
  else if (what < .8)
    join(d, d.planar ? planar_kinds()[4] : spatial_kinds()[7 + d.dice.below(2)], on.name, bob, bob.position);
}

}  // namespace

void draw_joint(Draft& d) {
  const double what = d.dice.uniform(0, 1);
  if (what < .08) return draw_gear(d);
  if (what < .16) return d.planar ? draw_planar_contact(d) : draw_spatial_contact(d);
  if (what < .26) return draw_point_mass(d);
  const DrawnBody on = parent(d);
  const Vector3d at = d.near(on.position, on.size * d.dice.number(.2, 1));
  const double extent =
      Dice::short_form(d.size * (d.dice.chance(.1) ? d.dice.magnitude(.03, 10) : d.dice.number(.3, 1.5)));
  const DrawnBody body = d.add_body(d.near(at, extent), extent);
  if (what < .3) return;  // free
  if (what < .36) return join_by_distance(d, on.name, at, body.name, d.near(body.position, .5 * extent));
  join(d, d.dice.one_of(d.planar ? planar_kinds() : spatial_kinds()), on.name, body, at);
}

void draw_loop(Draft& d) {
  const DrawnBody a = d.any_body(), b = d.any_body();
  if (a.name == b.name || b.name == "ground" || a.point || b.point) return;
  for (const DrawnJoint& joint : d.joints)
    if ((joint.first == a.name && joint.second == b.name) ||
        (joint.first == b.name && joint.second == a.name))
      return;
  const Vector3d at = d.near(b.position, b.size * d.dice.number(.2, 1));
  if (d.dice.chance(.4)) {
    if (d.freedoms > 1) join_by_distance(d, a.name, d.near(a.position, .5 * a.size), b.name, at);
    return;
  }
  const std::vector<std::string> closing =
      d.planar ? std::vector<std::string>{"revolute", "slot"}
               : std::vector<std::string>{"spherical", "point-on-line", "point-on-plane", "universal",
                                          "cylindrical"};
  const std::string wanted = d.dice.one_of(closing);
  for (const Kind& kind : d.planar ? planar_kinds() : spatial_kinds())
    if (kind.name == wanted && d.freedoms > kind.rows) return join(d, kind, a.name, b, at);
}

}  // namespace dalembert::attack
