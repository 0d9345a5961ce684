#include "dalembert/analysis/linearisation.h"

#include <cmath>
#include <tuple>

#include "dalembert/analysis/modes.h"
#include "dalembert/analysis/reduction.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/linear/rank.h"
#include "dalembert/multibody/pose.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/force_directions.h"

namespace dalembert {

namespace {

constexpr double at_rest = 1e-9;    // of velocities and accelerations, beside what they are compared with
constexpr double unchanged = 1e-6;  // of rates by differences
constexpr double unchanged_later = 1e-4;     // of second ones
constexpr double changed_on_the_way = 1e-4;  // of what is constant along a steady motion
constexpr double tolerable_growth = 5;       // of errors along it, the exponent
constexpr double rate_error = 1e-9;          // that of rates by differences

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

/// All rates of change that the frame X sees, in parts of what changes. Linear in X, but for a constant.
Vector rates_seen(const MotionTerms& here, const MotionRates& r, const Matrix& X, const Vector& v) {
  const double speed = largest(v);
  std::vector<double> all;
  const auto put = [&](const Matrix& rate, double size) {
    for (const double x : rate.reshaped()) all.push_back(x / size);
  };
  const auto relative = [&](const Matrix& rate, const Matrix& of) {
    if (rate.size() > 0) put(rate, (1e-12 + of.cwiseAbs().maxCoeff()) * (1 + speed));
  };
  put(here.a - X * v, 1 + speed);
  // Every motion turns about something for an instant, as a projectile does at its apex: what turns on takes its acceleration along.
  put(r.a - X * here.a, (1 + speed) * (1 + largest(here.a)));
  const Matrix Xt = X.transpose();
  for (const auto& [rate, of] :
       {std::pair<const Matrix&, const Matrix&>(r.M, here.M), {r.K, here.K}, {r.D, here.D}})
    relative(rate + of * X + Xt * of, of);
  if (here.n.rows() > 0) {
    // Rows may turn into each other, as those of a hinge of the ground do: J' = S J - J X. What they hold is the same.
    const Matrix change = r.J + here.J * X, Y = null_space(here.J.topRows(here.n.holonomic), here.tolerance);
    const Matrix S =
        change * RowInverse(here.J, here.tolerance)(Matrix::Identity(here.n.rows(), here.n.rows()));
    relative(change * here.free, here.J);
    relative(change.topRows(here.n.holonomic) * Y, here.J);
    relative((r.B + here.B * X - S * here.B) * Y, here.B);
  }
  return Eigen::Map<const Vector>(all.data(), static_cast<Eigen::Index>(all.size()));
}

/// The frame that goes along.
struct Frame {
  Matrix X;
  double stray = 0;    ///< the largest rate of change that it sees
  bool turns = false;  ///< X is not T alone
};

/// T, or T and the turn of all bodies together that leaves the least of all rates.
Frame frame(const Mechanical& problem, const State& state, const MotionTerms& here, const MotionRates& r) {
  const Vector v = MechanicalState(here.n).v(state.y);
  const Vector standing = rates_seen(here, r, here.T, v);
  Frame found{here.T, largest(standing)};
  const auto* mechanism = as<Mechanism>(&problem);
  if (mechanism == nullptr || found.stray <= at_rest) return found;
  const auto at = problem.placed_at(state);
  Matrix turns = Matrix::Zero(standing.size(), 3);
  for (int i = is_planar(*mechanism) ? 2 : 0; i < 3; ++i)
    turns.col(i) = rates_seen(here, r, here.T + turned(*mechanism, *at, Vector3d::Unit(i)), v) - standing;
  Eigen::CompleteOrthogonalDecomposition<Matrix> fit;
  fit.setThreshold(unchanged);
  fit.compute(turns);
  const Vector3d omega = fit.solve(-standing);
  const double left = largest(standing + turns * omega);
  if (left > unchanged || left > .1 * found.stray) return found;
  return {here.T + turned(*mechanism, *at, omega), left, true};
}

/// Do rates that vanish here change, seen from a frame that does not turn as a whole (X is a constant then)? M' = -(M X + X'M) goes on like that: M'' = -(M'X + X'M').
bool changes_later(const MotionTerms& here, const MotionRates& r, const Matrix& X, const Vector& v) {
  const double fast = (1 + largest(v)) * (1 + largest(v));
  const Matrix Xt = X.transpose();
  for (const auto& [second, first, of] :
       {std::tuple<const Matrix&, const Matrix&, const Matrix&>(r.M_second, r.M, here.M),
        {r.K_second, r.K, here.K},
        {r.D_second, r.D, here.D}}) {
    const Matrix left = second + first * X + Xt * first;
    const double size = of.size() == 0 ? 0 : of.cwiseAbs().maxCoeff();
    if (left.size() > 0 && left.cwiseAbs().maxCoeff() > unchanged_later * (1e-12 + size) * fast) return true;
  }
  return false;
}

/// Are stiffness and damping at this position others at other times?
bool changes_with_time(const Mechanical& problem, const State& state, const MotionTerms& here, Time time) {
  const MechanicalState part(here.n);
  const double span = std::abs(problem.end() - state.t);
  for (const double dt : {.013, .1, .37, 1.}) {
    const MotionTerms then(problem, state.t + dt * span, part.q(state.y), part.v(state.y), part.s(state.y),
                           here.tolerance, time);
    for (const auto what : {&MotionTerms::M, &MotionTerms::K, &MotionTerms::D, &MotionTerms::S,
                            &MotionTerms::k_q, &MotionTerms::k_v, &MotionTerms::k_s}) {
      const Matrix &before = here.*what, change = then.*what - before;
      if (change.size() > 0 &&
          change.cwiseAbs().maxCoeff() > unchanged * (1e-12 + before.cwiseAbs().maxCoeff()))
        return true;
    }
  }
  return false;
}

/// Do forces or drives push it off at other times?
bool leaves_with_time(const Mechanical& problem, const State& state, const MotionTerms& here) {
  const MechanicalState part(here.n);
  const double span = std::abs(problem.end() - state.t);
  const Vector q = part.q(state.y), v = part.v(state.y), s = part.s(state.y);
  Vector load = here.f.cwiseAbs();
  if (here.J.rows() > 0) load += here.J.cwiseAbs().transpose() * here.l.cwiseAbs();
  const double least = unchanged * largest(load) +
                       rate_error * (1 + largest(q)) * (here.K.size() > 0 ? here.K.cwiseAbs().maxCoeff() : 0);
  Vector f(here.n.v), g(here.n.holonomic), g0(here.n.holonomic), w(here.n.rows()), ds(here.n.s);
  problem.g(*problem.placed_at(state.t, q), g0);
  for (const double dt : {.013, .1, .37, 1.}) {
    const auto at = problem.placed_at(state.t + dt * span, q);
    problem.force(*at, v, s, f);
    problem.g(*at, g);
    problem.velocity_bias(*at, w);
    if (here.n.s > 0) problem.auxiliary(*at, v, s, ds);
    if (largest((here.free.transpose() * (f - here.f)).eval()) > least || largest((g - g0).eval()) > 1e-7 ||
        largest(w) > at_rest ||
        unrest(ds - here.ds, size_of_rates(problem, s, v, here.k_q, here.k_v, here.k_s)) > unchanged)
      return true;
  }
  return false;
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

/// What one instant shows, with all states.
Linearisation look_at_all(const Mechanical& problem, const State& state, Time time) {
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
  const Matrix X0 = Matrix::Zero(here.n.v, here.n.v);
  // At rest any coordinates will do; elsewhere those are wanted that do not turn in themselves.
  const bool rests = largest(v) == 0 && here.B.isZero(0);
  const Bases bases = rests ? separate_bases_of(here) : bases_of(here);
  reduce(here, bases, X0, still, still, out);
  out.doubt = doubt_of_entries(here, bases, X0, still, still, 1, out);
  if (time == Time::stands_still && largest(v) > 0)
    throw Error("time stands still, but the state moves", "set its velocities to zero");
  if (largest(v) <= at_rest && stands(here, out, part.s(state.y)) &&
      states_unrest(problem, here, v, part.s(state.y)) <= at_rest) {
    out.base = Linearisation::Base::equilibrium;
    out.doubt += doubt_of_position(problem, here, bases, out, time);
    out.timed = changes_with_time(problem, state, here, time);
    out.loaded = leaves_with_time(problem, state, here);
    return out;
  }
  if (time == Time::stands_still) return out;
  const MotionRates r = rates_along(problem, state, here);
  const Frame along = frame(problem, state, here, r);
  const Matrix& X = along.X;
  out.stray = std::max(along.stray, states_unrest(problem, here, v, part.s(state.y)));
  out.base = out.stray <= unchanged && (along.turns || !changes_later(here, r, X, v))
                 ? Linearisation::Base::steady
                 : Linearisation::Base::instant;
  const bool steady = out.base == Linearisation::Base::steady;
  const Matrix J_rate = steady ? Matrix(-here.J * X) : r.J, B_rate = steady ? Matrix(-here.B * X) : r.B;
  const Bases turning = bases_of(here);
  reduce(here, turning, X, J_rate, B_rate, out);
  // Steps of differences are of the second: of faster motions less is known.
  const double pace = largest(v) > 0 ? std::max(1., largest(out.acceleration) / largest(v)) : 1;
  out.doubt = doubt_of_entries(here, turning, X, J_rate, B_rate,
                               along.turns || !steady ? pace * rate_error / sum_error : 1, out);
  return out;
}

/// What one instant shows. States that count turns are no unknowns: nothing depends on small changes of them, and the zero that each
/// of them is would say that something can be displaced without resistance.
Linearisation look(const Mechanical& problem, const State& state, Time time) {
  Linearisation out = look_at_all(problem, state, time);
  const std::vector<Eigen::Index> felt = felt_states(problem);
  const Eigen::Index rest = out.A.rows() - problem.sizes().s;
  out.states = static_cast<Eigen::Index>(felt.size());
  if (out.states == problem.sizes().s) return out;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < rest; ++i) kept.push_back(i);
  for (const Eigen::Index i : felt) kept.push_back(rest + i);
  out.A = out.A(kept, kept).eval(), out.doubt = out.doubt(kept, kept).eval();
  for (Matrix* of : {&out.u, &out.w, &out.x}) *of = (*of)(Eigen::all, kept).eval();
  return out;
}

/// Numbers that stay the same along a steady motion, whatever the frame.
Vector constants(const Mechanical& problem, const Linearisation& l) {
  const MechanicalState part(problem.sizes());
  const auto pair = [](const Matrix& A) { return std::pair(A.trace(), A.norm()); };
  const auto [m, mass] = pair(l.mass);
  const auto [d, damping] = pair(l.damping);
  const auto [k, stiffness] = pair(l.stiffness);
  Vector all(8);
  all << m, mass, d, damping, k, stiffness, part.v(l.state.y).norm(), l.acceleration.norm();
  return all;
}

/// Follows a motion that looks steady; false if it does not at a later time, or cannot be followed.
bool stays(const Mechanical& problem, Linearisation& begin) {
  double growth = 0;
  for (const Mode& mode : modes_of(begin.A, begin.doubt).all) growth = std::max(growth, mode.value.real());
  const double span = std::min(std::max(1e-3, problem.end() - begin.state.t), tolerable_growth / growth);
  RunOptions options;
  options.tolerance = {1e-10, 1e-10};
  options.end = begin.state.t + span;
  options.start["t"] = begin.state.t;
  const Layout layout = problem.layout();
  const MechanicalState part(problem.sizes());
  for (Eigen::Index i = 0; i < part.differential(); ++i) options.start[layout.label(i)] = begin.state.y[i];
  const Vector first = constants(problem, begin);
  Vector size = first.cwiseAbs();
  for (const Eigen::Index i : {0, 2, 4}) size[i] = size[i + 1];
  size[7] += size[6];
  try {
    const Solution motion =
        solve(std::shared_ptr<const Problem>(std::shared_ptr<const Problem>(), &problem), options);
    if (!good(motion.summary.outcome)) return false;
    for (const double part_of : {.0137, .037, .113, .271, .414, .618, .787, .931, 1.}) {
      const Linearisation later = look(
          problem, reported(motion(begin.state.t + part_of * span), problem.report(), layout), Time::goes_on);
      if (later.stray > changed_on_the_way) return false;
      const Vector change = (constants(problem, later) - first).cwiseAbs();
      for (Eigen::Index i = 0; i < change.size(); ++i)
        if (change[i] > changed_on_the_way * size[i] + 1e-9) return false;
    }
  } catch (const Error&) {
    return false;
  }
  begin.followed = begin.state.t + span;
  return true;
}

}  // namespace

Linearisation linearise(const Mechanical& problem, const State& state, Time time) {
  Linearisation out = look(problem, state, time);
  if (out.base == Linearisation::Base::steady && !stays(problem, out))
    out.base = Linearisation::Base::instant;
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
  if (l.base != Linearisation::Base::equilibrium || l.states > 0 || l.free.cols() == 0) return false;
  // In units in which each displacement has the stiffness 1: a soft spring beside a stiff one is a spring.
  const Vector diagonal = l.stiffness.diagonal();
  if (!(diagonal.array() > 0).all()) return false;
  const Vector unit = diagonal.cwiseSqrt().cwiseInverse();
  const Matrix stiffness = unit.asDiagonal() * l.stiffness * unit.asDiagonal();
  if ((stiffness - stiffness.transpose()).cwiseAbs().maxCoeff() > 1e-8) return false;
  const Matrix damping = l.damping + l.damping.transpose();
  const double most = std::max(1e-300, damping.cwiseAbs().maxCoeff());
  return Eigen::SelfAdjointEigenSolver<Matrix>(stiffness).eigenvalues()[0] > 1e-10 &&
         Eigen::SelfAdjointEigenSolver<Matrix>(damping).eigenvalues()[0] >= -1e-8 * most;
}

}  // namespace dalembert
