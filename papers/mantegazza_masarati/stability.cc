// Spectral radii of the methods of the notes on an undamped oscillation (Figures 1 to 3), measured on the methods as they
// run: one step for one-step methods, the recurrence of three steps for two-step methods, the map of (q, v) for those that
// take second-order equations.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"
#include "papers/figure.h"
#include "papers/mantegazza_masarati/parts.h"

namespace dalembert::mantegazza_masarati {

namespace {

/// y1' = y2, y2' = -y1: y' = i y in real numbers.
class Rotation final : public Implicit {
 public:
  Layout layout() const override { return Layout().add("y", 2, Role::differential, 1); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void F(double, In y, In dy, Out r) const override { r << dy[0] - y[1], dy[1] + y[0]; }
  void jacobians(double, In, In, Entries& F_y, Entries& F_dy) const override {
    F_y.write<2>({{{0, 1}, {1, 0}}}, {-1, 1});
    F_dy.write<2>({{{0, 0}, {1, 1}}}, {1, 1});
  }
  void rate(double, In y, Out dy) const override { dy << y[1], -y[0]; }
};

/// q'' = -q
class Spring final : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 1, .v = 1}; }
  Layout layout() const override { return mechanical_layout({.q = {"x"}, .v = {"x'"}}); }
  State start() const override { return {0, Vector::Unit(2, 0)}; }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override { M.write<1>({{{0, 0}}}, {1}); }
  void force(const Placement& at, In, In, Out f) const override { f[0] = -at.q[0]; }
};

/// States after 0, 1, ... `steps` steps of size h.
std::vector<Vector> walk(const Problem& problem, const MethodEntry& entry,
                         const std::map<std::string, double>& options, double h, int steps,
                         const Vector& from) {
  Statistics statistics;
  const auto method = entry.make();
  method->bind(problem, {.tolerance = {},
                         .precision = Precision::rounding,
                         .options = Parameters(entry.options, options, entry.name),
                         .statistics = &statistics});
  std::vector<Vector> all{from};
  State state{0, from}, next = state;
  for (int k = 0; k < steps; ++k) {
    const Attempt attempt = method->attempt(state, h, next);
    if (attempt.outcome != Outcome::ok) throw Error(entry.name + " fails on a linear oscillation");
    method->accept();
    std::swap(state, next);
    all.push_back(state.y);
  }
  return all;
}

using Complex = std::complex<double>;

Complex as_complex(const Vector& y) {
  return {y[0], -y[1]};  // y1 - i y2 obeys z' = i z
}

/// The recurrence z_{n+1} + p z_n + q z_{n-1} = 0 that a two-step method obeys, and the larger of its roots.
double two_step_radius(const std::vector<Vector>& y) {
  Eigen::Matrix2cd A;
  A << as_complex(y[2]), as_complex(y[1]), as_complex(y[3]), as_complex(y[2]);
  const Eigen::Vector2cd b(-as_complex(y[3]), -as_complex(y[4]));
  const Eigen::Vector2cd pq = A.fullPivLu().solve(b);
  const Complex root = std::sqrt(pq[0] * pq[0] / 4.0 - pq[1]);
  return std::max(std::abs(-pq[0] / 2.0 + root), std::abs(-pq[0] / 2.0 - root));
}

struct Known {
  const char *label, *method;
  double rho_inf;               // < 0: the method has no such option
  std::array<double, 4> radii;  // at w h = 0.1, 1, 5, 10
};

const std::vector<Known>& known() {
  static const std::vector<Known> all = {
      {"implicit Euler", "implicit-euler", -1, {0.99503719, 0.70710678, 0.19611614, 0.099503719}},
      {"Crank-Nicolson", "trapezoid", -1, {1, 1, 1, 1}},
      {"BDF2", "bdf2", -1, {0.99997561, 0.93332106, 0.46384858, 0.30074957}},
      {"ms 0", "ms", 0, {0.99997561, 0.93332106, 0.46384858, 0.30074957}},
      {"ms .2", "ms", 0.2, {0.99999268, 0.9688718, 0.61653621, 0.47008107}},
      {"ms .4", "ms", 0.4, {0.99999805, 0.9886186, 0.7691496, 0.65200165}},
      {"ms .6", "ms", 0.6, {0.99999961, 0.99724221, 0.89760542, 0.81938672}},
      {"ms .8", "ms", 0.8, {0.99999997, 0.99973275, 0.98047229, 0.95119237}},
      {"Radau IIA 3", "radau3", -1, {0.99999861, 0.9877296, 0.42274368, 0.2043978}},
      {"Lobatto IIIA 4", "lobatto", -1, {1, 1, 1, 1}},
      {"SDIRK2", "sdirk2", -1, {0.99999963, 0.99687394, 0.73135153, 0.44485806}},
      {"centred differences", "central-differences", -1, {1, 1, 22.956439, 97.989795}},
      {"forward differences", "forward-differences", -1, {0.99503719, 0.70710678, 0.19611614, 0.099503719}}};
  return all;
}

const char* const polynomials =
    "roots of the characteristic polynomials, to eight digits; the figures print none";

/// Figure 3: spectral radii over w h, up to where centred differences leave.
void draw(const PaperOptions& options, std::vector<std::filesystem::path>& written) {
  if (options.out.empty()) return;
  Panel panel{.title = "spectral radius on an undamped oscillation",
              .x_label = "w h",
              .y_label = "spectral radius",
              .x_axis = Axis::logarithmic,
              .series = {}};
  std::string csv = "method,wh,spectral radius\n";
  for (const Known& k : known()) {
    if (k.rho_inf == 0) continue;  // BDF2 again
    Series series{.name = k.label, .x = {}, .y = {}};
    std::map<std::string, double> set;
    if (k.rho_inf >= 0) set["rho_inf"] = k.rho_inf;
    for (int i = -20; i <= 40; ++i) {
      const double wh = std::pow(10, i / 20.), radius = spectral_radius(k.method, set, wh);
      series.x.push_back(wh), series.y.push_back(radius <= 1.5 ? radius : std::nan(""));
      if (radius <= 1.5) csv += fmt::format("{},{:.6e},{:.8e}\n", k.label, wh, radius);
    }
    panel.series.push_back(std::move(series));
  }
  tell_apart(panel, Points::unmarked);
  write_figure(options, "figure-3", csv, {panel}, written);
}

std::vector<PaperRow> run_table(const PaperOptions& paper, std::vector<std::filesystem::path>& written) {
  draw(paper, written);
  constexpr std::array<double, 4> frequencies = {0.1, 1, 5, 10};
  std::vector<PaperRow> rows;
  for (const Known& k : known())
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
      std::map<std::string, double> options;
      if (k.rho_inf >= 0) options["rho_inf"] = k.rho_inf;
      const double ours = spectral_radius(k.method, options, frequencies[i]);
      const bool same = std::abs(ours - k.radii[i]) <= 1e-7 * std::max(1.0, k.radii[i]);
      rows.push_back(
          {.label = k.label,
           .quantity = fmt::format("spectral radius at w h = {}", frequencies[i]),
           .printed = "",
           .ours = fmt::format("{:.8g}", ours),
           .verdict = Verdict::not_printed,
           .reference = PaperReference{fmt::format("{:.8g}", k.radii[i]), polynomials, agree(same)}});
    }
  return rows;
}

}  // namespace

double spectral_radius(const std::string& method, const std::map<std::string, double>& options, double wh) {
  const MethodEntry& entry = find_method(method);
  if (entry.accepts(Kind::mechanical)) {
    const Spring spring;
    Eigen::Matrix2d map;
    map.col(0) = walk(spring, entry, options, wh, 1, Vector::Unit(2, 0))[1];
    map.col(1) = walk(spring, entry, options, wh, 1, Vector::Unit(2, 1))[1];
    return map.eigenvalues().cwiseAbs().maxCoeff();
  }
  const Rotation rotation;
  const bool two_steps = method == "ms" || method == "bdf2" || method == "multistep";
  const auto y = walk(rotation, entry, options, wh, two_steps ? 4 : 1, Vector::Unit(2, 0));
  return two_steps ? two_step_radius(y) : y[1].norm();
}

PaperPart stability() {
  return {"stability", "spectral radii on an undamped oscillation (Figures 1 to 3)", run_table};
}

}  // namespace dalembert::mantegazza_masarati
