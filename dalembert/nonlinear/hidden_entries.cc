#include "dalembert/nonlinear/hidden_entries.h"

#include <algorithm>
#include <cmath>

#include "dalembert/nonlinear/derivative_array.h"

namespace dalembert {

namespace {

/// Rows of the largest array: its dense matrix is factored some ten times for every output.
constexpr Eigen::Index most_rows = 120;
constexpr double settled = 1e-12;
constexpr double alike = 1e-5;

double apart(const Vector& a, const Vector& b) {
  return ((a - b).array().abs() / (1 + a.array().abs())).maxCoeff();
}

}  // namespace

HiddenEntries::HiddenEntries(const Implicit& problem)
    : problem_(problem), span_(std::abs(problem.end() - problem.start().t)) {
  const Layout layout = problem.layout();
  for (const Block& block : layout.blocks()) index_ = std::max(index_, block.index);
  small_ = index_ <= 3 && layout.size() * index_ <= most_rows;
}

std::string HiddenEntries::why_not() const {
  return small_ ? "differences of the equations do not settle there"
                : "the problem is too large to differentiate its constraints at every output";
}

std::optional<double> HiddenEntries::improve(double t, Out y) const {
  if (!any() || !small_) return {};
  Vector last, best;
  double least = alike, unit = span_;
  for (int round = 0; round < 16 && least > settled; ++round) {
    DerivativeArray array(problem_, t, y, unit, Sides::both);
    Vector x = array.unknowns(y);
    if (!array.meet(x, array.groups()) || !array.smooth(x, span_)) {
      if (best.size() > 0) break;
      last.resize(0);
      unit /= 8;
      continue;
    }
    unit = array.unit() / 2;
    const Vector found = array.state(x);
    if (last.size() > 0) {
      const double error = apart(found.cwiseQuotient(array.units()), last.cwiseQuotient(array.units()));
      if (error > 2 * least && best.size() > 0) break;  // rounding
      // Of two that agree, the one with the longer step has less rounding.
      if (error < least) least = error, best = last;
    }
    last = found;
  }
  if (best.size() == 0) return {};
  y = best;
  return least;
}

}  // namespace dalembert
