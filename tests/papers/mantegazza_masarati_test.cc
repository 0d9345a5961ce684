// The pendulum in every formulation and the spectral radii of [MantegazzaMasarati2012], row by row.
#include <gtest/gtest.h>

#include "papers/mantegazza_masarati/parts.h"

namespace dalembert {
namespace {

void expect_agreement(const PaperReport& report, std::size_t rows) {
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].rows.size(), rows);
  for (const auto& row : report.tables[0].rows)
    EXPECT_EQ(row.verdict, Verdict::agrees) << row.label << ", " << row.quantity << ": " << row.paper
                                            << " against " << row.ours << " " << row.why;
}

TEST(MantegazzaMasarati, PendulumInEveryFormulation) {
  // 3 reference values, 20 pairs with 7 numbers each, 2 that are wrong, 3 that must be found unstable.
  expect_agreement(find_paper("mantegazza-masarati").run("pendulum", {}), 3 + 20 * 7 + 2 + 3);
}

TEST(MantegazzaMasarati, SpectralRadii) {
  expect_agreement(find_paper("mantegazza-masarati").run("stability", {}), 13 * 4);
}

TEST(MantegazzaMasarati, InstabilityIsNamed) {
  for (const auto& c : mantegazza_masarati::pendulum_cases())
    if (c.error_q == 0 && c.wrong == 0) {
      const auto result = mantegazza_masarati::run_pendulum(c, 0.005);
      EXPECT_EQ(result.outcome, Outcome::unstable) << c.label;
      EXPECT_NE(result.message.find("alternate and grow"), std::string::npos) << result.message;
      EXPECT_NE(result.message.find("lambda.bar"), std::string::npos) << result.message;
    }
}

}  // namespace
}  // namespace dalembert
