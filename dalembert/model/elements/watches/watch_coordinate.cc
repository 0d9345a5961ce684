// What a joint leaves free, as a number, with its rate. An angle that is known up to full turns only is followed along the
// steps of the run, from one of many points inside a step to the next:
//
//   c + 2 pi k nearest to c_last + (c'_last + c')/2 (t - t_last)
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

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

/// The value along the steps of one run: of the one that the thread is at.
class Follower {
 public:
  /// Counts turns through a step: looks often enough that the angle changes by less than half a turn in between.
  void follow(const StepView& step, const std::function<ValueAndRate(const State&)>& at) {
    const double begin = step.begin(), h = step.end() - begin;
    if (begin_ == begin && !samples_.empty() && samples_.back().t == step.end())
      return;  // somebody else's call
    begin_ = begin;
    Sample last{begin, at(step.at(begin, Depth::coordinates))};
    last.now.value = first_value(begin, last.now.value);
    if (!samples_.empty() && near(samples_.back().t, begin))
      last = samples_.back();  // else another run begins
    samples_ = {last};
    const double fastest =
        std::max(std::abs(last.now.rate), std::abs(at(step.at(step.end(), Depth::coordinates)).rate));
    const int pieces = static_cast<int>(std::clamp(2 + std::ceil(2 * fastest * h), 4.0, 1000.0));
    for (int k = 1; k <= pieces; ++k) {
      Sample next{k == pieces ? step.end() : begin + h * k / pieces, {}};
      next.now = at(step.at(next.t, Depth::coordinates));
      next.now.value = unwrapped(samples_.back(), next);
      samples_.push_back(next);
    }
  }

  /// At a time of the last step, or at its end.
  double value(double t, ValueAndRate now) const {
    if (samples_.empty() || t < samples_.front().t - 1e-9 * std::abs(t))
      return first_value(t, now.value);  // nothing was followed
    const auto later = std::lower_bound(samples_.begin(), samples_.end(), t,
                                        [](const Sample& s, double x) { return s.t < x; });
    const Sample& from = later == samples_.begin() ? *later : *(later - 1);
    return unwrapped(from, {t, now});
  }

  void go_on(double t, double value) {
    samples_.clear();
    left_ = {t, value};
  }

  void remember(Memory& memory) {
    std::size_t count = samples_.size();
    memory(count);
    samples_.resize(count);
    for (Sample& sample : samples_) memory(sample.t, sample.now.value, sample.now.rate);
  }

 private:
  struct Sample {
    double t = 0;
    ValueAndRate now{};
  };
  /// Where a law switches, the next step begins a little behind the end of the last one.
  static bool near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
  }
  static double nearest(double expected, double angle) {
    constexpr double turn = 2 * std::numbers::pi;
    return angle + turn * std::round((expected - angle) / turn);
  }
  static double unwrapped(const Sample& from, const Sample& to) {
    return nearest(from.now.value + (from.now.rate + to.now.rate) / 2 * (to.t - from.t), to.now.value);
  }
  double first_value(double t, double angle) const {
    return left_ && near(left_->first, t) ? nearest(left_->second, angle) : angle;
  }

  double begin_ =
      0;  // of the last step; its first sample is the end of the one before, on the other side of a jump perhaps
  std::vector<Sample> samples_;
  std::optional<std::pair<double, double>>
      left_;  // when and where another run ended that this one goes on from
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
               if (measure->cyclic) {
                 const auto followers = std::make_shared<PerThread<Follower>>(std::make_unique<Follower>);
                 watching.add(part, measure->unit, [measure, followers](MechanismView& view) {
                   return followers->mine().value(view.at().t, read(*measure, view));
                 });
                 watching.follow([measure, followers](MechanismView& view, const StepView& step) {
                   followers->mine().follow(
                       step, [&](const State& state) { return read(*measure, view.look(state)); });
                 });
                 watching.remember([followers](Memory& memory) { followers->mine().remember(memory); });
                 watching.go_on([followers](double t, double value) { followers->mine().go_on(t, value); });
               } else {
                 watching.add(part, measure->unit,
                              [measure](MechanismView& view) { return measure->value(view.at()); });
               }
               watching.add(part + (part.empty() ? "rate" : "_rate"), measure->unit + "/s",
                            [measure](MechanismView& view) { return read(*measure, view).rate; });
             }
           }}};
}

}  // namespace dalembert
