// Order conditions in exact arithmetic: well-known tableaus, the tables of [BraseyHairer1993], every method
// entered.
#include "dalembert/analysis/order_conditions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dalembert/analysis/index2_tables.h"
#include "dalembert/core/error.h"
#include "dalembert/method/method.h"
#include "tests/support/tableaus.h"

namespace dalembert {
namespace {

std::string failures(const std::vector<Condition>& conditions) {
  std::string all;
  for (const auto& c : conditions)
    if (!c.holds())
      all += c.tree + ": " + c.formula + " = " + c.left_text() + " is not " + c.right.text() + "\n";
  return all;
}

// ---- ordinary differential equations ----

TEST(OdeConditions, Rk4HasOrderExactly4) {
  EXPECT_EQ(order_of(rk4(), Kind::ode), 4);
}

TEST(OdeConditions, Dopri5HasOrderExactly5And4) {
  EXPECT_EQ(order_of(dopri5(), Kind::ode), 5);
  EXPECT_EQ(embedded_order_of(dopri5(), Kind::ode), 4);
}

/// Euler's method extrapolated over 1, 2, .., p substeps: a rational method of order p for every p.
Tableau extrapolated_euler(long p) {
  ExactMatrix rows = {{}};
  ExactVector b(static_cast<std::size_t>(1 + p * (p - 1) / 2));
  for (long n = 1; n <= p; ++n) {
    Exact weight = Exact(1) / Exact(n);  // of each substep, in the sum of the n-th result
    for (long m = 1; m <= p; ++m)
      if (m != n) weight = weight * Exact(n) / Exact(n - m);
    b[0] = b[0] + weight;
    const std::size_t first = rows.size();
    for (long k = 1; k < n; ++k) {
      ExactVector row(rows.size());
      row[0] = Exact(1) / Exact(n);
      for (std::size_t j = first; j < rows.size(); ++j) row[j] = row[0];
      b[rows.size()] = weight;
      rows.push_back(row);
    }
  }
  std::string picture;
  for (const auto& row : rows) {
    Exact c;
    std::string line = " |";
    for (const auto& a : row) {
      c = c + a;
      line.append(" ").append(a.text());
    }
    picture += c.text() + line + "\n";
  }
  picture += "-+-\n |";
  for (const auto& weight : b) picture.append(" ").append(weight.text());
  return Tableau::parse(picture);
}

TEST(OdeConditions, ExtrapolatedEulerHasOrderExactlyP) {
  for (int p = 1; p <= 8; ++p) EXPECT_EQ(order_of(extrapolated_euler(p), Kind::ode), p);
}

TEST(OdeConditions, FormulasReadAsInTheBooks) {
  const auto conditions = ode_conditions(rk4(), 4);
  ASSERT_EQ(conditions.size(), 4u);
  EXPECT_EQ(conditions[0].formula, "sum b_i c_i^3");
  EXPECT_EQ(conditions[3].formula, "sum b_i a_ij a_jk c_k");
  EXPECT_EQ(conditions[3].right, Exact(1) / 24);
}

TEST(OdeConditions, WrongCoefficientsAreSeen) {
  EXPECT_EQ(order_of(Tableau::parse("0 |\n 1/2 | 1/2\n -+-\n | 0 1"), Kind::ode), 2);
  EXPECT_EQ(order_of(Tableau::parse("0 |\n 1/2 | 1/2\n -+-\n | 1/2 1/2"), Kind::ode), 1);
  // wrong by 1e-16, which doubles cannot see
  EXPECT_EQ(
      order_of(Tableau::parse("0 |\n 1/2 | 1/2\n -+-\n | 0 10000000000000001/10000000000000000"), Kind::ode),
      0);
  EXPECT_THROW(embedded_order_of(rk4(), Kind::ode), Error);
  EXPECT_THROW(order_of(rk4(), Kind::implicit), Error);
}

// ---- index 2 ----

TEST(Index2Conditions, Hem3HasOrderExactly3) {
  EXPECT_EQ(order_of(hem3(), Kind::hessenberg), 3);
  EXPECT_EQ(order_of(hem3(), Kind::ode), 3);
}

TEST(Index2Conditions, Hem4HasOrderExactly4) {
  EXPECT_EQ(order_of(hem4(), Kind::hessenberg), 4);
  EXPECT_EQ(order_of(hem4(), Kind::ode), 4);
}

TEST(Index2Conditions, RedundantTreesAddNothing) {
  for (int q = 1; q <= 3; ++q) EXPECT_EQ(failures(index2_conditions(hem3(), q, Selection::all)), "") << q;
  for (int q = 1; q <= 4; ++q) EXPECT_EQ(failures(index2_conditions(hem4(), q, Selection::all)), "") << q;
}

TEST(Index2Conditions, Hem5HasOrderExactly5) {
  double worst = 0;
  for (int q = 1; q <= 5; ++q)
    for (const auto& c : index2_conditions(hem5(), q, Selection::all)) {
      EXPECT_GT(c.tolerance, 0);
      worst = std::max(worst, std::abs(c.residual()));
    }
  EXPECT_LT(worst, 1e-22);  // 25 digits are given
  EXPECT_EQ(order_of(hem5(), Kind::hessenberg), 5);
}

TEST(Index2Conditions, ClassicalMethodsFail) {
  EXPECT_EQ(order_of(rk4(), Kind::hessenberg), 2);
  EXPECT_THROW(order_of(dopri5(), Kind::hessenberg), Error);  // b_7 = 0
}

TEST(Index2Conditions, OmegaOfHem4) {
  const ExactMatrix w = omega(ExactTableau::read(hem4()));
  EXPECT_EQ(w[0][0], Exact(10) / 3);
  EXPECT_NEAR(w[1][1].to_double(), 24.957550765359255, 1e-14);
  EXPECT_NEAR(w[4][2].to_double(), -10.696938456699069, 1e-14);
  EXPECT_EQ(w[4][4], Exact(9));
  for (std::size_t i = 2; i < 5; ++i) EXPECT_TRUE(w[i][0].is_zero());
}

// ---- the tables of the paper ----

TEST(Table1, ListsExactlyTheIndependentTrees) {
  const auto table = table1_conditions(hem4());
  ASSERT_EQ(table.size(), 20u);
  std::set<std::string> trees;
  for (const auto& [number, formula, printed, condition] : table) {
    EXPECT_EQ(number, static_cast<int>(trees.size()) + 1);
    trees.insert(condition.tree);
    EXPECT_EQ(condition.formula, formula) << number;
    EXPECT_EQ(condition.right, Exact::parse(printed)) << number;
    EXPECT_TRUE(condition.holds()) << number;
  }
  for (int q = 1; q <= 4; ++q)
    for (const auto& tree : y_trees(q, Selection::independent))
      EXPECT_TRUE(trees.count(text(tree))) << text(tree);
}

TEST(Table1, Condition16AsPrintedFails) {
  const Condition c = table1_condition16_as_printed(hem4());
  EXPECT_FALSE(c.holds());
  EXPECT_NEAR(c.left.to_double(), 0.324, 5e-4);
}

TEST(Table3, HoldsForTheLastStageOfHem4) {
  const Tableau t = embed_stage(hem4(), 5);
  for (const auto& [number, formula, printed, condition] : table3_conditions(t)) {
    EXPECT_EQ(condition.formula, formula) << number;
    EXPECT_EQ(condition.right, Exact::parse(printed)) << number;
    EXPECT_TRUE(condition.holds()) << number;
  }
  EXPECT_EQ(embedded_order_of(t, Kind::hessenberg), 2);
}

TEST(Table3, ListsExactlyTheTransversalTrees) {
  std::set<std::string> trees;
  for (const auto& line : table3_conditions(embed_stage(hem4(), 5))) trees.insert(line.condition.tree);
  EXPECT_EQ(trees.size(), 3u);
  for (int q = 1; q <= 3; ++q)
    for (const auto& tree : transversal_trees(q)) EXPECT_TRUE(trees.count(text(tree))) << text(tree);
}

// At order 2 and above Z_s is not consistent: z is to be taken from (3.6).
TEST(Table4, HoldsAtOrderOneOnly) {
  for (const auto& tableau : {hem3(), hem4()}) {
    const auto table = table4_conditions(tableau);
    ASSERT_EQ(table.size(), 10u);
    for (const auto& [number, formula, printed, condition] : table) {
      EXPECT_EQ(condition.formula, formula) << number;
      EXPECT_EQ(condition.right, Exact::parse(printed)) << number;
      const bool by_chance =
          number == 8 && tableau.stages == 3;  // an order-3 condition that HEM3 happens to meet
      EXPECT_EQ(condition.holds(), number == 1 || by_chance) << number << " " << condition.left_text();
    }
  }
}

TEST(Table4, ListsExactlyTheTreesWithAFatRoot) {
  std::set<std::string> trees;
  for (const auto& line : table4_conditions(hem4())) trees.insert(line.condition.tree);
  for (int q = 1; q <= 3; ++q)
    for (const auto& tree : z_trees(q, Selection::independent))
      EXPECT_TRUE(trees.count(text(tree))) << text(tree);
}

// ---- every method that is entered ----

TEST(MethodRegistry, TableausHaveTheirClaimedOrders) {
  int tableaus = 0;
  for (const auto& entry : all_methods()) {
    if (entry.tableau.empty()) continue;
    ++tableaus;
    SCOPED_TRACE(entry.name);
    const Tableau tableau = Tableau::parse(entry.tableau);
    for (const Kind kind : {Kind::ode, Kind::hessenberg}) {
      if (!entry.accepts(kind)) continue;
      EXPECT_EQ(order_of(tableau, kind), entry.order(kind)) << name(kind);
    }
  }
  EXPECT_GT(tableaus, 0) << "no method with a tableau is entered";
}

TEST(MethodRegistry, HoldsTheMethodsOfThePaper) {
  for (const auto& [name, printed] : {std::pair{"hem3", hem3()}, {"hem4", hem4()}}) {
    const auto& methods = all_methods();
    const auto found =
        std::find_if(methods.begin(), methods.end(), [&](const auto& m) { return m.name == name; });
    ASSERT_NE(found, methods.end()) << name << " is not entered";
    const ExactTableau entered = ExactTableau::read(Tableau::parse(found->tableau)),
                       paper = ExactTableau::read(printed);
    EXPECT_EQ(entered.A, paper.A) << name;
    EXPECT_EQ(entered.b, paper.b) << name;
  }
}

}  // namespace
}  // namespace dalembert
