#include "dalembert/method/collocation/time_element.h"

#include <cmath>

#include "dalembert/core/error.h"

namespace dalembert {

Legendre::Legendre(Eigen::Index m, double x) : value(m + 1), slope(m + 1), integral(m + 1) {
  const double z = 2 * x - 1;
  Few P(m + 2), d(m + 2);
  P[0] = 1, d[0] = 0;
  P[1] = z, d[1] = 1;
  for (Eigen::Index k = 1; k <= m; ++k) {
    const auto n = static_cast<double>(k);
    P[k + 1] = ((2 * n + 1) * z * P[k] - n * P[k - 1]) / (n + 1);
    d[k + 1] = d[k - 1] + (2 * n + 1) * P[k];
  }
  for (Eigen::Index k = 0; k <= m; ++k) {
    value[k] = P[k];
    slope[k] = 2 * d[k];
    // (2k+1) int P_k = P_{k+1} - P_{k-1} in z, half of it in x
    integral[k] = k == 0 ? x : (P[k + 1] - P[k - 1]) / (2 * static_cast<double>(2 * k + 1));
  }
}

/// From the eigenvalues of the matrix of the recurrence [GolubWelsch1969].
Gauss::Gauss(Eigen::Index s) : c(s), b(s) {
  Matrix jacobi = Matrix::Zero(s, s);
  for (Eigen::Index k = 1; k < s; ++k) {
    const auto n = static_cast<double>(k);
    jacobi(k, k - 1) = jacobi(k - 1, k) = n / std::sqrt(4 * n * n - 1);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(jacobi);
  for (Eigen::Index l = 0; l < s; ++l) {
    c[l] = (1 + eigen.eigenvalues()[l]) / 2;
    const Legendre near(s, c[l]);
    c[l] -= near.value[s] / near.slope[s];  // one step of Newton's method on P_s leaves the last digits right
    const double slope = Legendre(s, c[l]).slope[s];
    b[l] = 1 / (c[l] * (1 - c[l]) * slope * slope);
  }
}

Shapes::Shapes(Continuity continuity, Eigen::Index degree, double x) {
  const bool jumps = continuity == Continuity::discontinuous;
  const Eigen::Index m = jumps ? degree + 1 : degree;
  const Legendre at(m, x), begin(m, 0);
  T = S = R = Few::Zero(m);
  e = jumps ? 0 : 1;
  double integral = 0;  // of d
  for (Eigen::Index i = 0; i < m && jumps; ++i) {
    d -= static_cast<double>(2 * i + 1) * begin.value[i] * at.value[i];
    integral -= static_cast<double>(2 * i + 1) * begin.value[i] * at.integral[i];
  }
  r = 1 + integral;
  for (Eigen::Index j = 0; j < m; ++j) {
    const auto scale = static_cast<double>(2 * j + 1);
    T[j] = jumps ? at.value[j] : scale * at.integral[j];
    S[j] = jumps ? at.slope[j] - d * begin.value[j] : scale * at.value[j];
    R[j] = jumps ? at.value[j] - (1 + integral) * begin.value[j] : T[j];
  }
}

TimeElement::TimeElement(Continuity continuity, Eigen::Index degree, Eigen::Index points)
    : gauss(points), end(continuity, degree, 1) {
  const Eigen::Index m = end.T.size();
  if (points < m)
    throw Error("points is " + std::to_string(points), "it must be " + std::to_string(m) + " or more");
  weights.resize(m, points);
  T.resize(points, m);
  Matrix S(points, m);
  for (Eigen::Index l = 0; l < points; ++l) {
    at.emplace_back(continuity, degree, gauss.c[l]);
    T.row(l) = at.back().T.transpose();
    S.row(l) = at.back().S.transpose();
    weights.col(l) = gauss.b[l] * Legendre(m, gauss.c[l]).value.head(m);
  }
  of_y = weights * T;
  of_dy = weights * S;
}

/// X = of_dy^-1 (h weights f - weights d y_n)
RungeKuttaForm TimeElement::tableau() const {
  const Matrix solved = of_dy.partialPivLu().solve(weights);
  return {T * solved, (end.T.transpose() * solved).transpose()};
}

}  // namespace dalembert
