// dalembert cite: the references behind what was used.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/bibliography.h"
#include "app/commands.h"
#include "app/json.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/control/run_settings.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "papers/paper.h"

namespace dalembert::app {

namespace {

struct Call {
  std::vector<std::string> names;
  std::string run;
  SettingTexts settings;
  bool json = false;
};

struct Citation {
  std::string name, keys;
};

/// Everything that has references, by name; a key of the bibliography stands for itself.
std::vector<Citation> citations() {
  std::vector<Citation> all;
  for (const auto& e : all_methods()) all.push_back({e.name, e.cite});
  for (const auto& e : all_formulations()) all.push_back({e.name, e.cite});
  for (const auto& e : all_problems()) all.push_back({e.name, e.cite});
  for (const auto& e : all_boundary_problems()) all.push_back({e.name, e.cite});
  for (const auto& e : all_papers()) all.push_back({e.id, e.cite});
  for (const auto& e : all_references()) all.push_back({e.key, e.key});
  return all;
}

/// What a run of the problem would use.
std::vector<std::string> behind_run(const Call& call) {
  const Subject subject = find_subject(call.run);
  const ResolvedRun run = resolve(merge(to_settings(call.settings), subject.settings()), *subject.problem);
  const Pair& pair = run.choice.pair;
  std::vector<std::string> names = {pair.formulation->name, pair.method->name};
  for (const auto& field : run.options.fields) names.push_back(field.substr(0, field.find(':')));
  if (!subject.model) names.insert(names.begin(), call.run);  // a file has no entry in the bibliography
  return names;
}

std::string keys_of(const std::vector<std::string>& names) {
  const auto all = citations();
  std::vector<std::string> known;
  for (const auto& citation : all) known.push_back(citation.name);
  std::string keys;
  for (const auto& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) throw unknown("name", name, known);
    for (const auto& citation : all)
      if (citation.name == name) keys += " " + citation.keys;
  }
  return keys;
}

Status cite(const Call& call) {
  const SettingTexts& s = call.settings;
  if (call.run.empty() && !(s.formulation + s.method + s.rtol).empty())
    throw Error("a formulation, method or tolerance is given, but no run", "name it with --run WHAT");
  std::vector<std::string> names = call.names;
  if (!call.run.empty())
    for (const auto& name : behind_run(call)) names.push_back(name);
  if (names.empty())
    throw Error("nothing to cite", "name methods, formulations, problems or papers, or --run WHAT");
  std::vector<Reference> found;
  for (const auto& reference : find_references(keys_of(names)))
    if (std::none_of(found.begin(), found.end(), [&](const Reference& r) { return r.key == reference.key; }))
      found.push_back(reference);
  if (call.json) {
    Json list = Json::array();
    for (const auto& reference : found)
      list.push_back({{"key", reference.key}, {"bibtex", reference.bibtex}});
    print({{"references", list}});
  } else {
    for (const auto& reference : found)
      std::cout << (&reference == &found.front() ? "" : "\n") << reference.bibtex;
  }
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_cite() {
  return {
      {.name = "cite",
       .rank = 140,
       .summary = "print the references of methods, formulations, problems, papers or a run, as BibTeX",
       .examples = {"dalembert cite hem4 andrews", "dalembert cite --run andrews --method dop853",
                    "dalembert cite --run models/flyball-governor.toml"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         arguments.words("NAME", call->names,
                         "methods, formulations, problems, papers, or keys of the bibliography");
         arguments.option("--run", call->run, "cite what a run of this problem or model file uses", "WHAT");
         arguments.option("--formulation", call->settings.formulation, "the formulation of that run", "F");
         arguments.option("--method", call->settings.method, "the method of that run", "M");
         arguments.option("--rtol", call->settings.rtol, "the tolerance of that run", "R");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return cite(*call); };
       }}};
}

}  // namespace dalembert::app
