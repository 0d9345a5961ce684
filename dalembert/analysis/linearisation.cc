#include "dalembert/analysis/linearisation.h"

#include <cmath>

#include "dalembert/constraints/redundancy.h"
#include "dalembert/core/error.h"
#include "dalembert/linear/rank.h"
#include "dalembert/multibody/pose.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

namespace {

constexpr double at_rest = 1e-9;    // of velocities and accelerations, beside what they are compared with
constexpr double unchanged = 1e-6;  // of rates by differences

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d cross(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return m;
}

/// X(Omega): how velocities change if everything turns with the rate Omega. Linear in it.
Matrix turned(const Mechanism& m, const Placement& at, const Vector3d& omega) {
  Matrix X = Matrix::Zero(m.sizes().v, m.sizes().v);
  for (std::size_t i = 0; i < m.bodies().size(); ++i) {
    const BodyRecord& body = m.bodies()[i];
    const int places = body.turns ? body.velocities - (is_planar(m) ? 1 : 3) : body.velocities;
    X.block(body.v, body.v, places, places) = cross(omega).topLeftCorner(places, places);
    if (body.turns && !is_planar(m))
      X.block<3, 3>(body.v + 3, body.v + 3) =
          cross(pose_of(m, at, static_cast<int>(i)).R.transpose() * omega);
  }
  return X;
}

/// The frame that goes along: T, and the turn of all bodies together for which v' = X v.
Matrix frame(const Mechanical& problem, const State& state, const MotionTerms& here) {
  Matrix X = here.T;
  const auto* mechanism = as<Mechanism>(&problem);
  const Vector v = MechanicalState(here.n).v(state.y);
  if (mechanism == nullptr || largest(here.a) <= at_rest * (1 + largest(v))) return X;
  const auto at = problem.placed_at(state);
  Matrix turns(here.n.v, 3);
  for (int i = 0; i < 3; ++i) turns.col(i) = turned(*mechanism, *at, Vector3d::Unit(i)) * v;
  const bool planar = is_planar(*mechanism);
  if (planar) turns.leftCols(2).setZero();
  const Vector3d omega = turns.completeOrthogonalDecomposition().solve(here.a);
  return largest(turns * omega - here.a) <= unchanged * largest(here.a) ? X + turned(*mechanism, *at, omega)
                                                                        : X;
}

double relative(const Matrix& change, const Matrix& of, double speed) {
  return change.size() == 0
             ? 0
             : change.cwiseAbs().maxCoeff() / ((1e-12 + of.cwiseAbs().maxCoeff()) * (1 + speed));
}

double states_unrest(const Mechanical& problem, const MotionTerms& p, const Vector& v, const Vector& s) {
  return unrest(p.ds, size_of_rates(problem, s, v, p.k_q, p.k_v, p.k_s));
}

/// Are accelerations nothing beside those of a displacement of 1, and of the forces that cancel? Rates of states are
/// in other units, and have no say in it.
bool stands(const MotionTerms& p, const Linearisation& l, const Vector& s) {
  const Eigen::Index n = l.A.rows() - p.n.s;
  const double fast = n == 0 ? 0 : l.A.topLeftCorner(n, n).cwiseAbs().maxCoeff();
  Vector load = p.f.cwiseAbs();
  if (p.J.rows() > 0) load += p.J.cwiseAbs().transpose() * p.l.cwiseAbs();
  if (s.size() > 0) load += p.S.cwiseAbs() * s.cwiseAbs();
  for (Eigen::Index i = 0; i < p.n.v; ++i)
    if (!(std::abs(p.a[i]) <= at_rest * (1 + fast + (p.M(i, i) > 0 ? load[i] / p.M(i, i) : 0)))) return false;
  return true;
}

/// The largest rate of change that the frame sees, in parts of what changes.
double stray(const MotionTerms& here, const MotionRates& r, const Matrix& X, const Vector& v) {
  const double speed = largest(v);
  double most = largest(here.a - X * v) / (1 + speed);
  const Matrix Xt = X.transpose();
  for (const auto& [rate, of] :
       {std::pair<const Matrix&, const Matrix&>(r.M, here.M), {r.K, here.K}, {r.D, here.D}})
    most = std::max(most, relative(rate + of * X + Xt * of, of, speed));
  if (here.n.rows() == 0) return most;
  // Rows may turn into each other, as those of a hinge of the ground do: J' = S J - J X. What they hold is the same.
  const Matrix change = r.J + here.J * X, Y = null_space(here.J.topRows(here.n.holonomic), here.tolerance);
  const Matrix S =
      change * RowInverse(here.J, here.tolerance)(Matrix::Identity(here.n.rows(), here.n.rows()));
  most = std::max({most, relative(change * here.free, here.J, speed),
                   relative(change.topRows(here.n.holonomic) * Y, here.J, speed)});
  return std::max(most, relative((r.B + here.B * X - S * here.B) * Y, here.B, speed));
}

/// A and what its entries stand for, in the frame X, while J and B change as the rates say.
void reduce(const MotionTerms& p, const Matrix& X, const Matrix& J_rate, const Matrix& B_rate,
            Linearisation& out) {
  const Matrix Y = null_space(p.J.topRows(p.n.holonomic), p.tolerance), &Z = p.free;
  const RowInverse inverse(p.J, p.tolerance);
  const Eigen::Index nu = Y.cols(), nw = Z.cols(), ns = p.n.s, n = nu + nw + ns;
  out.u = Matrix::Zero(p.n.v, n), out.w = Matrix::Zero(p.n.v, n), out.x = Matrix::Zero(ns, n);
  out.free = Z;
  out.u.leftCols(nu) = Y;
  out.w.leftCols(nu) = -inverse(p.B * Y);
  out.w.middleCols(nu, nw) = Z;
  out.x.rightCols(ns).setIdentity();

  const Matrix u_rate = out.w + p.T * out.u;
  Matrix w_rate = -inverse(J_rate * out.w + B_rate * out.u + p.B * u_rate);
  const Matrix force = -p.K * out.u - p.D * out.w - p.S * out.x - p.M * w_rate;
  out.mass = Z.transpose() * p.M * Z;
  out.damping = Z.transpose() * p.D * Z;
  out.stiffness = Z.transpose() * p.K * Z;
  if (nw > 0) w_rate += Z * out.mass.partialPivLu().solve(Z.transpose() * force);
  // Z moves with the rate -J^+ J' Z, J' seen from the frame.
  const Matrix turn = inverse((J_rate + p.J * X) * Z);

  out.A = Matrix::Zero(n, n);
  out.A.topRows(nu) = Y.transpose() * (u_rate - X * out.u);
  out.A.middleRows(nu, nw) = Z.transpose() * (w_rate - X * out.w) - turn.transpose() * out.w;
  out.A.bottomRows(ns) = p.k_q * out.u + p.k_v * out.w + p.k_s * out.x;
}

void refuse_singular(const Mechanical& problem, const Redundancy& redundancy) {
  if (as<ForceDirections>(&problem) != nullptr)
    throw Error(
        "constraint forces along other directions than the gradients of the constraints cannot be "
        "linearised");
  if (redundancy.rank_here < redundancy.rank)
    throw Error(
        "this is a singular position, where " + std::to_string(redundancy.rank - redundancy.rank_here) +
            " of the constraint rows say nothing new: small motions there do not obey linear equations",
        "linearise at another one");
}

}  // namespace

Linearisation linearise(const Mechanical& problem, const State& state, Time time) {
  const MechanicalState part(problem.sizes());
  const Redundancy redundancy = find_redundancy(problem, state);
  refuse_singular(problem, redundancy);
  const double tolerance = problem.sizes().rows() == 0 ? rank_tolerance : redundancy.tolerance;
  const Vector v = part.v(state.y);
  const MotionTerms here(problem, state.t, part.q(state.y), v, part.s(state.y), tolerance, time);

  Linearisation out;
  out.state = state;
  part.multipliers(out.state.y) = here.l;
  out.acceleration = here.a;
  out.jacobian = here.J;
  out.tolerance = tolerance;
  const Matrix still = Matrix::Zero(here.n.rows(), here.n.v);
  reduce(here, Matrix::Zero(here.n.v, here.n.v), still, still, out);
  if (time == Time::stands_still && largest(v) > 0)
    throw Error("time stands still, but the state moves", "set its velocities to zero");
  if (largest(v) <= at_rest && stands(here, out, part.s(state.y)) &&
      states_unrest(problem, here, v, part.s(state.y)) <= at_rest) {
    out.base = Linearisation::Base::equilibrium;
    return out;
  }
  if (time == Time::stands_still) return out;
  const Matrix X = frame(problem, state, here);
  const MotionRates r = rates_along(problem, state, here);
  out.stray = std::max(stray(here, r, X, v), states_unrest(problem, here, v, part.s(state.y)));
  out.base = out.stray <= unchanged ? Linearisation::Base::steady : Linearisation::Base::instant;
  if (out.base == Linearisation::Base::steady)
    reduce(here, X, -here.J * X, -here.B * X, out);
  else
    reduce(here, X, r.J, r.B, out);
  return out;
}

std::vector<std::string> displacement_names(const Mechanical& problem) {
  if (problem.sizes().v == 0) return {};  // a network alone
  const Layout layout = problem.layout();
  const auto& names = problem.plain() ? layout["q"].labels : layout["v"].labels;
  std::vector<std::string> all;
  for (std::string name : names) {
    if (!problem.plain() && name.ends_with("'")) name.pop_back();
    if (const auto turn = name.rfind("omega"); !problem.plain() && turn != std::string::npos)
      name.replace(turn, 5, "theta");
    all.push_back(name);
  }
  return all;
}

bool least_energy(const Linearisation& l) {
  if (l.base != Linearisation::Base::equilibrium || l.x.rows() > 0 || l.free.cols() == 0) return false;
  const double size = l.stiffness.cwiseAbs().maxCoeff();
  if ((l.stiffness - l.stiffness.transpose()).cwiseAbs().maxCoeff() > 1e-8 * size) return false;
  const Matrix damping = l.damping + l.damping.transpose();
  const double most = std::max(1e-300, damping.cwiseAbs().maxCoeff());
  return Eigen::SelfAdjointEigenSolver<Matrix>(l.stiffness).eigenvalues()[0] > 1e-10 * size &&
         Eigen::SelfAdjointEigenSolver<Matrix>(damping).eigenvalues()[0] >= -1e-8 * most;
}

}  // namespace dalembert
