#include "dalembert/problem/hessenberg.h"

#include <cmath>

namespace dalembert {

Eigen::Index differential_size(const Layout& layout) {
  Eigen::Index n = 0;
  for (const auto& block : layout.blocks())
    if (block.role == Role::differential) n += block.size;
  return n;
}

Fault Hessenberg::diagnose(double t, In yz) const {
  if (Fault fault = Problem::diagnose(t, yz)) return fault;
  const Layout all = layout();
  const Eigen::Index n = differential_size(all), m = all.size() - n;
  const Vector y = yz.head(n), z = yz.tail(m);
  Vector dy(n), residual(m);
  f(t, y, z, dy);
  for (Eigen::Index i = 0; i < n; ++i)
    if (!std::isfinite(dy[i]))
      return {Outcome::not_finite, "the right-hand side of " + all.label(i) + "' is not finite"};
  g(t, y, residual);
  for (Eigen::Index i = 0; i < m; ++i)
    if (!std::isfinite(residual[i]))
      return {Outcome::not_finite, "the constraint of " + all.label(n + i) + " is not finite"};
  Entries force_side, constraint_side;
  f_z(t, y, z, force_side);
  g_y(t, y, constraint_side);
  const Matrix gf = constraint_side.dense(m, n) * force_side.dense(n, m);
  const Eigen::FullPivLU<Matrix> lu(gf);
  if (lu.rank() < m)
    return {Outcome::singular, "g_y f_z has rank " + std::to_string(lu.rank()) + " instead of " +
                                   std::to_string(m) + ": the problem is not of index 2 here"};
  return {};
}

}  // namespace dalembert
