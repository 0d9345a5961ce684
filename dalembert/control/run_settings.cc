#include "dalembert/control/run_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

Tolerance tolerance(const RunSettings& s, const Problem& problem) {
  Tolerance t;
  if (s.rtol) t.relative = t.absolute = *s.rtol;
  if (s.rtol == 0. && !s.atol)
    throw Error("rtol is 0, and atol follows it unless it is given", "give a positive rtol=R, or atol=A too");
  if (s.atol) t.absolute = *s.atol;
  t.named = s.atol_of;
  t.validate();
  if (s.atol) return t;
  std::map<std::string, double> small = problem.small_entries();
  std::erase_if(small, [&](const auto& each) { return t.names(each.first); });
  for (const auto& [name, size] : small) t.named.emplace(name, t.absolute * size);
  return t;
}

/// For a partitioned problem that is not taken in one piece, the method names the methods of its fields.
void read_methods(const RunSettings& s, const Problem& problem, RunOptions& o) {
  const std::string formulation = s.formulation.value_or(""), method = s.method.value_or("");
  o.request = {formulation, method};
  const bool in_fields =
      problem.kind() == Kind::partitioned && (leaves_open(formulation) || formulation == "fields");
  if (!in_fields || leaves_open(method) || method == "window-iteration") return;
  o.request = {"fields", "window-iteration"};
  std::istringstream list(method);
  for (std::string name; std::getline(list, name, ',');) o.fields.push_back(name);
}

/// An option by its number, or by the name of a choice.
double option_value(const std::string& name, const std::variant<double, std::string>& value,
                    const Pair& pair) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  const std::string& text = std::get<std::string>(value);
  bool known = false;
  for (const auto* options : {&pair.formulation->options, &pair.method->options})
    for (const Parameter& p : *options) {
      if (p.name == name && !p.choices.empty()) return choice(p, text);
      known = known || p.name == name;
    }
  if (!known) return std::numeric_limits<double>::quiet_NaN();  // run() says which ones there are
  throw Error("option " + name + " is '" + text + "'", "it must be a number");
}

}  // namespace

OutputSetting OutputSetting::of(double number) {
  const bool whole = number >= 1 && number == std::floor(number);
  return {whole ? By::pieces : By::distance, number};
}

namespace {

/// Ascending, each of them once.
std::vector<double> checked_times(std::vector<double> all, double begin, double end) {
  for (const double t : all) {
    if (std::isfinite(t) && t >= begin && t <= end) continue;
    const std::string hint = t > end ? "give a larger end=T, or leave it out" : "leave it out";
    throw Error("the output time " + full_number(t) + " is " +
                    (t > end     ? "after the end " + full_number(end)
                     : t < begin ? "before the start " + full_number(begin)
                                 : "not finite"),
                hint);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

std::vector<double> OutputSetting::times(double begin, double end) const {
  if (by == By::steps) return {};
  if (by == By::times) return checked_times(at, begin, end);
  constexpr double most = 1e7;  // lines nobody reads
  const bool whole = value >= 1 && value == std::floor(value);
  if (!(value > 0) || !std::isfinite(value) || (by == By::pieces && !whole))
    throw Error("output is " + short_number(value),
                "it must be a whole number of pieces, or a positive distance in time");
  const double pieces = by == By::distance ? (end - begin) / value : value;
  if (pieces > most)
    throw Error("output asks for more than 1e7 lines", "take a larger distance or fewer pieces");
  if (by == By::pieces) return output_times(begin, end, static_cast<int>(value));
  std::vector<double> all;
  for (int k = 0; k < pieces - 1e-9; ++k) all.push_back(begin + k * value);
  all.push_back(end);
  return all;
}

Projection find_projection(const std::string& name) {
  if (name == "auto") return Projection::automatic;
  if (name == "on") return Projection::on;
  if (name == "off") return Projection::off;
  throw Error("project is '" + name + "'", "it must be on, off or auto");
}

Singular find_singular(const std::string& name) {
  if (name == "watch") return Singular::watch;
  if (name == "ignore") return Singular::ignore;
  if (name == "stop") return Singular::stop;
  throw Error("singular is '" + name + "'", "it must be watch, ignore or stop");
}

RunSettings merge(const RunSettings& over, const RunSettings& under) {
  RunSettings all = over;
  if (!over.formulation && !over.method) {
    all.formulation = under.formulation, all.method = under.method;
    all.options.insert(under.options.begin(), under.options.end());  // those of `over` stay
  }
  if (!over.rtol) {  // a new rtol brings its own atol; a new atol, or one of an entry, leaves the rest
    all.rtol = under.rtol;
    if (!over.atol) all.atol = under.atol;
    all.atol_of.insert(under.atol_of.begin(), under.atol_of.end());
  }
  if (!over.step && !over.controller) all.step = under.step, all.controller = under.controller;
  if (!over.max_step) all.max_step = under.max_step;
  if (!over.end) all.end = under.end;
  if (!over.output) all.output = under.output;
  if (!over.project) all.project = under.project;
  if (!over.singular) all.singular = under.singular;
  if (!over.dependent) all.dependent = under.dependent;
  if (!over.most_steps) all.most_steps = under.most_steps;
  all.start.insert(under.start.begin(), under.start.end());
  all.keep.insert(all.keep.end(), under.keep.begin(), under.keep.end());
  return all;
}

ResolvedRun resolve(const RunSettings& s, const Problem& problem) {
  RunOptions o;
  read_methods(s, problem, o);
  o.tolerance = tolerance(s, problem);
  const Choice choice = choose_pair(problem, o.request, o.tolerance);
  o.request.answer = choice;
  for (const auto& [name, value] : s.options) o.options[name] = option_value(name, value, choice.pair);
  o.end = s.end;
  o.step = s.step;
  o.max_step = s.max_step;
  if (s.step) o.control = Control::fixed;
  if (s.controller) o.control = *s.controller;
  o.start = s.start;
  for (const auto& label : s.keep) o.consistent.weights[label] = std::numeric_limits<double>::infinity();
  if (s.project) o.projection = *s.project;
  if (s.singular) o.singular = *s.singular;
  o.consistent.dependent = s.dependent;
  if (s.most_steps) o.most_steps = *s.most_steps;
  const double end = checked_end(s.end, problem, s.start);
  if (s.output) o.outputs = s.output->times(begin_time(s.start, problem), end);
  if (s.output && s.output->by == OutputSetting::By::steps) o.reporting = Reporting::each_step;
  return {std::move(o), choice};
}

}  // namespace dalembert
