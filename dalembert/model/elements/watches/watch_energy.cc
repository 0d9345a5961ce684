// The energy of the whole mechanism.
#include "dalembert/model/watching.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_watch_energy() {
  return {{.section = "watch",
           .kind = "energy",
           .space = ElementEntry::Space::both,
           .summary = "kinetic, potential or total energy of the mechanism",
           .carries = "",
           .keys = {{"energy", Key::Type::text, "", "which one", "", {"kinetic", "potential", "total"}}},
           .example = "name = \"E\"\nenergy = \"total\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const std::string which = of.text("energy");
             const double kinetic = which == "kinetic" ? 1 : which == "potential" ? -1 : 0;
             const double total = which == "kinetic" ? 0 : 1;
             Watching(of, c).add("", "J", [kinetic, total](MechanismView& view) {
               return (kinetic == 0 ? 0 : kinetic * view.kinetic()) + (total == 0 ? 0 : view.total());
             });
           }}};
}

}  // namespace dalembert
