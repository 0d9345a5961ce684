#include "tests/attack/draw_mechanism.h"

#include <algorithm>

namespace dalembert::attack {

std::string Drawing::text() const {
  std::string all = head;
  for (const DrawnElement& element : elements) all += "\n" + element.text;
  return all + "\n" + run;
}

namespace {

/// Watches stay in order: an expression uses what comes before it.
void shuffle(std::vector<DrawnElement>& elements, std::uint64_t order) {
  Dice dice(order);
  const auto watches = std::stable_partition(elements.begin(), elements.end(),
                                             [](const DrawnElement& e) { return e.section != "watch"; });
  const auto count = static_cast<std::size_t>(watches - elements.begin());
  for (std::size_t i = count; i > 1; --i) std::swap(elements[i - 1], elements[dice.below(i)]);
}

}  // namespace

Drawing draw_mechanism(std::uint64_t seed, const World& world) {
  Dice dice(seed);
  const bool planar = dice.chance(.55);
  Draft d(dice, world, planar);
  const bool alone = dice.chance(.04);  // a network without a mechanism
  const std::size_t stations = alone ? 0 : 1 + dice.below(dice.chance(.5) ? 2 : 4),
                    forces = alone ? 0 : dice.below(4);
  for (std::size_t i = 0; i < stations; ++i) draw_joint(d);
  if (d.bodies.size() > 1 && dice.chance(.4)) draw_loop(d);
  if (d.bodies.size() > 2 && dice.chance(.2)) draw_loop(d);
  if (!alone && dice.chance(.4)) draw_drive(d);
  for (std::size_t i = 0; i < forces; ++i) draw_force(d);
  if (alone || dice.chance(.25)) draw_network(d);
  draw_watches(d);
  const double fall = dice.chance(.2) ? 0 : 9.81;
  const double end = Dice::short_form(d.period * dice.magnitude(.5, 5));

  Drawing drawing;
  drawing.planar = planar;
  drawing.liftable = planar && d.liftable;
  drawing.pieces = static_cast<int>(1 + dice.below(17));
  drawing.kinds = d.kinds;
  for (const DrawnBody& body : d.bodies) drawing.bodies.push_back(body.name);
  const Vector3d down = planar ? Vector3d(0, -fall, 0) : Vector3d(0, 0, -fall);
  drawing.head = fmt::format("title = \"drawn from seed {}\"\nspace = \"{}\"\ngravity = {}\n", seed,
                             d.in_space() ? "spatial" : "planar", d.vector(down, acceleration));
  drawing.run = fmt::format("[run]\nend = {}\noutput = {}\n", d.number(end, duration), drawing.pieces);
  drawing.elements = std::move(d.elements);
  if (world.order != 0) shuffle(drawing.elements, world.order);
  return drawing;
}

}  // namespace dalembert::attack
