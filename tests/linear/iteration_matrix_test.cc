// Do the dense and the sparse backend agree, notice singular matrices, and leave the heap alone?
#include "dalembert/linear/iteration_matrix.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "dalembert/linear/rank.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/saddle_systems.h"

namespace dalembert {
namespace {

using namespace testing;

/// [c M + I, G'; G, 0] in blocks.
void put_together(IterationMatrix& A, const SaddleSystem& system, double c) {
  A.begin();
  A.add(system.mass, 0, 0, c);
  A.add_identity(0, 0, system.n, 1);
  A.add(system.G1, 0, system.n, 1, Transposed::yes);
  A.add(system.G2, system.n, 0, 1);
}

Matrix put_together_dense(const SaddleSystem& system, double c) {
  Matrix K = system.dense();
  K.topLeftCorner(system.n, system.n) *= c;
  K.topLeftCorner(system.n, system.n) += Matrix::Identity(system.n, system.n);
  return K;
}

TEST(IterationMatrix, PutsBlocksTogether) {
  const SaddleSystem system = four_bars(3);
  const Eigen::Index size = system.n + system.m;
  for (const Backend backend : {Backend::dense, Backend::sparse}) {
    IterationMatrix A(size, backend);
    Statistics statistics;
    for (const double c : {1.0, 0.1, 10.0, 1e-6}) {
      put_together(A, system, c);
      ASSERT_EQ(A.factor(statistics), Outcome::ok);
      const Vector expected = Vector::LinSpaced(size, -1, 2);
      Vector x = put_together_dense(system, c) * expected;
      A.solve(x, statistics);
      EXPECT_LT(largest(x - expected), 1e-11);
    }
    EXPECT_EQ(statistics.factorizations, 4);
    EXPECT_EQ(statistics.solves, 4);
    EXPECT_EQ(A.backend(), backend);
  }
}

TEST(IterationMatrix, DenseEqualsSparse) {
  EXPECT_TRUE(rc::check([] {
    Random random(*rc::gen::arbitrary<unsigned>());
    const SaddleSystem system = random_blocks(random);
    const Eigen::Index size = system.n + system.m;
    const Vector singular_values = put_together_dense(system, 1).jacobiSvd().singularValues();
    RC_PRE(singular_values.minCoeff() > 1e-6 * singular_values.maxCoeff());
    IterationMatrix dense(size, Backend::dense), sparse(size, Backend::sparse);
    Statistics statistics;
    put_together(dense, system, 1);
    put_together(sparse, system, 1);
    RC_ASSERT(dense.factor(statistics) == Outcome::ok);
    RC_ASSERT(sparse.factor(statistics) == Outcome::ok);
    Vector x = Vector::LinSpaced(size, -1, 1), y = x;
    dense.solve(x, statistics);
    sparse.solve(y, statistics);
    RC_ASSERT(largest(x - y) < 1e-8 * (1 + largest(x)));
  }));
}

/// [c M + I, G'; G, 0] with a complex c.
void put_together(ComplexIterationMatrix& A, const SaddleSystem& system, std::complex<double> c) {
  A.begin();
  A.add(system.mass, 0, 0, c);
  A.add_identity(0, 0, system.n, 1);
  A.add(system.G1, 0, system.n, 1, Transposed::yes);
  A.add(system.G2, system.n, 0, 1);
}

Eigen::MatrixXcd put_together_dense(const SaddleSystem& system, std::complex<double> c) {
  const Matrix real = put_together_dense(system, 1), M = system.mass.dense(system.n, system.n);
  Eigen::MatrixXcd K = real.cast<std::complex<double>>();
  K.topLeftCorner(system.n, system.n) += (c - 1.0) * M.cast<std::complex<double>>();
  return K;
}

TEST(ComplexIterationMatrix, PutsBlocksTogether) {
  for (const int bodies : {3, 40}) {  // below and above the size that is worth a blocked algorithm
    const SaddleSystem system = four_bars(bodies);
    const Eigen::Index size = system.n + system.m;
    for (const Backend backend : {Backend::dense, Backend::sparse}) {
      ComplexIterationMatrix A(size, backend);
      Statistics statistics;
      for (const std::complex<double> c : {std::complex<double>(1, 2), {0.1, -3}, {0, 1e-6}, {30, 10}}) {
        put_together(A, system, c);
        ASSERT_EQ(A.factor(statistics), Outcome::ok);
        Eigen::VectorXcd expected(size);
        for (Eigen::Index i = 0; i < size; ++i)
          expected[i] = {std::cos(static_cast<double>(i)), std::sin(2.0 * static_cast<double>(i))};
        Eigen::VectorXcd x = put_together_dense(system, c) * expected;
        A.solve(x, statistics);
        EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-10) << bodies << " " << c;
      }
      EXPECT_EQ(statistics.factorizations, 4);
      EXPECT_EQ(A.backend(), backend);
    }
  }
}

TEST(ComplexIterationMatrix, DenseEqualsSparse) {
  EXPECT_TRUE(rc::check([] {
    Random random(*rc::gen::arbitrary<unsigned>());
    const SaddleSystem system = random_blocks(random);
    const Eigen::Index size = system.n + system.m;
    const std::complex<double> c(random.number(), random.number());
    const Vector singular_values = put_together_dense(system, c).jacobiSvd().singularValues();
    RC_PRE(singular_values.minCoeff() > 1e-6 * singular_values.maxCoeff());
    ComplexIterationMatrix dense(size, Backend::dense), sparse(size, Backend::sparse);
    Statistics statistics;
    put_together(dense, system, c);
    put_together(sparse, system, c);
    RC_ASSERT(dense.factor(statistics) == Outcome::ok);
    RC_ASSERT(sparse.factor(statistics) == Outcome::ok);
    Eigen::VectorXcd x = Vector::LinSpaced(size, -1, 1).cast<std::complex<double>>(), y = x;
    dense.solve(x, statistics);
    sparse.solve(y, statistics);
    RC_ASSERT((x - y).cwiseAbs().maxCoeff() < 1e-8 * (1 + x.cwiseAbs().maxCoeff()));
  }));
}

/// Rows with two entries are solved before the others, whichever of the two is the larger one.
template <class Scalar>
void solves_rows_of_two_entries(const auto& number) {
  Random random(5);
  for (int pairs = 0; pairs <= 6; ++pairs)
    for (const double size : {1e-8, 1e-3, 1.0, 1e3, 1e8}) {
      const Eigen::Index n = 2 * pairs + 3;
      Entries B, C;
      B.begin(), C.begin();
      for (int i = 0; i < pairs; ++i) B.add(2 * i, i, size), B.add(2 * i, pairs + i, random.number());
      for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j)
          if (i >= 2 * pairs || i % 2 == 1) C.add(i, j, random.number());
      B.end(), C.end();
      const Scalar b = number(1, 2), c = number(-1, 0.5);
      Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> K =
          b * B.dense(n, n).template cast<Scalar>() + c * C.dense(n, n).template cast<Scalar>();
      Statistics statistics;
      for (const Backend backend : {Backend::dense, Backend::sparse}) {
        BasicIterationMatrix<Scalar> A(n, backend);
        for (int round = 0; round < 2; ++round) {
          A.begin();
          A.add(B, 0, 0, b);
          A.add(C, 0, 0, c);
          ASSERT_EQ(A.factor(statistics), Outcome::ok);
        }
        Eigen::Matrix<Scalar, Eigen::Dynamic, 1> right(n);
        for (Eigen::Index i = 0; i < n; ++i) {
          const auto k = static_cast<double>(i);
          right[i] = number(std::cos(1 + k), std::sin(2 * k));
        }
        auto x = right;
        A.solve(x, statistics);
        const auto expected = K.fullPivLu().solve(right).eval();
        EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-9 * (1 + expected.cwiseAbs().maxCoeff()))
            << pairs << " " << size;
      }
    }
}

TEST(IterationMatrix, SolvesRowsOfTwoEntries) {
  solves_rows_of_two_entries<double>([](double a, double) { return a; });
}

TEST(ComplexIterationMatrix, SolvesRowsOfTwoEntries) {
  solves_rows_of_two_entries<std::complex<double>>(
      [](double a, double b) { return std::complex<double>(a, b); });
}

TEST(ComplexIterationMatrix, NoticesSingularAndNotFinite) {
  for (const Backend backend : {Backend::dense, Backend::sparse}) {
    ComplexIterationMatrix A(2, backend);
    Statistics statistics;
    Entries B;
    const auto factor = [&](double a, std::complex<double> c) {
      B.begin();
      B.add(0, 0, 1), B.add(0, 1, 2), B.add(1, 0, 2), B.add(1, 1, a);
      B.end();
      A.begin();
      A.add(B, 0, 0, c);
      return A.factor(statistics);
    };
    EXPECT_EQ(factor(3, {1, 1}), Outcome::ok);
    EXPECT_EQ(factor(4, {1, 1}), Outcome::singular);
    EXPECT_TRUE(A.culprit());
    EXPECT_EQ(factor(not_a_number, {0, 1}), Outcome::not_finite);
    EXPECT_EQ(factor(3, {1, not_a_number}), Outcome::not_finite);
    EXPECT_EQ(factor(3, {0, 1}), Outcome::ok);
  }
}

#if DALEMBERT_COUNTS_ALLOCATIONS
TEST(ComplexIterationMatrix, AllocatesOnlyOnce) {
  const SaddleSystem system = planar_chain(30);
  for (const Backend backend : {Backend::dense, Backend::sparse}) {
    ComplexIterationMatrix A(system.n + system.m, backend);
    Statistics statistics;
    Eigen::VectorXcd x = Eigen::VectorXcd::Ones(system.n + system.m);
    put_together(A, system, {1, 1});
    ASSERT_EQ(A.factor(statistics), Outcome::ok);
    A.solve(x, statistics);
    const long before = allocations;
    for (const double c : {1.1, 0.9, 0.5}) {
      put_together(A, system, {c, 1});
      if (A.factor(statistics) != Outcome::ok) break;
      A.solve(x, statistics);
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(statistics.factorizations, 4);
  }
}
#endif

TEST(IterationMatrix, ChoosesNewPivotsWhenTheOldOnesAreBad) {
  // [a 1; 1 a] wants its rows exchanged when a vanishes.
  Entries diagonal, other;
  diagonal.begin(), diagonal.add(0, 0, 1), diagonal.add(1, 1, 1), diagonal.end();
  other.begin(), other.add(0, 1, 1e-3), other.add(1, 0, 1e-3), other.end();
  IterationMatrix A(2, Backend::sparse);
  Statistics statistics;
  for (const double a : {1.0, 1e-12, 1.0}) {
    A.begin();
    A.add(diagonal, 0, 0, a);
    A.add(other, 0, 0, 1);
    ASSERT_EQ(A.factor(statistics), Outcome::ok);
    Vector x(2);
    x << a + 2e-3, 1e-3 + 2 * a;  // (1, 2)
    A.solve(x, statistics);
    EXPECT_NEAR(x[0], 1, 1e-12);
    EXPECT_NEAR(x[1], 2, 1e-12);
  }
}

TEST(IterationMatrix, NoticesSingularAndNotFinite) {
  for (const Backend backend : {Backend::dense, Backend::sparse}) {
    IterationMatrix A(3, backend);
    Statistics statistics;
    Entries B;
    const auto factor = [&](double a, double b) {
      B.begin();
      B.add(0, 0, 1), B.add(0, 2, 2), B.add(1, 1, 1e-9), B.add(2, 0, a), B.add(2, 2, b);
      B.end();
      A.begin();
      A.add(B, 0, 0, 1);
      return A.factor(statistics);
    };
    EXPECT_EQ(factor(1, 3), Outcome::ok);
    EXPECT_FALSE(A.culprit());
    EXPECT_EQ(factor(3, 6), Outcome::singular);  // the last row is three times the first
    ASSERT_TRUE(A.culprit());
    EXPECT_NE(*A.culprit(), 1);
    EXPECT_EQ(factor(0, 0), Outcome::singular);
    EXPECT_EQ(A.culprit(), std::optional<Eigen::Index>(2));
    EXPECT_EQ(factor(not_a_number, 1), Outcome::not_finite);
    EXPECT_EQ(factor(1, 3), Outcome::ok);
    EXPECT_EQ(statistics.factorizations, 2);
  }
}

TEST(IterationMatrix, ChoosesItsBackendBySize) {
  Statistics statistics;
  for (const int bodies : {2, 100}) {
    const SaddleSystem system = planar_chain(bodies);
    IterationMatrix A(system.n + system.m);
    put_together(A, system, 1);
    ASSERT_EQ(A.factor(statistics), Outcome::ok);
    EXPECT_EQ(A.backend(), bodies == 2 ? Backend::dense : Backend::sparse);
  }
}

#if DALEMBERT_COUNTS_ALLOCATIONS
TEST(IterationMatrix, AllocatesOnlyOnce) {
  const SaddleSystem system = planar_chain(30);
  for (const Backend backend : {Backend::dense, Backend::sparse}) {
    IterationMatrix A(system.n + system.m, backend);
    Statistics statistics;
    Vector x = Vector::Ones(system.n + system.m);
    put_together(A, system, 1);
    ASSERT_EQ(A.factor(statistics), Outcome::ok);
    A.solve(x, statistics);
    const long before = allocations;
    for (const double c : {1.1, 0.9, 0.5}) {
      put_together(A, system, c);
      if (A.factor(statistics) != Outcome::ok) break;
      A.solve(x, statistics);
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(statistics.factorizations, 4);
  }
}
#endif

TEST(Rank, FindsDependentRowsAndNullSpace) {
  Matrix A(4, 3);
  A << 1, 0, 1, 0, 1e6, 1e6, 1e-3, 0, 1e-3, 0, 0, 0;
  EXPECT_EQ(numerical_rank(A), 2);
  const auto rows = dependent_rows(A);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0] == 0 || rows[0] == 2);
  EXPECT_EQ(rows[1], 3);
  const Matrix N = null_space(A);
  ASSERT_EQ(N.cols(), 1);
  EXPECT_LT((A * N).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(N.norm(), 1, 1e-14);
}

TEST(Rank, TakesEmptyMatrices) {
  EXPECT_EQ(numerical_rank(Matrix(0, 3)), 0);
  EXPECT_EQ(null_space(Matrix(0, 3)).cols(), 3);
  EXPECT_EQ(dependent_rows(Matrix(2, 0)).size(), 2u);
}

}  // namespace
}  // namespace dalembert
