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
#include "app/run_files.h"
#include "app/run_plot.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/state_files.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/balance.h"
#include "dalembert/observe/progress.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what;
  SettingTexts settings;
  std::string end, step, max_step, controller, output, project, singular, dependent, most_steps, accuracy;
  std::string plot, save_state, from_state;
  std::vector<std::string> atol, set, option, start, keep, at, of;
  FileCall files;
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
  if (!call.output.empty() && !call.at.empty())
    throw Error("--output and --at are given", "give one of them");
  if (!call.at.empty()) s.output = OutputSetting{OutputSetting::By::times};
  for (const auto& text : call.at) s.output->at.push_back(to_number("--at", text));
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
void check_files(const Call& call, const Resumption* resumed) {
  std::vector<Output> wanted;
  const auto want = [&](const std::string& option, const std::string& file) {
    try {
      wanted.push_back({option, file, find_format(file).suffix});
    } catch (const Error& error) {
      throw Error(option + " '" + file + "': " + error.what(), error.hint());
    }
  };
  for (const auto& file : call.files.out) want("--out", file);
  if (!call.save_state.empty()) want("--save-state", to_state_name(call.save_state).file);
  wanted.push_back(page_output(call.page));
  if (!call.plot.empty()) wanted.push_back(picture_output("--plot", call.plot));
  std::vector<std::string> read = {call.what};
  if (!call.from_state.empty() && resumed == nullptr) read.push_back(to_state_name(call.from_state).file);
  check_outputs(wanted, read);
}

/// Those who watch one run.
struct Watchers {
  /// The page has these rows; none: the outputs.
  Watchers(const Call& call, const Subject& subject, const RunOptions& o, const RunHead& head,
           const Resumption* resumed, std::vector<double> rows)
      : monitor(o.tolerance),
        progress(begin_time(o.start, *subject.problem), o.end.value_or(subject.problem->end()),
                 call.verbose ? Progress::Elsewhere::lines : Progress::Elsewhere::nothing),
        follower(subject.watches()),
        files(call.files, head, subject, monitor, resumed) {
    all = {&monitor, &follower};
    if (!call.quiet) all.push_back(&progress);
    if (!call.page.file.empty())
      all.push_back(&recorder.emplace(*subject.problem, subject.watches(), &monitor, std::move(rows)));
    if (!call.plot.empty()) {
      plot.emplace(subject, call.of, monitor);
      all.push_back(&*plot);
    }
    files.observe(all);
    if (!call.save_state.empty()) all.push_back(&state.emplace(to_state_name(call.save_state), subject));
  }

  Monitor monitor;
  Progress progress;
  WatchFollower follower;
  RunFiles files;
  std::optional<RunRecorder> recorder{};
  std::optional<RunPlot> plot{};
  std::optional<StateKeeper> state{};
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

/// Throws Error unless the state is one of the run.
void check_state_time(const Call& call, const RunOptions& o, const Problem& problem) {
  const auto t = to_state_name(call.save_state).t;
  const double begin = begin_time(o.start, problem), end = o.end.value_or(problem.end());
  if (t && (*t < begin || *t > end))
    throw Error("--save-state asks for t = " + full_number(*t) + ", and the run goes from " +
                    full_number(begin) + " to " + full_number(end),
                "give a time in between");
}

Status simulate(const Call& call, const std::vector<std::string>& arguments, const Resumption* resumed) {
  const Subject subject =
      find_subject(call.what, call.set, resumed != nullptr ? text_of_model(resumed->result) : std::nullopt);
  const auto& problem = subject.problem;
  RunSettings mine = settings(call);
  if (!call.from_state.empty()) mine.start.merge(read_state(to_state_name(call.from_state), *problem));
  RunSettings all = merge(mine, subject.settings());
  const bool outputs_given = all.output.has_value();
  if (!all.output && !call.files.out.empty()) all.output = OutputSetting{OutputSetting::By::pieces, 200};
  RunOptions o = resolve(all, *problem).options;
  o.interrupt = &watch_for_interrupt();
  if (resumed != nullptr) o.resume = std::make_shared<Checkpoint>(*resumed->result.checkpoint);

  check_files(call, resumed);
  check_state_time(call, o, *problem);
  if (!call.of.empty() && call.plot.empty())
    throw Error("--of says what to draw, but not where", "add --plot FILE.svg");
  const RunHead head = head_of(subject, o, arguments);
  std::unique_ptr<Watchers> watchers;
  const auto audience = [&] {
    watchers.reset();  // a file is closed before it is written again
    watchers = std::make_unique<Watchers>(call, subject, o, head, resumed,
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
  std::optional<Certificate> certificate;
  std::vector<std::string> trouble;  // with files
  std::vector<std::string> whole =
      watchers->files.finish({subject, summary, watchers->monitor, {}, certificate, estimate}, trouble);
  if (watchers->state) try {
      watchers->state->finish(summary.state);
      whole.push_back(to_state_name(call.save_state).file);
    } catch (const Error& error) {
      trouble.emplace_back(error.what());
    }
  if (call.certify && good(summary.outcome)) certificate = certified(call, subject, o);
  Status status = done;
  if (watchers->plot) {
    status = written([&] { write_picture(call.plot, watchers->plot->panels()); });
    if (status == done) whole.push_back(call.plot);
  }
  RunReport report{subject, summary, watchers->monitor, whole, certificate, estimate};
  if (watchers->recorder) {
    const PageRun page = page_run(report, watchers->recorder->take(summary), o.tolerance);
    const Status paged = write_page(call.page, {page});
    if (paged == done) report.files.push_back(call.page.file);
    status = std::max(status, paged);
  }
  if (call.json)
    print(to_json(report));
  else if (!call.quiet)
    say(text(report));
  if (good(summary.outcome) && estimate && !estimate->reached()) {
    complain(sentence(*estimate));
    return ended_early;
  }
  for (const auto& sentence : trouble)
    if (summary.outcome != Outcome::output_failed) complain(sentence);  // which has said so
  if (!trouble.empty()) status = ended_early;
  if (good(summary.outcome)) return status;
  if (call.json || call.quiet) complain(std::string(name(summary.outcome)) + ", " + summary.message);
  return ended_early;
}

void add_options(Arguments& arguments, const std::shared_ptr<Call>& call) {
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
      "when outputs are made: a whole number of equal pieces, a time between outputs (0.01, or with a "
      "unit: 2s), or step for each step (default: 200 pieces if --out is given; a page has 1000 rows)",
      "N|DT|step");
  arguments.list("--at", call->at, "outputs at these times: 0,0.1,0.25", "T");
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
  arguments.option(
      "--out", call->files.out,
      "write the outputs to a file, .csv, .h5, .npz or .mat (may be repeated); of an .h5 file an "
      "interrupted run can be resumed",
      "FILE");
  arguments.option("--names", call->files.names,
                   "of columns in .csv files: full (q.crank.x [m]) or safe (q_crank_x) (default: full)",
                   "full|safe");
  arguments.option("--units", call->files.units,
                   "of columns in .csv files: with the names, or in a line of their own (default: names)",
                   "names|line");
  arguments.option(
      "--checkpoint", call->files.every,
      "how many seconds of work may be lost when a run that writes an .h5 file is killed (default: 2)", "S");
  arguments.option("--save-state", call->save_state,
                   "write the state at the end, or at a time, to a file of one row", "FILE[:T]");
  arguments.option(
      "--from-state", call->from_state,
      "begin with a state, and its time, from an .h5 or .csv file: the last one, or that of an output",
      "FILE[:T]");
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
}

Action add_run(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_options(arguments, call);
  return [call] { return simulate(*call, call_arguments(), nullptr); };
}

/// The call that a file was made by.
std::shared_ptr<Call> call_of(const RunResult& result) {
  const auto call = std::make_shared<Call>();
  Arguments program("dalembert", "", "");
  Arguments run = program.command("run", "", "");
  add_options(run, call);
  std::vector<const char*> words = {"dalembert"};
  for (const auto& argument : result.head.arguments) words.push_back(argument.c_str());
  if (program.read(static_cast<int>(words.size()), words.data()) != Arguments::Call::read || !run.called())
    throw Error("it was not written by `dalembert run`");
  return call;
}

struct ResumeCall {
  std::string file;
  bool quiet = false, json = false;
};

Status resume(const ResumeCall& mine) {
  const Resumption resumption = read_resumption(mine.file);
  const auto call = call_of(resumption.result);
  if (!call->accuracy.empty())
    throw Error("a run with --accuracy is several runs, and cannot be resumed", "run it again");
  call->quiet = mine.quiet;
  call->json = mine.json;
  std::error_code none;
  std::filesystem::current_path(resumption.result.head.folder, none);  // names of files are seen from there
  const auto same = std::find_if(
      call->files.out.begin(), call->files.out.end(),
      [&](const std::string& file) { return behind_links(file) == behind_links(resumption.file); });
  if (same == call->files.out.end()) {  // it was moved here
    std::erase_if(call->files.out, [](const std::string& file) { return file.ends_with(".h5"); });
    call->files.out.push_back(resumption.file);
  }
  return simulate(*call, resumption.result.head.arguments, &resumption);
}

Action add_resume(Arguments& arguments) {
  const auto call = std::make_shared<ResumeCall>();
  arguments.required_word("FILE", call->file,
                          "an .h5 file of a run that was interrupted; the run goes on in it");
  arguments.flag("--quiet", call->quiet, "show neither progress nor report");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return resume(*call); };
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
           .add = add_run},
          {.name = "resume",
           .rank = 11,
           .summary = "go on with a run that was interrupted or killed, in its .h5 file",
           .examples = {"dalembert resume long.h5"},
           .add = add_resume}};
}

}  // namespace dalembert::app
