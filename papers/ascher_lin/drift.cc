// The drift of the iteration (2.4)-(2.5) of [AscherLin1997], which the proof of Theorem 2.1 is about: g(x_s,t) = O(eps^s), (2.9)-(2.11).
//
// On Example 6.1 with alpha1 = 1 and every E: the largest |g| at t = 1/2 and 1, by rk4 with steps of eps/5.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

double drift_of_iterate(int iterate, double E, double eps) {
  const Measured at = measure({.problem = "ascher-lin-6-1",
                               .formulation = "srm",
                               .options = srm(eps, iterate, {{"E", E}, {"alpha1", 1}}),
                               .step = eps / 5,
                               .method = "rk4"},
                              {.5, 1});
  return std::max(at.position[0], at.position[1]);
}

std::vector<PaperRow> run_part(const PaperOptions&, std::vector<std::filesystem::path>&) {
  static constexpr std::array weights = {"I", "(GB)'", "(GB)^-1"};
  std::vector<PaperRow> rows;
  for (std::size_t E = 0; E < weights.size(); ++E)
    for (int s = 1; s <= 3; ++s) {
      const auto which = static_cast<double>(E);
      const double order = std::log2(drift_of_iterate(s, which, 4e-3) / drift_of_iterate(s, which, 2e-3));
      rows.push_back({fmt::format("E = {}", weights[E]), fmt::format("order of |g| in eps, iteration {}", s),
                      std::to_string(s), fmt::format("{:.2f}", order), agree(std::abs(order - s) < .2)});
    }
  return rows;
}

}  // namespace

PaperPart drifts_of_iterates() {
  return {"drift", "how far iterates are off their constraint", run_part};
}

}  // namespace dalembert::ascher_lin
