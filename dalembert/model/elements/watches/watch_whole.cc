// The mechanism as a whole: its centre of mass, its momentum, its angular momentum about the origin.
#include "dalembert/model/watching.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_watch_whole() {
  return {{.section = "watch",
           .kind = "whole",
           .space = ElementEntry::Space::both,
           .summary = "centre of mass, momentum or angular momentum (about the origin) of the mechanism",
           .carries = "",
           .keys = {{"whole",
                     Key::Type::text,
                     "",
                     "which one",
                     "",
                     {"centre-of-mass", "momentum", "angular-momentum"}}},
           .example = "name = \"L\"\nwhole = \"angular-momentum\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const std::string which = of.text("whole");
             Watching watching(of, c);
             if (which == "centre-of-mass")
               watching.add_vector("", "m", [](MechanismView& view) { return view.centre_of_mass(); });
             else if (which == "momentum")
               watching.add_vector("", "kg m/s", [](MechanismView& view) { return view.momentum(); });
             else if (c.planar != nullptr)
               watching.add("", "kg m^2/s", [](MechanismView& view) { return view.angular_momentum()[2]; });
             else
               watching.add_vector("", "kg m^2/s",
                                   [](MechanismView& view) { return view.angular_momentum(); });
           }}};
}

}  // namespace dalembert
