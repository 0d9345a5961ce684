// dalembert analyse energy: where the energy of a motion is, comes from and goes to, and what methods make of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/energy.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end, formulation, rtol, step, output = "20", plot;
  std::vector<std::string> set, start, methods;
  bool json = false;
};

/// One run.
struct Balance {
  std::string pair;  ///< "index3 rattle"
  Outcome outcome = Outcome::ok;
  std::string message;
  std::vector<EnergyPoint> points{};
  std::vector<double> errors{};  ///< at each of them
  double worst = 0;              ///< after any step
  double seconds = 0;
};

Balance run_with(const Call& call, const Subject& subject, const std::string& method, std::size_t points) {
  RunSettings mine = to_settings({call.formulation, method, call.rtol});
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  if (!call.step.empty()) mine.step = to_number("--step", call.step);
  mine.start = to_assignments("--start", call.start);
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();
  RunOptions options = resolve(all, *subject.problem).options;
  options.interrupt = &watch_for_interrupt();
  const double begin = options.start.contains("t") ? options.start.at("t") : subject.problem->start().t;
  EnergyAccount account(
      output_times(begin, options.end.value_or(subject.problem->end()), static_cast<int>(points)));
  const Summary summary = run(subject.problem, options, {&account});
  Balance balance{.pair = summary.formulation + " " + summary.method,
                  .outcome = summary.outcome,
                  .message = summary.message,
                  .points = account.points(),
                  .worst = account.worst(),
                  .seconds = summary.seconds};
  for (const auto& p : balance.points) balance.errors.push_back(account.error(p));
  return balance;
}

std::string account(const Balance& balance, std::size_t rows) {
  Table table(
      {"t", "kinetic", "potential", "total", "work of drives", "put in by forces", "dissipated", "error"});
  const std::size_t stride = std::max<std::size_t>(1, (balance.points.size() - 1) / rows);
  const auto& last = balance.points.back();
  const double size = 1e-12 * (std::abs(last.drives) + std::abs(last.input) + std::abs(last.dissipated));
  const auto some = [&](double total, double value) {
    return std::abs(total) <= size ? "" : number(value, 7);
  };
  for (std::size_t k = 0; k < balance.points.size(); k += stride) {
    const auto& p = balance.points[k];
    table.add({number(p.t), number(p.kinetic, 7), number(p.potential, 7), number(p.total(), 7),
               some(last.drives, p.drives), some(last.input, p.input), some(last.dissipated, p.dissipated),
               number(balance.errors[k], 2)});
  }
  return shown(table);
}

std::string comparison(const std::vector<Balance>& all) {
  Table table({"pair", "outcome", "largest error", "at the end", "s"});
  for (const auto& b : all)
    table.add({b.pair, std::string(name(b.outcome)), number(b.worst, 3),
               number(b.errors.empty() ? not_a_number : b.errors.back(), 3), number(b.seconds, 2)});
  return shown(table);
}

std::vector<Panel> picture(const Subject& subject, const std::vector<Balance>& all) {
  const auto curve = [](const std::string& name, const Balance& b, auto&& value) {
    Series series{.name = name, .x = {}, .y = {}};
    for (std::size_t k = 0; k < b.points.size(); ++k) {
      series.x.push_back(b.points[k].t);
      series.y.push_back(value(b, k));
    }
    return series;
  };
  Panel energies{
      .title = "energy of " + subject.name, .x_label = "t [s]", .y_label = "energy [J]", .series = {}};
  const auto add = [&](const char* name, auto&& of) {
    Series series =
        curve(name, all.front(), [&](const Balance& b, std::size_t k) { return of(b.points[k]); });
    if (std::any_of(series.y.begin(), series.y.end(), [](double y) { return y != 0; }))
      energies.series.push_back(std::move(series));
  };
  add("kinetic", [](const EnergyPoint& p) { return p.kinetic; });
  add("potential", [](const EnergyPoint& p) { return p.potential; });
  add("total", [](const EnergyPoint& p) { return p.total(); });
  add("work of drives", [](const EnergyPoint& p) { return p.drives; });
  add("put in by forces", [](const EnergyPoint& p) { return p.input; });
  add("dissipated", [](const EnergyPoint& p) { return p.dissipated; });
  Panel errors{
      .title = "total less start and work", .x_label = "t [s]", .y_label = "error [J]", .series = {}};
  for (const auto& b : all)
    errors.series.push_back(curve(b.pair, b, [](const Balance& of, std::size_t k) { return of.errors[k]; }));
  tell_apart(energies, Points::unmarked);
  tell_apart(errors, Points::unmarked);
  return {energies, errors};
}

Json to_json(const Balance& b) {
  Json points = Json::array();
  for (std::size_t k = 0; k < b.points.size(); ++k) {
    const auto& p = b.points[k];
    points.push_back({{"t", p.t},
                      {"kinetic", p.kinetic},
                      {"potential", p.potential},
                      {"drives", p.drives},
                      {"input", p.input},
                      {"dissipated", p.dissipated},
                      {"error", b.errors[k]}});
  }
  return {{"pair", b.pair},       {"outcome", std::string(name(b.outcome))},
          {"message", b.message}, {"largest_error", b.worst},
          {"seconds", b.seconds}, {"points", points}};
}

Status show(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.what});
  const Subject subject = find_subject(call.what, call.set);
  const auto rows = static_cast<std::size_t>(to_count("--output", call.output, 100'000));
  const std::size_t points = call.plot.empty() ? rows : rows * std::max<std::size_t>(1, 400 / rows);
  std::vector<Balance> all;
  for (const auto& method : call.methods.empty() ? std::vector<std::string>{""} : call.methods)
    all.push_back(run_with(call, subject, method, points));
  if (all.front().points.empty())
    throw Error(subject.name + " has no energy to keep account of",
                "mechanical problems and models have; what it says of itself: " + all.front().message);
  if (call.json) {
    Json json = {{"problem", subject.name}, {"runs", Json::array()}};
    for (const auto& b : all) json["runs"].push_back(to_json(b));
    print(json);
  } else {
    std::string text =
        title(subject) + "\nsolved by " + all.front().pair + "\n\n" + account(all.front(), rows);
    if (all.size() > 1) text += "\n" + comparison(all);
    text += "\nThe error is the total less that of the start and the work.\n";
    for (const auto& b : all)
      if (!good(b.outcome)) text += b.pair + " ended early: " + b.message + "\n";
    say_page(text);
  }
  Status status = std::all_of(all.begin(), all.end(), [](const Balance& b) { return good(b.outcome); })
                      ? done
                      : ended_early;
  if (!call.plot.empty())
    status = std::max(status, written([&] { write_picture(call.plot, picture(subject, all)); }));
  return status;
}

Action add_energy(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--formulation", call->formulation, "how the problem is rewritten", "F");
  arguments.list("--method", call->methods, "how steps are made; several, separated by commas, are compared",
                 "M");
  arguments.option("--rtol", call->rtol, "tolerance", "R");
  arguments.option("--step", call->step, "a fixed step, which rattle and discrete-gradient need", "H");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--output", call->output, "how many pieces of equal length the account has (default: 20)",
                   "N");
  arguments.option("--plot", call->plot, "draw energies and errors to a .svg or .png file", "FILE");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_energy() {
  return {
      {.name = "analyse energy",
       .rank = 42,
       .summary = "kinetic, potential, put in and dissipated energy over time, and what methods add to it",
       .examples =
           {"dalembert analyse energy driven-pendulum",
            "dalembert analyse energy pendulum --end 100 --step 0.05 --method rattle,discrete-gradient",
            "dalembert analyse energy models/bushing-pendulum.toml --plot energy.svg --json"},
       .add = add_energy}};
}

}  // namespace dalembert::app
