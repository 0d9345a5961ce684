// Does every table of every paper come to the verdicts that are expected of it, and is a wrong one noticed?
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "papers/expected.h"

namespace dalembert {
namespace {

struct Part {
  std::string paper, table;
};

std::vector<Part> all_parts() {
  std::vector<Part> all;
  for (const auto& paper : all_papers())
    for (const auto& table : paper.tables) all.push_back({paper.id, table.id});
  return all;
}

class Verdicts : public ::testing::TestWithParam<Part> {};

TEST_P(Verdicts, AreTheExpectedOnes) {
  const PaperReport report = find_paper(GetParam().paper).run(GetParam().table, {});
  for (const auto& sentence : unexpected(report)) ADD_FAILURE() << sentence;
  ASSERT_EQ(report.tables.size(), 1u);
  std::set<std::string> rows;
  for (const auto& row : report.tables[0].rows) {
    const std::string name = row.label + row.variant + row.quantity;
    EXPECT_TRUE(rows.insert(name).second) << "twice: " << name;
    EXPECT_EQ(row.verdict == Verdict::not_printed, row.printed.empty()) << name;
    // Where the reason is not known, the row says so, and what was tried.
    if (row.verdict == Verdict::unexplained)
      EXPECT_NE(row.why.find("not known"), std::string::npos)
          << name << ": " << row.printed << " against " << row.ours;
    EXPECT_NE(row.ours, "") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Verdicts, ::testing::ValuesIn(all_parts()), [](const auto& given) {
  std::string name = given.param.paper + "_" + given.param.table;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

PaperRow differing() {
  return {.label = "row", .quantity = "x", .printed = "1", .ours = "2", .verdict = Verdict::differs};
}

TEST(Explained, OnlyByAReasonThatHolds) {
  EXPECT_EQ(explained(differing(), {"a slip", true}).verdict, Verdict::differs);
  EXPECT_EQ(explained(differing(), {"a slip", true}).why, "a slip");
  EXPECT_EQ(explained(differing(), {"a slip", false}).verdict, Verdict::unexplained);
}

TEST(Explained, NotByWhatWasTriedInVain) {
  const PaperRow row = explained(differing(), {"no reading gives it", true, Reason::Says::what_was_tried});
  EXPECT_EQ(row.verdict, Verdict::unexplained);
  EXPECT_EQ(row.why, "the reason is not known: no reading gives it");
}

TEST(Explained, NotWhereTheReferenceIsNotMetEither) {
  PaperRow row = differing();
  row.reference = PaperReference{"3", "another program", Verdict::differs};
  EXPECT_EQ(explained(row, {"a slip", true}).verdict, Verdict::unexplained);
  row.reference->verdict = Verdict::agrees;
  EXPECT_EQ(explained(row, {"a slip", true}).verdict, Verdict::differs);
  EXPECT_EQ(verdict_of(row), "differs, reference agrees");
}

TEST(Explained, NotAtAllWithoutAReason) {
  const PaperEntry paper = make_paper(
      "some", "Some paper", "Key",
      {{"1", "a table", [](const PaperOptions&, auto&) { return std::vector<PaperRow>{differing()}; }}});
  EXPECT_EQ(paper.run("1", {}).tables.at(0).rows.at(0).verdict, Verdict::unexplained);
}

/// A table that takes no time, as it comes out.
PaperReport cheap() {
  return find_paper("brasey-hairer").run("3", {});
}

TEST(Unexpected, NothingInATableAsItIs) {
  EXPECT_EQ(unexpected(cheap()), std::vector<std::string>{});
}

TEST(Unexpected, AnotherVerdictIsSaid) {
  PaperReport report = cheap();
  report.tables[0].rows[0].verdict = Verdict::differs;
  const auto said = unexpected(report);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("differs; expected: agrees"), std::string::npos) << said[0];
}

TEST(Unexpected, RowsThatComeAndGoAreSaid) {
  PaperReport report = cheap();
  report.tables[0].rows[0].label = "another row";
  EXPECT_EQ(unexpected(report).size(), 2u);
}

TEST(Unexpected, WithoutAFileNothingPrintedMayDiffer) {
  PaperReport report = cheap();
  report.paper = "one without a file";
  EXPECT_TRUE(unexpected(report).empty());
  report.tables[0].rows[0].verdict = Verdict::unexplained;
  EXPECT_EQ(unexpected(report).size(), 1u);
}

/// Not a test: tools/verdicts writes the files with it.
TEST(Unexpected, DISABLED_WriteTheTables) {
  for (const auto& paper : all_papers()) {
    std::string folder = paper.id;
    std::replace(folder.begin(), folder.end(), '-', '_');
    std::ofstream file(std::string(DALEMBERT_SOURCE) + "/papers/" + folder + "/verdicts.txt");
    file << "# Expected verdicts, table by table and row by row: verdict | row | quantity. Written by "
            "tools/verdicts.\n"
         << verdicts(paper.run("", {}));
    EXPECT_TRUE(file.good()) << paper.id;
  }
}

}  // namespace
}  // namespace dalembert
