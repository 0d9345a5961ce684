// dopri5: the pair 5(4) of Dormand and Prince with its dense output of order 4
// [DormandPrince1980; HairerNorsettWanner1993, II.5 and II.6].
#include "dalembert/method/runge_kutta/dormand_prince.h"
#include "dalembert/method/runge_kutta/explicit_runge_kutta.h"

namespace dalembert {

namespace {

/// u(theta) = y0 + theta (c1 + (1-theta) (c2 + theta (c3 + (1-theta) c4)))     [HairerNorsettWanner1993, (6.12)]
class Dopri5 final : public ExplicitRungeKutta {
 public:
  Dopri5() : ExplicitRungeKutta("dopri5", Tableau::of(dormand_prince), 1.0 / 5, Strictness{0.05}) {}

  void bind(const Problem& problem, const Setting& setting) override {
    ExplicitRungeKutta::bind(problem, setting);
    c_ = Matrix::Zero(y0_.size(), 4);
  }

 protected:
  void prepare_dense(double h) override {
    c_.col(0) = y1_ - y0_;
    c_.col(1) = h * K_.col(0) - c_.col(0);
    c_.col(2) = c_.col(0) - h * K_.col(6) - c_.col(1);
    c_.col(3).setZero();
    correction_.add(h, K_, c_.col(3));
  }
  void dense(double theta, Out y) const override { alternating(theta, y0_, c_, y); }
  void dense(double theta, Out y, Out dy) const override { alternating(theta, y0_, c_, y, dy); }

 private:
  static constexpr const char* correction[7] = {"-12715105075/11282082432",  "0",
                                                "87487479700/32700410799",   "-10690763975/1880347072",
                                                "701980252875/199316789632", "-1453857185/822651844",
                                                "69997945/29380423"};
  /// Read once for all: that takes longer than a step.
  static const Row& correction_row() {
    static const Row row = [] {
      Vector d(7);
      for (Eigen::Index i = 0; i < 7; ++i) d[i] = coefficient(correction[static_cast<std::size_t>(i)]);
      return Row(d);
    }();
    return row;
  }
  const Row& correction_ = correction_row();
  Matrix c_;
};

}  // namespace

std::vector<MethodEntry> methods_in_dopri5() {
  return {{.name = "dopri5",
           .summary = "Dormand-Prince pair 5(4)",
           .cite = "DormandPrince1980 HairerNorsettWanner1993",
           .claims = {{Kind::ode, "y", 5}},
           .adaptive = true,
           .dense_order = 4,
           .options = {},
           .make = [] { return std::make_unique<Dopri5>(); },
           .tableau = dormand_prince,
           .preferences = {{Kind::ode}}}};
}

}  // namespace dalembert
