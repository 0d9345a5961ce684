#include "dalembert/analysis/spectrum.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "dalembert/core/error.h"
#include "dalembert/problem/ode.h"

namespace dalembert {

namespace {

using Complex = std::complex<double>;
using Function = std::function<Vector(const Vector&)>;

/// Central differences; the step suits functions known to about 1e-12.
Matrix jacobian(const Function& f, const Vector& at) {
  const Eigen::Index rows = f(at).size();
  Matrix J(rows, at.size());
  for (Eigen::Index j = 0; j < at.size(); ++j) {
    const double step = 1e-5 * std::max(1.0, std::abs(at[j]));
    Vector plus = at, minus = at;
    plus[j] += step;
    minus[j] -= step;
    J.col(j) = (f(plus) - f(minus)) / (plus[j] - minus[j]);
  }
  return J;
}

/// h = (g; J v + w) at any (t, z).
class Residual {
 public:
  explicit Residual(const Mechanical& problem)
      : problem_(problem), n_(problem.sizes()), part_(n_), at_(problem.placement()) {}
  Vector operator()(double t, const Vector& z) {
    problem_.place_at(*at_, t, part_.q(z));
    Vector h = Vector::Zero(n_.holonomic + n_.rows());
    problem_.g(*at_, h.head(n_.holonomic));
    problem_.jacobian(*at_, J_);
    problem_.velocity_bias(*at_, h.tail(n_.rows()));
    J_.multiply(part_.v(z), 1, h.tail(n_.rows()));
    return h;
  }

 private:
  const Mechanical& problem_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  std::unique_ptr<Placement> at_;
  Entries J_;
};

/// Brings `found` into the order of `theory`, nearest first.
void match(std::vector<Complex>& found, const std::vector<Complex>& theory) {
  for (std::size_t i = 0; i < std::min(found.size(), theory.size()); ++i) {
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i);
    std::iter_swap(begin, std::min_element(begin, found.end(), [&](Complex a, Complex b) {
                     return std::abs(a - theory[i]) < std::abs(b - theory[i]);
                   }));
  }
}

}  // namespace

Spectrum spectrum_at(const Formulation& formulation, const State& original) {
  const auto* mechanical = as<Mechanical>(&formulation.original());
  const auto* ode = as<Ode>(&formulation.rewritten());
  const Eigen::Index n = mechanical != nullptr ? MechanicalState(mechanical->sizes()).differential() : 0;
  if (mechanical == nullptr || ode == nullptr || ode->layout().size() != n)
    throw Error("only mechanical problems rewritten as an ode in q, v and s can be linearised here",
                "formulations that do are index1, baumgarte, invariant");

  State start = ode->start();
  formulation.enter(original, start);
  const double t = start.t;
  const Function f = [&](const Vector& z) {
    Vector dz(n);
    ode->f(t, z, dz);
    return dz;
  };
  Residual residual(*mechanical);
  const Matrix H = jacobian([&](const Vector& z) { return residual(t, z); }, start.y);

  Spectrum result;
  const Linearisation on_constraints = linearise(*mechanical, original);
  result.base = on_constraints.base;
  result.motion = modes_of(on_constraints.A, on_constraints.doubt).values();
  if (H.rows() == 0) return result;

  // dh/dt by differences of fourth order: their steps are long enough to leave the digits the second difference needs.
  const double step = 3e-3 / (1 + largest(f(start.y)));
  const auto rate = [&](const Vector& z) -> Vector {
    const Vector dz = f(z);
    const auto difference = [&](double e) -> Vector {
      return (residual(t + e, z + e * dz) - residual(t - e, z - e * dz)) / (2 * e);
    };
    return (4 * difference(step / 2) - difference(step)) / 3;
  };
  const Matrix rates = jacobian(rate, start.y);
  const Matrix S = rates * H.completeOrthogonalDecomposition().pseudoInverse();
  if (!S.allFinite())
    throw Error("the equations cannot be evaluated beside this state, as where rows follow from others",
                "`dalembert analyse redundancy` names them");
  const Eigen::VectorXcd roots = Eigen::EigenSolver<Matrix>(S, false).eigenvalues();
  result.found.assign(roots.begin(), roots.end());
  result.theory = formulation.added_spectrum();
  match(result.found, result.theory);
  return result;
}

}  // namespace dalembert
