// An index-3 problem that is not mechanical and has a closed solution [Jay1993Collocation].
//
//   y1' = 2 y1 y2 z1 z2,  y2' = -y1 y2 z2^2,  z1' = (y1 y2 + z1 z2) u,  z2' = -y1 y2^2 z2^2 u,  0 = y1 y2^2 -
//   1
//
// y1 = z1 = exp(2t), y2 = z2 = exp(-t), u = exp(t). Stated in its index-2 form, whose constraint is the
// derivative
//
//   0 = y2^2 y1' + 2 y1 y2 y2' = 2 y1 y2^2 z2 (y2 z1 - y1 z2)
//
// and whose invariant is the position constraint itself.
#include <cmath>

#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/hessenberg.h"

namespace dalembert {
namespace {

class ExactIndex3 : public Hessenberg, public Invariant {
 public:
  Layout layout() const override {
    return Layout()
        .add("y", 4, Role::differential, 1, {"y1", "y2", "z1", "z2"})
        .add("u", 1, Role::algebraic, 2, {"u"});
  }
  State start() const override { return *exact(0); }
  double end() const override { return 1; }
  std::optional<State> exact(double t) const override {
    State state{t, Vector(5)};
    state.y << std::exp(2 * t), std::exp(-t), std::exp(2 * t), std::exp(-t), std::exp(t);
    return state;
  }

  void f(double, In y, In u, Out dy) const override {
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3];
    dy[0] = 2 * y1 * y2 * z1 * z2;
    dy[1] = -y1 * y2 * z2 * z2;
    dy[2] = (y1 * y2 + z1 * z2) * u[0];
    dy[3] = -y1 * y2 * y2 * z2 * z2 * u[0];
  }
  void f_y(double, In y, In u, Entries& a) const override {
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3];
    a.begin();
    a.add(0, 0, 2 * y2 * z1 * z2);
    a.add(0, 1, 2 * y1 * z1 * z2);
    a.add(0, 2, 2 * y1 * y2 * z2);
    a.add(0, 3, 2 * y1 * y2 * z1);
    a.add(1, 0, -y2 * z2 * z2);
    a.add(1, 1, -y1 * z2 * z2);
    a.add(1, 3, -2 * y1 * y2 * z2);
    a.add(2, 0, y2 * u[0]);
    a.add(2, 1, y1 * u[0]);
    a.add(2, 2, z2 * u[0]);
    a.add(2, 3, z1 * u[0]);
    a.add(3, 0, -y2 * y2 * z2 * z2 * u[0]);
    a.add(3, 1, -2 * y1 * y2 * z2 * z2 * u[0]);
    a.add(3, 3, -2 * y1 * y2 * y2 * z2 * u[0]);
    a.end();
  }
  void f_z(double, In y, In /*u*/, Entries& a) const override {
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3];
    a.begin();
    a.add(2, 0, y1 * y2 + z1 * z2);
    a.add(3, 0, -y1 * y2 * y2 * z2 * z2);
    a.end();
  }
  void g(double, In y, Out residual) const override { residual[0] = velocity(y); }
  void g_y(double, In y, Entries& a) const override {
    const Eigen::RowVector4d row = velocity_row(y);
    a.begin();
    for (Eigen::Index j = 0; j < 4; ++j) a.add(0, j, row[j]);
    a.end();
  }
  void g_t(double, In, Out rate) const override { rate.setZero(); }
  const Invariant* invariant() const override { return this; }

  /// Position and velocity constraint together, so that the one is not spoilt by mending the other.
  Outcome project(double, Out y) const override {
    for (int iteration = 0; iteration < 10; ++iteration) {
      const Eigen::Vector4d at = y.head<4>();
      const Eigen::Vector2d defect(at[0] * at[1] * at[1] - 1, velocity(at));
      if (!defect.allFinite()) return Outcome::not_finite;
      if (defect.cwiseAbs().maxCoeff() <= 1e-14 * (1 + at.cwiseAbs().maxCoeff())) return Outcome::ok;
      Eigen::Matrix<double, 2, 4> rows;
      rows << at[1] * at[1], 2 * at[0] * at[1], 0, 0, velocity_row(at);
      y.head<4>() -= rows.transpose() * (rows * rows.transpose()).inverse() * defect;
    }
    return Outcome::projection_failed;
  }

 private:
  static double velocity(In y) { return 2 * y[0] * y[1] * y[1] * y[3] * (y[1] * y[2] - y[0] * y[3]); }
  static Eigen::RowVector4d velocity_row(In y) {
    const double y1 = y[0], y2 = y[1], z1 = y[2], z2 = y[3];
    return {2 * y2 * y2 * z2 * (y2 * z1 - 2 * y1 * z2), 2 * y1 * y2 * z2 * (3 * y2 * z1 - 2 * y1 * z2),
            2 * y1 * y2 * y2 * y2 * z2, 2 * y1 * y2 * y2 * (y2 * z1 - 2 * y1 * z2)};
  }
};

}  // namespace

std::vector<ProblemEntry> problems_in_exact_index3() {
  return {{"exact-index3",
           "index 3 and not mechanical, stated with index 2, solved by exponentials: for order tests",
           Kind::hessenberg,
           "Jay1993Collocation",
           {},
           [](const Parameters&) { return std::make_shared<const ExactIndex3>(); }}};
}

}  // namespace dalembert
