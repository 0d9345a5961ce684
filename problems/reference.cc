#include "problems/reference.h"

#include <algorithm>
#include <cmath>

namespace dalembert {

std::optional<State> digits_at(double t, std::initializer_list<Digits> list) {
  for (const Digits& known : list)
    if (std::abs(t - known.t) <= 1e-12 * (1 + std::abs(t)))
      return State{t, Eigen::Map<const Vector>(known.y.data(), static_cast<Eigen::Index>(known.y.size()))};
  return {};
}

bool defaults(const Parameters& p, const std::vector<Parameter>& known) {
  return std::all_of(known.begin(), known.end(), [&](const Parameter& k) { return p[k.name] == k.value; });
}

State with_multipliers(const Mechanical& problem, double t, In qvs) {
  const Mechanical::Sizes n = problem.sizes();
  const MechanicalState part(n);
  const auto at = problem.placed_at(t, part.q(qvs));
  const Vector v = part.v(qvs), s = part.s(qvs);

  // [M J'; J 0] (v'; lambda) = (f; -bias)
  Entries M, J;
  problem.mass(*at, M);
  problem.jacobian(*at, J);
  Matrix saddle = Matrix::Zero(n.v + n.rows(), n.v + n.rows());
  const Matrix rows = J.dense(n.rows(), n.v);
  saddle.topLeftCorner(n.v, n.v) = M.dense(n.v, n.v);
  saddle.bottomLeftCorner(n.rows(), n.v) = rows;
  saddle.topRightCorner(n.v, n.rows()) = rows.transpose();
  Vector force(n.v), bias(n.rows()), right(n.v + n.rows());
  problem.force(*at, v, s, force);
  problem.bias(*at, v, bias);
  right << force, -bias;

  State state{t, Vector(part.size())};
  state.y << qvs, saddle.fullPivLu().solve(right).tail(n.rows());
  return state;
}

}  // namespace dalembert
