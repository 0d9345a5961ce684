// Have pencils the index, the blocks at infinity and the finite eigenvalues that are known?
#include "dalembert/analysis/pencil.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/formulation/formulation.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert {
namespace {

using Complex = std::complex<double>;

struct Hanging {
  std::shared_ptr<const Problem> problem = make_problem("pendulum", {{"g", 9.81}});
  State state = [this] {
    State s = problem->start();
    s.y << 0, -1, 0, 0, 9.81 / 1;
    return s;
  }();
  const Mechanical& mechanical() const { return as<Mechanical>(*problem); }
};

TEST(Pencil, OfThePendulumHasTheIndexOfItsLevel) {
  const Hanging pendulum;
  int expected = 3;
  for (const auto level :
       {ConstraintLevel::position, ConstraintLevel::velocity, ConstraintLevel::acceleration}) {
    const KroneckerForm form = kronecker_form(pencil_of(pendulum.mechanical(), pendulum.state, level));
    EXPECT_TRUE(form.regular);
    EXPECT_EQ(form.index, expected);
    ASSERT_EQ(form.blocks.size(), static_cast<std::size_t>(expected));
    EXPECT_EQ(form.blocks.back(), 1);
    EXPECT_EQ(form.finite.size(),
              static_cast<std::size_t>(5 - expected));  // zeros for what differentiation lets go
    --expected;
  }
}

/// What is small is not zero: a capacitor of 2e-12 F, a light mass.
TEST(Pencil, CountsCoefficientsHoweverSmall) {
  const auto form = [](const std::string& name, const std::map<std::string, double>& set) {
    const auto problem = make_problem(name, set);
    return kronecker_form(pencil_of(*problem, problem->start()));
  };
  const KroneckerForm ring = form("ring-modulator", {});
  EXPECT_EQ(ring.index, 0);
  EXPECT_EQ(ring.finite.size(), 15u);
  EXPECT_EQ(form("ring-modulator", {{"Cs", 0}}).index, 2);
  for (const double eps : {1e-6, 1e-11, 1e-30}) {
    const KroneckerForm fast = form("slow-fast", {{"eps", eps}});
    EXPECT_EQ(fast.index, 0);
    ASSERT_EQ(fast.finite.size(), 2u);
    EXPECT_NEAR(fast.finite[0].real() * eps, -3, 1e-12);
    EXPECT_NEAR(fast.finite[1].real(), -2, 1e-9);
    EXPECT_EQ(fast.other, nullptr);
  }
  const double m = 1e-13;
  const KroneckerForm light = form("two-mass-light", {{"m1", m}});
  EXPECT_EQ(light.index, 0);
  EXPECT_NEAR(light.finite.back().imag(), std::sqrt(.5), 1e-9);
}

/// Rows that nearly depend on each other: which it is cannot be told, and both are named.
TEST(Pencil, SaysWhereTheIndexCannotBeTold) {
  Pencil pencil{Matrix::Identity(2, 2), -Matrix::Identity(2, 2), {"a", "b"}, {"1", "2"}};
  pencil.E << 1, 1, 1, 1 + 1e-11;
  const KroneckerForm form = kronecker_form(pencil);
  ASSERT_NE(form.other, nullptr);
  EXPECT_EQ(form.index, 0);
  EXPECT_EQ(form.other->index, 1);
  pencil.E(1, 1) = 1.1;
  EXPECT_EQ(kronecker_form(pencil).other, nullptr);
}

TEST(Pencil, OfGearLeimkuhlerGuptaAndFuehrerLeimkuhlerHasIndexTwo) {
  const Hanging pendulum;
  for (const char* name : {"ggl", "fuehrer-leimkuhler"}) {
    const FormulationEntry entry = find_formulation(name).front();
    Statistics statistics;
    const auto form = entry.make(*pendulum.problem, Parameters(entry.options, {}, name), statistics);
    State mine = form->rewritten().start();
    form->enter(pendulum.state, mine);
    const KroneckerForm found = kronecker_form(pencil_of(form->rewritten(), mine));
    EXPECT_TRUE(found.regular) << name;
    EXPECT_EQ(found.index, 2) << name;
    ASSERT_EQ(found.finite.size(), 2u) << name;
    EXPECT_LT(std::abs(found.finite[1] - Complex(0, std::sqrt(9.81))), 1e-8) << name;
  }
}

/// Exercises 5.1 and 5.2, and the eigenvalues (87), (90) and (92) [MantegazzaMasarati2012].
TEST(Pencil, OfTwoMassesInTheirLimits) {
  const auto form = [](const std::string& name, const std::map<std::string, double>& set,
                       const std::vector<std::string>& without) {
    const auto problem = make_problem(name, set);
    const Pencil pencil = pencil_of(*problem, problem->start());
    return kronecker_form(without.empty() ? pencil : pencil.without(without));
  };
  EXPECT_EQ(form("two-mass-stiff", {{"c1", 0}}, {}).index, 3);
  EXPECT_EQ(form("two-mass-stiff", {{"c1", 0}}, {"R.R"}).index, 2);
  EXPECT_EQ(form("two-mass-stiff", {{"c1", 0}}, {"R.R", "v1.v1"}).index, 1);
  EXPECT_EQ(form("two-mass-light", {{"m1", 0}}, {}).index, 2);
  EXPECT_EQ(form("two-mass-light", {{"m1", 0}}, {"v1.v1"}).index, 1);
  const auto highest = [](const KroneckerForm& f) {
    double most = 0;
    for (const Complex value : f.finite) most = std::max(most, value.imag());
    return most;
  };
  const double m1 = .3, m2 = 2, k1 = 5, k2 = 7, sum = k2 / m2 + (k1 + k2) / m1;
  EXPECT_NEAR(highest(form("two-mass-light", {{"m1", m1}, {"m2", m2}, {"k1", k1}, {"k2", k2}}, {})),
              std::sqrt(sum / 2 + std::sqrt(sum * sum - 4 * k1 * k2 / m1 / m2) / 2), 1e-9);
  EXPECT_NEAR(highest(form("two-mass-light", {{"m1", 0}, {"m2", m2}, {"k1", k1}, {"k2", k2}}, {})),
              std::sqrt(1 / (m2 * (1 / k1 + 1 / k2))), 1e-9);
  EXPECT_NEAR(highest(form("two-mass-stiff", {{"c1", 0}, {"m1", m1}, {"m2", m2}, {"k2", k2}}, {})),
              std::sqrt(k2 / m2), 1e-9);
}

TEST(Pencil, ThatIsSingularIsCalledSo) {
  Pencil pencil{Matrix::Zero(2, 2), Matrix::Zero(2, 2), {"x", "y"}, {"first", "second"}};
  pencil.E(0, 0) = 1, pencil.A(0, 1) = 1, pencil.A(1, 0) = 0;
  EXPECT_FALSE(kronecker_form(pencil).regular);
  EXPECT_FALSE(structural_index({pencil}).regular);
}

TEST(Pencil, IsDecomposedAsItShouldBe) {
  const Hanging pendulum;
  const Pencil pencil = pencil_of(pendulum.mechanical(), pendulum.state, ConstraintLevel::position);
  const SchurForm form = schur_form(pencil);
  EXPECT_LT((form.Q * form.S * form.Z.transpose() - pencil.E).norm(), 1e-12);
  EXPECT_LT((form.Q * form.T * form.Z.transpose() - pencil.A).norm(), 1e-12);
}

TEST(StructuralIndex, OfThePendulumDifferentiatesItsRowTwice) {
  const auto problem = make_problem("pendulum");
  State state = problem->start();
  state.y << .6, -.8, .8, .6, 1;
  const StructuralIndex found =
      structural_index({pencil_of(as<Mechanical>(*problem), state, ConstraintLevel::position)});
  EXPECT_EQ(found.index, 3);
  EXPECT_EQ(found.equations.back(), 2);
  EXPECT_EQ(found.unknowns.back(), 0);
}

}  // namespace
}  // namespace dalembert
