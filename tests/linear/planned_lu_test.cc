// Does elimination along a plan solve other matrices of its pattern too, and ask for a new plan where the old one is bad?
#include "dalembert/linear/planned_lu.h"

#include <gtest/gtest.h>

#include <random>

#include "dalembert/core/memory.h"
#include "dalembert/linear/iteration_matrix.h"

namespace dalembert {
namespace {

/// A pattern with a full diagonal and some other places, by columns.
struct Pattern {
  Pattern(int size, double fill, std::mt19937& random) : n(size), start{0} {
    std::uniform_real_distribution<> uniform;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        if (i == j || uniform(random) < fill) rows.push_back(i);
      start.push_back(static_cast<int>(rows.size()));
    }
  }
  template <class Scalar>
  auto dense(const std::vector<Scalar>& values) const {
    Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic> A(n, n);
    A.setZero();
    for (int j = 0; j < n; ++j)
      for (int k = start[static_cast<std::size_t>(j)]; k < start[static_cast<std::size_t>(j) + 1]; ++k)
        A(rows[static_cast<std::size_t>(k)], j) = values[static_cast<std::size_t>(k)];
    return A;
  }
  int n;
  std::vector<int> start, rows;
};

template <class Scalar, class Number>
void solves_what_has_its_pattern(const Number& number) {
  std::mt19937 random(7);
  int planned_again = 0, followed = 0;
  for (int n = 1; n <= 20; ++n)
    for (const double fill : {0.05, 0.2, 0.5, 1.0}) {
      const Pattern pattern(n, fill, random);
      PlannedLu<Scalar> lu(n, pattern.start, pattern.rows);
      std::vector<Scalar> values(pattern.rows.size());
      for (int round = 0; round < 6; ++round) {
        for (Scalar& value : values) value = number(random);
        const auto A = pattern.dense(values);
        const auto exact = A.fullPivLu();
        if (!(exact.rcond() > 1e-5)) continue;
        if (lu.planned() && lu.factor(values.data())) {
          ++followed;
        } else {
          ++planned_again;
          ASSERT_TRUE(lu.plan(values.data())) << n << " " << fill;
        }
        Eigen::Matrix<Scalar, Eigen::Dynamic, 1> b(n), x(n);
        for (Scalar& entry : b) entry = number(random);
        lu.solve([&](int i) { return b[i]; }, [&](int i, Scalar value) { x[i] = value; });
        EXPECT_LT((A * x - b).cwiseAbs().maxCoeff(), 1e-9 * (1 + x.cwiseAbs().maxCoeff()))
            << n << " " << fill;
      }
    }
  EXPECT_GT(followed, 20);
  EXPECT_GT(planned_again, 80);  // small pivots in some, too
}

TEST(PlannedLu, SolvesWhatHasItsPattern) {
  std::uniform_real_distribution<> uniform(-1, 1);
  solves_what_has_its_pattern<double>([&](auto& random) { return uniform(random); });
  solves_what_has_its_pattern<std::complex<double>>([&](auto& random) {
    const double re = uniform(random);
    return std::complex<double>(re, uniform(random));
  });
}

TEST(PlannedLu, WantsNewPivotsWhereTheOldOnesAreBad) {
  // [a 1; 1 a]
  PlannedLu<double> lu(2, {0, 2, 4}, {0, 1, 0, 1});
  const auto matrix = [](double a) { return std::vector<double>{a, .5, .5, a}; };
  ASSERT_TRUE(lu.plan(matrix(1).data()));
  EXPECT_TRUE(lu.factor(matrix(.8).data()));
  EXPECT_FALSE(lu.factor(matrix(1e-3).data()));
  EXPECT_FALSE(lu.factor(matrix(0).data()));
  ASSERT_TRUE(lu.plan(matrix(0).data()));
  EXPECT_TRUE(lu.factor(matrix(1e-3).data()));
}

TEST(PlannedLu, NamesAColumnOfADependentSet) {
  PlannedLu<double> lu(3, {0, 2, 3, 5}, {0, 2, 1, 0, 2});
  EXPECT_FALSE(lu.plan(std::vector<double>{1, 2, 1, .5, 1}.data()));
  EXPECT_FALSE(lu.planned());
  EXPECT_NE(lu.culprit(), 1);
}

/// Steps become shorter and longer by decades: scales of a matrix must not outlive it, nor hide that another one is singular.
TEST(IterationMatrix, KeepsScalesOnlyWhileTheyFit) {
  Entries B, C;
  B.begin(), B.add(0, 0, 1), B.add(0, 1, 2), B.add(1, 0, 2), B.add(1, 1, 1), B.end();
  C.begin(), C.add(0, 0, 1), C.add(0, 1, 1), C.add(1, 0, 1), C.add(1, 1, 1), C.end();
  IterationMatrix A(2);
  Statistics statistics;
  const auto factor = [&](double b, double c) {
    A.begin();
    A.add(B, 0, 0, b);
    A.add(C, 0, 0, c);
    return A.factor(statistics);
  };
  for (const double b : {1.0, 1e-12, 1e12, 1e-200, 1e200}) {
    EXPECT_EQ(factor(b, 0), Outcome::ok) << b;
    Vector x(2);
    x << 5 * b, 4 * b;
    A.solve(x, statistics);
    EXPECT_NEAR(x[0], 1, 1e-14);
    EXPECT_NEAR(x[1], 2, 1e-14);
    for (const double c : {1e-300, 1e-9, 1.0, 1e9, 1e200})
      EXPECT_EQ(factor(0, c), Outcome::singular) << b << " " << c;
    EXPECT_EQ(factor(not_a_number, 0), Outcome::not_finite);
    EXPECT_EQ(factor(b, 0), Outcome::ok) << b;
  }
}

TEST(IterationMatrix, GoesOnAsRemembered) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> uniform(-1, 1);
  const Pattern pattern(9, 0.3, random);
  const auto put = [&](IterationMatrix& A, std::mt19937& numbers) {
    Entries B;
    B.begin();
    for (int j = 0; j < pattern.n; ++j)
      for (int k = pattern.start[static_cast<std::size_t>(j)];
           k < pattern.start[static_cast<std::size_t>(j) + 1]; ++k)
        B.add(pattern.rows[static_cast<std::size_t>(k)], j, uniform(numbers));
    B.end();
    A.begin();
    A.add(B, 0, 0, 1);
  };
  Statistics statistics;
  IterationMatrix A(pattern.n), other(pattern.n);
  std::mt19937 numbers(5), any(6);
  put(other, any);
  other.fix_pattern();
  for (int round = 0; round < 8; ++round) {
    put(A, numbers);
    ASSERT_EQ(A.factor(statistics), Outcome::ok);
    Memory written;
    A.remember(written);
    Memory read(written.bytes());
    other.remember(read);
    Vector x = Vector::LinSpaced(pattern.n, -1, 2), y = x;
    A.solve(x, statistics);
    other.solve(y, statistics);
    EXPECT_EQ(x, y) << round;  // to the last bit
  }
}

}  // namespace
}  // namespace dalembert
