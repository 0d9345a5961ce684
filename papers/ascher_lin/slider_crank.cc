// Table 6.5 and Figures 6.1 and 6.2 of [AscherLin1997]: the slider crank through its singular position, h = eps = 1e-4.
//
// The text speaks of six coordinates and five constraints and gives no masses. The printed drifts come out, to three digits,
// of two angles with one constraint and unit point masses at the joint and at the slider (found by search: an inference);
// uniform bars in six coordinates give others. Both are run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "papers/ascher_lin/parts.h"
#include "papers/figure.h"

namespace dalembert::ascher_lin {

namespace {

using Rows = std::vector<PaperRow>;
using Files = std::vector<std::filesystem::path>;
using Set = std::map<std::string, double>;

constexpr double pi = std::numbers::pi;
constexpr double h = 1e-4;
const char* const program = "an independent program of the two-angle form";

const Set falling = {{"phi", 7 * pi / 4}, {"w", 0}};
const Set turning = {{"phi", pi / 4}, {"w", 2 * std::numbers::sqrt2}};

class Trace final : public Observer {
 public:
  explicit Trace(CrankRun& run) : run_(run) {}
  void begin(const Problem& problem, const State& start) override {
    problem_ = &as<Mechanical>(problem);
    at_ = problem_->placement();
    at_->q = Vector::Zero(problem_->sizes().q);
    output(start);
  }
  void output(const State& state) override {
    const auto n = problem_->sizes();
    const MechanicalState part(n);
    const Vector q = part.q(state.y), v = part.v(state.y), a = acceleration(state);
    const bool angles = n.q == 2;
    const Eigen::Index first = angles ? 0 : 2, second = angles ? 1 : 5;
    const double turn = angles ? 0 : 2 * pi;  // six coordinates count the second angle from zero
    // the slider is at x of the first bar's end, or of the second bar's centre, plus what the second bar adds
    const auto along = [&](Eigen::Index k, double l) {
      return -l * (std::sin(q[k]) * a[k] + std::cos(q[k]) * v[k] * v[k]);
    };
    run_.t.push_back(state.t);
    run_.theta1.push_back(q[first] - 3 * pi / 2);
    run_.theta2.push_back(q[second] + turn - pi / 2);
    run_.rate1.push_back(v[first]);
    run_.rate2.push_back(v[second]);
    run_.acceleration.push_back(angles ? along(0, 1) + along(1, 1) : a[3] + along(5, .5));
  }

 private:
  /// M a = f - J'lambda, with the multipliers of the run.
  Vector acceleration(const State& state) {
    const auto n = problem_->sizes();
    const MechanicalState part(n);
    problem_->place_at(*at_, state.t, part.q(state.y));
    Entries M, J;
    problem_->mass(*at_, M);
    problem_->jacobian(*at_, J);
    Vector f(n.v);
    problem_->force(*at_, part.v(state.y), part.s(state.y), f);
    J.multiply_transposed(part.multipliers(state.y), -1, f);
    return M.dense(n.v, n.v).ldlt().solve(f);
  }
  CrankRun& run_;
  const Mechanical* problem_ = nullptr;
  std::unique_ptr<Placement> at_;
};

void write(const PaperOptions& options, const std::string& name, const CrankRun& run,
           const std::vector<Panel>& panels, Files& written) {
  std::string csv = "t,theta1,theta2,theta1',theta2',slider acceleration\n";
  for (std::size_t k = 0; k < run.t.size(); ++k)
    csv += fmt::format("{:.6f},{:.10e},{:.10e},{:.10e},{:.10e},{:.10e}\n", run.t[k], run.theta1[k],
                       run.theta2[k], run.rate1[k], run.rate2[k], run.acceleration[k]);
  write_figure(options, name, csv, panels, written);
}

/// The two-angle form is the reading; six coordinates, of which the text speaks, are a variant.
struct Form {
  std::string problem, variant;
};
const std::vector<Form> forms = {{"slider-crank", ""}, {"slider-crank-6", "six coordinates"}};

PaperRow drift(const Form& form, int s, const std::string& what, const std::string& printed, double ours,
               const std::string& reference, const Reason& reason) {
  PaperRow row{.label = fmt::format("iteration {}", s),
               .quantity = what + " drift at t = 30",
               .printed = printed,
               .ours = fmt::format("{:.5g}", ours),
               .verdict = agree(agrees(printed, ours)),
               .variant = form.variant};
  if (!reference.empty()) row.reference = PaperReference{reference, program, agree(agrees(reference, ours))};
  return explained(row, reason);
}

Rows drifts(const PaperOptions& options, Files&) {
  struct Known {
    int s;
    std::string position, velocity, reference_position, reference_velocity;
  };
  Rows rows;
  bool two_angles = true;  // agree
  for (const Form& form : forms)
    for (const Known& k : {Known{1, ".669e-8", ".671e-4", ".66915e-8", ".67051e-4"},
                           Known{2, ".730e-11", ".731e-7", ".73066e-11", ".73135e-7"}}) {
      if (options.progress) options.progress(fmt::format("iteration {} {}", k.s, form.variant));
      const Measured ours = measure({form.problem, "srm-singular", srm(h, k.s), h, 30, falling}, {30});
      const Reason masses{
          "the printed numbers are those of two angles with point masses, which agree in all four",
          two_angles && !form.variant.empty()};
      const bool known = form.variant.empty();
      for (auto& row : {drift(form, k.s, "position", k.position, ours.position[0],
                              known ? k.reference_position : "", masses),
                        drift(form, k.s, "velocity", k.velocity, ours.velocity[0],
                              known ? k.reference_velocity : "", masses)}) {
        if (known) two_angles = two_angles && row.verdict == Verdict::agrees;
        rows.push_back(row);
      }
    }
  return rows;
}

Rows motion(const PaperOptions& options, Files& written) {
  Rows rows;
  CrankRun last;
  for (int s = 1; s <= 2; ++s) {
    if (options.progress) options.progress(fmt::format("to t = 70, iteration {}", s));
    last = run_crank("slider-crank", falling, s, 70, 7000);
    const std::string label = fmt::format("iteration {}", s);
    const double most =
        largest(Eigen::Map<const Vector>(last.theta1.data(), static_cast<Eigen::Index>(last.theta1.size())));
    const bool stays = good(last.summary.outcome) && most < pi / 4 + 1e-4;
    rows.push_back(
        {label, "theta1 swings between", "-pi/4 and pi/4, to t = 70 without difficulty",
         fmt::format("+-{:.6f} pi/4, {}", most / (pi / 4), std::string(name(last.summary.outcome))),
         agree(stays)});
    rows.push_back({label, "largest |theta1'|", "", fmt::format("{:.4f}", last.speed), Verdict::not_printed,
                    "", PaperReference{"1.0715", program, agree(std::abs(last.speed - 1.0715) < 1e-4)}});
    rows.push_back({label, "largest difference of phi1 from the motion of one degree of freedom", "",
                    fmt::format("{:.2g}", last.error), Verdict::not_printed});
  }
  const auto panel = [&](const char* label, const std::vector<double>& y) {
    return Panel{
        .title = "", .x_label = "t", .y_label = label, .series = {{.name = "", .x = last.t, .y = y}}};
  };
  write(options, "figure-6-1", last,
        {panel("theta1", last.theta1), panel("theta2", last.theta2), panel("theta1'", last.rate1),
         panel("theta2'", last.rate2)},
        written);
  return rows;
}

Rows acceleration(const PaperOptions& options, Files& written) {
  Rows rows;
  for (const Form& form : forms) {
    if (options.progress) options.progress("acceleration " + form.variant);
    const CrankRun run = run_crank(form.problem, turning, 2, 5, 5000);
    const double known = form.variant.empty() ? 77.039 : 85.144;
    rows.push_back({"iteration 2", "largest and smallest acceleration of the slider end", "equal in size",
                    fmt::format("{:.5g}, {:.5g}", run.highest, run.lowest),
                    agree(std::abs(run.highest + run.lowest) < 1e-3 * run.highest), "",
                    PaperReference{fmt::format("{0}, -{0}", known), "the motion of one degree of freedom",
                                   agree(std::abs(run.highest - known) < 1e-3 * known)},
                    form.variant});
    write(options, form.variant.empty() ? "figure-6-2" : "figure-6-2-six", run,
          {{.title = form.variant.empty() ? "two angles" : form.variant,
            .x_label = "t",
            .y_label = "acceleration of the slider",
            .series = {{.name = "", .x = run.t, .y = run.acceleration}}}},
          written);
  }
  return rows;
}

}  // namespace

CrankRun run_crank(const std::string& problem, const std::map<std::string, double>& parameters, int iterates,
                   double end, int outputs) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {"srm-singular", "heun"};
  options.control = Control::fixed;
  options.step = h;
  options.options = srm(h, iterates);
  return run_crank(problem, parameters, options, end, outputs);
}

CrankRun run_crank(const std::string& problem, const Set& parameters, RunOptions options, double end,
                   int outputs) {
  CrankRun run;
  Trace trace(run);
  options.end = end;
  options.outputs = output_times(0, end, outputs);
  options.outputs.erase(options.outputs.begin());  // begin() takes the start
  const auto crank = make_problem(problem, parameters);
  run.summary = dalembert::run(crank, options, {&trace});
  run.highest = *std::max_element(run.acceleration.begin(), run.acceleration.end());
  run.lowest = *std::min_element(run.acceleration.begin(), run.acceleration.end());
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    run.speed = std::max(run.speed, std::abs(run.rate1[k]));
    if (k % 100 == 0) {
      const Layout layout = crank->layout();
      const Eigen::Index first = layout["q"].size == 2 ? 0 : 2;
      run.error =
          std::max(run.error, std::abs(run.theta1[k] + 3 * pi / 2 - crank->exact(run.t[k])->y[first]));
    }
  }
  return run;
}

PaperPart table_65() {
  return {"table-6-5", "drifts of the slider crank", drifts};
}
PaperPart figure_61() {
  return {"figure-6-1", "the slider crank swings through its singular position", motion};
}
PaperPart figure_62() {
  return {"figure-6-2", "acceleration of the slider end", acceleration};
}

}  // namespace dalembert::ascher_lin
