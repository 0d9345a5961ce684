#include "dalembert/analysis/convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/accuracy/deviation.h"
#include "dalembert/observe/certify/families.h"

namespace dalembert {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double coarse = 0.05;  // errors above it say nothing about small steps

/// What runs are compared with, at the times of the first one's steps.
struct Truth {
  std::vector<Sample> samples{};
  Deviations doubt{};
  std::string origin{}, why_not{};
};

std::optional<Truth> exact_truth(const Problem& problem, const RunOptions& run,
                                 const std::vector<double>& times) {
  if (!run.start.empty() || problem.report().size() != problem.layout().size()) return {};
  Truth truth{.origin = "the exact solution"};
  for (const double t : times) {
    const auto state = problem.exact(t);
    if (!state || state->y.size() != problem.layout().size()) return {};
    truth.samples.push_back({t, state->y});
  }
  return truth;
}

/// Digits at the end, where nothing is known along the way.
std::optional<Truth> truth_at_end(const Problem& problem, const RunOptions& run, double end) {
  auto truth = exact_truth(problem, run, {end});
  if (truth) truth->origin = "known digits at the end";
  return truth;
}

struct Vote {
  std::string family;
  Recording recording;
};

/// Tight runs of other families, two of them if there are; of a single one a second run that is less tight.
Truth truth_by_runs(const std::shared_ptr<const Problem>& problem, const ConvergenceOptions& options,
                    const MethodEntry& method, const std::vector<double>& times) {
  std::vector<Vote> votes;
  const auto vote = [&](const Family& family, double tolerance) {
    RunOptions o = options.run;
    o.request = {family.pair.formulation->name, family.pair.method->name, Choice{family.pair, "as asked"}};
    o.options.clear();
    o.tolerance = {tolerance, tolerance};
    o.control = Control::pi;
    o.step.reset();
    o.outputs = times;
    if (options.progress) options.progress(fmt::format("{} at {:g}", family.name, tolerance));
    try {
      Recording recording = record(problem, o, {}, options.limit);
      if (good(recording.summary.outcome)) votes.push_back({family.name, std::move(recording)});
    } catch (const Error&) {  // a pair that refuses has no vote
    }
  };
  std::optional<Family> only;
  for (const Family& family : families(*problem)) {
    if (family.pair.method->name == method.name) continue;
    vote(family, 1e-12);
    if (votes.size() == 1 && !only) only = family;
    if (votes.size() == 2) break;
  }
  if (votes.size() == 1) vote(*only, 1e-10);
  if (votes.size() < 2)
    return {.why_not = "no other family came to the end within the limit of processor time"};
  Truth truth{.samples = votes[0].recording.samples,
              .doubt = deviations(*problem, {1, 1}, votes[0].recording, votes[1].recording),
              .origin = votes[0].family == votes[1].family
                            ? votes[0].family + " at 1e-12, compared with itself at 1e-10"
                            : votes[0].family + " at 1e-12, compared with " + votes[1].family};
  return truth;
}

Truth find_truth(const std::shared_ptr<const Problem>& problem, const ConvergenceOptions& options,
                 const MethodEntry& method, const std::vector<double>& times) {
  if (auto exact = exact_truth(*problem, options.run, times)) return *exact;
  Truth by_runs = truth_by_runs(problem, options, method, times);
  if (by_runs.why_not.empty()) return by_runs;
  if (auto end = truth_at_end(*problem, options.run, times.back())) return *end;
  return by_runs;
}

/// By block: how far a run is from the truth, at the times that both have.
Deviations errors_of(const Problem& problem, const Recording& ours, const Truth& truth) {
  Deviations worst;
  for (const Sample& t : truth.samples)
    for (const Sample& o : ours.samples) {
      if (std::abs(o.t - t.t) > 1e-9 * (1 + std::abs(t.t)) || o.values.size() != t.values.size()) continue;
      for (const auto& [block, error] : deviations(problem, {1, 1}, o, t)) {
        double& mine = worst[block];
        if (!(error <= mine)) mine = error;
      }
    }
  return worst;
}

/// What a claim calls the blocks, and their index, as the method sees them.
struct Part {
  std::string name;
  int index = 1;
};

std::map<std::string, Part> parts_of(const RunSetup& setup) {
  Statistics unused;
  std::map<std::string, Part> all;
  const Kind kind = setup.pair.formulation->to;
  const Layout own = setup.problem->layout();
  for (const Block& b : own.blocks()) {
    const bool differential = b.role == Role::differential;
    all[b.name] = {differential ? "y" : "z", kind == Kind::mechanical && !differential ? 3 : 1};
  }
  if (kind != Kind::implicit) return all;
  const auto formulation = setup.pair.formulation->make(*setup.problem, setup.formulation_options, unused);
  const Layout layout = formulation->rewritten().layout();
  for (const Block& b : layout.blocks()) {
    const int index = std::max(b.index, 1);
    all[b.name] = {"index-" + std::to_string(index), index};
  }
  return all;
}

/// "columns=3, f linear in z" is a condition on an option; others are not looked at.
bool met(const Claim& claim, const RunSetup& setup) {
  const auto equals = claim.needs.find('=');
  if (equals == std::string::npos) return true;
  const auto value = number_in(claim.needs.substr(equals + 1, claim.needs.find(',') - equals - 1));
  return value && setup.method_options[claim.needs.substr(0, equals)] == *value;
}

std::optional<double> claimed(const RunSetup& setup, const Part& part) {
  const Kind kind = setup.pair.formulation->to;
  const int index = rewritten_index(*setup.pair.formulation, *setup.problem);
  for (const Claim& claim : setup.pair.method->claims)
    if (claim.kind == kind && claim.block == part.name && (claim.index == 0 || claim.index == index) &&
        met(claim, setup))
      return claim.order;
  return {};
}

/// Rounding as it appears in entries that are differences of rounded ones.
double rounding(int index, double h) {
  return std::max(4e-13, 1e3 * epsilon / std::pow(h, index - 1));
}

void judge(const std::vector<double>& steps, int index, BlockConvergence& block) {
  std::vector<std::size_t> clear;
  std::size_t doubtful = 0, rounded = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double error = block.errors[k];
    if (!(error < coarse)) continue;
    if (error <= 20 * block.doubt)
      ++doubtful;
    else if (error <= 10 * rounding(index, steps[k]))
      ++rounded;
    else
      clear.push_back(k);
  }
  const std::string limit = doubtful > 0  ? fmt::format("the truth is known to {:.1e} only", block.doubt)
                            : rounded > 0 ? "the finest errors are rounding"
                                          : "";
  block.remark = limit;
  constexpr std::size_t most = 4, least = 3;
  if (clear.size() < least) {
    if (rounded == steps.size())
      block.remark = "exact up to rounding at every step";
    else
      block.remark =
          (limit.empty() ? "errors are too large or runs failed" : limit) + ": no order can be seen";
    return;
  }
  block.first = clear[clear.size() - std::min(most, clear.size())];
  block.last = clear.back();
  block.order = fitted_order(steps, block.errors, block.first, block.last);
  double spread = 0;
  for (std::size_t k = block.first; k < block.last; ++k)
    spread = std::max(spread, std::abs(fitted_order(steps, block.errors, k, k + 1) - *block.order));
  if (spread > 0.3)
    block.remark += (block.remark.empty() ? "" : "; ") +
                    fmt::format("slopes still differ by {:.1f} from run to run", spread);
}

}  // namespace

double fitted_order(const std::vector<double>& steps, const std::vector<double>& errors, std::size_t first,
                    std::size_t last) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (std::size_t k = first; k <= last; ++k) {
    if (!(errors[k] > 0)) continue;
    const double x = std::log(steps[k]), y = std::log(errors[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
  }
  return n < 2 ? not_a_number : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

Convergence study_convergence(const std::shared_ptr<const Problem>& problem,
                              const ConvergenceOptions& options) {
  RunOptions o = options.run;
  o.control = Control::fixed;
  o.scrutiny = Scrutiny::method;  // coarse steps are part of the study
  const double begin = begin_time(o.start, *problem), end = checked_end(o.end, *problem, o.start);
  o.step = (end - begin) / options.pieces;
  o.outputs = output_times(begin, end, options.pieces);
  const RunSetup setup(problem, o);
  o.request = {setup.pair.formulation->name, setup.pair.method->name, Choice{setup.pair, "as asked"}};
  Convergence study{
      .formulation = setup.pair.formulation->name, .method = setup.pair.method->name, .truth = {}};
  const std::vector<double> times(o.outputs.begin() + 1, o.outputs.end());
  const Truth truth = find_truth(problem, options, *setup.pair.method, times);
  study.truth = truth.origin;
  study.why_not = truth.why_not;
  if (!study.why_not.empty()) return study;

  std::vector<Deviations> errors;
  for (int k = 0; k <= options.halvings; ++k) {
    if (o.interrupt != nullptr && o.interrupt->load()) break;
    o.step = (end - begin) / options.pieces / std::pow(2, k);
    if (options.progress)
      options.progress(fmt::format("{} {} h = {:g}", study.formulation, study.method, *o.step));
    const Recording ours = record(problem, o, {}, options.limit);
    study.steps.push_back(*o.step);
    const bool came = good(ours.summary.outcome);
    study.failures.push_back(came ? "" : ours.summary.message);
    errors.push_back(came ? errors_of(*problem, ours, truth) : Deviations{});
    if (ours.summary.outcome == Outcome::interrupted) break;  // finer ones take longer still
  }
  const auto parts = parts_of(setup);
  const Layout layout = problem->report();
  for (const Block& b : layout.blocks()) {
    BlockConvergence block{.block = b.name};
    for (const Deviations& run : errors)
      block.errors.push_back(run.contains(b.name) ? run.at(b.name) : not_a_number);
    if (const auto doubt = truth.doubt.find(b.name); doubt != truth.doubt.end()) block.doubt = doubt->second;
    if (std::none_of(block.errors.begin(), block.errors.end(), [](double e) { return std::isfinite(e); })) {
      if (std::all_of(study.failures.begin(), study.failures.end(), [](const auto& f) { return f.empty(); }))
        continue;  // nobody knows what it should be
    }
    const auto part = parts.find(b.name);
    const Part as = part == parts.end() ? Part{"", 1} : part->second;
    block.claimed = claimed(setup, as);
    judge(study.steps, as.index, block);
    study.blocks.push_back(std::move(block));
  }
  return study;
}

}  // namespace dalembert
