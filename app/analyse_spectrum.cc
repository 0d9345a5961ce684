// dalembert analyse spectrum: eigenvalues of a rewritten mechanical problem at its start, and those of its constraints.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/commands.h"
#include "app/json.h"
#include "app/screen.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/spectrum.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/redundant_rows.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"
#include "dalembert/formulation/null_space/independent_rows.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, formulation = "baumgarte";
  std::vector<std::string> set, option, start;
  bool json = false;
};

using Complex = std::complex<double>;

std::string text(Complex z) {
  if (std::abs(z.imag()) <= 1e-9 * (1 + std::abs(z))) return number(z.real());
  return number(z.real()) + (z.imag() < 0 ? " - " : " + ") + number(std::abs(z.imag())) + "i";
}
Json json(Complex z) {
  return {z.real(), z.imag()};
}

std::unique_ptr<Formulation> formulate(const Call& call, const Problem& problem, Statistics& statistics) {
  const auto entries = find_formulation(call.formulation);
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const FormulationEntry& e) {
    return e.from == problem.kind() && e.from == Kind::mechanical && e.to == Kind::ode;
  });
  if (found == entries.end())
    throw Error("formulation '" + call.formulation + "' does not make an ode of this problem (" +
                    std::string(name(problem.kind())) + ")",
                "take a mechanical problem and index1, baumgarte or invariant");
  const Parameters options(found->options, to_assignments("--option", call.option), found->name);
  return found->make(problem, options, statistics);
}

State start_of(const Call& call, const Problem& problem) {
  State state = problem.start();
  change_start(to_assignments("--start", call.start), problem.layout(), state);
  if (const StartReport report = make_consistent(problem, state); report.outcome != Outcome::ok)
    throw Error("the start is not consistent: " + report.message);
  return state;
}

Json to_json(const Call& call, const Spectrum& s) {
  Json modes = Json::array(), constraints = Json::array();
  for (const Complex value : s.motion) modes.push_back({{"value", json(value)}, {"of", "motion"}});
  for (const Complex value : s.found) modes.push_back({{"value", json(value)}, {"of", "formulation"}});
  for (std::size_t i = 0; i < s.found.size(); ++i)
    constraints.push_back(
        {{"found", json(s.found[i])}, {"theory", i < s.theory.size() ? json(s.theory[i]) : Json(nullptr)}});
  return {{"problem", call.what},
          {"formulation", call.formulation},
          {"equilibrium", s.base == Linearisation::Base::equilibrium},
          {"modes", modes},
          {"constraint_errors", constraints}};
}

void print_tables(const Call& call, const Spectrum& s, const std::vector<std::string>& left_out) {
  Table modes({"eigenvalue", ""});
  for (const Complex value : s.motion) modes.add({text(value), "motion"});
  for (const Complex value : s.found) modes.add({text(value), "added"});
  std::string all =
      fmt::format("{} as {}, linearised at its start\n\n", call.what, call.formulation) + shown(modes);
  if (!left_out.empty())
    all += "\nLeft out are rows that follow from others, as runs leave them out: " + join(left_out) + ".\n";
  if (s.base == Linearisation::Base::instant)
    all +=
        "\nThe start is no equilibrium, and is not recognised as a steady motion: the eigenvalues of the "
        "motion are those "
        "of a frozen "
        "instant.\n";
  if (s.found.empty()) return say_page(all);
  Table errors({"errors of the constraints", "theory", "difference"});
  for (std::size_t i = 0; i < s.found.size(); ++i)
    errors.add({text(s.found[i]), i < s.theory.size() ? text(s.theory[i]) : "",
                i < s.theory.size() ? number(std::abs(s.found[i] - s.theory[i]), 2) : ""});
  say_page(all + "\n" + shown(errors) +
           "\nDouble roots are accurate only to the square root of the accuracy of the differences.\n");
}

Status spectrum(const Call& call) {
  const auto problem = find_subject(call.what, call.set).problem;
  Statistics statistics;
  // Off the constraints rows that follow from others contradict each other: equations are those of the rows that are left.
  State state = start_of(call, *problem);
  const auto* mechanical = as<Mechanical>(problem.get());
  const Redundancy rows = mechanical != nullptr ? find_redundancy(*mechanical, state) : Redundancy{};
  std::unique_ptr<IndependentRows> fewer;
  std::vector<std::string> left_out;
  if (!rows.dependent.empty()) {
    fewer = std::make_unique<IndependentRows>(*mechanical, rows.independent(), rows.inconsistent);
    fewer->narrow(State(state), state);
    for (const auto& each : name_rows(rows, *mechanical).dependent) left_out.push_back(each.row);
  }
  const auto formulation = formulate(call, fewer ? *fewer : *problem, statistics);
  const Spectrum s = spectrum_at(*formulation, state);
  if (call.json)
    print(to_json(call, s));
  else
    print_tables(call, s, left_out);
  return done;
}

}  // namespace

std::vector<CommandEntry> commands_in_analyse_spectrum() {
  return {
      {.name = "analyse spectrum",
       .rank = 30,
       .summary =
           "the eigenvalues of a rewritten problem at its start, and which of them the formulation adds",
       .examples = {"dalembert analyse spectrum pendulum --option alpha=20 --option beta=12 --start q.x=0 "
                    "--start q.y=-1",
                    "dalembert analyse spectrum andrews --formulation invariant --json"},
       .add = [](Arguments& arguments) -> Action {
         const auto call = std::make_shared<Call>();
         add_subject(arguments, call->what, call->set);
         arguments.option("--formulation", call->formulation,
                          "index1, baumgarte, invariant, ... (default: baumgarte)", "F");
         arguments.option("--option", call->option, "set an option of the formulation (may be repeated)",
                          "NAME=VALUE");
         arguments.option("--start", call->start,
                          "set an initial value, for instance q.x=1 (may be repeated)", "NAME=VALUE");
         arguments.flag("--json", call->json, "print JSON");
         return [call] { return spectrum(*call); };
       }}};
}

}  // namespace dalembert::app
