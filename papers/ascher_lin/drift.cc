// The drift of the iterations of [AscherLin1997], which the proofs are about: g(x_s,t) = O(eps^s) in Theorem 2.1, (2.9)-(2.11), and what is
// perturbed by how much in Theorem 4.1, (4.21).
//
// On Example 6.1 with alpha1 = 1 and every E: the largest |g| at t = 1/2 and 1, by rk4 with steps of eps/5. The drift equations (2.8) and (4.20)
// are solved apart, along the first iterate, by the classical Runge-Kutta method with steps over two mesh points, and compared with g
// and G z2 of that iterate.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"
#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

double drift_of_iterate(int iterate, double E, double eps) {
  const Measured at = measure({.problem = "ascher-lin-6-1",
                               .formulation = "srm",
                               .options = srm(eps, iterate, {{"E", E}, {"alpha1", 1}}),
                               .step = eps / 5,
                               .method = "rk4"},
                              {.5, 1});
  return std::max(at.position[0], at.position[1]);
}

std::vector<PaperRow> run_part(const PaperOptions&, std::vector<std::filesystem::path>&) {
  static constexpr std::array weights = {"I", "(GB)'", "(GB)^-1"};
  std::vector<PaperRow> rows;
  for (std::size_t E = 0; E < weights.size(); ++E)
    for (int s = 1; s <= 3; ++s) {
      const auto which = static_cast<double>(E);
      const double order = std::log2(drift_of_iterate(s, which, 4e-3) / drift_of_iterate(s, which, 2e-3));
      rows.push_back({fmt::format("E = {}", weights[E]), fmt::format("order of |g| in eps, iteration {}", s),
                      std::to_string(s), fmt::format("{:.2f}", order), agree(std::abs(order - s) < .2)});
    }
  return rows;
}

/// The differential entries at all mesh points.
class Mesh final : public Observer {
 public:
  void begin(const Problem& problem, const State& start) override {
    n_ = differential_size(problem.layout());
    keep(start);
  }
  void step(const StepView& view) override { keep(view.at(view.end(), Depth::coordinates)); }
  std::vector<double> t;
  std::vector<Vector> x;

 private:
  void keep(const State& s) {
    t.push_back(s.t);
    x.emplace_back(s.y.head(n_));
  }
  Eigen::Index n_ = 0;
};

Mesh first_iterate(const std::string& problem, double eps, std::map<std::string, double> options) {
  Mesh mesh;
  Experiment e{.problem = problem,
               .formulation = "srm",
               .options = srm(eps, 1, options),
               .step = eps / 20,
               .method = "rk4"};
  if (options.contains("good-start")) e.options["good-start"] = options["good-start"];
  const Summary s = solve(e, {&mesh});
  if (!good(s.outcome)) throw Error("the iterate ended early: " + s.message);
  return mesh;
}

/// w' = slope(mesh point, w) from zero, over pairs of steps; the largest difference from `known`, in parts of its largest value.
double solved_apart(const Mesh& mesh, Eigen::Index size,
                    const std::function<Vector(std::size_t, const Vector&)>& slope,
                    const std::function<Vector(std::size_t)>& known) {
  Vector w = Vector::Zero(size), off = w, all = w;
  for (std::size_t k = 0; k + 2 < mesh.t.size(); k += 2) {
    const double h = mesh.t[k + 2] - mesh.t[k];
    const Vector a = slope(k, w), b = slope(k + 1, w + h / 2 * a), c = slope(k + 1, w + h / 2 * b),
                 d = slope(k + 2, w + h * c);
    w += h / 6 * (a + 2 * b + 2 * c + d);
    off = off.cwiseMax((w - known(k + 2)).cwiseAbs());
    all = all.cwiseMax(known(k + 2).cwiseAbs());
  }
  return off.cwiseQuotient(all).maxCoeff();
}

/// (2.8) with one constraint: (eps/GBE + alpha1) v' + alpha2 v = eps/GBE (G f + g_t) - eps y_0/E, and y_0 = 0.
double equation_28(double eps, double E, double alpha1) {
  const auto problem = std::dynamic_pointer_cast<const Hessenberg>(make_problem("ascher-lin-6-1"));
  const Mesh mesh = first_iterate("ascher-lin-6-1", eps, {{"E", E}, {"alpha1", alpha1}});
  const auto slope = [&](std::size_t k, const Vector& v) -> Vector {
    const double t = mesh.t[k];
    const Vector& x = mesh.x[k];
    Entries g_y, f_z;
    Vector f(2), g_t(1);
    problem->g_y(t, x, g_y);
    problem->f_z(t, x, Vector::Zero(1), f_z);
    problem->f(t, x, Vector::Zero(1), f);
    problem->g_t(t, x, g_t);
    const Matrix G = g_y.dense(1, 2);
    const double GB = -(G * f_z.dense(2, 1))(0, 0), GBE = E == 0 ? GB : E == 1 ? GB * GB : 1;
    return (eps / GBE * (G * f + g_t) - v) / (eps / GBE + alpha1);
  };
  return solved_apart(mesh, 1, slope, [&](std::size_t k) -> Vector {
    Vector g(1);
    problem->g(mesh.t[k], mesh.x[k], g);
    return g;
  });
}

/// What stands in (4.20) at one point of Example 6.4, with E = I.
struct Point420 {
  Vector g, u;  ///< g, and G z2
  Matrix G, B;
  Vector acceleration;  ///< M^-1 f
  double bend;          ///< L z2
  double LB;            ///< L B
};
Point420 at_point(const Mechanical& p, double t, const Vector& x) {
  const Vector q = x.head(2), v = x.tail(2);
  const auto at = p.placed_at(t, q);
  Entries M, J;
  p.mass(*at, M);
  p.jacobian(*at, J);
  Point420 here;
  here.G = J.dense(1, 2);
  here.g = Vector(1);
  p.g(*at, here.g);
  here.u = here.G * v;
  const auto mass = M.dense(2, 2).llt();
  here.B = mass.solve(here.G.transpose());
  Vector f(2);
  p.force(*at, v, Vector(), f);
  here.acceleration = mass.solve(f);
  const auto bias = [&](const Vector& w) {
    Vector b(1);
    p.bias(*at, w, b);
    return b[0];
  };
  here.bend = bias(v);
  here.LB = (bias(v + here.B) - bias(v - here.B)) / 4;  // bias is quadratic, L its bilinear form
  return here;
}

/// (4.20) for v = g and u = G z2, s = 1 from y_0 = 0.
double equation_420(double eps) {
  const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("ascher-lin-6-4"));
  const Mesh mesh = first_iterate("ascher-lin-6-4", eps, {{"E", 0}});
  const auto slope = [&](std::size_t k, const Vector& w) -> Vector {
    const Point420 here = at_point(*problem, mesh.t[k], mesh.x[k]);
    const double GB = (here.G * here.B)(0, 0);
    Vector slopes(2);
    slopes[0] = -GB / eps * w[0] + here.u[0];
    slopes[1] = -GB / eps * w[1] - here.LB / eps * w[0] + here.bend + (here.G * here.acceleration)(0, 0);
    return slopes;
  };
  return solved_apart(mesh, 2, slope, [&](std::size_t k) -> Vector {
    const Point420 here = at_point(*problem, mesh.t[k], mesh.x[k]);
    Vector both(2);
    both << here.g, here.u;
    return both;
  });
}

/// Largest delta, delta', delta'', theta, theta' of (4.21); derivatives by differences over the mesh.
std::array<double, 5> sizes_421(double eps) {
  const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("ascher-lin-6-4"));
  const Mesh mesh = first_iterate("ascher-lin-6-4", eps, {{"E", 0}, {"good-start", 1}});
  std::vector<double> delta;
  std::vector<Vector> theta;
  for (std::size_t k = 0; k < mesh.t.size(); ++k) {
    const Point420 here = at_point(*problem, mesh.t[k], mesh.x[k]);
    delta.push_back(here.g[0]);
    theta.emplace_back(-here.B * here.g / eps);
  }
  std::array<double, 5> most{};
  const double h = mesh.t[1] - mesh.t[0];
  for (std::size_t k = 1; k + 1 < delta.size(); ++k) {
    const std::array now = {std::abs(delta[k]), std::abs(delta[k + 1] - delta[k - 1]) / (2 * h),
                            std::abs(delta[k + 1] - 2 * delta[k] + delta[k - 1]) / (h * h), largest(theta[k]),
                            largest(theta[k + 1] - theta[k - 1]) / (2 * h)};
    for (std::size_t i = 0; i < now.size(); ++i) most[i] = std::max(most[i], now[i]);
  }
  return most;
}

std::vector<PaperRow> run_equations(const PaperOptions&, std::vector<std::filesystem::path>&) {
  static constexpr std::array weights = {"I", "(GB)'", "(GB)^-1"};
  constexpr double eps = 4e-3;
  std::vector<PaperRow> rows;
  const auto add = [&](const std::string& label, const std::string& quantity, double off) {
    rows.push_back({label, quantity, "the same", fmt::format("{:.0e}", off), agree(off < 1e-5)});
  };
  for (const double alpha1 : {1., 0.})
    for (std::size_t E = 0; E < weights.size(); ++E)
      add(fmt::format("(2.8), alpha1 = {}, E = {}", alpha1, weights[E]),
          "v beside g(x_1,t), in parts of the largest", equation_28(eps, static_cast<double>(E), alpha1));
  add("(4.20), E = I", "v and u beside g and G z2 of iteration 1, in parts of the largest",
      equation_420(eps));
  const auto coarse = sizes_421(4e-3), fine = sizes_421(2e-3);
  static constexpr std::array names = {"delta", "delta'", "delta''", "theta", "theta'"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double order = std::log2(coarse[i] / fine[i]), least = i < 2 ? 2 : 1;
    rows.push_back({"(4.21), E = I, y_0 right at the start", fmt::format("order of {} in eps", names[i]),
                    fmt::format("{} or more", least), fmt::format("{:.2f}", order),
                    agree(order > least - .2)});
  }
  return rows;
}

}  // namespace

PaperPart drift_equations() {
  return {"drift-equations", "(2.8), (4.20), (4.21): the equations of the drift", run_equations};
}

PaperPart drifts_of_iterates() {
  return {"drift", "how far iterates are off their constraint", run_part};
}

}  // namespace dalembert::ascher_lin
