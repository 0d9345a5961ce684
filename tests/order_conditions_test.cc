// Order conditions in exact arithmetic: trees, tableaus, the tables of [BraseyHairer1993], its propositions.
#include "dalembert/analysis/order_conditions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "dalembert/analysis/construction.h"
#include "dalembert/analysis/index2_tables.h"
#include "dalembert/core/error.h"
#include "dalembert/method/method.h"

namespace dalembert {
namespace {

Tableau rk4() {
  return Tableau::parse(R"(
    0   |
    1/2 | 1/2
    1/2 | 0   1/2
    1   | 0   0   1
    ----+----------------
        | 1/6 1/3 1/3 1/6)");
}

Tableau dopri5() {
  return Tableau::parse(R"(
    0    |
    1/5  | 1/5
    3/10 | 3/40       9/40
    4/5  | 44/45      -56/15      32/9
    8/9  | 19372/6561 -25360/2187 64448/6561 -212/729
    1    | 9017/3168  -355/33     46732/5247 49/176   -5103/18656
    1    | 35/384     0           500/1113   125/192  -2187/6784    11/84
    -----+---------------------------------------------------------------------
         | 35/384     0           500/1113   125/192  -2187/6784    11/84    0
         | 5179/57600 0           7571/16695 393/640  -92097/339200 187/2100 1/40)");
}

Tableau hem3() {
  return Tableau::parse(R"(
    0   |
    1/3 | 1/3
    1   | -1  2
    ----+-----------
        | 0   3/4 1/4)");
}

Tableau hem4() {
  return Tableau::parse(R"(
    0          |
    3/10       | 3/10
    2/5-1/10r  | 1/30+1/30r      11/30-2/15r
    2/5+1/10r  | -79/150-31/150r -1/30-2/15r 24/25+11/25r
    1          | 7/3+5/6r        -4/3+7/6r   -9/4-7/4r    9/4-1/4r
    -----------+---------------------------------------------------------
               | 0               0           4/9-1/36r    4/9+1/36r  1/9)");
}

/// Published 16-digit coefficients of HEM5, refined until all conditions up to order 5 hold to the last
/// digit.
Tableau hem5() {
  return Tableau::parse(R"(
    0 |
    0.1 | 0.1
    0.15 | 0.0375 0.1125
    0.361478734657363251204491 | 0.3222169236216062924153659 -1.188883322987613404424358 1.228145134023370363213483
    0.0853558433548644622708781 | -0.03501123898129995758808572 0.372542060108618113214544 -0.2721053535582044532805529 0.01993037578575075992497258
    0.5 | -0.5576547055041921050622649 1.367307289645891362773316 -1.732236360460710080484183 0.4587772007467529943267358 0.9638065755722578284463963
    0.8 | 0.08654517193564281848506426 -0.08810082847945403144754284 0.1981275547329075601302283 -0.4645422679331096218721148 0.1615170091109995707591034 0.9064533606330137039452616
    1 | 0 0 0 3.624477248753876782589631 -0.4617724189182948208569553 -3.198024628164332626512774 1.035319798328750664780099
    --+--
      | 0 0 0 0.2467760667636786873376546 0.2106594087489731741419611 0.1769218149125015393918231 0.3064446444147932697228836 0.0591980651600533294056776)");
}

std::string failures(const std::vector<Condition>& conditions) {
  std::string all;
  for (const auto& c : conditions)
    if (!c.holds())
      all += c.tree + ": " + c.formula + " = " + c.left_text() + " is not " + c.right.text() + "\n";
  return all;
}

/// The tableau with these rows of A; b last.
Tableau from_rows(const ExactMatrix& rows) {
  std::string picture;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Exact sum;
    std::string line;
    for (const auto& a : rows[i]) {
      sum = sum + a;
      line += a.text() + " ";
    }
    if (i + 1 == rows.size()) picture += "-+-\n";
    picture += (i + 1 == rows.size() ? std::string() : sum.text()) + " | " + line + "\n";
  }
  return Tableau::parse(picture);
}

// ---- trees ----

TEST(Trees, OdeCounts) {
  const std::size_t counts[] = {1, 1, 2, 4, 9, 20, 48, 115, 286};
  for (int q = 1; q <= 9; ++q) EXPECT_EQ(ode_trees(q).size(), counts[q - 1]) << q;
}

TEST(Trees, Index2Counts) {
  const std::size_t all[] = {1, 2, 8, 36, 181}, independent[] = {1, 1, 4, 14, 56};
  for (int q = 1; q <= 5; ++q) {
    EXPECT_EQ(y_trees(q, Selection::all).size(), all[q - 1]) << q;
    EXPECT_EQ(y_trees(q, Selection::independent).size(), independent[q - 1]) << q;
  }
  const std::size_t z[] = {1, 2, 7};
  for (int q = 1; q <= 3; ++q) EXPECT_EQ(z_trees(q, Selection::independent).size(), z[q - 1]) << q;
}

TEST(Trees, AreDistinctCanonicalAndOfTheirOrder) {
  for (int q = 1; q <= 5; ++q) {
    std::set<std::string> seen;
    for (const auto& tree : y_trees(q, Selection::all)) {
      EXPECT_TRUE(seen.insert(text(tree)).second) << text(tree);
      EXPECT_EQ(text(Tree::parse(text(tree))), text(tree));
      EXPECT_EQ(order(tree), q);
    }
    for (const auto& tree : ode_trees(q)) EXPECT_TRUE(seen.count(text(tree))) << text(tree);
  }
  EXPECT_EQ(text(Tree::parse("[{t [t]} [t] t]")), "[t [t] {t [t]}]");
  for (const char* wrong : {"", "x", "[t", "[]", "{}", "t t", "[t}"})
    EXPECT_THROW(Tree::parse(wrong), Error) << wrong;
}

TEST(Trees, RightSides) {
  EXPECT_EQ(right_side(Tree::parse("[[[t]]]")), Exact(1) / 24);
  EXPECT_EQ(right_side(Tree::parse("[{t t} {t [t]}]")), Exact(3) / 4);
  EXPECT_EQ(right_side(Tree::parse("{t [{t t} {t t}]}")), Exact(16) / 3);
}

// ---- ordinary differential equations ----

TEST(OdeConditions, Rk4HasOrderExactly4) {
  EXPECT_EQ(order_of(rk4(), Kind::ode), 4);
}

TEST(OdeConditions, Dopri5HasOrderExactly5And4) {
  EXPECT_EQ(order_of(dopri5(), Kind::ode), 5);
  EXPECT_EQ(embedded_order_of(dopri5(), Kind::ode), 4);
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
  EXPECT_EQ(order_of(hem3(), Kind::index2), 3);
  EXPECT_EQ(order_of(hem3(), Kind::ode), 3);
}

TEST(Index2Conditions, Hem4HasOrderExactly4) {
  EXPECT_EQ(order_of(hem4(), Kind::index2), 4);
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
  EXPECT_EQ(order_of(hem5(), Kind::index2), 5);
}

TEST(Index2Conditions, ClassicalMethodsFail) {
  EXPECT_EQ(order_of(rk4(), Kind::index2), 2);
  EXPECT_THROW(order_of(dopri5(), Kind::index2), Error);  // b_7 = 0
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
  EXPECT_EQ(embedded_order_of(t, Kind::index2), 2);
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

// ---- construction and propositions ----

TEST(Construction, GivesTable5) {
  const Tableau built = Tableau::parse(half_explicit_of_order4(Exact(3) / 10, Exact::parse("2/5-1/10r")));
  const Tableau printed = hem4();
  EXPECT_EQ(built.A_text, printed.A_text);
  EXPECT_EQ(built.b_text, printed.b_text);
  EXPECT_EQ(built.c_text, printed.c_text);
}

TEST(Construction, EveryMemberHasOrder4) {
  const char* nodes[][2] = {{"1/2", "1/5"}, {"1/3", "3/5"},  {"3/10", "2/5+1/10r"},
                            {"1/7", "2/3"}, {"-1/4", "3/4"}, {"1/2", "2"}};
  for (const auto& [c2, c3] : nodes) {
    const Tableau t = Tableau::parse(half_explicit_of_order4(Exact::parse(c2), Exact::parse(c3)));
    EXPECT_EQ(order_of(t, Kind::index2), 4) << c2 << " " << c3;
    for (const auto& line : table1_conditions(t))
      EXPECT_TRUE(line.condition.holds()) << c2 << " " << c3 << " " << line.number;
  }
}

TEST(Construction, SaysWhyAChoiceIsImpossible) {
  const auto sentence = [](const char* c2, const char* c3) -> std::string {
    try {
      half_explicit_of_order4(Exact::parse(c2), Exact::parse(c3));
    } catch (const Error& error) {
      return error.sentence();
    }
    return {};
  };
  EXPECT_NE(sentence("1/2", "1/3").find("c_4 = (1 - 2 c_3)/(2 - 6 c_3) is infinite"), std::string::npos);
  EXPECT_NE(sentence("1/2", "1/4").find("not distinct"), std::string::npos);
  EXPECT_NE(sentence("1/2", "1").find("not distinct"), std::string::npos);
  EXPECT_NE(sentence("1/3", "1/2").find("a_43 vanishes"), std::string::npos);
  EXPECT_NE(sentence("0", "1/2").find("a_21"), std::string::npos);
  EXPECT_NE(sentence("1/2", "0").find("a_32"), std::string::npos);
}

/// All explicit methods of order 3 with three stages and these nodes (c_2, c_3, 0 distinct, c_2 != 2/3).
Tableau three_stages(const Exact& c2, const Exact& c3) {
  const ExactVector b =
      solve({{1, 1, 1}, {0, c2, c3}, {0, c2 * c2, c3 * c3}}, {1, Exact(1) / 2, Exact(1) / 3}, "b");
  const Exact a32 = Exact(1) / (6 * b[2] * c2);
  return from_rows({{}, {c2}, {c3 - a32, a32}, b});
}

TEST(Proposition4, OrderThreeWithThreeStagesIsUnique) {
  int methods = 0, of_order3 = 0;
  for (long n = 2; n <= 12; ++n)
    for (long p = 1; p <= n; ++p)
      for (long m = 2; m <= 12; ++m)
        for (long q = 1; q <= m; ++q) {
          if (std::gcd(n, p) > 1 && n != p) continue;
          const Exact c2 = Exact(p) / Exact(n), c3 = Exact(q) / Exact(m);
          if (c2 == c3 || c2 == Exact(2) / 3) continue;
          if ((n == p && n > 2) || (m == q && m > 2) || (std::gcd(m, q) > 1 && m != q)) continue;
          const Tableau t = three_stages(c2, c3);
          ++methods;
          if (ExactTableau::read(t).b.back().is_zero()) continue;
          if (order_of(t, Kind::index2) < 3) continue;
          ++of_order3;
          EXPECT_EQ(c2, Exact(1) / 3);
          EXPECT_EQ(c3, Exact(1));
          EXPECT_EQ(t.A_text, hem3().A_text);
          EXPECT_EQ(t.b_text, hem3().b_text);
        }
  EXPECT_EQ(of_order3, 1);
  EXPECT_GT(methods, 1000);
}

/// All explicit methods of order 4 with four stages and these nodes, [BraseyHairer1993, proof of Proposition
/// 5].
Tableau four_stages(const Exact& c2, const Exact& c3) {
  const ExactVector b =
      solve({{1, 1, 1, 1}, {0, c2, c3, 1}, {0, c2 * c2, c3 * c3, 1}, {0, c2 * c2 * c2, c3 * c3 * c3, 1}},
            {1, Exact(1) / 2, Exact(1) / 3, Exact(1) / 4}, "b");
  // D(1) for j = 3, conditions 10 and D(1) for j = 2
  const Exact a43 = b[2] * (1 - c3) / b[3];
  const Exact a32 = Exact(1) / (24 * b[3] * a43 * c2);
  const Exact a42 = (b[1] * (1 - c2) - b[2] * a32) / b[3];
  return from_rows({{}, {c2}, {c3 - a32, a32}, {1 - a42 - a43, a42, a43}, b});
}

TEST(Proposition5, FourStagesMissCondition11ByTheStatedAmount) {
  const char* nodes[][2] = {{"1/3", "2/3"}, {"1/4", "1/2"}, {"2/5", "3/5"},
                            {"1/5", "3/4"}, {"3/4", "1/4"}, {"3/10", "2/5-1/10r"}};
  for (const auto& [c2_text, c3_text] : nodes) {
    const Exact c2 = Exact::parse(c2_text), c3 = Exact::parse(c3_text);
    const Tableau t = four_stages(c2, c3);
    ASSERT_EQ(order_of(t, Kind::ode), 4) << c2_text << " " << c3_text;
    const Condition c11 = condition(t, Tree::parse("[t t {t t}]"));
    EXPECT_EQ(c11.left - c11.right, c2 * (1 - c3) / 6) << c2_text << " " << c3_text;
    EXPECT_LT(order_of(t, Kind::index2), 4);
  }
}

// ---- every method that is entered ----

TEST(MethodRegistry, TableausHaveTheirClaimedOrders) {
  int tableaus = 0;
  for (const auto& entry : all_methods()) {
    if (entry.tableau.empty()) continue;
    ++tableaus;
    const Tableau tableau = Tableau::parse(entry.tableau);
    for (const Kind kind : {Kind::ode, Kind::index2}) {
      if (!entry.accepts(kind)) continue;
      EXPECT_EQ(order_of(tableau, kind), entry.order(kind)) << entry.name << " " << name(kind);
    }
  }
  EXPECT_GT(tableaus, 0) << "no method with a tableau is entered";
}

}  // namespace
}  // namespace dalembert
