// What [YenPetzold1998] says of sizes, measured on the unit circle: how far CM ends from CS (3.7), with which steps CS converges
// (Theorem 4.1), and what free increments tell of all (2.27).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/formulation/splitting/coordinate_partition.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {

namespace {

using Point = Eigen::Vector2d;
using Rows = std::vector<PaperRow>;

Point at_angle(double a) {
  return {std::cos(a), std::sin(a)};
}

/// P of the circle's row (x, y) at a point, with the split that pivoting chooses there.
class Projector {
 public:
  explicit Projector(const Point& q) {
    Entries J;
    J.write<2>({{{0, 0}, {0, 1}}}, {q[0], q[1]});
    partition_.bind(1, 2, CoordinatePartition::Basis::coordinates, {});
    if (partition_.choose(J) != Outcome::ok) throw Error("no split at this point");
  }
  double operator()(const Point& r) const {
    Vector p(1);
    partition_.project(r, p);
    return p[0];
  }
  Eigen::Index free() const { return partition_.free_coordinates().at(0); }

 private:
  CoordinatePartition partition_;
};

/// r(q) = (q - q*)/h + reaction q*: its projection along the circle vanishes at q* = (cos a, sin a). Where P(q0) r does, q0 being
/// d further round: the point that CM converges to; its distance from q*.
double distance_of_cm(double reaction, double d) {
  constexpr double a = 0.7, h = 0.1;
  const Point solution = at_angle(a);
  const Projector P(at_angle(a + d));
  const auto r = [&](double angle) { return P((at_angle(angle) - solution) / h + reaction * solution); };
  double angle = a;
  for (int i = 0; i < 50; ++i) {
    constexpr double small = 1e-6;
    angle -= r(angle) * 2 * small / (r(angle + small) - r(angle - small));
  }
  return (at_angle(angle) - solution).norm();
}

/// The first term of (3.7) is of order d if there is a reaction; with none in the solution nothing is left but rounding.
Rows theorem_31(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  for (const double reaction : {1., -5.}) {
    const double coarse = distance_of_cm(reaction, 2e-3), fine = distance_of_cm(reaction, 1e-3);
    const double order = std::log2(coarse / fine), constant = fine / (std::abs(reaction) * 1e-3);
    rows.push_back({fmt::format("reaction {}", reaction), "order of |CM - CS| in |q* - q0|", "1",
                    fmt::format("{:.3f}", order), agree(std::abs(order - 1) < .05),
                    fmt::format("C of (3.7) is {:.3f} here", constant)});
  }
  // Beyond the first term: twice the distance at d, less that at 2 d, has the order of the squares.
  const auto rest = [](double d) { return std::abs(2 * distance_of_cm(5, d) - distance_of_cm(5, 2 * d)); };
  const double order = std::log2(rest(4e-2) / rest(2e-2));
  rows.push_back({"reaction 5", "order of what is left without the first term", "2 or more",
                  fmt::format("{:.3f}", order), agree(order > 1.9),
                  "3 here: on a circle the squares cancel"});
  double most = 0;
  for (const double reaction : {0., .01, .1, 1., 5., -5., 20.})
    for (const double d : {1e-4, 1e-3, 1e-2, .05, .1, .2}) {
      const double distance = distance_of_cm(reaction, d);
      most = std::max(most, distance / (std::abs(reaction) * d + d * d + std::pow(distance + d, 2)));
    }
  rows.push_back({"reactions to 20, |q* - q0| to 0.2", "largest |CM - CS| in parts of the bound",
                  "a moderate C", fmt::format("{:.3f}", most), agree(most < 1)});
  const double none = distance_of_cm(0, 1e-3);
  rows.push_back({"no reaction", "|CM - CS|, at most C (|q* - q0|^2 + ...)", "O(1e-6)",
                  fmt::format("{:.0e}", none), agree(none < 1e-6)});
  return rows;
}

/// CS at h = sqrt(eps) with a matrix taken h^2 off, stiff across (Kn = 1/eps) and soft along; where that ceases to converge.
Rows theorem_41(const PaperOptions&, std::vector<std::filesystem::path>&) {
  Rows rows;
  std::vector<double> limits;
  for (const double eps : {1e-4, 1e-6, 1e-8}) {
    const auto rate = [&](double h) { return newton_rates(1 / eps, 1, h * h, h).cs; };
    const double ours = rate(std::sqrt(eps));
    rows.push_back({fmt::format("eps {:.0e}, h = sqrt(eps), d = h^2", eps), "spectral radius for CS",
                    "below 1", fmt::format("{:.1e}", ours), agree(ours < 1)});
    double low = std::sqrt(eps), high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = std::sqrt(low * high);
      (rate(middle) < 1 ? low : high) = middle;
    }
    limits.push_back(low);
  }
  const double slope = std::log(limits[0] / limits[2]) / std::log(1e4);
  rows.push_back({"the step where the radius is 1", "order in eps", "1/2 or less",
                  fmt::format("{:.3f}", slope), agree(slope < .55),
                  fmt::format("h up to {:.2g}, {:.2g}, {:.2g}: the condition is enough, and not needed",
                              limits[0], limits[1], limits[2])});
  return rows;
}

/// |dq| over |dx| for a small displacement along the circle, beside kappa = |(G Y)^-1 G X|.
PaperRow increments(double angle) {
  const Point q = at_angle(angle), dq = (at_angle(angle + 1e-7) - at_angle(angle - 1e-7)) / 2e-7;
  const Eigen::Index x = Projector(q).free();
  const double kappa = std::abs(q[x] / q[1 - x]), whole = std::sqrt(1 + kappa * kappa),
               ours = dq.norm() / std::abs(dq[x]);
  return explained({.label = fmt::format("angle {:.2f}", angle),
                    .quantity = "|dq| / |dx|",
                    .printed = fmt::format("{:.4f}", kappa),
                    .ours = fmt::format("{:.4f}", ours),
                    .verdict = agree(std::abs(ours - kappa) < 1e-3),
                    .reference = PaperReference{fmt::format("{:.4f}", whole), "sqrt(1 + kappa^2), by hand",
                                                agree(std::abs(ours - whole) < 1e-6)}},
                   {"kappa measures the dependent part alone: the factor of all is sqrt(1 + kappa^2)",
                    std::abs(ours - whole) < 1e-6});
}

}  // namespace

std::vector<PaperPart> bounds() {
  return {{"theorem-3.1", "Theorem 3.1: how far CM ends from CS", theorem_31},
          {"theorem-4.1", "Theorem 4.1: steps with which CS converges", theorem_41},
          {"equation-2.27", "(2.27): increments from free ones",
           [](const PaperOptions&, std::vector<std::filesystem::path>&) {
             return Rows{increments(0), increments(0.3), increments(0.7)};
           }}};
}

}  // namespace dalembert::yen_petzold
