// Is a consistent start found where constraint rows depend on each other, and is a conflict refused by name?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/model/model.h"
#include "tests/support/dependent_rows.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(DependentStart, DuplicatedBarOfThePendulum) {
  const auto problem = repeated("pendulum", {{"copy", {{0, 1}}}});
  State state = problem->start();
  state.y.head(4) << .8, -.6, .6, .8;
  const StartReport report = make_consistent(*problem, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 1);
  EXPECT_NEAR(state.y[4], state.y[5], 1e-14);
  EXPECT_NEAR(state.y[4] + state.y[5], 1 + .6, 1e-13);  // v^2/l^2 - g y/l^2
  expect_least_norm(*problem, state, 1e-12);
}

TEST(DependentStart, MovesAsItDoesWithoutTheCopy) {
  State one{0, Vector::Zero(5)}, two{0, Vector::Zero(7)};
  one.y.head(4) << 1.1, -.3, .2, .7;
  two.y.head(4) = one.y.head(4);
  const auto plain = make_problem("pendulum");
  const auto problem = repeated("pendulum", {{"copy", {{0, 1}}}, {"threefold", {{0, 3}}}});
  ASSERT_EQ(make_consistent(*plain, one).outcome, Outcome::ok);
  const StartReport report = make_consistent(*problem, two);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 2);
  EXPECT_LE(largest(one.y.head(4) - two.y.head(4)), 1e-12);
  EXPECT_NEAR(two.y[4] + two.y[5] + 3 * two.y[6], one.y[4], 1e-12);
  expect_least_norm(*problem, two, 1e-12);
}

TEST(DependentStart, ConflictIsRefusedByName) {
  const auto problem = repeated("pendulum", {{"shorter", {{0, 1}}, .1}});
  State state = problem->start();
  const StartReport report = make_consistent(*problem, state);
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  for (const char* word : {"position residual", "lambda.bar", "lambda.shorter", "depend on each other"})
    EXPECT_NE(report.message.find(word), std::string::npos) << word << " in " << report.message;
}

// All bars in one line: the rows lose rank there, and only there.
TEST(DependentStart, FourBarLyingFlat) {
  const FourBar flat(2, 0);
  State state = flat.start();
  const Vector given = state.y;
  const StartReport report = make_consistent(flat, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 1);
  EXPECT_EQ(state.y.head(8), given.head(8));
  expect_least_norm(flat, state, 1e-12);
  const Redundancy found = find_redundancy(flat, state);
  EXPECT_EQ(found.rank_here, 2);
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.degrees_of_freedom(), 1);
  EXPECT_TRUE(found.dependent.empty());
  EXPECT_EQ(found.unique, (Indices{0, 1, 2}));
}

TEST(DependentStart, VelocitiesOnNoBranchAreRefused) {
  const FourBar flat(2, 0);
  State state = flat.start();
  state.y.segment(4, 4) << 0, 1, 0, .5;  // J v = 0, but no motion of the bars has it
  const StartReport report = make_consistent(flat, state);
  EXPECT_EQ(report.outcome, Outcome::inconsistent_start);
  EXPECT_NE(report.message.find("no branch"), std::string::npos) << report.message;
}

TEST(DependentStart, SingularAndRedundantAreToldApart) {
  const RepeatedRows problem(std::make_shared<const FourBar>(2, 0), {{"copy", {{1, 2}}}});
  State state = problem.start();
  const StartReport report = make_consistent(problem, state);
  ASSERT_EQ(report.outcome, Outcome::ok) << report.message;
  EXPECT_EQ(report.dependent, 2);
  const Redundancy found = find_redundancy(problem, state);
  EXPECT_EQ(found.rank_here, 2);
  EXPECT_EQ(found.rank, 3);
  ASSERT_EQ(found.dependent.size(), 1u);
  EXPECT_TRUE(found.dependent[0].row == 1 || found.dependent[0].row == 3);
  EXPECT_EQ(found.dependent[0].on, Indices{4 - found.dependent[0].row});
  EXPECT_EQ(found.unique, (Indices{0, 2}));
}

/// A driven four-bar with a rod too many on its crank, in metres times `size`.
std::string driven_four_bar(double size, double mass) {
  const auto number = [](double x) { return fmt::format("{}", x); };
  const auto point = [&](double x, double y) {
    return "[" + number(size * x) + ", " + number(size * y) + "]";
  };
  const auto body = [&](const std::string& name, double x, double y) {
    return "[[body]]\nname = '" + name + "'\nmass = " + number(mass) +
           "\ninertia = " + number(.05 * mass * size * size) + "\nposition = " + point(x, y) + "\n";
  };
  const auto hinge = [&](const std::string& name, const std::string& bodies, double x, double y) {
    return "[[joint]]\nname = '" + name + "'\nkind = 'revolute'\nbodies = " + bodies +
           "\nat = " + point(x, y) + "\n";
  };
  return "space = 'planar'\n" + body("crank", .15, .05) + body("coupler", .4, .4) + body("rocker", .6, .4) +
         hinge("A", "['ground', 'crank']", 0, 0) + hinge("B", "['crank', 'coupler']", .3, .1) +
         hinge("C", "['coupler', 'rocker']", .5, .7) + hinge("D", "['ground', 'rocker']", .7, .1) +
         "[[joint]]\nname = 'rod'\nkind = 'distance'\nfrom = { body = 'ground', at = [0, 0] }\nto = { body = "
         "'crank', at = " +
         point(.3, .1) + " }\n[[drive]]\njoint = 'A'\nmotion = '50*t'\n";
}

/// Loops of millimetres have rows that stick out by a thousandth, and drives have rates that say nothing about that.
// A point mass at rest on a line and two planes: whether rounding left a pivot depended on the mass.
TEST(DependentStart, IsFoundWhateverRoundingLeaves) {
  const auto held = [](double mass) {
    const std::string at = "at = [0.565, 0.735, -0.347]\n", on = "bodies = [\"ground\", \"p\"]\n" + at;
    return Model::from_text(
        fmt::format(
            "space = \"spatial\"\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = {}\nposition = [0.565, "
            "0.735, "
            "-0.347]\n[[body]]\nname = \"free\"\nmass = 2\ninertia = [0.2, 0.3, 0.4]\nposition = [5, 0, 0]\n",
            mass) +
            "[[joint]]\nname = \"line\"\nkind = \"point-on-line\"\naxis = [0.9109362742821808, "
            "0.42713739807442513, "
            "-1.1460636494810137]\n" +
            on +
            "[[joint]]\nname = \"one\"\nkind = \"point-on-plane\"\nnormal = [0.6212008743370198, "
            "0.11430211710038234, "
            "0.5362943612103488]\n" +
            on +
            "[[joint]]\nname = \"two\"\nkind = \"point-on-plane\"\nnormal = [-1.5882795191331023, "
            "0.3000693526320025, "
            "0.6782360773858063]\n" +
            on,
        "point.toml");
  };
  for (int k = 0; k < 40; ++k) {
    const double mass = 1.9815068923867758 + 0.0731 * k;
    const Model model = held(mass);
    State state = model.mechanism->start();
    EXPECT_EQ(make_consistent(*model.mechanism, state).dependent, 1) << mass;
    if (k > 3) continue;
    RunOptions options;
    options.request = {"ggl", "radau"};
    options.end = 0.1;
    const Summary summary = run(model.problem(), options);
    EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  }
}

TEST(DependentStart, IsFoundWhateverTheUnits) {
  std::vector<Vector> turning;
  for (const auto& [size, mass] : {std::pair{1., 1.}, {1e-3, 1e6}, {1e3, 1e-6}}) {
    const Model model = Model::from_text(driven_four_bar(size, mass));
    State state = model.mechanism->start();
    const StartReport report = make_consistent(*model.mechanism, state);
    ASSERT_EQ(report.outcome, Outcome::ok) << size << ": " << report.message;
    EXPECT_EQ(report.dependent, 1) << size;
    turning.push_back(state.y(Indices{11, 14, 17}));  // v.crank.angle', v.coupler.angle', v.rocker.angle'
    EXPECT_NEAR(turning.back()[0], 50, 1e-10);
    EXPECT_NEAR((turning.back() - turning.front()).norm(), 0, 1e-8) << size;
  }
}

}  // namespace
}  // namespace dalembert
