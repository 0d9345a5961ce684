// Are eigenvalues that are there several times, with fewer shapes than copies, known as well as their mean is?
#include "dalembert/analysis/repeated_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "dalembert/analysis/irreducible.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/modes.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

using Complex = std::complex<double>;

/// A body on which forces act as said, at rest.
Modes of_forces(const std::string& x, const std::string& y, const std::string& torque) {
  const Model model = Model::from_text(
      "space = \"planar\"\ngravity = [0, 0]\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n"
      "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" +
      x + "\", \"" + y + "\"]\n[[force]]\nname = \"t\"\nkind = \"torque\"\nbody = \"a\"\ntorque = \"" +
      torque + "\"\n[run]\nend = 1\n");
  const Linearisation linear = linearise(*model.mechanism, model.mechanism->start());
  EXPECT_EQ(linear.base, Linearisation::Base::equilibrium);
  return modes_of(linear.A, linear.doubt);
}

void expect_copies(const Modes& found, std::size_t count, Complex value, double accuracy) {
  std::size_t copies = 0;
  for (const Mode& mode : found.all) {
    if (std::abs(mode.value - value) > .01) continue;
    ++copies;
    EXPECT_LT(std::abs(mode.value - value), accuracy) << mode.value;
    EXPECT_GE(mode.error, std::abs(mode.value - value)) << "the error covers it";
    EXPECT_EQ(mode.fate, Mode::Fate::decays) << mode.value;
  }
  EXPECT_EQ(copies, count);
}

/// K with one eigenvalue 1, three times in one chain, and the same damping for all: s^2 + s/32 + 1 = 0, each root three times with one shape.
TEST(RepeatedValues, OfAChainThatIsDamped) {
  const Modes found =
      of_forces("-2*x - y - angle - 0.03125*vx", "-x - y - angle - 0.03125*vy", "x + y - 0.03125*spin");
  expect_copies(found, 3, {-1. / 64, std::sqrt(1 - 1. / 4096)}, 1e-12);
}

/// Forces that lead one way only: rounding of one displacement does not change another, however weak the damping is.
TEST(RepeatedValues, OfAChainThatIsTriangular) {
  const double c = std::exp2(-27);
  const Modes found =
      of_forces("-2*x - y + angle - 2^(-27)*vx", "-2*y - angle - 2^(-27)*vy", "-2*angle - 2^(-27)*spin");
  expect_copies(found, 3, {-c / 2, std::sqrt(2 - c * c / 4)}, 1e-14);
}

/// Critically damped, in two chains: (s + 1)^4 with one shape, beside -1 +- 2i.
TEST(RepeatedValues, OfCriticalDamping) {
  const Modes found = of_forces("-x - y - 2*vx", "-y - 2*vy", "-8*x + 2*y - 5*angle - 2*spin");
  expect_copies(found, 4, -1, 1e-12);
  const Modes other = of_forces("5*x - 6*angle - 4*vx", "-y - 4*vy", "9*x - 10*angle - 4*spin");
  expect_copies(other, 2, -2, 1e-12);
}

/// T J T^-1 with whole numbers, exactly: copies are found to the digits of their mean, and none is called what it is not.
TEST(RepeatedValues, OfRandomChains) {
  std::mt19937 random(7);
  const auto whole = [&](int most) {
    return static_cast<double>(static_cast<int>(random() % (2 * most + 1)) - most);
  };
  for (int run = 0; run < 1000; ++run) {
    const Eigen::Index n = 3 + static_cast<Eigen::Index>(random() % 3);
    Matrix J = Matrix::Zero(n, n), L = Matrix::Identity(n, n), U = Matrix::Identity(n, n);
    const double value = run % 3 == 0 ? -.5 : run % 3 == 1 ? -.015625 : .015625;
    for (Eigen::Index i = 0; i < n; ++i) {
      J(i, i) = value;
      if (i + 1 < n && random() % 4 != 0) J(i, i + 1) = 1;
      for (Eigen::Index j = 0; j < i; ++j) L(i, j) = whole(1), U(j, i) = whole(1);
    }
    // Unit triangular factors of whole numbers have whole inverses: all products are exact.
    const Matrix T = L * U, inverse = (U.inverse() * L.inverse()).array().round();
    const Matrix A = T * J * inverse;
    const Modes found = modes_of(A);
    ASSERT_EQ(found.zeros, 0) << run;
    for (const Mode& mode : found.all) {
      EXPECT_LE(std::abs(mode.value - value), std::max(mode.error, 1e-12)) << run;
      EXPECT_NE(mode.fate, value < 0 ? Mode::Fate::grows : Mode::Fate::decays) << run << ": " << mode.value;
      EXPECT_NE(mode.fate, Mode::Fate::lasts) << run << ": " << mode.value << " +- " << mode.error;
    }
  }
}

/// Values that entries tell apart stay so.
TEST(RepeatedValues, AreNotThoseThatAreClose) {
  Matrix A(2, 2);
  A << -1, 1, 1e-6, -1;
  const Modes found = modes_of(A);
  ASSERT_EQ(found.all.size(), 2u);
  EXPECT_NEAR(found.all[0].value.real(), -1 + 1e-3, 1e-9);
  EXPECT_NEAR(found.all[1].value.real(), -1 - 1e-3, 1e-9);
}

/// x'' = y, y'' = 0: four zeros in one chain, so that x grows like t^3. A free body has chains of two.
TEST(RepeatedValues, OfZeroAreChainsOfTheirLength) {
  EXPECT_EQ(of_forces("y", "0", "0").zero_chain, 4);
  EXPECT_EQ(of_forces("y - vx", "0", "-angle").zero_chain, 3);
  EXPECT_EQ(of_forces("0", "0", "0").zero_chain, 2);
  EXPECT_EQ(of_forces("-vx", "-vy", "-spin").zero_chain, 1);
}

TEST(RepeatedValues, AreSoughtInBlocks) {
  Matrix A = Matrix::Zero(5, 5);
  A(0, 3) = A(3, 0) = 1, A(0, 1) = 2, A(1, 2) = 1, A(4, 4) = 1;
  const auto blocks = irreducible_blocks(A, Matrix::Zero(5, 5));
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0], (std::vector<Eigen::Index>{0, 3}));
  EXPECT_EQ(irreducible_blocks(A, Matrix::Ones(5, 5)).size(), 1u) << "what is not known to be zero counts";
}

}  // namespace
}  // namespace dalembert
