// Discs and balls that roll on a plane without slip.
#include "dalembert/model/element_entry.h"

namespace dalembert {
namespace {

SpatialRolling rolling(const ElementKeys& of) {
  SpatialRolling is{.radius = of.number("radius"), .at = of.vector("at"), .normal = of.vector("normal")};
  if (of.has("centre")) is.centre = of.vector("centre");
  return is;
}

constexpr const char* carries =
    "normal, u, v: force on the first body where the two touch, along the normal and across it; all are "
    "fixed to that "
    "body, normal x u = v. Nothing lifts off: the normal force is negative where the plane is pressed";

/// Those of the disc and the ball, with what only one of them has in the middle.
std::vector<Key> keys(const std::vector<Key>& own) {
  std::vector<Key> all = {
      {"bodies", Key::Type::bodies, "", "the body with the plane, and the one that rolls"},
      {"radius", Key::Type::number, "m", "of what rolls"},
      {"centre", Key::Type::vector, "m",
       "of what rolls, in the ground frame at the start; unless given its centre of mass", "-"}};
  all.insert(all.end(), own.begin(), own.end());
  all.push_back(
      {"at", Key::Type::vector, "m", "a point of the plane, in the ground frame at the start", "[0, 0, 0]"});
  all.push_back(
      {"normal", Key::Type::vector, "", "of the plane at the start, towards the rolling body", "[0, 0, 1]"});
  return all;
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_rolling() {
  return {{.section = "joint",
           .kind = "rolling-disc",
           .space = ElementEntry::Space::spatial,
           .summary = "a thin disc stays on a plane and rolls without slip",
           .carries = carries,
           .keys = keys({{"axle", Key::Type::vector, "", "of the disc at the start"}}),
           .example = "bodies = [\"ground\", \"coin\"]\nradius = 0.26\naxle = [0, 1, 0]",
           .build =
               [](const ElementKeys& of, Construction& c) {
                 const auto [a, b] = of.bodies("bodies");
                 SpatialRolling is = rolling(of);
                 is.axle = of.vector("axle");
                 c.spatial->rolling_disc(of.name(), a, b, is);
               }},
          {.section = "joint",
           .kind = "rolling-ball",
           .space = ElementEntry::Space::spatial,
           .summary = "a ball stays on a plane and rolls without slip",
           .carries = carries,
           .keys = keys({}),
           .example = "bodies = [\"ground\", \"ball\"]\nradius = 0.1",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             c.spatial->rolling_ball(of.name(), a, b, rolling(of));
           }}};
}

}  // namespace dalembert
