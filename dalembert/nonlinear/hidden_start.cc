#include "dalembert/nonlinear/hidden_start.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "dalembert/nonlinear/derivative_array.h"

namespace dalembert {

namespace {

constexpr double noticed = 1e-6;  // of y: less is not moved
constexpr double good_enough = 1e-10;
constexpr double alike = 1e-5;  // two results that do not depend on the steps of differences

/// The nearest y0, if differences with steps of this unit of time find one.
std::optional<Vector> nearest_start(const DerivativeArray& array, const Vector& y, const KeptEntries& kept) {
  Vector x = array.unknowns(y);
  const auto& all = array.groups();
  DerivativeArray::Groups groups = {all.front()};
  if (DerivativeArray(array).meet(x, groups)) return y;
  std::vector<bool> held(static_cast<std::size_t>(y.size()), false);
  for (Eigen::Index k = 0; k < kept.size(); ++k) held[static_cast<std::size_t>(kept[k])] = true;
  for (std::size_t g = 1; g < all.size(); ++g) {
    std::vector<Eigen::Index> group;
    std::copy_if(all[g].begin(), all[g].end(), std::back_inserter(group),
                 [&](Eigen::Index i) { return !held[static_cast<std::size_t>(i)]; });
    if (group.empty()) continue;
    groups.push_back(std::move(group));
    if (DerivativeArray(array).meet(x, groups)) return array.state(x);
  }
  return {};
}

}  // namespace

HiddenStart meet_hidden(const Implicit& problem, double t, In given, double span, const KeptEntries& kept) {
  const Vector y = given;
  HiddenStart start{.y = y};
  if (y.size() > most_hidden || DerivativeArray(problem, t, y, span, Sides::after).index() > 3) return start;
  // Steps over many periods of what is not smooth would find a start too, a wrong one: results are compared as steps become
  // shorter, and those that differ least are believed.
  std::optional<Vector> last;
  double least = alike;
  for (int round = 0; round < 12; ++round, span /= 8) {
    const DerivativeArray array(problem, t, y, span, Sides::after);
    const auto size = [&](const Vector& of) { return largest(of.cwiseQuotient(array.units())); };
    auto found = nearest_start(array, y, kept);
    if (last && found) {
      const double apart = size(*found - *last) / (1 + size(*found));
      if (apart > 2 * least && least < alike) break;
      if (apart < least || apart == 0) {
        least = apart;
        const bool nothing = size(*found - y) <= noticed * (1 + size(y));
        start.verdict = nothing ? HiddenStart::Verdict::holds : HiddenStart::Verdict::moved;
        start.y = nothing ? y : *found;
        if (apart <= good_enough) break;
      }
    }
    last = std::move(found);
  }
  if (start.verdict == HiddenStart::Verdict::undecided && kept.size() > 0)
    start.verdict = HiddenStart::Verdict::unmet;
  return start;
}

}  // namespace dalembert
