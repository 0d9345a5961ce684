// dalembert pairs: which formulations and methods can solve a problem together, and why others cannot.
#include "dalembert/control/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/commands.h"
#include "app/json.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/control/feasibility.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what;
  std::vector<std::string> set;
  bool json = false;
};

/// Names with the kinds they have to do with.
struct Group {
  std::vector<std::string> names;
  std::set<Kind> kinds;
};

/// Names that have to do with the same kinds together.
std::vector<Group> grouped(const std::vector<std::pair<std::string, std::set<Kind>>>& all) {
  std::vector<Group> groups;
  for (const auto& [name, kinds] : all) {
    auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.kinds == kinds; });
    if (at == groups.end()) at = groups.insert(at, {{}, kinds});
    at->names.push_back(name);
  }
  return groups;
}

enum class Use { chosen, only_by_name };

/// The formulations that take the problem, with the kinds they lead to; a name may stand for several.
std::vector<Group> formulations(const Problem& problem, Use use) {
  std::vector<std::pair<std::string, std::set<Kind>>> all;
  for (const auto& f : all_formulations()) {
    if (!takes(f, problem) || f.approximate != (use == Use::only_by_name)) continue;
    auto at = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.first == f.name; });
    if (at == all.end()) at = all.insert(at, {f.name, {}});
    at->second.insert(f.to);
  }
  return grouped(all);
}

std::vector<Group> methods() {
  std::vector<std::pair<std::string, std::set<Kind>>> all;
  for (const auto& m : all_methods()) {
    std::set<Kind> accepted;
    for (const Kind k : all_kinds())
      if (m.accepts(k)) accepted.insert(k);
    all.emplace_back(m.name, accepted);
  }
  return grouped(all);
}

std::string matrix(const std::string& of, const std::vector<Group>& groups, const std::set<Kind>& kinds) {
  std::vector<std::string> head = {of};
  for (const Kind k : kinds) head.emplace_back(name(k));
  Table table(head);
  for (const Group& group : groups) {
    std::vector<std::string> row = {join(group.names)};
    for (const Kind k : kinds) row.emplace_back(group.kinds.contains(k) ? "yes" : ".");
    if (std::find(row.begin(), row.end(), "yes") != row.end()) table.add(row);
  }
  return shown(table);
}

/// Pairs whose kinds fit and that are not possible for another reason, which is said once for all of them.
std::string exceptions(const Problem& problem) {
  struct Reason {
    std::string why;
    std::vector<std::string> formulations, methods;
  };
  std::vector<Reason> all;
  for (const Impossible& pair : impossible_pairs(problem)) {
    const MethodEntry& method = find_method(pair.method);
    const auto entries = find_formulation(pair.formulation);
    if (std::none_of(entries.begin(), entries.end(),
                     [&](const auto& f) { return obstacle(problem, f, method) < Obstacle::method_kind; }))
      continue;
    std::string why = pair.why;
    for (const auto& [word, instead] :
         {std::pair{"formulation '" + pair.formulation + "'", std::string("the formulation")},
          std::pair{"method '" + pair.method + "'", std::string("the method")}})
      if (const auto at = why.find(word); at != std::string::npos) why.replace(at, word.size(), instead);
    const auto add = [](std::vector<std::string>& list, const std::string& name) {
      if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
    };
    auto at = std::find_if(all.begin(), all.end(), [&](const Reason& r) {
      return r.why == why &&
             (r.formulations == std::vector{pair.formulation} || r.methods == std::vector{pair.method});
    });
    if (at == all.end()) at = all.insert(at, {why, {}, {}});
    add(at->formulations, pair.formulation);
    add(at->methods, pair.method);
  }
  std::string text;
  for (const Reason& r : all)
    text += "  " + join(r.formulations) + " with " + join(r.methods) + ": " + r.why + "\n";
  return text;
}

/// Formulations that rewrite problems of other kinds only.
std::string strangers(const Problem& problem) {
  std::vector<std::string> names;
  for (const auto& f : all_formulations()) {
    const auto entries = find_formulation(f.name);
    if (std::none_of(entries.begin(), entries.end(), [&](const auto& e) { return takes(e, problem); }) &&
        std::find(names.begin(), names.end(), f.name) == names.end())
      names.push_back(f.name);
  }
  return join(names);
}

std::string text(const std::string& what, const Problem& problem) {
  std::string all = fmt::format("{} is {}: {}\n", what, name(problem.kind()), equations(problem.kind()));
  const auto ours = formulations(problem, Use::chosen), by_name = formulations(problem, Use::only_by_name);
  if (feasible_pairs(problem).empty()) {
    all += "\nno pair can solve it\n";
  } else {
    all += "default: " + choose_pair(problem, {}, {}).why + "\n";
    all += "\nA method solves what a formulation leads to if it accepts that kind.\n\n";
  }
  std::set<Kind> kinds;
  for (const auto* groups : {&ours, &by_name})
    for (const Group& group : *groups) kinds.insert(group.kinds.begin(), group.kinds.end());
  if (!ours.empty()) all += matrix("formulation leads to", ours, kinds) + "\n";
  if (!by_name.empty())
    all += matrix("approximate formulation, taken only by name, leads to", by_name, kinds) + "\n";
  all += matrix("method accepts", methods(), kinds);
  if (const auto some = exceptions(problem); !some.empty())
    all += "\nThese pairs are not possible although the kinds fit:\n" + some;
  if (const auto others = strangers(problem); !others.empty())
    all += fmt::format("\nFormulations for problems of other kinds: {}\n", others);
  return all;
}

Json to_json(const std::vector<Pair>& pairs) {
  Json all = Json::array();
  for (const auto& p : pairs)
    all.push_back({{"formulation", p.formulation->name}, {"method", p.method->name}});
  return all;
}

Status show(const Call& call) {
  const auto problem = find_subject(call.what, call.set).problem;
  if (!call.json) return say_page(text(call.what, *problem)), done;
  Json no = Json::array();
  for (const auto& p : impossible_pairs(*problem))
    no.push_back({{"formulation", p.formulation}, {"method", p.method}, {"why", p.why}});
  print({{"problem", call.what},
         {"kind", name(problem->kind())},
         {"pairs", to_json(feasible_pairs(*problem))},
         {"approximate", to_json(approximate_pairs(*problem))},
         {"impossible", no}});
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
