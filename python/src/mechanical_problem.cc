// q' = v, M(t,q) v' = f(t,q,v) - G'lambda, 0 = g(t,q), from functions.
#include "python/src/problems.h"

namespace dalembert::python {

FunctionProblem mechanical_of(std::shared_ptr<Equations> e) {
  const Eigen::Index n = e->y.size() / 2;
  Mass mass = e->mass;
  if (e->mass_function) mass = [e](double t, In q, Matrix& M) { e->mass_function.matrix(t, q, M); };
  MechanicalOptions options{.end = e->end, .events = events_of(e, n, n)};
  if (e->jacobian)
    options.jacobian = [e](double t, In q, Matrix& G) {
      ++e->jacobians;
      e->jacobian.matrix(t, q, G);
    };
  if (e->bias) options.bias = [e](double t, In q, In v, Out bias) { e->bias(t, q, v, bias); };
  if (e->energy) options.energy = [e](double t, In q, In v) { return e->energy.number(t, q, v); };
  const MechanicalStart start{e->begin, e->y.head(n), e->y.tail(n)};
  const Force force = [e](double t, In q, In v, Out f) { e->f(t, q, v, f); };
  if (e->row_count == 0) return {mechanical(start, std::move(mass), force, std::move(options)), e};
  Constraints constraints{e->row_count, [e](double t, In q, Out g) { e->rows(t, q, g); }};
  return {mechanical(start, std::move(mass), force, std::move(constraints), std::move(options)), e};
}

}  // namespace dalembert::python
