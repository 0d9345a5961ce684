// Index 2 with further algebraic unknowns that equations of their own determine [BraseyHairer1993, (1.4)]:
//
//   y' = f(t,y,z,u),   0 = k(t,y,z,u),   0 = g(t,y),   k_u regular
//
// u is solved for wherever f is evaluated, by Newton's method from one and the same guess, down to rounding: what is left is
// y' = f(t,y,z,u(t,y,z)), 0 = g(t,y), which every method for index 2 takes. u has no place in the state.
//
// Derivatives are exact if f and k are written for any kind of number. With U = k_u^-1 of the solution, rounds of
//
//   u <- u - U k(t,y,z,u)
//
// in numbers that carry derivatives make one more derivative right each: two are enough for the second ones.
#pragma once

#include <utility>

#include "dalembert/problem/from_functions.h"

namespace dalembert {

/// The equations 0 = k(t,y,z,u) for u.
class InnerEquations {
 public:
  /// k as a function of t and (y,z,u).
  InnerEquations(Differentiable k, Vector guess) : k_(std::move(k)), guess_(std::move(guess)) {}
  /// u, NaN where the iteration fails; `inverse` becomes k_u^-1.
  Vector solve(double t, In yz, Matrix& inverse) const;
  Eigen::Index size() const { return guess_.size(); }

 private:
  Differentiable k_;
  Vector guess_;
};

/// The number without its derivatives.
inline double plain_value(double x) {
  return x;
}
template <class Derivative, class Scalar>
double plain_value(const Forward<Derivative, Scalar>& x) {
  return plain_value(x.value);
}

/// The problem above, with f(t,y,z,u,dy), k(t,y,z,u,residual) and g(t,y,residual). z0 and u0 need only be guesses; names and units are
/// those of y, then of z.
template <class F, class K>
std::shared_ptr<const Hessenberg> hessenberg_with_inner(double t0, Vector y0, Vector z0, Vector u0, F f, K k,
                                                        Differentiable g, ProblemOptions options = {}) {
  const Eigen::Index n = y0.size(), m = z0.size(), inner = u0.size();
  auto joined = [ k, n, m, inner ](const auto& t, const auto& yzu, auto&& r) requires requires {
    k(t, yzu.head(n), yzu.tail(m), yzu.tail(m), r);
  }
  { k(t, yzu.head(n), yzu.segment(n, m), yzu.tail(inner), r); };
  const auto equations = std::make_shared<const InnerEquations>(Differentiable(joined), std::move(u0));
  auto solved = [ f, k, n, equations ](const auto& t, const auto& yz, auto&& dy) requires requires {
    f(t, yz.head(n), yz.tail(n), yz.tail(n), dy);
    k(t, yz.head(n), yz.tail(n), yz.tail(n), dy);
  }
  {
    using Number = typename std::decay_t<decltype(yz)>::Scalar;
    const auto y = yz.head(n), z = yz.tail(yz.size() - n);
    Vector plain(yz.size());
    for (Eigen::Index i = 0; i < yz.size(); ++i) plain[i] = plain_value(yz[i]);
    Matrix inverse;
    const Vector at = equations->solve(plain_value(t), plain, inverse);
    VectorOf<Number> u = at.template cast<Number>(), r(at.size());
    for (int round = 0; round < (std::is_same_v<Number, double> ? 0 : 2); ++round) {
      k(t, y, z, u, r);
      for (Eigen::Index i = 0; i < u.size(); ++i)
        for (Eigen::Index j = 0; j < u.size(); ++j) u[i] = u[i] - inverse(i, j) * r[j];
    }
    f(t, y, z, u, dy);
  };
  return hessenberg_of(t0, std::move(y0), std::move(z0), Differentiable(std::move(solved)), std::move(g),
                       std::move(options));
}

}  // namespace dalembert
