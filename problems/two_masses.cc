// Two masses in a row on springs: what becomes of the fast mode when one mass is light or one spring is stiff.
//
//   m1 x1'' + k1 x1 + k2 (x1 - x2) = 0,   m2 x2'' + k2 (x2 - x1) = 0           [MantegazzaMasarati2012, (86)]
//
// two-mass-light keeps v1 = x1' beside m1 -> 0:
//
//   x1' = v1,  x2' = v2,  m1 v1' + (k1+k2) x1 - k2 x2 = 0,  m2 v2' + k2 (x2-x1) = 0,
//
// at m1 = 0 of index 2 in v1. two-mass-stiff keeps the force R of the first spring beside its compliance c1 = 1/k1 -> 0:
//
//   x1' = v1,  x2' = v2,  m1 v1' + R + k2 (x1-x2) = 0,  m2 v2' + k2 (x2-x1) = 0,  x1 - c1 R = 0,
//
// at c1 = 0 of index 3 in R and 2 in v1. With A = 1 + c1 k2 + c1 m1 k2/m2 and D = sqrt(A^2 - 4 c1 m1 k2/m2) the
// frequencies are
//
//   w_slow^2 = 2 (k2/m2)/(A + D),   w_fast^2 = (A + D)/(2 c1 m1).
//
// For m1 = 0 that is w_slow^2 = 1/(m2 (1/k1 + 1/k2)), for c1 = 0 it is k2/m2. The start is at rest, in the slow mode with
// x2 = 1 and in the fast one with x1 = fast.
#include <cmath>
#include <numbers>

#include "dalembert/core/error.h"
#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

struct Masses {
  double m1, m2, c1, k2;
};

/// x1, x2, v1, v2 and the force R of the first spring.
struct Motion {
  double x1, x2, v1, v2, R;
};

Motion motion(const Masses& b, double fast, double t) {
  const double ratio = b.k2 / b.m2, A = 1 + b.c1 * b.k2 + b.c1 * b.m1 * ratio,
               D = std::sqrt(A * A - 4 * b.c1 * b.m1 * ratio);
  const double w = std::sqrt(2 * ratio / (A + D));
  const double R = b.k2 / (1 + b.c1 * b.k2 - b.c1 * b.m1 * w * w),
               x1 = b.c1 * R;  // of the slow mode, for x2 = 1
  Motion sum{x1 * std::cos(w * t), std::cos(w * t), -w * x1 * std::sin(w * t), -w * std::sin(w * t),
             R * std::cos(w * t)};
  if (fast == 0) return sum;
  const double W = std::sqrt((A + D) / (2 * b.c1 * b.m1)), x2 = 1 / (1 - W * W / ratio);  // for x1 = 1
  const double cos = fast * std::cos(W * t), sin = fast * std::sin(W * t);
  sum.x1 += cos;
  sum.x2 += x2 * cos;
  sum.v1 -= W * sin;
  sum.v2 -= W * x2 * sin;
  sum.R += cos / b.c1;
  return sum;
}

/// What both limits share.
class TwoMasses : public Implicit {
 public:
  TwoMasses(Masses b, double fast) : b_(b), fast_(fast) {
    if (fast != 0 && !(b.m1 > 0 && b.c1 > 0))
      throw Error("there is no fast mode in the limit", "set fast to 0, or m1 and c1 above 0");
    if (b.m1 < 0 || b.c1 < 0) throw Error("m1 and c1 cannot be negative", "set them to 0 or more");
  }
  double end() const override { return 10; }
  State start() const override { return *exact(0); }

 protected:
  Masses b_;
  double fast_;
};

class TwoMassLight : public TwoMasses {
 public:
  explicit TwoMassLight(const Parameters& p)
      : TwoMasses({p["m1"], p.positive("m2"), 1 / p.positive("k1"), p.positive("k2")}, p["fast"]),
        k1_(p["k1"]) {}
  Layout layout() const override {
    const bool limit = b_.m1 == 0;
    return Layout()
        .add("x", 2, Role::differential, 1, {}, {"m", "m"})
        .add("v2", 1, Role::differential, 1, {"v2"}, {"m/s"})
        .add("v1", 1, limit ? Role::algebraic : Role::differential, limit ? 2 : 1, {"v1"}, {"m/s"});
  }
  std::optional<State> exact(double t) const override {
    const Motion at = motion(b_, fast_, t);
    return State{t, Eigen::Vector4d(at.x1, at.x2, at.v2, at.v1)};
  }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    const T x1 = y[0], x2 = y[1], v2 = y[2], v1 = y[3];
    r[0] = dy[0] - v1;
    r[1] = dy[1] - v2;
    r[2] = b_.m2 * dy[2] + b_.k2 * (x2 - x1);
    r[3] = b_.m1 * dy[3] + k1_ * x1 + b_.k2 * (x1 - x2);
  }

 private:
  double k1_;
};

class TwoMassStiff : public TwoMasses {
 public:
  explicit TwoMassStiff(const Parameters& p)
      : TwoMasses({p.positive("m1"), p.positive("m2"), p["c1"], p.positive("k2")}, p["fast"]) {}
  Layout layout() const override {
    const bool limit = b_.c1 == 0;
    return Layout()
        .add("x", 2, Role::differential, 1, {}, {"m", "m"})
        .add("v2", 1, Role::differential, 1, {"v2"}, {"m/s"})
        .add("v1", 1, Role::differential, limit ? 2 : 1, {"v1"}, {"m/s"})
        .add("R", 1, Role::algebraic, limit ? 3 : 1, {"R"}, {"N"});
  }
  std::optional<State> exact(double t) const override {
    const Motion at = motion(b_, fast_, t);
    State state{t, Vector(5)};
    state.y << at.x1, at.x2, at.v2, at.v1, at.R;
    return state;
  }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    const T x1 = y[0], x2 = y[1], v2 = y[2], v1 = y[3], R = y[4];
    r[0] = dy[0] - v1;
    r[1] = dy[1] - v2;
    r[2] = b_.m2 * dy[2] + b_.k2 * (x2 - x1);
    r[3] = b_.m1 * dy[3] + R + b_.k2 * (x1 - x2);
    r[4] = x1 - b_.c1 * R;
  }
};

}  // namespace

std::vector<ProblemEntry> problems_in_two_masses() {
  const Parameter m2 = {"m2", 1, "kg", "mass at the free end"},
                  k2 = {"k2", 1, "N/m", "spring between the masses"},
                  fast = {"fast", 0, "m", "amplitude of the fast mode at the start"};
  return {{"two-mass-light",
           "two masses in a row, the first one light; m1 = 0 gives index 2",
           Kind::implicit,
           "MantegazzaMasarati2012",
           {{"m1", 1e-4, "kg", "mass near the ground; 0 in the limit"},
            m2,
            {"k1", 1, "N/m", "spring to the ground"},
            k2,
            fast},
           [](const Parameters& p) { return std::make_shared<const AutomaticImplicit<TwoMassLight>>(p); }},
          {"two-mass-stiff",
           "two masses in a row, the first spring stiff; c1 = 0 gives index 3",
           Kind::implicit,
           "MantegazzaMasarati2012",
           {{"c1", 1e-4, "m/N", "compliance of the spring to the ground, 1/k1; 0 in the limit"},
            {"m1", 1, "kg", "mass near the ground"},
            m2,
            k2,
            fast},
           [](const Parameters& p) { return std::make_shared<const AutomaticImplicit<TwoMassStiff>>(p); }}};
}

}  // namespace dalembert
