// What a joint does to one of its bodies: force and moment at its point. Of a drive: the force or moment it drives with.
#include "dalembert/model/watching.h"

namespace dalembert {

namespace {

/// lambda is minus the force that b gets along the coordinate; a gets the opposite.
void watch_drive(const JointRecord& drive, MechanismView::On on, Watching& watching, const Mechanism& m) {
  const Eigen::Index row = drive.first;
  const std::string unit = m.layout()["lambda"].units[static_cast<std::size_t>(row)];
  const double sign = on == MechanismView::On::a ? 1 : -1;
  watching.add("", unit, [row, sign](MechanismView& view) { return sign * view.multipliers()[row]; });
}

}  // namespace

std::vector<ElementEntry> elements_in_watch_reaction() {
  return {
      {.section = "watch",
       .kind = "reaction",
       .space = ElementEntry::Space::both,
       .summary = "force and moment of a joint on one of its bodies, at the joint's point; of a drive its "
                  "force or moment along what it drives",
       .carries = "",
       .keys =
           {{"reaction", Key::Type::joint, "", "the joint or drive"},
            {"on",
             Key::Type::text,
             "",
             "the body that is pushed; moments are about its own point of the joint, fixed to it, the ground "
             "too (of racks and what rolls: where the centre was on it at the start)",
             "\"b\"",
             {"a", "b"}},
            {"frame",
             Key::Type::text,
             "",
             "the frame of the components",
             "\"ground\"",
             {"ground", "a", "b"}}},
       .example = "name = \"bearing\"\nreaction = \"main\"",
       .build = [](const ElementKeys& of, Construction& c) {
         const auto j = of.joint("reaction");
         const JointRecord& joint = c.mechanism().joints()[static_cast<std::size_t>(j)];
         Watching watching(of, c);
         const auto on = of.text("on") == "a" ? MechanismView::On::a : MechanismView::On::b;
         if (joint.kind == "drive" && joint.count == 1 && joint.count_velocity == 0) {
           watch_drive(joint, on, watching, c.mechanism());
           return;
         }
         const std::string frame = of.text("frame");
         const int seen_from = frame == "a" ? joint.a : frame == "b" ? joint.b : Mechanism::ground;
         const auto wrench = [j, on, seen_from](MechanismView& view) {
           return view.reaction(j, on).turned(pose_of(view.mechanism(), view.at(), seen_from).R.transpose());
         };
         const auto force = [wrench](MechanismView& view) { return wrench(view).force; };
         const auto moment = [wrench](MechanismView& view) { return wrench(view).moment; };
         watching.add_vector("", "N", force);
         watching.add("norm", "N", [force](MechanismView& view) { return force(view).norm(); });
         if (c.planar != nullptr) {
           watching.add("moment", "N m", [moment](MechanismView& view) { return moment(view)[2]; });
         } else {
           watching.add_vector("moment_", "N m", moment);
           watching.add("moment_norm", "N m", [moment](MechanismView& view) { return moment(view).norm(); });
         }
       }}};
}

}  // namespace dalembert
