// Tables 1 to 4 of [WangHouModnak2011] and the constants of its section 4: ours against an independent program, and
// verdicts on what is printed.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/wang_hou_modnak/parts.h"

namespace dalembert::wang_hou_modnak {
namespace {

std::vector<PaperRow> rows(const std::string& table) {
  return find_paper("wang-hou-modnak").run(table, {}).tables.at(0).rows;
}

const PaperRow& find(const std::vector<PaperRow>& rows, const std::string& label,
                     const std::string& quantity) {
  for (const auto& row : rows)
    if (row.label == label && row.quantity == quantity && row.variant.empty()) return row;
  throw std::runtime_error("no row " + label + ", " + quantity);
}

void expect_ratios(const std::vector<PaperRow>& rows, const std::string& label, const Ratios& expected) {
  EXPECT_NEAR(std::stod(find(rows, label, "R of x").ours), expected.x, .01) << label;
  EXPECT_NEAR(std::stod(find(rows, label, "R of y").ours), expected.y, .01) << label;
  EXPECT_NEAR(std::stod(find(rows, label, "R of lambda").ours), expected.lambda, .01) << label;
}

TEST(WangHouModnak, Convergence) {
  const auto all = rows("1");
  const auto ratio = [&](const char* dt, int i) {
    return std::stod(
        find(all, std::string("dt = ") + dt, "ratio of increments of x, i = " + std::to_string(i)).ours);
  };
  EXPECT_NEAR(ratio("1", 1), .0383, .0005);
  for (int i = 2; i <= 10; ++i) EXPECT_NEAR(ratio("1", i), .3715, .002) << i;
  EXPECT_NEAR(ratio("0.5", 1), .0110, .0005);
  EXPECT_NEAR(ratio("0.5", 2), .366, .001);
  EXPECT_EQ(find(all, "t = 2, dt = 1, tolerance 1e-06", "iterations").ours, "18");
}

TEST(WangHouModnak, Accuracy) {
  const auto all = rows("2");
  expect_ratios(all, "(a) dt = 1", {4.010, 4.011, 4.011});
  expect_ratios(all, "(a) dt = 0.1", {4.000, 4.000, 4.000});
  expect_ratios(all, "(b) dt = 1/10", {2.41, 1.43, 1.82});
  expect_ratios(all, "(b) dt = 0.1/10", {2.05, 1.95, 1.98});
  for (const auto& [dt, error] :
       {std::pair{"1", 15.04}, {"0.5", 3.753}, {"0.25", .9377}, {"0.1", .15001}, {"0.05", .03750}})
    EXPECT_NEAR(std::stod(find(all, std::string("error at t = 10, dt = ") + dt, "x2").ours), error,
                .01 * error);
  EXPECT_EQ(find(all, "(a) dt = 0.1", "R of x").verdict, Verdict::agrees);
  EXPECT_EQ(find(all, "(a) dt = 1", "R of x").verdict, Verdict::unexplained);
}

TEST(WangHouModnak, Constraint) {
  const auto all = rows("3");
  for (const char* dt : {"0.1", "0.05", "0.025"})
    EXPECT_EQ(find(all, std::string("(a) dt = ") + dt, "size of x2 - 2 y1, within a factor 10").verdict,
              Verdict::agrees);
  for (const auto& [dt, gap] : {std::pair{"0.1", 10.4}, {"0.05", 5.2}, {"0.025", 2.6}, {"0.0125", 1.3}}) {
    const auto& row = find(all, std::string("(b) dt = ") + dt + "/10", "x2 - 2 y1");
    EXPECT_NEAR(std::stod(row.ours), gap, .02 * gap);
    EXPECT_EQ(row.verdict, Verdict::unexplained);
  }
}

TEST(WangHouModnak, RungeKutta) {
  const auto all = rows("4");
  expect_ratios(all, "dt = 1, M = 20", {3.927, 3.928, 3.925});
  expect_ratios(all, "dt = 1, M = 200", {3.992, 3.993, 3.992});
}

TEST(WangHouModnak, Mixed) {
  const auto all = rows("mixed");
  expect_ratios(all, "dt = 0.1, M = 10", {1.970, 1.976, 1.971});
  int shrinking = 0;
  for (const auto& row : all) {
    if (row.variant != "substeps that shrink") continue;
    EXPECT_NEAR(std::stod(row.ours), 3.935, .01) << row.quantity;
    ++shrinking;
  }
  EXPECT_EQ(shrinking, 3);
}

TEST(WangHouModnak, EveryPrintedFigureIsCountedOnce) {
  int figures = 0;
  for (const auto& table : find_paper("wang-hou-modnak").run("", {}).tables)
    for (const auto& row : table.rows)
      figures += row.verdict != Verdict::not_printed && row.variant.empty() ? 1 : 0;
  EXPECT_EQ(figures, 53);
}

TEST(WangHouModnak, TheoryAndReasons) {
  const auto all = rows("theory");
  EXPECT_EQ(find(all, "section 4", "F").verdict, Verdict::agrees);
  EXPECT_EQ(find(all, "section 4", "E").verdict, Verdict::differs);
  EXPECT_EQ(find(all, "section 4", "coefficient of dt^2 in gamma").verdict, Verdict::agrees);
}

}  // namespace
}  // namespace dalembert::wang_hou_modnak
