// Are the implicit forms of mechanical problems what they say? Closed solutions against residuals, the way there and
// back, names, multipliers.
#include "tests/support/implicit_forms.h"

#include <gtest/gtest.h>

#include "tests/support/allocation_counter.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(ImplicitForms, ClosedSolutionsSatisfyThem) {
  const auto problem = make_problem("manufactured", {});
  for (const auto& form : forms()) {
    const Rewritten rewritten(*problem, form);
    for (const double t : {0.0, .4, 1.3}) {
      const auto at = [&](double dt) { return rewritten.enter(*problem->exact(t + dt)).y; };
      Vector y = at(0), dy = derivative(at, 1e-3);
      rewritten.linearize(t, y, dy);
      EXPECT_LE(largest(rewritten.F(t, y, dy)), 1e-11) << form.label() << " at " << t;
      Vector rate(y.size());
      rewritten.implicit->rate(t, y, rate);
      const Eigen::Index differential = 7;  // q, v, s
      EXPECT_LE(largest((rate - dy).head(differential)), 1e-11) << form.label() << " at " << t;
    }
  }
}

TEST(ImplicitForms, RecoverWhatWasEntered) {
  for (const std::string name : {"pendulum", "manufactured", "sleigh"})
    for (const Form& plain : forms())
      for (const double own : {0.0, 1.0}) {
        Form form = plain;
        form.options["multipliers"] = own;
        const auto problem = make_problem(name, {});
        const Rewritten rewritten(*problem, form);
        const State given = *problem->exact(0);
        State back{0, Vector::Zero(given.y.size())};
        ASSERT_EQ(rewritten.formulation->recover(rewritten.enter(given), back, Depth::multipliers),
                  Outcome::ok);
        EXPECT_LE(largest(back.y - given.y), 1e-12) << form.label() << " of " << name;
        EXPECT_EQ(back.t, given.t);
      }
}

TEST(ImplicitForms, TellOwnFromComputedMultipliers) {
  const auto problem = make_problem("manufactured", {});
  const State given = *problem->exact(.5);
  for (const std::string name : {"index3", "ggl"})
    for (const double own : {0.0, 1.0}) {
      const Rewritten rewritten(*problem, {name, {{"multipliers", own}}});
      State mine = rewritten.enter(given), back{0, Vector::Zero(given.y.size())};
      mine.y.segment(7, 2).array() += .25;  // the method's multipliers are not those of q and v
      ASSERT_EQ(rewritten.formulation->recover(mine, back, Depth::multipliers), Outcome::ok);
      EXPECT_NEAR(back.y[7] - given.y[7], .25 * own, 1e-12) << name;
      EXPECT_NEAR(back.y[8] - given.y[8], .25 * own, 1e-12) << name;
    }
}

TEST(ImplicitForms, NameTheirEquations) {
  const auto problem = make_problem("manufactured", {});
  const Rewritten index3(*problem, {"index3", {}}), ggl(*problem, {"ggl", {}});
  EXPECT_EQ(index3.implicit->equation(0), "the rate of q.q1");
  EXPECT_EQ(index3.implicit->equation(4), "the motion of v.v2");
  EXPECT_EQ(index3.implicit->equation(6), "the rate of s.s");
  EXPECT_EQ(index3.implicit->equation(7), "the position constraint lambda.surface");
  EXPECT_EQ(index3.implicit->equation(8), "the velocity constraint mu.blade");
  EXPECT_EQ(ggl.implicit->equation(7), "the velocity constraint lambda.surface");
  EXPECT_EQ(ggl.implicit->equation(9), "the position constraint lambda.surface");
  EXPECT_EQ(ggl.implicit->layout().label(9), "eta.surface");
}

TEST(ImplicitForms, GglStarStartsItsMultipliersFromTheResiduals) {
  const auto problem = make_problem("manufactured", {});
  const State given = *problem->exact(.6);
  for (const double metric : {0.0, 1.0}) {
    const Rewritten star(*problem, {"ggl-star", {{"multipliers-from", 1}, {"metric", metric}}});
    State mine = star.enter(given);
    Vector dy = Vector::Zero(mine.y.size());
    star.implicit->rate(.6, mine.y, dy);
    mine.y.tail(mine.y.size() - 7).setConstant(99);
    star.implicit->prepare(.6, mine.y, dy);
    EXPECT_LE(largest(mine.y.segment(7, 2) - given.y.segment(7, 2)), 1e-12);
    EXPECT_LE(largest(mine.y.tail(mine.y.size() - 9)), 1e-12);  // eta, x
    Vector error(mine.y.size()), newton(mine.y.size());
    star.implicit->tests(error, newton);
    EXPECT_EQ(newton.head(7).sum(), 7);
    EXPECT_EQ(newton.sum(), 7);
  }
}

TEST(ImplicitForms, AllocateNothingOnceUsed) {
  for (const std::string name : {"andrews", "manufactured"})
    for (const auto& form : forms()) {
      const auto problem = make_problem(name, {});
      const Rewritten rewritten(*problem, form);
      State at = rewritten.enter(problem->start());
      Vector dy = Vector::Zero(at.y.size()), r = dy;
      Entries F_y, F_dy;
      const auto all = [&] {
        rewritten.implicit->prepare(at.t, at.y, dy);
        rewritten.implicit->jacobians(at.t, at.y, dy, F_y, F_dy);
        rewritten.implicit->F(at.t, at.y, dy, r);
      };
      rewritten.implicit->jacobians(at.t, at.y, dy, F_y, F_dy);  // as a method does when it is bound
      const auto before = testing::allocations;
      all();
      EXPECT_EQ(testing::allocations, before) << form.label() << " of " << name;
    }
}

// The second point is far from the first, whose factors are at hand.
TEST(ImplicitForms, Index2KnowsTheWayBackOntoItsPositions) {
  const auto problem = make_problem("manufactured", {});
  const Rewritten form(*problem, {"index2", {}}), ggl(*problem, {"ggl", {}});
  ASSERT_NE(form.implicit->invariant(), nullptr);
  for (const double t : {0.0, .02, 1.0, 3.0}) {
    State at = form.enter(*problem->exact(t));
    at.y.head(6) += (Vector(6) << .01, -.02, .01, .02, .01, -.03).finished();
    const long before = testing::allocations;
    ASSERT_EQ(form.implicit->invariant()->project(t, at.y), Outcome::ok) << t;
    EXPECT_EQ(testing::allocations, before) << t;
    Vector y = Vector::Zero(10);
    y.head(9) = at.y;
    EXPECT_LE(largest(ggl.F(t, y, Vector::Zero(10)).tail(3)), 1e-11) << t;  // J v + w, g
  }
}

}  // namespace
}  // namespace dalembert
