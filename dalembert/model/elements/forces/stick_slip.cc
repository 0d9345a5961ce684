// Dry friction in a joint that sticks and slips.
#include "dalembert/model/elements/forces/coordinate.h"

namespace dalembert {

namespace {

void build(const ElementKeys& of, Construction& c) {
  const MeasurePtr along = coordinate_of(of, c);
  if (!along) return;
  c.mechanism().stick_slip(of.name(), along, of.law("most"), of.law("sliding"));
}

}  // namespace

std::vector<ElementEntry> elements_in_stick_slip() {
  return {
      {.section = "force",
       .kind = "stick-slip",
       .space = ElementEntry::Space::both,
       .summary = "dry friction in a joint: it holds up to a limit, then slides; every change is an event",
       .carries = "its force or torque along the coordinate, as NAME.friction",
       .keys = {{"joint", Key::Type::joint, "", "where it rubs"},
                coordinate_key(),
                {"most", Key::Type::law, "N, N m", "what it holds at most", "", {"t", "position"}},
                {"sliding", Key::Type::law, "N, N m", "while it slides", "", {"t", "position", "speed"}}},
       .example = "joint = \"guide\"\nmost = 16\nsliding = \"12 + 4*exp(-(speed/0.05)^2)\"",
       .build = build}};
}

}  // namespace dalembert
