// dalembert analyse growth: how much a problem itself multiplies a small error.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/table.h"
#include "dalembert/observe/accuracy/growth.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end, moments = "8", directions = "4", size = "1e-6", limit = "20";
  SettingTexts settings;
  std::vector<std::string> set, start;
  bool json = false, quiet = false;
};

GrowthOptions options(const Call& call, const Subject& subject) {
  RunSettings mine = to_settings(call.settings);
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  mine.start = to_assignments("--start", call.start);
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();
  all.step.reset(), all.controller.reset();
  GrowthOptions o;
  o.run = resolve(all, *subject.problem).options;
  o.run.interrupt = &watch_for_interrupt();
  o.moments = static_cast<int>(to_count("--moments", call.moments, 1000));
  o.directions = static_cast<int>(to_count("--directions", call.directions, 1000));
  o.size = to_number("--size", call.size);
  o.limit = to_number("--limit", call.limit);
  if (!call.quiet) o.progress = tell;
  return o;
}

std::string table(const Growth& growth) {
  Table all({"t", "from the start until then", "from then to the end", "from then, at most"});
  for (const auto& m : growth.moments)
    all.add({number(m.t), number(m.from_start, 3), number(m.to_end, 3), number(m.largest, 3)});
  return shown(all);
}

Json to_json(const Growth& growth) {
  Json moments = Json::array();
  for (const auto& m : growth.moments)
    moments.push_back(
        {{"t", m.t}, {"from_start", m.from_start}, {"to_end", m.to_end}, {"largest", m.largest}});
  return {{"formulation", growth.formulation}, {"method", growth.method},   {"size", growth.size},
          {"from_start", growth.from_start()}, {"worst", growth.worst()},   {"saturated", growth.saturated},
          {"determined", growth.determined},   {"why_not", growth.why_not}, {"moments", moments}};
}

Status show(const Call& call) {
  const Subject subject = find_subject(call.what, call.set);
  const Growth growth = measure_growth(subject.problem, options(call, subject));
  if (call.json) {
    Json json = {{"problem", subject.name}};
    json.update(to_json(growth));
    print(json);
  } else {
    say(title(subject) + "\n" + sentence(growth) + "\n" +
        (growth.why_not.empty() ? "\n" + table(growth) : ""));
  }
  return growth.why_not.empty() ? done : ended_early;
}

Action add_growth(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--formulation", call->settings.formulation, "how the problem is rewritten", "F");
  arguments.option("--method", call->settings.method, "how steps are made", "M");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--moments", call->moments, "times at which errors are made (default: 8)", "N");
  arguments.option("--directions", call->directions, "random errors at each of them (default: 4)", "N");
  arguments.option("--size", call->size, "of the errors, |difference|/(1+|value|) (default: 1e-6)", "S");
  arguments.option("--limit", call->limit, "abandon a run after this many processor seconds (default: 20)",
                   "S");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_growth() {
  return {{.name = "analyse growth",
           .rank = 15,
           .summary = "how much a problem itself multiplies a small error, from any time to the end",
           .examples = {"dalembert analyse growth double-pendulum --end 5",
                        "dalembert analyse growth models/slider-crank.toml --json"},
           .add = add_growth}};
}

}  // namespace dalembert::app
