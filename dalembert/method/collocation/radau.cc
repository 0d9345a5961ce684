// Radau IIA: collocation at the zeros of P_s - P_(s-1), shifted to (0,1], of order 2s-1; the last point is the end of
// the step, so that y_(n+1) satisfies every equation without derivatives exactly.
//
//   s = 2, 3, 5, 7 stages: order 3, 5, 9, 13
//
// On problems of index 2 entries of index 2 converge with order s; on problems of index 3 those of index 2 and 3 with
// order s and s-1 [HairerLubichRoche1989; HairerWanner1996, VII.4]. `radau` changes between 5, 9 and 13 by the speed of
// Newton's iteration [HairerWanner1999].
#include <map>
#include <mutex>

#include "dalembert/method/collocation/collocation_method.h"

namespace dalembert {

namespace {

/// Made once for all runs: points and eigenvectors in extended precision take a fifth of a millisecond.
CollocationTables tables_of(const std::vector<int>& stages) {
  static std::mutex one_at_a_time;
  static std::map<std::vector<int>, CollocationTables> made;
  const std::lock_guard lock(one_at_a_time);
  CollocationTables& tables = made[stages];
  if (tables == nullptr) {
    std::vector<Collocation> all;
    for (const int each : stages) all.emplace_back(radau_points(each), Collocation::Start::value);
    tables = std::make_shared<const std::vector<Collocation>>(std::move(all));
  }
  return tables;
}

MethodEntry radau(const std::string& name, const std::string& summary, const std::vector<int>& stages,
                  std::vector<Preference> preferences = {}) {
  const int s = stages.front();
  return {.name = name,
          .summary = summary,
          .cite = stages.size() > 1 ? "HairerWanner1999 HairerWanner1996" : "HairerWanner1996",
          .claims = implicit_claims({{2.0 * s - 1}, {2.0 * s - 1, 1.0 * s}, {2.0 * s - 1, 1.0 * s, s - 1.0}}),
          .adaptive = true,
          .dense_order = s,
          .options = {},
          .make =
              [name, stages] {
                return std::make_unique<CollocationMethod>(
                    name, [stages](const Parameters&) { return tables_of(stages); });
              },
          .preferences = std::move(preferences)};
}

}  // namespace

std::vector<MethodEntry> methods_in_radau() {
  return {radau("radau", "Radau IIA, order 5, 9 or 13 as Newton's iteration allows", {3, 5, 7},
                {{Kind::implicit}}),
          radau("radau3", "Radau IIA with 2 stages, order 3", {2}),
          radau("radau5", "Radau IIA with 3 stages, order 5", {3}),
          radau("radau9", "Radau IIA with 5 stages, order 9", {5}),
          radau("radau13", "Radau IIA with 7 stages, order 13", {7})};
}

}  // namespace dalembert
