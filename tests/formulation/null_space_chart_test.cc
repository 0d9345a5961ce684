// Is the chart of a null space orthonormal and carried along, does it know its derivative, and when is it worn?
#include "dalembert/formulation/null_space/null_space_chart.h"

#include <gtest/gtest.h>

#include <cmath>

namespace dalembert {
namespace {

// J(t), w(t): smooth rows, and the derivatives of the chart along them.
Matrix rows_at(double t) {
  Matrix Jt(4, 2);
  Jt << 1 + .2 * std::sin(t), .3 * t, std::cos(2 * t), 1, .5, -std::sin(t), t, 2 - t * t;
  return Jt;
}
Vector drive_at(double t) {
  return Vector{{std::sin(3 * t), 1 + t}};
}

TEST(Chart, IsOrthonormalAlignedAndKnowsItsDerivative) {
  for (const auto by :
       {Orthonormal::qr, Orthonormal::svd, Orthonormal::zero_eigenvalue, Orthonormal::gram_schmidt}) {
    AlignedChart chart(4, 2, by, AlignedChart::Alignment::carried);
    ASSERT_EQ(chart.settle(rows_at(0)), Outcome::ok);
    const Matrix T0 = chart.T();
    const double t = .6, d = 1e-3;
    const auto T_at = [&](double time) -> Matrix {
      EXPECT_EQ(chart.move(rows_at(time)), Outcome::ok);
      return chart.T();
    };
    const auto shortest_at = [&](double time) {
      Vector v_p(4);
      chart.move(rows_at(time));
      chart.particular(drive_at(time), v_p);
      return Vector(-v_p);
    };
    const auto rate = [&](auto&& of) {  // order 6
      using Value = std::decay_t<decltype(of(0.))>;
      return Value((45 * (of(t + d) - of(t - d)) - 9 * (of(t + 2 * d) - of(t - 2 * d)) +
                    (of(t + 3 * d) - of(t - 3 * d))) /
                   (60 * d));
    };
    const Matrix dT = rate(T_at), dJt = rate(rows_at);
    const Vector dv_p = rate(shortest_at), e{{.7, -1.3}};
    const Matrix T = T_at(t), S = T.transpose() * T0;
    EXPECT_LT((rows_at(t).transpose() * T).norm(), 1e-14);
    EXPECT_LT((T.transpose() * T - Matrix::Identity(2, 2)).norm(), 1e-14);
    EXPECT_LT((S - S.transpose()).norm(), 1e-14);
    Vector x(2);
    ASSERT_TRUE(chart.turns(drive_at(t)));
    chart.turn(dJt, drive_at(t), e, x);
    EXPECT_GT((T.transpose() * dT * e).norm(), 1e-2);  // there is something to see
    EXPECT_GT((T.transpose() * dv_p).norm(), 1e-2);
    EXPECT_LT((T.transpose() * (dT * e + dv_p) - x).norm(), 1e-10);

    // A new origin changes neither T nor e.
    ASSERT_EQ(chart.settle(rows_at(t)), Outcome::ok);
    EXPECT_LT((chart.T() - T).norm(), 1e-14);
  }
}

TEST(Chart, IsWornFarFromItsOriginOnly) {
  const auto circle = [](double angle) { return Matrix(Vector{{std::cos(angle), std::sin(angle)}}); };
  AlignedChart aligned(2, 1, Orthonormal::qr, AlignedChart::Alignment::carried);
  CoordinateChart coordinates(2, 1, 2);
  for (NullSpaceChart* chart :
       {static_cast<NullSpaceChart*>(&aligned), static_cast<NullSpaceChart*>(&coordinates)}) {
    ASSERT_EQ(chart->settle(circle(0)), Outcome::ok);
    ASSERT_EQ(chart->move(circle(.4)), Outcome::ok);
    EXPECT_FALSE(chart->worn());
    ASSERT_EQ(chart->move(circle(1.2)), Outcome::ok);
    EXPECT_TRUE(chart->worn());
    ASSERT_EQ(chart->settle(circle(1.2)), Outcome::ok);
    EXPECT_FALSE(chart->worn());
  }
  EXPECT_EQ(aligned.move(circle(1.2 + 1.5)), Outcome::singular);
}

}  // namespace
}  // namespace dalembert
