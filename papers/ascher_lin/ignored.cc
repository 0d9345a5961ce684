// What the text of Example 6.5 of [AscherLin1997] says without numbers: formulations that are not made for singular positions go wrong there
// after several periods. Runs watch for singular positions and pass them, whatever the formulation; here they are told to ignore them.
//
// The motion of one degree of freedom is the truth: phi1 swings between +-pi/4 about 3 pi/2, through the singular position twice in a
// period. "Wildly different": the largest difference of phi1 is more than 1/10; "without any difficulty": it is not. That depends on
// step and eps, so each formulation is run with h = eps = 1e-4, as in the table, and with larger ones.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

using Rows = std::vector<PaperRow>;
using Files = std::vector<std::filesystem::path>;

constexpr double end = 70, wildly = .1;  // that of Figure 6.1
const std::map<std::string, double> falling = {{"phi", 7 * std::numbers::pi / 4}, {"w", 0}};
const char* const quantity = "largest difference of phi1 from the motion of one degree of freedom, to t = 70";

struct Steps {
  double h, eps;
};
constexpr Steps printed{1e-4, 1e-4}, longer{2e-4, 1e-3};

CrankRun run_srm(const std::string& problem, const std::string& formulation,
                 const std::map<std::string, double>& options, Steps steps, Singular singular) {
  RunOptions run{.scrutiny = Scrutiny::method};
  run.request = {formulation, "heun"};
  run.projection = Projection::off;
  run.control = Control::fixed;
  run.step = steps.h;
  run.options = srm(steps.eps, 2, options);
  run.singular = singular;
  return run_crank(problem, falling, run, end, 7000);
}

CrankRun run_baumgarte(Singular singular) {
  RunOptions run{.scrutiny = Scrutiny::method};
  run.request = {"baumgarte", "dopri5"};
  run.projection = Projection::off;
  run.tolerance = {1e-10, 1e-10};
  run.options = {{"alpha", 1}, {"beta", 1}};
  run.singular = singular;
  return run_crank("slider-crank", falling, run, end, 7000);
}

double error_of(const CrankRun& run) {
  return run.summary.state.t > end - 1e-9 ? run.error : std::numeric_limits<double>::infinity();
}

std::string text(const CrankRun& run) {
  return std::isfinite(error_of(run)) ? fmt::format("{:.2g}", run.error)
                                      : fmt::format("ended at t = {:.3g}", run.summary.state.t);
}

Rows run_part(const PaperOptions& options, Files&) {
  const auto row = [](const std::string& label, const std::string& said, const CrankRun& run,
                      Verdict verdict) {
    return PaperRow{
        .label = label, .quantity = quantity, .printed = said, .ours = text(run), .verdict = verdict};
  };
  const std::string wrong = "wildly different after several periods";
  Rows rows;
  struct Case {
    std::string label, problem;
    double E;
  };
  for (const Case& c :
       {Case{"(5.3)-(5.4), E = (GB)^-1", "slider-crank", 2}, Case{"(5.3)-(5.4), E = I", "slider-crank", 0},
        Case{"(5.3)-(5.4), E = (GB)^-1, six coordinates", "slider-crank-6", 2}}) {
    if (options.progress) options.progress(c.label);
    const CrankRun far = run_srm(c.problem, "srm", {{"E", c.E}}, longer, Singular::ignore);
    rows.push_back(row(c.label + ", h = 2e-4, eps = 1e-3", wrong, far, agree(error_of(far) > wildly)));
    if (c.problem == "slider-crank-6") continue;  // twice the time for the same
    const CrankRun near = run_srm(c.problem, "srm", {{"E", c.E}}, printed, Singular::ignore);
    rows.push_back(explained(
        row(c.label + ", h = eps = 1e-4", wrong, near, agree(error_of(near) > wildly)),
        {"it depends on step and eps: with h = 2e-4, eps = 1e-3 the same formulation is wildly different",
         error_of(far) > wildly}));
  }
  if (options.progress) options.progress("Baumgarte");
  const CrankRun feedback = run_baumgarte(Singular::ignore);
  rows.push_back(
      row("Baumgarte, rate 1, tolerance 1e-10", wrong, feedback, agree(error_of(feedback) > wildly)));
  const CrankRun made_for_it = run_srm("slider-crank", "srm-singular", {}, longer, Singular::ignore);
  rows.push_back(row("(5.5)-(5.6), h = 2e-4, eps = 1e-3", "without any difficulty", made_for_it,
                     agree(error_of(made_for_it) <= wildly)));
  if (options.progress) options.progress("watched");
  rows.push_back(row("(5.3)-(5.4), E = (GB)^-1, h = 2e-4, eps = 1e-3, watched", "",
                     run_srm("slider-crank", "srm", {{"E", 2}}, longer, Singular::watch),
                     Verdict::not_printed));
  rows.push_back(row("Baumgarte, rate 1, tolerance 1e-10, watched", "", run_baumgarte(Singular::watch),
                     Verdict::not_printed));
  return rows;
}

}  // namespace

PaperPart example_65() {
  return {"example-6-5", "what ignores singular positions", run_part};
}

}  // namespace dalembert::ascher_lin
