#include "dalembert/control/run.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "dalembert/control/added_stability.h"
#include "dalembert/control/failure.h"
#include "dalembert/control/integrate.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/method/lock_step.h"
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

Summary run(std::shared_ptr<const Problem> problem, const RunOptions& options,
            const std::vector<Observer*>& observers) {
  State state = problem->start();
  change_start(options.start, problem->layout(), state);
  const double end = options.end.value_or(problem->end());
  const double begin = state.t;
  validate(options, state, end);
  const Choice choice = choose_pair(*problem, options.wish, options.tolerance);
  const Pair pair = choice.pair;
  if (const auto* fields = dynamic_cast<const Partitioned*>(problem.get());
      fields != nullptr && pair.formulation->from == Kind::mechanical)
    problem = fields->whole();
  if (!options.fields.empty() && pair.formulation->to != Kind::partitioned)
    throw Error("methods of fields are given, but formulation '" + pair.formulation->name +
                    "' takes the problem in one piece",
                "take formulation 'fields'");
  Parameters formulation_options, method_options;
  split_options(options.options, pair, formulation_options, method_options);
  const Control control = adapts(pair, *problem) ? options.control : Control::fixed;
  if (control == Control::fixed && !options.step) throw needs_step(pair, *problem);

  Summary summary;
  summary.formulation = pair.formulation->name;
  summary.method = pair.method->name;
  summary.why = choice.why;
  summary.layout = problem->report();
  const auto clock = std::chrono::steady_clock::now();

  const bool project = options.projection == Projection::on ||
                       (options.projection == Projection::automatic && pair.formulation->drifts);
  Controller controller(control);
  std::optional<AddedStability> added;
  const Integrate integrate_mode = [&](const Problem& mode, const State& from,
                                       const std::vector<Observer*>& watching) {
    const auto formulation = pair.formulation->make(mode, formulation_options, summary.statistics);
    if (!added && !project) {
      added.emplace(AddedStability{*pair.formulation, formulation->added_spectrum(),
                                   LinearStability(*pair.method, method_options), pair.method->name});
      if (control == Control::fixed)
        if (const auto warning = added->with_fixed_step(*options.step, end - from.t))
          summary.warnings.push_back(*warning);
    }
    const auto method = make_for(*pair.method, formulation->rewritten());
    method->bind(formulation->rewritten(),
                 {.tolerance = options.tolerance,
                  .projection = project ? Projection::on : Projection::off,
                  .precision = control == Control::fixed ? Precision::rounding : Precision::tolerance,
                  .options = method_options,
                  .statistics = &summary.statistics,
                  .fields = options.fields,
                  .coupling = &summary.coupling});
    controller.restart();
    Ending end_of_mode = integrate(
        {.formulation = *formulation,
         .method = *method,
         .controller = controller,
         .tolerance = options.tolerance,
         .statistics = summary.statistics,
         .observers = watching,
         .outputs = options.outputs,
         .watch_rank = !pair.formulation->crosses,
         .land_on_outputs = pair.method->dense_order + 1 < pair.method->order(pair.formulation->to),
         .end = end,
         .first_step = options.step,
         .most_steps = options.most_steps,
         .interrupt = options.interrupt},
        from);
    if (const auto* lock_step = dynamic_cast<const LockStep*>(method.get());
        lock_step != nullptr && good(end_of_mode.outcome))
      warn_of_correction(lock_step->correction(), mode.layout(), summary);
    return end_of_mode;
  };
  Ending ending;
  bool first = true;
  for (std::shared_ptr<const Problem> mode = problem; mode; mode = ending.next) {
    const StartReport start = make_consistent(*mode, state, first ? options.consistent : StartOptions{});
    if (first) summary.start_message = start.message;
    if (start.outcome != Outcome::ok) {
      ending = {start.outcome, "t = " + short_number(state.t) + ": " + start.message, state, {}, nullptr};
      problem = mode;
      break;
    }
    if (first)
      for (Observer* o : observers)
        if (!options.outputs.empty() && options.outputs.front() <= state.t)
          o->output(reported(state, mode->layout(), mode->report()));
    first = false;
    problem = mode;
    const auto* mechanical = start.dependent > 0 ? dynamic_cast<const Mechanical*>(mode.get()) : nullptr;
    const Redundancy found = mechanical ? find_redundancy(*mechanical, state) : Redundancy{};
    if (found.dependent.empty()) {
      ending = integrate_mode(*mode, state, observers);
    } else {
      RedundancyReport report = name_rows(found, *mechanical);
      ending = pair.formulation->dependent_rows
                   ? integrate_mode(*mode, state, observers)
                   : integrate_redundant(*mechanical, state, found, observers, integrate_mode, report);
      if (!summary.redundancy) summary.redundancy = std::move(report);
    }
    state = ending.state;
    summary.events.insert(summary.events.end(), ending.events.begin(), ending.events.end());
    summary.passages.insert(summary.passages.end(), ending.passages.begin(), ending.passages.end());
    if (ending.next && state.t >= end) break;
    if (ending.next) state = reported(state, mode->layout(), ending.next->layout());
  }
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock).count();
  for (Observer* o : observers) o->end();
  if (added && control != Control::fixed && summary.statistics.steps > 20)
    if (const auto warning =
            added->with_mean_step((state.t - begin) / static_cast<double>(summary.statistics.steps)))
      summary.warnings.push_back(*warning);
  summary.outcome = ending.outcome;
  summary.state = reported(state, problem->layout(), summary.layout);
  summary.message = ending.message.empty()
                        ? "t = " + short_number(state.t) + ": " + std::string(meaning(ending.outcome))
                        : ending.message;
  if (options.start.empty())  // else the reference is of another motion
    if (const auto exact = problem->exact(summary.state.t))
      summary.error = block_errors(*problem, summary.state, summary.layout, *exact);
  return summary;
}

}  // namespace dalembert
