// dalembert analyse spectrum: eigenvalues of a rewritten mechanical problem at its start, and those of its constraints.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/analyse.h"
#include "app/json.h"
#include "app/subject.h"
#include "app/text.h"
#include "dalembert/analysis/spectrum.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/core/error.h"
#include "dalembert/core/table.h"

namespace dalembert::app {

namespace {

struct Call {
  std::string what, formulation = "baumgarte";
  std::vector<std::string> set, option, start;
  bool json = false;
};

using Complex = std::complex<double>;
constexpr double off_the_constraints = 1e-6;

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
  const Layout layout = problem.layout();
  std::vector<std::string> labels;
  for (Eigen::Index i = 0; i < layout.size(); ++i) labels.push_back(layout.label(i));
  for (const auto& [label, value] : to_assignments("--start", call.start)) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) throw unknown("initial value", label, labels);
    state.y[found - labels.begin()] = value;
  }
  if (const StartReport report = make_consistent(problem, state); report.outcome != Outcome::ok)
    throw Error("the start is not consistent: " + report.message);
  return state;
}

Json to_json(const Call& call, const Spectrum& s) {
  Json modes = Json::array(), constraints = Json::array();
  for (const Mode& m : s.modes) modes.push_back({{"value", json(m.value)}, {"off", m.off}});
  for (std::size_t i = 0; i < s.found.size(); ++i)
    constraints.push_back(
        {{"found", json(s.found[i])}, {"theory", i < s.theory.size() ? json(s.theory[i]) : Json(nullptr)}});
  return {{"problem", call.what},
          {"formulation", call.formulation},
          {"speed", s.speed},
          {"modes", modes},
          {"constraint_errors", constraints}};
}

void print_tables(const Call& call, const Spectrum& s) {
  Table modes({"eigenvalue", "off the constraints", ""});
  for (const Mode& m : s.modes)
    modes.add({text(m.value), number(m.off, 2), m.off > off_the_constraints ? "added" : "motion"});
  std::cout << fmt::format("{} as {}, linearised at its start\n\n", call.what, call.formulation)
            << modes.text();
  if (s.speed > 1e-9)
    std::cout
        << "\nThe start is no equilibrium: these are frozen in time, and modes on and off the constraints "
           "mix.\n";
  if (s.found.empty()) return;
  Table errors({"errors of the constraints", "theory", "difference"});
  for (std::size_t i = 0; i < s.found.size(); ++i)
    errors.add({text(s.found[i]), i < s.theory.size() ? text(s.theory[i]) : "",
                i < s.theory.size() ? number(std::abs(s.found[i] - s.theory[i]), 2) : ""});
  std::cout << "\n"
            << errors.text() << "\nDouble roots are found to the root of the accuracy of differences.\n";
}

Status spectrum(const Call& call) {
  const auto problem = find_subject(call.what, call.set).problem;
  Statistics statistics;
  const auto formulation = formulate(call, *problem, statistics);
  const Spectrum s = spectrum_at(*formulation, start_of(call, *problem));
  if (call.json)
    print(to_json(call, s));
  else
    print_tables(call, s);
  return done;
}

}  // namespace

Action add_spectrum(CLI::App& app) {
  const auto call = std::make_shared<Call>();
  add_subject(app, call->what, call->set);
  app.add_option("--formulation", call->formulation, "index1, baumgarte (default), invariant, ...")
      ->type_name("F");
  app.add_option("--option", call->option, "an option of the formulation: NAME=VALUE")
      ->type_name("NAME=VALUE");
  app.add_option("--start", call->start, "change an initial value: q.x=1")->type_name("NAME=VALUE");
  app.add_flag("--json", call->json, "print JSON");
  return [call] { return spectrum(*call); };
}

}  // namespace dalembert::app
