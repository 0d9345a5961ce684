// Forces between bodies in the plane.
//
//   spring   F = k (l - L) + c l',  l = |p_b - p_a|,   f_i = -F dl/dq_i
//
// in the local coordinates q = (x_a, y_a, phi_a, x_b, y_b, phi_b).
#pragma once

#include <cmath>

#include "dalembert/multibody/planar_rows.h"

namespace dalembert::planar {

class PlanarSprings final : public Forces {
 public:
  struct Spring {
    Ends<3> ends;
    Point2 on_a, on_b;
    double stiffness, damping, length;
  };
  std::vector<Spring> springs;

  void force(const Placement& at, In v, In, Out f) const override {
    for (const Spring& s : springs) {
      const Stretch l(at, s);
      const double F = s.stiffness * (l.length - s.length) + s.damping * l.rate(s, v);
      for (int i = 0; i < 6; ++i)
        if (const Eigen::Index k = s.ends.coordinate(i); k >= 0) f[k] -= F * l.slope[i];
    }
  }
  void derivatives(const Placement& at, In v, In, Derivatives& d) const override {
    for (const Spring& s : springs) {
      const Stretch l(at, s);
      double H[6][6], u[6], turned_rate[6] = {};
      l.bend(H);
      s.ends.local(v, u);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) turned_rate[j] += H[i][j] * u[i];
      const double F = s.stiffness * (l.length - s.length) + s.damping * l.rate(s, v);
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) {
          const Eigen::Index row = s.ends.coordinate(i), column = s.ends.coordinate(j);
          if (row < 0 || column < 0) continue;
          d.K.add(row, column,
                  F * H[i][j] + l.slope[i] * (s.stiffness * l.slope[j] + s.damping * turned_rate[j]));
          d.D.add(row, column, s.damping * l.slope[i] * l.slope[j]);
        }
    }
  }
  double potential(const Placement& at) const override {
    double sum = 0;
    for (const Spring& s : springs) {
      const double longer = Stretch(at, s).length - s.length;
      sum += s.stiffness * longer * longer / 2;
    }
    return sum;
  }
  double power(const Placement& at, In v, In) const override {
    double sum = 0;
    for (const Spring& s : springs) {
      const double rate = Stretch(at, s).rate(s, v);
      sum -= s.damping * rate * rate;
    }
    return sum;
  }
  bool conservative() const override {
    return std::all_of(springs.begin(), springs.end(), [](const Spring& s) { return s.damping == 0; });
  }

 private:
  /// l = |D| with its gradient.
  struct Stretch {
    Stretch(const Placement& at, const Spring& s)
        : da(turned(Space::frame(at, s.ends.a), s.on_a)),
          db(turned(Space::frame(at, s.ends.b), s.on_b)),
          D(place(Space::frame(at, s.ends.b), s.on_b) - place(Space::frame(at, s.ends.a), s.on_a)) {
      length = std::hypot(D.x, D.y);
      for (int i = 0; i < 6; ++i) slope[i] = along(i).dot(D) / length;
    }
    /// dD/dq_i
    Arrow along(int i) const {
      const Arrow turn = i < 3 ? da.normal() : db.normal();
      const Arrow all[] = {{1, 0}, {0, 1}, turn};
      return i < 3 ? Arrow{-all[i].x, -all[i].y} : all[i - 3];
    }
    void bend(double (&H)[6][6]) const {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) H[i][j] = (along(i).dot(along(j)) - slope[i] * slope[j]) / length;
      H[2][2] += D.dot(da) / length;
      H[5][5] -= D.dot(db) / length;
    }
    double rate(const Spring& s, In v) const {
      double u[6], sum = 0;
      s.ends.local(v, u);
      for (int i = 0; i < 6; ++i) sum += slope[i] * u[i];
      return sum;
    }

    Arrow da, db, D;
    double length, slope[6];
  };
};

}  // namespace dalembert::planar
