// dalembert methods, formulations, problems, papers: lists, and the page of one entry.
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/entries.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string name;
  bool json = false;
};

/// All entries, or those of the name (a formulation may have several).
std::vector<Catalogue::Entry> chosen(const Catalogue& all, const std::string& name) {
  if (name.empty()) return all.entries;
  std::vector<Catalogue::Entry> found;
  std::vector<std::string> known;
  for (const auto& entry : all.entries) {
    known.push_back(entry.name);
    if (entry.name == name) found.push_back(entry);
  }
  if (found.empty()) throw unknown(all.what.substr(0, all.what.size() - 1), name, known);
  return found;
}

Status show(const Catalogue& all, const Call& call) {
  const auto entries = chosen(all, call.name);
  if (call.json) {
    Json list = Json::array();
    for (const auto& entry : entries) list.push_back(entry.json);
    print({{all.what, list}});
  } else if (call.name.empty()) {
    Table table(all.head);
    for (const auto& entry : entries) table.add(entry.row);
    std::cout << table.text();
  } else {
    for (const auto& entry : entries) std::cout << (&entry == &entries.front() ? "" : "\n") << entry.page;
  }
  return done;
}

Action add_list(CLI::App& app, Catalogue (*list)()) {
  const auto call = std::make_shared<Call>();
  app.add_option("NAME", call->name, "show the page of this one");
  app.add_flag("--json", call->json, "print JSON");
  return [call, list] { return show(list(), *call); };
}

}  // namespace

Action add_methods(CLI::App& app) {
  return add_list(app, list_methods);
}
Action add_formulations(CLI::App& app) {
  return add_list(app, list_formulations);
}
Action add_problems(CLI::App& app) {
  return add_list(app, list_problems);
}
Action add_papers(CLI::App& app) {
  return add_list(app, list_papers);
}

}  // namespace dalembert::app
