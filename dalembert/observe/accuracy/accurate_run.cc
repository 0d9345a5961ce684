#include "dalembert/observe/accuracy/accurate_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/accuracy/deviation.h"

namespace dalembert {

namespace {

constexpr double least_steps = 50;         // of a run that is to confirm another one
constexpr double tighter = .1;             // from run to run, or more
constexpr double at_once = 1e-4;           // no more: errors that large may not be proportional
constexpr double least_tolerance = 1e-12;  // below, rounding is no longer small
constexpr std::size_t most_runs = 5;

class Accurate {
 public:
  Accurate(std::shared_ptr<const Problem> problem, const RunOptions& options, double accuracy);
  AccurateRun run(const Audience&);

 private:
  Recording recorded(double tolerance, const Audience&);
  void compare(const Recording& before, const Recording& now);
  bool enough() const;
  double next() const;
  void conclude(const Recording& last);

  std::shared_ptr<const Problem> problem_;
  RunOptions options_;
  Tolerance unit_;  // in which errors are measured
  ErrorEstimate estimate_;
};

Accurate::Accurate(std::shared_ptr<const Problem> problem, const RunOptions& options, double accuracy)
    : problem_(std::move(problem)), options_(options) {
  if (!(accuracy >= least_tolerance / tighter && accuracy < 1))
    throw Error("the accuracy asked for is " + short_number(accuracy),
                "it must be less than 1, and no less than 1e-11, for instance 1e-6");
  const RunSetup setup(problem_, options);
  if (setup.control == Control::fixed)
    throw Error("an accuracy is asked for, but the steps are fixed",
                "leave the step out, and take a method with an error estimate");
  const double relative = options.tolerance.relative;
  unit_ = relative > 0 ? options.tolerance.times(1 / relative) : Tolerance{1, 1};
  estimate_.asked = accuracy;
  estimate_.error = not_a_number;
}

Recording Accurate::recorded(double tolerance, const Audience& audience) {
  options_.tolerance = unit_.times(tolerance);
  RunOptions options = options_;
  if (!estimate_.tolerances
           .empty()) {  // two runs in a few long steps would agree on what neither of them has met
    const double begin = begin_time(options.start, *problem_), end = options.end.value_or(problem_->end());
    options.max_step = std::min(options.max_step.value_or(end - begin), (end - begin) / least_steps);
  }
  Recording recording = record(problem_, options, {}, std::numeric_limits<double>::infinity(),
                               audience ? audience() : std::vector<Observer*>{});
  estimate_.tolerances.push_back(tolerance);
  estimate_.statistics += recording.summary.statistics;
  estimate_.seconds += recording.summary.seconds;
  return recording;
}

/// If errors are proportional to tolerances, that of the tighter run is ratio/(1 - ratio) of the difference.
void Accurate::compare(const Recording& before, const Recording& now) {
  const std::size_t n = estimate_.tolerances.size();
  const double ratio = estimate_.tolerances[n - 1] / estimate_.tolerances[n - 2];
  estimate_.blocks = deviations(*problem_, unit_, before, now);
  for (auto& [name, value] : estimate_.blocks) value *= ratio / (1 - ratio);
  estimate_.error = largest_differential(*problem_, estimate_.blocks);
}

/// Room is left for errors of two runs that are no longer proportional; a third run was aimed.
bool Accurate::enough() const {
  return estimate_.error <= (estimate_.tolerances.size() == 2 ? .5 : 1) * estimate_.asked;
}

/// Aimed at half of what is asked.
double Accurate::next() const {
  if (!std::isfinite(estimate_.error)) return tighter;
  return std::clamp(.5 * estimate_.asked / estimate_.error, at_once, tighter);
}

void Accurate::conclude(const Recording& last) {
  if (!good(last.summary.outcome))
    estimate_.why_not = "the last run did not end well";
  else if (std::isnan(estimate_.error))
    estimate_.why_not = "there are no two runs to compare";
  else if (!std::isfinite(estimate_.error))
    estimate_.why_not = "the runs do not meet the same events";
  else if (!(estimate_.error <= estimate_.asked))
    estimate_.why_not = "tighter tolerances do not bring it there";
}

AccurateRun Accurate::run(const Audience& audience) {
  std::optional<Recording> before;
  for (double tolerance = estimate_.asked;;) {
    Recording now = recorded(tolerance, audience);
    const Outcome outcome = now.summary.outcome;
    const bool well = good(outcome), hopeless = !well && outcome != Outcome::untrusted;
    estimate_.error = not_a_number;
    estimate_.blocks.clear();
    if (before && well) compare(*before, now);
    if (enough() || hopeless || estimate_.tolerances.size() == most_runs || tolerance <= least_tolerance) {
      conclude(now);
      return {std::move(now.summary), std::move(estimate_)};
    }
    tolerance = std::max(least_tolerance, tolerance * next());
    before.reset();
    if (well) before = std::move(now);
  }
}

}  // namespace

AccurateRun run_accurately(std::shared_ptr<const Problem> problem, const RunOptions& options, double accuracy,
                           const Audience& audience) {
  return Accurate(std::move(problem), options, accuracy).run(audience);
}

std::string sentence(const ErrorEstimate& estimate) {
  std::string tolerances;
  for (const double tolerance : estimate.tolerances)
    tolerances += (tolerances.empty() ? "" : ", ") + short_number(tolerance);
  const auto one_digit = [](double x) {
    if (!(x > 0) || !std::isfinite(x)) return short_number(x);
    const double unit = std::pow(10., std::floor(std::log10(x)));
    return short_number(std::round(x / unit) * unit);
  };
  const std::size_t runs = estimate.tolerances.size();
  return (std::isfinite(estimate.error) ? "estimated error " + one_digit(estimate.error) + " of the "
                                        : "no error could be estimated for the ") +
         short_number(estimate.asked) + " asked, " + std::to_string(runs) + (runs == 1 ? " run" : " runs") +
         " (rtol " + tolerances + ")" + (estimate.reached() ? "" : ": " + estimate.why_not);
}

}  // namespace dalembert
