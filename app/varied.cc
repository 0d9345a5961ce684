#include "app/varied.h"

#include <algorithm>

#include "app/interrupt.h"
#include "app/quantity.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

RunSettings without_end(RunSettings settings) {
  settings.end.reset();
  return settings;
}

}  // namespace

void add_varied(Arguments& arguments, VariedCall& call, const std::string& usual_rtol) {
  add_subject(arguments, call.what, call.set);
  arguments.option("--formulation", call.settings.formulation,
                   "how the problem is rewritten (default: chosen)", "F");
  arguments.option("--method", call.settings.method, "how steps are made (default: chosen)", "M");
  arguments.option("--rtol", call.settings.rtol, "relative tolerance (default: " + usual_rtol + ")", "R");
  arguments.option("--start", call.start, "set an initial value of all runs (may be repeated)", "NAME=VALUE");
}

void add_end(Arguments& arguments, VariedCall& call) {
  arguments.option("--end", call.end, "the time to stop at (default: that of the problem)", "T");
}

RunOptions options(const VariedCall& call, const RunSettings& of_file, const Problem& problem) {
  RunSettings mine = to_settings(call.settings);
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  mine.start = to_assignments("--start", call.start);
  RunSettings all = merge(mine, of_file);
  all.output.reset();
  if (!mine.end) all.end.reset();
  RunOptions o = resolve(all, problem).options;
  o.interrupt = &watch_for_interrupt();
  return o;
}

ProblemMakers makers(const VariedCall& call, const Subject& subject) {
  const Values base = to_parameters(call.set);
  if (!subject.model)
    return [=, name = subject.name]() -> ProblemMaker {
      return [=](const Values& varied) {
        Values set = varied;
        set.insert(base.begin(), base.end());
        return SweepProblem{make_problem(name, set)};
      };
    };
  const RunSettings usual = without_end(subject.model->run);
  return [=, &call]() -> ProblemMaker {
    const auto family = std::make_shared<ModelFamily>(ModelFamily::from_file(call.what));
    return [=, &call](const Values& varied) {
      Values set = varied;
      set.insert(base.begin(), base.end());
      Model model = family->model(set);
      SweepProblem made{model.problem(), std::move(model.watches)};
      if (without_end(model.run) != usual) made.options = options(call, model.run, *made.problem);
      return made;
    };
  };
}

const std::vector<Parameter>& parameters_of(const Subject& subject) {
  return subject.model ? subject.model->parameters : find_problem(subject.name).parameters;
}

void check_parameter(const Subject& subject, const std::string& name) {
  if (name.find('.') != std::string::npos) return;
  std::vector<std::string> known;
  for (const Parameter& p : parameters_of(subject)) known.push_back(p.name);
  if (std::find(known.begin(), known.end(), name) == known.end()) throw unknown("parameter", name, known);
}

}  // namespace dalembert::app
