// Do the split forms say what ggl says, and do they hold and keep free what they are told?
#include <gtest/gtest.h>

#include "dalembert/core/error.h"
#include "tests/support/implicit_forms.h"

namespace dalembert {
namespace {

using namespace testing;

Matrix dense_F_dy(const Rewritten& form, double t, const Vector& y, const Vector& dy) {
  Entries F_y, F_dy;
  form.implicit->jacobians(t, y, dy, F_y, F_dy);
  return F_dy.dense(y.size(), y.size());
}

// F is affine in y' and in the multipliers. On the constraints, ggl vanishes for some multipliers exactly where the
// split forms do without.
TEST(ImplicitForms, SplittingVanishesWhereGglDoes) {
  for (const std::string name : {"pendulum", "manufactured", "andrews", "sleigh"}) {
    const auto problem = make_problem(name, {});
    const auto n = dynamic_cast<const Mechanical&>(*problem).sizes();
    const Eigen::Index differential = n.q + n.v + n.s, multipliers = n.rows() + n.holonomic;
    const Rewritten ggl(*problem, {"ggl", {}});
    for (const Form& form :
         {Form{"cs", {}}, Form{"cs", {{"split", 1}}}, Form{"cm", {}}, Form{"cm", {{"split", 1}}}}) {
      const std::string what = form.label() + " of " + name;
      const Rewritten split(*problem, form);
      std::mt19937 random(3);
      State at = ggl.enter(problem->start());
      // Any multipliers, and the y' that goes with them.
      at.y.tail(multipliers) = random_vector(multipliers, random);
      Vector dy = Vector::Zero(at.y.size());
      const Matrix mass = dense_F_dy(ggl, at.t, at.y, dy).topLeftCorner(differential, differential);
      dy.head(differential) = -mass.partialPivLu().solve(ggl.F(at.t, at.y, dy).head(differential));
      Vector y = at.y.head(differential), rate = dy.head(differential);
      const double scale = 1 + largest(rate);
      split.linearize(at.t, y, rate);
      EXPECT_LE(largest(split.F(at.t, y, rate)), 1e-10 * scale) << what;

      // Any y' for which the split form vanishes, and multipliers that go with it.
      rate = scale * random_vector(differential, random);
      EXPECT_GE(largest(split.F(at.t, y, rate)), 1e-6 * scale) << what;  // it is not one yet
      rate -=
          dense_F_dy(split, at.t, y, rate).completeOrthogonalDecomposition().solve(split.F(at.t, y, rate));
      EXPECT_LE(largest(split.F(at.t, y, rate)), 1e-10 * scale) << what;
      dy.head(differential) = rate;
      Entries F_y, F_dy;
      ggl.implicit->jacobians(at.t, at.y, dy, F_y, F_dy);
      const Matrix columns = F_y.dense(at.y.size(), at.y.size()).rightCols(multipliers);
      const Vector change = columns.colPivHouseholderQr().solve(ggl.F(at.t, at.y, dy));
      at.y.tail(multipliers) -= change;
      EXPECT_LE(largest(ggl.F(at.t, at.y, dy)), 1e-10 * (scale + largest(change))) << what;
    }
  }
}

TEST(ImplicitForms, KeepAForcedCoordinateFree) {
  const auto problem = make_problem("pendulum", {});
  for (const int forced : {1, 2}) {
    const Rewritten cs(*problem, {"cs", {{"force-x", double(forced)}, {"error-test", 1}}});
    Vector error(4), newton(4), y = problem->start().y.head(4), dy = Vector::Zero(4);
    y.head(2) << std::sqrt(.5), -std::sqrt(.5);
    cs.linearize(0, y, dy);
    cs.implicit->tests(error, newton);
    EXPECT_EQ(error[forced - 1], 1);
    EXPECT_EQ(error.sum(), 1);
    EXPECT_EQ(newton.sum(), 4);
    EXPECT_EQ(cs.implicit->equation(0), "the projected rate of " + problem->layout().label(forced - 1));
  }
  EXPECT_THROW(Rewritten(*make_problem("andrews", {}), {"cs", {{"force-x", 8}}}), Error);
  const auto manufactured = make_problem("manufactured", {});
  EXPECT_THROW(Rewritten(*manufactured, {"cs", {{"force-x", 1}}}), Error);
}

TEST(ImplicitForms, TestFreePositionsAndVelocitiesIfAsked) {
  const auto problem = make_problem("pendulum", {});
  for (const std::string name : {"cs", "cm", "ggl-star"}) {
    const Rewritten form(*problem, {name, {{"error-test", 2}}});
    const Eigen::Index size = form.implicit->layout().size();
    Vector error(size), newton(size), y = Vector::Zero(size), dy = Vector::Zero(size);
    y[0] = 1;  // (1, 0): the row (x, y) determines x, and y is free
    form.linearize(0, y, dy);
    form.implicit->tests(error, newton);
    EXPECT_EQ(error[1] + error[3], 2) << name;
    EXPECT_EQ(error.sum(), 2) << name;
  }
  EXPECT_THROW(Rewritten(*problem, {"ggl", {{"error-test", 2}}}), Error);
}

/// (2.27) of [YenPetzold1998]: a change of all along the circle is sqrt(1 + kappa^2) times that of the free coordinate.
TEST(ImplicitForms, WeighFreeCoordinatesByWhatTheyMoveIfAsked) {
  const auto problem = make_problem("pendulum", {});
  for (const std::string name : {"cs", "cm", "ggl-star"}) {
    const Rewritten form(*problem, {name, {{"error-test", 3}}});
    const Eigen::Index size = form.implicit->layout().size();
    Vector error(size), newton(size), y = Vector::Zero(size), dy = Vector::Zero(size);
    y[0] = .8, y[1] = -.6;  // y is free, kappa = 3/4
    form.linearize(0, y, dy);
    form.implicit->tests(error, newton);
    EXPECT_NEAR(error[1], 1.25, 1e-14) << name;
    EXPECT_NEAR(error[3], 1.25, 1e-14) << name;
    EXPECT_NEAR(error.sum(), 2.5, 1e-14) << name;
  }
}

// cm differs from cs by what is held: after a move of q, F is the one with the old P.
TEST(ImplicitForms, CmHoldsItsProjectorAndCsDoesNot) {
  const auto problem = make_problem("pendulum", {});
  const auto projected = [&](const Form& form, int prepared) {
    const Rewritten split(*problem, form);
    Vector y(4), dy(4), moved(4);
    y << 1, 0, 0, 0;
    dy << .3, .4, .5, .6;
    moved << .8, -.6, 0, 0;
    split.linearize(0, y, dy);
    if (prepared > 0) split.implicit->prepare(0, moved, dy);
    return split.F(0, moved, dy)[0];
  };
  const double at_q = projected({"cs", {}}, 0);
  EXPECT_NE(projected({"cm", {}}, 0), at_q);
  EXPECT_EQ(projected({"cm", {}}, 1), at_q);  // the predictor is here
  EXPECT_NE(projected({"cm", {{"p-with-jacobian", 1}}}, 1), at_q);
}

/// One implicit Euler step over h.
Vector euler_step(const Rewritten& form, State at, double h) {
  const Vector from = at.y;
  for (int round = 0; round < 20; ++round) {
    Vector dy = (at.y - from) / h;
    Entries F_y, F_dy;
    if (round < 6) form.implicit->prepare(h, at.y, dy);
    form.implicit->jacobians(h, at.y, dy, F_y, F_dy);
    const Eigen::Index n = at.y.size();
    const Matrix newton = F_y.dense(n, n) + F_dy.dense(n, n) / h;
    at.y -= newton.partialPivLu().solve(form.F(h, at.y, dy));
  }
  return at.y;
}

// An implicit Euler step is the same point for ggl and for both splits: q' - N v is free along N G' in all of them.
TEST(ImplicitForms, GglAndSplittingTakeTheSameStep) {
  const Spinner spinner;
  const auto manufactured = make_problem("manufactured", {}), andrews = make_problem("andrews", {});
  for (const Problem* problem : {static_cast<const Problem*>(&spinner), manufactured.get(), andrews.get()}) {
    const double h = problem == andrews.get() ? 1e-4 : 1e-2;
    State start = problem->start();
    const Rewritten ggl(*problem, {"ggl", {}});
    const Vector truth = euler_step(ggl, ggl.enter(start), h);
    for (const Form& form :
         {Form{"ggl-star", {}}, Form{"cs", {}}, Form{"cs", {{"split", 1}}}, Form{"cm", {}}}) {
      const Rewritten other(*problem, form);
      const Vector y = euler_step(other, other.enter(start), h);
      const Eigen::Index n = std::min(y.size(), truth.size());
      EXPECT_LE(largest(y.head(n) - truth.head(n)), 1e-9 * (1 + largest(truth.head(n)))) << form.label();
    }
  }
}

}  // namespace
}  // namespace dalembert
