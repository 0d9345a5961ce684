// The index-2 examples of [AscherLin1997], x' = f - B y, 0 = g(t,x), all with closed solutions.
//
//   3.1  g = -cos x1 - cos x2, G = B' = (sin x1, sin x2), f = (sin x2, 2 sin x2 - sin x1)/(sin x2 - sin x1);
//        x = (t - pi/2, t + pi/2), y = 1/(sin x2 - sin x1): singular at t = pi/2, where f is 0/0 besides
//   6.1  f = (1 - e^-t, cos t + e^t sin t), B = x, g = (|x|^2 - e^-2t - sin^2 t)/2;  x = (e^-t, sin t), y = e^t
//   6.2  f = (1 + (t-1/2)e^t, 2t + (t^2-1/4)e^t), B = x, g = (|x|^2 - (t-1/2)^2 - (t^2-1/4)^2)/2;
//        x = (t-1/2, t^2-1/4), y = e^t: singular at t = 1/2
//   6.3  f = (-x1 + x2 - sin t - (1+2t), 0), B = (0, x1), g = x1 (x1 + x2 - sin t - 1 + 2t);
//        x = (1-2t, sin t), y = -cos t/(1-2t), unbounded at t = 1/2
//
// differs from [AscherLin1997]: e^-t in f1 of 6.1 and sin x2 in f1 of 3.1, without which the solutions given do not solve.
#include <cmath>
#include <numbers>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

/// Two unknowns, one constraint; an example says f, B, g, their derivatives and its solution.
class Example : public Hessenberg {
 public:
  explicit Example(double end) : end_(end) {}
  Layout layout() const final {
    return Layout().add("x", 2, Role::differential, 1).add("y", 1, Role::algebraic, 2, {"y"});
  }
  State start() const final { return *exact(0); }
  double end() const final { return end_; }
  void f(double t, In x, In y, Out dx) const final {
    Eigen::Vector2d B;
    free(t, x, dx);
    directions(x, B);
    dx -= y[0] * B;
  }
  void f_z(double, In x, In, Entries& a) const final {
    Eigen::Vector2d B;
    directions(x, B);
    a.write<2>({{{0, 0}, {1, 0}}}, {-B[0], -B[1]});
  }

 protected:
  virtual void free(double t, In x, Out f) const = 0;
  virtual void directions(In x, Out B) const = 0;

 private:
  double end_;
};

constexpr std::array<Entries::Place, 4> square = {{{0, 0}, {0, 1}, {1, 0}, {1, 1}}};
constexpr std::array<Entries::Place, 2> row = {{{0, 0}, {0, 1}}};

class Example31 final : public Example {
 public:
  Example31() : Example(3) {}
  std::optional<State> exact(double t) const override {
    return State{t, Eigen::Vector3d(t - half_pi, t + half_pi, 1 / (2 * std::cos(t)))};
  }
  void g(double, In x, Out r) const override { r[0] = -std::cos(x[0]) - std::cos(x[1]); }
  void g_y(double, In x, Entries& a) const override { a.write(row, {std::sin(x[0]), std::sin(x[1])}); }
  void g_t(double, In, Out rate) const override { rate[0] = 0; }
  void f_y(double, In x, In y, Entries& a) const override {
    const double s1 = std::sin(x[0]), s2 = std::sin(x[1]), c1 = std::cos(x[0]), c2 = std::cos(x[1]);
    const double d2 =
        (s2 - s1) * (s2 - s1);  // f = (s2, 2 s2 - s1)/d: f1_s1 = s2/d^2, f1_s2 = -s1/d^2, f2 = 1 + f1
    a.write(square, {c1 * s2 / d2 - y[0] * c1, -c2 * s1 / d2, c1 * s2 / d2, -c2 * s1 / d2 - y[0] * c2});
  }

 private:
  static constexpr double half_pi = std::numbers::pi / 2;
  void free(double, In x, Out f) const override {
    const double s1 = std::sin(x[0]), s2 = std::sin(x[1]);
    f << s2 / (s2 - s1), (2 * s2 - s1) / (s2 - s1);
  }
  void directions(In x, Out B) const override { B << std::sin(x[0]), std::sin(x[1]); }
};

/// 6.1 and 6.2: x is held at the distance of the solution from the origin, by a force along x.
class Radial : public Example {
 public:
  using Example::Example;
  void g(double t, In x, Out r) const final { r[0] = (x.squaredNorm() - path(t).squaredNorm()) / 2; }
  void g_y(double, In x, Entries& a) const final { a.write(row, {x[0], x[1]}); }
  void f_y(double, In, In y, Entries& a) const final { a.write(square, {-y[0], 0, 0, -y[0]}); }

 protected:
  virtual Eigen::Vector2d path(double t) const = 0;

 private:
  void directions(In x, Out B) const final { B = x; }
};

class Example61 final : public Radial {
 public:
  Example61() : Radial(1) {}
  std::optional<State> exact(double t) const override {
    return State{t, Eigen::Vector3d(std::exp(-t), std::sin(t), std::exp(t))};
  }
  Eigen::Vector2d path(double t) const override { return {std::exp(-t), std::sin(t)}; }
  void g_t(double t, In, Out rate) const override { rate[0] = std::exp(-2 * t) - std::sin(t) * std::cos(t); }

 private:
  void free(double t, In, Out f) const override {
    f << 1 - std::exp(-t), std::cos(t) + std::exp(t) * std::sin(t);
  }
};

class Example62 final : public Radial {
 public:
  Example62() : Radial(1) {}
  std::optional<State> exact(double t) const override {
    return State{t, Eigen::Vector3d(t - .5, t * t - .25, std::exp(t))};
  }
  Eigen::Vector2d path(double t) const override { return {t - .5, t * t - .25}; }
  void g_t(double t, In, Out rate) const override { rate[0] = -(t - .5) - (t * t - .25) * 2 * t; }

 private:
  void free(double t, In, Out f) const override {
    f << 1 + (t - .5) * std::exp(t), 2 * t + (t * t - .25) * std::exp(t);
  }
};

class Example63 final : public Example {
 public:
  Example63() : Example(1) {}
  std::optional<State> exact(double t) const override {
    return State{t, Eigen::Vector3d(1 - 2 * t, std::sin(t), -std::cos(t) / (1 - 2 * t))};
  }
  void g(double t, In x, Out r) const override { r[0] = x[0] * x[0] + x[0] * rest(t, x); }
  void g_y(double t, In x, Entries& a) const override { a.write(row, {2 * x[0] + rest(t, x), x[0]}); }
  void g_t(double t, In x, Out rate) const override { rate[0] = x[0] * (2 - std::cos(t)); }
  void f_y(double, In, In y, Entries& a) const override { a.write(square, {-1, 1, -y[0], 0}); }

 private:
  static double rest(double t, In x) { return x[1] - std::sin(t) - 1 + 2 * t; }
  void free(double t, In x, Out f) const override { f << -x[0] + x[1] - std::sin(t) - (1 + 2 * t), 0; }
  void directions(In x, Out B) const override { B << 0, x[0]; }
};

template <class Which>
ProblemEntry entry(const char* name, const char* summary) {
  return {name, summary, Kind::hessenberg, "AscherLin1997", {}, [](const Parameters&) {
            return std::make_shared<const Which>();
          }};
}

}  // namespace

std::vector<ProblemEntry> problems_in_ascher_lin() {
  return {
      entry<Example31>("ascher-lin-3-1", "index 2, singular at pi/2, where B y stays bounded and y does not"),
      entry<Example61>("ascher-lin-6-1", "index 2 without a singularity"),
      entry<Example62>("ascher-lin-6-2", "index 2, singular at 1/2, y bounded"),
      entry<Example63>("ascher-lin-6-3", "index 2, singular at 1/2, y unbounded")};
}

}  // namespace dalembert
