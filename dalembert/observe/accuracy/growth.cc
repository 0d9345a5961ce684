#include "dalembert/observe/accuracy/growth.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/accuracy/deviation.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

namespace {

constexpr double still_small = 1e-2;  // errors beyond do not grow by the same factor any more
constexpr double undone = 1e-3;  // of a change: if no more is left of it at once, the constraints undid it

class GrowthMeter {
 public:
  GrowthMeter(std::shared_ptr<const Problem> problem, const GrowthOptions& options);
  Growth measure();

 private:
  Recording recorded(const std::map<std::string, double>& start, std::size_t from) const;
  double distance(const Sample& a, const Sample& b) const;
  std::map<std::string, double> disturbed(const Sample&);
  void disturb(std::size_t moment);
  void follow(std::size_t moment, const Recording&);
  void conclude();

  std::shared_ptr<const Problem> problem_;
  const GrowthOptions& options_;
  std::vector<double> times_;
  Recording undisturbed_;
  std::mt19937 random_{1};  // the same changes every time
  std::size_t followed_ = 0, corrected_ = 0;
  std::string trouble_;
  Growth growth_;
};

GrowthMeter::GrowthMeter(std::shared_ptr<const Problem> problem, const GrowthOptions& options)
    : problem_(std::move(problem)), options_(options) {
  if (options.moments < 1 || options.directions < 1)
    throw Error("growth is measured at no moment, or in no direction", "give at least 1 of each");
  if (!(options.size > 0 && options.size < still_small))
    throw Error("the size of the errors is " + short_number(options.size),
                "it must be positive and small, for instance 1e-6");
  times_ = output_times(begin_time(options.run.start, *problem_),
                        checked_end(options.run.end, *problem_, options.run.start), options.moments);
  growth_.size = options.size;
}

/// From a moment on, with the outputs that are left.
Recording GrowthMeter::recorded(const std::map<std::string, double>& start, std::size_t from) const {
  RunOptions o = options_.run;
  const double tolerance = std::max(1e-4 * options_.size, 1e-13);  // errors of the run itself do not count
  o.tolerance = {tolerance, tolerance};
  o.start = start;
  o.outputs.assign(times_.begin() + static_cast<std::ptrdiff_t>(from), times_.end());
  if (options_.progress) options_.progress("from t = " + short_number(times_[from]));
  return record(problem_, o, {}, options_.limit);
}

double GrowthMeter::distance(const Sample& a, const Sample& b) const {
  return largest_differential(*problem_, deviations(*problem_, {1, 1}, a, b));
}

/// Initial values near a state. Rotations are turned, everything else is changed entry by entry.
std::map<std::string, double> GrowthMeter::disturbed(const Sample& from) {
  std::uniform_real_distribution<double> any(-1, 1);
  const Layout report = problem_->report(), layout = problem_->layout();
  const auto* mechanical = as<Mechanical>(problem_.get());
  std::map<std::string, double> start = {{"t", from.t}};
  for (const Block& block : layout.blocks()) {
    const Block* shown = report.find(block.name);
    if (block.role != Role::differential || shown == nullptr) continue;
    Vector y = from.values.segment(shown->offset, shown->size);
    if (mechanical != nullptr && block.name == "q") {
      Vector u(mechanical->sizes().v), q = y;
      for (double& x : u) x = options_.size * any(random_);
      mechanical->advance(*mechanical->placed_at(from.t, y), u, q);
      y = q;
    } else {
      for (double& x : y) x += options_.size * (1 + std::abs(x)) * any(random_);
    }
    for (Eigen::Index i = 0; i < block.size; ++i)
      if (std::isfinite(y[i])) start[layout.label(block.offset + i)] = y[i];
  }
  return start;
}

void GrowthMeter::follow(std::size_t moment, const Recording& other) {
  const auto& mine = undisturbed_.samples;
  const double made = distance(other.samples.front(), mine[moment]);
  if (made < undone * options_.size) {
    ++corrected_;
    return;
  }
  ++followed_;
  for (std::size_t k = moment; k < mine.size() && k - moment < other.samples.size(); ++k) {
    const double now = distance(other.samples[k - moment], mine[k]), factor = now / made;
    growth_.saturated = growth_.saturated || now > still_small;
    if (!std::isfinite(factor)) continue;
    Growth::Moment &here = growth_.moments[moment], &there = growth_.moments[k];
    if (moment == 0) there.from_start = std::max(there.from_start, factor);
    if (k + 1 == mine.size()) here.to_end = std::max(here.to_end, factor);
    here.largest = std::max(here.largest, factor);
  }
}

void GrowthMeter::disturb(std::size_t moment) {
  for (int direction = 0; direction < options_.directions; ++direction) {
    if (options_.run.interrupt != nullptr && options_.run.interrupt->load()) return;
    const Recording other = recorded(disturbed(undisturbed_.samples[moment]), moment);
    if (good(other.summary.outcome) && other.samples.front().t == times_[moment])
      follow(moment, other);
    else
      trouble_ = other.summary.message;
  }
}

void GrowthMeter::conclude() {
  growth_.determined = followed_ == 0 && corrected_ > 0;
  if (followed_ + corrected_ == 0) growth_.why_not = trouble_.empty() ? "the run was interrupted" : trouble_;
  if (growth_.moments.empty()) return;
  Growth::Moment& end = growth_.moments.back();
  end.to_end = end.largest = growth_.determined ? 0 : 1;
}

Growth GrowthMeter::measure() {
  undisturbed_ = recorded(options_.run.start, 0);
  growth_.formulation = undisturbed_.summary.formulation;
  growth_.method = undisturbed_.summary.method;
  if (!good(undisturbed_.summary.outcome)) {
    growth_.why_not = undisturbed_.summary.message;
    return growth_;
  }
  for (const Sample& sample : undisturbed_.samples) growth_.moments.push_back({sample.t});
  for (std::size_t moment = 0; moment + 1 < undisturbed_.samples.size(); ++moment) disturb(moment);
  conclude();
  return growth_;
}

}  // namespace

double Growth::worst() const {
  double all = 0;
  for (const Moment& moment : moments) all = std::max(all, moment.largest);
  return all;
}

Growth measure_growth(std::shared_ptr<const Problem> problem, const GrowthOptions& options) {
  return GrowthMeter(std::move(problem), options).measure();
}

std::string sentence(const Growth& growth) {
  if (!growth.why_not.empty()) return "the growth could not be measured: " + growth.why_not;
  if (growth.determined) return "the constraints leave no freedom, and correct every error of the state";
  const auto rounded = [](double x) {
    const double digit = std::pow(10., std::floor(std::log10(x)) - 1);
    return short_number(x > 0 ? std::round(x / digit) * digit : x);
  };
  const double factor = growth.from_start();
  const std::string least = growth.saturated ? "at least " : "";
  return "an error of " + short_number(growth.size) + " made at the start has " +
         (factor < 1 ? "shrunk" : "grown") + " to " + least + rounded(factor * growth.size) +
         " at t = " + short_number(growth.moments.back().t) +
         "; one made on the way grows by a factor of up to " + least + rounded(growth.worst());
}

}  // namespace dalembert
