// What a joint leaves free, as a number, with its rate. An angle that is known up to full turns only is followed from one
// output to the next:
//
//   c + 2 pi k nearest to c_last + (c'_last + c')/2 (t - t_last)
#include <cmath>
#include <numbers>

#include "dalembert/model/watching.h"

namespace dalembert {

namespace {

struct ValueAndRate {
  double value = 0, rate = 0;
};

ValueAndRate read(const Measure& measure, const MechanismView& view) {
  double gradient[Measure::most];
  measure.gradient(view.at(), gradient);
  return {measure.value(view.at()), measure.rate(gradient, view.v())};
}

/// Of one run at a time: of the one that the thread is at.
class Follower {
 public:
  double follow(double t, ValueAndRate now) {
    constexpr double turn = 2 * std::numbers::pi;
    if (t > t_) {
      const double expected = last_.value + (last_.rate + now.rate) / 2 * (t - t_);
      now.value += turn * std::round((expected - now.value) / turn);
    } else if (t == t_) {
      now.value += turn * std::round((last_.value - now.value) / turn);
    }
    t_ = t, last_ = now;
    return now.value;
  }

 private:
  double t_ = std::numeric_limits<double>::infinity();  ///< nothing was read yet
  ValueAndRate last_;
};

}  // namespace

std::vector<ElementEntry> elements_in_watch_coordinate() {
  return {{.section = "watch",
           .kind = "coordinate",
           .space = ElementEntry::Space::both,
           .summary = "what a joint leaves free (angle, displacement) and its rate",
           .carries = "",
           .keys = {{"coordinate", Key::Type::joint, "", "the joint"}},
           .example = "name = \"stroke\"\ncoordinate = \"slide\"",
           .build = [](const ElementKeys& of, Construction& c) {
             const auto j = of.joint("coordinate");
             const auto& all = c.mechanism().joints()[static_cast<std::size_t>(j)].coordinates;
             if (all.empty()) c.mechanism().coordinate(j);  // says what is wrong
             Watching watching(of, c);
             for (const MeasurePtr& measure : all) {
               const std::string part = all.size() > 1 ? measure->name : "";
               if (measure->cyclic)
                 watching.add(part, measure->unit,
                              [measure, followers = std::make_shared<PerThread<Follower>>(
                                            std::make_unique<Follower>)](MechanismView& view) {
                                return followers->mine().follow(view.at().t, read(*measure, view));
                              });
               else
                 watching.add(part, measure->unit,
                              [measure](MechanismView& view) { return measure->value(view.at()); });
               watching.add(part + (part.empty() ? "rate" : "_rate"), measure->unit + "/s",
                            [measure](MechanismView& view) { return read(*measure, view).rate; });
             }
           }}};
}

}  // namespace dalembert
