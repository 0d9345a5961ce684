#include "dalembert/analysis/limit_sheet.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dalembert/analysis/boundary_layer.h"

namespace dalembert {

double LimitSheet::growth(const State& limit, const State& beside) const {
  constexpr double rounding = 1e-9;
  if (const auto found = sheet_growth(full_, limit_, limit, eps_))
    return std::abs(found->most) <= rounding * found->size ? 0 : found->most;
  const FastPart part(full_, beside, count_);
  return part.fate() == Mode::Fate::lasts ? 0 : part.growth();
}

std::optional<double> end_of_attraction(const std::function<double(double)>& growth, double from, double to,
                                        Mode::Fate at_start) {
  constexpr int looks = 400, halvings = 40, sections = 24;
  const auto attracts = [&](double g) { return at_start == Mode::Fate::decays ? g < 0 : g <= 0; };
  const auto at = [&](int i) { return i == looks ? to : from + (to - from) * i / looks; };
  const auto crossing = [&](double low, double high) {
    for (int i = 0; i < halvings; ++i) {
      const double t = (low + high) / 2;
      (attracts(growth(t)) ? low : high) = t;
    }
    return low;
  };
  std::vector<double> g;
  for (int i = 0; i <= looks; ++i) {
    g.push_back(growth(at(i)));
    const bool inner = i >= 2 && g[g.size() - 2] >= g[g.size() - 3] && g[g.size() - 2] > g.back();
    if (inner) {  // is it larger between the looks?
      const double ratio = (std::sqrt(5.) - 1) / 2;
      double low = at(i - 2), high = at(i);
      for (int k = 0; k < sections; ++k) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (growth(a) > growth(b))
          high = b;
        else
          low = a;
      }
      const double top = (low + high) / 2;
      if (!attracts(growth(top))) return crossing(at(i - 2), top);
    }
    if (!attracts(g.back())) return i == 0 ? from : crossing(at(i - 1), at(i));
  }
  return {};
}

Grown grown(const std::function<double(double)>& growth, double from, double to, double much) {
  constexpr int parts = 400;
  const double step = (to - from) / parts;
  Grown found;
  double all = 0;
  for (int i = 0; i < parts; ++i) {
    all += step * growth(from + (i + .5) * step);
    found.most = std::max(found.most, all);
    if (!found.reached && all >= much) found.reached = from + (i + 1) * step;
  }
  return found;
}

}  // namespace dalembert
