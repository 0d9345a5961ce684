// The distance between two points of bodies, and its rate.
#include "dalembert/model/watching.h"

namespace dalembert {

namespace {

MeasurePtr length(const Construction& c, const Attachment& from, const Attachment& to) {
  if (c.planar != nullptr)
    return c.planar->length(from.body, {from.at[0], from.at[1]}, to.body, {to.at[0], to.at[1]});
  return c.spatial->length(from.body, from.at, to.body, to.at);
}

}  // namespace

std::vector<ElementEntry> elements_in_watch_distance() {
  return {{.section = "watch",
           .kind = "distance",
           .space = ElementEntry::Space::both,
           .summary = "distance between two points, and its rate",
           .carries = "",
           .keys = {{"from", Key::Type::end, "m", "one point"}, {"to", Key::Type::end, "m", "the other"}},
           .example = "name = \"gap\"\nkind = \"distance\"\nfrom = { body = \"ground\", at = [1, 0] }\n"
                      "to = { body = \"crank\", at = [0, 0] }",
           .build = [](const ElementKeys& of, Construction& c) {
             const MeasurePtr measure = length(c, of.end("from"), of.end("to"));
             Watching watching(of, c);
             watching.add("", "m", [measure](MechanismView& view) { return measure->value(view.at()); });
             watching.add("rate", "m/s", [measure](MechanismView& view) {
               double gradient[Measure::most];
               measure->gradient(view.at(), gradient);
               return measure->rate(gradient, view.v());
             });
           }}};
}

}  // namespace dalembert
