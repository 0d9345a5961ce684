// Exercises 4.1 to 4.5: what BDF2, Lobatto IIIA and Radau IIA are made of, and the names of Crank-Nicolson's rule.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dalembert/analysis/named_formulas.h"
#include "dalembert/analysis/order_conditions.h"
#include "dalembert/analysis/recognised_tableau.h"
#include "papers/mantegazza_masarati/exercises.h"

namespace dalembert::mantegazza_masarati {

namespace {

Rows second_order_bdf() {
  const StabilityReport report = judged("bdf-2").report;
  const double seen = seen_order("bdf2"), C = report.error_constant;
  return {claimed("4.1", "BDF2, order: by coefficients, seen", "2", "2, 2",
                  fmt::format("{}, {:.2f}", report.order, seen),
                  agree(report.order == 2 && std::abs(seen - 2) < 0.05), report.order == 2),
          answered("4.1", "BDF2: error constant", "-0.333333", fmt::format("{:.6f}", C),
                   std::abs(C + 1. / 3) < 1e-12)};
}

Rows l_stable_bdf() {
  const MultistepForm form = *named_formula("bdf-2");
  const StabilityReport report = stability_report(form);
  double least = 1;
  for (int i = 1; i < 360; ++i)
    least = std::min(least, boundary_locus(form, i * std::numbers::pi / 180).real());
  const double far = spectral_radius(form, -1e8), by_hand = 1 / std::sqrt(2e8);
  const bool yes = report.l_stable.is == Statement::Is::yes;
  return {claimed("4.2", "BDF2: L-stable", "yes", "yes", yes ? "yes" : "no", agree(yes), yes),
          answered("4.2", "BDF2: least Re z on the boundary locus", "not below 0",
                   fmt::format("{:.1e}", least), least >= 0 && least < 1e-6),
          answered("4.2", "BDF2: |rho| at z = -1e8", fmt::format("{:.4e}", by_hand),
                   fmt::format("{:.4e}", far), std::abs(far - by_hand) < 1e-3 * by_hand)};
}

ExactTableau tableau_of(const std::string& method) {
  return recognised(std::get<RungeKuttaForm>(judged(method).form)).exact;
}

std::string row_text(const ExactVector& row, int times = 1) {
  std::string all;
  for (const Exact& entry : row) all += (all.empty() ? "" : " ") + (entry * times).text();
  return all;
}

/// Do the weights at 0, 1/2, 1 integrate 1, t, ... t^(degree) exactly?
bool integrates(const ExactVector& weights, int degree) {
  const ExactVector nodes{0, Exact(1) / 2, 1};
  ExactVector powers{1, 1, 1};
  for (int k = 0; k <= degree; ++k) {
    if (!(dot(weights, powers) == Exact(1) / (k + 1))) return false;
    for (std::size_t i = 0; i < nodes.size(); ++i) powers[i] = powers[i] * nodes[i];
  }
  return true;
}

/// y(1/2) = (y0 + y1)/2 + h (f0 - f1)/8 is Hermite's cubic, and y1 - y0 = h b'f.
Rows lobatto() {
  const ExactTableau tableau = tableau_of("lobatto");
  const Exact half = Exact(1) / 2, eighth = Exact(1) / 8;
  const ExactVector& b = tableau.b;
  const std::string ours = row_text(tableau.A.at(1), 24),
                    by_hand = row_text({half * b[0] + eighth, half * b[1], half * b[2] - eighth}, 24);
  const std::string simpson = row_text({Exact(1) / 6, Exact(2) / 3, Exact(1) / 6});
  const bool is_simpson =
      row_text(b) == simpson && integrates(b, 3) && !integrates({Exact(1) / 4, half, Exact(1) / 4}, 2);
  return {claimed("4.3", "Lobatto, 24 times the middle row of (78)", "5 8 -1", by_hand, ours,
                  agree(ours == "5 8 -1"), ours == by_hand),
          explained(claimed("4.3", "weights: rule and values", "trapezoid", simpson, row_text(b),
                            Verdict::differs, is_simpson),
                    {"these are Simpson's, exact up to t^3; the trapezoid's, 1/4 1/2 1/4, are up to t only",
                     is_simpson})};
}

/// The parabola through y0, y1 and h y1' at 1/3 is y0 + 5/9 (y1 - y0) - 2/9 h y1', with y1 - y0 = h (3/4 f1 + 1/4 f2).
Rows radau() {
  const ExactTableau tableau = tableau_of("radau3");
  const ExactVector& b = tableau.b;
  const Exact part = Exact(5) / 9;
  const std::string ours = row_text(tableau.A.at(0), 12),
                    by_hand = row_text({part * b[0], part * b[1] - Exact(2) / 9}, 12);
  int failing = 0, below = 0;
  for (int order = 1; order <= 4; ++order)
    for (const Condition& condition : ode_conditions(tableau, order))
      if (!condition.holds()) ++(order == 4 ? failing : below);
  return {claimed("4.4", "Radau, 12 times the first row of (79)", "5 -1", by_hand, ours,
                  agree(ours == "5 -1"), ours == by_hand),
          claimed("4.4", "Radau: weights", "3/4 1/4", "3/4 1/4", row_text(b), agree(row_text(b) == "3/4 1/4"),
                  row_text(b) == "3/4 1/4"),
          claimed("4.4", "Radau, order 3: conditions that fail up to 3, at 4", "3", "0, some",
                  fmt::format("{}, {}", below, failing), agree(below == 0 && failing > 0),
                  below == 0 && failing > 0)};
}

/// Does another method make the same of linear equations?
PaperRow another_name(const std::string& called, const std::string& method,
                      const std::map<std::string, double>& options) {
  const LinearForm trapezoid = judged("trapezoid").form, form = judged(method, options).form;
  double most = 0;
  for (const double wh : {0.3, 3., 30.}) {
    const std::complex<double> z(0, wh), factor = amplification_factors(trapezoid, z)[0];
    double nearest = 1;
    for (const auto& other : amplification_factors(form, z))
      nearest = std::min(nearest, std::abs(other - factor));
    grow(most, nearest);
  }
  return vanishes("4.5", called + ": rho off that of Crank-Nicolson", most, 1e-12);
}

Rows names_of_crank_nicolson() {
  return {another_name("Adams-Moulton of one step", "adams-moulton-2", {}),
          another_name("implicit midpoint rule", "midpoint-implicit", {}),
          another_name("Newmark, 1/4 and 1/2", "newmark", {{"beta", 0.25}, {"gamma", 0.5}}),
          another_name("generalized alpha, 1", "generalized-alpha", {{"rho_inf", 1}}),
          another_name("(76) with rho_inf = 1", "ms", {{"rho_inf", 1}})};
}

}  // namespace

Rows exercises_of_chapter_4() {
  Rows all;
  for (const auto& more : {second_order_bdf(), l_stable_bdf(), lobatto(), radau(), names_of_crank_nicolson()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace dalembert::mantegazza_masarati
