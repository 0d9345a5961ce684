// How the runs of [WangHouModnak2011] are made, and the ratios of Richardson that its tables print.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/method/partitioned/window_iteration.h"
#include "dalembert/problem/catalogue.h"
#include "papers/wang_hou_modnak/parts.h"

namespace dalembert::wang_hou_modnak {

std::shared_ptr<const Problem> make_case(Signs signs) {
  return make_problem("wang-hou-modnak", {{"printed", signs == Signs::printed ? 1 : 0}});
}

Summary run_case(const Case& c) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {"fields", "window-iteration"};
  options.fields = {fmt::format("{}:{}", c.x, c.substeps), fmt::format("{}:{}", c.y, c.substeps)};
  options.control = Control::fixed;
  options.projection = Projection::off;
  options.tolerance = {0, c.tolerance};
  options.step = c.dt;
  options.end = c.end;
  for (const auto& p : CouplingScheme::options()) {
    if (p.name == "relaxation") options.options[p.name] = choice(p, "none");
    if (p.name == "guess") options.options[p.name] = choice(p, "constant");
    if (p.name == "stop" && c.passes > 0) options.options[p.name] = choice(p, "count");
  }
  if (c.passes > 0) options.options["iterations"] = c.passes;
  Summary s = run(make_case(c.signs), options);
  if (!good(s.outcome)) throw Error("the run failed: " + s.message);
  return s;
}

Ratios richardson(Case c, const std::function<int(double dt)>& substeps) {
  std::array<Vector, 3> ends;
  for (Vector& end : ends) {
    c.substeps = substeps(c.dt);
    end = run_case(c).state.y;
    c.dt /= 2;
  }
  const Vector coarse = ends[0] - ends[1], fine = ends[1] - ends[2];
  return {coarse.head(2).norm() / fine.head(2).norm(),
          coarse.segment(2, 2).norm() / fine.segment(2, 2).norm(), std::abs(coarse[8] / fine[8])};
}

}  // namespace dalembert::wang_hou_modnak
