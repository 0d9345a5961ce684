// [YenPetzold1998]: Table 5.2 within its margins, the theorem without a method, the demonstrations, files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "dalembert/problem/catalogue.h"
#include "papers/yen_petzold/parts.h"

namespace dalembert::yen_petzold {
namespace {

PaperTable table(const std::string& id) {
  const PaperReport report = find_paper("yen-petzold").run(id, {});
  EXPECT_EQ(report.tables.size(), 1u);
  for (const auto& row : report.tables.at(0).rows) {
    EXPECT_FALSE(row.verdict == Verdict::differs && row.why.empty()) << row.label;
    EXPECT_NE(row.ours, "") << row.label;
  }
  return report.tables.at(0);
}

const PaperRow& row(const PaperTable& table, const std::string& label, const std::string& variant = {}) {
  for (const auto& r : table.rows)
    if (r.label == label && r.variant == variant) return r;
  throw std::runtime_error("no row " + label);
}

double steps(const std::string& counts) {
  return std::stod(counts);
}

TEST(YenPetzold, Table52Reproduces) {
  const PaperTable t = table("5.2");
  for (const char* iteration : {"GGL", "GGL*", "CS", "CM"})
    EXPECT_EQ(row(t, std::string(iteration) + " TOL 1e-04 eps 1e-04").verdict, Verdict::agrees) << iteration;
  EXPECT_LT(std::stod(row(t, "CM / CS, TOL 1e-04 eps 1e-04").ours), .35);
  // The gain is that of a stale P.
  EXPECT_GT(steps(row(t, "CM with P at each predictor, TOL 1e-04 eps 1e-04").ours), 800);
}

/// The printed force is another one; the effect of multipliers in Newton's test is there all the same.
TEST(YenPetzold, Table51DiffersInNumbersAndHasTheEffectOfMultipliers) {
  const PaperTable t = table("5.1");
  for (const auto& r : t.rows) EXPECT_EQ(r.verdict, Verdict::differs) << r.label;
  EXPECT_GT(std::stod(row(t, "GGL / GGL*, eps 1e-04").ours), 1.5);
  EXPECT_GT(std::stod(row(t, "GGL / GGL*, eps 1e-06").ours), 2.5);
}

TEST(YenPetzold, Table54NeedsTheSplitThatFails) {
  const PaperTable t = table("5.4");
  const std::string forced = "X = x2 forced, positions tested";
  EXPECT_EQ(row(t, "CS TOL 1e-04 eps 1e-06").verdict, Verdict::differs);
  EXPECT_EQ(row(t, "CS TOL 1e-04 eps 1e-06", forced).verdict, Verdict::agrees);
  EXPECT_LT(steps(row(t, "CM TOL 1e-04 eps 1e-06", forced).ours), 40);
}

TEST(YenPetzold, Table53HasNoDifferenceBetweenCsAndCm) {
  EXPECT_EQ(row(table("5.3"), "CM / CS, TOL 1e-03").verdict, Verdict::agrees);
}

TEST(YenPetzold, Theorem42WithoutAMethod) {
  const Rates inside = newton_rates(1e8, 1e4, -1e-4), outside = newton_rates(1e8, 1e4, 1e-4);
  EXPECT_NEAR(inside.cs, .49, .01);
  EXPECT_NEAR(outside.cs, 44, 1);
  EXPECT_NEAR(inside.cm, 1e-4, 2e-5);
  EXPECT_NEAR(outside.cm, 1e-4, 2e-5);
  const Rates isotropic = newton_rates(1e6, 1e6, 1e-4);  // no advantage here
  EXPECT_NEAR(isotropic.cs, 1e-4, 2e-5);
  EXPECT_NEAR(isotropic.cm, 1e-4, 2e-5);
}

// A spring that is soft along the circle: CM keeps its rate only if the force is linear in the coordinates.
TEST(YenPetzold, AStretchThatIsAppendedLeavesCmItsRate) {
  const auto rates = [](const char* name, const Vector& solution, const Vector& q) {
    const auto problem = make_problem(name, {{"l0", .5}});
    return newton_rates(as<Mechanical>(*problem), solution, q);
  };
  const Rates plain = rates("circle-spring", Vector{{0, -1}}, Vector{{0, -1.0001}}),
              with = rates("circle-spring-appended", Vector{{0, -1, 0}}, Vector{{0, -1.0001, 1e-4}});
  // Along the circle the matrix has c^2 = 225 at the solution and, a distance d off it, d/eps^2/l more for CM.
  EXPECT_NEAR(plain.cm, 1 - 225 / (225 + 1e4 / .5001), 2e-3);
  EXPECT_NEAR(with.cm, 1 / 225., 1e-4);  // gravity's multiplier, which CM leaves out
  EXPECT_GT(with.cs, .9);
}

TEST(YenPetzold, CmWinsOnTheMovingBushing) {
  const PaperTable t = table("bushing");
  const double cs = steps(row(t, "CS, Kn 1e+10 TOL 1e-04").ours),
               cm = steps(row(t, "CM, P at each predictor, Kn 1e+10 TOL 1e-04").ours);
  EXPECT_GT(cs, 5 * cm);
  EXPECT_GT(cs, 2000);
  EXPECT_EQ(row(t, "CS / CM, Kn 1e+10 TOL 1e-04").verdict, Verdict::agrees);
  EXPECT_EQ(row(t, "CS / CM, Kn 1e+08 TOL 1e-03").verdict, Verdict::agrees);
}

TEST(YenPetzold, DecoupledIterationIsWrongUnlessMassesAreEqual) {
  const auto rod = make_rod(1.0 / 12), equal = make_rod(1);
  const Vector q0 = rod->start().y.head(3);
  const auto error = [&](const auto& problem, double tolerance) {
    const DecoupledRun right = solve_coupled(problem, q0, 2, 1e-9, "cs"),
                       printed = solve_decoupled(problem, q0, 2, tolerance, Damping::right);
    return std::hypot((printed.q - right.q).norm(), (printed.v - right.v).norm());
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    EXPECT_GT(error(rod, tolerance), .6) << tolerance;
    EXPECT_LT(error(rod, tolerance), .67) << tolerance;
  }
  EXPECT_LT(error(equal, 1e-7), 1e-3);
}

TEST(YenPetzold, IterationWithoutDampingFactorDoesNotConvergeAt45Degrees) {
  const PaperTable t = table("equation-2.25");
  for (const auto& r : t.rows) EXPECT_EQ(r.verdict, Verdict::differs) << r.ours;
  EXPECT_GT(steps(t.rows.at(1).ours), 500);
}

TEST(YenPetzold, FiguresAreWritten) {
  const auto out = std::filesystem::temp_directory_path() / "dalembert-yen-petzold-test";
  for (const std::string figure : {"figure-5.1", "figure-5.3", "figure-5.4", "figure-5.6"}) {
    const PaperReport report = find_paper("yen-petzold").run(figure, {.out = out});
    ASSERT_EQ(report.written.size(), 2u) << figure;
    for (const auto& file : report.written) EXPECT_GT(std::filesystem::file_size(file), 1000u) << file;
  }
  std::filesystem::remove_all(out);
}

TEST(YenPetzold, CmDampsTheSpringFirst) {
  EXPECT_EQ(row(table("figure-5.3"), "CM", "").ours.find("0.00"), 0u);  // others: 0.04 and later
  EXPECT_EQ(table("figure-5.3").rows.back().verdict, Verdict::agrees);
}

}  // namespace
}  // namespace dalembert::yen_petzold
