// What is printed in [MantegazzaMasarati2012] and what is not; instabilities by name.
#include <gtest/gtest.h>

#include "papers/mantegazza_masarati/parts.h"

namespace dalembert {
namespace {

TEST(MantegazzaMasarati, NothingIsCalledPrintedThatIsNot) {
  const PaperReport report = find_paper("mantegazza-masarati").run("stability", {});
  ASSERT_EQ(report.tables.at(0).rows.size(), 13u * 4);  // the figures have curves and no numbers
  for (const auto& row : report.tables[0].rows) {
    EXPECT_EQ(row.verdict, Verdict::not_printed) << row.label;
    ASSERT_TRUE(row.reference) << row.label;
    EXPECT_EQ(row.reference->verdict, Verdict::agrees)
        << row.label << ", " << row.quantity << ": " << row.ours;
    EXPECT_NE(row.reference->origin, "");
  }
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
