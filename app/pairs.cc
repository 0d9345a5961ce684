// dalembert pairs: which formulations and methods can solve a problem together, and why others cannot.
#include "dalembert/control/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what;
  std::vector<std::string> set;
  bool json = false;
};

void insert(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::string matrix(const std::vector<Pair>& pairs) {
  std::vector<std::string> formulations, methods;
  for (const auto& pair : pairs) {
    insert(formulations, pair.formulation->name);
    insert(methods, pair.method->name);
  }
  std::vector<std::string> head = {"method"};
  head.insert(head.end(), formulations.begin(), formulations.end());
  Table table(head);
  for (const auto& m : methods) {
    std::vector<std::string> row = {m};
    for (const auto& f : formulations)
      row.push_back(
          std::any_of(pairs.begin(), pairs.end(),
                      [&](const Pair& p) { return p.formulation->name == f && p.method->name == m; })
              ? "yes"
              : ".");
    table.add(row);
  }
  return table.text();
}

/// One line per reason, with the methods it holds for.
std::string reasons(const std::vector<Impossible>& pairs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const auto& pair : pairs) {
    std::string why = pair.why;
    const std::string one = "method '" + pair.method + "'";
    for (const auto& [singular, plural] :
         {std::pair{one + " accepts", "these accept"}, std::pair{one + " is not", "these are not"},
          std::pair{one, "these"}})
      if (const auto at = why.find(singular); at != std::string::npos)
        why.replace(at, singular.size(), plural);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == why; });
    if (group == groups.end()) group = groups.insert(groups.end(), {why, {}});
    insert(group->second, pair.method);
  }
  std::string text;
  for (const auto& [why, methods] : groups)
    text += "  " + why + ": " + (methods.size() == all_methods().size() ? "no method" : join(methods)) + "\n";
  return text;
}

Status show(const Call& call) {
  const auto problem = find_subject(call.what, call.set).problem;
  const auto feasible = feasible_pairs(*problem);
  const auto impossible = impossible_pairs(*problem);
  if (call.json) {
    Json yes = Json::array(), by_name = Json::array(), no = Json::array();
    for (const auto& p : feasible)
      yes.push_back({{"formulation", p.formulation->name}, {"method", p.method->name}});
    for (const auto& p : approximate_pairs(*problem))
      by_name.push_back({{"formulation", p.formulation->name}, {"method", p.method->name}});
    for (const auto& p : impossible)
      no.push_back({{"formulation", p.formulation}, {"method", p.method}, {"why", p.why}});
    print({{"problem", call.what},
           {"kind", name(problem->kind())},
           {"pairs", yes},
           {"approximate", by_name},
           {"impossible", no}});
    return done;
  }
  std::cout << fmt::format("{} is {}: {}\n\n", call.what, name(problem->kind()), equations(problem->kind()));
  if (feasible.empty()) {
    std::cout << "no pair can solve it\n";
  } else {
    const Choice choice = choose_pair(*problem, {}, {});
    std::cout << matrix(feasible) << "\ndefault: " << choice.why << "\n";
  }
  if (const auto by_name = approximate_pairs(*problem); !by_name.empty())
    std::cout << "\napproximate, taken only by name\n" << matrix(by_name);
  if (!impossible.empty()) std::cout << "\nimpossible\n" << reasons(impossible);
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_pairs() {
  return {{.name = "pairs",
           .rank = 70,
           .summary = "list the formulations and methods that can solve a problem, and why others cannot",
           .examples = {"dalembert pairs andrews", "dalembert pairs pendulum --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             add_subject(arguments, call->what, call->set);
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return show(*call); };
           }}};
}

}  // namespace dalembert::app
