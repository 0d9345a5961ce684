// (1.4) of [BraseyHairer1993]: y' = f(y,z,u), 0 = k(y,z,u), 0 = g(y) with k_u regular. The text says that results extend to it, since u
// can be eliminated and methods do not notice; here they run on exact-index2-inner, whose u is solved for inside f.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "papers/brasey_hairer/parts.h"

namespace dalembert::brasey_hairer {

namespace {

/// Of y at t = 1, from steps of 1/50 and 1/100.
double order_of(const std::string& method) {
  const auto problem = make_problem("exact-index2-inner");
  double errors[2];
  for (const int k : {0, 1}) {
    RunOptions options{.scrutiny = Scrutiny::method};
    options.request = {"direct", method};
    options.control = Control::fixed;
    options.step = k == 0 ? .02 : .01;
    errors[k] = largest((run(problem, options).state.y - problem->exact(1)->y).head(2));
  }
  return std::log2(errors[0] / errors[1]);
}

std::vector<PaperRow> run_part(const PaperOptions&, std::vector<std::filesystem::path>&) {
  std::vector<PaperRow> rows;
  for (const auto& [method, order] : {std::pair("hem3", 3), std::pair("hem4", 4)}) {
    const double ours = order_of(method);
    rows.push_back({method, "order of y on a problem of the form (1.4)", std::to_string(order),
                    fmt::format("{:.2f}", ours), agree(std::abs(ours - order) < .2)});
  }
  return rows;
}

}  // namespace

std::vector<PaperPart> inner_unknowns() {
  return {{"equation-1.4", "further unknowns with equations of their own", run_part}};
}

}  // namespace dalembert::brasey_hairer
