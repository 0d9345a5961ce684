// How perturbations act, which the proofs of [AscherLin1997] assume: M of (2.6) on Example 6.1, of (4.18) on Example 6.4; and what (3.3)
// and (3.4) say of B y near a singular position.
//
//   x^' = f - B y^,   0 = g(x^,t) + delta                        (2.7)
//   z1^' = z2^ + theta,  z2^' = f - B y^,   0 = g(z1^) + delta   (4.19)
//
// with delta = A (1 - cos wt), theta = A sin wt. What an index says is how many derivatives the bound needs: with the last one left out the ratio
// grows with w. As w grows, y^ - y tends to (GB)^-1 times that derivative, which gives M a value to compare with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"
#include "papers/ascher_lin/parts.h"

namespace dalembert::ascher_lin {

namespace {

using Rows = std::vector<PaperRow>;
using Files = std::vector<std::filesystem::path>;

constexpr double amplitude = 1e-5;

/// delta and its derivatives.
struct Wave {
  double w, A = amplitude;
  double value(double t) const { return A * (1 - std::cos(w * t)); }
  double rate(double t) const { return A * w * std::sin(w * t); }
  double bend(double t) const { return A * w * w * std::cos(w * t); }
};

/// (2.7): 0 = g + delta.
class PerturbedIndex2 final : public Hessenberg {
 public:
  PerturbedIndex2(std::shared_ptr<const Hessenberg> problem, Wave delta)
      : problem_(std::move(problem)), delta_(delta) {}
  Layout layout() const override { return problem_->layout(); }
  State start() const override { return problem_->start(); }
  double end() const override { return problem_->end(); }
  void f(double t, In y, In z, Out dy) const override { problem_->f(t, y, z, dy); }
  void g(double t, In y, Out r) const override {
    problem_->g(t, y, r);
    r.array() += delta_.value(t);
  }
  void f_y(double t, In y, In z, Entries& a) const override { problem_->f_y(t, y, z, a); }
  void f_z(double t, In y, In z, Entries& a) const override { problem_->f_z(t, y, z, a); }
  void g_y(double t, In y, Entries& a) const override { problem_->g_y(t, y, a); }
  void g_t(double t, In y, Out rate) const override {
    problem_->g_t(t, y, rate);
    rate.array() += delta_.rate(t);
  }

 private:
  std::shared_ptr<const Hessenberg> problem_;
  Wave delta_;
};

/// (4.19) in q = z1^ - Theta, Theta the integral of theta in every coordinate: q' = z2^ then, and positions are read at q + Theta.
/// For a problem with q' = v and rows that do not depend on time.
class PerturbedIndex3 final : public Mechanical {
 public:
  /// Positions are shifted by the integral of theta.
  PerturbedIndex3(std::shared_ptr<const Mechanical> problem, Wave delta, Wave shift)
      : problem_(std::move(problem)), delta_(delta), shift_(shift) {}
  Sizes sizes() const override { return problem_->sizes(); }
  Layout layout() const override { return problem_->layout(); }
  State start() const override { return problem_->start(); }
  double end() const override { return problem_->end(); }
  double shift(double t) const { return shift_.value(t); }

  void mass(const Placement& at, Entries& M) const override { problem_->mass(moved(at), M); }
  void force(const Placement& at, In v, In s, Out f) const override { problem_->force(moved(at), v, s, f); }
  void g(const Placement& at, Out r) const override {
    problem_->g(moved(at), r);
    r.array() += delta_.value(at.t);
  }
  void jacobian(const Placement& at, Entries& J) const override { problem_->jacobian(moved(at), J); }
  void velocity_bias(const Placement& at, Out w) const override {
    w = G(at) * Vector::Constant(at.q.size(), shift_.rate(at.t));
    w.array() += delta_.rate(at.t);
  }
  void bias(const Placement& at, In v, Out bias) const override {
    const Vector u = v.array() + shift_.rate(at.t);
    problem_->bias(moved(at), u, bias);
    bias += G(at) * Vector::Constant(at.q.size(), shift_.bend(at.t));
    bias.array() += delta_.bend(at.t);
  }
  bool conservative() const override { return false; }

 private:
  Placement moved(const Placement& at) const {
    Placement there;
    there.t = at.t;
    there.q = at.q.array() + shift(at.t);
    return there;
  }
  Matrix G(const Placement& at) const {
    Entries J;
    jacobian(at, J);
    return J.dense(sizes().rows(), sizes().v);
  }
  std::shared_ptr<const Mechanical> problem_;
  Wave delta_, shift_;
};

/// Largest differences from the exact motion of the problem that was not perturbed.
class Distance final : public Observer {
 public:
  Distance(const Problem& exact, Eigen::Index positions, std::function<double(double)> shift)
      : exact_(exact), positions_(positions), shift_(std::move(shift)) {}
  void step(const StepView& view) override {
    const State& ours = view.at(view.end(), Depth::multipliers);
    Vector off = ours.y - exact_.exact(view.end())->y;
    off.head(positions_).array() += shift_(view.end());
    const Eigen::Index n = differential_size(exact_.layout());
    x = std::max(x, largest(off.head(n)));
    y = std::max(y, largest(off.tail(off.size() - n)));
  }
  double x = 0, y = 0;

 private:
  const Problem& exact_;
  Eigen::Index positions_;
  std::function<double(double)> shift_;
};

void solve_tightly(std::shared_ptr<const Problem> problem, const PairRequest& pair, double w,
                   Distance& distance) {
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = pair;
  options.control = Control::fixed;
  options.step = .02 / w;
  const Summary s = run(std::move(problem), options, {&distance});
  if (!good(s.outcome)) throw Error("a perturbed run ended early: " + s.message);
}

/// Ratios of (2.6) or (4.18); of y also without the last derivative in the bound.
struct Ratios {
  double x, y, y_without;
};

Ratios index2(double w) {
  const auto problem = std::dynamic_pointer_cast<const Hessenberg>(make_problem("ascher-lin-6-1"));
  Distance distance(*problem, 0, [](double) { return 0; });
  solve_tightly(std::make_shared<const PerturbedIndex2>(problem, Wave{w}), {"direct", "hem5"}, w, distance);
  const double without = 2 * amplitude, with = amplitude * (2 + w);
  return {distance.x / with, distance.y / with, distance.y / without};
}

/// By delta alone, or by theta = A sin wt alone.
enum class By { delta, theta };
Ratios index3(double w, By by) {
  const auto problem = std::dynamic_pointer_cast<const Mechanical>(make_problem("ascher-lin-6-4"));
  const auto perturbed = std::make_shared<const PerturbedIndex3>(
      problem, Wave{w, by == By::delta ? amplitude : 0}, Wave{w, by == By::theta ? amplitude / w : 0});
  Distance distance(*problem, problem->sizes().q, [&](double t) { return perturbed->shift(t); });
  solve_tightly(perturbed, {"index1", "dop853"}, w, distance);
  const double without = by == By::delta ? amplitude * (2 + w) : amplitude,
               with = by == By::delta ? amplitude * (2 + w + w * w) : amplitude * (1 + w);
  return {distance.x / with, distance.y / with, distance.y / without};
}

/// The largest value of a function over the interval of the runs.
double most(const std::function<double(double)>& f) {
  double all = 0;
  for (int k = 0; k <= 1000; ++k) all = std::max(all, f(k / 1000.));
  return all;
}

/// (GB)^-1 of Example 6.1; G x is |x|^2 there.
double inverse_index2(double t) {
  return 1 / (std::exp(-2 * t) + std::sin(t) * std::sin(t));
}
/// (G M^-1 G')^-1 of Example 6.4 on its solution, times |G (1, 1)| for theta.
double inverse_index3(double t, By by) {
  const auto problem = make_problem("ascher-lin-6-4");
  const auto& p = as<Mechanical>(*problem);
  const auto at = p.placed_at(*problem->exact(t));
  Entries M, J;
  p.mass(*at, M);
  p.jacobian(*at, J);
  const Matrix G = J.dense(1, 2);
  const double S = (G * M.dense(2, 2).llt().solve(G.transpose()))(0, 0);
  return (by == By::delta ? 1 : std::abs(G.sum())) / S;
}

/// M from three frequencies; where it tends to, and how the ratio grows without the last derivative.
void add(Rows& rows, const std::string& label, const std::string& last,
         const std::function<Ratios(double)>& ratios, double limit) {
  std::vector<Ratios> all;
  for (const double w : {1., 10., 100.}) {
    all.push_back(ratios(w));
    rows.push_back({fmt::format("{}, w = {}", label, w), "M from x, M from y", "bounded",
                    fmt::format("{:.3g}, {:.3g}", all.back().x, all.back().y),
                    agree(all.back().x < 10 && all.back().y < 10)});
  }
  rows.back().reference =
      PaperReference{fmt::format("{:.3g} as w grows, from y", limit), "(GB)^-1 on the exact solution",
                     agree(std::abs(all.back().y / limit - 1) < .05)};
  const double order = std::log10(all[2].y_without / all[1].y_without);
  rows.push_back({label, fmt::format("order in w of the ratio from y, {} left out of the bound", last),
                  "1: it is needed", fmt::format("{:.3f}", order), agree(std::abs(order - 1) < .1)});
}

Rows perturbed(const PaperOptions& options, Files&) {
  Rows rows;
  if (options.progress) options.progress("(2.6), Example 6.1");
  add(rows, "(2.6), Example 6.1", "delta'", index2, most(inverse_index2));
  if (options.progress) options.progress("(4.18), Example 6.4");
  for (const By by : {By::delta, By::theta})
    add(
        rows, by == By::delta ? "(4.18), Example 6.4, delta" : "(4.18), Example 6.4, theta",
        by == By::delta ? "delta''" : "theta'", [by](double w) { return index3(w, by); },
        most([by](double t) { return inverse_index3(t, by); }));
  return rows;
}

using Pair = Eigen::Vector2d;

/// P(x) f of Example 3.1, G = B'.
Pair projected(const Pair& x, const Pair& f) {
  const Pair B(std::sin(x[0]), std::sin(x[1]));
  return B * (B.dot(f) / B.squaredNorm());
}

/// B y^ - P f - B (GB)^-1 delta' along a perturbed motion of Example 3.1.
class Identity33 final : public Observer {
 public:
  Identity33(const Hessenberg& problem, Wave delta) : problem_(problem), delta_(delta) {}
  void step(const StepView& view) override {
    const State& s = view.at(view.end(), Depth::multipliers);
    const Pair x = s.y.head<2>(), B(std::sin(x[0]), std::sin(x[1]));
    Vector f(2);
    problem_.f(s.t, x, Vector::Zero(1), f);
    const Pair eta = B * (delta_.rate(s.t) / B.squaredNorm());
    off = std::max(off, (B * s.y[2] - projected(x, f) - eta).norm());
    largest_eta = std::max(largest_eta, eta.norm());
  }
  double off = 0, largest_eta = 0;

 private:
  const Hessenberg& problem_;
  Wave delta_;
};

Rows near_singularity(const PaperOptions&, Files&) {
  Rows rows;
  const auto problem = std::dynamic_pointer_cast<const Hessenberg>(make_problem("ascher-lin-3-1"));
  double off = 0;
  for (int k = 0; k < 15; ++k) {
    const State s = *problem->exact(.1 * k);
    const Pair x = s.y.head<2>(), B(std::sin(x[0]), std::sin(x[1]));
    Vector f(2);
    problem->f(s.t, x, Vector::Zero(1), f);
    off = std::max(off, (B * s.y[2] - projected(x, f)).norm());
  }
  rows.push_back(
      {"(3.4), Example 3.1, t to 1.4", "|B y - P f|", "0", fmt::format("{:.0e}", off), agree(off < 1e-13)});
  const Wave delta{5, 1e-3};
  Identity33 watch(*problem, delta);
  RunOptions options{.scrutiny = Scrutiny::method};
  options.request = {"direct", "hem5"};
  options.tolerance = {1e-10, 1e-10};
  options.end = 1;
  const Summary s = run(std::make_shared<const PerturbedIndex2>(problem, delta), options, {&watch});
  rows.push_back({"(3.3), Example 3.1, t to 1", "|B y^ - P f - eta|, beside |eta|", "0",
                  fmt::format("{:.0e}, {:.0e}", watch.off, watch.largest_eta),
                  agree(good(s.outcome) && watch.off < 1e-8 && watch.largest_eta > 1e-4)});
  // x^ = x + (1e-8, 0): what that changes in P f, at a distance before pi/2.
  const auto change = [](double distance) {
    const double t = std::numbers::pi / 2 - distance;
    const Pair x(t - std::numbers::pi / 2, t + std::numbers::pi / 2), f(.5, 1.5);
    return (projected(x + Pair(1e-8, 0), f) - projected(x, f)).norm() / 1e-8;
  };
  const double order = std::log10(change(1e-3) / change(1e-2));
  rows.push_back({"Example 3.1", "order of |dP/dx| in 1/(t* - t)", "unbounded at t*",
                  fmt::format("{:.3f}", order), agree(order > .9)});
  return rows;
}

}  // namespace

PaperPart perturbation() {
  return {"perturbation", "(2.6), (4.18): how perturbations of the constraints act", perturbed};
}

PaperPart equation_33() {
  return {"equation-3-3", "(3.3), (3.4): B y near a singular position", near_singularity};
}

}  // namespace dalembert::ascher_lin
