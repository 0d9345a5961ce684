// dalembert check: everything that can be said about a model file before it runs.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/mistakes.h"
#include "app/quantity.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/model/model_findings.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string file;
  std::vector<std::string> set;
  bool json = false;
};

Json to_json(const Findings& f) {
  const auto& n = f.counts;
  Json json = {{"assembly", name(f.assembly)}, {"message", f.assembly_message}};
  json["counts"] = {{"bodies", n.bodies},       {"joints", n.joints},         {"drives", n.drives},
                    {"positions", n.positions}, {"velocities", n.velocities}, {"rows", n.rows},
                    {"states", n.states}};
  const auto known = [&](Eigen::Index value) { return f.ranked ? Json(value) : Json(); };
  json["degrees_of_freedom"] = known(f.degrees_of_freedom);
  json["rank"] = known(f.rank);
  json["rank_at_start"] = known(f.rank_here);
  json["redundant_rows"] = known(f.redundant);
  json["moves"] = Json::array();
  for (const auto& m : f.moves)
    json["moves"].push_back({{"body", m.body},
                             {"distance", m.distance},
                             {"turn", m.turn},
                             {"velocity", m.velocity},
                             {"spin", m.spin}});
  json["reactions"] = Json::array();
  for (const auto& r : f.reactions)
    json["reactions"].push_back(
        {{"joint", r.joint}, {"unique", name(r.unique)}, {"not_unique", r.not_unique}});
  json["findings"] = Json::array();
  for (const Finding& each : f.list)
    json["findings"].push_back({{"severity", name(each.severity)},
                                {"topic", each.topic},
                                {"what", each.what},
                                {"hint", each.hint},
                                {"joints", each.joints},
                                {"bodies", each.bodies},
                                {"place", app::to_json(each.place)}});
  return json;
}

std::string item(const std::string& what, const std::string& text) {
  return fmt::format("{:<20}{}\n", what, text);
}

std::string counts(const Findings& f) {
  const auto& n = f.counts;
  std::string all = item("bodies", fmt::format("{}, with {} velocities", n.bodies, n.velocities));
  all += item("joints", fmt::format("{}{}, with {}", n.joints,
                                    n.drives > 0 ? " and " + plural(n.drives, "drive", "drives") : "",
                                    plural(n.rows, "constraint row", "constraint rows")));
  if (n.states > 0) all += item("first-order states", std::to_string(n.states));
  if (f.ranked) {
    all += item("degrees of freedom", fmt::format("{} ({} velocities, rows of rank {})", f.degrees_of_freedom,
                                                  n.velocities, f.rank));
    if (f.redundant > 0)
      all += item("redundant rows", fmt::format("{} of {} follow from others", f.redundant, n.rows));
  }
  return all;
}

std::string reactions(const Findings& f) {
  if (f.redundant == 0) return {};
  Table table({"joint", "reactions determined", "not determined"});
  for (const auto& r : f.reactions) table.add({r.joint, std::string(name(r.unique)), join(r.not_unique)});
  return "\n" + shown(table);
}

std::string moves(const Findings& f) {
  if (f.moves.empty()) return {};
  constexpr std::size_t most = 10;
  Table table({"body", "moved [m]", "turned [rad]", "velocity [m/s]", "spin [rad/s]"});
  const auto cell = [](double x) { return x > 1e-9 ? fmt::format("{:.3g}", x) : std::string("0"); };
  for (std::size_t i = 0; i < f.moves.size() && i < most; ++i) {
    const auto& m = f.moves[i];
    table.add({m.body, cell(m.distance), cell(m.turn), cell(m.velocity), cell(m.spin)});
  }
  const std::size_t left = f.moves.size() > most ? f.moves.size() - most : 0;
  return "\n" + shown(table) + (left > 0 ? fmt::format("... {} more\n", left) : "");
}

Status refuse(const ModelError& error, const Call& call) {
  if (call.json) {
    Json json = {{"file", call.file}, {"complaints", Json::array()}};
    for (const Complaint& each : error.complaints()) json["complaints"].push_back(app::to_json(each));
    json.update(mistake(error));
    print(json);
  } else {
    for (const Complaint& each : error.complaints()) say(each.sentence() + "\n");
  }
  return wrong_call;
}

Status check(const Call& call) {
  std::unique_ptr<Model> model;
  try {
    model = std::make_unique<Model>(Model::from_file(call.file, to_parameters(call.set)));
  } catch (const ModelError& error) {
    return refuse(error, call);
  }
  const Findings found = examine(*model);
  if (call.json) {
    Json json = {{"file", call.file}, {"title", model->title}};
    json.update(to_json(found));
    print(json);
  } else {
    std::string text = call.file + (model->title.empty() ? "" : ": " + model->title) + "\n";
    for (const Finding& each : found.list) text += each.sentence() + "\n";
    say(text + (found.list.empty() ? "no problems found\n" : "") + counts(found) + moves(found) +
        reactions(found));
  }
  return found.fine() ? done : ended_early;
}

}  // namespace

std::vector<CommandEntry> commands_in_check() {
  return {{.name = "check",
           .rank = 120,
           .summary = "check a model file: mistakes, degrees of freedom, redundant joints",
           .examples = {"dalembert check crank.toml", "dalembert check crank.toml --set l=2 --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             arguments.required_word("FILE", call->file, "a model file (.toml)");
             arguments.option("--set", call->set, "set a parameter (may be repeated)", "NAME=VALUE");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return check(*call); };
           }}};
}

}  // namespace dalembert::app
