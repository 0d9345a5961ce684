// The pendulum in every formulation: m = l = 1, g = 9.81, let go at the horizontal, [0, 10], steps of 0.0025.
//
// The notes claim, without numbers, how formulations and methods go together. The references are numbers of an
// independent program. Errors are largest differences from the solution by elliptic functions on [1, 10], multipliers
// those of the method itself, orders slopes towards half the step. The reductions by null spaces are shown right, and wrong
// where the basis is not carried along or the choice of coordinates is kept through a position that forbids it.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dalembert/problem/catalogue.h"
#include "papers/mantegazza_masarati/parts.h"

namespace dalembert::mantegazza_masarati {

namespace {

constexpr double step = 0.0025;
constexpr double at_rounding = 1e-12;

PendulumCase diverging(const std::string& method, const std::string& name) {
  return {.label = "index 3, " + name, .request = {"index3", method}, .options = {{"multipliers", 1}}};
}

std::vector<PendulumCase> explicit_cases() {
  std::vector<PendulumCase> all = {
      {"(13), RK4", {"index1", "rk4"}, {}, Projection::off, 3.7e-7, 1.1e-5, 1.4e-7, 2.8e-8, 4, 4, 4},
      {"(13) with projection, RK4",
       {"index1", "rk4"},
       {},
       Projection::on,
       4.1e-9,
       7.6e-8,
       0,
       0,
       3.9,
       3.9,
       3.9}};
  struct Feedback {
    double alpha, error_q, error_lambda, position, velocity, order_q, order_v, order_lambda;
  };
  for (const Feedback& f : {Feedback{1, 6.9e-9, 2.0e-7, 2.7e-9, 1.3e-9, 4, 4, 4},
                            Feedback{5, 2.2e-8, 3.9e-7, 4e-10, 2.2e-9, 4, 4, 4},
                            Feedback{20, 2.8e-7, 4.8e-6, 4.2e-9, 1.4e-7, 4, 4, 4}})
    all.push_back({fmt::format("Baumgarte {}, RK4", f.alpha),
                   {"baumgarte", "rk4"},
                   {{"alpha", f.alpha}, {"beta", f.alpha}},
                   Projection::off,
                   f.error_q,
                   f.error_lambda,
                   f.position,
                   f.velocity,
                   f.order_q,
                   f.order_v,
                   f.order_lambda});
  // alpha = 0: 1/h, whatever h is
  all.push_back({"Baumgarte 1/h, RK4",
                 {"baumgarte", "rk4"},
                 {{"alpha", 0}, {"beta", 0}},
                 Projection::off,
                 4.5e-5,
                 8.7e-4,
                 3e-6,
                 2e-3,
                 2,
                 1,
                 2});
  return all;
}

std::vector<PendulumCase> null_space_cases() {
  std::vector<PendulumCase> all = {{"Maggi, LU with switching, RK4",
                                    {"maggi-lu", "rk4"},
                                    {{"switch", 1}},
                                    Projection::on,
                                    2.3e-9,
                                    4.2e-8,
                                    0,
                                    0,
                                    3.9,
                                    3.9,
                                    3.9}};
  for (const auto& [formulation, name] : {std::pair{"maggi-qr", "QR"}, std::pair{"maggi-svd", "SVD"}})
    all.push_back({fmt::format("Maggi, {} aligned, RK4", name),
                   {formulation, "rk4"},
                   {},
                   Projection::on,
                   7.1e-10,
                   1.4e-8,
                   0,
                   0,
                   3.9,
                   3.9,
                   3.9});
  all.push_back({.label = "Maggi, QR not aligned, RK4",
                 .request = {"maggi-qr", "rk4"},
                 .options = {{"aligned", 0}},
                 .projection = Projection::on,
                 .wrong = 1.4});
  all.push_back({.label = "Maggi, LU with x fixed, RK4",
                 .request = {"maggi-lu", "rk4"},
                 .options = {{"switch", 0}},
                 .projection = Projection::on,
                 .wrong = .17});
  return all;
}

std::vector<PendulumCase> implicit_cases() {
  struct Known {
    const char *formulation, *called, *method, *name;
    double error_q, error_lambda, velocity, order_q, order_v, order_lambda;
  };
  std::vector<PendulumCase> all;
  using Options = decltype(PendulumCase::options);
  for (const Known& k :
       {Known{"index3", "index 3", "bdf2", "BDF2", 2.7e-3, .051, 1.7e-4, 1.9, 1.9, 1.9},
        Known{"index3", "index 3", "ms", "ms .6", 8.9e-4, .017, 5e-5, 2, 2, 2},
        Known{"index3", "index 3", "radau3", "Radau IIA 3", 8.2e-6, .14, 5.6e-5, 3, 2.2, 1},
        Known{"ggl", "GGL", "bdf2", "BDF2", 2.2e-3, .041, 0, 1.9, 1.9, 1.9},
        Known{"ggl", "GGL", "ms", "ms .6", 7.1e-4, .013, 0, 2, 2, 2},
        Known{"ggl", "GGL", "trapezoid", "trapezoid", 6.0e-4, .011, 0, 2, 2, 2},
        Known{"ggl", "GGL", "radau3", "Radau IIA 3", 1.2e-5, 4.1e-4, 0, 3, 3, 2},
        Known{"ggl", "GGL", "lobatto", "Lobatto IIIA 4", 9.7e-9, .011, 0, 4, 4, 2},
        Known{"fuehrer-leimkuhler", "Fuehrer-Leimkuhler", "bdf2", "BDF2", 2.0e-3, .038, 0, 1.9, 1.9, 1.9},
        Known{"fuehrer-leimkuhler", "Fuehrer-Leimkuhler", "radau3", "Radau IIA 3", 1.7e-5, 2.8e-4, 0, 3, 3,
              3},
        Known{"fuehrer-leimkuhler", "Fuehrer-Leimkuhler", "lobatto", "Lobatto IIIA 4", 2.0e-9, 3.8e-8, 0, 4,
              4, 4}})
    all.push_back({fmt::format("{}, {}", k.called, k.name),
                   {k.formulation, k.method},
                   std::string(k.formulation) == "fuehrer-leimkuhler"
                       ? Options{{"multipliers", 1}, {"orthogonal", 1}}
                       : Options{{"multipliers", 1}},
                   Projection::off,
                   k.error_q,
                   k.error_lambda,
                   0,
                   k.velocity,
                   k.order_q,
                   k.order_v,
                   k.order_lambda});
  for (const auto& [method, name] :
       {std::pair{"trapezoid", "trapezoid"}, std::pair{"midpoint-implicit", "midpoint"},
        std::pair{"lobatto", "Lobatto IIIA 4"}})
    all.push_back(diverging(method, name));
  return all;
}

class Watch final : public Observer {
 public:
  explicit Watch(PendulumResult& result) : result_(result) {}
  void begin(const Problem& problem, const State&) override { problem_ = &problem; }
  void step(const StepView& view) override {
    const double t = view.end();
    if (t < 1 - 1e-9) return;
    const Vector& y = view.at(t, Depth::multipliers).y;
    const Vector exact = problem_->exact(t)->y;
    const auto grow = [](double& most, double value) {
      if (!(value <= most)) most = value;
    };
    grow(result_.error_q, (y - exact).head(2).norm());
    grow(result_.error_v, (y - exact).segment(2, 2).norm());
    grow(result_.error_lambda, std::abs(y[4] - exact[4]));
    grow(result_.position, std::abs(y[0] * y[0] + y[1] * y[1] - 1) / 2);
    grow(result_.velocity, std::abs(y[0] * y[2] + y[1] * y[3]));
  }

 private:
  PendulumResult& result_;
  const Problem* problem_ = nullptr;
};

const char* const program = "an independent program, written from the notes";

std::string number(double x) {
  return fmt::format("{:.2g}", x);
}

/// The notes print no such number: ours beside that of the other program.
PaperRow beside(const PendulumCase& c, const std::string& quantity, const std::string& reference,
                const std::string& ours, bool same) {
  return {.label = c.label,
          .quantity = quantity,
          .printed = "",
          .ours = ours,
          .verdict = Verdict::not_printed,
          .reference = PaperReference{reference, program, agree(same)}};
}

/// The basis turns with the position, and what that adds is left out: the same wrong motion with every step.
PaperRow another_motion(const PendulumCase& c, const PendulumResult& fine) {
  const double finer = run_pendulum(c, step / 2).error_q;
  const bool same =
      std::abs(fine.error_q - c.wrong) < .1 * c.wrong && std::abs(finer - c.wrong) < .1 * c.wrong;
  return beside(c, "error of q, with half the step", fmt::format("{0:.2g}, {0:.2g}", c.wrong),
                fmt::format("{:.2g}, {:.2g}", fine.error_q, finer), same);
}

/// x is kept independent through positions where y = 0, which forbid it: each step size is wrong in its own way. That of
/// the other program must be one among ours, the least of which must be far above what choosing anew leaves.
PaperRow forbidden_choice(const PendulumCase& c) {
  PendulumCase anew = c;
  anew.options["switch"] = 1;
  double least = std::numeric_limits<double>::infinity(), most = 0, right = 0;
  for (int n = 4000; n <= 8000; n += 500) {
    const double error = run_pendulum(c, 10. / n).error_q;
    least = std::min(least, error), most = std::max(most, error);
    right = std::max(right, run_pendulum(anew, 10. / n).error_q);
  }
  PaperRow row = beside(c, "error of q with nine steps from h/2 to h", number(c.wrong),
                        fmt::format("{:.2g} to {:.2g}", least, most),
                        least <= c.wrong && c.wrong <= most && least > 1e4 * right);
  row.why = fmt::format("at most {:.2g} if coordinates are chosen anew", right);
  return row;
}

PaperRow ending(const PendulumCase& c, const PendulumResult& fine) {
  const bool named = fine.outcome == Outcome::unstable;
  return {c.label, "ending", "diverges, with oscillations of period 2h",
          named ? "unstable: " + fine.message : std::string(name(fine.outcome)), agree(named)};
}

struct Orders {
  double q, v, lambda;
};

/// Section 5.3.1: direct integration costs one order in the reactions.
PaperRow lost_order(const PendulumCase& c, const Orders& ours) {
  const double lost = ours.q - ours.lambda;
  const PaperRow row{c.label, "orders lost in lambda", "1", fmt::format("{:.1f}", lost),
                     agree(std::abs(lost - 1) < .25)};
  if (std::abs(lost) < .25)
    return explained(row, {"with constant steps none is lost: lambda has the order of q",
                           std::abs(ours.lambda - c.order_lambda) < .25});
  return explained(
      row, {"two are lost", std::abs(lost - 2) < .25 && std::abs(ours.lambda - c.order_lambda) < .25});
}

std::vector<PaperRow> rows_of(const PendulumCase& c) {
  const PendulumResult fine = run_pendulum(c, step);
  if (c.wrong > 0) return {c.options.contains("switch") ? forbidden_choice(c) : another_motion(c, fine)};
  if (c.error_q == 0) return {ending(c, fine)};
  const PendulumResult finer = run_pendulum(c, step / 2);
  std::vector<PaperRow> rows;
  const auto error = [&](const char* what, double reference, double ours) {
    rows.push_back(
        beside(c, what, number(reference), number(ours), ours <= 1.5 * reference && ours >= reference / 1.5));
  };
  const auto residual = [&](const char* what, double reference, double ours) {
    if (reference == 0)
      rows.push_back(beside(c, what, "rounding", number(ours), ours < at_rounding));
    else
      error(what, reference, ours);
  };
  const auto order = [&](const char* what, double reference, double ours) {
    rows.push_back(beside(c, what, number(reference), number(ours), std::abs(ours - reference) <= 0.25));
  };
  const Orders orders{std::log2(fine.error_q / finer.error_q), std::log2(fine.error_v / finer.error_v),
                      std::log2(fine.error_lambda / finer.error_lambda)};
  error("error of q", c.error_q, fine.error_q);
  error("error of lambda", c.error_lambda, fine.error_lambda);
  residual("position residual", c.position, fine.position);
  residual("velocity residual", c.velocity, fine.velocity);
  order("order of q", c.order_q, orders.q);
  order("order of v", c.order_v, orders.v);
  order("order of lambda", c.order_lambda, orders.lambda);
  if (c.options.contains("multipliers")) rows.push_back(lost_order(c, orders));
  return rows;
}

std::vector<PaperRow> run_table(const PaperOptions& options, std::vector<std::filesystem::path>&) {
  const Vector end = make_problem("pendulum", {{"g", 9.81}})->exact(10)->y;
  std::vector<PaperRow> rows;
  for (const auto& [what, reference, ours] : {std::tuple{"x", .275087462576, end[0]},
                                              {"y", -.961419205099, end[1]},
                                              {"lambda, sign of the notes", -28.294567206, -end[4]}})
    rows.push_back(beside({.label = "elliptic functions, t = 10", .request = {}, .options = {}}, what,
                          fmt::format("{:.12g}", reference), fmt::format("{:.12g}", ours),
                          std::abs(ours - reference) < 1e-11 * std::abs(reference)));
  for (const auto& c : pendulum_cases()) {
    if (options.progress) options.progress(c.label);
    for (auto& row : rows_of(c)) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

const std::vector<PendulumCase>& pendulum_cases() {
  static const std::vector<PendulumCase> all = [] {
    auto some = explicit_cases();
    for (const auto& more : {null_space_cases(), implicit_cases()})
      some.insert(some.end(), more.begin(), more.end());
    return some;
  }();
  return all;
}

PendulumResult run_pendulum(const PendulumCase& c, double h) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = c.request;
  options.control = Control::fixed;
  options.projection = c.projection;
  options.end = 10;
  options.step = h;
  options.options = c.options;
  if (const auto alpha = options.options.find("alpha"); alpha != options.options.end() && alpha->second == 0)
    options.options["alpha"] = options.options["beta"] = 1 / h;
  PendulumResult result;
  Watch watch(result);
  const Summary summary = run(make_problem("pendulum", {{"g", 9.81}}), options, {&watch});
  result.outcome = summary.outcome;
  result.message = summary.message;
  return result;
}

PaperPart pendulum() {
  return {"pendulum", "the pendulum in every formulation, h = 0.0025", run_table};
}

}  // namespace dalembert::mantegazza_masarati
