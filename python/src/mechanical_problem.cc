// q' = v, M(t,q) v' = f(t,q,v) - G'lambda, 0 = g(t,q), from functions.
#include <algorithm>
#include <cmath>

#include "dalembert/core/text.h"
#include "python/src/problems.h"

namespace dalembert::python {

namespace {

/// g(t + s h, q + s h w)
Vector rows_beside(const Equations& e, double t, In q, In w, double s, double h) {
  Vector g(e.row_count);
  e.rows(t + s * h, q + s * h * w, g);
  return g;
}

std::string does_not_fit(const char* name, const Vector& given, const Vector& found) {
  Eigen::Index row = 0;
  // Second differences have about four digits, so two of them are asked for, as at the start.
  if (!found.allFinite() ||
      !((given - found).cwiseAbs().maxCoeff(&row) > 1e-2 * (1 + found.cwiseAbs().maxCoeff())))
    return {};
  return std::string(name) + " does not fit g: row " + std::to_string(row) + " is " +
         short_number(given[row]) + ", and differences of g say " + short_number(found[row]) +
         "; correct it, or leave it out";
}

/// G w for one direction w that excites all columns, and the bias along v, as given and as g has them.
std::string wrong_derivative(const Equations& e, const State& at) {
  const Eigen::Index n = e.y.size() / 2;
  const Vector q = at.y.head(n), v = at.y.segment(n, n);
  const double size = 1 + q.cwiseAbs().maxCoeff();
  if (e.jacobian) {
    Vector w(n);
    for (Eigen::Index i = 0; i < n; ++i) w[i] = i % 2 == 0 ? 1 : -0.7;
    Matrix G = Matrix::Zero(e.row_count, n);
    e.jacobian.matrix(at.t, q, G);
    const double h = 6e-6 * size;
    Vector plus(e.row_count), minus(e.row_count);
    e.rows(at.t, q + h * w, plus);
    e.rows(at.t, q - h * w, minus);
    if (std::string found = does_not_fit("G (times a direction)", G * w, (plus - minus) / (2 * h));
        !found.empty())
      return found;
  }
  if (!e.bias) return {};
  Vector given(e.row_count);
  e.bias(at.t, q, v, given);
  const double h = 1e-4 * size / (1 + v.cwiseAbs().maxCoeff());
  const Vector second = (rows_beside(e, at.t, q, v, 1, h) - 2 * rows_beside(e, at.t, q, v, 0, h) +
                         rows_beside(e, at.t, q, v, -1, h)) /
                        (h * h);
  return does_not_fit("bias", given, second);
}

}  // namespace

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
  FunctionProblem made{mechanical(start, std::move(mass), force, std::move(constraints), std::move(options)),
                       e};
  if (e->jacobian || e->bias) made.doubt = [e](const State& at, double) { return wrong_derivative(*e, at); };
  return made;
}

}  // namespace dalembert::python
