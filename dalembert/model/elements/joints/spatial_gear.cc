// Gears in space, between wheels on joints of their own.
#include <cmath>

#include "dalembert/model/element_entry.h"

namespace dalembert {
namespace {

constexpr int most = 1000;

struct Teeth {
  int first = 0, second = 0;
};
/// The smallest with -first/second = ratio; none if there are not any.
Teeth teeth_for(double ratio) {
  for (int z = 1; z <= most; ++z)
    if (const double other = std::round(-ratio * z);
        other != 0 && std::abs(other) <= most && std::abs(other + ratio * z) <= 1e-12 * std::abs(other))
      return {static_cast<int>(other), z};
  return {};
}

}  // namespace

std::vector<ElementEntry> elements_in_spatial_gear() {
  return {
      {.section = "joint",
       .kind = "gear",
       .space = ElementEntry::Space::spatial,
       .summary = "the angles of two joints turn in the ratio of two whole numbers",
       .carries = "moment: minus that on the second body of the second joint about its axis; the second body "
                  "of the first joint feels teeth_1/teeth_2 times as much, the first bodies the opposites",
       .keys = {{"first", Key::Type::joint, "",
                 "the joint of the first wheel, the wheel being its second body"},
                {"second", Key::Type::joint, "", "the joint of the other wheel likewise"},
                {"teeth", Key::Type::numbers, "",
                 "teeth of both wheels, negative for a ring with teeth inside", "-"},
                {"ratio", Key::Type::number, "",
                 "instead of the teeth: turns of the second wheel for one of the first, a quotient of whole "
                 "numbers up to 1000; negative if they turn against each other",
                 "-"}},
       .example = "first = \"sun_axis\"\nsecond = \"planet_axis\"\nteeth = [20, 40]",
       .build = [](const ElementKeys& of, Construction& c) {
         if (of.has("ratio") == of.has("teeth"))
           return of.complain(of.has("teeth") ? "teeth" : "ratio", "a gear has a ratio or teeth",
                              "give one of the two");
         Teeth teeth;
         if (of.has("teeth")) {
           const std::vector<double> given = of.numbers("teeth");
           const auto whole = [](double z) { return z != 0 && std::abs(z) <= most && z == std::round(z); };
           if (given.size() != 2 || !whole(given[0]) || !whole(given[1]))
             return of.complain("teeth", "teeth are two whole numbers up to 1000, none of them 0",
                                "for example [20, 40]");
           teeth = {static_cast<int>(given[0]), static_cast<int>(given[1])};
         } else {
           teeth = teeth_for(of.number("ratio"));
           if (teeth.second == 0)
             return of.complain("ratio", "the ratio is no quotient of whole numbers up to 1000",
                                "give the teeth of both wheels instead");
         }
         c.spatial->gear(of.name(), of.joint("first"), of.joint("second"), teeth.first, teeth.second);
       }}};
}

}  // namespace dalembert
