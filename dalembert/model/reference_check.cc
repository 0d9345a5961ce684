#include "dalembert/model/reference_check.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"

namespace dalembert {

namespace {

/// Of two times that were computed apart.
bool same_time(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(1., std::abs(a));
}

}  // namespace

ReferenceCheck::ReferenceCheck(const Model& model, double rtol)
    : mechanism_(*model.mechanism), references_(model.references), rtol_(rtol) {
  std::stable_sort(references_.begin(), references_.end(),
                   [](const Reference& a, const Reference& b) { return a.t < b.t; });
}

void ReferenceCheck::begin(const Problem& problem, const State& start) {
  reporter_.emplace(problem);
  layout_ = problem.report();
  for (; next_ < references_.size(); ++next_) {
    const double t = references_[next_].t;
    if (same_time(t, start.t))
      compare(start);
    else if (t > start.t)
      return;  // earlier ones are those of a part that was run before
  }
}

void ReferenceCheck::step(const StepView& step) {
  for (; next_ < references_.size(); ++next_) {
    const double t = references_[next_].t;
    if (t > step.end() && !same_time(t, step.end())) return;
    compare(step.at(std::min(t, step.end()), Depth::multipliers));
  }
}

void ReferenceCheck::compare(const State& of_mode) {
  const Reference& reference = references_[next_];
  const auto known = mechanism_.exact(reference.t);
  if (!known) return;
  const State state = (*reporter_)(of_mode);
  Comparison& made = compared_.emplace_back(reference.t, 0., reference.within.value_or(100 * rtol_));
  for (const auto& [block, error] : block_errors(mechanism_, state, layout_, *known))
    if (!(error <= made.error)) made.error = error;
}

void weigh(const ReferenceCheck& check, Summary& summary) {
  for (const Comparison& each : check.compared())
    if (!each.right())
      summary.warnings.push_back("at t = " + short_number(each.t) + " the run is " +
                                 short_number(each.error) + " off the digits of [[reference]], and " +
                                 short_number(each.within) + " is allowed");
}

}  // namespace dalembert
