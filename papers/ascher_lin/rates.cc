// Each iteration gains a factor of order eps: measured on Examples 6.1 and 6.4 of [AscherLin1997] for every E, with alpha1 = 0
// and 1, and of Baumgarte's combination (4.4)-(4.5) too. What Remark 4.1 says of constraints.
//
// The error is that of all differential entries (in q alone that of the second iterate with E = I nearly cancels). rk4 with
// steps of eps/5 leaves errors of time stepping far below eps^4. Where alpha1 = 0 the layer after the start, in which
// multipliers that start at zero find their way, is left out: t in [.3, 1]. What the layer leaves in g decays
// like exp(-alpha3/alpha2 t) in (4.5), too slowly for a fourth iterate to show its order.
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
  explicit Largest(double from) : from_(from) {}
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    if (view.end() < from_) return;
    const State& ours = view.at(view.end(), Depth::coordinates);
    const auto exact = problem_->exact(view.end());
    const Eigen::Index n = differential_size(problem_->layout());
    error = std::max(error, largest((ours.y - exact->y).head(n)));
  }
  double error = 0;

 private:
  double from_;
  const Problem* problem_ = nullptr;
};

const std::vector<std::string> weights = {"I", "(GB)'", "(GB)^-1"};

/// One iteration, with every E.
struct Family {
  std::string label;
  Experiment run;
  double from;     ///< where the layer after the start is gone
  double largest;  ///< eps; where nothing is stiff errors come to rounding sooner
  int iterates;
  enum class Drawn { yes, no } drawn;
};

std::vector<Family> families() {
  using enum Family::Drawn;
  return {{"Example 6.1", {"ascher-lin-6-1", "srm", {}}, .3, 4e-3, 4, yes},
          {"Example 6.4", {"ascher-lin-6-4", "srm", {}}, .3, 4e-3, 4, yes},
          {"Example 6.1, alpha1 = 1", {"ascher-lin-6-1", "srm", {{"alpha1", 1}}}, 0, 8e-3, 4, no},
          {"Example 6.4, (4.5), alpha1 = 1",
           {"ascher-lin-6-4", "srm-baumgarte", {{"alpha1", 1}, {"alpha2", 2}, {"alpha3", 1}}},
           0,
           8e-3,
           4,
           no},
          {"Example 6.4, (4.5), alpha1 = 0",
           {"ascher-lin-6-4", "srm-baumgarte", {{"alpha1", 0}, {"alpha2", 1}, {"alpha3", 1}}},
           .3,
           4e-3,
           3,
           no}};
}

std::vector<PaperRow> run_part(const PaperOptions& options, std::vector<std::filesystem::path>& written) {
  static constexpr std::array lines = {Line::solid, Line::dashed, Line::dotted};
  std::vector<PaperRow> rows;
  std::vector<Panel> panels;
  std::string data = "example,E,iteration,eps,error\n";
  for (Family family : families()) {
    Panel panel{.title = family.label, .x_label = "eps", .y_label = "error", .series = {}};
    panel.x_axis = panel.y_axis = Axis::logarithmic;
    for (std::size_t E = 0; E < weights.size(); ++E) {
      const std::string label = fmt::format("{}, E = {}", family.label, weights[E]);
      if (options.progress) options.progress(label);
      family.run.options["E"] = static_cast<double>(E);
      for (const Rate& r : measure_rates(family.run, family.from, family.largest, family.iterates)) {
        rows.push_back({label, fmt::format("order of iteration {} in eps", r.iterate),
                        std::to_string(r.iterate), fmt::format("{:.2f}", r.order),
                        agree(std::abs(r.order - r.iterate) < .2)});
        panel.series.push_back({.name = fmt::format("s = {}, E = {}", r.iterate, weights[E]),
                                .x = r.eps,
                                .y = r.error,
                                .line = lines[E],
                                .marker = Marker::circle});
        for (std::size_t k = 0; k < r.eps.size(); ++k)
          data += fmt::format("\"{}\",{},{},{:.4e},{:.6e}\n", family.label, weights[E], r.iterate, r.eps[k],
                              r.error[k]);
      }
    }
    if (family.drawn == Family::Drawn::yes) panels.push_back(std::move(panel));
  }
  write_figure(options, "rates", data, panels, written);
  return rows;
}

/// Of the first iterate of Example 6.4: the order in eps of the largest |g| at t = 1/2 and 1, and its growth in between.
struct Violation {
  double order, growth;
};

Violation violation(const std::string& formulation, const std::map<std::string, double>& options) {
  std::vector<double> most;
  double growth = 0;
  for (const double eps : {2e-3, 1e-3}) {
    const Measured at = measure({.problem = "ascher-lin-6-4",
                                 .formulation = formulation,
                                 .options = srm(eps, 1, options),
                                 .step = eps / 5,
                                 .method = "rk4"},
                                {.5, 1});
    most.push_back(std::max(at.position[0], at.position[1]));
    growth = at.position[1] / at.position[0];
  }
  return {std::log2(most[0] / most[1]), growth};
}

/// (4.20a) has g = O(eps^2) after one iteration; without its feedback of g, g' = O(eps) alone is left, and g = O(t eps).
std::vector<PaperRow> run_remark(const PaperOptions&, std::vector<std::filesystem::path>&) {
  const Violation invariant = violation("srm", {{"E", 2}}),
                  baumgarte =
                      violation("srm-baumgarte", {{"E", 2}, {"alpha1", 0}, {"alpha2", 1}, {"alpha3", 0}});
  const auto order = [](const std::string& label, double printed, double ours) {
    return PaperRow{label, "order of |g| in eps, iteration 1", fmt::format("{:.0f}", printed),
                    fmt::format("{:.2f}", ours), agree(std::abs(ours - printed) < .2)};
  };
  return {order("(4.14)-(4.16)", 2, invariant.order),
          order("(4.4)-(4.5), feedback of g' alone", 1, baumgarte.order),
          {"(4.4)-(4.5), feedback of g' alone", "|g| at t = 1 over that at t = 1/2", "grows with t",
           fmt::format("{:.2f}", baumgarte.growth), agree(baumgarte.growth > 1.2)}};
}

}  // namespace

std::vector<Rate> measure_rates(const Experiment& what, double from, double largest_eps, int iterates) {
  std::vector<Rate> all;
  for (int s = 1; s <= iterates; ++s) {
    Rate rate{s, {largest_eps, largest_eps / 2, largest_eps / 4}, {}};
    for (const double eps : rate.eps) {
      Largest watch(from);
      Experiment one = what;
      one.options = srm(eps, s, what.options);
      one.step = eps / 5;
      one.method = "rk4";
      const Summary summary = solve(one, {&watch});
      if (!good(summary.outcome)) throw Error(what.problem + " ended early: " + summary.message);
      rate.error.push_back(watch.error);
    }
    rate.order = std::log2(rate.error[1] / rate.error[2]);
    all.push_back(std::move(rate));
  }
  return all;
}

PaperPart rates() {
  return {"rates", "Theorems 2.1, 2.2 and 4.1: iteration s is off by O(eps^s)", run_part};
}

PaperPart remark_41() {
  return {"remark-4-1", "Remark 4.1: what is left of the constraint after one iteration", run_remark};
}

}  // namespace dalembert::ascher_lin
