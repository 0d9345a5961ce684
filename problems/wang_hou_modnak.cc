// Two joined structures, the model problem of [WangHouModnak2011]: fields x and y held together by x2 = 2 y1.
//
//   [4 1; 1 3] x'' = [2 1; 1 2] x + (6, 7) - (0, lambda)                                           (16)
//   [5 2; 2 4] y'' = [1 2; 0 2] y + (10, 4) + (2 lambda, 0),   0 = x2 - 2 y1                        (17), (18)
//
// The solved forms (22), (24) of the paper, used in its computations, belong to y with [1 2; 0 2] negated: that is what
// `printed` = 1 gives. Interface rows on y contract by -4/11 per iteration, on x by -11/4. Digits: ours, by the
// exponential of the matrix of the reduced system in extended precision. Everything starts at rest in 0.
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/partitioned.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

class JoinedStructures final : public Mechanical {
 public:
  explicit JoinedStructures(double sign) : sign_(sign) {}
  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 1}; }
  Layout layout() const override {
    static const Layout layout = mechanical_layout(
        {.q = {"x1", "x2", "y1", "y2"}, .v = {"x1'", "x2'", "y1'", "y2'"}, .lambda = {"joint"}});
    return layout;
  }
  State start() const override {
    State state{0, Vector::Zero(9)};
    state.y[8] = -22. / 15;
    return state;
  }
  double end() const override { return 10; }
  std::optional<State> exact(double t) const override;

  void mass(const Placement&, Entries& M) const override {
    M.write<8>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 2}, {3, 3}}}, {4, 1, 1, 3, 5, 2, 2, 4});
  }
  void force(const Placement& at, In /*v*/, In /*s*/, Out f) const override {
    const Vector& q = at.q;
    f[0] = 2 * q[0] + q[1] + 6;
    f[1] = q[0] + 2 * q[1] + 7;
    f[2] = sign_ * (q[2] + 2 * q[3]) + 10;
    f[3] = sign_ * 2 * q[3] + 4;
  }
  void g(const Placement& at, Out residual) const override { residual[0] = at.q[1] - 2 * at.q[2]; }
  void jacobian(const Placement&, Entries& J) const override { J.write<2>({{{0, 1}, {0, 2}}}, {1, -2}); }
  void bias(const Placement&, In /*v*/, Out bias) const override { bias[0] = 0; }
  void derivatives(const Placement&, In, In, In, In, Derivatives& d) const override {
    d.K.write<7>({{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}, {2, 3}, {3, 3}}},
                 {-2, -1, -1, -2, -sign_, -2 * sign_, -2 * sign_});
  }
  // The stiffness of y is not symmetric: the joined structures have no energy, but the power of what is not
  // derived from one is known.
  std::optional<double> energy(const Placement& at, In v, In /*s*/) const override {
    const Vector& q = at.q;
    return 2 * v[0] * v[0] + v[0] * v[1] + 1.5 * v[1] * v[1] + 2.5 * v[2] * v[2] + 2 * v[2] * v[3] +
           2 * v[3] * v[3] - (q[0] * q[0] + q[0] * q[1] + q[1] * q[1] + 6 * q[0] + 7 * q[1]) -
           sign_ * (q[2] * q[2] / 2 + q[3] * q[3]) - 10 * q[2] - 4 * q[3];
  }
  double power(const Placement& at, In v, In /*s*/) const override { return sign_ * 2 * at.q[3] * v[2]; }
  bool conservative() const override { return false; }

 private:
  double sign_;
};

std::optional<State> JoinedStructures::exact(double t) const {
  constexpr double none = not_a_number;
  const auto row = [](double x1, double x2, double y2, double lambda) {
    return std::vector<double>{x1, x2, x2 / 2, y2, none, none, none, none, lambda};
  };
  if (sign_ < 0)
    return digits_at(
        t, {{10, row(2820.0756455014087, 2928.5950341968932, -377.92210586896605, 2139.5587528095475)}});
  return digits_at(
      t, {{1, row(0.46269984261305742, 1.3310408574601888, 0.17473891126362876, -1.0919160455012027)},
          {2, row(2.2389525649925177, 6.1579155643490351, 0.57300743587581910, 0.36650035874342863)},
          {5, row(43.755097545168862, 95.668013653331148, -10.732921601780881, 35.408688128452663)},
          {10, row(2962.2739721078645, 4358.8874304105803, -2203.2040393752183, 2436.3627826682931)}});
}

}  // namespace

std::vector<ProblemEntry> problems_in_wang_hou_modnak() {
  return {{"wang-hou-modnak",
           "two joined structures, fields x and y with x2 = 2 y1",
           Kind::partitioned,
           "WangHouModnak2011",
           {{"printed", 0, "", "1: the signs of the printed forms (22), (24)"}},
           [](const Parameters& p) {
             const double sign = p.count("printed", 0, 1) == 1 ? -1 : 1;
             return cut_in_two(std::make_shared<const JoinedStructures>(sign), 2);
           }}};
}

}  // namespace dalembert
