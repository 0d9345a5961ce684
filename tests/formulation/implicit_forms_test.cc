// Are the implicit forms of mechanical problems what they say? Jacobians against differences, closed solutions against
// residuals, the way there and back, and the forms against each other.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "dalembert/core/error.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/mechanical.h"
#include "tests/support/allocation_counter.h"

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
  static const std::vector<Form> all = {{"index3", {}},
                                        {"index2", {}},
                                        {"ggl", {}},
                                        {"ggl", {{"metric", 1}}},
                                        {"ggl-star", {}},
                                        {"ggl-star", {{"metric", 1}, {"multipliers-from", 1}}},
                                        {"ggl-star", {{"multipliers-from", 1}}},
                                        {"fuehrer-leimkuhler", {}},
                                        {"fuehrer-leimkuhler", {{"orthogonal", 1}}},
                                        {"cs", {}},
                                        {"cs", {{"split", 1}}},
                                        {"cm", {}},
                                        {"cm", {{"split", 1}}},
                                        {"cm", {{"p-with-jacobian", 1}}}};
  return all;
}

/// One formulation of a problem at work.
struct Rewritten {
  Rewritten(const Problem& problem, const Form& form) {
    for (const auto& entry : find_formulation(form.name))
      if (entry.to == Kind::implicit)
        formulation = entry.make(problem, Parameters(entry.options, form.options, form.name), statistics);
    implicit = as<Implicit>(&formulation->rewritten());
  }
  Eigen::Index size() const { return implicit->layout().size(); }
  Vector F(double t, const Vector& y, const Vector& dy) const {
    Vector r = Vector::Constant(y.size(), 1e300);  // whatever is not written shows
    implicit->F(t, y, dy, r);
    return r;
  }
  /// What a method does before it asks for F: forms choose and freeze here.
  void linearize(double t, Vector& y, Vector& dy) const {
    Entries F_y, F_dy;
    implicit->prepare(t, y, dy);
    implicit->jacobians(t, y, dy, F_y, F_dy);
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

Vector random_vector(Eigen::Index n, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
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
    const auto n = as<Mechanical>(*problem).sizes();
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

/// A free body with q a quaternion (w,x,y,z) and v its angular velocity in the body; its first axis stays horizontal.
/// More positions than velocities: q' = N(q) v = q (0,v)/2.
class Spinner : public Mechanical {
 public:
  using Quaternion = Eigen::Vector4d;
  using Tangent = Eigen::Matrix<double, 4, 3>;
  static Tangent N(In q) {
    Tangent n;
    n << -q[1], -q[2], -q[3], q[0], -q[3], q[2], q[3], q[0], -q[1], -q[2], q[1], q[0];
    return n / 2;
  }
  static Quaternion g_q(In q) { return {-2 * q[2], 2 * q[3], -2 * q[0], 2 * q[1]}; }

  Sizes sizes() const override { return {.q = 4, .v = 3, .holonomic = 1}; }
  Layout layout() const override {
    return Layout()
        .add("q", 4, Role::differential, 1)
        .add("v", 3, Role::differential, 2)
        .add("lambda", 1, Role::algebraic, 3);
  }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y << std::cos(.4), 0, 0, std::sin(.4), 1, 0, 2, 0;  // turned about the vertical
    return state;
  }
  double end() const override { return 1; }
  bool plain() const override { return false; }
  void tangent(const Placement& at, In u, Out dq) const override { dq = N(at.q) * Eigen::Vector3d(u); }
  void mass(const Placement&, Entries& M) const override {
    M.write<3>({{{0, 0}, {1, 1}, {2, 2}}}, {1, 2, 3});
  }
  void force(const Placement& at, In v, In, Out f) const override {
    const Eigen::Vector3d w(v), spin(v[0], 2 * v[1], 3 * v[2]);
    f = -w.cross(spin) + Eigen::Vector3d(at.q[1], at.q[0] * at.q[3], 0);
  }
  void g(const Placement& at, Out r) const override { r[0] = 2 * (at.q[1] * at.q[3] - at.q[0] * at.q[2]); }
  void jacobian(const Placement& at, Entries& J) const override {
    const Eigen::RowVector3d G = g_q(at.q).transpose() * N(at.q);
    J.write<3>({{{0, 0}, {0, 1}, {0, 2}}}, {G[0], G[1], G[2]});
  }
  void bias(const Placement& at, In v, Out r) const override {
    const Quaternion dq = N(at.q) * Eigen::Vector3d(v);
    r[0] = g_q(dq).dot(dq) + g_q(at.q).dot(N(dq) * Eigen::Vector3d(v));
  }
};

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
