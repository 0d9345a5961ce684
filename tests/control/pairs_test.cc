// Which pair is taken where the choice is open? What entries say about themselves decides, and refusals name what would do.
#include "dalembert/control/pairs.h"

#include <gtest/gtest.h>

#include "dalembert/core/error.h"
#include "dalembert/method/lock_step.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {
namespace {

std::string chosen(const std::string& problem, double rtol, const PairRequest& request = {}) {
  const Choice choice = choose_pair(*make_problem(problem), request, {rtol, rtol});
  return choice.pair.formulation->name + " " + choice.pair.method->name;
}

TEST(Pairs, AreChosenAsEntriesRecommendThemselves) {
  EXPECT_EQ(chosen("andrews", 1e-3), "index1 dop853");
  EXPECT_EQ(chosen("andrews", 1e-10), "index1 dop853");
  EXPECT_EQ(chosen("andrews", 1e-6, {"index2", ""}), "index2 radau");
  EXPECT_EQ(chosen("andrews", 1e-6, {"", "radau"}), "ggl radau");
  EXPECT_EQ(chosen("transistor-amplifier", 1e-6), "direct radau");
  EXPECT_EQ(chosen("coupled-linear", 1e-6), "fields window-iteration");
}

TEST(Pairs, ThePreferenceOfAMethodDependsOnKindAndTolerance) {
  MethodEntry entry = find_method("rk4");
  EXPECT_EQ(entry.preference(Kind::ode, {1e-6, 1e-6}), 0);
  entry.preferences = {{Kind::ode}, {.kind = Kind::ode, .weight = 120, .loosest = 1e-4}};
  EXPECT_EQ(entry.preference(Kind::ode, {1e-3, 1e-6}), 100);
  EXPECT_EQ(entry.preference(Kind::ode, {1e-4, 1e-6}), 120);
  EXPECT_EQ(entry.preference(Kind::implicit, {1e-4, 1e-6}), 0);
}

// Words of the command line are the program's business.
TEST(Pairs, RefusalsNameWhatWouldDoWithoutDashes) {
  try {
    chosen("andrews", 1e-6, {"index1", "hem4"});
    FAIL() << "hem4 solves no ordinary differential equations";
  } catch (const Error& error) {
    EXPECT_EQ(error.hint(), "try formulation=index2 method=hem4");
    EXPECT_EQ(error.sentence().find("--"), std::string::npos) << error.sentence();
  }
}

TEST(Pairs, FormulationsThatAreAlsoImplicitHaveTwoEntries) {
  int twice = 0;
  for (const auto& entry : all_formulations()) {
    if (!entry.also_implicit || entry.to != Kind::ode) continue;
    const auto all = find_formulation(entry.name);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const auto& each) {
      return each.to == Kind::implicit && each.index == 1;
    })) << entry.name;
    ++twice;
  }
  EXPECT_EQ(twice, 3);
}

TEST(Problems, AreAskedForWhatTheyAre) {
  EXPECT_EQ(all_kinds().size(), 5u);
  EXPECT_EQ(name(all_kinds().front()), "ode");
  EXPECT_EQ(name(all_kinds().back()), "partitioned");
  const auto pendulum = make_problem("pendulum"), cut = make_problem("coupled-linear");
  EXPECT_EQ(as<Mechanical>(pendulum.get()), &as<Mechanical>(*pendulum));
  EXPECT_EQ(as<Ode>(pendulum.get()), nullptr);
  try {
    as<Ode>(*pendulum);
    FAIL() << "a pendulum is no ode";
  } catch (const Error& error) {
    EXPECT_NE(error.sentence().find("kind mechanical"), std::string::npos) << error.sentence();
  }
  EXPECT_EQ(as_mechanical(*pendulum), pendulum.get());
  EXPECT_EQ(as<Mechanical>(cut.get()), nullptr);
  EXPECT_EQ(as_mechanical(*cut), as<Partitioned>(*cut).whole().get());
  EXPECT_EQ(as_mechanical(*make_problem("transistor-amplifier")), nullptr);
}

TEST(Methods, WarnInSentences) {
  const auto problem = make_problem("ascher-lin-6-1");
  const auto all = find_formulation("srm");
  const auto entry = std::find_if(all.begin(), all.end(), [&](const auto& each) {
    return each.from == problem->kind() && each.to == Kind::ode;
  });
  ASSERT_NE(entry, all.end());
  Statistics statistics;
  const auto formulation =
      entry->make(*problem, Parameters(entry->options, {{"iterates", 1}}, "srm"), statistics);
  const auto method = make_for(find_method("heun"), formulation->rewritten());
  method->bind(formulation->rewritten(),
               {.tolerance = {}, .options = Parameters({}, {}, "heun"), .statistics = &statistics});
  ASSERT_EQ(method->warnings().size(), 1u);
  EXPECT_NE(method->warnings()[0].find("one iterate"), std::string::npos) << method->warnings()[0];
  EXPECT_TRUE(find_method("heun").make()->warnings().empty());
}

}  // namespace
}  // namespace dalembert
