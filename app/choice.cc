// dalembert choice: what the pair that is chosen costs beside the best one, problem after problem.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/interrupt.h"
#include "app/json.h"
#include "app/model_files.h"
#include "app/outputs.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/choice_cost.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> what, formulations, methods, rtol;
  std::string limit = "20", out;
  bool json = false, quiet = false;
};

struct Line {
  std::string subject;
  ChoiceCosts found;
};

/// Those that were named, or the catalogue and all models, each in the order of their names.
std::vector<std::string> subjects(const Call& call) {
  std::vector<std::string> all;
  const auto add_files = [&] {
    for (const auto& file : model_files(call.what)) all.push_back(file.string());
  };
  if (!call.what.empty()) return add_files(), all;
  for (const auto& entry : all_problems()) all.push_back(entry.name);
  std::sort(all.begin(), all.end());
  add_files();
  return all;
}

bool wanted(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

ChoiceCostOptions options(const Call& call, const Subject& subject) {
  RunSettings mine;
  mine.formulation = mine.method = "auto";
  mine.rtol = 1e-6;
  mine.controller = Control::pi;
  RunSettings all = merge(mine, subject.settings());
  all.output.reset();
  ChoiceCostOptions o;
  o.run = resolve(all, *subject.problem).options;
  o.run.interrupt = &watch_for_interrupt();
  if (!call.rtol.empty()) o.tolerances.clear();
  for (const auto& text : call.rtol) o.tolerances.push_back(to_number("--rtol", text));
  for (const double rtol : o.tolerances) Tolerance{rtol, rtol}.validate();
  o.limit = to_number("--limit", call.limit);
  if (!(o.limit > 0)) throw Error("--limit is " + call.limit, "it must be larger than 0");
  if (!call.formulations.empty() || !call.methods.empty())
    o.considered = [&call](const Pair& pair) {
      return wanted(call.formulations, pair.formulation->name) && wanted(call.methods, pair.method->name);
    };
  if (!call.quiet) o.progress = [name = subject.name](const std::string& which) { tell(name + " " + which); };
  return o;
}

std::vector<Line> measure(const Call& call) {
  for (const auto& name : call.formulations) find_formulation(name);
  for (const auto& name : call.methods) find_method(name);
  std::vector<Line> lines;
  for (const auto& name : subjects(call)) {
    if (watch_for_interrupt().load()) break;
    const Subject subject = find_subject(name);
    lines.push_back({name, choice_costs(subject.problem, options(call, subject))});
  }
  return lines;
}

std::string pair(const Trial& trial) {
  return trial.formulation + " " + trial.method;
}

std::string verdict(const ChoiceCost& cost) {
  if (cost.ratio()) return "";
  const std::string chosen = good(cost.chosen.outcome) ? fmt::format("error {:.1e}", cost.chosen.error)
                                                       : std::string(name(cost.chosen.outcome));
  return cost.best ? "chosen: " + chosen : "none is right; chosen: " + chosen;
}

std::string table(const std::vector<Line>& lines) {
  Table all({"subject", "rtol", "chosen", "evaluations", "ms", "best", "evaluations", "ms", "ratio", ""});
  const auto count = [](const Trial& t) { return fmt::format("{:.0f}", evaluations(t.statistics)); };
  const auto ms = [](const Trial& t) { return fmt::format("{:.3g}", 1e3 * t.seconds); };
  for (const auto& [subject, found] : lines) {
    if (found.truth.empty()) all.add({subject, "", "", "", "", "", "", "", "", "no truth was found"});
    for (const ChoiceCost& c : found.costs)
      all.add({subject, number(c.tolerance), pair(c.chosen), count(c.chosen), ms(c.chosen),
               c.best ? pair(*c.best) : "", c.best ? count(*c.best) : "", c.best ? ms(*c.best) : "",
               c.ratio() ? fmt::format("{:.2f}", *c.ratio()) : "", verdict(c)});
  }
  return shown(all);
}

/// Over some of the subjects.
struct Sum {
  int cases = 0, within = 0, lost = 0;
  double largest = 1;
  std::string where;
};

constexpr double near = 3;

Sum sum(const std::vector<Line>& lines, std::size_t first, std::size_t stride) {
  Sum all;
  for (std::size_t i = first; i < lines.size(); i += stride)
    for (const ChoiceCost& c : lines[i].found.costs) {
      if (!c.best) continue;
      ++all.cases;
      if (c.lost()) ++all.lost;
      if (const auto ratio = c.ratio()) {
        if (*ratio <= near) ++all.within;
        if (*ratio > all.largest) {
          all.largest = *ratio;
          all.where = fmt::format("{} at {:g}", lines[i].subject, c.tolerance);
        }
      }
    }
  return all;
}

/// Preferences were settled with every second subject; the others show whether they hold.
std::vector<std::pair<std::string, Sum>> sums(const std::vector<Line>& lines) {
  std::vector<std::pair<std::string, Sum>> all = {{"all", sum(lines, 0, 1)}};
  if (lines.size() > 1) {
    all.emplace_back("first, third, ...", sum(lines, 0, 2));
    all.emplace_back("second, fourth, ...", sum(lines, 1, 2));
  }
  return all;
}

std::string in_words(const std::vector<Line>& lines) {
  Table all({"subjects", "cases", "within 3 times", "largest", "where", "only others are right"});
  for (const auto& [which, s] : sums(lines))
    all.add({which, std::to_string(s.cases),
             s.cases > 0 ? fmt::format("{:.1f} %", 100. * s.within / s.cases) : "",
             fmt::format("{:.2f}", s.largest), s.where, std::to_string(s.lost)});
  return shown(all);
}

Json to_json(const Trial& trial) {
  Json statistics = Json::object();
  trial.statistics.each([&](const char* name, auto value, const char*) { statistics[name] = value; });
  return {{"formulation", trial.formulation},
          {"method", trial.method},
          {"outcome", name(trial.outcome)},
          {"message", trial.message},
          {"right", trial.right},
          {"error", trial.error},
          {"evaluations", evaluations(trial.statistics)},
          {"seconds", trial.seconds},
          {"statistics", statistics}};
}

Json to_json(const std::optional<double>& x) {
  return x ? Json(*x) : Json();
}

Json to_json(const std::vector<Line>& lines) {
  Json cases = Json::array(), all = Json::array();
  for (const auto& [subject, found] : lines) {
    Json costs = Json::array();
    for (const ChoiceCost& c : found.costs)
      costs.push_back({{"rtol", c.tolerance},
                       {"chosen", to_json(c.chosen)},
                       {"best", c.best ? to_json(*c.best) : Json()},
                       {"ratio", to_json(c.ratio())},
                       {"evaluation_ratio", to_json(c.evaluation_ratio())}});
    cases.push_back(
        {{"subject", subject}, {"truth", found.truth}, {"growth", found.growth}, {"costs", costs}});
  }
  for (const auto& [which, s] : sums(lines))
    all.push_back({{"subjects", which},
                   {"cases", s.cases},
                   {"within_3", s.within},
                   {"largest", s.largest},
                   {"where", s.where},
                   {"lost", s.lost}});
  return {{"subjects", cases}, {"sums", all}};
}

std::string csv(const std::vector<Line>& lines) {
  std::string all =
      "subject,rtol,formulation,method,outcome,error,evaluations,seconds,best_formulation,best_method,"
      "best_evaluations,best_seconds,ratio\n";
  for (const auto& [subject, found] : lines)
    for (const ChoiceCost& c : found.costs) {
      const Trial best = c.best.value_or(Trial{});
      all += fmt::format("{},{:g},{},{},{},{:.6e},{},{:.6e},{},{},{},{:.6e},{:.4g}\n", subject, c.tolerance,
                         c.chosen.formulation, c.chosen.method, name(c.chosen.outcome), c.chosen.error,
                         evaluations(c.chosen.statistics), c.chosen.seconds, best.formulation, best.method,
                         evaluations(best.statistics), best.seconds, c.ratio().value_or(not_a_number));
    }
  return all;
}

Status show(const Call& call) {
  check_outputs({{"--out", call.out, ".csv"}}, call.what);
  const std::vector<Line> lines = measure(call);
  if (call.json)
    print(to_json(lines));
  else
    say_page(table(lines) + "\n" + in_words(lines));
  return call.out.empty() ? done : written([&] { write_text(call.out, csv(lines)); });
}

Action add_choice(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  arguments.words(
      "WHAT", call->what,
      "problems, model files, or folders of them (default: the catalogue, and the models that come "
      "with the program)");
  arguments.list("--rtol", call->rtol, "tolerances, separated by commas (default: 1e-4,1e-6,1e-8)", "R");
  arguments.list("--formulation", call->formulations,
                 "compare with all pairs of these formulations, separated by commas", "F");
  arguments.list("--method", call->methods, "compare with all pairs of these methods, separated by commas",
                 "M");
  arguments.option("--limit", call->limit, "abandon a run after this many processor seconds (default: 20)",
                   "S");
  arguments.option("--out", call->out, "write the table to a .csv file", "FILE");
  arguments.flag("--quiet", call->quiet, "do not show progress");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_choice() {
  return {{.name = "choice",
           .rank = 85,
           .summary = "measure what the pair that is chosen costs beside the best one",
           .examples = {"dalembert choice car-axis models/flyball-governor.toml",
                        "dalembert choice --rtol 1e-6 --out choice.csv"},
           .add = add_choice}};
}

}  // namespace dalembert::app
