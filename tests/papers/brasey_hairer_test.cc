// Tables 1 to 5 of [BraseyHairer1993]: every printed number agrees, except the misprints that are named.
#include <gtest/gtest.h>

#include <map>

#include "dalembert/core/error.h"
#include "papers/paper.h"

namespace dalembert {
namespace {

PaperTable table(const std::string& id) {
  const PaperReport report = find_paper("brasey-hairer").run(id, {});
  EXPECT_EQ(report.tables.size(), 1u);
  return report.tables.at(0);
}

std::map<std::string, PaperRow> by_label(const PaperTable& table) {
  std::map<std::string, PaperRow> rows;
  for (const auto& row : table.rows)
    EXPECT_TRUE(rows.emplace(row.label, row).second) << "twice: " << row.label;
  return rows;
}

/// Labels of the rows that differ.
std::vector<std::string> differing(const PaperTable& table) {
  std::vector<std::string> labels;
  for (const auto& row : table.rows) {
    if (row.verdict == Verdict::agrees || row.verdict == Verdict::not_printed) continue;
    labels.push_back(row.label);
    EXPECT_NE(row.why, "") << row.label;
  }
  return labels;
}

using Labels = std::vector<std::string>;

TEST(BraseyHairer, Table1HasOneMisprint) {
  const PaperTable t = table("1");
  EXPECT_EQ(differing(t), Labels{"condition 16 as printed, HEM4"});
  auto rows = by_label(t);
  EXPECT_EQ(rows.size(), 20u + 1 + 6 + 2);
  EXPECT_EQ(rows["condition 16, HEM4"].quantity, "sum b_i a_ij c_j omega_ik c_{k+1}^2");
  EXPECT_EQ(rows["condition 16, HEM4"].ours, "1/4");
  EXPECT_NE(rows["condition 16 as printed, HEM4"].why.find("0.324"), std::string::npos);
  EXPECT_EQ(rows["number of conditions"].ours, "1, 2, 6, 20");
}

TEST(BraseyHairer, Table2IsTheUniqueMethod) {
  const PaperTable t = table("2");
  EXPECT_EQ(differing(t), Labels{});
  EXPECT_EQ(by_label(t)["order"].ours, "3");
  EXPECT_EQ(by_label(t)["row 3, rebuilt"].ours, "1 | -1  2");
}

TEST(BraseyHairer, Table3HoldsForTheLastStage) {
  const PaperTable t = table("3");
  EXPECT_EQ(differing(t), Labels{});
  EXPECT_EQ(by_label(t)["order of Y_5"].ours, "2");
}

TEST(BraseyHairer, Table4IsRightAndNotMetBeyondOrderOne) {
  const PaperTable t = table("4");
  EXPECT_EQ(differing(t), Labels{});
  for (const auto& [label, row] : by_label(t)) {
    if (row.verdict != Verdict::not_printed) continue;
    const bool holds = label.rfind("condition 1,", 0) == 0 || label == "condition 8, Z_s of hem3";
    EXPECT_EQ(row.why == "holds", holds) << label << " " << row.ours;
  }
}

TEST(BraseyHairer, Table5IsRebuiltExactly) {
  const PaperTable t = table("5");
  EXPECT_EQ(differing(t), Labels{"(4.3)"});
  auto rows = by_label(t);
  EXPECT_EQ(rows["row 4, constructed"].ours, "2/5+1/10r | -79/150-31/150r  -1/30-2/15r  24/25+11/25r");
  EXPECT_EQ(rows["fifth-order quadrature"].ours, "1/5");
}

TEST(BraseyHairer, Proposition5) {
  EXPECT_EQ(differing(table("proposition-5")), Labels{});
}

TEST(Papers, AreFoundByName) {
  EXPECT_THROW(find_paper("brasey-hairrer"), Error);
  EXPECT_THROW(find_paper("brasey-hairer").run("6", {}), Error);
}

TEST(Papers, RunOnePartOrAll) {
  const auto part = [](const char* id) -> PaperPart {
    return {id, id, [id](const PaperOptions& options, auto& written) {
              written.push_back(options.out / id);
              return std::vector<PaperRow>{{.label = id, .quantity = "", .printed = "1", .ours = "1"}};
            }};
  };
  const PaperEntry entry = make_paper("some", "Some paper", "Key", {part("1"), part("figure-1")});
  ASSERT_EQ(entry.tables.size(), 2u);
  EXPECT_EQ(entry.tables[1].id, "figure-1");
  std::vector<std::string> said;
  const PaperOptions options{.out = "there",
                             .progress = [&](const std::string& what) { said.push_back(what); }};
  const PaperReport all = entry.run("", options), one = entry.run("figure-1", options);
  EXPECT_EQ(all.tables.size(), 2u);
  ASSERT_EQ(one.tables.size(), 1u);
  EXPECT_EQ(one.tables[0].rows.at(0).label, "figure-1");
  EXPECT_EQ(one.written, std::vector<std::filesystem::path>{"there/figure-1"});
  EXPECT_EQ(said.size(), 3u);
}

}  // namespace
}  // namespace dalembert
