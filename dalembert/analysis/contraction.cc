#include "dalembert/analysis/contraction.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "dalembert/constraints/interface_compliance.h"
#include "dalembert/control/run.h"
#include "dalembert/method/partitioned/window_iteration.h"

namespace dalembert {

namespace {

/// M q'' + K q + J'lambda = r: the matrices at one state, and those of damping and of moving rows, which must vanish.
struct Linear {
  Matrix M, K, J, rest;
};

Linear linearised(const Mechanical& p, const State& state) {
  const Mechanical::Sizes n = p.sizes();
  const MechanicalState part(n);
  const auto at = p.placed_at(state);
  Entries mass, rows;
  p.mass(*at, mass);
  p.jacobian(*at, rows);
  Derivatives d;
  const Vector a = Vector::Zero(n.v), l = Vector::Zero(n.rows());
  p.derivatives(*at, part.v(state.y), part.s(state.y), a, l, d);
  Matrix rest(n.v + n.rows(), n.v);
  rest << d.D.dense(n.v, n.v), d.B.dense(n.rows(), n.v);
  return {mass.dense(n.v, n.v), d.K.dense(n.v, n.v), rows.dense(n.rows(), n.v), rest};
}

/// The same matrices everywhere?
std::optional<Linear> linear(const Mechanical& p) {
  if (!p.plain() || p.sizes().s > 0) return {};
  State state = p.start();
  const Linear here = linearised(p, state);
  state.t += 0.37 * (p.end() - state.t);
  for (Eigen::Index i = 0; i < state.y.size(); ++i)
    state.y[i] += 0.1 * std::sin(1.0 + static_cast<double>(i));
  const Linear there = linearised(p, state);
  const auto same = [](const Matrix& a, const Matrix& b) {
    return (a - b).cwiseAbs().maxCoeff() <= 1e-7 * (1 + a.cwiseAbs().maxCoeff());
  };
  const bool all = same(here.M, there.M) && same(here.K, there.K) && same(here.J, there.J) &&
                   here.rest.cwiseAbs().maxCoeff() < 1e-7 && there.rest.cwiseAbs().maxCoeff() < 1e-7;
  return all ? std::optional(here) : std::nullopt;
}

SplittingTheory splitting_theory(const std::vector<std::complex<double>>& factors) {
  if (factors.empty()) return {std::numeric_limits<double>::infinity(), not_a_number, not_a_number};
  // The factors are real: eigenvalues of a product of symmetric matrices, one of them definite.
  double least = factors.front().real(), most = least;
  for (const auto f : factors) least = std::min(least, f.real()), most = std::max(most, f.real());
  const double omega = 2 / (2 - least - most);
  return {std::abs(factors.front()), omega, std::abs(1 - omega * (1 - least))};
}

}  // namespace

ContractionTheory contraction_theory(const Partitioned& problem, const State& state) {
  const auto S = interface_compliances(problem, state);
  ContractionTheory theory;
  theory.last = splitting_theory(limit_factors(problem, S, carried_by_last(problem)));
  theory.first = splitting_theory(limit_factors(problem, S, carried_by_first(problem)));
  const double f = theory.last.factor;
  theory.weight_from = 1 / (1 + f);      // theta f + (1 - theta)/f = 1
  theory.best_weight = 1 / (1 - f * f);  // and = 0
  return theory;
}

std::optional<WindowTheory> window_theory(const Partitioned& problem, Identity identity) {
  if (problem.fields().size() != 2 || problem.whole()->sizes().rows() != 1 || problem.interface().size() != 1)
    return {};
  const auto all = linear(*problem.whole());
  if (!all) return {};
  const auto &x = problem.fields()[0].v, &y = problem.fields()[1].v;
  const auto n = static_cast<Eigen::Index>(y.size());
  const Matrix M_x = all->M(x, x), K_x = all->K(x, x), M_y = all->M(y, y), K_y = all->K(y, y);
  const Eigen::RowVectorXd J_x = all->J(0, x), J_y = all->J(0, y);
  const Eigen::PartialPivLU<Matrix> solve_x(M_x);
  const Eigen::EigenSolver<Matrix> eigen(Matrix(-solve_x.solve(K_x)));
  const Eigen::VectorXcd b = (-solve_x.solve(J_x.transpose())).cast<std::complex<double>>();
  const Eigen::MatrixXcd Q = eigen.eigenvectors();
  const Eigen::VectorXcd Pb = Q.partialPivLu().solve(b);
  const Eigen::RowVectorXcd dQ = J_x.cast<std::complex<double>>() * Q;
  WindowTheory theory{};
  for (Eigen::Index k = 0; k < Pb.size(); ++k) {
    const double part = std::abs(dQ[k]) * std::abs(Pb[k]);
    theory.F += part;
    theory.E += std::abs(eigen.eigenvalues()[k]) * part / 2;
  }
  Matrix saddle = Matrix::Zero(n + 1, n + 1), right = Matrix::Zero(n + 1, n + 1);
  saddle << M_y, J_y.transpose(), J_y, 0;
  right.topLeftCorner(n, n) = -K_y;
  right(n, n) = -1;
  const Matrix response = saddle.partialPivLu().solve(right);  // of (y'', lambda) to (y, s'')
  const Matrix Z = response.topLeftCorner(n, n);
  const Vector Y = response.topRightCorner(n, 1);
  const Eigen::RowVectorXd L = response.bottomLeftCorner(1, n);
  const double k0 = std::abs(L.dot(Y)), k1 = std::abs(response(n, n)),
               k2 = std::abs(L.dot(Z * Y)) / (identity == Identity::correct ? 2 : 4);
  const double E = theory.E, F = theory.F;
  const double a0 = F * k0, a2 = E * k0 + F * k2, b1 = F * k0 / 2, c0 = k1 * F, c2 = k1 * E, e1 = k1 * F / 2;
  theory.beta0 = k1 / k0;
  theory.beta2 =
      -(theory.beta0 * theory.beta0 * a2 + theory.beta0 * (b1 - c2) - e1) / (2 * theory.beta0 * a0 - c0);
  theory.gamma0 = theory.beta0 * a0;
  theory.gamma2 = b1 + theory.beta0 * a2 + theory.beta2 * a0;
  return theory;
}

MeasuredContraction measure_contraction(const std::shared_ptr<const Partitioned>& problem,
                                        const std::string& splitting, std::optional<double> omega, double dt,
                                        int substeps) {
  RunOptions options;
  options.request = {"fields", "window-iteration"};
  options.fields = {"trapezoid:" + std::to_string(substeps)};
  options.control = Control::fixed;
  options.tolerance = {0, 1e-10};  // a relative one would follow iterates that grow
  options.step = dt;
  options.end = problem->start().t + dt;
  for (const auto& p : CouplingScheme::options()) {
    if (p.name == "splitting") options.options[p.name] = choice(p, splitting);
    if (p.name == "relaxation") options.options[p.name] = choice(p, omega ? "fixed" : "none");
    if (p.name == "guess") options.options[p.name] = choice(p, "constant");
  }
  if (omega) options.options["omega"] = *omega;
  Summary summary = run(problem, options);
  const Outcome judged = summary.outcome;
  if (judged == Outcome::coupling_diverged) {  // judged before the ratio has settled: go on for a while
    for (const auto& p : CouplingScheme::options())
      if (p.name == "stop") options.options[p.name] = choice(p, "count");
    options.options["iterations"] = 25;
    summary = run(problem, options);
  }
  const WindowRecord* window = !summary.coupling.windows.empty() ? &summary.coupling.windows.back()
                               : summary.coupling.failed         ? &*summary.coupling.failed
                                                                 : nullptr;
  const std::string outcome(name(judged));
  return window != nullptr ? MeasuredContraction{window->contraction, window->iterations, outcome}
                           : MeasuredContraction{not_a_number, 0, outcome};
}

}  // namespace dalembert
