// An efficient Newton-type iteration for highly oscillatory constrained multibody systems, [YenPetzold1998].
//
// How it is run: `bdf` with max-order 2 and dassl 1 (tests without index weights, matrices kept while c changes little),
// CM with P renewed with the Jacobian, as the paper says.
#include <fmt/format.h>

#include "dalembert/problem/catalogue.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert {

namespace yen_petzold {

std::vector<Iteration> iterations(Tested tested) {
  const double test = tested == Tested::positions ? 1 : 2;
  std::vector<Iteration> all = {{"GGL", "ggl", {{"error-test", tested == Tested::positions ? 1. : 0.}}},
                                {"GGL*", "ggl-star", {{"error-test", test}}},
                                {"CS", "cs", {{"error-test", test}}},
                                {"CM", "cm", {{"error-test", test}, {"p-with-jacobian", 1}}}};
  if (tested == Tested::motion) all[1].options["multipliers-from"] = 1;  // 5.2: from the predictor's residual
  return all;
}

Summary solve(const Experiment& e, const std::vector<Observer*>& observers) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {e.iteration.formulation, "bdf"};
  options.tolerance = {e.tolerance, e.tolerance};
  options.options = e.iteration.options;
  options.end = e.end;
  options.options["max-order"] = 2;
  options.options["dassl"] = 1;
  options.options["cold-start"] = e.start == Experiment::Start::cold ? 1 : 0;
  return run(make_problem(e.problem, e.parameters), options, observers);
}

std::string Counts::text() const {
  return fmt::format("{:.0f}/{:.0f}/{:.0f}/{:.0f}/{:.0f}", steps, residuals, jacobians, error_failures,
                     newton_failures);
}

Counts counts(const Statistics& s) {
  const auto number = [](std::int64_t n) { return static_cast<double>(n); };
  return {number(s.steps), number(s.force_evaluations), number(s.jacobians), number(s.error_test_failures),
          number(s.convergence_failures)};
}

}  // namespace yen_petzold

std::vector<PaperEntry> papers_in_yen_petzold() {
  std::vector<PaperPart> parts;
  for (const auto& some : {yen_petzold::tables, yen_petzold::figures, yen_petzold::theorems,
                           yen_petzold::bounds, yen_petzold::appended, yen_petzold::decoupled}) {
    auto more = some();
    parts.insert(parts.end(), more.begin(), more.end());
  }
  return {make_paper("yen-petzold",
                     "An efficient Newton-type iteration for the numerical solution of highly oscillatory "
                     "constrained multibody dynamic systems",
                     "YenPetzold1998", std::move(parts))};
}

}  // namespace dalembert
