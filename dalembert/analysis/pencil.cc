#include "dalembert/analysis/pencil.h"

#include <algorithm>

#include "dalembert/analysis/motion_terms.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/core/error.h"
#include "dalembert/linear/rank.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

std::vector<std::string> labels(const Layout& layout) {
  std::vector<std::string> all;
  for (Eigen::Index i = 0; i < layout.size(); ++i) all.push_back(layout.label(i));
  return all;
}

std::vector<std::string> equations_of(const std::vector<std::string>& unknowns) {
  std::vector<std::string> all;
  for (const auto& name : unknowns) all.push_back("the equation of " + name);
  return all;
}

Pencil of_ode(const Ode& problem, const State& state) {
  const Eigen::Index n = state.y.size();
  Entries f_y;
  problem.f_y(state.t, state.y, f_y);
  const auto names = labels(problem.layout());
  return {Matrix::Identity(n, n), f_y.dense(n, n), names, equations_of(names)};
}

Pencil of_hessenberg(const Hessenberg& problem, const State& state) {
  const Eigen::Index n = state.y.size(), ny = differential_size(problem.layout()), nz = n - ny;
  const Vector y = state.y.head(ny), z = state.y.tail(nz);
  Entries f_y, f_z, g_y;
  problem.f_y(state.t, y, z, f_y);
  problem.f_z(state.t, y, z, f_z);
  problem.g_y(state.t, y, g_y);
  Pencil pencil{Matrix::Zero(n, n), Matrix::Zero(n, n), labels(problem.layout()), {}};
  pencil.E.topLeftCorner(ny, ny).setIdentity();
  pencil.A << f_y.dense(ny, ny), f_z.dense(ny, nz), g_y.dense(nz, ny), Matrix::Zero(nz, nz);
  pencil.equations = equations_of(pencil.unknowns);
  for (Eigen::Index i = ny; i < n; ++i)
    pencil.equations[static_cast<std::size_t>(i)] = "constraint " + std::to_string(i - ny + 1);
  return pencil;
}

Pencil of_implicit(const Implicit& problem, const State& state) {
  const Eigen::Index n = state.y.size();
  Vector rate(n);
  problem.rate(state.t, state.y, rate);
  Entries F_y, F_dy;
  problem.jacobians(state.t, state.y, rate, F_y, F_dy);
  Pencil pencil{F_dy.dense(n, n), -F_y.dense(n, n), labels(problem.layout()), {}};
  for (Eigen::Index i = 0; i < n; ++i) pencil.equations.push_back(problem.equation(i));
  return pencil;
}

}  // namespace

Pencil Pencil::without(const std::vector<std::string>& names) const {
  std::vector<bool> column(unknowns.size(), true), row(equations.size(), true);
  for (const auto& name : names) {
    const auto found = std::find(unknowns.begin(), unknowns.end(), name);
    if (found == unknowns.end()) throw unknown("unknown of these equations", name, unknowns);
    const auto j = found - unknowns.begin();
    column[static_cast<std::size_t>(j)] = false;
    for (Eigen::Index i = 0; i < E.rows(); ++i)
      if (E(i, j) != 0 || A(i, j) != 0) row[static_cast<std::size_t>(i)] = false;
  }
  std::vector<Eigen::Index> rows, columns;
  Pencil less;
  for (std::size_t i = 0; i < equations.size(); ++i)
    if (row[i]) rows.push_back(static_cast<Eigen::Index>(i)), less.equations.push_back(equations[i]);
  for (std::size_t j = 0; j < unknowns.size(); ++j)
    if (column[j]) columns.push_back(static_cast<Eigen::Index>(j)), less.unknowns.push_back(unknowns[j]);
  if (rows.size() != columns.size())
    throw Error("more equations than their own contain the unknowns that are to be left out: " +
                    std::to_string(equations.size() - rows.size()) + " contain " +
                    std::to_string(unknowns.size() - columns.size()),
                "leave out what only their own equations contain");
  less.E = E(rows, columns), less.A = A(rows, columns);
  return less;
}

Pencil pencil_of(const Problem& problem, const State& state) {
  if (const auto* ode = as<Ode>(&problem)) return of_ode(*ode, state);
  if (const auto* hessenberg = as<Hessenberg>(&problem)) return of_hessenberg(*hessenberg, state);
  return of_implicit(as<Implicit>(problem), state);
}

Pencil pencil_of(const Mechanical& problem, const State& state, ConstraintLevel level) {
  const MechanicalState part(problem.sizes());
  const double tolerance =
      problem.sizes().rows() == 0 ? rank_tolerance : find_redundancy(problem, state).tolerance;
  const MotionTerms here(problem, state.t, part.q(state.y), part.v(state.y), part.s(state.y), tolerance);
  const Mechanical::Sizes& n = here.n;
  const Eigen::Index v0 = n.v, s0 = 2 * n.v, l0 = s0 + n.s, all = l0 + n.rows();
  Pencil pencil{Matrix::Zero(all, all), Matrix::Zero(all, all), {}, {}};
  Matrix &E = pencil.E, &A = pencil.A;
  E.topLeftCorner(l0, l0).setIdentity();
  E.block(v0, v0, n.v, n.v) = here.M;
  A.block(0, 0, n.v, n.v) = here.T;
  A.block(0, v0, n.v, n.v).setIdentity();
  A.block(v0, 0, n.v, all) << -here.K, -here.D, -here.S, -here.J.transpose();
  A.block(s0, 0, n.s, l0) << here.k_q, here.k_v, here.k_s;
  const Eigen::Index h = level == ConstraintLevel::position ? n.holonomic : 0;
  A.block(l0, 0, h, n.v) = here.J.topRows(h);
  if (level == ConstraintLevel::acceleration) {
    const MotionRates rates = rates_along(problem, state, here);
    E.block(l0, 0, n.rows(), l0 - n.s) << here.B, here.J;
    A.block(l0, 0, n.rows(), l0 - n.s) << -rates.B, -rates.J;
  } else {
    A.block(l0 + h, 0, n.rows() - h, l0 - n.s) << here.B.bottomRows(n.rows() - h),
        here.J.bottomRows(n.rows() - h);
  }

  const Layout layout = problem.layout();
  const auto& velocities = layout["v"].labels;
  const auto& positions = problem.plain() ? layout["q"].labels : velocities;
  for (const auto& label : positions) pencil.unknowns.push_back("q." + label);
  for (const auto& label : velocities) pencil.unknowns.push_back("v." + label);
  for (Eigen::Index i = part.differential() - n.s; i < layout.size(); ++i)
    pencil.unknowns.push_back(layout.label(i));
  pencil.equations = equations_of(pencil.unknowns);
  for (Eigen::Index i = 0; i < n.rows(); ++i)
    pencil.equations[static_cast<std::size_t>(l0 + i)] =
        "the row of " + layout.label(part.differential() + i);
  return pencil;
}

}  // namespace dalembert
