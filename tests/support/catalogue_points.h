// A problem of the catalogue at one point, everything evaluated; and an integration that shares no code with the
// library's methods.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/mechanical.h"
#include "problems/reference.h"

namespace dalembert {

using Function = std::function<Vector(double)>;

/// f'(0), by central differences of order 6.
inline Vector derivative(const Function& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

inline void expect_near(const Vector& ours, const Vector& truth, double tolerance, const std::string& what,
                        double rounding = 0) {
  ASSERT_EQ(ours.size(), truth.size()) << what;
  const double scale = 1e-3 + largest(truth);
  EXPECT_LE(largest(ours - truth), tolerance * scale + rounding)
      << what << "\n  ours  " << ours.transpose() << "\n  truth " << truth.transpose();
}

/// A mechanical problem at one point, everything evaluated.
struct Point {
  Point(const Mechanical& p, double time, const Vector& q, const Vector& velocity, const Vector& first_order)
      : problem(p), n(p.sizes()), t(time), v(velocity), s(first_order), at(p.placement()) {
    p.place_at(*at, t, q);
    Entries mass, rows;
    p.mass(*at, mass);
    p.jacobian(*at, rows);
    M = mass.dense(n.v, n.v);
    J = rows.dense(n.rows(), n.v);
    f.resize(n.v);
    g.resize(n.holonomic);
    w.resize(n.rows());
    bias.resize(n.rows());
    dq.resize(n.q);
    ds.resize(n.s);
    p.force(*at, v, s, f);
    p.g(*at, g);
    p.velocity_bias(*at, w);
    p.bias(*at, v, bias);
    p.tangent(*at, v, dq);
    p.auxiliary(*at, v, s, ds);
  }
  /// (v', multipliers); of least norm where rows follow from others.
  std::pair<Vector, Vector> solve() const {
    Matrix saddle = Matrix::Zero(n.v + n.rows(), n.v + n.rows());
    saddle << M, J.transpose(), J, Matrix::Zero(n.rows(), n.rows());
    Vector right(n.v + n.rows());
    right << f, -bias;
    const Eigen::PartialPivLU<Matrix> lu(saddle);
    const Vector x = lu.rcond() > 1e-15 ? Vector(lu.solve(right))
                                        : Vector(saddle.completeOrthogonalDecomposition().solve(right));
    return {x.head(n.v), x.tail(n.rows())};
  }
  /// The least displacement u, in the kinetic metric, with J u = rows.
  Vector onto(const Vector& rows) const {
    const Matrix compliance = M.ldlt().solve(J.transpose());
    return compliance * (J * compliance).ldlt().solve(rows);
  }
  double energy() const { return problem.energy(*at, v, s).value(); }

  const Mechanical& problem;
  Mechanical::Sizes n;
  double t;
  Vector v, s;
  std::unique_ptr<Placement> at;
  Matrix M, J;
  Vector f, g, w, bias, dq, ds;
};

inline Point point(const Mechanical& p, const State& state) {
  const MechanicalState part(p.sizes());
  return Point(p, state.t, part.q(state.y), part.v(state.y), part.s(state.y));
}

/// The start, and states nearby that satisfy no constraint.
inline std::vector<State> states_near_start(const Problem& problem) {
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<State> states = {problem.start()};
  for (int k = 0; k < 5; ++k) {
    State state = problem.start();
    state.t = problem.end() * (.2 + .1 * k);
    for (double& y : state.y) y += .1 * uniform(random) * (1 + std::abs(y));
    states.push_back(state);
  }
  return states;
}

struct Case {
  std::string name;
  Kind kind;
  std::shared_ptr<const Problem> problem;
};

inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// Every entry with its default parameters, terms that are off by default, and the modes that only events reach.
inline std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& entry : all_problems()) all.push_back({entry.name, entry.kind, make_problem(entry.name)});
  const auto with = [&](const std::string& suffix, const std::string& name,
                        const std::map<std::string, double>& set) {
    all.push_back({name + suffix, Kind::mechanical, make_problem(name, set)});
  };
  with("-damped", "slider-crank-flexible", {{"nonlinear", 1}, {"damping", 1}, {"E", 2e9}});
  with("-oblique", "bushing-pendulum", {{"kx", 3}, {"cx", 1}, {"ctheta", 2}, {"g", 9.81}});
  const auto violin = make_problem("violin");
  State captured = violin->start();
  all.push_back({"violin-stick", Kind::mechanical, violin->events()->respond(0, captured).next});
  return all;
}

/// One long step of the index-1 form (q,v,s)' by extrapolated midpoint rules, order 16: nothing of the
/// library.
inline Vector extrapolate(const Mechanical& p, double t, const Vector& y, double length) {
  const auto rate = [&](double time, const Vector& at) {
    const Point here = point(p, {time, at});
    Vector dy(at.size());
    dy << here.dq, here.solve().first, here.ds;
    return dy;
  };
  constexpr int columns = 6;
  std::vector<Vector> above, row;  // of the Aitken-Neville table
  const Vector first = rate(t, y);
  for (int k = 0; k < columns; ++k) {
    const int n = 2 * (k + 1);
    const double h = length / n;
    Vector before = Vector::Zero(y.size()), now = h * first;
    for (int i = 1; i < n; ++i) {
      const Vector next = before + 2 * h * rate(t + i * h, y + now);
      before = now;
      now = next;
    }
    row.push_back((before + now + h * rate(t + length, y + now)) / 2);  // smoothed: an expansion in h^2
    for (int j = 0; j < k; ++j) {
      const double ratio = (k + 1.0) / (k - j);
      row.push_back(row.back() + (row.back() - above[static_cast<std::size_t>(j)]) / (ratio * ratio - 1));
    }
    above = std::exchange(row, {});
  }
  return y + above.back();
}

/// The nearest state on the constraints, in the kinetic metric: Newton for q, one solution for v.
inline Vector on_constraints(const Mechanical& p, double t, Vector y) {
  const MechanicalState part(p.sizes());
  if (p.sizes().rows() == 0) return y;
  for (int round = 0; round < 4; ++round) {
    const Point at = point(p, {t, y});
    Vector rows(at.n.rows()), q(at.n.q);
    rows << at.g, Vector::Zero(at.n.nonholonomic);
    p.advance(*at.at, -at.onto(rows), q);
    part.q(y) = q;
  }
  const Point at = point(p, {t, y});
  part.v(y) -= at.onto(at.J * at.v + at.w);
  return y;
}

/// (q,v,s) at the time t, from the start, in equal steps, and its multipliers.
inline State integrated(const Mechanical& p, double t, int steps) {
  Vector y = on_constraints(p, 0, p.start().y.head(MechanicalState(p.sizes()).differential()));
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) y = on_constraints(p, (i + 1) * h, extrapolate(p, i * h, y, h));
  return with_multipliers(p, t, y);
}

}  // namespace dalembert
