// Gears in the plane, also of planets on a carrier.
#include "dalembert/model/element_entry.h"
#include "dalembert/model/flat.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_planar_gear() {
  return {{.section = "joint",
           .kind = "gear",
           .space = ElementEntry::Space::planar,
           .summary = "two wheels turn in a fixed ratio, seen from their carrier",
           .carries =
               "moment: minus that on the second wheel; the first feels ratio times it, the carrier the rest",
           .keys = {{"bodies", Key::Type::bodies, "", "the two wheels"},
                    {"ratio", Key::Type::number, "",
                     "turns of the second wheel for one of the first; negative if they turn "
                     "against each other",
                     "-"},
                    {"teeth", Key::Type::numbers, "",
                     "instead of the ratio: teeth of both wheels, negative for a ring with "
                     "teeth inside",
                     "-"},
                    {"carrier", Key::Type::body, "", "the body that holds both axes", "\"ground\""}},
           .example = "bodies = [\"sun\", \"planet\"]\nteeth = [20, 40]\ncarrier = \"arm\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto [a, b] = of.bodies("bodies");
             if (of.has("ratio") == of.has("teeth"))
               return of.complain(of.has("teeth") ? "teeth" : "ratio", "a gear has a ratio or teeth",
                                  "give one of the two");
             double ratio = 0;
             if (of.has("teeth")) {
               const std::vector<double> teeth = of.numbers("teeth");
               if (teeth.size() != 2 || teeth[0] == 0 || teeth[1] == 0)
                 return of.complain("teeth", "a gear has the teeth of two wheels, none of them 0",
                                    "for example [20, 40]");
               ratio = -teeth[0] / teeth[1];
             } else {
               ratio = of.number("ratio");
             }
             c.planar->gear(of.name(), a, b, ratio, of.body("carrier"));
           }}};
}

}  // namespace dalembert
