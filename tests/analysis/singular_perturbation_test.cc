// Problems with a small parameter: are slow and fast parts, the boundary layer and the distance from the limit those of closed solutions?
#include "dalembert/analysis/singular_perturbation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/problem/automatic.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

PerturbedProblem family(const std::string& name, const std::string& parameter,
                        std::map<std::string, double> set = {}) {
  const auto at = [=](double eps) {
    auto all = set;
    all[parameter] = eps;
    return make_problem(name, all);
  };
  return {at, at(0)};
}

const Shrinking& block(const PerturbationStudy& study, const std::string& name) {
  for (const Shrinking& s : study.distances)
    if (s.name == name) return s;
  throw Error("there is no block " + name);
}

/// x' = -x^2, eps z' = z (x - z): everything is known.
TEST(SingularPerturbation, OfTheClosedSolutionIsExact) {
  const double eps = 1e-2, z0 = 2;
  const PerturbationStudy study = study_perturbation(family("slow-fast", "eps"), {.eps = eps});
  EXPECT_EQ(study.index, 1);
  ASSERT_EQ(study.slow.size(), 1u);
  ASSERT_EQ(study.fast.size(), 1u);
  EXPECT_NEAR(study.slow[0].value.real(), -2, 1e-9);
  EXPECT_NEAR(study.slow[0].limit->real(), -2, 1e-9);
  EXPECT_NEAR(study.fast[0].value.real(), -1 / eps, 1e-7);
  EXPECT_NEAR(study.fast[0].growth, -1, 1e-9);
  EXPECT_EQ(study.fate, Mode::Fate::decays);
  EXPECT_NEAR(study.time, eps, 1e-9);
  EXPECT_NEAR(study.gap, 50, 1e-6);
  EXPECT_EQ(study.layer, PerturbationStudy::Layer::nonlinear);
  ASSERT_EQ(study.start.size(), 2u);
  EXPECT_NEAR(study.start[0].limit, 1, 1e-12) << "x is slow, and kept";
  EXPECT_NEAR(study.start[1].limit, 1, 1e-12);
  EXPECT_NEAR(study.start[1].layer, z0 - 1, 1e-12);

  // past the layer z - x = eps x
  const double x = 1 / (1 + study.from);
  for (std::size_t k = 0; k < study.eps.size(); ++k)
    EXPECT_NEAR(block(study, "z").sizes[k], study.eps[k] * x / (1 + x), 1e-8);
  EXPECT_NEAR(block(study, "z").order.value(), 1, 1e-3);
  EXPECT_FALSE(block(study, "x").order) << "x does not know of z";

  // within it: (95) is a logistic equation
  EXPECT_EQ(study.curve.label, "z.z");
  for (std::size_t k = 0; k < study.curve.t.size(); ++k) {
    const double layer = 1 / (1 + (1 / z0 - 1) * std::exp(-study.curve.t[k] / eps)) - 1;
    EXPECT_NEAR(study.curve.sum[k] - study.curve.limit[k], layer, 1e-8);
  }
  EXPECT_NEAR(study.alone.sizes[0], .5, 1e-9) << "|2 - 1|/(1 + 1), whatever eps is";
  EXPECT_NEAR(study.alone.order.value(), 0, 1e-6);
  EXPECT_NEAR(study.corrected.order.value(), 1, .05);
  EXPECT_LT(study.corrected.sizes[0], 2 * eps);
}

/// (87), (90) of [MantegazzaMasarati2012], and a start that is not in the slow mode.
TEST(SingularPerturbation, OfALightMassRingsOn) {
  const double m1 = 1e-3;
  const PerturbationStudy study =
      study_perturbation(family("two-mass-light", "m1"), {.eps = m1, .count = 4, .start = {{"x.x1", .6}}});
  EXPECT_EQ(study.index, 2);
  ASSERT_EQ(study.slow.size(), 2u);
  ASSERT_EQ(study.fast.size(), 2u);
  const double sum = 1 + 2 / m1, root = std::sqrt(sum * sum - 4 / m1);
  EXPECT_NEAR(study.slow[0].value.imag(), std::sqrt((sum - root) / 2), 1e-8);
  EXPECT_NEAR(study.slow[0].limit->imag(), std::sqrt(.5), 1e-9);
  EXPECT_NEAR(study.fast[0].value.imag(), std::sqrt((sum + root) / 2), 1e-6);
  EXPECT_NEAR(study.fast[0].growth, -.5, 1e-3);
  EXPECT_EQ(study.fate, Mode::Fate::lasts);
  EXPECT_EQ(study.layer, PerturbationStudy::Layer::linearised);
  EXPECT_EQ(study.start[0].label, "x.x1");
  EXPECT_NEAR(study.start[0].limit, .5, 2 * m1) << "x1 = x2/2, with the x2 that was given";
  EXPECT_NEAR(study.start[0].layer, .1, 2 * m1);
  EXPECT_NEAR(study.start[1].limit, 1, 2 * m1);
  // the ringing of x1 keeps its amplitude, and v1 = x1' grows like its frequency; x2 follows like m1, v2 like m1 times the frequency
  EXPECT_NEAR(block(study, "x").order.value(), 0, .1);
  EXPECT_NEAR(block(study, "v1").order.value(), -.5, .1);
  EXPECT_NEAR(block(study, "v2").order.value(), .5, .1);
  EXPECT_NEAR(study.alone.order.value(), -.5, .1);
  EXPECT_NEAR(study.corrected.order.value(), 1, .1)
      << "what is slow is off by O(m1), what is fast is taken out";
}

TEST(SingularPerturbation, OfAStiffSpringOnTheSlowModeIsOfFirstOrder) {
  const PerturbationStudy study =
      study_perturbation(family("two-mass-stiff", "c1"), {.eps = 1e-3, .count = 4});
  EXPECT_EQ(study.index, 3);
  EXPECT_NEAR(study.slow[0].limit->imag(), 1, 1e-9) << "(92): k2/m2";
  EXPECT_NEAR(study.fast[0].growth, -.5, 1e-3);
  for (const char* name : {"x", "v1", "v2"}) EXPECT_NEAR(block(study, name).order.value(), 1, .05) << name;
  for (const PerturbedEntry& entry : study.start)
    EXPECT_NEAR(entry.layer, 0, 1e-5) << entry.label << ": x1 = c1 R is slow, nothing rings";
  EXPECT_NEAR(study.corrected.order.value(), 1, .05);
}

/// With x1 = a at rest the fast mode has that amplitude but for c1 R, and R = x1/c1 rings with it.
TEST(SingularPerturbation, OfAStiffSpringBesideItsSlowModeRings) {
  const double c1 = 1e-4, a = .01;
  const PerturbationStudy study =
      study_perturbation(family("two-mass-stiff", "c1"), {.eps = c1, .count = 3, .start = {{"x.x1", a}}});
  EXPECT_NEAR(study.start[0].layer, a - c1, 1e-6);
  EXPECT_EQ(study.start[4].label, "R.R");
  EXPECT_NEAR(study.start[4].layer, a / c1 - 1, 1e-2);
  EXPECT_NEAR(study.corrected.order.value(), 1, .05);
}

/// The spring is longer than the bar by eps^2 times its force. That begins with zero, and so does its rate: nothing rings.
TEST(SingularPerturbation, HasALimitOfAnotherName) {
  const PerturbedProblem spring{[](double eps) {
                                  return make_problem("stiff-spring-pendulum", {{"eps", eps}});
                                },
                                make_problem("pendulum")};
  const PerturbationStudy study = study_perturbation(spring, {.eps = 1e-2, .count = 4, .end = 2});
  EXPECT_EQ(study.index, 3);
  EXPECT_EQ(study.fast.size(), 2u);
  EXPECT_NEAR(study.fast[0].growth, -1, .01);
  EXPECT_NEAR(block(study, "q").order.value(), 2, .1);
  EXPECT_NEAR(block(study, "v").order.value(), 2, .1);
}

TEST(SingularPerturbation, MayBeRegular) {
  const PerturbationStudy study =
      study_perturbation(family("van-der-pol", "mu"), {.eps = 1e-2, .count = 3, .end = 3});
  EXPECT_TRUE(study.fast.empty());
  EXPECT_EQ(study.layer, PerturbationStudy::Layer::none);
  EXPECT_NEAR(block(study, "y").order.value(), 1, .05);
}

/// z0 lies beside the sheet z = 0 of the limit, which repels; the layer leads to z = x.
TEST(SingularPerturbation, LeavesASheetThatRepelsForOneThatAttracts) {
  const PerturbationStudy study =
      study_perturbation(family("slow-fast", "eps", {{"z0", .01}}), {.eps = 1e-2});
  EXPECT_EQ(study.fate, Mode::Fate::decays);
  EXPECT_NEAR(study.start[1].limit, 1, 1e-9);
  EXPECT_NEAR(study.start[1].layer, -.99, 1e-9);
  EXPECT_NEAR(block(study, "z").order.value(), 1, .02);
  EXPECT_FALSE(study.attracts_until);
}

/// x' = -1, eps z' = z (x - z): the sheets z = x and z = 0 exchange their stability at x = 0.
class Exchange : public Implicit {
 public:
  explicit Exchange(double eps) : eps_(eps) {}
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 1, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z"});
  }
  State start() const override { return {0, Eigen::Vector2d(1, eps_ == 0 ? 1 : 2)}; }
  double end() const override { return 2; }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    r[0] = dy[0] + 1;
    r[1] = eps_ * dy[1] - y[1] * (y[0] - y[1]);
  }

 private:
  double eps_;
};

TEST(SingularPerturbation, SaysWhereTheLimitStopsAttracting) {
  const auto at = [](double eps) { return std::make_shared<const AutomaticImplicit<Exchange>>(eps); };
  const PerturbationStudy study = study_perturbation({at, at(0)}, {.eps = 1e-3, .count = 4});
  EXPECT_EQ(study.fate, Mode::Fate::decays);
  ASSERT_TRUE(study.attracts_until);
  EXPECT_NEAR(*study.attracts_until, 1, 1e-3);
  ASSERT_EQ(study.leaves.size(), 4u);
  // z stays near 0 while z = x goes on: |x|/(1 + |x|) = 0.1 at x = -1/9, but for a z of sqrt(eps)
  EXPECT_NEAR(study.leaves.back(), 1 + 1. / 9, 2e-3);
  for (const double t : study.leaves) EXPECT_GT(t, 1);
  EXPECT_FALSE(study.leaves_by_rounding) << "z stays near 0 where z = x goes on";
  EXPECT_LT(study.to, 1);
  EXPECT_NEAR(block(study, "z").order.value(), 1, .1) << "before";
}

/// x' = -1, eps z' = x - z^2 + 1... a fold at x = -1: the limit ends there.
class Fold : public Implicit {
 public:
  explicit Fold(double eps) : eps_(eps) {}
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 1, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z"});
  }
  State start() const override { return {0, Eigen::Vector2d(0, 1)}; }
  double end() const override { return 1.5; }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    r[0] = dy[0] + 1;
    r[1] = eps_ * dy[1] - (y[0] + 1 - y[1] * y[1]) / (1 + y[1] * y[1]);
  }

 private:
  double eps_;
};

TEST(SingularPerturbation, SaysWhereTheLimitEnds) {
  const auto at = [](double eps) { return std::make_shared<const AutomaticImplicit<Fold>>(eps); };
  const PerturbationStudy study = study_perturbation({at, at(0)}, {.eps = 1e-2, .count = 3});
  ASSERT_TRUE(study.limit_ends);
  EXPECT_NEAR(*study.limit_ends, 1, 1e-3);
  EXPECT_FALSE(study.why_limit_ends.empty());
  EXPECT_NEAR(block(study, "z").order.value(), 1, .1);
}

/// x' = 1/10, eps z' = z - z^3 + x/10: sheets near -1 and 1 attract, the one near 0 repels.
class Cubic : public Implicit {
 public:
  Cubic(double eps, double z0) : eps_(eps), z0_(z0) {}
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 1, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z"});
  }
  State start() const override { return {0, Eigen::Vector2d(0, z0_)}; }
  double end() const override { return 1; }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    r[0] = dy[0] - .1;
    r[1] = eps_ * dy[1] - y[1] + y[1] * y[1] * y[1] - .1 * y[0];
  }

 private:
  double eps_, z0_;
};
PerturbationStudy study_cubic(double z0) {
  const auto at = [z0](double eps) { return std::make_shared<const AutomaticImplicit<Cubic>>(eps, z0); };
  return study_perturbation({at, at(0)}, {.eps = 1e-2, .count = 3});
}

/// Newton's method leads from .5 to -1 and from .55 nearly to -2; the layer leads to 1.
TEST(SingularPerturbation, BeginsOnTheSheetThatTheLayerLeadsTo) {
  for (const double z0 : {.5, .55, .1}) {
    const PerturbationStudy study = study_cubic(z0);
    EXPECT_NEAR(study.start[1].limit, 1, 1e-9) << z0;
    EXPECT_EQ(study.fate, Mode::Fate::decays);
    EXPECT_NEAR(block(study, "z").order.value(), 1, .01) << z0;
    EXPECT_TRUE(study.lasting.empty());
    EXPECT_FALSE(study.border);
  }
  EXPECT_NEAR(study_cubic(-.02).start[1].limit, -1, 1e-9);
}

TEST(SingularPerturbation, TakesStartsBesideARepellingSheetAsLong) {
  const PerturbationStudy study = study_cubic(1e-4);
  EXPECT_NEAR(study.delay, 1e-2 * std::log(1e4), 1e-2) << "eps ln(1/z0), and what it takes to come to 1";
  EXPECT_NEAR(block(study, "z").order.value(), 1, .01);
}

TEST(SingularPerturbation, SaysThatErrorsDecideBesideABorder) {
  for (const double z0 : {1e-9, -1e-9}) EXPECT_TRUE(study_cubic(z0).border);
  EXPECT_TRUE(
      study_perturbation(family("slow-fast", "eps", {{"z0", 1e-12}}), {.eps = 1e-2, .count = 3}).border);
}

/// g_z = 0 at z0 = x/2: no sheet is near.
TEST(SingularPerturbation, BeginsWhereNothingIsFast) {
  const PerturbationStudy study =
      study_perturbation(family("slow-fast", "eps", {{"z0", .5}}), {.eps = 1e-2, .count = 3});
  EXPECT_NEAR(study.start[1].limit, 1, 1e-9);
}

/// x' = 1, eps z' = a(x) z + b for the pair z = z1 + i z2: its fast eigenvalues are a(x) +- i.
class Pair : public Implicit {
 public:
  enum class Growth { crosses, pulse };
  Pair(double eps, Growth growth) : eps_(eps), growth_(growth) {}
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 2, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z1", "z2"});
  }
  State start() const override { return {0, Eigen::Vector3d(-1, .5, 0)}; }
  double end() const override { return 1.5; }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    using std::exp;
    const T u = (y[0] + .2863) / 7e-4, a = growth_ == Growth::crosses ? y[0] : T(-1 + 4 * exp(-u * u));
    r[0] = dy[0] - 1.;
    r[1] = eps_ * dy[1] - (a * y[1] - y[2] + eps_);
    r[2] = eps_ * dy[2] - (y[1] + a * y[2]);
  }

 private:
  double eps_;
  Growth growth_;
};
PerturbationStudy study_pair(Pair::Growth growth) {
  const auto at = [growth](double eps) {
    return std::make_shared<const AutomaticImplicit<Pair>>(eps, growth);
  };
  return study_perturbation({at, at(0)}, {.eps = 1e-2, .count = 3});
}

/// The true motion leaves at x = 1, as far behind 0 as it began before it; nobody's runs know that.
TEST(SingularPerturbation, DoesNotTrustRunsOnADelayedLossOfStability) {
  const PerturbationStudy study = study_pair(Pair::Growth::crosses);
  EXPECT_NEAR(study.attracts_until.value(), 1, 1e-6);
  EXPECT_TRUE(study.leaves_by_rounding) << "though no motion is nearer than eps";
}

TEST(SingularPerturbation, FindsAShortTimeInWhichTheLimitRepels) {
  const PerturbationStudy study = study_pair(Pair::Growth::pulse);
  EXPECT_NEAR(study.attracts_until.value(), 1 - .2863 - 7e-4 * std::sqrt(std::log(4)), 1e-6);
  EXPECT_FALSE(study.leaves_by_rounding);
}

/// eps z' turns and grows to a circle: no sheet attracts.
class Circle : public Implicit {
 public:
  explicit Circle(double eps) : eps_(eps) {}
  Layout layout() const override {
    return Layout()
        .add("x", 1, Role::differential, 1, {"x"})
        .add("z", 2, eps_ == 0 ? Role::algebraic : Role::differential, 1, {"z1", "z2"});
  }
  State start() const override { return {0, Eigen::Vector3d(1, .1, 0)}; }
  double end() const override { return 1; }
  template <class T>
  void residual(double, const T* y, const T* dy, T* r) const {
    const T a = 1. - y[1] * y[1] - y[2] * y[2];
    r[0] = dy[0] + y[0];
    r[1] = eps_ * dy[1] - (a * y[1] - y[2]);
    r[2] = eps_ * dy[2] - (y[1] + a * y[2]);
  }

 private:
  double eps_;
};

TEST(SingularPerturbation, SaysThatNoSheetAttracts) {
  const auto at = [](double eps) { return std::make_shared<const AutomaticImplicit<Circle>>(eps); };
  const PerturbationStudy study = study_perturbation({at, at(0)}, {.eps = 1e-2, .count = 3});
  EXPECT_EQ(study.fate, Mode::Fate::grows);
  ASSERT_TRUE(study.astray);
  EXPECT_EQ(study.astray->where, Led::Where::moves);
  EXPECT_EQ(study.lasting, std::vector<std::string>{"z"});
}

TEST(SingularPerturbation, IsRefusedWhereNothingCanBeSaid) {
  EXPECT_THROW(study_perturbation(family("slow-fast", "eps"), {.eps = 0}), Error);
  EXPECT_THROW(study_perturbation(family("slow-fast", "eps"), {.eps = .5}), Error)
      << "no layer, no slow part";
  EXPECT_THROW(study_perturbation(family("slow-fast", "eps"), {.eps = 1e-2, .count = 2}), Error);
  const PerturbedProblem strangers{[](double) { return make_problem("lorenz"); }, make_problem("pendulum")};
  EXPECT_THROW(study_perturbation(strangers, {.eps = 1e-2}), Error);
}

}  // namespace
}  // namespace dalembert
