// Example 2.1 of [AscherLin1997]: incompressible flow with E = I. The text has no numbers: it says that E = I needs no condition for the
// pressure at walls, and Theorem 2.1 says what accuracy to expect.
//
// Flow on a staggered grid (problems/cavity_flow.cc): pressures are multipliers, and nothing is said of them at the walls. B is the gradient,
// G = -h div for cells of width h. Errors are those of velocities, against the solution of the difference equations. rk4 takes steps of
// eps/5: with alpha1 = 1 nothing is stiff at any eps, while alpha1 = 0 is stiff with rates up to 8/(h eps), and is run by Radau IIA.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

using Rows = std::vector<PaperRow>;
using Files = std::vector<std::filesystem::path>;

constexpr const char* flow = "cavity-flow";

/// Largest errors of velocities and pressures at t = 1.
struct FlowErrors {
  double velocity, pressure;
};

FlowErrors errors_of(const std::string& formulation, const std::string& method, double step,
                     const std::map<std::string, double>& options) {
  const auto problem = make_problem(flow);
  RunOptions run{.scrutiny = Scrutiny::method};
  run.request = {formulation, method};
  run.control = Control::fixed;
  run.step = step;
  run.options = options;
  const Summary summary = dalembert::run(problem, run);
  if (!good(summary.outcome)) return {not_a_number, not_a_number};
  const Eigen::Index n = differential_size(problem->layout());
  const Vector difference = summary.state.y - problem->exact(summary.state.t)->y;
  return {largest(difference.head(n)), largest(difference.tail(difference.size() - n))};
}

PaperRow not_printed(const std::string& label, const std::string& quantity, double ours, double most) {
  return {.label = label,
          .quantity = quantity,
          .printed = "",
          .ours = fmt::format("{:.2g}", ours),
          .verdict = Verdict::not_printed,
          .reference = PaperReference{"0", "the solution of the difference equations", agree(ours < most)}};
}

Rows run_part(const PaperOptions& options, Files&) {
  Rows rows;
  if (options.progress) options.progress("alpha1 = 1, E = I");
  for (const Rate& r : measure_rates({flow, "srm", {{"E", 0}, {"alpha1", 1}}}, 0, 8e-3, 3))
    rows.push_back({"E = I, alpha1 = 1", fmt::format("order of iteration {} in eps", r.iterate),
                    std::to_string(r.iterate), fmt::format("{:.2f}", r.order),
                    agree(std::abs(r.order - r.iterate) < .2), "Theorem 2.1"});
  if (options.progress) options.progress("(2.12), one iteration");
  const FlowErrors once =
      errors_of("srm", "rk4", 1e-2, srm(1e-9, 1, {{"E", 0}, {"alpha1", 1}, {"alpha2", 0}}));
  rows.push_back({"(2.12), E = I, eps = 1e-9", "one iteration by an explicit method, h = 1/100",
                  "eps so small that one iteration suffices",
                  fmt::format("velocities {:.1e}, pressures {:.1e}", once.velocity, once.pressure),
                  agree(once.velocity < 1e-7)});
  const FlowErrors three = errors_of("srm", "radau5", 1e-2, srm(1e-3, 3, {{"E", 0}}));
  rows.push_back(not_printed("E = I, alpha1 = 0, eps = 1e-3, Radau IIA",
                             "error of velocities at t = 1, iteration 3", three.velocity, 1e-6));
  if (options.progress) options.progress("index 2");
  for (const auto& [method, step] : {std::pair("hem4", 1e-2), std::pair("radau5", 2e-2)}) {
    const FlowErrors direct = errors_of("direct", method, step, {});
    rows.push_back(not_printed(fmt::format("index 2 as it stands, {}", method),
                               "error of velocities at t = 1", direct.velocity, 1e-7));
    rows.push_back(not_printed(fmt::format("index 2 as it stands, {}", method), "error of pressures at t = 1",
                               direct.pressure, 1e-5));
  }
  return rows;
}

}  // namespace

PaperPart example_21() {
  return {"example-2-1", "incompressible flow with E = I", run_part};
}

}  // namespace dalembert::ascher_lin
