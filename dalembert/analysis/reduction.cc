#include "dalembert/analysis/reduction.h"

#include <cmath>
#include <map>
#include <random>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

constexpr double basis_part =
    1e-2;                       // times `sum_error`: of what turns and bases make of the largest of a row
constexpr double soft = 1e-10;  // stiffness that displacements are not taken from, beside the largest
constexpr double position_rounding = 4e-16;  // of a coordinate
constexpr double far_enough = 4;  // times what an equilibrium is off: where is looked at what changes
constexpr double surely = 4;      // times what was seen there
constexpr double much_farther =
    1e2;  // than what ordinary stiffness leaves to go: nothing is known of a direction that asks for more
constexpr int samples = 6;

Matrix sizes(const Matrix& A) {
  return blurred(A, basis_part);
}

/// What a balance says of displacements and states, K y = push.
struct Balance {
  Balance(const MotionTerms& p, const Matrix& Z)
      : tangent(Z.cols() + p.n.s, Z.cols() + p.n.s), push(Z.cols() + p.n.s) {
    tangent << Z.transpose() * p.K * Z, Z.transpose() * p.S, -p.k_q * Z, -p.k_s;
    push << Z.transpose() * p.f, p.ds;
  }
  Matrix tangent;
  Vector push;
};

/// How far each coordinate may be off where this is left to go: of one unit they share what is left, as forces along one of them move others.
Vector reach(const Mechanical& problem, const State& state, const Vector& left) {
  const MechanicalState part(problem.sizes());
  const Layout layout = problem.layout();
  const Vector q = part.q(state.y), s = part.s(state.y);
  std::map<std::string, double> coordinates, moves;
  const auto& units_q = layout["q"].units;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    double& most = coordinates[units_q[static_cast<std::size_t>(i)]];
    most = std::max(most, std::abs(q[i]));
  }
  const auto unit = [&](Eigen::Index i) {
    std::string name = layout[problem.plain() ? "q" : "v"].units[static_cast<std::size_t>(i)];
    if (!problem.plain() && name.ends_with("/s")) name.resize(name.size() - 2);
    return name;
  };
  Vector all = left.cwiseAbs();
  const Eigen::Index v = problem.sizes().v;
  for (Eigen::Index i = 0; i < v; ++i) moves[unit(i)] = std::max(moves[unit(i)], all[i]);
  for (Eigen::Index i = 0; i < v; ++i) {
    const double size = unit(i) == "rad" ? 1 : coordinates[unit(i)];
    all[i] = moves[unit(i)] + position_rounding * size;
  }
  all.tail(s.size()) += position_rounding * s.cwiseAbs();
  return far_enough * all;
}

/// What lies beside an equilibrium, with bases that are taken along, so that everything is the same but for the distance.
class Beside {
 public:
  Beside(const Mechanical& problem, const Linearisation& l, const MotionTerms& here, const Bases& bases,
         Time time)
      : problem_(problem), l_(l), here_(here), time_(time), bases_(bases) {}

  /// How A and the tangent of the balance change over such distances.
  void look(const Vector& reach, Matrix& A, Matrix& tangent) const {
    const Balance balance(here_, bases_.Z);
    A = Matrix::Zero(l_.A.rows(), l_.A.cols()), tangent = 0 * balance.tangent;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(.5, 2);  // of one size, some would cancel
    for (int sample = 0; sample < samples; ++sample) {
      const Vector way =
          reach.unaryExpr([&](double size) { return (random() % 2 == 0 ? size : -size) * part(random); });
      const MotionTerms there = terms(way);
      const Matrix G = there.J.topRows(here_.n.holonomic);
      Bases along = bases_;
      along.Y -= RowInverse(G, here_.tolerance)(G * bases_.Y);
      along.Z -= RowInverse(there.J, here_.tolerance)(there.J * bases_.Z);
      along.Y *= Matrix(along.Y_left * along.Y).inverse(),
          along.Z *= Matrix(along.Z_left * along.Z).inverse();
      Linearisation other;
      const Matrix still = Matrix::Zero(here_.n.rows(), here_.n.v);
      reduce(there, along, Matrix::Zero(here_.n.v, here_.n.v), still, still, other);
      if (!other.A.allFinite()) continue;
      A = A.cwiseMax((other.A - l_.A).cwiseAbs());
      tangent = tangent.cwiseMax((Balance(there, along.Z).tangent - balance.tangent).cwiseAbs());
    }
    A *= surely, tangent *= surely;
  }

 private:
  MotionTerms terms(const Vector& way) const {
    const MechanicalState part(here_.n);
    Vector q(here_.n.q);
    problem_.advance(*problem_.placed_at(l_.state), way.head(here_.n.v), q);
    return {problem_,        l_.state.t, q, part.v(l_.state.y), part.s(l_.state.y) + way.tail(here_.n.s),
            here_.tolerance, time_};
  }

  const Mechanical& problem_;
  const Linearisation& l_;
  const MotionTerms& here_;
  Time time_;
  Bases bases_;
};

}  // namespace

Bases bases_of(const MotionTerms& p) {
  const Matrix Y = null_space(p.J.topRows(p.n.holonomic), p.tolerance);
  return {Y, p.free, Y.transpose(), p.free.transpose()};
}

Bases separate_bases_of(const MotionTerms& p) {
  Bases all = bases_of(p);
  const auto separate = [](Matrix& X, Matrix& left) {
    const std::vector<Eigen::Index> rows = reduce_columns(X);
    left = Matrix::Identity(X.rows(), X.rows())(rows, Eigen::all);
  };
  separate(all.Y, all.Y_left), separate(all.Z, all.Z_left);
  return all;
}

/// A and what its entries stand for, in the frame X, while J and B change as the rates say.
void reduce(const MotionTerms& p, const Bases& bases, const Matrix& X, const Matrix& J_rate,
            const Matrix& B_rate, Linearisation& out) {
  const Matrix &Y = bases.Y, &Z = bases.Z;
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
  // What rows hold is damped by rounding only.
  const Matrix rounded = sum_error * (sizes(Z).transpose() * p.D_size * sizes(Z));
  out.damping = (out.damping.array().abs() > rounded.array()).select(out.damping, 0).eval();
  out.stiffness = Z.transpose() * p.K * Z;
  if (nw > 0) w_rate += Z * out.mass.partialPivLu().solve(Z.transpose() * force);
  // Z moves with the rate -J^+ J' Z, J' seen from the frame.
  const Matrix turn = inverse((J_rate + p.J * X) * Z);

  out.A = Matrix::Zero(n, n);
  out.A.topRows(nu) = bases.Y_left * (u_rate - X * out.u);
  out.A.middleRows(nu, nw) = bases.Z_left * (w_rate - X * out.w) - turn.transpose() * out.w;
  out.A.bottomRows(ns) = p.k_q * out.u + p.k_v * out.w + p.k_s * out.x;
}

/// What reduce() sums up, without signs, each in parts of `sum_error`: by so much its entries may be wrong.
Matrix doubt_of_entries(const MotionTerms& p, const Bases& bases, const Matrix& X, const Matrix& J_rate,
                        const Matrix& B_rate, double rates, const Linearisation& l) {
  const Matrix Y = sizes(bases.Y), Z = sizes(bases.Z), Y_left = sizes(bases.Y_left),
               Z_left = sizes(bases.Z_left);
  const Matrix inverse = sizes(RowInverse(p.J, p.tolerance)(Matrix::Identity(p.n.rows(), p.n.rows())));
  const Eigen::Index nu = Y.cols(), nw = Z.cols(), ns = p.n.s, n = nu + nw + ns;
  const Matrix B = sizes(p.B), T = sizes(p.T), x = l.x.cwiseAbs();
  Matrix u = Matrix::Zero(p.n.v, n), w = Matrix::Zero(p.n.v, n);
  u.leftCols(nu) = Y;
  w.leftCols(nu) = inverse * B * Y;
  w.middleCols(nu, nw) = Z;
  const Matrix u_rate = w + T * u;
  Matrix w_rate = inverse * (rates * J_rate.cwiseAbs() * w + rates * B_rate.cwiseAbs() * u + B * u_rate);
  const Matrix force = sizes(p.K_size) * u + sizes(p.D_size) * w + sizes(p.S_size) * x + sizes(p.M) * w_rate;
  if (nw > 0) w_rate += Z * sizes(l.mass.inverse()) * Z.transpose() * force;
  const Matrix turn = inverse * (rates * J_rate.cwiseAbs() + p.J.cwiseAbs() * rates * X.cwiseAbs()) * Z;
  Matrix all(n, n);
  all << Y_left * (u_rate + rates * X.cwiseAbs() * u),
      Z_left * (w_rate + rates * X.cwiseAbs() * w) + turn.transpose() * w,
      p.k_q.cwiseAbs() * u + p.k_v.cwiseAbs() * w + p.k_s.cwiseAbs() * x;
  return sum_error * all;
}

/// How far it is off Newton's method says; but which stiffness is none it can
/// only tell once the distance is known about.
Matrix doubt_of_position(const Mechanical& problem, const MotionTerms& here, const Bases& bases,
                         const Linearisation& l, Time time) {
  const Matrix& Z = bases.Z;
  const Balance balance(here, Z);
  Matrix doubt = Matrix::Zero(l.A.rows(), l.A.cols());
  if (!balance.push.allFinite()) return doubt;
  const Beside beside(problem, l, here, bases, time);
  const auto left = [&](const Vector& y) {
    Vector all(here.n.v + here.n.s);
    all << Z * y.head(Z.cols()), y.tail(here.n.s);
    return all;
  };
  Vector y = balance.push;  // none, where rows leave nothing free
  if (y.size() > 0) {
    Eigen::CompleteOrthogonalDecomposition<Matrix> plain;
    plain.setThreshold(soft);
    plain.compute(balance.tangent);
    y = plain.solve(balance.push);
  }
  const Vector first = reach(problem, l.state, left(y));
  Matrix unknown;
  beside.look(first, doubt, unknown);
  const KnownSolution known(balance.tangent, unknown, balance.push, soft);
  beside.look(reach(problem, l.state, left(known.y)).cwiseMin(much_farther * first), doubt, unknown);
  return doubt;
}

}  // namespace dalembert
