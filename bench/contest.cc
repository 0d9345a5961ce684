#include "bench/contest.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace dalembert::bench {
namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

constexpr double enough = .12;  ///< seconds of repetitions per contender and tolerance
constexpr int fewest = 3, most = 200;
constexpr double warm = .02;  ///< seconds; a run that takes longer fills the caches for itself

}  // namespace

void measure(Case& c, const std::vector<double>& tolerances) {
  for (Contender& each : c.contenders) {
    each.set_up_seconds = INFINITY;
    each.results.assign(tolerances.size(), {.seconds = INFINITY});
  }
  std::vector<std::vector<double>> spent(c.contenders.size(), std::vector<double>(tolerances.size(), 0));
  for (int sweep = 0; sweep < most; ++sweep) {
    for (Contender& each : c.contenders) {
      const double begin = now();
      each.set_up();
      each.set_up_seconds = std::min(each.set_up_seconds, now() - begin);
    }
    for (std::size_t i = 0; i < tolerances.size(); ++i)
      for (std::size_t k = 0; k < c.contenders.size(); ++k) {
        if (sweep >= fewest && spent[k][i] > enough) continue;
        const double begin = now();
        Result result = c.contenders[k].solve(tolerances[i]);
        const double seconds = now() - begin;
        spent[k][i] += seconds;
        result.seconds = std::min(seconds, c.contenders[k].results[i].seconds);
        c.contenders[k].results[i] = result;
      }
  }
}

Spread spread(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    const double place = share * static_cast<double>(seconds.size() - 1);
    const auto k = static_cast<std::size_t>(place);
    return std::lerp(seconds[k], seconds[std::min(k + 1, seconds.size() - 1)], place - std::floor(place));
  };
  return {at(.5), at(.25), at(.75), seconds.size()};
}

std::vector<std::vector<Standing>> stand(const Case& c, const std::vector<double>& errors,
                                         const Trial& trial) {
  const std::size_t count = trial.tolerances.size();
  std::vector<std::vector<Standing>> all(c.contenders.size(), std::vector<Standing>(errors.size()));
  std::vector<std::vector<std::vector<double>>> seconds(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    seconds[k].resize(errors.size());
    std::vector<std::optional<Result>> tried(count);
    const auto result = [&](std::size_t i) -> const Result& {
      if (tried[i]) return *tried[i];
      double spent = 0;
      for (int round = 0; round < trial.rounds && spent < trial.budget; ++round) {
        const double begin = now();
        Result found = c.contenders[k].solve(trial.tolerances[i]);
        found.seconds = now() - begin;
        spent += found.seconds;
        if (!tried[i] || found.seconds < tried[i]->seconds) tried[i] = found;
      }
      return *tried[i];
    };
    for (std::size_t e = 0; e < errors.size(); ++e) {
      const auto right = [&](std::size_t i) { return result(i).ok && result(i).error <= errors[e]; };
      const auto confirmed = [&](std::size_t i) {
        std::size_t good = 0;
        while (good <= trial.confirmed && i + good < count && right(i + good)) ++good;
        return good > trial.confirmed;
      };
      std::size_t first = 0;
      while (first < count && !confirmed(first)) ++first;
      // The loosest need not be the cheapest: steps that are hardly good enough are thrown away, and are looked at.
      for (std::size_t i = first; i < std::min(count, first + trial.tighter + 1); ++i) {
        if (!confirmed(i)) continue;
        Standing& best = all[k][e];
        if (!best.reached || result(i).seconds < best.result.seconds)
          best = {true, trial.tolerances[i], result(i), {}};
      }
      if (all[k][e].reached && all[k][e].result.seconds > warm) seconds[k][e] = {all[k][e].result.seconds};
    }
  }
  const auto wanted = [&](std::size_t k, std::size_t e) {
    const auto& so_far = seconds[k][e];
    if (!all[k][e].reached || so_far.size() >= trial.most) return false;
    return so_far.size() < trial.fewest || std::accumulate(so_far.begin(), so_far.end(), 0.) < trial.budget;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t e = 0; e < errors.size(); ++e)
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!wanted(k, e)) continue;
        more = true;
        // Once before it counts, so that nobody pays for caches that another one has filled.
        const double begin = now();
        c.contenders[k].solve(all[k][e].tolerance);
        const double first = now() - begin;
        if (first < warm) c.contenders[k].solve(all[k][e].tolerance);
        seconds[k][e].push_back(first < warm ? now() - begin - first : first);
      }
  }
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t e = 0; e < errors.size(); ++e)
      if (all[k][e].reached) all[k][e].seconds = spread(seconds[k][e]);
  return all;
}

namespace {

/// Time to reach this error: straight lines between tolerances in the double logarithmic picture, at the
/// tolerance from which on the error stays below. With the loosest one already below, its time.
std::optional<double> time_to_reach(const Contender& c, double error, double without = 0) {
  const auto good = [&](const Result& r) { return r.ok && r.error <= error; };
  if (c.results.empty()) return {};
  const auto seconds = [&](const Result& r) { return std::max(r.seconds - without, 1e-9); };
  for (std::size_t k = c.results.size(); k-- > 1;) {
    const Result &tight = c.results[k], &loose = c.results[k - 1];
    if (!good(tight) || good(loose)) continue;
    if (!loose.ok) return seconds(tight);
    const double share = std::log(loose.error / error) / std::log(loose.error / tight.error);
    return seconds(loose) * std::pow(seconds(tight) / seconds(loose), share);
  }
  if (good(c.results.front())) return seconds(c.results.front());
  return {};
}

struct Best {
  const Contender* who = nullptr;
  double seconds = INFINITY;
};
enum class SetUp { counted, left_out };
Best best(const Case& c, bool ours, double error, SetUp set_up) {
  Best found;
  for (const Contender& each : c.contenders) {
    if (each.ours != ours) continue;
    const auto seconds = time_to_reach(each, error, set_up == SetUp::counted ? 0 : each.set_up_seconds);
    if (seconds && *seconds < found.seconds) found = {&each, *seconds};
  }
  return found;
}

constexpr double targets[] = {1e-4, 1e-6, 1e-8};

}  // namespace

void print_table(const Case& c, const std::vector<double>& tolerances) {
  fmt::print("\n{} to t = {:g}\n", c.problem, c.end);
  fmt::print("{:26} {:>8} {:>10} {:>12} {:>10} {:>8} {:>9} {:>10}\n", "", "tol", "error", "evaluations",
             "jacobians", "factors", "steps", "ms");
  for (const Contender& each : c.contenders) {
    for (std::size_t k = 0; k < tolerances.size(); ++k) {
      const Result& r = each.results[k];
      fmt::print("{:26} {:8.0e} {:>10} {:12} {:10} {:8} {:9} {:10.4f}\n", k == 0 ? each.name : "",
                 tolerances[k], r.ok ? fmt::format("{:.2e}", r.error) : "failed", r.evaluations, r.jacobians,
                 r.factorizations, r.steps, 1e3 * r.seconds);
    }
    fmt::print("{:26} {:8} {:>63.4f}\n", "", "set-up", 1e3 * each.set_up_seconds);
  }
}

void print_targets(const Case& c) {
  fmt::print("\n{}: time to reach an error, best of ours and best of others\n", c.problem);
  fmt::print("{:>8}  {:26} {:>10}   {:26} {:>10} {:>12}\n", "error", "ours", "ms", "others", "ms",
             "others/ours");
  const bool alone =
      std::all_of(c.contenders.begin(), c.contenders.end(), [](const Contender& each) { return each.ours; });
  for (const SetUp set_up : {SetUp::counted, SetUp::left_out}) {
    if (set_up == SetUp::left_out) fmt::print("without set-up on either side\n");
    for (const double error : targets) {
      const Best ours = best(c, true, error, set_up), theirs = best(c, false, error, set_up);
      const auto name = [&](const Best& b) {
        return b.who != nullptr ? b.who->name
                                : std::string(alone && &b == &theirs ? "not installed" : "not reached");
      };
      fmt::print("{:8.0e}  {:26} {:10.4f}   {:26} {:10.4f} {:10.1f}\n", error, name(ours), 1e3 * ours.seconds,
                 name(theirs), 1e3 * theirs.seconds, theirs.seconds / ours.seconds);
    }
  }
}

void print_json(const std::vector<Case>& cases, const std::vector<double>& tolerances) {
  const auto number = [](double x) {
    return std::isfinite(x) ? fmt::format("{:.6g}", x) : std::string("null");
  };
  fmt::print("{{\"cases\": [");
  for (const Case& c : cases) {
    fmt::print("{}\n {{\"problem\": \"{}\", \"end\": {}, \"contenders\": [", &c == &cases.front() ? "" : ",",
               c.problem, number(c.end));
    for (const Contender& each : c.contenders) {
      fmt::print("{}\n  {{\"name\": \"{}\", \"ours\": {}, \"set_up_seconds\": {}, \"results\": [",
                 &each == &c.contenders.front() ? "" : ",", each.name, each.ours,
                 number(each.set_up_seconds));
      for (std::size_t k = 0; k < tolerances.size(); ++k) {
        const Result& r = each.results[k];
        fmt::print(
            "{}\n   {{\"tolerance\": {}, \"ok\": {}, \"error\": {}, \"evaluations\": {}, \"jacobians\": {}, "
            "\"factorizations\": {}, \"steps\": {}, \"seconds\": {}}}",
            k == 0 ? "" : ",", number(tolerances[k]), r.ok, number(r.error), r.evaluations, r.jacobians,
            r.factorizations, r.steps, number(r.seconds));
      }
      fmt::print("]}}");
    }
    fmt::print("],\n  \"targets\": [");
    for (const double error : targets) {
      const Best ours = best(c, true, error, SetUp::counted), theirs = best(c, false, error, SetUp::counted);
      fmt::print("{}{{\"error\": {}, \"ours_seconds\": {}, \"others_seconds\": {}}}",
                 error == targets[0] ? "" : ", ", number(error), number(ours.seconds),
                 number(theirs.seconds));
    }
    fmt::print("]}}");
  }
  fmt::print("]}}\n");
}

}  // namespace dalembert::bench
