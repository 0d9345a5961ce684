// dalembert analyse order: errors of a problem with a formulation and a method while fixed steps are halved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/convergence.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end, steps = "20", halvings = "7", limit = "20", plot;
  SettingTexts settings;
  std::vector<std::string> set, start, options;
  bool json = false, quiet = false;
};

ConvergenceOptions options(const Call& call, const Subject& subject) {
  RunSettings mine = to_settings(call.settings);
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  mine.start = to_assignments("--start", call.start);
  for (const auto& [name, value] : to_assignments("--option", call.options)) mine.options[name] = value;
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();
  all.controller.reset();
  ConvergenceOptions o;
  o.pieces = static_cast<int>(to_count("--steps", call.steps, 100'000));
  o.halvings = static_cast<int>(to_count("--halvings", call.halvings, 20));
  o.limit = to_number("--limit", call.limit);
  if (!(o.limit > 0)) throw Error("--limit is " + call.limit, "it must be larger than 0");
  const double begin = subject.problem->start().t, end = all.end.value_or(subject.problem->end());
  all.step = (end - begin) / o.pieces;
  o.run = resolve(all, *subject.problem).options;
  o.run.interrupt = &watch_for_interrupt();
  if (!call.quiet) o.progress = tell;
  return o;
}

std::string table(const Convergence& study) {
  std::vector<std::string> head = {"h"};
  for (const auto& b : study.blocks) head.insert(head.end(), {b.block, "order"});
  Table all(head);
  for (std::size_t k = 0; k < study.steps.size(); ++k) {
    std::vector<std::string> row = {number(study.steps[k])};
    for (const auto& b : study.blocks) {
      row.push_back(number(b.errors[k], 3));
      const double order = k == 0 ? not_a_number : fitted_order(study.steps, b.errors, k - 1, k);
      row.push_back(std::isfinite(order) ? fmt::format("{:.2f}", order) : "");
    }
    all.add(row);
  }
  return shown(all);
}

std::string verdict(const BlockConvergence& b) {
  if (!b.order || !b.claimed) return "";
  return *b.order < *b.claimed - 0.3   ? "BELOW THE CLAIM"
         : *b.order > *b.claimed + 0.3 ? "above the claim"
                                       : "as claimed";
}

std::string orders(const Convergence& study) {
  Table all({"block", "order seen", "claimed", "", "from h to", "remark"});
  for (const auto& b : study.blocks)
    all.add({b.block, b.order ? fmt::format("{:.2f}", *b.order) : "-", b.claimed ? number(*b.claimed) : "-",
             verdict(b),
             b.order ? number(study.steps[b.first], 3) + ", " + number(study.steps[b.last], 3) : "",
             b.remark});
  return shown(all);
}

std::string page(const Subject& subject, const Convergence& study) {
  std::string all = fmt::format("{}\n{} with {}, fixed steps; errors against {}\n\n", title(subject),
                                study.formulation, study.method, study.truth);
  all += table(study) + "\n" + orders(study);
  for (std::size_t k = 0; k < study.steps.size(); ++k)
    if (!study.failures[k].empty())
      all += fmt::format("\nh = {}: {}\n", number(study.steps[k]), study.failures[k]);
  return all;
}

Json to_json(const Subject& subject, const Convergence& study) {
  Json runs = Json::array(), blocks = Json::array();
  for (std::size_t k = 0; k < study.steps.size(); ++k) {
    Json errors = Json::object();
    for (const auto& b : study.blocks) errors[b.block] = b.errors[k];
    runs.push_back({{"h", study.steps[k]}, {"errors", errors}, {"failure", study.failures[k]}});
  }
  for (const auto& b : study.blocks)
    blocks.push_back({{"block", b.block},
                      {"order", b.order ? Json(*b.order) : Json()},
                      {"claimed", b.claimed ? Json(*b.claimed) : Json()},
                      {"doubt", b.doubt},
                      {"remark", b.remark}});
  return {{"problem", subject.name},
          {"formulation", study.formulation},
          {"method", study.method},
          {"truth", study.truth},
          {"runs", runs},
          {"blocks", blocks}};
}

/// Errors over steps, and dashed what the order that was seen would be.
Panel picture(const Subject& subject, const Convergence& study) {
  Panel panel{.title = fmt::format("{}, {} with {}", subject.name, study.formulation, study.method),
              .x_label = "step h",
              .y_label = "largest error",
              .x_axis = Axis::logarithmic,
              .y_axis = Axis::logarithmic,
              .series = {}};
  for (const auto& b : study.blocks)
    panel.series.push_back({.name = b.order ? fmt::format("{}: order {:.2f}", b.block, *b.order) : b.block,
                            .x = study.steps,
                            .y = b.errors});
  tell_apart(panel, Points::marked);
  for (const auto& b : study.blocks) {
    if (!b.order || !b.claimed) continue;
    Series line{.name = "", .x = {}, .y = {}, .line = Line::dotted};
    for (const std::size_t k : {b.first, b.last}) {
      line.x.push_back(study.steps[k]);
      line.y.push_back(0.6 * b.errors[b.last] * std::pow(study.steps[k] / study.steps[b.last], *b.claimed));
    }
    panel.series.push_back(std::move(line));
  }
  return panel;
}

Status study(const Call& call) {
  check_outputs({picture_output("--plot", call.plot)}, {call.what});
  const Subject subject = find_subject(call.what, call.set);
  const Convergence found = study_convergence(subject.problem, options(call, subject));
  if (!found.why_not.empty())
    throw Error("there is nothing to compare with: " + found.why_not, "a larger --limit may help");
  if (call.json)
    print(to_json(subject, found));
  else
    say_page(page(subject, found));
  const bool seen = std::any_of(found.blocks.begin(), found.blocks.end(),
                                [](const auto& b) { return b.order.has_value(); });
  Status status = seen ? done : ended_early;
  if (!call.plot.empty())
    status = std::max(status, written([&] { write_picture(call.plot, {picture(subject, found)}); }));
  return status;
}

Action add_order(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--formulation", call->settings.formulation, "how the problem is rewritten", "F");
  arguments.option("--method", call->settings.method, "how steps are made", "M");
  arguments.option("--option", call->options,
                   "set an option of method or formulation; multipliers=1 asks for those that the method "
                   "itself finds (may be "
                   "repeated)",
                   "NAME=VALUE");
  arguments.option("--start", call->start, "set an initial value, for instance q.x=1 (may be repeated)",
                   "NAME=VALUE");
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.option("--steps", call->steps, "steps of the first run (default: 20)", "N");
  arguments.option("--halvings", call->halvings, "further runs, each with half the step (default: 7)", "N");
  arguments.option("--limit", call->limit, "abandon a run after this many processor seconds (default: 20)",
                   "S");
  arguments.option("--plot", call->plot, "draw errors over steps to a .svg or .png file", "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return study(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_order() {
  return {
      {.name = "analyse order",
       .rank = 19,
       .summary =
           "the order of convergence that a problem shows with a formulation and a method, block by block",
       .examples = {"dalembert analyse order pendulum --formulation index2 --method radau5 --end 3",
                    "dalembert analyse order pendulum --formulation index3 --method ms --option "
                    "multipliers=1 --end 2 "
                    "--steps 50 --halvings 4 --plot order.svg"},
       .add = add_order}};
}

}  // namespace dalembert::app
