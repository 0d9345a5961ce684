// A linear index-2 problem whose matrix has modes growing and decaying as exp(rate t), with conditions at both ends.
//
//   x' = A x + p(t) - B y,   A = (0 1 0; rate^2 0 1; 0 -1 -2),  B = (1, 1/2, 1)',   0 = x1 + x2 + x3 - r(t)
//   x1(0) = 0,  x1(1) = sin 3
//
// p and r are such that x = (sin 3t, cos 2t, e^-t), y = e^t + t.
#include <cmath>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;

Vector3d x_exact(double t) {
  return {std::sin(3 * t), std::cos(2 * t), std::exp(-t)};
}
Vector3d x_rate(double t) {
  return {3 * std::cos(3 * t), -2 * std::sin(2 * t), -std::exp(-t)};
}
double y_exact(double t) {
  return std::exp(t) + t;
}

class Equations final : public Hessenberg {
 public:
  explicit Equations(double rate) { A_ << 0, 1, 0, rate * rate, 0, 1, 0, -1, -2; }
  Layout layout() const override {
    return Layout().add("x", 3, Role::differential, 1).add("y", 1, Role::algebraic, 2, {"y"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    State state{t, Vector(4)};
    state.y << x_exact(t), y_exact(t);
    return state;
  }
  void f(double t, In x, In y, Out dx) const override {
    dx = A_ * (x - x_exact(t)) + x_rate(t) - B_ * (y[0] - y_exact(t));
  }
  void g(double t, In x, Out r) const override { r[0] = x.sum() - x_exact(t).sum(); }
  void f_y(double, In, In, Entries& a) const override {
    a.begin();
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) a.add(i, j, A_(i, j));
    a.end();
  }
  void f_z(double, In, In, Entries& a) const override {
    a.begin();
    for (Eigen::Index i = 0; i < 3; ++i) a.add(i, 0, -B_[i]);
    a.end();
  }
  void g_y(double, In, Entries& a) const override {
    a.begin();
    for (Eigen::Index j = 0; j < 3; ++j) a.add(0, j, 1);
    a.end();
  }
  void g_t(double t, In, Out rate) const override { rate[0] = -x_rate(t).sum(); }

 private:
  Eigen::Matrix3d A_;
  Vector3d B_{1, .5, 1};
};

class FastAndSlow final : public BoundaryProblem {
 public:
  explicit FastAndSlow(double rate) : equations_(rate) {}
  const Problem& equations() const override { return equations_; }
  double begin() const override { return 0; }
  double end() const override { return 1; }
  std::vector<std::string> conditions() const override {
    return {"x1 = 0 at the start", "x1 = sin 3 at the end"};
  }
  void residual(In at_begin, In at_end, Out r) const override {
    r[0] = at_begin[0];
    r[1] = at_end[0] - std::sin(3.0);
  }
  Vector guess(double) const override { return Vector::Zero(3); }

 private:
  Equations equations_;
};

}  // namespace

std::vector<BoundaryEntry> boundary_problems_in_fast_and_slow() {
  return {{"fast-and-slow",
           "linear, index 2: growing and decaying modes, x1 given at both ends",
           "AscherLin1997",
           {{"rate", 5, "1/s", "of the modes of A"}},
           [](const Parameters& p) { return std::make_shared<const FastAndSlow>(p["rate"]); }}};
}

}  // namespace dalembert
