// Section 5.3.3: what Baumgarte's feedback enforces, with which sign of b'', and what linearisations (108), (109) see of it.
//
//   g'' + 2 alpha g' + beta^2 g = 0,   g'' = J v' + b''  (10b)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/analysis/pencil.h"
#include "dalembert/analysis/spectrum.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/ode.h"
#include "papers/mantegazza_masarati/parts.h"

namespace dalembert::mantegazza_masarati {

namespace {

constexpr double alpha = 3, beta = 2;

const char* const derived = "worked out by hand";

FormulationEntry to_ode() {
  for (const auto& entry : find_formulation("baumgarte"))
    if (entry.from == Kind::mechanical && entry.to == Kind::ode) return entry;
  throw Error("there is no baumgarte for mechanical problems");
}

std::unique_ptr<Formulation> with_feedback(const Problem& problem, Statistics& statistics) {
  const FormulationEntry entry = to_ode();
  return entry.make(problem, Parameters(entry.options, {{"alpha", alpha}, {"beta", beta}}, "baumgarte"),
                    statistics);
}

/// A pendulum of driven length, off its constraint in position and velocity.
struct Displaced {
  std::shared_ptr<const Problem> problem = make_problem("pendulum-driven-length");
  double t = 0.4;
  Vector y = Vector{{0.9, -0.5, 0.3, 0.2}};
};

/// g'' + 2 alpha g' + beta^2 g for accelerations a, and b'' of (10b).
struct Enforced {
  double left, b;
};

Enforced enforced(const Displaced& at, const Vector& a) {
  const auto& mechanical = as<Mechanical>(*at.problem);
  const auto place = mechanical.placed_at(at.t, at.y.head(2));
  Entries J;
  mechanical.jacobian(*place, J);
  Vector g(1), w(1), bias(1);
  mechanical.g(*place, g);
  mechanical.velocity_bias(*place, w);
  mechanical.bias(*place, at.y.tail(2), bias);
  const Matrix row = J.dense(1, 2);
  const double rate = (row * at.y.tail(2))(0) + w[0];
  return {(row * a)(0) + bias[0] + 2 * alpha * rate + beta * beta * g[0], bias[0]};
}

PaperRow sign_of_b() {
  const Displaced at;
  Statistics unused;
  const auto made = with_feedback(*at.problem, unused);
  Vector dy(4);
  as<Ode>(made->rewritten()).f(at.t, at.y, dy);
  const Enforced ours = enforced(at, dy.tail(2));
  // The printed row, J a = b'' - 2 alpha g' - beta^2 g, differs from ours by 2 b'' on its right-hand side.
  const auto& mechanical = as<Mechanical>(*at.problem);
  Entries J;
  mechanical.jacobian(*mechanical.placed_at(at.t, at.y.head(2)), J);
  const Vector row = J.dense(1, 2).transpose();
  const Vector printed = dy.tail(2) + row * (2 * ours.b / row.squaredNorm());  // M = I
  const double left = enforced(at, printed).left;
  const bool right = std::abs(ours.left) < 1e-12 && std::abs(left) > 1e-3;
  return explained({.label = "(107)",
                    .quantity = "sign of b'' as in (10b)",
                    .printed = "-",
                    .ours = right ? "+" : "-",
                    .verdict = Verdict::differs,
                    .reference = PaperReference{"+", derived, agree(right)}},
                   {fmt::format("with + the sum of (106b) is {:.0e} off the constraints, with - it is {:.4g}",
                                ours.left, left),
                    right});
}

/// What hangs at rest under gravity 9.81.
State hanging(const Problem& problem) {
  State state = problem.start();
  state.y << 0, -1, 0, 0, 9.81;
  return state;
}

PaperRow added_roots() {
  const auto problem = make_problem("pendulum", {{"g", 9.81}});
  Statistics unused;
  std::vector<double> found;
  for (const auto& s : spectrum_at(*with_feedback(*problem, unused), hanging(*problem)).found)
    found.push_back(std::abs(s.imag()) < 1e-6 ? s.real() : not_a_number);
  std::sort(found.begin(), found.end());
  const double root = std::sqrt(alpha * alpha - beta * beta);
  const bool same = found.size() == 2 && std::abs(found[0] + alpha + root) < 1e-6 &&
                    std::abs(found[1] + alpha - root) < 1e-6;
  return {.label = "(109)",
          .quantity = "eigenvalues of the constraint, alpha = 3, beta = 2",
          .printed = "",
          .ours = fmt::format("{:.4f}", fmt::join(found, ", ")),
          .verdict = Verdict::not_printed,
          .reference = PaperReference{fmt::format("{:.4f}, {:.4f}", -alpha - root, -alpha + root), derived,
                                      agree(same)}};
}

/// M x'' = f_x x + f_v x' + g_x'lambda, 0 = g_x x: without (g_x'lambda)_x, as (108) is printed.
PaperRow geometric_stiffness() {
  const auto problem = make_problem("pendulum", {{"g", 9.81}});
  Pencil printed{Matrix::Zero(5, 5), Matrix::Zero(5, 5), {}, {}};
  printed.E.topLeftCorner(4, 4).setIdentity();
  printed.A(0, 2) = printed.A(1, 3) = 1;   // x' = v
  printed.A(3, 4) = printed.A(4, 1) = -1;  // the row (x, y) at (0, -1)
  printed.unknowns = printed.equations = {"x", "y", "x'", "y'", "lambda"};
  double most = 0;
  for (const auto& s : kronecker_form(printed).finite) most = std::max(most, std::abs(s));
  const auto form =
      kronecker_form(pencil_of(as<Mechanical>(*problem), hanging(*problem), ConstraintLevel::position));
  const double w = std::sqrt(9.81),
               ours = form.finite.empty() ? not_a_number : std::abs(form.finite.front().imag());
  const bool right = form.finite.size() == 2 && std::abs(ours - w) < 1e-6 && most < 1e-6;
  return explained(
      {.label = "(108)",
       .quantity = "frequency of a hanging pendulum",
       .printed = fmt::format("{:.0f}", most),
       .ours = fmt::format("{:.6f}", ours),
       .verdict = Verdict::differs,
       .reference = PaperReference{fmt::format("{:.6f}", w), derived, agree(std::abs(ours - w) < 1e-6)}},
      {"the derivative of g_x'lambda is left out: without it the pencil has the eigenvalue 0 twice", right});
}

}  // namespace

PaperPart baumgarte() {
  return {"baumgarte", "Baumgarte's feedback: (107) to (109)",
          [](const PaperOptions&, std::vector<std::filesystem::path>&) {
            return std::vector<PaperRow>{sign_of_b(), added_roots(), geometric_stiffness()};
          }};
}

}  // namespace dalembert::mantegazza_masarati
