// A mechanism while it is drawn: bodies and joints so far, and the elements of its file.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/attack/dice.h"
#include "tests/attack/world.h"

namespace dalembert::attack {

using Eigen::Vector3d;

struct DrawnBody {
  std::string name;
  Vector3d position;
  double mass, size;
  bool point = false;
};

struct DrawnJoint {
  std::string name;
  std::string first, second;  ///< bodies
  double mass, size;          ///< of what it moves
  bool turns = false, slides = false;
};

struct DrawnElement {
  std::string section, text;
};

/// Points and numbers are those of the drawing (metres, its own frame); what is written is as the world has it.
class Draft {
 public:
  Draft(Dice& dice, const World& world, bool planar);

  Dice& dice;
  const World& world;
  const bool planar;
  double size, mass, period;  ///< typical ones
  std::vector<DrawnBody> bodies{};
  std::vector<DrawnJoint> joints{};
  std::vector<DrawnElement> elements{};
  std::set<std::string> kinds{};  ///< of elements, as "joint revolute in space"
  int freedoms = 0;
  bool liftable = true;  ///< can be written in space as well

  bool in_space() const { return !planar || world.lifted; }
  Eigen::Index dimension() const { return planar ? 2 : 3; }
  Vector3d direction() { return dice.direction(dimension()); }
  Vector3d near(const Vector3d& p, double distance) { return p + distance * direction(); }
  /// Of a joint: what a planar one turns about, any direction in space.
  Vector3d axis() { return planar ? Vector3d::UnitZ() : direction(); }

  using Keys = std::vector<std::pair<std::string, std::string>>;
  void add(const std::string& section, const std::string& kind, Keys keys);
  std::string new_name(const std::string& stem) { return stem + std::to_string(++named_); }

  /// A body at this place; `size` is that of its inertia.
  const DrawnBody& add_body(const Vector3d& position, double size);
  const DrawnBody& add_point_mass(const Vector3d& position);
  /// One of the bodies so far, or the ground.
  DrawnBody any_body();

  std::string number(double value, const Dimension& d = pure) const { return world.number(value, d); }
  std::string point(const Vector3d&) const;
  std::string along(const Vector3d&) const;  ///< a direction
  std::string vector(const Vector3d&, const Dimension&) const;
  std::string laws(const std::vector<std::string>& components, const Dimension&) const;
  std::string end(const std::string& body, const Vector3d& at) const;
  static std::string pair(const std::string& first, const std::string& second);

 private:
  double draw_mass();
  Keys place(const DrawnBody&);
  std::string list(const Vector3d&) const;
  int named_ = 0;
};

/// Joins a new body (or several) to what is there.
void draw_joint(Draft&);
/// Joins two bodies that are there, if freedoms are left; the joint is where the bodies are, so that the loop closes.
void draw_loop(Draft&);
void draw_force(Draft&);
void draw_drive(Draft&);
void draw_network(Draft&);
void draw_watches(Draft&);
/// A factor between about -1 and 1 that depends on time: smooth, switched, or a pulse.
std::string course(Draft&);

}  // namespace dalembert::attack
