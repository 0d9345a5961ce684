// dalembert run: from arguments to a run, its files and its report.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/run_report.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/csv_writer.h"
#include "dalembert/observe/progress.h"

namespace dalembert::app {

namespace {

/// The arguments, as given; "" where they are not.
struct Call {
  std::string what, formulation, method, controller, end, rtol, atol, step, output, project, most_steps;
  std::vector<std::string> set, option, start, keep, out;
  bool quiet = false, json = false;
};

/// What [run] of a model says holds where the call says nothing. A pair, and a pair of tolerances, is taken as a whole: half
/// of it belongs to nothing else.
void fill_in(Call& call, const std::map<std::string, std::string>& run) {
  const auto take = [&](const char* key, std::string& into) {
    const auto found = run.find(key);
    if (into.empty() && found != run.end()) into = found->second;
  };
  if (call.formulation.empty() && call.method.empty())
    take("formulation", call.formulation), take("method", call.method);
  if (call.rtol.empty() && call.atol.empty()) take("rtol", call.rtol), take("atol", call.atol);
  if (call.step.empty() && call.controller.empty())
    take("step", call.step), take("controller", call.controller);
  take("end", call.end);
  take("output", call.output);
  take("project", call.project);
}

Tolerance tolerance(const Call& call) {
  Tolerance t;
  if (!call.rtol.empty()) {
    t.relative = t.absolute = to_number("--rtol", call.rtol);
    if (t.relative == 0 && call.atol.empty())
      throw Error("--rtol is 0, and --atol follows it unless it is given",
                  "give a positive --rtol, or --atol too");
  }
  if (!call.atol.empty()) t.absolute = to_number("--atol", call.atol);
  t.validate();
  return t;
}

Projection projection(const std::string& text) {
  if (text.empty() || text == "auto") return Projection::automatic;
  if (text == "on") return Projection::on;
  if (text == "off") return Projection::off;
  throw Error("--project is '" + text + "'", "it must be on, off or auto");
}

/// "100" is a number of equal pieces, "0.01" or "1e-2" a distance in time.
std::vector<double> outputs(const Call& call, double begin, double end) {
  if (call.output.empty()) return call.out.empty() ? std::vector<double>{} : output_times(begin, end, 200);
  constexpr double most = 1e7;  // lines nobody reads
  const bool distance = call.output.find_first_of(".eE") != std::string::npos;
  const double value =
      distance ? to_number("--output", call.output) : static_cast<double>(to_count("--output", call.output));
  if (!(value > 0) || !std::isfinite(value))
    throw Error("--output is '" + call.output + "'",
                "it must be a positive distance in time, or a number of pieces");
  const double pieces = distance ? (end - begin) / value : value;
  if (pieces > most)
    throw Error("--output asks for more than 1e7 lines", "take a larger distance or fewer pieces");
  if (!distance) return output_times(begin, end, static_cast<int>(value));
  std::vector<double> times;
  for (int k = 0; k < pieces - 1e-9; ++k) times.push_back(begin + k * value);
  times.push_back(end);
  return times;
}

/// For a partitioned problem that is not taken in one piece, --method names the methods of its fields.
void read_methods(const Call& call, const Problem& problem, RunOptions& o) {
  o.request = {call.formulation, call.method};
  const bool in_fields =
      problem.kind() == Kind::partitioned &&
      (call.formulation.empty() || call.formulation == "auto" || call.formulation == "fields");
  if (!in_fields || call.method.empty() || call.method == "auto" || call.method == "window-iteration") return;
  o.request = {"fields", "window-iteration"};
  std::istringstream list(call.method);
  for (std::string name; std::getline(list, name, ',');) o.fields.push_back(name);
}

/// name=value, where the value of a choice may be its name.
std::map<std::string, double> read_options(const std::vector<std::string>& texts, const Pair& pair) {
  std::map<std::string, double> all;
  for (const auto& text : texts) {
    const std::string name = text.substr(0, text.find('='));
    const Parameter* chosen = nullptr;
    for (const auto* known : {&pair.formulation->options, &pair.method->options})
      for (const auto& p : *known)
        if (p.name == name && !p.choices.empty()) chosen = &p;
    const std::string value = text.size() > name.size() ? text.substr(name.size() + 1) : "";
    if (chosen != nullptr && value.find_first_not_of("0123456789") != std::string::npos)
      all[name] = choice(*chosen, value);
    else
      all.merge(to_assignments("--option", {text}));
  }
  return all;
}

RunOptions options(const Call& call, const Problem& problem) {
  RunOptions o;
  read_methods(call, problem, o);
  o.tolerance = tolerance(call);
  if (!call.end.empty()) o.end = to_number("--end", call.end);
  if (!call.step.empty()) o.step = to_number("--step", call.step);
  if (!call.controller.empty())
    o.control = find_control(call.controller);
  else if (o.step)
    o.control = Control::fixed;
  o.options = read_options(call.option, choose_pair(problem, o.request, o.tolerance).pair);
  o.start = to_assignments("--start", call.start);
  for (const auto& label : call.keep) o.consistent.weights[label] = std::numeric_limits<double>::infinity();
  o.projection = projection(call.project);
  if (!call.most_steps.empty()) o.most_steps = to_count("--max-steps", call.most_steps);
  const double begin = problem.start().t, end = o.end.value_or(problem.end());
  if (end > begin && std::isfinite(end))
    o.outputs = outputs(call, begin, end);  // run() says what is wrong otherwise
  return o;
}

/// Before any file is opened, and so before any is lost: is the rest of the call right?
void check(const Problem& problem, const RunOptions& options) {
  choose_pair(problem, options.request, options.tolerance);
  const double begin = problem.start().t, end = options.end.value_or(problem.end());
  if (!(end > begin))
    throw Error("the end " + number(end) + " is not after the start " + number(begin),
                "give --end a larger time");
}

std::vector<std::unique_ptr<CsvWriter>> writers(const Call& call, const Subject& subject) {
  for (const auto& file : call.out)
    if (const std::string suffix = std::filesystem::path(file).extension().string(); suffix != ".csv")
      throw Error("--out '" + file + "': files of kind '" + suffix + "' are not written",
                  "end the name in .csv");
  std::vector<std::unique_ptr<CsvWriter>> all;
  for (const auto& file : call.out)
    all.push_back(std::make_unique<CsvWriter>(file, subject.problem->report(),
                                              subject.model ? subject.model->watches : std::vector<Watch>{}));
  return all;
}

Status simulate(Call call) {
  const Subject subject = find_subject(call.what, call.set);
  if (subject.model) fill_in(call, subject.model->run);
  const auto& problem = subject.problem;
  RunOptions o = options(call, *problem);
  check(*problem, o);
  o.interrupt = &watch_for_interrupt();

  Monitor monitor;
  Progress progress(problem->start().t, o.end.value_or(problem->end()));
  const auto files = writers(call, subject);
  std::vector<Observer*> observers = {&monitor};
  if (!call.quiet) observers.push_back(&progress);
  for (const auto& file : files) observers.push_back(file.get());

  const Summary summary = run(problem, o, observers);
  const RunReport report{subject, summary, monitor, call.out};
  if (call.json)
    print(to_json(report));
  else if (!call.quiet)
    std::cout << text(report);
  if (good(summary.outcome)) return done;
  if (call.json || call.quiet)
    std::cerr << "dalembert: " << name(summary.outcome) << ", " << summary.message << "\n";
  return ended_early;
}

}  // namespace

Action add_run(CLI::App& app) {
  const auto call = std::make_shared<Call>();
  add_subject(app, call->what, call->set);
  app.add_option("--formulation", call->formulation,
                 "how the problem is rewritten (otherwise chosen, and said why)")
      ->type_name("F");
  app.add_option(
         "--method", call->method,
         "how a step is attempted (otherwise chosen, and said why); of a partitioned problem: one method for "
         "all fields or one each, with their substeps, as in trapezoid:10,rk4:20")
      ->type_name("M");
  app.add_option("--controller", call->controller, "fixed, i or pi (pi unless --step is given)")
      ->type_name("C");
  app.add_option("--end", call->end, "the time to stop at (otherwise the problem's own)")->type_name("T");
  app.add_option("--rtol", call->rtol, "relative tolerance (1e-6)")->type_name("R");
  app.add_option("--atol", call->atol, "absolute tolerance (that of --rtol)")->type_name("A");
  app.add_option("--step", call->step, "the fixed step; with --controller i or pi the first one")
      ->type_name("H");
  app.add_option("--output", call->output,
                 "N: so many pieces of equal length; 0.01 or 1e-2: a distance in time (200 pieces if there "
                 "is an --out)")
      ->type_name("N|DT");
  const auto several = [&](const char* option, std::vector<std::string>& into, const char* meaning) {
    app.add_option(option, into, meaning)->allow_extra_args(false)->type_name("NAME=VALUE");
  };
  several("--option", call->option, "an option of the method or formulation; several times for several");
  several("--start", call->start, "an initial value, for instance q.x=1; several times for several");
  app.add_option(
         "--keep", call->keep,
         "an initial value that is not to be moved if the start does not satisfy the constraints; several "
         "times for several")
      ->allow_extra_args(false)
      ->type_name("NAME");
  app.add_option("--project", call->project, "on, off or auto: return onto the constraints after each step")
      ->type_name("on|off|auto");
  app.add_option("--out", call->out, "a .csv file for the output; several times for several")
      ->allow_extra_args(false)
      ->type_name("FILE");
  app.add_option("--max-steps", call->most_steps, "steps after which to give up (10000000)")->type_name("N");
  app.add_flag("--quiet", call->quiet, "no progress, no summary");
  app.add_flag("--json", call->json, "print JSON");
  return [call] { return simulate(*call); };
}

}  // namespace dalembert::app
