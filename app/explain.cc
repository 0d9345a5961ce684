// dalembert explain: why this pair is chosen for a problem, what that rests on, and what would change it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/run_report.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/evidence.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, end;
  SettingTexts settings;
  std::vector<std::string> set;
  bool json = false;
};

std::string words(const Pair& pair) {
  return pair.formulation->name + " with " + pair.method->name;
}

bool same(const Pair& a, const Pair& b) {
  return a.formulation == b.formulation && a.method == b.method;
}

std::string item(const std::string& name, const std::string& text) {
  return fmt::format("{:<13}{}\n", name, text);
}

std::string count(Eigen::Index n, const std::string& one, const std::string& many) {
  return plural(static_cast<long>(n), one, many);
}

std::string size(const Evidence& e) {
  if (!e.sizes) return count(e.unknowns, "unknown", "unknowns");
  std::string text = count(e.sizes->q, "position", "positions") + ", " +
                     count(e.sizes->v, "velocity", "velocities") + ", " +
                     count(e.sizes->rows(), "constraint row", "constraint rows");
  if (e.sizes->s > 0) text += ", " + count(e.sizes->s, "first-order state", "first-order states");
  return text;
}

std::string rows(const Evidence& e) {
  if (!e.trouble.empty()) return item("start", "none that is consistent: " + e.trouble);
  if (!e.freedoms) return "";
  std::string text = item("freedoms", fmt::format("{}, by the rank of the rows at the start", *e.freedoms));
  if (e.redundancy)
    text += item("redundancy", fmt::format("{} of {} rows, which follow from others and are left out",
                                           e.redundancy->dependent.size(), e.redundancy->rows));
  else if (e.sizes->rows() > 0)
    text += item("redundancy", "none: no row follows from others");
  return text;
}

std::string happenings(const Evidence& e) {
  std::vector<std::string> all;
  if (!e.events.empty()) all.push_back(join(e.events) + ", located and answered");
  if (e.switches) all.emplace_back("conditions that depend on the state: steps end where they switch");
  if (e.breaks > 0)
    all.push_back(count(static_cast<Eigen::Index>(e.breaks), "time", "times") +
                  " where the equations are not smooth: steps end there, methods begin anew");
  return item("events", all.empty() ? "none" : join(all, "; "));
}

/// Steps that stability alone asks of an explicit method, which bears h rate of about 6.
double least_steps(const Evidence& e) {
  constexpr double bearable = 6;
  return e.fastest->rate * (e.end - e.begin) / bearable;
}

std::string stiffness(const Evidence& e) {
  constexpr double few = 100;  // steps that accuracy asks for anyway
  if (!e.fastest) return item("stiffness", "not estimated at the start");
  const std::string part = fmt::format("the fastest part of the motion {} within {:.2g} s at the start",
                                       e.fastest->damped() ? "decays" : "changes", 1 / e.fastest->rate);
  if (least_steps(e) < few) return item("stiffness", "none to be seen: " + part);
  return item(
      "stiffness",
      fmt::format("{}; for stability alone an explicit method takes about {:.0f} steps if that stays so",
                  part, least_steps(e)));
}

std::string hand_over(const Evidence& e) {
  if (e.when_stiff.empty()) return item("on the way", "this pair goes on to the end");
  std::vector<std::string> names;
  for (const Pair& pair : e.when_stiff) names.push_back(words(pair));
  return item("on the way",
              "where steps are short for stability, or many, these are tried and go on if they do better: " +
                  join(names));
}

std::string elsewhere(const Evidence& e) {
  std::string text;
  for (std::size_t i = 0; i < e.elsewhere.size(); ++i) {
    const auto& [rtol, pair] = e.elsewhere[i];
    if (i > 0 && same(pair, e.elsewhere[i - 1].pair)) continue;
    text += i == 0 ? words(pair) + " at other tolerances"
                   : fmt::format("; from rtol {:g} down {}", rtol, words(pair));
  }
  return item("elsewhere", text);
}

std::string considered(const Evidence& e) {
  constexpr std::size_t most = 8;
  Table table({"formulation", "method", "order", "what it is"});
  for (std::size_t i = 0; i < std::min(most, e.considered.size()); ++i) {
    const Pair& pair = e.considered[i];
    table.add({pair.formulation->name, pair.method->name, number(pair.method->order(pair.formulation->to)),
               pair.method->summary});
  }
  const std::string more =
      e.considered.size() > most ? fmt::format("  ... {} more\n", e.considered.size() - most) : "";
  return shown(table, "  ") + more;
}

std::string report(const Subject& subject, const Evidence& e) {
  const Pair& pair = e.choice.pair;
  std::string text = item("problem", title(subject));
  text += item("kind", fmt::format("{}: {}", name(e.kind), equations(e.kind)));
  text += item("size", size(e)) + rows(e);
  text += item("time", fmt::format("from {:g} to {:g}", e.begin, e.end));
  text += happenings(e) + stiffness(e);
  text += item("accuracy", fmt::format("rtol {:g}, atol {:g}", e.tolerance.relative, e.tolerance.absolute));
  text += item("chosen", words(pair)) + item("why", e.choice.why);
  text += hand_over(e) + elsewhere(e);
  text += item("considered", "the best formulation of each method, as they recommend themselves, best first");
  text += considered(e);
  text += item("otherwise",
               fmt::format("`dalembert run {0} --formulation F --method M` takes another pair; `dalembert "
                           "pairs {0}` lists all, `dalembert choice {0}` measures",
                           subject.name));
  return text;
}

Json to_json(const Pair& pair) {
  return {{"formulation", pair.formulation->name}, {"method", pair.method->name}};
}

Json to_json(const std::vector<Pair>& pairs) {
  Json all = Json::array();
  for (const Pair& pair : pairs) all.push_back(to_json(pair));
  return all;
}

Json to_json(const Subject& subject, const Evidence& e) {
  Json json = {{"problem", subject.name}, {"kind", name(e.kind)}, {"unknowns", e.unknowns}};
  if (e.sizes)
    json["sizes"] = {{"positions", e.sizes->q},
                     {"velocities", e.sizes->v},
                     {"rows", e.sizes->rows()},
                     {"states", e.sizes->s}};
  json["degrees_of_freedom"] = e.freedoms ? Json(*e.freedoms) : Json();
  json["redundancy"] = e.redundancy ? app::to_json(*e.redundancy) : Json();
  json["trouble"] = e.trouble;
  json["begin"] = e.begin;
  json["end"] = e.end;
  json["events"] = e.events;
  json["switches"] = e.switches;
  json["breaks"] = e.breaks;
  json["fastest"] = e.fastest ? Json({{"rate", e.fastest->rate},
                                      {"decay", e.fastest->decay},
                                      {"steps_for_stability", least_steps(e)}})
                              : Json();
  json["rtol"] = e.tolerance.relative;
  json["atol"] = e.tolerance.absolute;
  json["chosen"] = to_json(e.choice.pair);
  json["why"] = e.choice.why;
  json["when_stiff"] = to_json(e.when_stiff);
  json["elsewhere"] = Json::array();
  for (const auto& [rtol, pair] : e.elsewhere) {
    Json one = to_json(pair);
    one["rtol"] = rtol;
    json["elsewhere"].push_back(one);
  }
  json["considered"] = to_json(e.considered);
  return json;
}

Status show(const Call& call) {
  const Subject subject = find_subject(call.what, call.set);
  RunSettings mine = to_settings(call.settings);
  if (!call.end.empty()) mine.end = to_number("--end", call.end);
  const Evidence evidence =
      find_evidence(subject.problem, resolve(merge(mine, subject.settings()), *subject.problem).options);
  if (call.json)
    print(to_json(subject, evidence));
  else
    say(report(subject, evidence));
  return done;
}

Action add_explain(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  add_subject(arguments, call->what, call->set);
  arguments.option("--rtol", call->settings.rtol, "the accuracy that is asked for", "R");
  arguments.option("--formulation", call->settings.formulation, "the choice is open for the method only",
                   "F");
  arguments.option("--method", call->settings.method, "the choice is open for the formulation only", "M");
  arguments.option("--end", call->end, "the time to stop at (default: that of the problem)", "T");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(*call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_explain() {
  return {
      {.name = "explain",
       .rank = 75,
       .summary = "say which formulation and method a run would take, and what that choice rests on",
       .examples = {"dalembert explain andrews", "dalembert explain models/flyball-governor.toml --rtol 1e-4",
                    "dalembert explain car-axis --method auto --json"},
       .add = add_explain}};
}

}  // namespace dalembert::app
