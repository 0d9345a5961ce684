#include "dalembert/control/witness/hidden.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr double share = 0.02;            // of a value, by which laws may bulge between two points
constexpr int most_parts = 80;            // of one stretch
constexpr std::size_t most_samples = 80;  // of one step
constexpr std::size_t most_of_one = 16;   // for one law
constexpr double negligible = 1e-13;      // of the largest force
constexpr double most_negligible =
    1e-10;                          // however large forces are: what is found in a term may be multiplied
constexpr double narrow = 1.0 / 4;  // part of a stretch that methods may pass over
constexpr double shortest = 1e-13;  // part of a step
constexpr double roundings = 8;     // that go one way at a point, and the other way at its neighbours

/// A law at two neighbouring points.
struct Known {
  Known(double left, double right)
      : values{std::min(left, right), std::max(left, right)},
        slack(values.high - values.low + share * std::max(std::abs(left), std::abs(right))) {}
  /// By how much something sticks out of what is to be expected between them.
  double excess(Range bounds) const {
    return std::max(bounds.high - values.high, values.low - bounds.low) - slack;
  }
  Range values;
  double slack;
};

}  // namespace

HiddenSearch::Sample& HiddenSearch::next_sample() {
  if (taken_ == samples_.size()) samples_.emplace_back();
  samples_[taken_].known = false;
  return samples_[taken_++];
}

/// False: the laws are not those of the other points.
bool HiddenSearch::take(Sample& sample, double t, In y, DefectMeasure& measure) {
  least_ = std::min(std::max(least_, negligible * measure.note_laws(t, y, sample.laws)), most_negligible);
  const LawRecord& laws = sample.laws;
  if (laws.size() != samples_[0].laws.size()) return false;
  sample.values.resize(laws.size());
  for (std::size_t k = 0; k < laws.size(); ++k) {
    if (&laws.law(k) != &samples_[0].laws.law(k)) return false;
    sample.values[k] = laws.law(k).at(laws.arguments(k));
  }
  return true;
}

/// How far an argument may be from the straight line between two points: by the change of its slope towards the neighbours.
double HiddenSearch::margin(std::size_t left, std::size_t law, std::size_t argument) const {
  const auto slope = [&](std::size_t i) {
    const double width = samples_[i + 1].place - samples_[i].place;
    return (samples_[i + 1].laws.arguments(law)[argument] - samples_[i].laws.arguments(law)[argument]) /
           width;
  };
  double bend = 0;
  if (left > 0) bend = std::max(bend, std::abs(slope(left) - slope(left - 1)));
  if (left + 2 < taken_) bend = std::max(bend, std::abs(slope(left + 1) - slope(left)));
  return bend * (samples_[left + 1].place - samples_[left].place) / 4;
}

std::optional<HiddenSearch::Spot> HiddenSearch::search(std::size_t left, std::size_t k) {
  const Sample &a = samples_[left], &b = samples_[left + 1];
  const BoundedLaw& law = a.laws.law(k);
  const std::size_t n = law.arguments();
  const double *xa = a.laws.arguments(k), *xb = b.laws.arguments(k);
  const Known known(a.values[k], b.values[k]);
  margins_.resize(n);
  box_.resize(n);
  x_.resize(n);
  for (std::size_t i = 0; i < n; ++i) margins_[i] = law.uses(i) ? margin(left, k, i) : 0;
  const auto sticks_out = [&](double from, double to) {
    for (std::size_t i = 0; i < n; ++i) {
      const double u = xa[i] + from * (xb[i] - xa[i]), v = xa[i] + to * (xb[i] - xa[i]);
      box_[i] = {std::min(u, v) - margins_[i], std::max(u, v) + margins_[i]};
    }
    return known.excess(law.over(box_.data()));
  };
  const double first = sticks_out(0, 1);
  if (!(first > least_)) return {};
  const auto less = [](const Part& x, const Part& y) { return x.excess < y.excess; };
  parts_.assign(1, {0, 1, first});
  std::optional<Spot> best;
  for (int count = 0; count < most_parts && !parts_.empty(); ++count) {
    std::pop_heap(parts_.begin(), parts_.end(), less);
    const Part part = parts_.back();
    parts_.pop_back();
    const double middle = (part.from + part.to) / 2, place = a.place + middle * (b.place - a.place);
    bool straight = true;  // are the arguments known better than the part is wide?
    for (std::size_t i = 0; i < n; ++i) {
      const double change = xb[i] - xa[i];
      x_[i] = xa[i] + middle * change;
      straight = straight && std::abs(change) * (part.to - part.from) >= margins_[i];
    }
    const double f = law.at(x_.data()), out = known.excess({f, f});
    if (out > (best ? best->excess : least_) && std::isfinite(out) && out > roundings * law.noise(x_.data()))
      best = Spot{place, out, true};
    if (best && best->excess > part.excess / 2) break;  // the foot of something says little about its size
    if (!straight || part.to - part.from < shortest) {
      // The way bends: a point next to one that is known would say nothing.
      const double inside = std::clamp(middle, 0.2, 0.8);
      return Spot{a.place + inside * (b.place - a.place), part.excess, best.has_value()};
    }
    for (const auto& [from, to] : {std::pair{part.from, middle}, std::pair{middle, part.to}})
      if (const double more = sticks_out(from, to); more > least_) {
        parts_.push_back({from, to, more});
        std::push_heap(parts_.begin(), parts_.end(), less);
      }
  }
  return best;
}

/// Where a law sticks out most; what is seen counts more than what may be.
std::optional<HiddenSearch::Spot> HiddenSearch::search(std::size_t law) {
  std::optional<Spot> best;
  for (std::size_t left = 0; left + 1 < taken_; ++left)
    if (const auto spot = search(left, law);
        spot && (!best || std::pair(spot->seen, spot->excess) > std::pair(best->seen, best->excess)))
      best = spot;
  return best;
}

void HiddenSearch::sort() {
  for (std::size_t i = taken_ - 1; i > 0 && samples_[i].place < samples_[i - 1].place; --i)
    std::swap(samples_[i], samples_[i - 1]);
}

/// Both ends and the middle of a step; false: there is nothing to search.
bool HiddenSearch::take_three(const Track& track, DefectMeasure& measure) {
  const double h = track.to.t - track.from.t;
  track.recover_from(begin_, Depth::coordinates);
  taken_ = 0;
  least_ = 0;
  Sample& first = next_sample();
  first.place = 0;
  first.known = true;
  measure.note_laws(begin_.t, begin_.y, first.laws);
  none_ = first.laws.size() == 0;
  if (none_ || !take(first, begin_.t, begin_.y, measure)) return false;
  track.recover_at(track.to.t, end_, Depth::coordinates);
  Sample& last = next_sample();
  last.place = 1;
  last.known = true;
  if (!take(last, end_.t, end_.y, measure)) return false;
  // In the middle by Hermite's cubic, which costs nothing.
  state_ = begin_;
  state_.y = (begin_.y + end_.y) / 2;
  if (measure.rates(begin_.t, begin_.y, dq_begin_) && measure.rates(end_.t, end_.y, dq_end_))
    state_.y.head(dq_begin_.size()) += (h / 8) * (dq_begin_ - dq_end_);
  Sample& middle = next_sample();
  middle.place = 0.5;
  const bool taken = take(middle, begin_.t + h / 2, state_.y, measure);
  sort();
  return taken;
}

const std::vector<double>& HiddenSearch::find(const Track& track, DefectMeasure& measure) {
  times_.clear();
  if (!none_ && take_three(track, measure))
    for (std::size_t law = 0; law < samples_[0].laws.size(); ++law) follow(law, track, measure);
  return times_;
}

/// A sample that was taken for another reason, but lies on something.
std::optional<HiddenSearch::Spot> HiddenSearch::unknown(std::size_t law) const {
  std::optional<Spot> best;
  std::size_t before = 0;
  for (std::size_t i = 1; i + 1 < taken_; ++i) {
    if (samples_[i].known) {
      before = i;
      continue;
    }
    std::size_t after = i + 1;
    while (!samples_[after].known) ++after;
    const double here = samples_[i].values[law];
    const double out = Known(samples_[before].values[law], samples_[after].values[law]).excess({here, here});
    const LawRecord& laws = samples_[i].laws;
    if (out > (best ? best->excess : least_) && out > roundings * laws.law(law).noise(laws.arguments(law)))
      best = Spot{samples_[i].place, out, true};
  }
  return best;
}

/// It will be looked at here.
void HiddenSearch::know(double place, const Track& track) {
  for (std::size_t i = 0; i < taken_; ++i)
    if (samples_[i].place == place) samples_[i].known = true;
  times_.push_back(track.from.t + place * (track.to.t - track.from.t));
}

/// Is it a number at all samples? A part of a formula may be infinite where the whole is zero: 1/cosh(1000*t).
bool HiddenSearch::defined(std::size_t law) const {
  for (std::size_t i = 0; i < taken_; ++i)
    if (!std::isfinite(samples_[i].values[law])) return false;
  return true;
}

/// The law on the straight way from a sample to the next one.
double HiddenSearch::between(std::size_t left, double part, std::size_t k) {
  const LawRecord &a = samples_[left].laws, &b = samples_[left + 1].laws;
  const std::size_t n = a.law(k).arguments();
  x_.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    x_[i] = a.arguments(k)[i] + part * (b.arguments(k)[i] - a.arguments(k)[i]);
  return a.law(k).at(x_.data());
}

/// Halfway up something that is looked at: its top need not be where a motion differs most.
void HiddenSearch::know_sides(double place, std::size_t law, const Track& track) {
  std::size_t left = 0;
  while (left + 2 < taken_ && samples_[left + 1].place <= place) ++left;
  const auto part_of = [&](std::size_t i) {
    return (place - samples_[i].place) / (samples_[i + 1].place - samples_[i].place);
  };
  const auto side = [&](std::size_t i, double from, double to) {  // parts of the stretch behind sample i
    const double here = between(i, from, law), change = between(i, to, law) - here;
    double part = to - from;
    for (int k = 0; k < 45 && std::abs(between(i, from + part / 2, law) - here) > std::abs(change) / 2; ++k)
      part /= 2;
    const Sample &a = samples_[i], &b = samples_[i + 1];
    if (change != 0 && std::abs(part) < narrow)
      times_.push_back(track.from.t +
                       (a.place + (from + 0.75 * part) * (b.place - a.place)) * (track.to.t - track.from.t));
  };
  side(left, part_of(left), 1);
  if (samples_[left].place < place)
    side(left, part_of(left), 0);
  else if (left > 0)
    side(left - 1, 1, 0);
}

/// The place where a law is halfway from one sample to the next, if nearly all of that happens in a small part of the way.
std::optional<double> HiddenSearch::steep(std::size_t law) {
  constexpr double nearly = 0.01;
  for (std::size_t left = 0; left + 1 < taken_; ++left) {
    const double begin = samples_[left].values[law], end = samples_[left + 1].values[law];
    if (!(std::abs(end - begin) > std::max(least_, share * std::max(std::abs(begin), std::abs(end)))))
      continue;
    double from = 0, to = 1;
    for (double f = begin, g = end; to - from > shortest;) {
      const double middle = (from + to) / 2, here = between(left, middle, law);
      const double done = (here - f) / (g - f);
      if (std::abs(done) < nearly)
        from = middle, f = here;
      else if (std::abs(done - 1) < nearly)
        to = middle, g = here;
      else
        break;
    }
    if (to - from > narrow) continue;
    for (int k = 0; k < 10; ++k) {
      const double middle = (from + to) / 2;
      const bool behind = (between(left, middle, law) - begin) / (end - begin) > 0.5;
      (behind ? to : from) = middle;
    }
    const double gap = samples_[left + 1].place - samples_[left].place;
    return samples_[left].place + (from + to) / 2 * gap;
  }
  return {};
}

/// Samples that are taken for one law serve all the others: those that have the same bump in them know it by then.
void HiddenSearch::follow(std::size_t law, const Track& track, DefectMeasure& measure) {
  if (!defined(law)) return;
  if (const auto spot = unknown(law)) know(spot->place, track);
  Spot largest;  // of those that are met on the way
  std::optional<double>
      expected;  // before the dense output is asked, which may be wild where a method has met something
  for (const std::size_t most = std::min(most_samples, taken_ + most_of_one);;) {
    const auto spot = search(law);
    if (!spot) break;
    if (spot->seen && !expected) expected = spot->place;
    if (taken_ >= most) break;
    const double met = meet(*spot, law, track, measure);
    if (met > largest.excess) largest = {spot->place, met};
    if (met > spot->excess / 3) break;
  }
  if (largest.excess > 0) expected = largest.place;
  if (expected) {
    know(*expected, track);
    know_sides(*expected, law, track);
  } else if (const auto place = steep(law)) {
    know(*place, track);
  }
}

/// By how much the law is outside where it is expected to be: the way there is not quite straight, and the next search begins with
/// what is known now. Infinite: nothing can be said, which is worth a look.
double HiddenSearch::meet(const Spot& spot, std::size_t law, const Track& track, DefectMeasure& measure) {
  const auto after = std::find_if(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(taken_),
                                  [&](const Sample& s) { return s.place >= spot.place; });
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (after->place == spot.place) return infinite;
  const double left = std::prev(after)->values[law], right = after->values[law];
  Sample& sample = next_sample();
  sample.place = spot.place;
  track.recover_inside(spot.place, state_, Depth::coordinates);
  if (!take(sample, track.from.t + spot.place * (track.to.t - track.from.t), state_.y, measure))
    return infinite;
  const double here = sample.values[law];
  sort();
  return Known(left, right).excess({here, here});
}

}  // namespace dalembert
