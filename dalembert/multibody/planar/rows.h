// The rows of planar joints, in the local coordinates q = (x_a, y_a, phi_a, x_b, y_b, phi_b); see row_set.h.
#pragma once

#include <array>
#include <cmath>

#include "dalembert/multibody/length.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/row_set.h"

namespace dalembert::planar {

using Frame = PlanarFrame;

struct Arrow {
  double x = 0, y = 0;
  double dot(const Arrow& o) const { return x * o.x + y * o.y; }
  Arrow normal() const { return {-y, x}; }  ///< turned by a quarter: its derivative with respect to its angle
  friend Arrow operator-(const Arrow& a, const Arrow& b) { return {a.x - b.x, a.y - b.y}; }
  friend Arrow operator+(const Arrow& a, const Arrow& b) { return {a.x + b.x, a.y + b.y}; }
};
inline Arrow turned(const Frame& f, const Point2& p) {
  return {f.turn.cos * p[0] - f.turn.sin * p[1], f.turn.sin * p[0] + f.turn.cos * p[1]};
}
inline Arrow place(const Frame& f, const Point2& p) {
  return Arrow{f.x, f.y} + turned(f, p);
}

/// Three displacements per body.
struct Space {
  static constexpr int coordinates = 3;
  static const Frame& frame(const Placement& at, int body) {
    return static_cast<const PlanarPlacement&>(at).frames[static_cast<std::size_t>(body + 1)];
  }
};

// Two numbers in one register.
using Pair = double __attribute__((vector_size(16)));
using PairInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));
inline Pair pair_at(const double* p) {
  return *reinterpret_cast<const PairInMemory*>(p);
}
inline void write(Pair pair, double* p) {
  *reinterpret_cast<PairInMemory*>(p) = pair;
}
inline void add(Pair more, double* p) {
  write(pair_at(p) + more, p);
}

inline Pair normal(Pair d) {
  return Pair{-1, 1} * __builtin_shufflevector(d, d, 1, 0);
}
inline Pair arm(const Frame& f, const Point2& p) {
  const Pair on = pair_at(p.data());
  return f.turn.cos * on + f.turn.sin * normal(on);
}

/// p_b - p_a = 0
struct Pin {
  static constexpr int rows = 2;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places{JacobianPlace{0, 0}, JacobianPlace{0, 2}, JacobianPlace{1, 1},
                                              JacobianPlace{1, 2}, JacobianPlace{0, 3}, JacobianPlace{0, 5},
                                              JacobianPlace{1, 4}, JacobianPlace{1, 5}};
  static constexpr std::array hessian_places{HessianPlace{0, 2, 2}, HessianPlace{1, 2, 2},
                                             HessianPlace{0, 5, 5}, HessianPlace{1, 5, 5}};
  Point2 on_a, on_b;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    const Arrow d = place(b, on_b) - place(a, on_a);
    g[0] = d.x, g[1] = d.y;
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b);
    s[0] = -1, s[1] = da.y, s[2] = -1, s[3] = -da.x;
    s[4] = 1, s[5] = -db.y, s[6] = 1, s[7] = db.x;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b);
    h[0] = da.x, h[1] = da.y, h[2] = -db.x, h[3] = -db.y;
  }
  void third(const Frame& a, const Frame& b, const double* v, double* h) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b);
    h[0] = -v[2] * da.y, h[1] = v[2] * da.x, h[2] = v[5] * db.y, h[3] = -v[5] * db.x;
  }
  /// With d the arm and e the same turned by a quarter: p'' = r'' + e phi'' - d phi'^2, and the moment of l is e . l. Both components
  /// at once.
  void sums(const Frame& a, const Frame& b, OfBoth v, OfBoth w, const double* l, double* sum, double* to_a,
            double* to_b) const {
    const Pair da = arm(a, on_a), db = arm(b, on_b), ea = normal(da), eb = normal(db);
    const Pair push = pair_at(l), moment_a = ea * push, moment_b = eb * push;
    const Pair inward = da * v.a[2] * v.a[2] - db * v.b[2] * v.b[2];
    write(inward - pair_at(w.a) - ea * w.a[2] + pair_at(w.b) + eb * w.b[2], sum);
    add(-push, to_a), to_a[2] -= moment_a[0] + moment_a[1];
    add(push, to_b), to_b[2] += moment_b[0] + moment_b[1];
  }
};

/// phi_b - ratio phi_a - constant = 0
struct Turning {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places{JacobianPlace{0, 2}, JacobianPlace{0, 5}};
  static constexpr std::array<HessianPlace, 0> hessian_places{};
  double ratio, constant;

  void value(const Frame& a, const Frame& b, double, double* g) const {
    g[0] = b.phi - ratio * a.phi - constant;
  }
  void jacobian(const Frame&, const Frame&, double* s) const { s[0] = -ratio, s[1] = 1; }
  void hessian(const Frame&, const Frame&, double*) const {}
};

/// n . (p_b - p_a) = n . E - offset = 0 with n fixed to a and E = p_b - r_a: a point of b on a line of a.
struct Slot {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places{JacobianPlace{0, 0}, JacobianPlace{0, 1}, JacobianPlace{0, 2},
                                              JacobianPlace{0, 3}, JacobianPlace{0, 4}, JacobianPlace{0, 5}};
  static constexpr std::array hessian_places{
      HessianPlace{0, 2, 0}, HessianPlace{0, 0, 2}, HessianPlace{0, 2, 1}, HessianPlace{0, 1, 2},
      HessianPlace{0, 2, 3}, HessianPlace{0, 3, 2}, HessianPlace{0, 2, 4}, HessianPlace{0, 4, 2},
      HessianPlace{0, 2, 2}, HessianPlace{0, 5, 5}, HessianPlace{0, 2, 5}, HessianPlace{0, 5, 2}};
  Point2 normal, on_b;
  double offset;  ///< of the line from the centre of mass of a, along the normal

  void value(const Frame& a, const Frame& b, double, double* g) const {
    g[0] = turned(a, normal).dot(place(b, on_b) - Arrow{a.x, a.y}) - offset;
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Arrow n = turned(a, normal), m = n.normal(), d = turned(b, on_b),
                E = Arrow{b.x, b.y} + d - Arrow{a.x, a.y};
    s[0] = -n.x, s[1] = -n.y, s[2] = m.dot(E);
    s[3] = n.x, s[4] = n.y, s[5] = n.dot(d.normal());
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Arrow n = turned(a, normal), m = n.normal(), d = turned(b, on_b),
                E = Arrow{b.x, b.y} + d - Arrow{a.x, a.y};
    h[0] = h[1] = -m.x, h[2] = h[3] = -m.y;
    h[4] = h[5] = m.x, h[6] = h[7] = m.y;
    h[8] = -n.dot(E), h[9] = -n.dot(d), h[10] = h[11] = m.dot(d.normal());
  }
  void third(const Frame& a, const Frame& b, const double* v, double* h) const {
    const Arrow n = turned(a, normal), m = n.normal(), d = turned(b, on_b), e = d.normal(),
                E = Arrow{b.x, b.y} + d - Arrow{a.x, a.y};
    const Arrow rate{v[3] - v[0] + v[5] * e.x, v[4] - v[1] + v[5] * e.y};  // of E
    h[0] = h[1] = v[2] * n.x, h[2] = h[3] = v[2] * n.y;
    h[4] = h[5] = -v[2] * n.x, h[6] = h[7] = -v[2] * n.y;
    h[8] = -v[2] * m.dot(E) - n.dot(rate), h[9] = -v[2] * m.dot(d) - v[5] * n.dot(e);
    h[10] = h[11] = -v[2] * n.dot(e) - v[5] * m.dot(d);
  }
};

/// u . (p_b - r_a) - offset + radius (phi_b - phi_a - start) = 0 with u fixed to a: a circle of b, which lies to the left of
/// a line of a with that direction (to the right: its radius counts negative), rolls on it.
struct Roll {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = Slot::jacobian_places;
  static constexpr std::array hessian_places = Slot::hessian_places;
  Slot slide;
  double radius, start;

  void value(const Frame& a, const Frame& b, double t, double* g) const {
    slide.value(a, b, t, g);
    g[0] += radius * (b.phi - a.phi - start);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    slide.jacobian(a, b, s);
    s[2] -= radius, s[5] += radius;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const { slide.hessian(a, b, h); }
  void third(const Frame& a, const Frame& b, const double* v, double* h) const { slide.third(a, b, v, h); }
};

/// (D . D - L^2)/(2 L) = 0 with D = p_b - p_a: on the constraint the multiplier is the force along the rod.
struct Rod {
  static constexpr int rows = 1;
  static constexpr bool holonomic = true;
  static constexpr std::array jacobian_places = Slot::jacobian_places;
  static constexpr std::array hessian_places = [] {
    std::array<HessianPlace, 36> all{};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) all[static_cast<std::size_t>(6 * i + j)] = {0, i, j};
    return all;
  }();
  Point2 on_a, on_b;
  double length;

  static double distance(const Frame& a, const Point2& on_a, const Frame& b, const Point2& on_b) {
    const Arrow D = place(b, on_b) - place(a, on_a);
    return std::hypot(D.x, D.y);
  }
  void value(const Frame& a, const Frame& b, double, double* g) const {
    const Arrow D = place(b, on_b) - place(a, on_a);
    g[0] = (D.dot(D) - length * length) / (2 * length);
  }
  void jacobian(const Frame& a, const Frame& b, double* s) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b), D = Arrow{b.x, b.y} + db - Arrow{a.x, a.y} - da;
    s[0] = -D.x / length, s[1] = -D.y / length, s[2] = -D.dot(da.normal()) / length;
    s[3] = D.x / length, s[4] = D.y / length, s[5] = D.dot(db.normal()) / length;
  }
  void hessian(const Frame& a, const Frame& b, double* h) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b), D = Arrow{b.x, b.y} + db - Arrow{a.x, a.y} - da,
                ea = da.normal(), eb = db.normal();
    const Arrow along[6] = {{-1, 0}, {0, -1}, {-ea.x, -ea.y}, {1, 0}, {0, 1}, eb};  // dD/dq_i
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) h[6 * i + j] = along[i].dot(along[j]) / length;
    h[6 * 2 + 2] += D.dot(da) / length;
    h[6 * 5 + 5] -= D.dot(db) / length;
  }
  void third(const Frame& a, const Frame& b, const double* v, double* h) const {
    const Arrow da = turned(a, on_a), db = turned(b, on_b), D = Arrow{b.x, b.y} + db - Arrow{a.x, a.y} - da,
                ea = da.normal(), eb = db.normal();
    const Arrow along[6] = {{-1, 0}, {0, -1}, {-ea.x, -ea.y}, {1, 0}, {0, 1}, eb};
    const Arrow change[6] = {{}, {}, {v[2] * da.x, v[2] * da.y}, {}, {}, {-v[5] * db.x, -v[5] * db.y}};
    Arrow rate;  // of D
    for (int i = 0; i < 6; ++i) rate = rate + Arrow{v[i] * along[i].x, v[i] * along[i].y};
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) h[6 * i + j] = (change[i].dot(along[j]) + along[i].dot(change[j])) / length;
    h[6 * 2 + 2] += (rate.dot(da) + v[2] * D.dot(ea)) / length;
    h[6 * 5 + 5] -= (rate.dot(db) + v[5] * D.dot(eb)) / length;
  }
};

using Length = LengthOf<Rod, Frame>;

template <class Kind>
using PlanarRows = RowSet<Space, Kind>;

}  // namespace dalembert::planar
