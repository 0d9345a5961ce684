#include "app/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/bibliography.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/core/table.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "papers/paper.h"

namespace dalembert::app {

namespace {

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "\n" + title + "\n" + indented(body);
}

std::string title(const std::string& name, const std::string& summary) {
  return name + ": " + summary + "\n";
}

std::string table(const std::vector<Parameter>& parameters) {
  Table all({"name", "default", "unit", "meaning"});
  for (const auto& p : parameters)
    all.add({p.name, p.choices.empty() ? number(p.value, 10) : p.choices[static_cast<std::size_t>(p.value)],
             p.unit, p.meaning + (p.choices.empty() ? "" : ": " + join(p.choices))});
  return shown(all);
}

/// A picture without the blank lines and blanks around it.
std::string trimmed(const std::string& picture) {
  std::istringstream stream(picture);
  std::vector<std::string> lines;
  std::size_t margin = std::string::npos;
  for (std::string line; std::getline(stream, line);) {
    if (const auto first = line.find_first_not_of(' '); first != std::string::npos) {
      lines.push_back(line);
      margin = std::min(margin, first);
    }
  }
  std::string all;
  for (const auto& line : lines) all += line.substr(margin) + "\n";
  return all;
}

std::string kind_text(Kind kind) {
  return std::string(name(kind));
}
std::string kind_line(Kind kind) {
  return kind_text(kind) + ":  " + std::string(equations(kind)) + "\n";
}

std::vector<Kind> kinds(const MethodEntry& entry) {
  std::vector<Kind> all;
  for (const auto& claim : entry.claims)
    if (std::find(all.begin(), all.end(), claim.kind) == all.end()) all.push_back(claim.kind);
  return all;
}

std::vector<std::string> kind_names(const MethodEntry& entry) {
  std::vector<std::string> all;
  for (const Kind kind : kinds(entry)) all.push_back(kind_text(kind));
  return all;
}

/// The lowest that is claimed for differential blocks, over all kinds.
double order(const MethodEntry& entry) {
  double least = std::numeric_limits<double>::infinity();
  for (const Kind kind : kinds(entry)) least = std::min(least, entry.order(kind));
  return std::isfinite(least) ? least : not_a_number;
}

std::string page(const MethodEntry& entry) {
  Table claims({"kind", "index", "block", "order", "needs"});
  for (const auto& c : entry.claims)
    claims.add(
        {kind_text(c.kind), c.index > 0 ? std::to_string(c.index) : "", c.block, number(c.order), c.needs});
  std::string solves;
  for (const Kind kind : kinds(entry)) solves += kind_line(kind);
  return title(entry.name, entry.summary) + section("solves", solves) + section("claims", shown(claims)) +
         section("steps",
                 std::string(entry.adaptive ? "with an error estimate: the step follows the tolerance"
                                            : "without an error estimate: the step is fixed (--step H)") +
                     fmt::format("\ndense output of order {}\n", entry.dense_order)) +
         section("options", table(entry.options)) +
         section("tableau (r is the square root of 6)", trimmed(entry.tableau)) +
         section("source", source(entry.cite));
}

Json json(const MethodEntry& entry) {
  Json claims = Json::array();
  for (const auto& c : entry.claims)
    claims.push_back({{"kind", name(c.kind)},
                      {"index", c.index},
                      {"block", c.block},
                      {"order", c.order},
                      {"needs", c.needs}});
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"kinds", kind_names(entry)},
          {"order", order(entry)},
          {"cite", words(entry.cite)},
          {"claims", claims},
          {"adaptive", entry.adaptive},
          {"dense_order", entry.dense_order},
          {"options", to_json(entry.options)},
          {"tableau", entry.tableau.empty() ? Json() : Json(entry.tableau)}};
}

std::string sizes(const Problem& problem) {
  Table blocks({"block", "size", "entries"});
  const Layout layout = problem.report();
  for (const auto& block : layout.blocks()) {
    std::vector<std::string> some(block.labels.begin(),
                                  block.labels.begin() + std::min<long>(block.size, 12));
    if (block.size > 12) some.push_back("...");
    blocks.add({block.name, std::to_string(block.size), join(some)});
  }
  return shown(blocks);
}

std::string page(const ProblemEntry& entry) {
  const auto problem = make_problem(entry.name);
  const double begin = problem->start().t, end = problem->end();
  std::string about = fmt::format("from t = {:g} to {:g}\n", begin, end);
  about +=
      problem->exact(end) ? "the solution at the end is known\n" : "the solution at the end is not known\n";
  if (problem->events() != nullptr) about += "has events\n";
  return title(entry.name, entry.summary) + section("kind", kind_line(entry.kind)) +
         section("state", sizes(*problem)) + section("run", about) +
         section("parameters (--set)", table(entry.parameters)) + section("source", source(entry.cite));
}

Json json(const ProblemEntry& entry) {
  const auto problem = make_problem(entry.name);
  Json names = Json::object();
  const Layout layout = problem->report();
  for (const auto& block : layout.blocks()) names[block.name] = Json(block.labels);
  return {{"name", entry.name},
          {"summary", entry.summary},
          {"kinds", {name(entry.kind)}},
          {"order", nullptr},
          {"cite", words(entry.cite)},
          {"claims", Json::array()},
          {"parameters", to_json(entry.parameters)},
          {"names", names},
          {"start", problem->start().t},
          {"end", problem->end()}};
}

}  // namespace

Catalogue list_methods() {
  Catalogue all{"methods", {"name", "order", "kinds", "step", "summary"}, {}};
  for (const auto& entry : all_methods())
    all.entries.push_back({entry.name,
                           {entry.name, number(order(entry)), join(kind_names(entry)),
                            entry.adaptive ? "adaptive" : "fixed", entry.summary},
                           json(entry),
                           page(entry)});
  return all;
}

Catalogue list_formulations() {
  Catalogue all{"formulations", {"name", "from", "to", "summary"}, {}};
  for (const auto& entry : all_formulations()) {
    const std::string from = kind_text(entry.from), to = kind_text(entry.to);
    const std::string drift =
        entry.approximate
            ? "approximate: an error remains however short the steps are, so it is never chosen, only named\n"
        : entry.drifts ? "the constraints drift: each step is projected, unless --project off is given\n"
                       : "the constraints hold: steps are projected only if --project on is given\n";
    all.entries.push_back({entry.name,
                           {entry.name, from, to, entry.summary},
                           {{"name", entry.name},
                            {"summary", entry.summary},
                            {"kinds", {from}},
                            {"order", nullptr},
                            {"cite", words(entry.cite)},
                            {"claims", Json::array()},
                            {"from", from},
                            {"to", to},
                            {"drifts", entry.drifts},
                            {"approximate", entry.approximate},
                            {"options", to_json(entry.options)}},
                           title(entry.name, entry.summary) + section("rewrites", kind_line(entry.from)) +
                               section("into", kind_line(entry.to)) + section("constraints", drift) +
                               section("options", table(entry.options)) +
                               section("source", source(entry.cite))});
  }
  return all;
}

Catalogue list_problems() {
  Catalogue all{"problems", {"name", "kind", "summary"}, {}};
  for (const auto& entry : all_problems())
    all.entries.push_back(
        {entry.name, {entry.name, kind_text(entry.kind), entry.summary}, json(entry), page(entry)});
  return all;
}

Catalogue list_papers() {
  Catalogue all{"papers", {"name", "tables", "title"}, {}};
  for (const auto& entry : all_papers()) {
    Table parts({"table", "title"});
    Json tables = Json::array();
    for (const auto& t : entry.tables) {
      parts.add({t.id, t.title});
      tables.push_back({{"id", t.id}, {"title", t.title}});
    }
    all.entries.push_back(
        {entry.id,
         {entry.id, std::to_string(entry.tables.size()), entry.title},
         {{"name", entry.id}, {"summary", entry.title}, {"cite", words(entry.cite)}, {"tables", tables}},
         title(entry.id, entry.title) + section("tables", shown(parts)) +
             section("source", source(entry.cite))});
  }
  return all;
}

}  // namespace dalembert::app
