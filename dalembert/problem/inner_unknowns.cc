#include "dalembert/problem/inner_unknowns.h"

#include <cmath>

namespace dalembert {

Vector InnerEquations::solve(double t, In yz, Matrix& inverse) const {
  constexpr int most = 50;
  const Eigen::Index m = guess_.size(), n = yz.size();
  Vector x(n + m), r(m);
  x << yz, guess_;
  Matrix k_x(m, n + m);
  double last = std::numeric_limits<double>::infinity();
  const double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (int round = 0; round < most; ++round) {
    k_(t, x, r);
    k_.jacobian(t, x, k_x);
    inverse = k_x.rightCols(m).partialPivLu().inverse();
    const Vector change = inverse * r;
    x.tail(m) -= change;
    const double now = largest(change), size = 1 + largest(x.tail(m));
    if (!std::isfinite(now)) break;
    // below rounding, or no longer shrinking because of it
    if (now <= rounding * size || (now <= 1e-11 * size && now >= .5 * last)) return x.tail(m);
    last = now;
  }
  return Vector::Constant(m, not_a_number);
}

}  // namespace dalembert
