#include "dalembert/control/run_setup.h"

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

void validate(const RunOptions& options, double begin, double end) {
  options.tolerance.validate();
  if (options.most_steps < 1)
    throw Error("at most " + std::to_string(options.most_steps) + " steps are allowed", "allow at least one");
  if (options.step && !(*options.step > 0))
    throw Error("the step is " + short_number(*options.step), "it must be positive");
  for (const double t : options.outputs)
    if (!std::isfinite(t)) throw Error("an output time is " + short_number(t), "output times are finite");
  if (options.max_step && !(*options.max_step > 0))
    throw Error("the longest step is " + short_number(*options.max_step), "it must be positive");
  if (const auto dependent = options.consistent.dependent; dependent && !(*dependent > 0 && *dependent < 1))
    throw Error("dependent is " + short_number(*dependent), "it must lie between 0 and 1, for instance 1e-6");
  if (!std::is_sorted(options.outputs.begin(), options.outputs.end()))
    throw Error("output times must ascend");
  const double slack = 1e-12 * (std::abs(begin) + std::abs(end));
  for (const double t : options.outputs)
    if (t < begin - slack || t > end + slack)
      throw Error("the output time " + short_number(t) + " is not in the run",
                  "it goes from " + short_number(begin) + " to " + short_number(end));
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
  if (adapts(pair, problem)) return Error("controller 'fixed' needs a step", "give step=H");
  if (!pair.method->adaptive)
    return Error("method '" + pair.method->name + "' has no error estimate and needs a fixed step",
                 "give step=H");
  return Error("at index " + std::to_string(rewritten_index(*pair.formulation, problem)) + " (formulation '" +
                   pair.formulation->name + "') method '" + pair.method->name +
                   "' converges with constant steps only",
               "give step=H, or take a formulation of lower index (ggl)");
}

}  // namespace

double begin_time(const std::map<std::string, double>& changes, const Problem& problem) {
  const auto given = changes.find("t");
  return given == changes.end() ? problem.start().t : given->second;
}

double checked_end(std::optional<double> asked, const Problem& problem,
                   const std::map<std::string, double>& changes) {
  const double begin = begin_time(changes, problem), end = asked.value_or(problem.end());
  if (!std::isfinite(end)) throw Error("the end time is not finite");
  if (!std::isfinite(begin)) throw Error("the start time is not finite");
  if (end <= begin)
    throw Error("the end " + short_number(end) + " is not after the start " + short_number(begin),
                "give a larger end=T");
  // steps are fractions of a run, and powers of steps are still numbers
  constexpr double shortest = 1e-60, digits = 1e-13;
  if (end - begin < std::max(shortest, digits * std::abs(begin)))
    throw Error("the end " + short_number(end) + " is too near to the start " + short_number(begin),
                "no step can be told from 0 in between; give a larger end=T");
  return end;
}

std::shared_ptr<const Problem> checked(std::shared_ptr<const Problem> problem) {
  if (!problem) throw Error("there is no problem", "give a pointer to one");
  const Eigen::Index n = problem->layout().size();
  if (n == 0) throw Error("the problem has no unknowns", "give it at least one");
  if (const Eigen::Index given = problem->start().y.size(); given != n)
    throw Error("the start has " + std::to_string(given) + " entries for " + std::to_string(n) + " unknowns");
  return problem;
}

void change_start(const std::map<std::string, double>& changes, const Layout& layout, State& state) {
  if (changes.empty()) return;
  std::vector<std::string> labels;
  for (Eigen::Index i = 0; i < layout.size(); ++i) labels.push_back(layout.label(i));
  labels.push_back("t");
  for (const auto& [label, value] : changes) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) throw unknown("initial value", label, labels);
    (label == "t" ? state.t : state.y[found - labels.begin()]) = value;
  }
}

RunSetup::RunSetup(std::shared_ptr<const Problem> given, const RunOptions& options)
    : problem(checked(std::move(given))), end(checked_end(options.end, *problem, options.start)) {
  validate(options, begin_time(options.start, *problem), end);
  if (const auto known = problem->exact(end)) layout_of(*known, *problem);
  options.tolerance.refuse_unknown(problem->report());
  Choice choice = choose_pair(*problem, options.request, options.tolerance);
  pair = choice.pair;
  why = std::move(choice.why);
  if (const auto* fields = as<Partitioned>(problem.get());
      fields != nullptr && pair.formulation->from == Kind::mechanical)
    problem = fields->whole();
  if (!options.fields.empty() && pair.formulation->to != Kind::partitioned)
    throw Error("methods of fields are given, but formulation '" + pair.formulation->name +
                    "' takes the problem in one piece",
                "take formulation=fields");
  split_options(options.options, pair, formulation_options, method_options);
  control = adapts(pair, *problem) ? options.control : Control::fixed;
  if (control == Control::fixed && !options.step) throw needs_step(pair, *problem);
  if (control == Control::fixed && options.max_step && *options.max_step < *options.step)
    throw Error("the fixed step " + short_number(*options.step) + " is longer than the longest step " +
                    short_number(*options.max_step),
                "give a shorter step=H, or leave the longest one out");
}

}  // namespace dalembert
