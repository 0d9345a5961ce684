#include "dalembert/control/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dalembert/control/added_stability.h"
#include "dalembert/control/failure.h"
#include "dalembert/control/integrate.h"
#include "dalembert/control/singular/gap.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/lock_step.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

void validate(const RunOptions& options, const State& start, double end) {
  options.tolerance.validate();
  if (!std::isfinite(end)) throw Error("the end time is not finite");
  if (end <= start.t)
    throw Error("the end " + short_number(end) + " is not after the start " + short_number(start.t),
                "give --end a larger time");
  if (options.step && !(*options.step > 0))
    throw Error("the step is " + short_number(*options.step), "it must be positive");
  if (!std::is_sorted(options.outputs.begin(), options.outputs.end()))
    throw Error("output times must ascend");
}

void change_start(const std::map<std::string, double>& changes, const Layout& layout, State& state) {
  std::vector<std::string> labels;
  for (Eigen::Index i = 0; i < layout.size(); ++i) labels.push_back(layout.label(i));
  for (const auto& [label, value] : changes) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) throw unknown("initial value", label, labels);
    state.y[found - labels.begin()] = value;
  }
}

/// Splits named options between formulation and method; throws for names neither knows.
void split_options(const std::map<std::string, double>& given, const Pair& pair, Parameters& formulation,
                   Parameters& method) {
  std::map<std::string, double> first, second;
  std::vector<std::string> known;
  const auto has = [&](const std::vector<Parameter>& parameters, const std::string& name) {
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const Parameter& p) { return p.name == name; });
  };
  for (const auto& p : pair.formulation->options) known.push_back(p.name);
  for (const auto& p : pair.method->options) known.push_back(p.name);
  const std::string both = pair.formulation->name + " with " + pair.method->name;
  for (const auto& [name, value] : given) {
    if (has(pair.formulation->options, name))
      first[name] = value;
    else if (has(pair.method->options, name))
      second[name] = value;
    else if (known.empty())
      throw Error("'" + both + "' has no option '" + name + "'", "it has none at all");
    else
      throw unknown("option of '" + both + "'", name, known);
  }
  formulation = Parameters(pair.formulation->options, first, pair.formulation->name);
  method = Parameters(pair.method->options, second, pair.method->name);
}

Error needs_step(const Pair& pair, const Problem& problem) {
  if (adapts(pair, problem)) return Error("controller 'fixed' needs a step", "give --step H");
  if (!pair.method->adaptive)
    return Error("method '" + pair.method->name + "' has no error estimate and needs a fixed step",
                 "give --step H");
  return Error("at index " + std::to_string(rewritten_index(*pair.formulation, problem)) + " (formulation '" +
                   pair.formulation->name + "') method '" + pair.method->name +
                   "' converges with constant steps only",
               "give --step H, or take a formulation of lower index (ggl)");
}

/// The last correction bounds what is missing: each iterate is closer to the solution than the one before it.
void warn_of_correction(const LockStep::Correction& c, const Layout& layout, Summary& summary) {
  if (c.iterates < 2)
    summary.warnings.push_back("formulation '" + summary.formulation +
                               "' with one iterate: nothing tells how far it is from the solution; "
                               "iterates=2 or more would");
  else if (!(c.norm <= 1))
    summary.warnings.push_back(
        "formulation '" + summary.formulation + "': the last of " + std::to_string(c.iterates) +
        " iterates still changed " + layout.label(c.entry) + " by " + short_number(c.size) +
        " at t = " + short_number(c.t) + ", more than the tolerance; take more iterates or a smaller eps");
}

/// Positions whose rates are not their velocities are compared in velocity space: rotations by angles.
std::optional<double> turn_error(const Problem& problem, const Block& block, In exact, In ours) {
  const auto* mechanical = dynamic_cast<const Mechanical*>(&problem);
  if (mechanical == nullptr || mechanical->plain() || block.name != "q") return {};
  const auto reference = exact.segment(block.offset, block.size);
  if (!reference.allFinite()) return {};
  Vector u(mechanical->sizes().v);
  mechanical->difference(reference, ours, u);
  return largest(u);
}

}  // namespace

std::map<std::string, double> block_errors(const Problem& problem, const State& state, const Layout& layout,
                                           const State& truth) {
  std::map<std::string, double> all;
  const Layout known = problem.layout();
  for (const auto& block : known.blocks()) {
    const Block* mine = layout.find(block.name);
    if (mine == nullptr || mine->size != block.size) continue;
    double worst = -1;
    if (const auto turned = turn_error(problem, block, truth.y, state.y.segment(mine->offset, mine->size))) {
      all[block.name] = *turned;
      continue;
    }
    for (Eigen::Index i = 0; i < block.size; ++i) {
      const double reference = truth.y[block.offset + i], ours = state.y[mine->offset + i];
      if (!std::isfinite(reference)) continue;
      const double e = std::abs(ours - reference) / (1 + std::abs(reference));
      worst = std::isfinite(e) ? std::max(worst, e) : e;
    }
    if (worst >= 0 || std::isnan(worst)) all[block.name] = worst;
  }
  return all;
}

std::vector<double> output_times(double begin, double end, int pieces) {
  std::vector<double> times;
  for (int k = 0; k <= pieces; ++k) times.push_back(k == pieces ? end : begin + (end - begin) * k / pieces);
  return times;
}

namespace {

/// One run: what was chosen, and what becomes of it.
class Session {
 public:
  Session(std::shared_ptr<const Problem> problem, const RunOptions& options,
          const std::vector<Observer*>& observers)
      : options_(options), observers_(observers), problem_(std::move(problem)), state_(problem_->start()) {
    change_start(options_.start, problem_->layout(), state_);
    begin_ = state_.t;
    end_ = options_.end.value_or(problem_->end());
    validate(options_, state_, end_);
    choose();
  }

  Summary run() {
    const auto clock = std::chrono::steady_clock::now();
    bool first = true;
    for (std::shared_ptr<const Problem> mode = problem_; mode; mode = ending_.next) {
      problem_ = mode;
      const StartReport start = begin_mode(first);
      if (start.outcome != Outcome::ok) break;
      first = false;
      ending_ = integrate_rows(start.dependent > 0);
      state_ = ending_.state;
      append(summary_.events, ending_.events);
      append(summary_.crossings, ending_.crossings);
      if (ending_.next && state_.t >= end_) break;
      if (ending_.next) state_ = reported(state_, problem_->layout(), ending_.next->layout());
    }
    summary_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
    for (Observer* o : observers_) o->end();
    report();
    return summary_;
  }

 private:
  void choose();
  StartReport begin_mode(bool first);
  Ending integrate_rows(bool dependent);
  Ending integrate_mode(const Problem&, const State& from, const std::vector<Observer*>&);
  void report();
  template <class T>
  static void append(std::vector<T>& all, const std::vector<T>& more) {
    all.insert(all.end(), more.begin(), more.end());
  }

  const RunOptions& options_;
  const std::vector<Observer*>& observers_;
  std::shared_ptr<const Problem> problem_;  // the current mode
  State state_;
  double begin_ = 0, end_ = 0;
  Pair pair_{};
  Parameters formulation_options_, method_options_;
  Controller controller_{Control::pi};
  std::optional<AddedStability> added_;
  bool watch_rank_ = true, shown_start_ = false;
  Ending ending_;
  Summary summary_;
};

void Session::choose() {
  const Choice choice = choose_pair(*problem_, options_.request, options_.tolerance);
  pair_ = choice.pair;
  if (const auto* fields = dynamic_cast<const Partitioned*>(problem_.get());
      fields != nullptr && pair_.formulation->from == Kind::mechanical)
    problem_ = fields->whole();
  if (!options_.fields.empty() && pair_.formulation->to != Kind::partitioned)
    throw Error("methods of fields are given, but formulation '" + pair_.formulation->name +
                    "' takes the problem in one piece",
                "take formulation 'fields'");
  split_options(options_.options, pair_, formulation_options_, method_options_);
  controller_ = Controller(adapts(pair_, *problem_) ? options_.control : Control::fixed);
  if (controller_.control() == Control::fixed && !options_.step) throw needs_step(pair_, *problem_);
  summary_.formulation = pair_.formulation->name;
  summary_.method = pair_.method->name;
  summary_.why = choice.why;
  summary_.layout = problem_->report();
}

StartReport Session::begin_mode(bool first) {
  StartReport start = make_consistent(*problem_, state_, first ? options_.consistent : StartOptions{});
  if (first) {
    summary_.start_message = start.message;
    if (const Events* events = problem_->events(); events != nullptr && start.outcome == Outcome::ok)
      if (auto mode = events->mode_at(state_)) {
        state_ = reported(state_, problem_->layout(), mode->layout());
        problem_ = std::move(mode);
        start = make_consistent(*problem_, state_);
      }
  }
  if (start.outcome != Outcome::ok)
    ending_ = {start.outcome, "t = " + short_number(state_.t) + ": " + start.message, state_, {}, nullptr};
  return start;
}

/// With rows that follow from others left out, unless the formulation takes them.
Ending Session::integrate_rows(bool dependent) {
  const auto plain = [this](const Problem& mode, const State& from, const std::vector<Observer*>& watching) {
    return integrate_mode(mode, from, watching);
  };
  const auto* mechanical = dependent ? dynamic_cast<const Mechanical*>(problem_.get()) : nullptr;
  const Redundancy found = mechanical ? find_redundancy(*mechanical, state_) : Redundancy{};
  if (found.dependent.empty()) return plain(*problem_, state_, observers_);
  RedundancyReport report = name_rows(found, *mechanical);
  watch_rank_ = !pair_.formulation->dependent_rows;  // rank is lost everywhere
  Ending ending = pair_.formulation->dependent_rows
                      ? plain(*problem_, state_, observers_)
                      : integrate_redundant(*mechanical, state_, found, observers_, plain, report);
  if (!summary_.redundancy) summary_.redundancy = std::move(report);
  return ending;
}

Ending Session::integrate_mode(const Problem& mode, const State& from,
                               const std::vector<Observer*>& watching) {
  const bool fixed = controller_.control() == Control::fixed;
  const bool project = options_.projection == Projection::on ||
                       (options_.projection == Projection::automatic && pair_.formulation->drifts);
  const auto formulation = pair_.formulation->make(mode, formulation_options_, summary_.statistics);
  if (!added_ && !project) {
    added_.emplace(AddedStability{*pair_.formulation, formulation->added_spectrum(),
                                  LinearStability(*pair_.method, method_options_), pair_.method->name});
    if (fixed)
      if (const auto warning = added_->with_fixed_step(*options_.step, end_ - from.t))
        summary_.warnings.push_back(*warning);
  }
  if (const auto* mechanical = dynamic_cast<const Mechanical*>(&mode);
      mechanical != nullptr && watch_rank_ && mechanical->sizes().rows() > most_gap_rows &&
      summary_.warnings.empty())
    summary_.warnings.push_back("singular positions are not looked for: the mechanism has " +
                                std::to_string(mechanical->sizes().rows()) + " rows, and up to " +
                                std::to_string(most_gap_rows) + " are watched");
  const auto method = make_for(*pair_.method, formulation->rewritten());
  method->bind(formulation->rewritten(), {.tolerance = options_.tolerance,
                                          .projection = project ? Projection::on : Projection::off,
                                          .precision = fixed ? Precision::rounding : Precision::tolerance,
                                          .options = method_options_,
                                          .statistics = &summary_.statistics,
                                          .fields = options_.fields,
                                          .coupling = &summary_.coupling});
  controller_.restart();
  Ending ending = integrate(
      {.formulation = *formulation,
       .method = *method,
       .controller = controller_,
       .tolerance = options_.tolerance,
       .statistics = summary_.statistics,
       .observers = watching,
       .outputs = options_.outputs,
       .show_start = !shown_start_,
       .watch_rank = watch_rank_ && !pair_.formulation->crosses,
       .land_on_outputs = pair_.method->dense_order + 1 < pair_.method->order(pair_.formulation->to),
       .end = end_,
       .first_step = options_.step,
       .most_steps = options_.most_steps,
       .interrupt = options_.interrupt},
      from);
  shown_start_ = true;
  if (const auto* lock_step = dynamic_cast<const LockStep*>(method.get());
      lock_step != nullptr && good(ending.outcome))
    warn_of_correction(lock_step->correction(), mode.layout(), summary_);
  return ending;
}

void Session::report() {
  if (added_ && controller_.control() != Control::fixed && summary_.statistics.steps > 20)
    if (const auto warning =
            added_->with_mean_step((state_.t - begin_) / static_cast<double>(summary_.statistics.steps)))
      summary_.warnings.push_back(*warning);
  summary_.outcome = ending_.outcome;
  summary_.state = reported(state_, problem_->layout(), summary_.layout);
  summary_.message = ending_.message.empty()
                         ? "t = " + short_number(state_.t) + ": " + std::string(meaning(ending_.outcome))
                         : ending_.message;
  if (options_.start.empty())  // else the reference is of another motion
    if (const auto exact = problem_->exact(summary_.state.t))
      summary_.error = block_errors(*problem_, summary_.state, summary_.layout, *exact);
}

}  // namespace

Summary run(std::shared_ptr<const Problem> problem, const RunOptions& options,
            const std::vector<Observer*>& observers) {
  return Session(std::move(problem), options, observers).run();
}

}  // namespace dalembert
