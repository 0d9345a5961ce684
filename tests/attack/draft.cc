#include "tests/attack/draft.h"

#include <algorithm>

namespace dalembert::attack {

Draft::Draft(Dice& d, const World& w, bool in_plane) : dice(d), world(w), planar(in_plane) {
  size = dice.chance(.4) ? 1 : dice.magnitude(1e-3, 1e3);
  mass = dice.chance(.4) ? 1 : dice.magnitude(1e-2, 1e2);
  period = std::sqrt(size / 9.81);
}

void Draft::add(const std::string& section, const std::string& kind, Keys keys) {
  kinds.insert(section + " " + kind + (in_space() ? " in space" : " in the plane"));
  // What has no name is called by its place among others, which a shuffle changes.
  const bool named =
      std::any_of(keys.begin(), keys.end(), [](const auto& each) { return each.first == "name"; });
  if (section == "force" && !named) keys.insert(keys.begin(), {"name", in_quotes(new_name("f"))});
  std::string text = "[[" + section + "]]\n";
  for (const auto& [key, value] : keys) text += key + " = " + value + "\n";
  elements.push_back({section, text});
}

double Draft::draw_mass() {
  return dice.chance(.1) ? dice.magnitude(1e-3, 1e3) : Dice::short_form(mass * dice.magnitude(.1, 10));
}

std::string Draft::list(const Vector3d& v) const {
  return in_space() ? fmt::format("[{}, {}, {}]", v[0], v[1], v[2]) : fmt::format("[{}, {}]", v[0], v[1]);
}

std::string Draft::point(const Vector3d& p) const {
  return list(world.point(p));
}

std::string Draft::along(const Vector3d& d) const {
  return list(world.turn * d);
}

std::string Draft::vector(const Vector3d& v, const Dimension& d) const {
  return list(world.turn * v * world.factor(d));
}

std::string Draft::laws(const std::vector<std::string>& components, const Dimension& d) const {
  std::string text;
  for (Eigen::Index i = 0; i < (in_space() ? 3 : 2); ++i) {
    std::string sum;
    for (Eigen::Index j = 0; j < dimension(); ++j)
      if (const double part = world.turn(i, j); part == 1)
        sum += " + " + components[static_cast<std::size_t>(j)];
      else if (part != 0)
        sum += fmt::format(" + {}*({})", part, components[static_cast<std::size_t>(j)]);
    text += (i == 0 ? "" : ", ") + in_quotes(sum.empty() ? "0" : world.law(sum.substr(3), d));
  }
  return "[" + text + "]";
}

std::string Draft::end(const std::string& body, const Vector3d& at) const {
  return "{ body = " + in_quotes(body) + ", at = " + point(at) + " }";
}

std::string Draft::pair(const std::string& first, const std::string& second) {
  return "[" + in_quotes(first) + ", " + in_quotes(second) + "]";
}

Draft::Keys Draft::place(const DrawnBody& body) {
  Keys keys = {{"name", in_quotes(body.name)},
               {"mass", number(body.mass, attack::mass)},
               {"position", point(body.position)}};
  const Vector3d velocity = dice.number(-1, 1) * size / period * direction();
  if (dice.chance(.2)) keys.push_back({"velocity", vector(velocity, speed)});
  return keys;
}

const DrawnBody& Draft::add_body(const Vector3d& position, double extent) {
  bodies.push_back({new_name("b"), position, draw_mass(), extent});
  const DrawnBody& body = bodies.back();
  Keys keys = place(body);
  const double about = body.mass * extent * extent * dice.number(.05, .3);
  const std::vector<double> in_space_about = {about, about * dice.number(.7, 1.3),
                                              about * dice.number(.7, 1.3)};
  const double turning = dice.chance(.25) ? dice.number(-2, 2) / period : 0;
  const Vector3d turning_about = direction();
  const Eigen::Quaterniond own(Eigen::AngleAxisd(dice.number(-2, 2), direction()));
  freedoms += planar ? 3 : 6;
  if (!in_space()) {
    keys.push_back({"inertia", number(about, inertia)});
    if (const double angle = std::atan2(world.turn(1, 0), world.turn(0, 0)); angle != 0)
      keys.push_back({"angle", number(angle)});
    if (turning != 0) keys.push_back({"spin", number(turning, spin)});
  } else {
    const Eigen::Quaterniond stands =
        Eigen::Quaterniond(world.turn) * (planar ? Eigen::Quaterniond::Identity() : own);
    keys.push_back({"inertia", world.numbers(planar ? std::vector(3, about) : in_space_about, inertia)});
    keys.push_back({"orientation", world.numbers({stands.w(), stands.x(), stands.y(), stands.z()})});
    const Vector3d w = turning * (planar ? Vector3d::UnitZ() : turning_about);
    if (turning != 0) keys.push_back({"spin", world.numbers({w[0], w[1], w[2]}, spin)});
  }
  add("body", "rigid", keys);
  return body;
}

const DrawnBody& Draft::add_point_mass(const Vector3d& position) {
  bodies.push_back({new_name("p"), position, draw_mass(), size, true});
  Keys keys = place(bodies.back());
  keys.push_back({"kind", in_quotes("point")});
  add("body", "point", keys);
  freedoms += planar ? 2 : 3;
  return bodies.back();
}

DrawnBody Draft::any_body() {
  const std::size_t i = dice.below(bodies.size() + 1);
  if (i == bodies.size()) return {"ground", near(Vector3d::Zero(), size), 0, size};
  return bodies[i];
}

}  // namespace dalembert::attack
