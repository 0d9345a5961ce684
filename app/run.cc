// dalembert run: from arguments to a run, its files and its report.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/advice.h"
#include "app/certificate.h"
#include "app/commands.h"
#include "app/interrupt.h"
#include "app/outputs.h"
#include "app/page_file.h"
#include "app/picture.h"
#include "app/run_plot.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/balance.h"
#include "dalembert/observe/csv_writer.h"
#include "dalembert/observe/progress.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what;
  SettingTexts settings;
  std::string end, step, max_step, controller, output, project, singular, dependent, most_steps, accuracy;
  std::string plot;
  std::vector<std::string> atol, set, option, start, keep, out, of;
  PageFile page;
  bool quiet = false, verbose = false, json = false, certify = false;
};

/// name=value, where the value may be the name of a choice.
std::pair<std::string, std::variant<double, std::string>> to_option(const std::string& text) {
  const auto [name, value] = to_assignment("--option", text);
  if (const auto number = number_in(value)) return {name, *number};
  return {name, value};
}

/// "1e-6" is for all entries that have no name, "v=1e-4" for those of v, "q.crank.x=1e-9" for one.
void read_tolerances(const std::vector<std::string>& texts, RunSettings& s) {
  for (const auto& text : texts) {
    if (text.find('=') == std::string::npos) {
      if (s.atol) throw Error("--atol is given more than once for all entries", "give it once");
      s.atol = to_number("--atol", text);
      continue;
    }
    const auto [name, value] = to_assignment("--atol", text);
    if (!s.atol_of.emplace(name, to_number("--atol " + name, value)).second)
      throw Error("--atol " + name + " is given more than once", "give it once");
  }
}

RunSettings settings(const Call& call) {
  RunSettings s = to_settings(call.settings);
  const auto number = [](const char* option, const std::string& text, std::optional<double>& into) {
    if (!text.empty()) into = to_number(option, text);
  };
  number("--end", call.end, s.end);
  read_tolerances(call.atol, s);
  if (!call.accuracy.empty() && s.rtol)
    throw Error("--accuracy and --rtol are given, but an accuracy finds its tolerance", "give one of them");
  number("--accuracy", call.accuracy, s.rtol);
  constexpr double finest = 1e-13;  // runs with the next tighter tolerance show the error
  if (!call.accuracy.empty() && !(*s.rtol >= finest && *s.rtol < 1))
    throw Error("--accuracy is " + call.accuracy,
                "it must be from 1e-13, beyond which double precision shows nothing, to less than 1, for "
                "instance 1e-6");
  number("--step", call.step, s.step);
  number("--max-step", call.max_step, s.max_step);
  number("--dependent", call.dependent, s.dependent);
  if (!call.controller.empty()) s.controller = find_control(call.controller);
  if (!call.output.empty()) s.output = to_output(call.output);
  if (!call.project.empty()) s.project = find_projection(call.project);
  if (!call.singular.empty()) s.singular = find_singular(call.singular);
  if (!call.most_steps.empty()) s.most_steps = to_count("--max-steps", call.most_steps, 1'000'000'000'000);
  for (const auto& text : call.option)
    if (const auto option = to_option(text); !s.options.insert(option).second)
      throw Error("--option " + option.first + " is given more than once", "give it once");
  s.start = to_assignments("--start", call.start);
  s.keep = call.keep;
  return s;
}

/// The files may be written, each of them once. Throws Error.
void check_files(const Call& call) {
  std::vector<Output> wanted;
  for (const auto& file : call.out) wanted.push_back({"--out", file, ".csv"});
  wanted.push_back(page_output(call.page));
  if (!call.plot.empty()) wanted.push_back(picture_output("--plot", call.plot));
  check_outputs(wanted, {call.what});
}

/// Those who watch one run.
struct Watchers {
  /// The page has these rows; none: the outputs.
  Watchers(const Call& call, const Subject& subject, const RunOptions& o, std::vector<double> rows)
      : monitor(o.tolerance),
        progress(begin_time(o.start, *subject.problem), o.end.value_or(subject.problem->end()),
                 call.verbose ? Progress::Elsewhere::lines : Progress::Elsewhere::nothing),
        follower(subject.watches()) {
    all = {&monitor, &follower};
    if (!call.quiet) all.push_back(&progress);
    if (!call.page.file.empty())
      all.push_back(&recorder.emplace(*subject.problem, subject.watches(), &monitor, std::move(rows)));
    if (!call.plot.empty()) {
      plot.emplace(subject, call.of, monitor);
      all.push_back(&*plot);
    }
    for (const auto& file : call.out) {
      files.push_back(std::make_unique<CsvWriter>(file, subject.problem->report(), subject.watches()));
      all.push_back(files.back().get());
    }
  }

  Monitor monitor;
  Progress progress;
  WatchFollower follower;
  std::optional<RunRecorder> recorder{};
  std::optional<RunPlot> plot{};
  std::vector<std::unique_ptr<CsvWriter>> files{};
  std::vector<Observer*> all;
};

/// As many digits as the tolerance promises, at the end only.
Certificate certified(const Call& call, const Subject& subject, const RunOptions& run) {
  CertifyOptions options = certify_options(subject, run);
  options.run.outputs.clear();
  if (run.tolerance.relative > 0)
    options.digits = std::clamp(static_cast<int>(std::lround(-std::log10(run.tolerance.relative))), 1, 12);
  if (call.quiet) options.progress = {};
  return certify(subject.problem, options);
}

Status simulate(const Call& call) {
  const Subject subject = find_subject(call.what, call.set);
  RunSettings all = merge(settings(call), subject.settings());
  const bool outputs_given = all.output.has_value();
  if (!all.output && !call.out.empty()) all.output = OutputSetting{OutputSetting::By::pieces, 200};
  const auto& problem = subject.problem;
  RunOptions o = resolve(all, *problem).options;
  o.interrupt = &watch_for_interrupt();

  check_files(call);
  if (!call.of.empty() && call.plot.empty())
    throw Error("--of says what to draw, but not where", "add --plot FILE.svg");
  std::unique_ptr<Watchers> watchers;
  const auto audience = [&] {
    watchers.reset();  // a file is closed before it is written again
    watchers = std::make_unique<Watchers>(call, subject, o,
                                          outputs_given ? std::vector<double>{} : page_rows(*problem, o));
    return watchers->all;
  };
  std::optional<ErrorEstimate> estimate;
  Summary summary;
  if (call.accuracy.empty()) {
    summary = run(problem, o, audience());
  } else {
    AccurateRun accurate = run_accurately(problem, o, o.tolerance.relative, audience);
    summary = std::move(accurate.summary);
    estimate = std::move(accurate.estimate);
  }
  weigh(watchers->monitor, summary);
  if (!call.quiet || call.json) advise(subject, summary);
  std::vector<std::string> whole;  // a file that was cut off is not
  for (std::size_t i = 0; i < call.out.size(); ++i)
    if (watchers->files[i]->status() == Outcome::ok) whole.push_back(call.out[i]);
  Status files = done;
  if (watchers->plot) {
    files = written([&] { write_picture(call.plot, watchers->plot->panels()); });
    if (files == done) whole.push_back(call.plot);
  }
  std::optional<Certificate> certificate;
  if (call.certify && good(summary.outcome)) certificate = certified(call, subject, o);
  RunReport report{subject, summary, watchers->monitor, whole, certificate, estimate};
  Status status = done;
  if (watchers->recorder) {
    const PageRun page = page_run(report, watchers->recorder->take(summary), o.tolerance);
    status = write_page(call.page, {page});
    if (status == done) report.files.push_back(call.page.file);
  }
  if (call.json)
    print(to_json(report));
  else if (!call.quiet)
    say(text(report));
  if (good(summary.outcome) && estimate && !estimate->reached()) {
    complain(sentence(*estimate));
    return ended_early;
  }
  if (good(summary.outcome)) return std::max(status, files);
  if (call.json || call.quiet) complain(std::string(name(summary.outcome)) + ", " + summary.message);
  return ended_early;
}

Action add_run(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--formulation", call->settings.formulation,
                   "how the problem is rewritten (default: chosen, and the report says why)", "F");
  arguments.option(
      "--method", call->settings.method,
      "how steps are made (default: chosen, and the report says why); for a partitioned problem one "
      "method for all fields, or one for each, with their substeps: trapezoid:10,rk4:20",
      "M");
  arguments.option("--controller", call->controller,
                   "how the step size is chosen: fixed, i or pi (default: pi; fixed if --step is given)",
                   "C");
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--rtol", call->settings.rtol, "relative tolerance (default: 1e-6)", "R");
  arguments.list("--atol", call->atol,
                 "absolute tolerance (default: that of --rtol); or several, of blocks and entries: "
                 "1e-6,v=1e-4,q.crank.x=1e-9",
                 "A");
  arguments.option("--accuracy", call->accuracy,
                   "instead of --rtol: run again with tighter tolerances until the error at the outputs and "
                   "the end is estimated to be no more than this",
                   "R");
  arguments.option("--step", call->step, "the fixed step; with --controller i or pi, the first step", "H");
  arguments.option("--max-step", call->max_step,
                   "no step is longer, except one over a singular position (default: no limit)", "H");
  arguments.option(
      "--output", call->output,
      "output times: a whole number of equal intervals, or a time between outputs, written with a point "
      "or an exponent (default: 200 intervals if --out is given; a page has 1000 rows)",
      "N|DT");
  arguments.option("--option", call->option, "set an option of the method or formulation (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--start", call->start,
                   "set an initial value, for instance q.x=1, or t=2 to begin there (may be repeated)",
                   "NAME=VALUE");
  arguments.option(
      "--keep", call->keep,
      "an initial value that must not change when the start is made consistent (may be repeated)", "NAME");
  arguments.option("--project", call->project,
                   "return to the constraints after each step (default: auto, if the formulation drifts)",
                   "on|off|auto");
  arguments.option("--singular", call->singular,
                   "what is done about positions where constraint rows become dependent: watch looks for "
                   "them and passes them, ignore does not look, stop ends the run before the first one "
                   "(default: watch)",
                   "watch|ignore|stop");
  arguments.option("--dependent", call->dependent,
                   "constraint rows of unit length that stick out of the span of others by less than this "
                   "follow from them (default: as exactly as the mechanism is drawn)",
                   "D");
  arguments.option("--out", call->out, "write the solution to a .csv file (may be repeated)", "FILE");
  add_page(arguments, call->page);
  arguments.option("--plot", call->plot,
                   "draw what --of names to a .svg or .png file (default: positions and watches)", "FILE");
  arguments.list("--of", call->of,
                 "what --plot draws, separated by commas: entries (q.x), blocks or bodies (v, q.crank), "
                 "watches, step, order, drift; q.x:v.x draws the second over the first",
                 "NAME");
  arguments.option("--max-steps", call->most_steps, "give up after this many steps (default: 10000000)", "N");
  arguments.flag("--certify", call->certify,
                 "solve the problem in several other ways too, and print which digits of the end are right");
  arguments.flag("-v,--verbose", call->verbose,
                 "say every few seconds how far it has come, where no terminal shows it");
  arguments.flag("--quiet", call->quiet, "show neither progress nor report");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return simulate(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_run() {
  return {{.name = "run",
           .rank = 10,
           .summary = "simulate a model file or a problem of the catalogue",
           .examples = {"dalembert run pendulum",
                        "dalembert run models/slider-crank.toml --set l2=0.5 --out crank.csv",
                        "dalembert run andrews --method dop853 --rtol 1e-10 --out andrews.csv",
                        "dalembert run models/excavator.toml --report excavator.html",
                        "dalembert run pendulum --set l=2 --start q.x=2 --end 20 --json",
                        "dalembert run double-pendulum --end 5 --accuracy 1e-8",
                        "dalembert run double-pendulum --end 5 --plot swing.svg --of q,step,drift",
                        "dalembert run wang-hou-modnak --method trapezoid:10,rk4:20 --step 0.5 --option "
                        "splitting=first"},
           .add = add_run}};
}

}  // namespace dalembert::app
