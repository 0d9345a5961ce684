// dalembert run: from arguments to a run, its files and its report.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/advice.h"
#include "app/certificate.h"
#include "app/interrupt.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/run_call.h"
#include "app/run_plot.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/state_files.h"
#include "app/text.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/balance.h"
#include "dalembert/observe/progress.h"

namespace dalembert::app {

namespace {

/// The files may be written, each of them once. Throws Error.
void check_files(const RunCall& call, const Resumption* resumed) {
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
  Watchers(const RunCall& call, const Subject& subject, const RunOptions& o, const RunHead& head,
           const Resumption* resumed, std::vector<double> rows)
      : monitor(o.tolerance),
        progress(begin_time(o.start, *subject.problem), o.end.value_or(subject.problem->end()),
                 call.verbose ? Progress::Elsewhere::lines : Progress::Elsewhere::nothing),
        follower(subject.watches()),
        files(call.files, head, subject, monitor, resumed) {
    all = {&monitor, &follower};
    if (subject.model) all.push_back(&references.emplace(*subject.model, o.tolerance.relative));
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
  std::optional<ReferenceCheck> references{};
  std::optional<RunRecorder> recorder{};
  std::optional<RunPlot> plot{};
  std::optional<StateKeeper> state{};
  std::vector<Observer*> all;
};

/// As many digits as the tolerance promises, at the end only.
Certificate certified(const RunCall& call, const Subject& subject, const RunOptions& run) {
  CertifyOptions options = certify_options(subject, run);
  options.run.outputs.clear();
  if (run.tolerance.relative > 0)
    options.digits = std::clamp(static_cast<int>(std::lround(-std::log10(run.tolerance.relative))), 1, 12);
  if (call.quiet) options.progress = {};
  return certify(subject.problem, options);
}

/// Throws Error unless the state is one of the run.
void check_state_time(const RunCall& call, const RunOptions& o, const Problem& problem) {
  const auto t = to_state_name(call.save_state).t;
  const double begin = begin_time(o.start, problem), end = o.end.value_or(problem.end());
  if (t && (*t < begin || *t > end))
    throw Error("--save-state asks for t = " + full_number(*t) + ", and the run goes from " +
                    full_number(begin) + " to " + full_number(end),
                "give a time in between");
}

}  // namespace

Status simulate(const RunCall& call, const std::vector<std::string>& arguments, const Resumption* resumed) {
  const Subject subject =
      find_subject(call.what, call.set, resumed != nullptr ? text_of_model(resumed->result) : std::nullopt);
  const auto& problem = subject.problem;
  RunSettings mine = settings(call);
  if (!call.from_state.empty()) {
    const StateName left = to_state_name(call.from_state);
    mine.start.merge(read_state(left, *problem));
    go_on(subject.watches(), left);
  }
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
  std::vector<Comparison> references;
  if (watchers->references) {
    weigh(*watchers->references, summary);
    references = watchers->references->compared();
  }
  if (call.as_typed) summary.message = call.as_typed(summary.message);
  if (!call.quiet || call.json) advise(subject, summary);
  std::optional<Certificate> certificate;
  std::vector<std::string> trouble;  // with files
  std::vector<std::string> whole = watchers->files.finish(
      {subject, summary, watchers->monitor, {}, certificate, estimate, references}, trouble);
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
  RunReport report{subject, summary, watchers->monitor, whole, certificate, estimate, references};
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

namespace {

Action add_run(Arguments& arguments) {
  const auto call = std::make_shared<RunCall>();
  add_options(arguments, call);
  call->as_typed = [arguments](const std::string& sentence) { return arguments.as_typed(sentence); };
  return [call] { return simulate(*call, call_arguments(), nullptr); };
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
