// (3.1) of [AscherLin1997] beside (3.2): B y as the iterate before carries it, and projected onto the range of B where the new one is.
//
//   x_s' = f - c_s,   c_s = c_{s-1} + (1/eps) B (GB)^-1 g   (3.1), its sign corrected
//                     c_s = P c_{s-1} + (1/eps) B (GB)^-1 g   (3.2)
//
// What c_{s-1} has outside of the range of B(x_s) is O(eps), pushes along the constraint, and is handed on by (3.1) to all iterates: none of them
// is better than O(eps), so that (3.1) is no option of runs. Example 6.1 by Heun's method from c_0 = 0, c_{s-1} at mesh points.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dalembert/core/vector.h"
#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

using Pair = Eigen::Vector2d;

/// Example 6.1, where B = x and G = x'.
Pair free_rate(double t) {
  return {1 - std::exp(-t), std::cos(t) + std::exp(t) * std::sin(t)};
}
Pair solution(double t) {
  return {std::exp(-t), std::sin(t)};
}

enum class Carried { as_it_is, projected };

struct Update {
  Carried how;
  double sign;
  double eps;
  Pair operator()(double t, const Pair& x, const Pair& before) const {
    const double GB = x.squaredNorm(), g = (GB - solution(t).squaredNorm()) / 2;
    const Pair kept = how == Carried::as_it_is ? before : Pair(x * (x.dot(before) / GB));
    return kept + sign / eps * g / GB * x;
  }
};

/// The largest error of the last of `iterates` for t in [.3, 1]; infinity if it ran away.
double error_of(const Update& update, int iterates) {
  const int steps = static_cast<int>(std::lround(20 / update.eps));
  const double h = 1. / steps;
  std::array<Pair, 4> x{}, c{}, slope{};  // of all iterates, at the last mesh point
  Pair before = Pair::Zero();
  for (int s = 0; s < iterates; ++s) {
    x[s] = solution(0);
    c[s] = update(0, x[s], before);
    slope[s] = free_rate(0) - c[s];
    before = c[s];
  }
  double most = 0;
  for (int k = 0; k < steps; ++k) {
    const double t = (k + 1) * h;
    Pair arriving = Pair::Zero();  // c_{s-1} at t
    for (int s = 0; s < iterates; ++s) {
      const Pair guess = x[s] + h * slope[s];
      x[s] += h / 2 * (slope[s] + free_rate(t) - update(t, guess, arriving));
      c[s] = update(t, x[s], arriving);
      slope[s] = free_rate(t) - c[s];
      arriving = c[s];
    }
    const Pair off = x[iterates - 1] - solution(t);
    if (!(off.norm() < 1e3)) return std::numeric_limits<double>::infinity();
    if (t > .3) most = std::max(most, off.cwiseAbs().maxCoeff());
  }
  return most;
}

std::vector<PaperRow> run_part(const PaperOptions&, std::vector<std::filesystem::path>&) {
  std::vector<PaperRow> rows;
  for (const Carried how : {Carried::projected, Carried::as_it_is})
    for (int s = 1; s <= 3; ++s) {
      const double coarse = error_of({how, 1, 4e-3}, s), fine = error_of({how, 1, 2e-3}, s),
                   order = std::log2(coarse / fine);
      const bool projected = how == Carried::projected;
      rows.push_back({projected ? "(3.2), Example 6.1" : "(3.1), Example 6.1",
                      fmt::format("order in eps of iteration {}; error at eps = 2e-3", s),
                      projected ? std::to_string(s)
                      : s == 1  ? "1"
                                : fmt::format("not {}, it needs (3.2)", s),
                      fmt::format("{:.2f}; {:.1e}", order, fine),
                      agree(projected || s == 1 ? std::abs(order - s) < .2 : order < s - .5)});
    }
  const double printed = error_of({Carried::as_it_is, -1, 4e-3}, 1),
               right = error_of({Carried::as_it_is, 1, 4e-3}, 1);
  rows.push_back(explained({"(3.1)", "sign of 1/eps; error with -, with +", "-",
                            fmt::format("{:.1g}, {:.1g}", printed, right), agree(printed < 10 * right)},
                           {"misprint: with - the constraint is driven away from, with + as in (3.2) it is "
                            "held",
                            printed > 1 && right < .1}));
  return rows;
}

}  // namespace

PaperPart equation_31() {
  return {"equation-3-1", "(3.1): B y carried without the projection", run_part};
}

}  // namespace dalembert::ascher_lin
