#include "dalembert/observe/certify/judgement.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr double noise = 1e-12;  // changes that are rounding need not fall
constexpr double parted = 1e-2;  // families that are further apart follow different motions
constexpr double never = std::numeric_limits<double>::infinity();

/// nullptr where the recording does not have it.
const Sample* sample(const Recording* recording, Point point) {
  if (recording == nullptr) return nullptr;
  if (point == at_the_end) return &recording->samples.back();
  return point + 1 < recording->samples.size() ? &recording->samples[point] : nullptr;
}

double distance(const Sample& a, const Sample& b, const Sizes& in) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.values.size(); ++i) {
    if (!in.differential[static_cast<std::size_t>(i)]) continue;
    if (std::isnan(a.values[i]) && std::isnan(b.values[i])) continue;  // a mode that does not have it
    const double scale = std::max({in.scale[i], std::abs(a.values[i]), std::abs(b.values[i])});
    const double d = std::abs(a.values[i] - b.values[i]) / scale;
    largest = std::isnan(d) ? never : std::max(largest, d);
  }
  return largest;
}

bool votes(const Series& series, std::size_t level, const Sizes& in, Point point) {
  const double d = change(series, level, in, point);
  return d <= noise || (d <= parted && d <= change(series, level - 1, in, point) / 2);
}

/// The time of the first event that is not the same in all recordings.
double first_other_event(const std::vector<const Recording*>& recordings) {
  const auto time = [](const std::vector<EventRecord>& events, std::size_t i) {
    return i < events.size() ? events[i].t : never;
  };
  double first = never;
  const auto& one = recordings.front()->summary.events;
  for (const Recording* recording : recordings) {
    const auto& other = recording->summary.events;
    for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
      if (i < one.size() && i < other.size() && one[i].name == other[i].name) continue;
      first = std::min({first, time(one, i), time(other, i)});
      break;
    }
  }
  return first;
}

}  // namespace

Sizes sizes(const Recording& recording, const std::vector<Watch>& watches) {
  const Layout& layout = recording.summary.layout;
  const auto n = recording.samples.back().values.size();
  std::vector<std::string> units;
  Sizes all;
  for (const Block& block : layout.blocks()) {
    units.insert(units.end(), block.units.begin(), block.units.end());
    all.differential.insert(all.differential.end(), block.units.size(), block.role == Role::differential);
  }
  for (const Watch& watch : watches) units.push_back(watch.unit);
  all.differential.resize(units.size(), false);
  Vector own(n);
  std::map<std::string, double> largest;
  for (Eigen::Index i = 0; i < n; ++i) {
    own[i] = std::max(recording.size(i), 1e-12);
    double& of_unit = largest[units[static_cast<std::size_t>(i)]];
    of_unit = std::max(of_unit, own[i]);
  }
  all.own = all.rounding = all.scale = own;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double of_unit = largest[units[static_cast<std::size_t>(i)]];
    all.own[i] = std::max(own[i], 1e-6 * of_unit);
    all.rounding[i] = rounding(std::max(own[i], of_unit / 16));
    all.scale[i] = std::max(own[i], 1e-3 * of_unit);
  }
  return all;
}

double change(const Series& series, std::size_t level, const Sizes& in, Point point) {
  const Sample* now = level < series.size() ? sample(series[level], point) : nullptr;
  const Sample* before = level > 0 && now != nullptr ? sample(series[level - 1], point) : nullptr;
  return before == nullptr ? never : distance(*now, *before, in);
}

double spread(const std::vector<Series>& all, const Sizes& in, Point point) {
  for (std::size_t level = all.empty() ? 0 : all.front().size(); level-- > 0;) {
    std::vector<const Sample*> there;
    for (const Series& series : all)
      if (const Sample* s = sample(series[level], point)) there.push_back(s);
    if (there.size() < 2) continue;
    double largest = 0;
    for (const Sample* a : there)
      for (const Sample* b : there) largest = std::max(largest, distance(*a, *b, in));
    return largest;
  }
  return not_a_number;
}

double rounding(double size) {
  return 64 * std::numeric_limits<double>::epsilon() * size;  // thousands of steps, each with its own
}

Enclosure enclose(const std::vector<double>& votes, double rounding) {
  double low = never, high = -never;
  for (const double x : votes) {
    if (!std::isfinite(x)) return {not_a_number, not_a_number};
    low = std::min(low, x);
    high = std::max(high, x);
  }
  const double more = high - low + rounding;
  return {low - more, high + more};
}

Judgement judge(const std::vector<Series>& all, const Sizes& in, Point point) {
  Judgement judgement;
  for (std::size_t level = all.empty() ? 0 : all.front().size(); level-- > 2;) {
    std::vector<const Sample*> samples;
    std::vector<const Recording*> recordings;
    judgement.voters.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!votes(all[i], level, in, point)) continue;
      judgement.voters.push_back(i);
      recordings.push_back(all[i][level]);
      for (const std::size_t k : {level - 1, level}) samples.push_back(sample(all[i][k], point));
    }
    if (judgement.voters.size() < 2) continue;
    judgement.level = level;
    judgement.t = samples.back()->t;
    for (const Sample* a : samples)
      for (const Sample* b : samples)
        if (distance(*a, *b, in) > parted) {
          judgement.why_not = "families do not agree";
          return judgement;
        }
    if (const double t = first_other_event(recordings); t <= judgement.t) {
      judgement.why_not = "families do not agree on the events from t = " + short_number(t) + " on";
      return judgement;
    }
    std::vector<double> votes(samples.size());
    for (Eigen::Index i = 0; i < in.own.size(); ++i) {
      std::transform(samples.begin(), samples.end(), votes.begin(),
                     [i](const Sample* s) { return s->values[i]; });
      judgement.values.push_back(enclose(votes, in.rounding[i]));
    }
    return judgement;
  }
  judgement.why_not = "fewer than two families converge";
  return judgement;
}

}  // namespace dalembert
