// What is printed in [MantegazzaMasarati2012] and what is not; instabilities by name; every exercise checked and explained.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "papers/mantegazza_masarati/parts.h"
#include "tests/support/source_files.h"

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

/// Five chapters have 9, 6, 9, 5 and 2 exercises: 1.1 to 5.2.
TEST(MantegazzaMasarati, EveryExerciseIsCheckedAndExplained) {
  std::set<std::string> expected, checked, explained;
  for (const auto& [chapter, count] : {std::pair{1, 9}, {2, 6}, {3, 9}, {4, 5}, {5, 2}})
    for (int i = 1; i <= count; ++i) expected.insert(std::to_string(chapter) + "." + std::to_string(i));
  ASSERT_EQ(expected.size(), 31u);
  const PaperReport report = find_paper("mantegazza-masarati").run("exercises", {});
  for (const auto& row : report.tables.at(0).rows) {
    checked.insert(row.label);
    ASSERT_TRUE(row.reference) << row.label;
    EXPECT_EQ(row.reference->verdict, Verdict::agrees)
        << row.label << ", " << row.quantity << ": " << row.reference->value << " against " << row.ours;
  }
  static const std::regex heading("\n## (\\d\\.\\d) ");
  for (const auto& document : documents(DALEMBERT_SOURCE))
    if (document.path.starts_with("docs/course/"))
      for (std::sregex_iterator it(document.text.begin(), document.text.end(), heading), end; it != end; ++it)
        EXPECT_TRUE(explained.insert((*it)[1]).second) << (*it)[1] << " is explained twice";
  EXPECT_EQ(checked, expected);
  EXPECT_EQ(explained, expected);
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
