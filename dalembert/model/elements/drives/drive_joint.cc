// A joint coordinate follows a prescribed motion.
#include "dalembert/model/element_entry.h"

namespace dalembert {

std::vector<ElementEntry> elements_in_drive_joint() {
  return {
      {.section = "drive",
       .kind = "joint",
       .space = ElementEntry::Space::both,
       .summary = "the coordinate of a joint follows a function of time",
       .carries = "drive: moment or force on the first body of the joint, along the coordinate",
       .keys = {{"joint", Key::Type::joint, "", "the joint"},
                {"motion", Key::Type::motion, "rad or m",
                 "angle or displacement of the second body against the first, "
                 "counted from the positions as they are given; if it is not 0 at t = 0 the start is moved"},
                {"coordinate",
                 Key::Type::text,
                 "",
                 "which one, for joints with two",
                 "-",
                 {"angle", "displacement"}}},
       .example = "joint = \"main\"\nmotion = \"10*t\"",
       .build = [](const ElementKeys& of, Construction& c) {
         const int joint = of.joint("joint");
         const JointRecord& record = c.mechanism().joints()[static_cast<std::size_t>(joint)];
         const auto& all = record.coordinates;
         const std::string what = "joint '" + record.name + "' (" + record.kind + ")";
         if (all.empty())
           return of.complain("joint", what + " has no coordinate to drive",
                              "drive a joint that turns or slides, a point or a distance");
         std::size_t which = 0;
         if (of.has("coordinate")) {
           const std::string name = of.text("coordinate");
           while (which < all.size() && all[which]->name != name) ++which;
           if (which == all.size())
             return of.complain("coordinate", what + " has no " + name, "it has its " + all[0]->name);
         } else if (all.size() > 1) {
           std::string names;
           for (const MeasurePtr& each : all)
             if (names.find(each->name) == std::string::npos)
               names += (names.empty() ? "coordinate = \"" : " or \"") + each->name + "\"";
           return of.complain("joint", what + " has more than one coordinate", "add " + names);
         }
         c.mechanism().drive(of.name(), joint, of.motion("motion"), which);
       }}};
}

}  // namespace dalembert
