// Incompressible flow in a square box with smooth walls, on a staggered grid: index 2 with pressures as multipliers
// [AscherLin1997, Example 2.1; HarlowWelch1965].
//
//   u' = -(conv u)_x - D_x p + nu L u,   v' = -(conv u)_y - D_y p + nu L v,   0 = -h (D_x u + D_y v)
//
// n x n cells of width h = pi/n in [0,pi]^2. Velocities are at the sides of cells (walls have none: nothing passes them, nothing holds along
// them), pressures in their middle; D differences of neighbours, L the five-point Laplacian, and convection in
// conservation form with means of neighbours,
//
//   (conv u)_x = D_x (mean_x u)^2 + D_y (mean_y u mean_x v),   (conv u)_y = D_x (mean_y u mean_x v) + D_y (mean_y v)^2.
//
// No condition for the pressure is needed at the walls. It is determined up to a constant, and the rows add up to zero: pressure and row
// of the last cell are left out. Rows are what flows into a cell: with that sign GB of the
// regularization, B the gradient of the pressure and G = -h div, is positive definite.
//
// The vortex of [TaylorGreen1937] solves these difference equations exactly, since convection is a gradient on this grid, too:
//
//   u = sin x cos y F,   v = -cos x sin y F,   p = cos^2(h/2)/4 (cos 2x + cos 2y) F^2 + const,   F = exp(-8 nu (sin(h/2)/h)^2 t)
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

/// A mean of two velocities, of which those at walls are zero and not there.
struct Mean {
  std::vector<Eigen::Index> of;
  double at(In y) const {
    double sum = 0;
    for (const Eigen::Index i : of) sum += y[i];
    return sum / 2;
  }
};
/// factor * a * b in one row.
struct Product {
  Eigen::Index row;
  double factor;
  Mean a, b;
};
struct Term {
  Eigen::Index row, column;
  double factor;
};

class CavityFlow final : public Hessenberg {
 public:
  explicit CavityFlow(const Parameters& p)
      : n_(p.count("n", 2, 32)), nu_(p.positive("nu")), convection_(p.count("convection", 0, 1)) {
    h_ = std::numbers::pi / static_cast<double>(n_);
    const auto u = [this](Eigen::Index i, Eigen::Index j) { return at(i, j); };
    const auto v = [this](Eigen::Index i, Eigen::Index j) {
      const Eigen::Index other = at(j, i);
      return other < 0 ? other : other + sides();
    };
    // what holds of u along x holds of v along y, with the roles of the indices changed
    for (const auto swap : {false, true}) {
      const auto own = [&](Eigen::Index i, Eigen::Index j) { return swap ? v(j, i) : u(i, j); };
      const auto cross = [&](Eigen::Index i, Eigen::Index j) { return swap ? u(j, i) : v(i, j); };
      const auto pressure = [&](Eigen::Index i, Eigen::Index j) { return swap ? cell(j, i) : cell(i, j); };
      for (Eigen::Index i = 1; i < n_; ++i)
        for (Eigen::Index j = 0; j < n_; ++j) momentum(i, j, own, cross, pressure);
    }
    for (Eigen::Index i = 0; i < n_; ++i)
      for (Eigen::Index j = 0; j < n_; ++j) {
        const Eigen::Index row = cell(i, j);
        if (row < 0) continue;
        add(divergence_, row, u(i + 1, j), -1);
        add(divergence_, row, u(i, j), 1);
        add(divergence_, row, v(i, j + 1), -1);
        add(divergence_, row, v(i, j), 1);
      }
  }

  Layout layout() const override {
    std::vector<std::string> u, v, p;
    for (Eigen::Index i = 1; i < n_; ++i)
      for (Eigen::Index j = 0; j < n_; ++j) {
        u.push_back(fmt::format("{}_{}", i, j + 1));
        v.push_back(fmt::format("{}_{}", j + 1, i));
      }
    for (Eigen::Index k = 0; k < n_ * n_ - 1; ++k) p.push_back(fmt::format("{}_{}", k / n_ + 1, k % n_ + 1));
    const auto units = [](const std::vector<std::string>& of, const char* unit) {
      return std::vector<std::string>(of.size(), unit);
    };
    return Layout()
        .add("u", sides(), Role::differential, 1, u, units(u, "m/s"))
        .add("v", sides(), Role::differential, 1, v, units(v, "m/s"))
        .add("p", n_ * n_ - 1, Role::algebraic, 2, p, units(p, "m^2/s^2"));
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    const double s = std::sin(h_ / 2) / h_, F = std::exp(-8 * nu_ * s * s * t), c = std::cos(h_ / 2),
                 size = convection_ * c * c / 4 * F * F;
    State state{t, Vector(2 * sides() + n_ * n_ - 1)};
    const auto centre = [this](Eigen::Index i) { return (static_cast<double>(i) + .5) * h_; };
    const auto p = [&](Eigen::Index i, Eigen::Index j) {
      return size * (std::cos(2 * centre(i)) + std::cos(2 * centre(j)));
    };
    for (Eigen::Index i = 1; i < n_; ++i)
      for (Eigen::Index j = 0; j < n_; ++j) {
        const double value = std::sin(static_cast<double>(i) * h_) * std::cos(centre(j)) * F;
        state.y[at(i, j)] = value;
        state.y[at(i, j) + sides()] = -value;
      }
    for (Eigen::Index i = 0; i < n_; ++i)
      for (Eigen::Index j = 0; j < n_; ++j)
        if (cell(i, j) >= 0) state.y[2 * sides() + cell(i, j)] = p(i, j) - p(n_ - 1, n_ - 1);
    return state;
  }

  void f(double, In y, In p, Out dy) const override {
    dy.setZero();
    for (const Product& q : products_) dy[q.row] += q.factor * q.a.at(y) * q.b.at(y);
    for (const Term& s : viscous_) dy[s.row] += s.factor * y[s.column];
    for (const Term& s : gradient_) dy[s.row] += s.factor * p[s.column];
  }
  void g(double, In y, Out residual) const override {
    residual.setZero();
    for (const Term& s : divergence_) residual[s.row] += s.factor * y[s.column];
  }
  void f_y(double, In y, In, Entries& a) const override {
    a.begin();
    for (const Product& q : products_) {
      const double da = q.factor * q.b.at(y) / 2, db = q.factor * q.a.at(y) / 2;
      for (const Eigen::Index i : q.a.of) a.add(q.row, i, da);
      for (const Eigen::Index i : q.b.of) a.add(q.row, i, db);
    }
    write(viscous_, a);
    a.end();
  }
  void f_z(double, In, In, Entries& a) const override {
    a.begin();
    write(gradient_, a);
    a.end();
  }
  void g_y(double, In, Entries& a) const override {
    a.begin();
    write(divergence_, a);
    a.end();
  }
  void g_t(double, In, Out rate) const override { rate.setZero(); }

 private:
  Eigen::Index sides() const { return (n_ - 1) * n_; }
  /// Of u at the side i (0 and n are walls) of row j; -1 at walls.
  Eigen::Index at(Eigen::Index i, Eigen::Index j) const { return i == 0 || i == n_ ? -1 : (i - 1) * n_ + j; }
  /// Of a pressure and its row; -1 for the last one.
  Eigen::Index cell(Eigen::Index i, Eigen::Index j) const {
    return i == n_ - 1 && j == n_ - 1 ? -1 : i * n_ + j;
  }
  static void add(std::vector<Term>& to, Eigen::Index row, Eigen::Index column, double factor) {
    if (column >= 0) to.push_back({row, column, factor});
  }
  static Mean mean(Eigen::Index a, Eigen::Index b) {
    Mean both;
    for (const Eigen::Index i : {a, b})
      if (i >= 0) both.of.push_back(i);
    return both;
  }
  static void write(const std::vector<Term>& terms, Entries& a) {
    for (const Term& s : terms) a.add(s.row, s.column, s.factor);
  }
  /// The equation of the velocity `own` at side i of row j.
  void momentum(Eigen::Index i, Eigen::Index j, const auto& own, const auto& cross, const auto& pressure) {
    const Eigen::Index row = own(i, j);
    if (convection_ != 0) {
      const Mean right = mean(own(i, j), own(i + 1, j)), left = mean(own(i - 1, j), own(i, j));
      products_.push_back({row, -1 / h_, right, right});
      products_.push_back({row, 1 / h_, left, left});
      if (j + 1 < n_)  // nothing passes a wall
        products_.push_back(
            {row, -1 / h_, mean(own(i, j), own(i, j + 1)), mean(cross(i - 1, j + 1), cross(i, j + 1))});
      if (j > 0)
        products_.push_back(
            {row, 1 / h_, mean(own(i, j - 1), own(i, j)), mean(cross(i - 1, j), cross(i, j))});
    }
    const double k = nu_ / (h_ * h_);
    const double neighbours =
        2 + (j > 0 ? 1 : 0) + (j + 1 < n_ ? 1 : 0);  // smooth walls mirror what flows along them
    add(viscous_, row, row, -neighbours * k);
    add(viscous_, row, own(i - 1, j), k);
    add(viscous_, row, own(i + 1, j), k);
    if (j > 0) add(viscous_, row, own(i, j - 1), k);
    if (j + 1 < n_) add(viscous_, row, own(i, j + 1), k);
    add(gradient_, row, pressure(i, j), -1 / h_);
    add(gradient_, row, pressure(i - 1, j), 1 / h_);
  }

  Eigen::Index n_;
  double nu_, h_ = 0;
  int convection_;
  std::vector<Product> products_;
  std::vector<Term> viscous_, gradient_, divergence_;
};

}  // namespace

std::vector<ProblemEntry> problems_in_cavity_flow() {
  return {{"cavity-flow",
           "incompressible flow in a box on a staggered grid, index 2: a vortex that dies away",
           Kind::hessenberg,
           "AscherLin1997",
           {{"n", 6, "", "cells along each side"},
            {"nu", .1, "m^2/s", "viscosity"},
            {"convection", 1, "", "0: linearised, without what the flow carries along"}},
           [](const Parameters& p) { return std::make_shared<const CavityFlow>(p); }}};
}

}  // namespace dalembert
