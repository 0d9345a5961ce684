// Are the Jacobians of the implicit forms those of their residuals?
#include <gtest/gtest.h>

#include "tests/support/implicit_forms.h"

namespace dalembert {
namespace {

using namespace testing;

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

/// Terms that a form leaves out of its Jacobian and says so.
using LeftOut = std::function<bool(const std::string& equation, const std::string& unknown)>;

void expect_equal(const Matrix& ours, const Matrix& truth, double tolerance, const Implicit& problem,
                  const std::string& what, const LeftOut& left_out) {
  const Layout all = problem.layout();
  for (Eigen::Index i = 0; i < ours.rows(); ++i) {
    const double scale = 1 + truth.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < ours.cols(); ++j)
      EXPECT_TRUE(std::abs(ours(i, j) - truth(i, j)) <= tolerance * scale ||
                  left_out(problem.equation(i), all.label(j)))
          << what << ": " << problem.equation(i) << " with respect to " << all.label(j) << ": " << ours(i, j)
          << ", by differences " << truth(i, j);
  }
}

// What a form holds fixed during an iteration is held fixed here too: prepare() is called once, at the point. The one
// term left out anywhere is of fuehrer-leimkuhler with `orthogonal`, (dG/dt)'nu with respect to q: it is there in every second trial, and
// in the others nu is zero.
TEST(ImplicitForms, JacobiansAreThoseOfTheResidual) {
  for (const std::string name : {"pendulum", "andrews", "manufactured", "sleigh"})
    for (const auto& form : forms()) {
      const auto problem = make_problem(name, {});
      const Rewritten rewritten(*problem, form);
      const Implicit& implicit = *rewritten.implicit;
      const Layout all = implicit.layout();
      std::mt19937 random(7);
      for (int trial = 0; trial < 4; ++trial) {
        State at = rewritten.enter(problem->start());
        at.y += .1 * random_vector(at.y.size(), random);
        const Block* nu = all.find("nu");
        if (nu != nullptr && trial % 2 == 1) at[*nu].setZero();
        const LeftOut left_out = [&](const std::string& equation, const std::string& unknown) {
          return form.options.contains("orthogonal") && trial % 2 == 0 &&
                 equation.starts_with("the kinematic correction") && unknown.starts_with("q.");
        };
        Vector dy = random_vector(at.y.size(), random);
        const double t = at.t + .3;
        implicit.prepare(t, at.y, dy);
        Entries F_y, F_dy;
        implicit.jacobians(t, at.y, dy, F_y, F_dy);
        const Eigen::Index n = at.y.size();
        const std::string what = form.label() + " of " + name;
        expect_equal(F_y.dense(n, n),
                     differences(
                         at.y, [&](In y) { return rewritten.F(t, y, dy); }, 1e-3),
                     1e-7, implicit, what + ", F_y", left_out);
        expect_equal(F_dy.dense(n, n),
                     differences(
                         dy, [&](In d) { return rewritten.F(t, at.y, d); }, 1e-2),
                     1e-7, implicit, what + ", F_dy", left_out);
        if (HasFailure()) return;
      }
    }
}

// Columns of q are exact along the tangent, which is where solutions move.
TEST(ImplicitForms, HoldForMorePositionsThanVelocities) {
  const Spinner spinner;
  for (const auto& form : forms()) {
    const Rewritten rewritten(spinner, form);
    std::mt19937 random(11);
    for (int trial = 0; trial < 3; ++trial) {
      State at = rewritten.enter(spinner.start());
      const Eigen::Index n = at.y.size();
      at.y += .1 * random_vector(n, random);
      at.y.head(4).normalize();
      if (const Block* nu = rewritten.implicit->layout().find("nu")) at[*nu].setZero();
      const Matrix N = Spinner::N(at.y.head(4));
      Vector dy = random_vector(n, random);
      dy.head(4) = N * random_vector(3, random);
      rewritten.implicit->prepare(0, at.y, dy);
      Entries F_y, F_dy;
      rewritten.implicit->jacobians(0, at.y, dy, F_y, F_dy);
      const LeftOut nothing = [](const std::string&, const std::string&) { return false; };
      Matrix directions = Matrix::Identity(n, n);
      directions.topLeftCorner(4, 4) << N, Vector::Zero(4);
      Matrix truth(n, n);
      for (Eigen::Index j = 0; j < n; ++j)
        truth.col(j) = derivative(
            [&](double step) { return rewritten.F(0, at.y + step * directions.col(j), dy); }, 1e-3);
      expect_equal(F_y.dense(n, n) * directions, truth, 1e-7, *rewritten.implicit, form.label() + ", F_y",
                   nothing);
      expect_equal(F_dy.dense(n, n),
                   differences(
                       dy, [&](In d) { return rewritten.F(0, at.y, d); }, 1e-2),
                   1e-7, *rewritten.implicit, form.label() + ", F_dy", nothing);
      // Newton's matrix of a step is regular, also across the tangent.
      const Matrix newton = F_y.dense(n, n) + 100 * F_dy.dense(n, n);
      EXPECT_EQ(newton.fullPivLu().rank(), n) << form.label();
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace dalembert
