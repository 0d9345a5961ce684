// Are very long chains eliminated block by block too, with one step of refinement where rounding has gathered?
#include <gtest/gtest.h>

#include "dalembert/linear/saddle/saddle_point.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

/// Of links with this length and mass, each leaning by half a radian.
struct ChainSystem {
  ChainSystem(int links, double length, double mass, Elimination how = Elimination::static_order)
      : n(3 * links), m(2 * links) {
    const auto chain = testing::hanging_chain(links, length, mass, [](int) { return .5; });
    const auto at = chain->placed_at(chain->start());
    chain->mass(*at, M);
    chain->jacobian(*at, J);
    saddle.bind(n, m, M, J, Symmetry::symmetric, how);
  }
  /// By how much it misses a solution that is known.
  double missed() {
    Vector x(n + m), b = Vector::Zero(n + m);
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 3 == 0 ? 1 : -0.7;
    M.multiply(x.head(n), 1, b.head(n));
    J.multiply_transposed(x.tail(m), 1, b.head(n));
    J.multiply(x.head(n), 1, b.tail(m));
    Statistics statistics;
    EXPECT_EQ(saddle.solve(M, J, J, b, statistics), Outcome::ok);
    return largest(b - x);
  }
  /// max |b - K x|_i / (|K||x| + |b|)_i
  double backward_error(const Vector& x, const Vector& b) const {
    Vector r = b, size = b.cwiseAbs();
    const auto take = [&](Eigen::Index i, Eigen::Index j, double value) {
      r[i] -= value * x[j];
      size[i] += std::abs(value * x[j]);
    };
    for (std::size_t k = 0; k < M.size(); ++k) take(M.row(k), M.column(k), M.value(k));
    for (std::size_t k = 0; k < J.size(); ++k) {
      take(n + J.row(k), J.column(k), J.value(k));
      take(J.column(k), n + J.row(k), J.value(k));
    }
    return r.cwiseAbs().cwiseQuotient(size).maxCoeff();
  }

  Eigen::Index n, m;
  Entries M, J;
  SaddlePoint saddle;
};

TEST(LongChain, IsRefinedInsteadOfRefused) {
  constexpr int links = 12000;
  ChainSystem chain(links, 1. / links, 1. / links);
  EXPECT_EQ(chain.saddle.elimination(), Elimination::static_order);
  EXPECT_EQ(chain.saddle.refusal(), std::nullopt);
  Statistics statistics;
  const Vector b = Vector::LinSpaced(chain.n + chain.m, -1, 1);
  Vector x = b, again = b;
  ASSERT_EQ(chain.saddle.solve(chain.M, chain.J, chain.J, x, statistics), Outcome::ok);
  ASSERT_EQ(chain.saddle.solve_again(again, statistics), Outcome::ok);
  EXPECT_EQ(statistics.pivoted_solves, 0);
  EXPECT_EQ(statistics.refined_solves, 2);
  EXPECT_LE(chain.backward_error(x, b), 1e-11);
  EXPECT_LE(chain.backward_error(again, b), 1e-11);
}

TEST(LongChain, OfADozenLinksNeedsNeither) {
  ChainSystem chain(12, 1. / 12, 1. / 12);
  Statistics statistics;
  Vector x = Vector::Ones(chain.n + chain.m);
  ASSERT_EQ(chain.saddle.solve(chain.M, chain.J, chain.J, x, statistics), Outcome::ok);
  EXPECT_EQ(statistics.refined_solves + statistics.pivoted_solves, 0);
}

TEST(LongChain, MissesNoMoreThanRowExchangesWhereRoundingDoesIt) {
  ChainSystem chain(1000, 1e-6, 1e-3), exchanged(1000, 1e-6, 1e-3, Elimination::sparse);
  EXPECT_EQ(chain.saddle.refusal(), std::nullopt);
  const double ours = chain.missed(), theirs = exchanged.missed();
  EXPECT_GT(theirs, 1e-6);
  EXPECT_LT(ours, 10 * theirs);
}

TEST(LongChain, SaysWhyTheEliminationIsRefused) {
  ChainSystem chain(1000, 1e-10, 1e-3);  // of the size of molecules: the matrix itself is next to singular
  const auto why = chain.saddle.refusal();
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("misses a known solution by"), std::string::npos) << *why;
}

}  // namespace
}  // namespace dalembert
