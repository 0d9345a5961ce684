// q' = v, M(t,q) v' = f(t,q,v) - G'lambda, 0 = g(t,q), from functions.
#include <cmath>
#include <functional>

#include "dalembert/core/text.h"
#include "python/src/problems.h"

namespace dalembert::python {

namespace {

/// Does it fit what differences of g say? Those of two lengths have to agree, or it is they that are wrong.
std::string does_not_fit(const char* name, const Vector& given,
                         const std::function<Vector(double length)>& differences) {
  const Vector found = differences(1);
  Eigen::Index row = 0;
  // Second differences have about four digits, so two of them are asked for, as at the start.
  if (!found.allFinite() ||
      !((given - found).cwiseAbs().maxCoeff(&row) > 1e-2 * (1 + found.cwiseAbs().maxCoeff())))
    return {};
  if (!(std::abs(differences(0.3)[row] - found[row]) < 0.2 * std::abs(given[row] - found[row]))) return {};
  return std::string(name) + " does not fit g: row " + std::to_string(row) + " is " +
         short_number(given[row]) + ", and differences of g say " + short_number(found[row]) +
         "; correct it, or leave it out";
}

/// G w for one direction w that excites all columns, and the bias along v, as given and as g has them.
std::string wrong_derivative(const Equations& e, const State& at) {
  const Eigen::Index n = e.y.size() / 2;
  const Vector q = at.y.head(n), v = at.y.segment(n, n);
  const double size = 1 + q.cwiseAbs().maxCoeff();
  const auto g = [&](double t, const Vector& there) {
    Vector rows(e.row_count);
    e.rows(t, there, rows);
    return rows;
  };
  if (e.jacobian) {
    Vector w(n);
    for (Eigen::Index i = 0; i < n; ++i) w[i] = i % 2 == 0 ? 1 : -0.7;
    Matrix G = Matrix::Zero(e.row_count, n);
    e.jacobian.matrix(at.t, q, G);
    const std::string found = does_not_fit("G (times a direction)", G * w, [&](double length) -> Vector {
      const double h = length * 6e-6 * size;
      return (g(at.t, q + h * w) - g(at.t, q - h * w)) / (2 * h);
    });
    if (!found.empty()) return found;
  }
  if (!e.bias) return {};
  Vector given(e.row_count);
  e.bias(at.t, q, v, given);
  return does_not_fit("bias", given, [&](double length) -> Vector {
    const double h = length * 1e-4 * size / (1 + v.cwiseAbs().maxCoeff());
    return (g(at.t + h, q + h * v) - 2 * g(at.t, q) + g(at.t - h, q - h * v)) / (h * h);
  });
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
