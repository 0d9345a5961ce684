// Figures 5.1, 5.3, 5.4 and 5.6 of [YenPetzold1998]: energies, the motion of the spring, step sizes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "papers/figure.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {

namespace {

using Rows = std::vector<PaperRow>;
using Files = std::vector<std::filesystem::path>;

/// Everything the figures show, at the end of every step.
class Trace final : public Observer {
 public:
  void begin(const Problem& problem, const State& start) override {
    problem_ = &as<Mechanical>(problem);
    at_ = problem_->placement();
    add(start, 0);
  }
  void step(const StepView& view) override {
    add(view.at(view.end(), Depth::multipliers), view.end() - view.begin());
  }
  std::vector<double> t, energy, x, w, lambda, h;

 private:
  void add(const State& state, double step) {
    const MechanicalState part(problem_->sizes());
    problem_->place_at(*at_, state.t, part.q(state.y));
    t.push_back(state.t);
    energy.push_back(problem_->energy(*at_, part.v(state.y), part.s(state.y)).value_or(not_a_number));
    x.push_back(state.y[0]);
    w.push_back(part.v(state.y)[0]);
    lambda.push_back(part.multipliers(state.y)[0]);
    h.push_back(step);
  }
  const Mechanical* problem_ = nullptr;
  std::unique_ptr<Placement> at_;
};

struct Curve {
  std::string name;
  Trace trace;
};

std::vector<Curve> curves(const std::string& problem, double eps, double tolerance, Tested tested,
                          Experiment::Start start) {
  std::vector<Curve> all;
  for (const Iteration& iteration : iterations(tested)) {
    all.push_back({iteration.name, {}});
    const Summary s = solve({problem, {{"eps", eps}}, iteration, tolerance, start}, {&all.back().trace});
    if (!good(s.outcome)) throw Error(problem + " with " + iteration.name + " ended early: " + s.message);
  }
  return all;
}

Panel panel(const std::string& title, const std::string& y_label, const std::vector<Curve>& curves,
            std::vector<double> Trace::*what) {
  Panel p{.title = title, .x_label = "t", .y_label = y_label, .series = {}};
  for (const Curve& c : curves) p.series.push_back({.name = c.name, .x = c.trace.t, .y = c.trace.*what});
  return p;
}

void write(const PaperOptions& options, const std::string& name, const std::vector<Curve>& all,
           const std::vector<Panel>& panels, Files& written) {
  std::string csv = "iteration,t,h,energy,x,w,lambda\n";
  for (const Curve& c : all)
    for (std::size_t i = 0; i < c.trace.t.size(); ++i)
      csv += fmt::format("{},{:.10e},{:.4e},{:.10e},{:.10e},{:.10e},{:.10e}\n", c.name, c.trace.t[i],
                         c.trace.h[i], c.trace.energy[i], c.trace.x[i], c.trace.w[i], c.trace.lambda[i]);
  write_figure(options, name, csv, panels, written);
}

/// What lies between these times.
void cut(Panel& panel, double from, double to) {
  for (Series& s : panel.series) {
    std::vector<double> x, y;
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (s.x[i] >= from && s.x[i] <= to) x.push_back(s.x[i]), y.push_back(s.y[i]);
    s.x = std::move(x), s.y = std::move(y);
  }
}

/// When the energy above that at rest falls to a tenth for good, by interpolation within the step.
double damped_at(const Trace& trace, double at_rest) {
  const auto excess = [&](std::size_t i) {
    return (trace.energy[i] - at_rest) / (trace.energy.front() - at_rest);
  };
  for (std::size_t i = trace.t.size() - 1; i > 0; --i)
    if (excess(i - 1) > .1) {
      const double share = std::min(1., (excess(i - 1) - .1) / (excess(i - 1) - excess(i)));
      return trace.t[i - 1] + share * (trace.t[i] - trace.t[i - 1]);
    }
  return trace.t.front();
}

/// Of 21 runs of each with tolerances within 10 %, how often CM is the first to lose its energy.
int wins_of_cm(const std::string& problem, double eps, double tolerance, double at_rest,
               Experiment::Start start) {
  int wins = 0;
  for (int k = -10; k <= 10; ++k) {
    const auto all = curves(problem, eps, tolerance * (1 + .01 * k), Tested::positions, start);
    double others = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      others = std::min(others, damped_at(all[i].trace, at_rest));
    wins += damped_at(all.back().trace, at_rest) < others ? 1 : 0;
  }
  return wins;
}

Rows energies(const std::string& figure, const std::string& problem, double eps, double tolerance,
              double at_rest, Experiment::Start start, const PaperOptions& options, Files& written) {
  const auto all = curves(problem, eps, tolerance, Tested::positions, start);
  Rows rows;
  for (const Curve& c : all)
    rows.push_back({c.name, "t at which a tenth of the excess energy is left; energy at the end", "",
                    fmt::format("{:.3g}; {:.6g}", damped_at(c.trace, at_rest), c.trace.energy.back()),
                    Verdict::not_printed});
  const int wins = wins_of_cm(problem, eps, tolerance, at_rest, start);
  rows.push_back(
      explained({"strongest damping", "who loses its energy first, in 21 runs with TOL within 10 %", "CM",
                 fmt::format("CM in {} of 21", wins), agree(wins == 21)},
                {"chance decides in runs of so few steps: CM is first in some of them, not in others",
                 wins > 0 && wins < 21 && all.back().trace.t.size() < 50}));
  Panel shown = panel(problem, "energy", all, &Trace::energy);
  double last = 0;
  for (const Curve& c : all) last = std::max(last, damped_at(c.trace, at_rest));
  cut(shown, 0, 2 * last);  // nothing happens after that
  write(options, figure, all, {std::move(shown)}, written);
  return rows;
}

Rows figure51(const PaperOptions& options, Files& written) {
  return energies("figure-5.1", "circle-linear", 1e-6, 1e-3, 0, Experiment::Start::consistent, options,
                  written);
}

constexpr double spring_at_rest = .5 * 1e8 * .1 * .1;  // stretched by 0.1 at (0,-1)

Rows figure53(const PaperOptions& options, Files& written) {
  return energies("figure-5.3", "circle-spring", 1e-4, 1e-4, spring_at_rest, Experiment::Start::cold, options,
                  written);
}

Rows figure54(const PaperOptions& options, Files& written) {
  const auto all = curves("circle-spring", 1e-4, 1e-4, Tested::positions, Experiment::Start::cold);
  Rows rows;
  for (const Curve& c : all) {
    const auto amplitude = [](const std::vector<double>& values) {  // over the last fifth of the steps
      double most = 0;
      for (std::size_t i = values.size() - values.size() / 5; i < values.size(); ++i)
        most = std::max(most, std::abs(values[i]));
      return most;
    };
    rows.push_back({c.name, "amplitude of x and w at the end; lambda at the end", "",
                    fmt::format("{:.2e}, {:.2e}; {:.4e}", amplitude(c.trace.x), amplitude(c.trace.w),
                                c.trace.lambda.back()),
                    Verdict::not_printed});
  }
  write(options, "figure-5.4", all,
        {panel("position", "x", all, &Trace::x), panel("velocity", "w", all, &Trace::w),
         panel("multiplier", "lambda", all, &Trace::lambda)},
        written);
  return rows;
}

Rows figure56(const PaperOptions& options, Files& written) {
  const auto all = curves("bushing-pendulum", 1e-5, 1e-4, Tested::motion, Experiment::Start::consistent);
  Rows rows;
  for (const Curve& c : all)
    rows.push_back({c.name, "steps; longest step", "",
                    fmt::format("{}; {:.2e}", c.trace.h.size() - 1,
                                *std::max_element(c.trace.h.begin(), c.trace.h.end())),
                    Verdict::not_printed});
  const double cs = static_cast<double>(all[2].trace.h.size()),
               cm = static_cast<double>(all[3].trace.h.size());
  int failures = 0;
  for (const Iteration& iteration : iterations(Tested::motion))
    failures += static_cast<int>(
        solve({"bushing-pendulum", {{"eps", 1e-5}}, iteration, 1e-4}).statistics.convergence_failures);
  rows.push_back(explained(
      {"CM / CS", "ratio of steps", "far below 1", fmt::format("{:.2f}", cm / cs), agree(cm < .5 * cs)},
      {"with the split that pivoting chooses no iteration fails; see Table 5.4 for the split that does",
       failures == 0}));
  Panel steps = panel("two-body pendulum with a bushing", "h", all, &Trace::h);
  steps.y_axis = Axis::logarithmic;
  cut(steps, .005, 1);  // without the first steps, which are tiny
  write(options, "figure-5.6", all, {steps}, written);
  return rows;
}

}  // namespace

std::vector<PaperPart> figures() {
  return {{"figure-5.1", "Figure 5.1: energy, linear force, eps = 1e-6", figure51},
          {"figure-5.3", "Figure 5.3: energy, stiff spring, eps = 1e-4", figure53},
          {"figure-5.4", "Figure 5.4: motion and multiplier, stiff spring", figure54},
          {"figure-5.6", "Figure 5.6: step sizes, bushing, eps = 1e-5", figure56}};
}

}  // namespace dalembert::yen_petzold
