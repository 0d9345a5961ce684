// Cuts of a problem into fields: do they agree with the whole, and what cannot be cut?
#include <gtest/gtest.h>

#include "dalembert/core/error.h"
#include "tests/support/windows.h"

namespace dalembert {
namespace {

using namespace testing;

TEST(Cut, AChainOfTwentyAgreesWithItselfInOnePiece) {
  RunOptions whole;
  whole.tolerance = {1e-11, 1e-11};
  const Summary reference = run(make_problem("chain"), whole);
  ASSERT_EQ(reference.outcome, Outcome::ok) << reference.message;
  const Summary cut = run(make_problem("chain-cut"), windows(.05, {"dopri5:8", "rk4:16"}, {}, {1e-8, 1e-8}));
  ASSERT_EQ(cut.outcome, Outcome::ok) << cut.message;
  EXPECT_LT(largest(cut.state.y - reference.state.y), 1e-6);
  ASSERT_EQ(cut.coupling.fields.size(), 2u);
  EXPECT_EQ(cut.coupling.fields[0].method, "dopri5");
  EXPECT_EQ(cut.coupling.fields[1].substeps, 16);
  for (const auto& field : cut.coupling.fields) {
    EXPECT_GT(field.statistics.force_evaluations, 1000);
    EXPECT_GT(field.seconds, 0);
  }
  EXPECT_LE(cut.coupling.most_iterations(), 25);
  std::printf(
      "chain of 20: %ld iterations in %zu windows, contraction at most %.2f, %ld + %ld evaluations against "
      "%ld in one piece\n",
      cut.coupling.sweeps, cut.coupling.windows.size(), cut.coupling.worst_contraction(),
      static_cast<long>(cut.coupling.fields[0].statistics.force_evaluations),
      static_cast<long>(cut.coupling.fields[1].statistics.force_evaluations),
      static_cast<long>(reference.statistics.force_evaluations));
}

/// The chain of `links` in fields of `size` masses each.
std::shared_ptr<const Partitioned> chain_in_pieces(Eigen::Index links, Eigen::Index size) {
  const auto whole =
      std::dynamic_pointer_cast<const Mechanical>(make_problem("chain", {{"n", static_cast<double>(links)}}));
  std::vector<Partitioned::Field> fields;
  for (Eigen::Index i = 0; i < 2 * links; ++i) {
    if (i % (2 * size) == 0)
      fields.push_back({.name = "piece " + std::to_string(fields.size() + 1), .q = {}, .v = {}});
    fields.back().q.push_back(i);
    fields.back().v.push_back(i);
  }
  return std::make_shared<const Partitioned>(whole, fields);
}

TEST(Cut, ThreeFieldsInARow) {
  const auto problem = chain_in_pieces(6, 2);
  EXPECT_EQ(problem->interface(), (std::vector<Eigen::Index>{2, 4}));
  RunOptions options;
  options.tolerance = {1e-11, 1e-11};
  options.end = .5;
  const Summary whole = run(problem->whole(), options);
  for (const char* sweep : {"gauss-seidel", "jacobi"}) {
    RunOptions pieces = windows(.05, {"rk4:10", "dopri5:5", "heun:80"}, {{"sweep", sweep}}, {1e-8, 1e-8});
    pieces.end = .5;
    const Summary s = run(problem, pieces);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    EXPECT_LT(largest(s.state.y - whole.state.y), 1e-4) << sweep;
  }
}

TEST(Cut, FirstOrderStatesAndMassesMayCoupleFields) {
  // Every term of a mechanical problem: full mass matrix, rotating coordinates, a row of each kind, a state s.
  const auto whole = std::dynamic_pointer_cast<const Mechanical>(make_problem("manufactured"));
  const auto problem = std::make_shared<const Partitioned>(
      whole, std::vector<Partitioned::Field>{{.name = "a", .q = {0}, .v = {0}, .s = {}},
                                             {.name = "b", .q = {1, 2}, .v = {1, 2}, .s = {0}}});
  double coarse = 0;
  for (const double dt : {.05, .025}) {
    RunOptions options = windows(dt, {"rk4:4"}, {}, {1e-12, 1e-12});
    options.end = .5;
    const Summary s = run(problem, options);
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    const double error = largest(s.state.y - problem->exact(.5)->y);
    if (coarse > 0) {
      EXPECT_NEAR(std::log2(coarse / error), 4, .6);
    }
    coarse = error;
  }
  EXPECT_LT(coarse, 1e-6);
}

TEST(Cut, RefusesWhatIsNoPartition) {
  const auto whole = std::dynamic_pointer_cast<const Mechanical>(make_problem("chain", {{"n", 3}}));
  using ElementKeys = std::vector<Partitioned::Field>;
  const auto make = [&](ElementKeys fields) { Partitioned(whole, std::move(fields)); };
  EXPECT_THROW(make({{.name = "a", .q = {0, 1, 2, 3, 4, 5}, .v = {0, 1, 2, 3, 4, 5}}}), Error);
  EXPECT_THROW(make({{.name = "a", .q = {0, 1}, .v = {0, 1}}, {.name = "b", .q = {2, 3}, .v = {2, 3}}}),
               Error);
  EXPECT_THROW(make({{.name = "a", .q = {0, 1, 2}, .v = {0, 1, 2}},
                     {.name = "b", .q = {2, 3, 4, 5}, .v = {2, 3, 4, 5}}}),
               Error);
  EXPECT_THROW(cut_in_two(whole, 6), Error);
  EXPECT_THROW(make_problem("chain-cut", {{"cut", 20}}), Error);
  const auto violin = std::dynamic_pointer_cast<const Mechanical>(make_problem("violin"));
  EXPECT_THROW(cut_in_two(violin, 1), Error) << "has events";
}

TEST(Cut, RefusesMethodsThatDoNotFit) {
  const auto attempt = [](std::vector<std::string> methods) {
    run(make_problem("wang-hou-modnak"), windows(1, std::move(methods), {}, absolute));
  };
  EXPECT_THROW(attempt({"rk4", "rk4", "rk4"}), Error);
  EXPECT_THROW(attempt({"rk4:0"}), Error);
  EXPECT_THROW(attempt({"rk4:many"}), Error);
  EXPECT_THROW(attempt({"rk5"}), Error);
  EXPECT_THROW(attempt({"hem4"}), Error);
  RunOptions adaptive = windows(1, {"rk4"}, {}, absolute);
  adaptive.control = Control::pi;
  adaptive.step.reset();
  EXPECT_THROW(run(make_problem("wang-hou-modnak"), adaptive), Error) << "no error estimate";
  RunOptions both;
  both.request = {"index1", "dop853"};
  both.fields = {"rk4"};
  EXPECT_THROW(run(make_problem("wang-hou-modnak"), both), Error);
}

TEST(Cut, AFieldThatCannotBearItsRowsIsNamed) {
  // The stretched chain between the wall and a mass that goes its own way has no freedom along its links.
  RunOptions options = windows(.05, {"dopri5"}, {{"splitting", "first"}}, {1e-8, 1e-8});
  const Summary s = run(make_problem("chain-cut"), options);
  EXPECT_EQ(s.outcome, Outcome::singular);
  EXPECT_NE(s.message.find("field 'x' alone"), std::string::npos) << s.message;
  EXPECT_NE(s.message.find("splitting=last"), std::string::npos) << s.message;
}

}  // namespace
}  // namespace dalembert
