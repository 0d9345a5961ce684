#include "dalembert/analysis/higher_terms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/analysis/motion_terms.h"
#include "dalembert/analysis/statics.h"
#include "dalembert/linear/decompositions.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

constexpr double close_by =
    1e-5;  // in parts of positions: displacements that stiffness should rule, if there is any
constexpr double force_error = 1e-12;  // forces beside loads
constexpr double surely = 10;          // times what rounding may be
constexpr double least_mass =
    1e-14;  // of a free direction, beside the largest: a metric needs some in all of them
constexpr int relaxations = 20;

/// Displacements `right` and the forces along `left` that they make, one for each: K right = left diag(k).
struct Directions {
  Matrix left, right;
};

struct Along {
  double force, error;
};

/// The force along u of a displacement by d along z, with the directions of `others` relaxed. None: it cannot be had.
std::optional<Along> force_at(const Statics& here, const Vector& u, const Vector& z, const Directions& others,
                              double d) {
  Vector y = d * z;
  for (int round = 0; round < relaxations; ++round) {
    Statics there = here.displaced(y);
    if (!there.look() || there.free().cols() != z.size()) return {};
    // The free directions are those of there: seen from here, they are turned a little.
    const Matrix turn = here.seen_from_here(there);
    const Vector push = turn * there.push(), noise = turn.cwiseAbs() * there.noise();
    const Vector left = others.left.transpose() * push;
    // What is stretched and relaxed again has been rounded; loads may be none.
    const Vector least = 10 * noise + force_error * (turn.cwiseAbs() * there.loads());
    if ((left.cwiseAbs().array() <= (others.left.cwiseAbs().transpose() * least).array()).all())
      return Along{u.dot(push), surely * (u.cwiseAbs().dot(noise) + largest(left))};
    const Matrix K = others.left.transpose() * turn * there.tangent() * turn.transpose() * others.right;
    y += others.right * K.completeOrthogonalDecomposition().solve(left);
    if (!y.allFinite()) return {};
  }
  return {};
}

SoftDirection::Force judged(const Statics& here, const Vector& u, const Vector& z, const Directions& others,
                            double size) {
  using Force = SoftDirection::Force;
  for (const double d : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const auto ahead = force_at(here, u, z, others, d * size),
               behind = force_at(here, u, z, others, -d * size);
    if (!ahead || !behind) return Force::none;
    // Springs that are shifted as a whole make forces by rounding, even where none of them was loaded.
    const auto sign = [&](const Along& along) {
      const double least =
          std::max(u.cwiseAbs().dot(1e2 * force_error * here.loads() + here.resiliences()), along.error);
      return along.force > least ? 1 : along.force < -least ? -1 : 0;
    };
    const int a = sign(*ahead), b = sign(*behind);
    if (a == 0 && b == 0) continue;
    if (a < 0 && b > 0) return Force::back;
    if (a > 0 && b < 0) return Force::away;
    return a > 0 || b < 0 ? Force::one_side : Force::back;
  }
  return Force::none;
}

}  // namespace

std::vector<SoftDirection> soft_directions(const Mechanical& problem, const State& state, double tolerance) {
  std::vector<SoftDirection> all;
  Statics here(problem, state, tolerance);
  if (!here.states().empty() || !here.look() || here.free().cols() == 0) return all;
  // Forces that follow a body make stiffness that is not symmetric: z'K z = 0 then says nothing, K z = 0 does. In the metric of the mass a light
  // body beside a heavy one is not soft.
  const Matrix& K = here.tangent();
  const Eigen::LLT<Matrix> weighed(here.mass());
  const bool heavy = weighed.info() == Eigen::Success && weighed.rcond() > least_mass;
  const Matrix root = heavy ? Matrix(weighed.matrixL()) : Matrix::Identity(K.rows(), K.rows());
  const auto lower = root.triangularView<Eigen::Lower>();
  const Matrix inverse = lower.solve(Matrix::Identity(K.rows(), K.rows()));
  const Eigen::JacobiSVD<Matrix> svd(inverse * K * inverse.transpose(),
                                     Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Directions all_of{inverse.transpose() * svd.matrixU(), inverse.transpose() * svd.matrixV()},
      none{Matrix(K.rows(), 0), Matrix(K.rows(), 0)};
  const Vector sizes = sizes_of_positions(problem, here.q());
  const auto length = [&](const Vector& z) {  // of a displacement by 1
    return 1 / std::max(1e-300, largest(here.displacement(z).cwiseQuotient(sizes).eval()));
  };
  std::vector<Eigen::Index> soft, firm;
  for (Eigen::Index i = 0; i < K.cols(); ++i) {
    const Vector u = all_of.left.col(i), z = all_of.right.col(i);
    const double k = svd.singularValues()[i], d = close_by * length(z),
                 doubt = u.cwiseAbs().dot(here.doubt() * z.cwiseAbs());
    const auto ahead = force_at(here, u, z, none, d), behind = force_at(here, u, z, none, -d);
    const bool linear = ahead && behind && std::abs(ahead->force + k * d) <= .5 * k * d + ahead->error &&
                        std::abs(behind->force - k * d) <= .5 * k * d + behind->error;
    (linear && k * d > surely * u.cwiseAbs().dot(here.noise()) && k > doubt ? firm : soft).push_back(i);
  }
  if (soft.empty()) return all;
  const Directions others{all_of.left(Eigen::all, firm), all_of.right(Eigen::all, firm)};
  const Matrix Z = all_of.right(Eigen::all, soft).colwise().normalized(),
               left = all_of.left(Eigen::all, soft);
  // Along Z y the motion obeys y'' = W'f with W'M Z = 1.
  const Matrix mass = Z.transpose() * (heavy ? here.mass() : here.inertia()) * left;
  const Eigen::FullPivLU<Matrix> lu(mass);
  const Matrix W = left * lu.inverse();
  for (Eigen::Index i = 0; i < Z.cols(); ++i)
    all.push_back({here.displacement(Z.col(i)),
                   lu.isInvertible() ? judged(here, W.col(i).normalized(), Z.col(i), others, length(Z.col(i)))
                                     : SoftDirection::Force::none});
  return all;
}

std::vector<Kink> kinks_at(const Mechanical& problem, const State& state, double tolerance) {
  const MechanicalState part(problem.sizes());
  const Mechanical::Sizes n = problem.sizes();
  const auto at = problem.placed_at(state);
  const Vector v = part.v(state.y), s = part.s(state.y);
  const MotionTerms terms(problem, state.t, part.q(state.y), v, s, tolerance);
  const Matrix& Z = terms.free;
  const Vector f0 = terms.f;
  // Springs that cancel are known to their rounding, and leave no other force where nothing resists.
  Vector load = f0.cwiseAbs() + terms.K_size * Vector::Constant(n.v, 1 + largest(part.q(state.y))) +
                terms.D_size * v.cwiseAbs();
  if (n.s > 0) load += terms.S.cwiseAbs() * s.cwiseAbs();
  const Vector noise = 4 * surely * std::numeric_limits<double>::epsilon() * blurred(Z, 1) *
                       (blurred(Z.transpose(), 1) * load);
  const auto force = [&](const Vector& u, const Vector& w) {
    Vector q(n.q), f(n.v);
    problem.advance(*at, u, q);
    problem.force(*problem.placed_at(state.t, q), v + w, s, f);
    return f;
  };
  const Vector zero = Vector::Zero(n.v);
  std::vector<Kink> all;
  for (const bool of_velocity : {false, true})
    for (Eigen::Index j = 0; j < Z.cols(); ++j) {
      const Vector z = Z.col(j);
      // Slopes on both sides at two distances: what is smooth differs less and less.
      const auto slopes = [&](double d) {
        const Vector ahead = of_velocity ? force(zero, d * z) : force(d * z, zero),
                     behind = of_velocity ? force(zero, -d * z) : force(-d * z, zero);
        return std::pair<Vector, Vector>((ahead - f0) / d, (f0 - behind) / d);
      };
      const double size = 1 + (of_velocity ? largest(v) : largest(part.q(state.y)));
      const auto [a, b] = slopes(1e-6 * size);
      const auto [c, e] = slopes(1e-5 * size);
      const Vector gap = Z * (Z.transpose() * (a - b)), far = Z * (Z.transpose() * (c - e));
      const double steep = std::max(largest(a), largest(b)), rounding = 1e-8 * largest(f0) / size;
      if ((gap.cwiseAbs() - noise / (1e-6 * size)).maxCoeff() > 1e-2 * steep + rounding &&
          largest(gap) > .5 * largest(far) && largest(gap) < 2 * largest(far))
        all.push_back({z, of_velocity, z.dot(a), z.dot(b)});
    }
  return all;
}

}  // namespace dalembert
