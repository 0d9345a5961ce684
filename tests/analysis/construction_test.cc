// Families of methods by their nodes: HEM4 rebuilt, and Propositions 4 and 5 of [BraseyHairer1993].
#include "dalembert/analysis/construction.h"

#include <gtest/gtest.h>

#include "dalembert/analysis/index2_tables.h"
#include "dalembert/core/error.h"
#include "tests/support/tableaus.h"

namespace dalembert {
namespace {

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
    EXPECT_EQ(order_of(t, Kind::hessenberg), 4) << c2 << " " << c3;
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

Condition of_tree(const Tableau& tableau, const char* tree) {
  return condition(tableau, Tree::parse(tree));
}

// Condition 5 forces c_3 = 1, and then condition 6 forces c_2 = 1/3.
TEST(Proposition4, OrderThreeWithThreeStagesIsUnique) {
  const ExactVector nodes = {
      Exact(1) / 5, Exact(1) / 4, Exact(1) / 3,  Exact(2) / 5, Exact(1) / 2,
      Exact(3) / 4, Exact(1),     Exact(-1) / 2, Exact(3) / 2, Exact::parse("2/5-1/10r")};
  for (const auto& c2 : nodes)
    for (const auto& c3 : nodes) {
      if (c2 == c3) continue;
      const Tableau t = Tableau::parse(classical_of_order3(c2, c3));
      ASSERT_EQ(order_of(t, Kind::ode), 3);
      const Condition five = of_tree(t, "[t {t t}]"), six = of_tree(t, "[{t t} {t t}]");
      EXPECT_EQ(five.left - five.right, c2 * (c3 - 1) / 2) << c2.text() << " " << c3.text();
      if (c3 == Exact(1)) {
        EXPECT_EQ(six.left - six.right, c2 * c2 * (3 * c2 - 1) / (4 - 6 * c2)) << c2.text();
      }
    }
  const Tableau unique = Tableau::parse(classical_of_order3(Exact(1) / 3, 1));
  EXPECT_EQ(unique.A_text, hem3().A_text);
  EXPECT_EQ(unique.b_text, hem3().b_text);
}

// The two confluent families of order 3, c_2 = 2/3 with c_3 = 2/3 or 0 and b_3 free, miss condition 5 by the
// same law.
TEST(Proposition4, ConfluentNodesDoNotHelp) {
  for (const char* b3_text : {"1/4", "1/3", "3/4", "-2", "1r"}) {
    const Exact b3 = Exact::parse(b3_text), a32 = 1 / (4 * b3);
    for (const auto& c3 : {Exact(2) / 3, Exact(0)}) {
      const Exact b2 = c3.is_zero() ? Exact(3) / 4 : Exact(3) / 4 - b3;
      const Tableau t =
          Tableau::parse("0 |\n 2/3 | 2/3\n" + c3.text() + " | " + (c3 - a32).text() + " " + a32.text() +
                         "\n -+-\n | " + (1 - b2 - b3).text() + " " + b2.text() + " " + b3.text());
      ASSERT_EQ(order_of(t, Kind::ode), 3) << b3_text;
      const Condition five = of_tree(t, "[t {t t}]");
      EXPECT_EQ(five.left - five.right, (c3 - 1) / 3) << b3_text;
    }
  }
}

TEST(Proposition5, FourStagesMissCondition11ByTheStatedAmount) {
  const char* nodes[][2] = {{"1/3", "2/3"}, {"1/4", "1/2"}, {"2/5", "3/5"},
                            {"1/5", "3/4"}, {"3/4", "1/4"}, {"3/10", "2/5-1/10r"}};
  for (const auto& [c2_text, c3_text] : nodes) {
    const Exact c2 = Exact::parse(c2_text), c3 = Exact::parse(c3_text);
    const Tableau t = Tableau::parse(classical_of_order4(c2, c3));
    ASSERT_EQ(order_of(t, Kind::ode), 4) << c2_text << " " << c3_text;
    const Condition eleven = of_tree(t, "[t t {t t}]");
    EXPECT_EQ(eleven.left - eleven.right, c2 * (1 - c3) / 6) << c2_text << " " << c3_text;
    EXPECT_LT(order_of(t, Kind::hessenberg), 4);
  }
}

}  // namespace
}  // namespace dalembert
