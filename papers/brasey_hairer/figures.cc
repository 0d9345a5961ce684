// Figures 2 and 3 of [BraseyHairer1993]: work and precision of hem4 beside extrapolation, and the bowed violin string.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "papers/brasey_hairer/parts.h"
#include "papers/figure.h"
#include "problems/violin.h"

namespace dalembert::brasey_hairer {

namespace {

using Files = std::vector<std::filesystem::path>;

struct Experiment {
  std::string problem;
  double end, first_step;
};
const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {{"pendulum", 10, 0.01}, {"andrews", 0.025, 3e-5}};
  return all;
}

void say(const PaperOptions& options, const std::string& what) {
  if (options.progress) options.progress(what);
}

std::vector<WorkPrecision> sweep(const PaperOptions& options, const std::string& problem,
                                 const std::string& method) {
  std::vector<WorkPrecision> runs;
  for (double k = 1; k <= 8; k += 0.5) {
    const double tolerance = std::pow(10, -k);
    say(options, fmt::format("{} {} tol {:.0e}", problem, method, tolerance));
    runs.push_back(work_precision(problem, method, tolerance));
  }
  return runs;
}

/// d log(error) / d log(work) by least squares, over errors below 1e-2.
double slope(const std::vector<WorkPrecision>& runs) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& r : runs) {
    if (!(r.error < 1e-2 && r.error > 0)) continue;
    const double x = std::log(r.evaluations), y = std::log(r.error);
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Evaluations, or seconds.
using Cost = double WorkPrecision::*;

/// The least cost with which the sweep reaches an error, by interpolation.
double cost_at(const std::vector<WorkPrecision>& runs, Cost cost, double error) {
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i - 1].error > error && runs[i].error <= error) {
      const double s = std::log(error / runs[i - 1].error) / std::log(runs[i].error / runs[i - 1].error);
      return std::exp(std::log(runs[i - 1].*cost) * (1 - s) + std::log(runs[i].*cost) * s);
    }
  return not_a_number;
}

Panel panel(const Experiment& e, const std::vector<WorkPrecision>& hem4,
            const std::vector<WorkPrecision>& mexx, const std::string& y_label, Cost cost) {
  const auto series = [&](const std::string& name, const std::vector<WorkPrecision>& runs, Marker marker) {
    Series s{.name = name, .x = {}, .y = {}, .marker = marker};
    for (const auto& r : runs) {
      s.x.push_back(r.error);
      s.y.push_back(r.*cost);
    }
    return s;
  };
  return {.title = e.problem + fmt::format(", [0, {}]", e.end),
          .x_label = "error at the end",
          .y_label = y_label,
          .x_axis = Axis::logarithmic,
          .y_axis = Axis::logarithmic,
          .series = {series("hem4", hem4, Marker::circle), series("mexx", mexx, Marker::square)}};
}

PaperRow ratios(const Experiment& e, const std::vector<WorkPrecision>& hem4,
                const std::vector<WorkPrecision>& mexx, const std::string& of, Cost cost) {
  const auto ratio = [&](double error) { return cost_at(hem4, cost, error) / cost_at(mexx, cost, error); };
  return {e.problem + " hem4 / mexx", "ratio of " + of + " at error 1e-3, 1e-5", "",
          fmt::format("{:.2f}, {:.2f}", ratio(1e-3), ratio(1e-5)), Verdict::not_printed};
}

/// What another program with the same estimate, safety factor and first step found.
std::optional<PaperReference> reference(const std::string& problem, const std::string& method,
                                        const WorkPrecision& ours) {
  struct Known {
    std::string problem;
    double tolerance, error, evaluations;
  };
  static const std::vector<Known> all = {
      {"pendulum", 1e-4, 1.9e-6, 695}, {"pendulum", 1e-6, 1.4e-8, 2945}, {"pendulum", 1e-8, 5.0e-11, 13475},
      {"andrews", 1e-4, 2.6e-5, 1050}, {"andrews", 1e-6, 3.7e-8, 4190},  {"andrews", 1e-8, 6.5e-11, 19380}};
  const auto near = [](double a, double b) { return std::abs(std::log(a / b)) < std::log(1.5); };
  for (const Known& k : all)
    if (method == "hem4" && k.problem == problem && std::abs(k.tolerance / ours.tolerance - 1) < 1e-6)
      return PaperReference{fmt::format("{:.2e} / {:.0f}", k.error, k.evaluations),
                            "an independent program with the same estimate, controller and first step",
                            agree(near(ours.error, k.error) && near(ours.evaluations, k.evaluations))};
  return {};
}

std::vector<PaperRow> figure2(const PaperOptions& options, Files& written) {
  std::vector<PaperRow> rows;
  std::vector<Panel> panels, timed;
  std::string csv = "problem,method,tolerance,error,force evaluations,seconds\n";
  for (const auto& e : experiments()) {
    const auto hem4 = sweep(options, e.problem, "hem4"), mexx = sweep(options, e.problem, "mexx");
    for (const auto& [method, runs] : {std::pair{"hem4", &hem4}, std::pair{"mexx", &mexx}})
      for (const auto& r : *runs) {
        csv += fmt::format("{},{},{:.3e},{:.6e},{:.0f},{:.3e}\n", e.problem, method, r.tolerance, r.error,
                           r.evaluations, r.seconds);
        const double k = -std::log10(r.tolerance);
        if (std::abs(k - 2 * std::round(k / 2)) < 1e-9)
          rows.push_back({fmt::format("{} {} tol {:.0e}", e.problem, method, r.tolerance),
                          "error / evaluations of f", "",
                          fmt::format("{:.2e} / {:.0f}", r.error, r.evaluations), Verdict::not_printed, "",
                          reference(e.problem, method, r)});
      }
    const double fitted = slope(hem4);
    rows.push_back({e.problem + " hem4", "slope of log error against log work",
                    "a straight line, slope -4 ideally", fmt::format("{:.2f}", fitted),
                    agree(fitted < -3.5 && fitted > -5)});
    rows.push_back(ratios(e, hem4, mexx, "work", &WorkPrecision::evaluations));
    rows.push_back(ratios(e, hem4, mexx, "seconds", &WorkPrecision::seconds));
    panels.push_back(panel(e, hem4, mexx, "evaluations of f", &WorkPrecision::evaluations));
    timed.push_back(panel(e, hem4, mexx, "seconds", &WorkPrecision::seconds));
  }
  write_figure(options, "figure-2", csv, panels, written, Arrangement::columns);
  write_figure(options, "figure-2-seconds", csv, timed, written, Arrangement::columns);
  return rows;
}

/// u and u' of the bowed node and z, at every output time.
class BowedNode final : public Observer {
 public:
  void output(const State& state) override {
    const Eigen::Index n = (state.y.size() - 1) / 2, mid = n / 2;
    t.push_back(state.t);
    u.push_back(state.y[mid]);
    v.push_back(state.y[n + mid]);
    const double mu = state.y[2 * n];
    z.push_back(std::isnan(mu) ? (v.back() > 0.3 ? 1 : -1) : mu / 12);  // slipping: the sign of u' - v (6.6)
  }
  std::vector<double> t, u, v, z;
};

std::vector<PaperRow> figure3(const PaperOptions& options, Files& written) {
  say(options, "violin, tol 1e-10");
  RunOptions run_options{.scrutiny = Scrutiny::method};
  run_options.tolerance = {1e-10, 1e-10};
  run_options.outputs = output_times(0, 10, 2000);
  BowedNode node;
  const Summary summary = run(make_problem("violin"), run_options, {&node});
  std::vector<PaperRow> rows;
  rows.push_back({"switchings on [0, 10]", "how many", "14 marks", std::to_string(summary.events.size()),
                  agree(summary.events.size() == 14)});
  Series captured{.name = "slip to stick", .x = {}, .y = {}, .line = Line::none, .marker = Marker::square};
  Series released{.name = "stick to slip", .x = {}, .y = {}, .line = Line::none, .marker = Marker::plus};
  for (std::size_t k = 0; k < summary.events.size(); ++k) {
    const auto& event = summary.events[k];
    const double exact = k < std::size(violin_switchings) ? violin_switchings[k].t : not_a_number;
    rows.push_back(
        {fmt::format("switching {} ({})", k + 1, event.name), "time", "", fmt::format("{:.12f}", event.t),
         Verdict::not_printed, "",
         PaperReference{fmt::format("{:.12f}", exact), "the string between switchings in closed form",
                        agree(std::abs(event.t - exact) < 1e-7)}});
    Series& marks = event.name == "capture" ? captured : released;
    marks.x.push_back(event.t);
    marks.y.push_back(violin_switchings[std::min(k, std::size(violin_switchings) - 1)].u_mid);
  }
  std::string csv = "t,u_mid,u_mid',z\n";
  for (std::size_t i = 0; i < node.t.size(); ++i)
    csv += fmt::format("{:.6f},{:.12e},{:.12e},{:.12e}\n", node.t[i], node.u[i], node.v[i], node.z[i]);
  const auto line = [&](const std::vector<double>& y) { return Series{.name = "", .x = node.t, .y = y}; };
  write_figure(options, "figure-3", csv,
               {{.title = "string at the bow",
                 .x_label = "t",
                 .y_label = "u",
                 .series = {line(node.u), captured, released}},
                {.title = "its velocity", .x_label = "t", .y_label = "u'", .series = {line(node.v)}},
                {.title = "control variable", .x_label = "t", .y_label = "z", .series = {line(node.z)}}},
               written);
  return rows;
}

}  // namespace

WorkPrecision work_precision(const std::string& problem, const std::string& method, double tolerance) {
  for (const auto& e : experiments())
    if (e.problem == problem) {
      RunOptions options{.scrutiny = Scrutiny::method};
      options.request = {"index2", method};
      options.tolerance = {tolerance, tolerance};
      options.control = Control::i;
      options.end = e.end;
      options.step = e.first_step;
      options.projection = Projection::off;
      Summary s = run(make_problem(problem), options);
      if (!good(s.outcome)) throw Error(problem + " with " + method + " ended early: " + s.message);
      for (int again = 0; again < 2; ++again)  // the least of three: others use the machine, too
        s.seconds = std::min(s.seconds, run(make_problem(problem), options).seconds);
      return {tolerance, std::max(s.error.at("q"), s.error.at("v")),
              static_cast<double>(s.statistics.force_evaluations), s.seconds};
    }
  throw Error("Figure 2 has no problem '" + problem + "'", "it has pendulum and andrews");
}

std::vector<PaperPart> figures() {
  return {{"figure-2", "Work and precision of hem4 and extrapolation", figure2},
          {"figure-3", "The bowed violin string", figure3}};
}

}  // namespace dalembert::brasey_hairer
