// Figures 2 and 3 of [BraseyHairer1993]: work and precision beside an independent program, all switchings of the string.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "papers/brasey_hairer/parts.h"

namespace dalembert {
namespace {

TEST(BraseyHairerFigures, WorkAndPrecisionOfHem4) {
  struct Known {
    std::string problem;
    double tolerance, error, evaluations;
  };
  // From an independent program with the same estimate, safety factor and first step.
  for (const Known& k : {Known{"pendulum", 1e-4, 1.9e-6, 695}, Known{"pendulum", 1e-6, 1.4e-8, 2945},
                         Known{"pendulum", 1e-8, 5.0e-11, 13475}, Known{"andrews", 1e-4, 2.6e-5, 1050},
                         Known{"andrews", 1e-6, 3.7e-8, 4190}, Known{"andrews", 1e-8, 6.5e-11, 19380}}) {
    const auto ours = brasey_hairer::work_precision(k.problem, "hem4", k.tolerance);
    EXPECT_LT(std::abs(std::log(ours.error / k.error)), std::log(1.5))
        << k.problem << k.tolerance << " " << ours.error;
    EXPECT_LT(std::abs(std::log(ours.evaluations / k.evaluations)), std::log(1.5))
        << k.problem << k.tolerance;
  }
}

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
  int judged = 0;
  for (const auto& row : report.tables.at(0).rows)
    if (row.verdict != Verdict::not_printed) {
      ++judged;
      EXPECT_EQ(row.verdict, Verdict::agrees) << row.label << ": " << row.ours << " " << row.why;
    }
  EXPECT_EQ(judged, 2);
}

}  // namespace
}  // namespace dalembert
