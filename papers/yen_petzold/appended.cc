// Section 4 of [YenPetzold1998], and the lemmas it stands on, measured on the unit circle.
//
// A stiff force that is not linear in q becomes so if the stretches s = eta(q) are appended as coordinates without mass, and s - eta(q) = 0 to
// the constraints (4.1). The spring of circle-spring, as long at rest as it is at the equilibrium (0,-1), is stiff across the circle and
// soft along it: what CM gains by that is lost to the curvature of the spring, unless its stretch is appended.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "dalembert/problem/catalogue.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {

namespace {

using Point = Eigen::Vector2d;
using Rows = std::vector<PaperRow>;

std::shared_ptr<const Mechanical> mechanical(const std::string& name,
                                             const std::map<std::string, double>& parameters) {
  return std::dynamic_pointer_cast<const Mechanical>(make_problem(name, parameters));
}

constexpr double rest = .5;  // of the spring, in place of 0.4

/// Where Newton's iteration ends, and a point d further out; with the stretch, if that is a coordinate.
struct Places {
  Vector solution, q;
};
Places places(const Mechanical& problem, double d) {
  if (problem.sizes().q == 2) return {Point(0, -1), Point(0, -1 - d)};
  return {Eigen::Vector3d(0, -1, .5 - rest), Eigen::Vector3d(0, -1 - d, .5 + d - rest)};
}

/// -df/dq at rest, without multipliers.
Matrix stiffness(const Mechanical& problem, const Vector& q) {
  const Eigen::Index n = q.size();
  Derivatives d;
  problem.derivatives(*problem.placed_at(0, q), Vector::Zero(n), Vector(), Vector::Zero(n),
                      Vector::Zero(problem.sizes().rows()), d);
  return d.K.dense(n, n);
}

/// The largest |d(G u1)/dq u2| with unit vectors of x and y.
double largest_bend(const Mechanical& problem, const Vector& q) {
  const Eigen::Index n = q.size(), m = problem.sizes().rows();
  double most = 0;
  for (int k = 0; k < 180; ++k) {
    Vector u = Vector::Zero(n);
    u.head<2>() << std::cos(k * M_PI / 180), std::sin(k * M_PI / 180);
    Derivatives d;
    problem.derivatives(*problem.placed_at(0, q), u, Vector(), Vector::Zero(n), Vector::Zero(m), d);
    most = std::max(most, d.B.dense(m, n).jacobiSvd().singularValues()[0]);
  }
  return most;
}

Rows stretches(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {"cs", "bdf"};
  options.tolerance = {1e-8, 1e-8};
  const Summary s = run(make_problem("circle-spring-appended"), options);
  rows.push_back({"s appended, spring of 0.4 m as in 5.2, CS", "error of q at t = 0.05", "the same motion",
                  fmt::format("{:.0e}", s.error.at("q")), agree(good(s.outcome) && s.error.at("q") < 1e-9)});
  constexpr double d = 1e-4, h = .1;
  for (const char* name : {"circle-spring", "circle-spring-appended"}) {
    const bool with = name == std::string("circle-spring-appended");
    const auto problem = mechanical(name, {{"l0", rest}});
    const auto [solution, q] = places(*problem, d);
    const double change = (stiffness(*problem, q) - stiffness(*problem, solution)).norm() * 1e-8;
    rows.push_back({with ? "s appended" : "s not appended",
                    "change of df/dq over |q - q*| = 1e-4, in parts of 1/eps^2",
                    with ? "0: the force is linear" : "", fmt::format("{:.0e}", change),
                    with ? agree(change < 1e-15) : Verdict::not_printed});
    if (with) {
      const double bend = largest_bend(*problem, q);
      rows.push_back({"(4.5), s appended", "largest |dG/dq u1 u2|", "far below 1/eps^2 = 1e8",
                      fmt::format("{:.2g}", bend), agree(bend < 1e-3 * 1e8)});
    }
  }
  for (const double eps : {1e-4, 1e-5})
    for (const char* name : {"circle-spring", "circle-spring-appended"}) {
      const bool with = name == std::string("circle-spring-appended");
      const auto problem = mechanical(name, {{"l0", rest}, {"eps", eps}});
      const auto [solution, q] = places(*problem, d);
      const Rates r = newton_rates(*problem, solution, q);
      rows.push_back({fmt::format("{}, eps {:.0e}", with ? "s appended" : "s not appended", eps),
                      "spectral radius for CS, CM, matrix taken 1e-4 off",
                      with ? "CS grows with 1/eps, CM is O(h)" : "",
                      fmt::format("{:.2g}, {:.2g}", r.cs, r.cm),
                      with ? agree(r.cm < h && r.cs > 100 * r.cm) : Verdict::not_printed,
                      with ? "h = 0.1" : "curvature of the spring spoils the matrix of CM as well"});
    }
  const auto problem = mechanical("circle-spring-appended", {{"l0", rest}});
  const auto of_cm = [&](double step) {
    const auto [solution, q] = places(*problem, step * step * d);
    return newton_rates(*problem, solution, q, step).cm;
  };
  const double order = std::log2(of_cm(h) / of_cm(h / 2));
  rows.push_back({"s appended, |q - q*| = 1e-4 h^2", "order in h of the spectral radius for CM", "1 or more",
                  fmt::format("{:.2f}", order), agree(order > .95)});
  return rows;
}

/// On the circle, g = (|q|^2 - 1)/2, with y dependent: G = q', s = (GY)^-T Y'r.
Point reaction(const Point& q, const Point& r) {
  return q * (r[1] / q[1]);
}
double projected(const Point& q, const Point& r) {  // P r, P = (1, -x/y)
  return r[0] - q[0] / q[1] * r[1];
}
Point difference(const std::function<double(const Point&)>& f, const Point& q) {
  constexpr double d = 1e-6;
  Point slope;
  for (Eigen::Index j = 0; j < 2; ++j)
    slope[j] = (f(q + d * Point::Unit(j)) - f(q - d * Point::Unit(j))) / (2 * d);
  return slope;
}

/// (4.6)-(4.8) with r held, as there: V = g'(GY)^-T Y'r.
Rows potential(const PaperOptions&, std::vector<std::filesystem::path>&) {
  const Point r(.3, -2);
  const auto V = [&](const Point& q) { return (q.squaredNorm() - 1) / 2 * r[1] / q[1]; };
  Rows rows;
  for (const double off : {0., .1}) {
    const Point q = (1 + off) * Point(std::sin(.5), -std::cos(.5)), force = reaction(q, r);
    const double distance = (difference(V, q) - force).norm() / force.norm();
    const double g = (q.squaredNorm() - 1) / 2;
    // What (4.7) leaves out: g times the derivative of (GY)^-T Y'r.
    const double left_out = (difference(V, q) - force - Point(0, -g * r[1] / (q[1] * q[1]))).norm();
    rows.push_back(
        explained({fmt::format("(4.7), {} off the circle", off), "|dV/dq - G'(GY)^-T Y'r|, relative", "0",
                   fmt::format("{:.0e}", distance), agree(distance < 1e-8)},
                  {"the gradient of V has a further term, g times the derivative of (GY)^-T Y'r, "
                   "which vanishes on the constraints",
                   left_out < 1e-8}));
  }
  const Point q(std::sin(.5), -std::cos(.5));
  const double s = r[1] / q[1];
  Eigen::Matrix2d slope, printed;
  for (Eigen::Index i = 0; i < 2; ++i)
    slope.row(i) = difference([&](const Point& at) { return reaction(at, r)[i]; }, q);
  // (I - G'(GY)^-T Y') (G's)_q, and (G's)_q = s I
  printed << s, -q[0] / q[1] * s, 0, 0;
  const double distance = (slope - printed).norm() / printed.norm();
  rows.push_back({"(4.8)", "|d(G'(GY)^-T Y'r)/dq - (I - G'(GY)^-T Y') (G's)_q|, relative", "0",
                  fmt::format("{:.0e}", distance), agree(distance < 1e-8)});
  return rows;
}

/// |d(P r)/dq - P dr/dq| at an angle from the bottom, in parts of C1 C2 |Y'r|; here C1 = 1/|y|, C2 = 1.
double derivative_of_P(double angle) {
  const Point q(std::sin(angle), -std::cos(angle)), r(.3, -2);
  const Point slope = difference([&](const Point& at) { return projected(at, r); }, q);
  return slope.norm() / (std::abs(r[1]) / std::abs(q[1]));
}

/// |J0 - J*| of cs and cm, the matrix taken d off; the mass on the circle, stiff across.
double matrix_error(const std::string& formulation, double Kn, double d, double h) {
  const auto problem = mechanical("circle-bushing", {{"Kn", Kn}, {"Kt", 1}, {"c", 0}});
  const Point solution(1, 0), q(1 + d, 0);
  return (newton_matrix(*problem, formulation, solution, q, h) -
          newton_matrix(*problem, formulation, solution, solution, h))
      .norm();
}

Rows lemmas(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  constexpr double radius = .1;
  for (const double angle : {0., .5}) {
    const double ours = derivative_of_P(angle), P = 1 / std::cos(angle);  // |P| = sqrt(1 + Q'Q)
    rows.push_back(explained(
        {fmt::format("Lemma 3.1, angle {}", angle), "|d(P r)/dq - P dr/dq| / (C1 C2 |Y'r|)",
         fmt::format("{} or less, the radius of the disc", radius), fmt::format("{:.4f}", ours),
         agree(ours <= radius)},
        {fmt::format("it is |P| = {:.4f} in a disc of any radius: the mean value theorem gives no factor of "
                     "the radius, and rows of P are not orthonormal",
                     P),
         std::abs(ours / P - 1) < 1e-6}));
  }
  constexpr double d = 1e-4, h = .1;
  for (const char* name : {"cs", "cm"}) {
    const bool cs = name == std::string("cs");
    const double soft = matrix_error(name, 1e6, d, h), stiff = matrix_error(name, 1e8, d, h);
    const double order = std::log(stiff / soft) / std::log(100);
    rows.push_back({cs ? "Lemma 4.1, (4.10), CS" : "Lemma 4.1, (4.11), CM",
                    "order of |J0 - J*| in 1/eps, 1/eps = 1e6 and 1e8", cs ? "1" : "0",
                    fmt::format("{:.3f}", order), agree(std::abs(order - (cs ? 1 : 0)) < .02)});
  }
  const double coarse = matrix_error("cs", 1e8, d, h), fine = matrix_error("cs", 1e8, d, h / 10),
               order = std::log10(coarse / fine);
  rows.push_back(explained({"Lemma 4.1, (4.10), CS", "order of |J0 - J*| in h, q0 held", "1",
                            fmt::format("{:.3f}", order), agree(std::abs(order - 1) < .05)},
                           {fmt::format("a factor h is not there: it is delta/eps = {:.0e} with either step, "
                                        "from (G's)_q with s of the force at q0",
                                        1e8 * d),
                            std::abs(coarse / (1e8 * d) - 1) < .01 && std::abs(fine / coarse - 1) < .01}));
  return rows;
}

/// |(M c^2 + K + (G's)_q)^-1|, what (2.34) and (2.35) are about; without (G's)_q (3.5) and (3.10).
double inverse_norm(double Kn, double Kt, double d, double h, double s) {
  const auto problem = mechanical("circle-bushing", {{"Kn", Kn}, {"Kt", Kt}, {"c", 0}});
  const double c = 1.5 / h;
  const Matrix J = stiffness(*problem, Point(1 + d, 0)) + (c * c + s) * Matrix::Identity(2, 2);
  return J.inverse().jacobiSvd().singularValues()[0];
}

Rows conditions(const PaperOptions&, std::vector<std::filesystem::path>&) {
  constexpr double d = 1e-4;
  const char *const enough = "a norm of at most 1 is enough", *const needed = "a norm of at most 1 is needed";
  struct Case {
    std::string label;
    const char* printed;
    double Kn, Kt, h;
    double Rates::*rate;
  };
  Rows rows;
  for (const Case& c : {Case{"(2.34), (2.35), CS, stiff across, h = 0.1", enough, 1e8, 1e4, .1, &Rates::cs},
                        Case{"(2.34), (2.35), CS, soft, h = 100", needed, 1e-2, 1e-2, 100, &Rates::cs},
                        Case{"(3.5), (3.10), CM, stiff across, h = 0.1", enough, 1e8, 1e4, .1, &Rates::cm},
                        Case{"(3.5), (3.10), CM, soft, h = 100", needed, 1e-2, 1e-2, 100, &Rates::cm}}) {
    const auto norm = [&](double off) {
      const double s = c.rate == &Rates::cs ? -c.Kn * off / (1 + off) : 0;  // -(GY)^-T Y'r at q0
      return inverse_norm(c.Kn, c.Kt, off, c.h, s);
    };
    const auto radius = [&](double off) { return newton_rates(c.Kn, c.Kt, off, c.h).*c.rate; };
    const double near = d / 1000;  // a matrix that is as large, and changes less
    const bool said = c.printed == enough ? norm(d) > 1 || radius(d) < 1 : norm(d) <= 1 || radius(d) >= 1;
    rows.push_back(explained(
        {c.label, "norm of the inverse; spectral radius of the iteration", c.printed,
         fmt::format("{:.1e}; {:.1e}", norm(d), radius(d)), agree(said)},
        {fmt::format("what counts is how much the matrix changes, not its size: taken a thousandth as "
                     "far off, the norm is {:.1e} and the spectral radius {:.1e}",
                     norm(near), radius(near)),
         (norm(near) <= 1) == (norm(d) <= 1) && radius(near) < .01 * radius(d)}));
  }
  return rows;
}

}  // namespace

std::vector<PaperPart> appended() {
  return {{"appended", "Section 4: stretches of stiff forces as coordinates", stretches},
          {"potential", "(4.6)-(4.8): the reduced potential", potential},
          {"lemmas", "Lemmas 3.1 and 4.1: what the derivative of P adds", lemmas},
          {"conditions", "(2.34), (2.35), (3.5), (3.10): conditions for convergence", conditions}};
}

}  // namespace dalembert::yen_petzold
