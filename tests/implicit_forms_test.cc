// Are the implicit forms of mechanical problems what they say? Jacobians against differences, closed solutions against
// residuals, the way there and back, and the forms against each other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

using Options = std::map<std::string, double>;

struct Form {
  std::string name;
  Options options;
  std::string label() const {
    std::string text = name;
    for (const auto& [option, value] : options) text += " " + option + "=" + std::to_string(int(value));
    return text;
  }
};

/// Every form, with every option that changes its equations.
const std::vector<Form>& forms() {
  static const std::vector<Form> all = {{"index3", {}}, {"ggl", {}}, {"ggl", {{"metric", 1}}}};
  return all;
}

/// One formulation of a problem at work.
struct Rewritten {
  Rewritten(const Problem& problem, const Form& form) {
    for (const auto& entry : find_formulation(form.name))
      if (entry.to == Kind::implicit)
        formulation = entry.make(problem, Parameters(entry.options, form.options, form.name), statistics);
    implicit = dynamic_cast<const Implicit*>(&formulation->rewritten());
  }
  Eigen::Index size() const { return implicit->layout().size(); }
  Vector F(double t, const Vector& y, const Vector& dy) const {
    Vector r = Vector::Constant(y.size(), 1e300);  // whatever is not written shows
    implicit->F(t, y, dy, r);
    return r;
  }
  State enter(const State& original) const {
    State mine{original.t, Vector::Zero(size())};
    formulation->enter(original, mine);
    return mine;
  }

  Statistics statistics;
  std::unique_ptr<Formulation> formulation;
  const Implicit* implicit = nullptr;
};

/// f'(0), by central differences of order 6.
Vector derivative(const std::function<Vector(double)>& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

Matrix differences(const Vector& x, const std::function<Vector(const Vector&)>& F, double h) {
  Matrix J(x.size(), x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j)
    J.col(j) = derivative(
        [&](double step) {
          Vector moved = x;
          moved[j] += step;
          return F(moved);
        },
        h);
  return J;
}

void expect_equal(const Matrix& ours, const Matrix& truth, double tolerance, const Implicit& problem,
                  const std::string& what) {
  const Layout all = problem.layout();
  for (Eigen::Index i = 0; i < ours.rows(); ++i) {
    const double scale = 1 + truth.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < ours.cols(); ++j)
      EXPECT_LE(std::abs(ours(i, j) - truth(i, j)), tolerance * scale)
          << what << ": " << problem.equation(i) << " with respect to " << all.label(j) << ": " << ours(i, j)
          << ", by differences " << truth(i, j);
  }
}

Vector random_vector(Eigen::Index n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
}

// What a form holds fixed during an iteration must be held fixed here too: prepare() is called once, at the point.
TEST(ImplicitForms, JacobiansAreThoseOfTheResidual) {
  for (const std::string name : {"pendulum", "andrews", "manufactured", "sleigh"})
    for (const auto& form : forms()) {
      const auto problem = make_problem(name, {});
      const Rewritten rewritten(*problem, form);
      std::mt19937 random(7);
      for (int trial = 0; trial < 3; ++trial) {
        State at = rewritten.enter(problem->start());
        at.y += .1 * random_vector(at.y.size(), random);
        Vector dy = random_vector(at.y.size(), random);
        const double t = at.t + .3;
        rewritten.implicit->prepare(t, at.y, dy);
        Entries F_y, F_dy;
        rewritten.implicit->jacobians(t, at.y, dy, F_y, F_dy);
        const Eigen::Index n = at.y.size();
        const std::string what = form.label() + " of " + name;
        expect_equal(F_y.dense(n, n),
                     differences(
                         at.y, [&](In y) { return rewritten.F(t, y, dy); }, 1e-3),
                     1e-7, *rewritten.implicit, what + ", F_y");
        expect_equal(F_dy.dense(n, n),
                     differences(
                         dy, [&](In d) { return rewritten.F(t, at.y, d); }, 1e-2),
                     1e-7, *rewritten.implicit, what + ", F_dy");
        if (HasFailure()) return;
      }
    }
}

TEST(ImplicitForms, ClosedSolutionsSatisfyThem) {
  const auto problem = make_problem("manufactured", {});
  for (const auto& form : forms()) {
    const Rewritten rewritten(*problem, form);
    for (const double t : {0.0, .4, 1.3}) {
      const auto at = [&](double dt) { return rewritten.enter(*problem->exact(t + dt)).y; };
      const Vector y = at(0), dy = derivative(at, 1e-3);
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

}  // namespace
}  // namespace dalembert
