// Theorem 4.2 of [YenPetzold1998]: how fast the two iterations converge, first without a method, then in a run.
#include <fmt/format.h>

#include <cmath>

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {

namespace {

using Rows = std::vector<PaperRow>;

double radius(const Matrix& taken, const Matrix& right) {
  const Matrix rest = Matrix::Identity(right.rows(), right.cols()) - taken.fullPivLu().solve(right);
  return rest.eigenvalues().cwiseAbs().maxCoeff();
}

const char* const program = "an independent program";

/// beta^2 M/h^2 and what the force adds across the circle, with a stiff force and a soft one.
bool adds_to_inertia() {
  const auto entry = [](double Kn) {
    const auto problem = make_problem("circle-bushing", {{"Kn", Kn}, {"c", 0}});
    const auto at = as<Mechanical>(*problem).placement();
    as<Mechanical>(*problem).place_at(*at, 0, Eigen::Vector2d(1, 0));
    Derivatives d;
    as<Mechanical>(*problem).derivatives(*at, Vector::Zero(2), Vector(), Vector::Zero(2), Vector::Zero(1), d);
    return 1.5 * 1.5 / (.1 * .1) + d.K.dense(2, 2)(0, 0);  // M = I, beta = 3/2, h = 0.1
  };
  return entry(1e8) > entry(1) && entry(1e8) > 1e8;
}

Rows rates(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  for (const double d : {-1e-4, 1e-4}) {
    const Rates r = newton_rates(1e8, 1e4, d);
    rows.push_back({fmt::format("soft along, stiff across, d = {:+.0e}", d), "spectral radius for CS, CM",
                    "CS grows like d/eps, CM does not", fmt::format("{:.2f}, {:.1e}", r.cs, r.cm),
                    agree(r.cs > .1 && r.cm < 1e-3), r.cs > 1 ? "CS diverges" : "",
                    PaperReference{fmt::format("{}, 1e-4", d < 0 ? ".49" : "44"), program,
                                   agree(std::abs(r.cs / (d < 0 ? .49 : 44) - 1) < .02 &&
                                         std::abs(r.cm / 1e-4 - 1) < .2)}});
  }
  for (const double d : {-1e-4, 1e-4}) {
    const Rates r = newton_rates(1e6, 1e6, d);
    const Rates soft = newton_rates(1e6, 1, d);
    rows.push_back(
        explained({fmt::format("stiff in all directions, d = {:+.0e}", d), "spectral radius for CS, CM",
                   "CS grows like d/eps, CM does not", fmt::format("{:.1e}, {:.1e}", r.cs, r.cm),
                   agree(r.cs > 100 * r.cm)},
                  {fmt::format("the theorem needs a force that is soft along the constraints: softened along "
                               "them it has the rates {:.1e}, {:.1e}",
                               soft.cs, soft.cm),
                   soft.cs > 50 * soft.cm}));
  }
  const Rates r = newton_rates(1e8, 1e4, 1e-4);
  rows.push_back(explained(
      {"end of Theorem 4.2", "the second sigma", "sigma^CS = O(h)", "sigma^CM = O(h)", Verdict::differs},
      {"misprint: it is the rate of CM that stays small", r.cm < 1e-3 && r.cs > 1}));
  rows.push_back(explained(
      {"Theorem 4.1", "sign in its proof", "beta |M|/h^2 - 1/eps", "beta^2 M/h^2 + 1/eps", Verdict::differs},
      {"misprint: a restoring force adds to the inertia, as the matrix of the problem has it",
       adds_to_inertia()}));
  return rows;
}

/// Form (4.2): a stiff bushing whose centre runs along the circle. Here CM is consistent, with P at each predictor.
Rows moving_bushing(const PaperOptions&, std::vector<std::filesystem::path>&) {
  const std::vector<Iteration> tried = {
      {"CS", "cs", {{"error-test", 1}}},
      {"CM, P at each predictor", "cm", {{"error-test", 1}}},
      {"GGL*, multipliers from the predictor", "ggl-star", {{"error-test", 1}, {"multipliers-from", 1}}},
      {"GGL*, multipliers extrapolated", "ggl-star", {{"error-test", 1}}}};
  /// Fewest and most steps of another program, in runs that differ a little.
  using Known = std::vector<std::pair<double, double>>;
  Rows rows;
  for (const auto& [Kn, tolerance, known] :
       {std::tuple{1e10, 1e-4, Known{{2294, 4314}, {94, 209}, {1992, 4840}, {76, 104}}},
        {1e8, 1e-3, Known{{456, 816}, {39, 151}}}}) {
    std::vector<double> steps;
    for (const Iteration& iteration : tried) {
      const Summary s = solve({"circle-bushing", {{"Kn", Kn}}, iteration, tolerance});
      const Counts c = counts(s.statistics);
      steps.push_back(c.steps);
      const std::string error =
          s.error.contains("q") ? fmt::format("error of q at the end {:.1e}", s.error.at("q")) : "";
      rows.push_back({fmt::format("{}, Kn {:.0e} TOL {:.0e}", iteration.name, Kn, tolerance),
                      "steps/residuals/Jacobians/failed error tests/failed iterations", "", c.text(),
                      Verdict::not_printed, good(s.outcome) ? error : s.message});
      if (steps.size() <= known.size()) {
        const auto [least, most] = known[steps.size() - 1];
        rows.back().reference = PaperReference{fmt::format("{:.0f} to {:.0f} steps", least, most), program,
                                               agree(c.steps >= least && c.steps <= most)};
      }
    }
    rows.push_back({fmt::format("CS / CM, Kn {:.0e} TOL {:.0e}", Kn, tolerance), "ratio of steps",
                    "CM takes much larger steps", fmt::format("{:.1f}", steps[0] / steps[1]),
                    agree(steps[0] > 5 * steps[1])});
  }
  return rows;
}

}  // namespace

Matrix newton_matrix(const Mechanical& problem, const std::string& formulation, const Vector& solution,
                     const Vector& q, double h) {
  Statistics unused;
  const FormulationEntry entry = find_formulation(formulation).at(0);
  const auto made = entry.make(problem, Parameters(entry.options, {}, formulation), unused);
  const auto& implicit = as<Implicit>(made->rewritten());
  const double c = 1.5 / h;  // BDF2
  Vector y = Vector::Zero(2 * q.size()), dy = y;
  y.head(q.size()) = q;
  dy.head(q.size()) = c * (q - solution);
  Entries F_y, F_dy;
  implicit.jacobians(0, y, dy, F_y, F_dy);
  return F_y.dense(y.size(), y.size()) + c * F_dy.dense(y.size(), y.size());
}

Rates newton_rates(const Mechanical& problem, const Vector& solution, const Vector& q, double h) {
  const Matrix right = newton_matrix(problem, "cs", solution, solution, h);
  return {radius(newton_matrix(problem, "cs", solution, q, h), right),
          radius(newton_matrix(problem, "cm", solution, q, h), right)};
}

Rates newton_rates(double Kn, double Kt, double d, double h) {
  // At t = 0 the centre is (1,0): x across, y along the circle.
  const auto problem = make_problem("circle-bushing", {{"Kn", Kn}, {"Kt", Kt}, {"c", 0}});
  return newton_rates(as<Mechanical>(*problem), Eigen::Vector2d(1, 0), Eigen::Vector2d(1 + d, 0), h);
}

std::vector<PaperPart> theorems() {
  return {{"theorem-4.2", "Theorem 4.2: rates of convergence, without a method", rates},
          {"bushing", "A force of form (4.2): a bushing that runs along the circle", moving_bushing}};
}

}  // namespace dalembert::yen_petzold
