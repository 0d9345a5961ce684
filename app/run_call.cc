#include "app/run_call.h"

#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert::app {

namespace {

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

}  // namespace

RunSettings settings(const RunCall& call) {
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

void add_options(Arguments& arguments, const std::shared_ptr<RunCall>& call) {
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
                 "absolute tolerance (default: that of --rtol, less for small things); or several, of "
                 "blocks and entries: "
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

std::shared_ptr<RunCall> call_of(const RunResult& result) {
  const auto call = std::make_shared<RunCall>();
  Arguments program("dalembert", "", "");
  Arguments run = program.command("run", "", "");
  add_options(run, call);
  std::vector<const char*> words = {"dalembert"};
  for (const auto& argument : result.head.arguments) words.push_back(argument.c_str());
  if (program.read(static_cast<int>(words.size()), words.data()) != Arguments::Call::read || !run.called())
    throw Error("it was not written by `dalembert run`");
  return call;
}

}  // namespace dalembert::app
