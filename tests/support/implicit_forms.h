// The implicit forms of mechanical problems, each at work, and derivatives by differences to compare with.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert::testing {

using Options = std::map<std::string, double>;

struct Form {
  std::string name;
  Options options;
  std::string label() const {
    std::string text = name;
    for (const auto& [option, value] : options) text += " " + option + "=" + std::to_string(int(value));
    return text;
  }
};

/// Every form, with every option that changes its equations.
inline const std::vector<Form>& forms() {
  static const std::vector<Form> all = {{"index3", {}},
                                        {"index2", {}},
                                        {"ggl", {}},
                                        {"ggl", {{"metric", 1}}},
                                        {"ggl-star", {}},
                                        {"ggl-star", {{"metric", 1}, {"multipliers-from", 1}}},
                                        {"ggl-star", {{"multipliers-from", 1}}},
                                        {"fuehrer-leimkuhler", {}},
                                        {"fuehrer-leimkuhler", {{"orthogonal", 1}}},
                                        {"cs", {}},
                                        {"cs", {{"split", 1}}},
                                        {"cm", {}},
                                        {"cm", {{"split", 1}}},
                                        {"cm", {{"p-with-jacobian", 1}}}};
  return all;
}

/// One formulation of a problem at work.
struct Rewritten {
  Rewritten(const Problem& problem, const Form& form) {
    for (const auto& entry : find_formulation(form.name))
      if (entry.to == Kind::implicit)
        formulation = entry.make(problem, Parameters(entry.options, form.options, form.name), statistics);
    implicit = dynamic_cast<const Implicit*>(&formulation->rewritten());
  }
  Eigen::Index size() const { return implicit->layout().size(); }
  Vector F(double t, const Vector& y, const Vector& dy) const {
    Vector r = Vector::Constant(y.size(), 1e300);  // whatever is not written shows
    implicit->F(t, y, dy, r);
    return r;
  }
  /// What a method does before it asks for F: forms choose and freeze here.
  void linearize(double t, Vector& y, Vector& dy) const {
    Entries F_y, F_dy;
    implicit->prepare(t, y, dy);
    implicit->jacobians(t, y, dy, F_y, F_dy);
  }
  State enter(const State& original) const {
    State mine{original.t, Vector::Zero(size())};
    formulation->enter(original, mine);
    return mine;
  }

  Statistics statistics;
  std::unique_ptr<Formulation> formulation;
  const Implicit* implicit = nullptr;
};

/// f'(0), by central differences of order 6.
inline Vector derivative(const std::function<Vector(double)>& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

inline Vector random_vector(Eigen::Index n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
}

/// A free body with q a quaternion (w,x,y,z) and v its angular velocity in the body; its first axis stays horizontal.
/// More positions than velocities: q' = N(q) v = q (0,v)/2.
class Spinner : public Mechanical {
 public:
  using Quaternion = Eigen::Vector4d;
  using Tangent = Eigen::Matrix<double, 4, 3>;
  static Tangent N(In q) {
    Tangent n;
    n << -q[1], -q[2], -q[3], q[0], -q[3], q[2], q[3], q[0], -q[1], -q[2], q[1], q[0];
    return n / 2;
  }
  static Quaternion g_q(In q) { return {-2 * q[2], 2 * q[3], -2 * q[0], 2 * q[1]}; }

  Sizes sizes() const override { return {.q = 4, .v = 3, .holonomic = 1}; }
  Layout layout() const override {
    return Layout()
        .add("q", 4, Role::differential, 1)
        .add("v", 3, Role::differential, 2)
        .add("lambda", 1, Role::algebraic, 3);
  }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y << std::cos(.4), 0, 0, std::sin(.4), 1, 0, 2, 0;  // turned about the vertical
    return state;
  }
  double end() const override { return 1; }
  bool plain() const override { return false; }
  void tangent(const Placement& at, In u, Out dq) const override { dq = N(at.q) * Eigen::Vector3d(u); }
  void mass(const Placement&, Entries& M) const override {
    M.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {1, 2, 3});
  }
  void force(const Placement& at, In v, In, Out f) const override {
    const Eigen::Vector3d w(v), spin(v[0], 2 * v[1], 3 * v[2]);
    f = -w.cross(spin) + Eigen::Vector3d(at.q[1], at.q[0] * at.q[3], 0);
  }
  void g(const Placement& at, Out r) const override { r[0] = 2 * (at.q[1] * at.q[3] - at.q[0] * at.q[2]); }
  void jacobian(const Placement& at, Entries& J) const override {
    const Eigen::RowVector3d G = g_q(at.q).transpose() * N(at.q);
    J.write<3>({{{0, 0}, {0, 1}, {0, 2}}}, {G[0], G[1], G[2]});
  }
  void bias(const Placement& at, In v, Out r) const override {
    const Quaternion dq = N(at.q) * Eigen::Vector3d(v);
    r[0] = g_q(dq).dot(dq) + g_q(at.q).dot(N(dq) * Eigen::Vector3d(v));
  }
};

}  // namespace dalembert::testing
