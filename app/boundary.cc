// dalembert boundary: constrained motions with conditions at both ends.
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/outputs.h"
#include "app/quantity.h"
#include "app/screen.h"
#include "app/text.h"
#include "dalembert/boundary/solve_boundary.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/observe/files/run_file.h"

namespace dalembert::app {

namespace {

/// The arguments, as given; "" where they are not.
struct Call {
  std::string what, approach, method, steps, segments, eps, matrix, iterations, first, out;
  std::vector<std::string> set;
  bool json = false;
};

template <class Choice>
Choice choose(const std::string& option, const std::string& text,
              const std::vector<std::pair<std::string, Choice>>& known) {
  std::vector<std::string> names;
  for (const auto& [name, choice] : known) {
    if (name == text) return choice;
    names.push_back(name);
  }
  throw Error(option + " is '" + text + "'", "it must be one of " + join(names));
}

BoundaryOptions options(const Call& call) {
  using Approach = BoundaryOptions::Approach;
  using E = Regularization::E;
  BoundaryOptions o;
  const auto count = [](const std::string& option, const std::string& text, int& to) {
    constexpr long most = 100'000'000;
    if (text.empty()) return;
    const long value = to_count(option, text);
    if (value > most) throw Error(option + " is " + text, "at most 1e8");
    to = static_cast<int>(value);
  };
  if (!call.approach.empty())
    o.approach = choose<Approach>("--approach", call.approach,
                                  {{"regularized", Approach::regularized}, {"direct", Approach::direct}});
  if (!call.method.empty()) o.method = call.method;
  count("--steps", call.steps, o.steps);
  count("--segments", call.segments, o.segments);
  count("--iterations", call.iterations, o.iterations);
  if (!call.eps.empty()) o.regularization.eps = to_number("--eps", call.eps);
  if (!call.matrix.empty())
    o.regularization.e =
        choose<E>("--matrix", call.matrix,
                  {{"identity", E::identity}, {"transposed", E::transposed}, {"inverse", E::inverse}});
  if (!call.first.empty()) o.first_multiplier = to_number("--first", call.first);
  return o;
}

Status list_all(const Call& call) {
  if (call.json) {
    Json all = Json::array();
    for (const auto& e : all_boundary_problems())
      all.push_back({{"name", e.name},
                     {"summary", e.summary},
                     {"cite", e.cite},
                     {"parameters", to_json(e.parameters)}});
    print({{"boundary_problems", all}});
    return done;
  }
  Table table({"name", "summary"});
  for (const auto& e : all_boundary_problems()) table.add({e.name, e.summary});
  say_page(shown(table));
  return done;
}

Json summary_json(const Call& call, const BoundaryProblem& problem, const BoundarySummary& s) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < s.iterates.size(); ++i) {
    const BoundaryIterate& it = s.iterates[i];
    rows.push_back({{"iteration", i + 1},
                    {"error", it.error},
                    {"later_error", it.later_error},
                    {"multiplier_error", it.multiplier_error},
                    {"drift", it.drift},
                    {"change", it.change},
                    {"newton", it.newton},
                    {"initial_value_problems", it.trajectories}});
  }
  Json json = {{"problem", call.what},   {"outcome", name(s.outcome)},         {"message", s.message},
               {"warnings", s.warnings}, {"conditions", problem.conditions()}, {"iterates", rows},
               {"seconds", s.seconds}};
  if (s.x) {
    json["start"] = to_json(Vector(s.x->at(0)));
    json["end"] = to_json(Vector(s.x->at(s.x->grid().steps)));
  }
  return json;
}

void print_text(const Call& call, const BoundaryProblem& problem, const BoundaryOptions& o,
                const BoundarySummary& s) {
  std::string text = fmt::format("{}: {}\n", call.what, find_boundary_problem(call.what).summary);
  for (const auto& condition : problem.conditions()) text += "  condition  " + condition + "\n";
  text += fmt::format("  solved     {} with {}, {}, {}\n\n",
                      o.approach == BoundaryOptions::Approach::direct ? "directly" : "regularized", o.method,
                      plural(o.steps, "step", "steps"), plural(o.segments, "segment", "segments"));
  Table table({"iteration", "error", fmt::format("error after {}", number(o.layer)), "error of multipliers",
               "drift", "change", "Newton", "initial value problems"});
  for (std::size_t i = 0; i < s.iterates.size(); ++i) {
    const BoundaryIterate& it = s.iterates[i];
    table.add({std::to_string(i + 1), number(it.error, 3), number(it.later_error, 3),
               number(it.multiplier_error, 3), number(it.drift, 3), number(it.change, 3),
               std::to_string(it.newton), number(it.trajectories)});
  }
  if (!table.empty()) text += shown(table) + "\n";
  for (const auto& warning : s.warnings) text += "warning: " + warning + "\n";
  text += fmt::format("{}: {}\n", name(s.outcome), s.message);
  if (!s.x) return say(text);
  const Layout layout = problem.equations().layout();
  Table ends({"entry", "start", "end"});
  const auto first = s.x->at(0), last = s.x->at(s.x->grid().steps);
  for (Eigen::Index i = 0; i < first.size(); ++i)
    ends.add({layout.label(i), number(first[i], 8), number(last[i], 8)});
  say(text + "\n" + shown(ends));
}

void write(const std::string& file, const BoundaryProblem& problem, const BoundarySummary& s) {
  FileWriter writer(file, problem.equations().layout());
  const Grid& grid = s.x->grid();
  for (int k = 0; k <= grid.steps; ++k) {
    State state{grid.time(k), Vector(problem.equations().layout().size())};
    state.y << s.x->at(k), s.multipliers->at(k);
    writer.output(state);
  }
  writer.end();
  if (writer.status() != Outcome::ok) throw Error(writer.trouble());
}

Status solve(const Call& call) {
  if (call.what.empty()) return list_all(call);
  check_outputs({{"--out", call.out, ".csv"}}, {});
  const auto problem =
      make_boundary_problem(call.what, to_parameters(call.set, find_boundary_problem(call.what).parameters));
  const BoundaryOptions o = options(call);
  const BoundarySummary s = solve_boundary(*problem, o);
  if (call.json)
    print(summary_json(call, *problem, s));
  else
    print_text(call, *problem, o, s);
  Status status = done;
  if (!call.out.empty() && s.x) status = written([&] { write(call.out, *problem, s); });
  if (good(s.outcome)) return status;
  if (call.json) complain(std::string(name(s.outcome)) + ", " + s.message);
  return ended_early;
}

}  // namespace

std::vector<CommandEntry> commands_in_boundary() {
  return {
      {.name = "boundary",
       .rank = 100,
       .summary = "solve a constrained motion with conditions at both ends",
       .examples = {"dalembert boundary", "dalembert boundary ascher-lin-boundary",
                    "dalembert boundary pendulum-swing --approach direct --json"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         arguments.word("WHAT", call->what, "a boundary problem (default: list all)");
         arguments.option("--approach", call->approach, "regularized or direct (default: regularized)", "A");
         arguments.option("--method", call->method, "an explicit method (default: heun)", "M");
         arguments.option("--steps", call->steps, "equal steps from end to end (default: 1000)", "N");
         arguments.option("--segments", call->segments, "segments of multiple shooting (default: 4)", "K");
         arguments.option("--eps", call->eps, "the parameter of the regularization (default: 0.005)", "EPS");
         arguments.option("--matrix", call->matrix,
                          "the matrix E of the regularization: identity, transposed or inverse", "E");
         arguments.option("--iterations", call->iterations, "iterations of the regularization (default: 5)",
                          "S");
         arguments.option("--first", call->first, "the multipliers before the first iteration (default: 0)",
                          "Y");
         arguments.option("--set", call->set, "set a parameter of the problem (may be repeated)",
                          "NAME=VALUE");
         arguments.option("--out", call->out, "write the motion to a .csv file", "FILE");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return solve(*call); };
       }}};
}

}  // namespace dalembert::app
