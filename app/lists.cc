// dalembert methods, formulations, problems, papers: lists, and the page of one entry.
#include <algorithm>
#include <memory>

#include "app/commands.h"
#include "app/entries.h"
#include "app/screen.h"
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

/// One line for each name; where entries of it differ, both are said.
std::string table(const Catalogue& all) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& entry : all.entries) {
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.front() == entry.name; });
    if (same == rows.end()) {
      rows.push_back(entry.row);
      continue;
    }
    for (std::size_t j = 1; j + 1 < entry.row.size(); ++j)
      if (std::string& cell = (*same)[j]; cell.find(entry.row[j]) == std::string::npos)
        cell += ", " + entry.row[j];
  }
  Table table(all.head);
  for (const auto& row : rows) table.add(row);
  return shown(table);
}

Status show(const Catalogue& all, const Call& call) {
  const auto entries = chosen(all, call.name);
  if (call.json) {
    Json list = Json::array();
    for (const auto& entry : entries) list.push_back(entry.json);
    print({{all.what, list}});
  } else if (call.name.empty()) {
    say_page(table(all));
  } else {
    for (const auto& entry : entries) say_page((&entry == &entries.front() ? "" : "\n") + entry.page);
  }
  return done;
}

template <Catalogue (*list)()>
Action add_list(Arguments& arguments) {
  const auto call = std::make_shared<Call>();
  arguments.word("NAME", call->name, "show the page of this one");
  arguments.flag("--json", call->json, "print JSON");
  return [call] { return show(list(), *call); };
}

}  // namespace

std::vector<CommandEntry> commands_in_lists() {
  return {{.name = "methods",
           .rank = 20,
           .summary = "list the methods, or show the page of one",
           .examples = {"dalembert methods", "dalembert methods hem4", "dalembert methods --json"},
           .add = add_list<list_methods>},
          {.name = "formulations",
           .rank = 30,
           .summary = "list the formulations, or show the page of one",
           .examples = {"dalembert formulations", "dalembert formulations baumgarte"},
           .add = add_list<list_formulations>},
          {.name = "problems",
           .rank = 40,
           .summary = "list the problems of the catalogue, or show the page of one",
           .examples = {"dalembert problems", "dalembert problems andrews"},
           .add = add_list<list_problems>},
          {.name = "papers",
           .rank = 50,
           .summary = "list the papers whose tables are rerun, or show the page of one",
           .examples = {"dalembert papers", "dalembert papers brasey-hairer"},
           .add = add_list<list_papers>}};
}

}  // namespace dalembert::app
