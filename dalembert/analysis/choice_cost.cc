#include "dalembert/analysis/choice_cost.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/certify/families.h"

namespace dalembert {

namespace {

constexpr double tight = 1e-10;
constexpr double allowed = 100;  // tolerances at the end, before growth: what a pair may accumulate

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

class Deadline final : public Observer {
 public:
  explicit Deadline(double seconds) : end_(processor_seconds() + seconds), seconds_(seconds) {}
  void step(const StepView&) override { late_ = late_ || processor_seconds() > end_; }
  Outcome status() const override { return late_ ? Outcome::interrupted : Outcome::ok; }
  std::string trouble() const override { return "took longer than " + short_number(seconds_) + " s"; }

 private:
  double end_, seconds_;
  bool late_ = false;
};

struct Timed {
  Summary summary;
  double seconds;
};

/// Methods of all families, each with the formulations that recommend themselves most for it.
std::vector<Pair> of_families(const Problem& problem, const std::vector<Pair>& able) {
  constexpr std::size_t formulations = 3;
  std::vector<const MethodEntry*> methods;
  for (const Family& family : families(problem)) methods.push_back(family.pair.method);
  std::sort(methods.begin(), methods.end());
  methods.erase(std::unique(methods.begin(), methods.end()), methods.end());
  std::vector<Pair> all;
  for (const MethodEntry* method : methods) {
    std::vector<Pair> mine;
    std::copy_if(able.begin(), able.end(), std::back_inserter(mine),
                 [&](const Pair& pair) { return pair.method == method; });
    std::stable_sort(mine.begin(), mine.end(), [](const Pair& a, const Pair& b) {
      return a.formulation->preference > b.formulation->preference;
    });
    all.insert(all.end(), mine.begin(), mine.begin() + std::min(mine.size(), formulations));
  }
  return all;
}

class Measurement {
 public:
  Measurement(const std::shared_ptr<const Problem>& problem, const ChoiceCostOptions& options)
      : problem_(problem), options_(options) {}

  ChoiceCosts all() {
    find_truth();
    if (!truth_) return {};
    ChoiceCosts found{origin_, growth_, {}};
    for (const double tolerance : options_.tolerances)
      if (!interrupted()) found.costs.push_back(at(tolerance));
    return found;
  }

 private:
  bool interrupted() const { return options_.run.interrupt != nullptr && options_.run.interrupt->load(); }

  /// None: it was refused before it began.
  std::optional<Timed> timed(const PairRequest& request, double tolerance, double limit) const {
    RunOptions options = options_.run;
    options.request = request;
    options.tolerance = {tolerance, tolerance};
    const double begun = processor_seconds();
    Deadline deadline(limit);
    try {
      Summary summary = run(problem_, options, {&deadline});
      return Timed{std::move(summary), processor_seconds() - begun};
    } catch (const Error&) {  // a tolerance that this method cannot meet, a pair without a step
      return {};
    }
  }

  double error(const Summary& summary, const State& truth) const {
    double worst = 0;
    const Layout layout = problem_->layout();
    for (const auto& [name, e] : block_errors(*problem_, summary.state, summary.layout, truth))
      if (layout[name].role == Role::differential) worst = std::isnan(e) ? e : std::max(worst, e);
    return worst;
  }

  /// Two tight runs of different families, or one where the end is known.
  void find_truth() {
    const double end = options_.run.end.value_or(problem_->end());
    if (options_.run.start.empty()) truth_ = problem_->exact(end);
    if (truth_) origin_ = "known digits";
    for (const Family& family : families(*problem_)) {
      const std::string name = family.pair.formulation->name + " with " + family.pair.method->name;
      if (options_.progress) options_.progress(name + " for the truth");
      const auto run =
          timed({family.pair.formulation->name, family.pair.method->name}, tight, options_.limit);
      if (!run || !good(run->summary.outcome)) continue;
      if (!truth_) {
        truth_ = reported(run->summary.state, run->summary.layout, problem_->layout());
        origin_ = name;
        continue;
      }
      growth_ = std::max(1.0, error(run->summary, *truth_) / tight);
      origin_ += ", and " + name;
      return;
    }
    if (origin_ != "known digits") truth_.reset();  // one run alone proves nothing
  }

  /// Once more, until its time is known; what is not right, or takes longer than anybody wants to know, is run once.
  Trial trial(const PairRequest& request, double tolerance, double limit) const {
    Trial trial;
    trial.formulation = request.formulation;
    trial.method = request.method;
    std::vector<double> seconds;
    double sum = 0;
    constexpr double enough = 0.5;
    while (seconds.empty() || (trial.right && seconds.size() < 5 && sum < enough)) {
      const auto run = timed(request, tolerance, limit);
      if (!run) {
        trial.outcome = Outcome::interrupted;
        trial.message = "refused";
        return trial;
      }
      const Summary& summary = run->summary;
      trial.formulation = summary.formulation;
      trial.method = summary.method;
      trial.outcome = summary.outcome;
      trial.message = summary.message;
      trial.error = good(summary.outcome) ? error(summary, *truth_) : not_a_number;
      for (const PairChange& change : summary.changes) trial.method += "+" + change.method;
      trial.right = trial.error <= allowed * growth_ * tolerance;
      trial.statistics = summary.statistics;
      seconds.push_back(run->seconds);
      sum += run->seconds;
    }
    std::sort(seconds.begin(), seconds.end());
    trial.seconds = seconds[seconds.size() / 2];
    return trial;
  }

  /// Fields that are to be solved on their own are a question that pairs for the whole do not answer.
  std::vector<Pair> competitors() const {
    std::vector<Pair> able;
    for (const Pair& pair : feasible_pairs(*problem_))
      if (adapts(pair, *problem_) && (!options_.considered || options_.considered(pair)) &&
          (problem_->kind() != Kind::partitioned || pair.formulation->to == Kind::partitioned))
        able.push_back(pair);
    return options_.considered ? able : of_families(*problem_, able);
  }

  ChoiceCost at(double tolerance) const {
    const auto told = [&](const std::string& which) {
      if (options_.progress) options_.progress(which + " " + short_number(tolerance));
    };
    told("auto");
    ChoiceCost cost{tolerance, trial({}, tolerance, options_.limit), {}};
    if (cost.chosen.right) cost.best = cost.chosen;
    for (const Pair& pair : competitors()) {
      if (interrupted()) break;
      told(pair.formulation->name + " " + pair.method->name);
      // Who takes longer than the best so far need not come to its end.
      const double limit = cost.best ? std::min(options_.limit, 1.2 * cost.best->seconds) : options_.limit;
      Trial other = trial({pair.formulation->name, pair.method->name}, tolerance, limit);
      if (other.right && (!cost.best || other.seconds < cost.best->seconds)) cost.best = std::move(other);
    }
    return cost;
  }

  const std::shared_ptr<const Problem>& problem_;
  const ChoiceCostOptions& options_;
  std::optional<State> truth_;
  std::string origin_;
  double growth_ = 1;
};

}  // namespace

double evaluations(const Statistics& s) {
  return static_cast<double>(s.force_evaluations + s.jacobians + s.factorizations);
}

std::optional<double> ChoiceCost::ratio() const {
  if (!best || !chosen.right) return {};
  return chosen.seconds / best->seconds;
}

std::optional<double> ChoiceCost::evaluation_ratio() const {
  if (!best || !chosen.right) return {};
  return evaluations(chosen.statistics) / evaluations(best->statistics);
}

ChoiceCosts choice_costs(const std::shared_ptr<const Problem>& problem, const ChoiceCostOptions& options) {
  return Measurement(problem, options).all();
}

}  // namespace dalembert
