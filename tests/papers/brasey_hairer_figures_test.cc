// Figures 2 and 3 of [BraseyHairer1993]: curves, references, and files.
#include <gtest/gtest.h>

#include <filesystem>

#include "papers/brasey_hairer/parts.h"

namespace dalembert {
namespace {

TEST(BraseyHairerFigures, RunWithVerdictsAndFiles) {
  const auto out = std::filesystem::temp_directory_path() / "dalembert-figures-test";
  const PaperReport report = find_paper("brasey-hairer").run("figure-3", {.out = out});
  ASSERT_EQ(report.tables.size(), 1u);
  EXPECT_EQ(report.tables[0].rows.size(), 15u);
  EXPECT_EQ(report.tables[0].rows[0].verdict, Verdict::agrees);
  ASSERT_EQ(report.written.size(), 2u);
  for (const auto& file : report.written) EXPECT_GT(std::filesystem::file_size(file), 1000u);
  std::filesystem::remove_all(out);
}

TEST(BraseyHairerFigures, CurvesAgreeWithWhatTheFigureShows) {
  const PaperReport report = find_paper("brasey-hairer").run("figure-2", {});
  int judged = 0, referred = 0;
  for (const auto& row : report.tables.at(0).rows) {
    referred += row.reference ? 1 : 0;
    if (row.verdict != Verdict::not_printed) {
      ++judged;
      EXPECT_EQ(row.verdict, Verdict::agrees) << row.label << ": " << row.ours << " " << row.why;
    }
  }
  EXPECT_EQ(judged, 2);
  EXPECT_EQ(referred, 6);
}

}  // namespace
}  // namespace dalembert
