// dalembert fit: the parameters of a model for which its motion is nearest to measured data.
#include "dalembert/fit/fit.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "app/screen.h"
#include "app/text.h"
#include "app/unknowns.h"
#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

struct Call : SearchCall {
  std::string data;
  std::vector<std::string> scale;
};

const char* name(FitEnding ending) {
  switch (ending) {
    case FitEnding::converged:
      return "converged";
    case FitEnding::stuck:
      return "stuck";
    case FitEnding::no_derivative:
      return "no_derivative";
    case FitEnding::no_start:
      return "no_start";
    case FitEnding::too_many_runs:
      return "too_many_runs";
    case FitEnding::interrupted:
      return "interrupted";
  }
  return "";
}

MeasuredData data(const Call& call, const SweepProblem& made) {
  MeasuredData all = read_measured(call.data);
  std::vector<std::string> known;
  for (const auto& column : all.columns) known.push_back(column.name);
  for (const auto& [name, value] : to_assignments("--scale", call.scale)) {
    const auto at = std::find(known.begin(), known.end(), name);
    if (at == known.end()) throw unknown("column", name, known);
    if (!(value > 0)) throw Error("--scale " + name + " is not positive", "give the size of its errors");
    all.columns[static_cast<std::size_t>(at - known.begin())].scale = value;
  }
  settle(all, made);
  return all;
}

std::string undetermined(const FitResult& result) {
  std::string out;
  for (const auto& names : result.undetermined)
    out += names.size() == 1
               ? fmt::format("undetermined {}: the data do not depend on it\n", names[0])
               : fmt::format("undetermined {}: the data know a combination of them only; hold one of them\n",
                             join(names));
  return out;
}

std::string correlations(const FitResult& result) {
  std::vector<std::string> head = {"correlation"};
  for (const auto& p : result.parameters)
    if (p.error) head.push_back(p.name);
  if (head.size() < 3) return "";
  Table rows(head);
  for (Eigen::Index i = 0; i < result.correlation.rows(); ++i) {
    std::vector<std::string> row = {head[static_cast<std::size_t>(i) + 1]};
    for (Eigen::Index j = 0; j < result.correlation.cols(); ++j)
      row.push_back(fmt::format("{:.3f}", result.correlation(i, j)));
    rows.add(std::move(row));
  }
  return shown(rows, "  ");
}

/// What a careful reader should know of a fit that was found.
std::vector<std::string> warnings(const FitTask& task, const FitResult& result) {
  std::vector<std::string> all;
  if (!result.found()) return all;
  for (std::size_t k = 0; k < task.data.columns.size(); ++k)
    if (const auto& column = task.data.columns[k]; result.deviations[k] > 0.5 * column.spread)
      all.push_back(
          fmt::format("{} is not explained: it is off by {:.2g} of how much its numbers spread; begin "
                      "elsewhere (--starts), or doubt the model",
                      column.name, result.deviations[k] / column.spread));
  if (result.uncertainty > 0.01)
    all.push_back("derivatives change with the length of the differences, so standard errors are rough");
  return all;
}

std::string text(const std::string& title, const Call& call, const FitTask& task, const FitResult& result,
                 double seconds) {
  std::size_t numbers = 0;
  for (const auto& column : task.data.columns) numbers += column.count();
  std::string out = fmt::format("fit          {}\ndata         {}: {} in {}, t = {} to {}\n", title,
                                call.data, plural(static_cast<long>(numbers), "number", "numbers"),
                                plural(static_cast<long>(task.data.columns.size()), "column", "columns"),
                                short_number(task.data.t.front()), short_number(task.data.t.back()));
  out += fmt::format("ending       {}: {}\n", name(result.ending), result.sentence());
  out += undetermined(result);
  if (result.found()) {
    out += fmt::format("deviation    {:.4g} of the scales", result.deviation);
    for (std::size_t k = 0; k < task.data.columns.size(); ++k)
      out += fmt::format(", {} {:.4g} {}", task.data.columns[k].name, result.deviations[k],
                         task.data.columns[k].unit);
    out += fmt::format(" (root mean square), at the start {}\n", number(result.start_deviation, 4));
    out += fmt::format("derivatives  central differences of runs with rtol {}, known to {:.1g}\n",
                       short_number(task.options.tolerance.relative), result.uncertainty);
    for (const std::string& warning : warnings(task, result)) out += "warning      " + warning + "\n";
  }
  if (result.searches > 1)
    out +=
        fmt::format("searches     {}, of which {} came to this deviation\n", result.searches, result.as_good);
  out += fmt::format("runs         {}, in {:.3g} s\n", result.runs, seconds) + failures(result.failures);
  if (!result.found()) return out;
  return out + table(result.parameters, task.unknowns) + correlations(result);
}

Json to_json(const Call& call, const FitTask& task, const FitResult& result, double seconds) {
  Json columns = Json::array();
  for (std::size_t k = 0; k < task.data.columns.size(); ++k) {
    const auto& column = task.data.columns[k];
    Json measured = Json::array(), fitted = Json::array();
    for (const double y : column.values) measured.push_back(y);
    if (result.found())
      for (const double y : result.fitted[k]) fitted.push_back(y);
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"scale", *column.scale},
                       {"spread", column.spread},
                       {"deviation", result.found() ? Json(result.deviations[k]) : Json()},
                       {"measured", measured},
                       {"fitted", fitted}});
  }
  Json times = Json::array(), history = Json::array(), groups = Json::array();
  for (const double t : task.data.t) times.push_back(t);
  for (const double d : result.history) history.push_back(d);
  for (const auto& names : result.undetermined) groups.push_back(names);
  return {{"problem", call.what},
          {"ending", name(result.ending)},
          {"message", result.sentence()},
          {"warnings", warnings(task, result)},
          {"parameters", app::to_json(result.parameters)},
          {"correlation", app::to_json(result.correlation)},
          {"undetermined", groups},
          {"deviation", result.found() ? Json(result.deviation) : Json()},
          {"start_deviation", result.start_deviation},
          {"derivatives", {{"rtol", task.options.tolerance.relative}, {"known_to", result.uncertainty}}},
          {"t", times},
          {"columns", columns},
          {"history", history},
          {"searches", result.searches},
          {"as_good", result.as_good},
          {"runs", result.runs},
          {"ended_early", app::to_json(result.failures)},
          {"seconds", seconds}};
}

std::vector<Panel> picture(const std::string& title, const FitTask& task, const FitResult& result) {
  std::vector<Panel> all;
  for (std::size_t k = 0; k < task.data.columns.size(); ++k) {
    const auto& column = task.data.columns[k];
    Panel panel{.title = k == 0 ? title : "",
                .x_label = "t [s]",
                .y_label = with_unit(column.name, column.unit),
                .series = {}};
    panel.series.push_back({"measured", task.data.t, column.values, Line::none, Marker::circle});
    // Where nothing was measured there is a hole in the curve, too: it is drawn over that.
    Series curve{"fitted", {}, {}};
    for (std::size_t i = 0; i < task.data.t.size(); ++i)
      if (!std::isnan(result.fitted[k][i])) {
        curve.x.push_back(task.data.t[i]);
        curve.y.push_back(result.fitted[k][i]);
      }
    panel.series.push_back(std::move(curve));
    all.push_back(std::move(panel));
  }
  Panel way{.title = "",
            .x_label = "steps of the search",
            .y_label = "deviation",
            .y_axis = Axis::logarithmic,
            .series = {}};
  Series series{"", {}, result.history, Line::solid, Marker::circle};
  for (std::size_t i = 0; i < result.history.size(); ++i) series.x.push_back(static_cast<double>(i));
  way.series.push_back(std::move(series));
  all.push_back(std::move(way));
  return all;
}

Status fit_command(Call& call) {
  check_search(call, call.data);
  if (call.data.empty()) throw Error("--data is missing", "name a .csv file with a column t and others");
  const Subject subject = find_subject(call.what, call.set);
  FitTask task;
  task.data = data(call, {subject.problem, subject.watches(), {}});
  call.end = full_number(task.data.t.back());
  read_search(call, subject, task);
  FitResult result;
  const double seconds = seconds_of([&] { result = fit(task); });
  return tell(call, {text(title(subject), call, task, result, seconds), to_json(call, task, result, seconds),
                     result.parameters, [&] { return picture(title(subject), task, result); }, result.found(),
                     result.ending == FitEnding::converged && result.undetermined.empty()});
}

}  // namespace

std::vector<CommandEntry> commands_in_fit() {
  return {
      {.name = "fit",
       .rank = 21,
       .summary = "find parameters for which the motion is nearest to measured data",
       .examples = {"dalembert fit models/fit/drop-test.toml --vary k=5e3:1e5:log --vary d=100:5000 --data "
                    "models/fit/drop-test.csv --plot drop.svg"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_varied(arguments, *call, "1e-9");
         add_search(arguments, *call);
         arguments.option("--data", call->data,
                          "a .csv file: a line of names, of which one is t and the others are watches or "
                          "entries of the state, with a unit if you like (ride [mm]); then lines of numbers",
                          "FILE");
         arguments.option("--scale", call->scale,
                          "what deviations of a column are divided by, the size of its errors (default: how "
                          "much its numbers spread; may be repeated)",
                          "NAME=VALUE");
         return [call] { return fit_command(*call); };
       }}};
}

}  // namespace dalembert::app
