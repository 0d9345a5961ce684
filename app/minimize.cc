// dalembert minimize: the parameters that make a number of the run least.
#include "dalembert/fit/minimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/module.h"
#include "app/screen.h"
#include "app/text.h"
#include "app/unknowns.h"
#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

using Ending = MinimizeResult::Ending;

struct Call : SearchCall {
  std::string objective, algorithm = "cobyla";
  std::vector<std::string> constraints;
};

const char* name(Ending ending) {
  switch (ending) {
    case Ending::converged:
      return "converged";
    case Ending::too_many_runs:
      return "too_many_runs";
    case Ending::interrupted:
      return "interrupted";
    case Ending::infeasible:
      return "infeasible";
    case Ending::stuck:
      return "stuck";
    case Ending::nothing:
      return "nothing";
  }
  return "";
}

const Optimizer* optimizer() {
  using Find = const Optimizer*();
  return reinterpret_cast<Find*>(find_in_module(
      "nlopt", "dalembert_optimizer", "install NLopt with `tools/setup optimize` and build again"))();
}

std::string text(const std::string& title, const MinimizeTask& task, const MinimizeResult& result,
                 double seconds) {
  std::string out = fmt::format("minimize     {}\n", title);
  out += fmt::format("algorithm    {}: {}\n", task.algorithm, find_algorithm(task.algorithm).summary);
  if (find_algorithm(task.algorithm).needs == Algorithm::Needs::derivatives)
    out += fmt::format("derivatives  central differences of runs with rtol {}\n",
                       short_number(task.options.tolerance.relative));
  out += fmt::format("ending       {}: {}\n", name(result.ending), result.sentence());
  for (const auto& p : result.parameters)
    if (!p.determined)
      out += fmt::format("undetermined {}: neither the objective nor a constraint depends on it\n", p.name);
  if (result.best) {
    out += fmt::format("objective    {}: {} {}", task.objective.name(), number(result.best->objective, 9),
                       result.unit);
    if (!std::isnan(result.start_objective))
      out += fmt::format(", at the start {}", number(result.start_objective, 9));
    out += "\n";
    for (std::size_t i = 0; i < task.conditions.size(); ++i)
      out +=
          fmt::format("constraint   {}: {} {}{}\n", task.conditions[i].name(),
                      number(result.best->conditions[i], 9), result.condition_units[i],
                      holds(task.conditions[i], result.best->conditions[i]) ? "" : ", which does not hold");
  }
  if (result.searches > 1)
    out +=
        fmt::format("searches     {}, of which {} came to this objective\n", result.searches, result.as_good);
  out += fmt::format("runs         {}, in {:.3g} s\n", result.runs, seconds) + failures(result.failures);
  return result.best ? out + table(result.parameters, task.unknowns) : out;
}

Json to_json(const Call& call, const MinimizeTask& task, const MinimizeResult& result, double seconds) {
  Json conditions = Json::array(), history = Json::array();
  for (std::size_t i = 0; i < task.conditions.size(); ++i)
    conditions.push_back({{"name", task.conditions[i].name()},
                          {"unit", result.condition_units[i]},
                          {"value", result.best ? Json(result.best->conditions[i]) : Json()},
                          {"holds", result.best && holds(task.conditions[i], result.best->conditions[i])}});
  for (const double y : result.history) history.push_back(y);
  return {{"problem", call.what},
          {"algorithm", task.algorithm},
          {"ending", name(result.ending)},
          {"message", result.sentence()},
          {"objective",
           {{"name", task.objective.name()},
            {"unit", result.unit},
            {"start", result.start_objective},
            {"value", result.best ? Json(result.best->objective) : Json()}}},
          {"constraints", conditions},
          {"parameters", result.best ? app::to_json(result.parameters) : Json::array()},
          {"history", history},
          {"searches", result.searches},
          {"as_good", result.as_good},
          {"runs", result.runs},
          {"ended_early", app::to_json(result.failures)},
          {"seconds", seconds}};
}

std::vector<Panel> picture(const std::string& title, const MinimizeTask& task, const MinimizeResult& result) {
  Panel panel{.title = title,
              .x_label = "runs of the search",
              .y_label = with_unit(task.objective.of.name(), result.unit),
              .series = {}};
  Series series{"", {}, result.history, Line::solid, Marker::circle};
  for (std::size_t i = 0; i < result.history.size(); ++i) series.x.push_back(static_cast<double>(i + 1));
  panel.series.push_back(std::move(series));
  return {panel};
}

Status minimize_command(Call& call) {
  check_search(call, "");
  if (call.objective.empty())
    throw Error("--objective is missing", "say what is to be least, as in \"max(bearing.norm)\"");
  MinimizeTask task;
  task.objective = read_objective(call.objective);
  for (const auto& one : call.constraints) task.conditions.push_back(read_condition(one));
  task.algorithm = find_algorithm(call.algorithm).name;
  const Subject subject = find_subject(call.what, call.set);
  read_search(call, subject, task);
  task.optimizer = optimizer();
  MinimizeResult result;
  const double seconds = seconds_of([&] { result = minimize(task); });
  const bool determined = std::all_of(result.parameters.begin(), result.parameters.end(),
                                      [](const auto& p) { return p.determined; });
  return tell(call, {text(title(subject), task, result, seconds), to_json(call, task, result, seconds),
                     result.parameters, [&] { return picture(title(subject), task, result); },
                     result.best.has_value(), result.ending == Ending::converged && determined});
}

std::string names_of_algorithms() {
  std::vector<std::string> all;
  for (const Algorithm& a : algorithms) all.push_back(fmt::format("{} ({})", a.name, a.summary));
  return join(all);
}

}  // namespace

std::vector<CommandEntry> commands_in_minimize() {
  return {
      {.name = "minimize",
       .rank = 21,
       .summary = "find parameters that make a number of the run least, under constraints",
       .examples = {"dalembert minimize models/four-bar.toml --vary d=0.4:0.6 --vary c=0.35:0.5 --objective "
                    "\"max(bearing.norm)\" --end 1 --starts 4"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_varied(arguments, *call, "1e-9");
         add_end(arguments, *call);
         add_search(arguments, *call);
         arguments.option("--objective", call->objective,
                          "what is to be least: max(NAME), min, mean or end of a watch or an entry of the "
                          "state, time(EVENT), count(EVENT); with a minus in front of it what is to be "
                          "largest; time(EVENT)=2 what is to be nearest to 2",
                          "Q");
         arguments.option("--constraint", call->constraints,
                          "what has to hold: such a number with <, > or = and a value (may be repeated)",
                          "Q<VALUE");
         arguments.option("--algorithm", call->algorithm,
                          "of NLopt: " + names_of_algorithms() + " (default: cobyla)", "A");
         return [call] { return minimize_command(*call); };
       }}};
}

}  // namespace dalembert::app
