// dalembert analyse contraction: how fast an iteration between fields contracts, in theory and as measured.
#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/contraction.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, substeps = "10";
  std::vector<std::string> set, windows;
  bool json = false;
};

struct Line {
  std::string splitting;
  double omega;  // 1: not relaxed
  double theory;
  std::vector<MeasuredContraction> measured;  // per window length
};

std::shared_ptr<const Partitioned> find(const Call& call) {
  const auto problem =
      std::dynamic_pointer_cast<const Partitioned>(find_subject(call.what, call.set).problem);
  if (problem) return problem;
  std::vector<std::string> names;
  for (const auto& entry : all_problems())
    if (entry.kind == Kind::partitioned) names.push_back(entry.name);
  throw Error("'" + call.what + "' is not partitioned into fields",
              "partitioned problems are " + join(names));
}

std::vector<Line> lines(const Call& call, const std::shared_ptr<const Partitioned>& problem,
                        const ContractionTheory& theory, const std::vector<double>& windows) {
  std::vector<Line> all;
  for (const auto& [name, t] : {std::pair{"last", theory.last}, {"first", theory.first}}) {
    if (!std::isfinite(t.factor)) continue;  // the field cannot bear the rows
    all.push_back({name, 1, t.factor, {}});
    if (t.omega != 1) all.push_back({name, t.omega, t.relaxed, {}});
  }
  const int substeps = static_cast<int>(to_count("--substeps", call.substeps));
  for (auto& line : all)
    for (const double dt : windows)
      line.measured.push_back(measure_contraction(
          problem, line.splitting, line.omega == 1 ? std::nullopt : std::optional(line.omega), dt, substeps));
  return all;
}

std::string section_four(const std::optional<WindowTheory>& theory) {
  if (!theory)
    return "E, F, beta and gamma exist only for linear problems of two fields with one interface row\n";
  return fmt::format("E {:.6g}, F {:.6g}, beta {:.6g} {:+.4g} dt^2, gamma {:.6g} {:+.4g} dt^2\n", theory->E,
                     theory->F, theory->beta0, theory->beta2, theory->gamma0, theory->gamma2);
}

Json to_json(const std::optional<WindowTheory>& t) {
  if (!t) return {};
  return {{"E", t->E}, {"F", t->F}, {"beta", {t->beta0, t->beta2}}, {"gamma", {t->gamma0, t->gamma2}}};
}

Status contraction(const Call& call) {
  const auto problem = find(call);
  std::vector<double> windows;
  for (const auto& text : call.windows) windows.push_back(to_number("--window", text));
  if (windows.empty()) {
    const double span = problem->end() - problem->start().t;
    windows = {span / 10, span / 20, span / 100};
  }
  const ContractionTheory theory = contraction_theory(*problem, problem->start());
  const auto four = window_theory(*problem, Identity::correct);
  const auto all = lines(call, problem, theory, windows);
  if (call.json) {
    Json splittings = Json::array();
    for (const auto& line : all) {
      Json measured = Json::array();
      for (std::size_t k = 0; k < windows.size(); ++k)
        measured.push_back({{"window", windows[k]},
                            {"contraction", line.measured[k].contraction},
                            {"iterations", line.measured[k].iterations},
                            {"outcome", line.measured[k].outcome}});
      splittings.push_back({{"splitting", line.splitting},
                            {"omega", line.omega},
                            {"limit", line.theory},
                            {"measured", measured}});
    }
    print({{"problem", call.what},
           {"splittings", splittings},
           {"weight_from", theory.weight_from},
           {"best_weight", theory.best_weight},
           {"windows", to_json(four)}});
    return done;
  }
  std::vector<std::string> head = {"rows on", "omega", "short windows"};
  for (const double dt : windows) head.push_back("measured, dt = " + number(dt));
  Table table(head);
  for (const auto& line : all) {
    std::vector<std::string> row = {line.splitting + " field", number(line.omega), number(line.theory)};
    for (const auto& m : line.measured)
      row.push_back(number(m.contraction, 4) + (m.outcome == "ok" ? "" : ", diverges"));
    table.add(row);
  }
  say_page(call.what + ": factor by which an iteration multiplies errors\n\n" + shown(table) +
           fmt::format("\nweighted splittings contract for theta {} {:.6g}, best {:.6g}\n",
                       theory.last.factor < 1 ? "above" : "below", theory.weight_from, theory.best_weight) +
           section_four(four));
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_contraction() {
  return {{.name = "analyse contraction",
           .rank = 10,
           .summary = "how fast an iteration between fields contracts, in theory and as measured",
           .examples = {"dalembert analyse contraction wang-hou-modnak",
                        "dalembert analyse contraction chain-cut --window 0.01,0.1 --json"},
           .add = [](Arguments& arguments) -> Action {
             const auto call = std::make_shared<Call>();
             add_subject(arguments, call->what, call->set);
             arguments.list("--window", call->windows, "window lengths to measure, separated by commas",
                            "DT");
             arguments.option("--substeps", call->substeps,
                              "substeps of each field in a window (default: 10)", "M");
             arguments.flag("--json", call->json, "print JSON");
             return [call] { return contraction(*call); };
           }}};
}

}  // namespace dalembert::app
