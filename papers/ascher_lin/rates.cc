// Each iteration gains a factor of order eps: measured on Examples 6.1 and 6.4 of [AscherLin1997] for every E.
//
// The error is that of all differential entries (in q alone that of the second iterate with E = I nearly cancels). rk4 with
// steps of eps/5 leaves errors of time stepping far below eps^4. The layer after the start, where
// multipliers that start at zero find their way, is left out: t in [.3, 1].
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/hessenberg.h"
#include "papers/ascher_lin/parts.h"
#include "papers/figure.h"

namespace dalembert::ascher_lin {

namespace {

class Largest final : public Observer {
 public:
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    if (view.end() < .3) return;
    const State& ours = view.at(view.end(), Depth::coordinates);
    const auto exact = problem_->exact(view.end());
    const Eigen::Index n = differential_size(problem_->layout());
    error = std::max(error, largest((ours.y - exact->y).head(n)));
  }
  double error = 0;

 private:
  const Problem* problem_ = nullptr;
};

const std::vector<std::string> weights = {"I", "(GB)'", "(GB)^-1"};

std::string example(const std::string& problem) {
  return problem == "ascher-lin-6-1" ? "Example 6.1" : "Example 6.4";
}

std::vector<PaperRow> run_part(const PaperOptions& options, std::vector<std::filesystem::path>& written) {
  static constexpr std::array lines = {Line::solid, Line::dashed, Line::dotted};
  std::vector<PaperRow> rows;
  std::vector<Panel> panels;
  std::string data = "example,E,iteration,eps,error\n";
  for (const std::string problem : {"ascher-lin-6-1", "ascher-lin-6-4"}) {
    Panel panel{.title = example(problem), .x_label = "eps", .y_label = "error", .series = {}};
    panel.x_axis = panel.y_axis = Axis::logarithmic;
    for (std::size_t E = 0; E < weights.size(); ++E) {
      const std::string label = fmt::format("{}, E = {}", example(problem), weights[E]);
      if (options.progress) options.progress(label);
      for (const Rate& r : measure_rates(problem, static_cast<int>(E))) {
        rows.push_back({label, fmt::format("order of iteration {} in eps", r.iterate),
                        std::to_string(r.iterate), fmt::format("{:.2f}", r.order),
                        agree(std::abs(r.order - r.iterate) < .2)});
        panel.series.push_back({.name = fmt::format("s = {}, E = {}", r.iterate, weights[E]),
                                .x = r.eps,
                                .y = r.error,
                                .line = lines[E],
                                .marker = Marker::circle});
        for (std::size_t k = 0; k < r.eps.size(); ++k)
          data += fmt::format("{},{},{},{:.4e},{:.6e}\n", example(problem), weights[E], r.iterate, r.eps[k],
                              r.error[k]);
      }
    }
    panels.push_back(std::move(panel));
  }
  write_figure(options, "rates", data, panels, written);
  return rows;
}

}  // namespace

std::vector<Rate> measure_rates(const std::string& problem, int E) {
  std::vector<Rate> all;
  for (int s = 1; s <= 4; ++s) {
    Rate rate{problem, E, s, {4e-3, 2e-3, 1e-3}, {}};
    for (const double eps : rate.eps) {
      Largest watch;
      const Summary summary = solve({.problem = problem,
                                     .formulation = "srm",
                                     .options = srm(eps, s, {{"E", static_cast<double>(E)}}),
                                     .step = eps / 5,
                                     .end = 1,
                                     .method = "rk4"},
                                    {&watch});
      if (!good(summary.outcome)) throw Error(problem + " ended early: " + summary.message);
      rate.error.push_back(watch.error);
    }
    rate.order = std::log2(rate.error[1] / rate.error[2]);
    all.push_back(std::move(rate));
  }
  return all;
}

PaperPart rates() {
  return {"rates", "Theorems 2.2 and 4.1: iteration s is off by O(eps^s)", run_part};
}

}  // namespace dalembert::ascher_lin
