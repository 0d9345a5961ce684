#include "dalembert/analysis/motion_terms.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

Vector lengths_of(const Matrix& J) {
  Vector lengths = J.rowwise().norm();
  return (lengths.array() > 0).select(lengths, 1);
}

Eigen::CompleteOrthogonalDecomposition<Matrix> decomposed(const Matrix& A, double tolerance) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  cod.setThreshold(tolerance);
  cod.compute(A);
  return cod;
}

Matrix turning(const Mechanical& problem, const Placement& at, In v) {
  const Mechanical::Sizes n = problem.sizes();
  Matrix T = Matrix::Zero(n.v, n.v);
  if (problem.plain() || largest(v) == 0) return T;
  Kinematics k;
  problem.kinematics(at, v, k);
  const Matrix N = k.N.dense(n.q, n.v), inverse = k.inverse.dense(n.v, n.q);
  const Vector rate = N * v;
  Matrix lifted = k.Nv_q.dense(n.q, n.q) * N;
  for (Eigen::Index j = 0; j < n.v; ++j) {
    problem.kinematics(at, Vector::Unit(n.v, j), k);
    lifted.col(j) -= k.Nv_q.dense(n.q, n.q) * rate;
  }
  return inverse * lifted;
}

/// The sum of |entries| at each place.
Matrix sizes_of(const Entries& entries, Eigen::Index rows, Eigen::Index columns) {
  Matrix all = Matrix::Zero(rows, columns);
  for (std::size_t k = 0; k < entries.size(); ++k)
    all(entries.row(k), entries.column(k)) += std::abs(entries.value(k));
  return all;
}

}  // namespace

std::vector<Eigen::Index> felt_states(const Mechanical& problem) {
  const std::vector<Eigen::Index> counters = problem.turn_counters();
  std::vector<Eigen::Index> all;
  for (Eigen::Index i = 0; i < problem.sizes().s; ++i)
    if (std::find(counters.begin(), counters.end(), i) == counters.end()) all.push_back(i);
  return all;
}

Vector sizes_of_positions(const Mechanical& problem, In q) {
  const Layout layout = problem.layout();
  const auto& units = layout["q"].units;
  const std::map<std::string, double> small = problem.small_entries();
  std::map<std::string, double> reach;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const auto known = small.find(layout.label(layout["q"].offset + i));
    double& most = reach[units[static_cast<std::size_t>(i)]];
    most = std::max(most, std::abs(q[i]) + (known == small.end() ? 1 : known->second));
  }
  Vector sizes = Vector::Ones(problem.sizes().v);
  for (Eigen::Index i = 0; i < sizes.size(); ++i) {
    std::string unit = layout[problem.plain() ? "q" : "v"].units[static_cast<std::size_t>(i)];
    if (!problem.plain() && unit.ends_with("/s")) unit.resize(unit.size() - 2);
    if (const auto found = reach.find(unit); unit != "rad" && found != reach.end()) sizes[i] = found->second;
  }
  return sizes;
}

RowInverse::RowInverse(const Matrix& J, double tolerance) : lengths_(lengths_of(J)), columns_(J.cols()) {
  if (J.size() == 0) return;
  cod_ = decomposed(lengths_.cwiseInverse().asDiagonal() * J, tolerance);
  const Matrix transposed = J.transpose() * lengths_.cwiseInverse().asDiagonal();
  transposed_ = decomposed(transposed, tolerance);
  if (transposed_.rank() == J.rows()) return;
  // Of the decomposition itself, so that both agree about the rank.
  const Matrix all = Matrix::Identity(J.rows(), J.rows()) - transposed_.solve(transposed);
  const Eigen::SelfAdjointEigenSolver<Matrix> parts(all);
  loose_ =
      lengths_.cwiseInverse().asDiagonal() * parts.eigenvectors().rightCols(J.rows() - transposed_.rank());
}

Matrix RowInverse::operator()(const Matrix& r) const {
  if (lengths_.size() == 0 || columns_ == 0) return Matrix::Zero(columns_, r.cols());
  return cod_.solve(lengths_.cwiseInverse().asDiagonal() * r);
}

Vector RowInverse::multipliers(const Vector& force) const {
  if (lengths_.size() == 0 || columns_ == 0) return Vector::Zero(lengths_.size());
  Vector l = lengths_.cwiseInverse().asDiagonal() * transposed_.solve(force);
  if (loose_.cols() == 0) return l;
  // That was the least one in rows of unit length, which depends on the unit of length.
  return l - loose_ * (loose_.transpose() * loose_).ldlt().solve(loose_.transpose() * l);
}

MotionTerms::MotionTerms(const Mechanical& problem, double t, In q, In v, In s, double small, Time time)
    : n(problem.sizes()), tolerance(small) {
  const auto at = problem.placed_at(t, q);
  Entries entries, rows;
  problem.mass(*at, entries);
  M = entries.dense(n.v, n.v);
  problem.jacobian(*at, rows);
  J = rows.dense(n.rows(), n.v);
  f.resize(n.v), bias.resize(n.rows()), w.resize(n.rows()), ds.resize(n.s);
  problem.force(*at, v, s, f);
  problem.bias(*at, v, bias);
  problem.velocity_bias(*at, w);
  if (time == Time::stands_still) bias.setZero(), w.setZero();
  if (n.s > 0) problem.auxiliary(*at, v, s, ds);

  free = null_space(J, tolerance);
  const RowInverse inverse(J, tolerance);
  a = -inverse(bias);
  if (free.cols() > 0)
    a += free * Matrix(free.transpose() * M * free).partialPivLu().solve(free.transpose() * (f - M * a));
  l = inverse.multipliers(f - M * a);

  Derivatives d;
  problem.derivatives(*at, v, s, a, l, d);
  K = d.K.dense(n.v, n.v), D = d.D.dense(n.v, n.v), S = d.S.dense(n.v, n.s);
  K_size = sizes_of(d.K, n.v, n.v), D_size = sizes_of(d.D, n.v, n.v), S_size = sizes_of(d.S, n.v, n.s);
  B = time == Time::stands_still ? Matrix::Zero(n.rows(), n.v) : d.B.dense(n.rows(), n.v);
  k_q = d.k_q.dense(n.s, n.v), k_v = d.k_v.dense(n.s, n.v), k_s = d.k_s.dense(n.s, n.s);
  T = turning(problem, *at, v);
}

Vector size_of_rates(const Mechanical& problem, In s, In v, const Matrix& k_q, const Matrix& k_v,
                     const Matrix& k_s) {
  if (s.size() == 0) return Vector(0);
  const Layout layout = problem.layout();
  const auto& units = layout["s"].units;
  Vector size = s.cwiseAbs();
  for (Eigen::Index i = 0; i < s.size(); ++i) {
    const std::string& unit = units[static_cast<std::size_t>(i)];
    size[i] += unit == "Pa" ? 1 : unit == "m^3/s" ? 1e-9 : 1e-3;
  }
  Vector all = k_s.cwiseAbs() * size;
  if (v.size() > 0) all += k_q.cwiseAbs().rowwise().sum() + k_v.cwiseAbs() * v.cwiseAbs();
  return all;
}

double unrest(const Vector& rates, const Vector& sizes) {
  double most = 0;
  for (Eigen::Index i = 0; i < rates.size(); ++i)
    if (rates[i] != 0) most = std::max(most, std::abs(rates[i]) / sizes[i]);
  return most;
}

MotionRates rates_along(const Mechanical& problem, const State& state, const MotionTerms& here) {
  const MechanicalState part(here.n);
  const auto at = problem.placed_at(state);
  const Vector v = part.v(state.y), s = part.s(state.y);
  // A pendulum of a centimetre turns thirty times as fast as one of ten metres.
  const double pace = largest(v) > 0 ? std::min(largest(here.a) / largest(v), 1e3) : 0;
  const double h = 1e-3 / (1 + std::max(largest(v), pace));
  const auto moved = [&](double dt) {
    Vector q(here.n.q);
    problem.advance(*at, dt * v + dt * dt / 2 * here.a, q);
    return MotionTerms(problem, state.t + dt, q, v + dt * here.a, s + dt * here.ds, here.tolerance);
  };
  const MotionTerms a = moved(h), b = moved(-h), c = moved(2 * h), d = moved(-2 * h);
  const auto rate = [&](Matrix MotionTerms::*what) -> Matrix {
    return (8 * (a.*what - b.*what) - (c.*what - d.*what)) / (12 * h);
  };
  const auto second = [&](Matrix MotionTerms::*what) -> Matrix {
    return (16 * (a.*what + b.*what) - (c.*what + d.*what) - 30 * here.*what) / (12 * h * h);
  };
  return {rate(&MotionTerms::M),   rate(&MotionTerms::J),   rate(&MotionTerms::K),
          rate(&MotionTerms::D),   rate(&MotionTerms::B),   second(&MotionTerms::M),
          second(&MotionTerms::K), second(&MotionTerms::D), (8 * (a.a - b.a) - (c.a - d.a)) / (12 * h)};
}

}  // namespace dalembert
