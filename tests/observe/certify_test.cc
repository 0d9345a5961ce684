// Which digits are certain: never a wrong one, and none where families disagree.
#include "dalembert/observe/certify/certify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "dalembert/observe/certify/families.h"
#include "dalembert/observe/certify/judgement.h"
#include "dalembert/problem/catalogue.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

using Status = CertainValue::Status;

TEST(Enclosure, ItsDigitsAreThoseOnWhichAllOfItAgrees) {
  EXPECT_EQ((Enclosure{1.23446, 1.23454}.digits()), 5);
  EXPECT_EQ((Enclosure{1.23446, 1.23454}.text()), "1.2345");
  EXPECT_EQ((Enclosure{.999999, 1.000001}.digits()), 5);  // no digit of the ends is the same
  EXPECT_EQ((Enclosure{.999999, 1.000001}.text()), "1.0000");
  EXPECT_EQ((Enclosure{1.2349999, 1.2350001}.digits()), 7);  // although 3 decimals are not certain
  EXPECT_EQ((Enclosure{2., 7.}.digits()), 0);
  EXPECT_EQ((Enclosure{2., 7.}.text()), "-");
  EXPECT_EQ((Enclosure{-31416.4, -31415.7}.text()), "-31416");
  EXPECT_EQ((Enclosure{.00012344, .00012346}.text()), "0.000123");
  EXPECT_EQ((Enclosure{1.2344e-9, 1.2346e-9}.text()), "1.23e-09");
  EXPECT_EQ((Enclosure{123400., 123800.}.text()), "1.2e+05");
  EXPECT_EQ((Enclosure{-2e-7, 3e-7}.digits()), 0);
  EXPECT_EQ((Enclosure{-2e-7, 3e-7}.text()), "0.000000");
  EXPECT_EQ((Enclosure{-1., 1.}.text()), "-");
  EXPECT_EQ((Enclosure{not_a_number, not_a_number}.text()), "-");
  EXPECT_EQ((Enclosure{1.23446, 1.23454}.digits_of(1.2341)), 3);
  EXPECT_EQ((Enclosure{1.23446, 1.23454}.digits_of(1.2345)), 5);
}

/// A recording that ends with these values of two differential entries.
Recording ending(double a, double b, std::vector<EventRecord> events = {}) {
  Recording recording;
  recording.summary.layout.add("y", 2, Role::differential, 0);
  recording.summary.events = std::move(events);
  recording.samples = {{0, Vector{{1, 1}}}, {1, Vector{{a, b}}}};
  return recording;
}

/// Values of one family at three tolerances.
struct Runs {
  std::vector<Recording> recordings;
  Series series() const {
    Series all;
    for (const auto& recording : recordings) all.push_back(&recording);
    return all;
  }
};
Judgement judged(const std::vector<Runs>& families) {
  std::vector<Series> all;
  for (const auto& family : families) all.push_back(family.series());
  return judge(all, sizes(families.front().recordings.front(), {}), at_the_end);
}

const Runs converging{{ending(1.1, 2), ending(1.001, 2), ending(1.00001, 2)}};
const Runs other_way{{ending(.8, 2), ending(.998, 2), ending(.99998, 2)}};

TEST(Judgement, TheTruthIsBetweenFamiliesThatConverge) {
  const Judgement j = judged({converging, other_way});
  ASSERT_EQ(j.values.size(), 2u) << j.why_not;
  EXPECT_EQ(j.voters.size(), 2u);
  // the hull of both families at both tolerances, widened by its width on either side
  EXPECT_NEAR(j.values[0].low, .998 - .003, 1e-12);
  EXPECT_NEAR(j.values[0].high, 1.001 + .003, 1e-12);
}

TEST(Judgement, OneFamilyAloneSaysNothing) {
  EXPECT_TRUE(judged({converging}).values.empty());
  EXPECT_EQ(judged({converging}).why_not, "fewer than two families converge");
}

TEST(Judgement, AFamilyWhoseChangesDoNotFallHasNoVote) {
  const Runs stuck{{ending(1.004, 2), ending(1.003, 2), ending(1.002, 2)}};
  EXPECT_TRUE(judged({converging, stuck}).values.empty());
  EXPECT_EQ(judged({converging, stuck, other_way}).voters, (std::vector<std::size_t>{0, 2}));
}

TEST(Judgement, FamiliesThatConvergeToDifferentMotionsLeaveNothingCertain) {
  const Runs elsewhere{{ending(1.1, 2.5), ending(1.001, 2.51), ending(1.00001, 2.511)}};
  const Judgement j = judged({converging, elsewhere});
  EXPECT_TRUE(j.values.empty());
  EXPECT_EQ(j.why_not, "families do not agree");
}

TEST(Judgement, EventsMustBeTheSame) {
  const auto with = [](Runs runs, const std::vector<EventRecord>& events) {
    for (auto& recording : runs.recordings) recording.summary.events = events;
    return runs;
  };
  const std::vector<EventRecord> ab = {{.2, "a"}, {.3, "b"}}, ba = {{.2, "b"}, {.3, "a"}};
  EXPECT_FALSE(judged({with(converging, ab), with(other_way, ab)}).values.empty());
  EXPECT_TRUE(judged({with(converging, ab), with(other_way, ba)}).values.empty());
  EXPECT_TRUE(judged({with(converging, ab), with(other_way, {{.2, "a"}})}).values.empty());
}

TEST(Judgement, RunsThatDidNotEndWellHaveNoVote) {
  std::vector<Series> all = {converging.series(), other_way.series()};
  all[1][1] = nullptr;
  EXPECT_TRUE(judge(all, sizes(converging.recordings.front(), {}), at_the_end).values.empty());
}

TEST(Families, ThereAreTwoAtLeastForEveryProblem) {
  for (const auto& entry : all_problems()) {
    const auto problem = make_problem(entry.name, {});
    std::set<std::string> methods;
    for (const auto& family : families(*problem))
      EXPECT_TRUE(methods.insert(family.pair.method->name).second);
    EXPECT_GE(methods.size(), 2u) << entry.name;
  }
}

/// Every enclosure holds the truth, which itself is known to `known` only.
void expect_enclosed(const CertainState& state, const State& truth, double known) {
  if (!state.why_not.empty()) return;
  for (std::size_t i = 0; i < static_cast<std::size_t>(truth.y.size()) && i < state.values.size(); ++i) {
    const auto& [name, unit, value, status] = state.values[i];
    const double x = truth.y[static_cast<Eigen::Index>(i)], room = known * (1 + std::abs(x));
    if (std::isnan(x) || std::isnan(value.low) || status == Status::undetermined) continue;
    EXPECT_GE(x, value.low - room) << name << " at " << state.t << ", certain " << value.text();
    EXPECT_LE(x, value.high + room) << name << " at " << state.t << ", certain " << value.text();
  }
}

/// The same with what the problem knows.
void expect_enclosed(const CertainState& state, const Problem& problem, double known) {
  if (const auto exact = problem.exact(state.t))
    expect_enclosed(state, reported(*exact, problem.layout(), problem.report()), known);
}

CertifyOptions asking(int digits, double end) {
  CertifyOptions options;
  options.digits = digits;
  options.run.end = end;
  return options;
}

/// Those whose solution is known, without the slow ones.
std::vector<std::string> known_problems() {
  const std::set<std::string> slow = {"bricard",
                                      "four-bar",
                                      "circle-bushing",
                                      "ring-modulator",
                                      "gear-petzold",
                                      "slider-crank",
                                      "slider-crank-flexible",
                                      "slider-crank-6",
                                      "transistor-amplifier",
                                      "violin"};
  std::vector<std::string> all;
  for (const auto& entry : all_problems())
    if (const auto problem = make_problem(entry.name, {});
        !slow.contains(entry.name) && problem->exact(problem->end()))
      all.push_back(entry.name);
  return all;
}

class KnownProblem : public testing::TestWithParam<std::string> {};
TEST_P(KnownProblem, HasNoWrongDigitThatIsCertain) {
  const auto problem = make_problem(GetParam(), {});
  const Certificate certificate = certify(problem, {});
  ASSERT_FALSE(certificate.families.empty());
  expect_enclosed(certificate.end, *problem, 1e-13);
}
INSTANTIATE_TEST_SUITE_P(Certify, KnownProblem, testing::ValuesIn(known_problems()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Certify, MoreDigitsAreCertainIfMoreAreAskedFor) {
  const auto problem = make_problem("pendulum", {});
  for (const int digits : {3, 6, 10}) {
    const Certificate certificate = certify(problem, asking(digits, 10));
    EXPECT_TRUE(certificate.reached()) << digits;
    EXPECT_TRUE(certificate.remarks.empty());
    EXPECT_FALSE(certificate.holds_until);
    expect_enclosed(certificate.end, *problem, 1e-14);
    for (const auto& value : certificate.end.values)
      EXPECT_LT(value.value.half_width(), std::pow(10., -digits)) << value.name;
  }
}

TEST(Certify, OutputsAndWatchesAreCertainToo) {
  const auto problem = make_problem("pendulum", {});
  CertifyOptions options = asking(6, 10);
  options.run.outputs = {2.5, 7};
  options.watches = {{"height", "m", [](const State& state) { return 1 + state.y[1]; }}};
  const Certificate certificate = certify(problem, options);
  ASSERT_EQ(certificate.outputs.size(), 2u);
  EXPECT_EQ(certificate.outputs[1].t, 7);
  for (const auto& state : certificate.outputs) {
    expect_enclosed(state, *problem, 1e-14);
    EXPECT_EQ(state.values.back().name, "height");
    const double height = 1 + problem->exact(state.t)->y[1];
    EXPECT_LE(state.values.back().value.low, height);
    EXPECT_GE(state.values.back().value.high, height);
    EXPECT_GE(state.values.back().value.digits(), 5);
  }
}

// Two masses on two links from the horizontal: errors grow tenfold every few seconds, and no tolerance reaches the end.
TEST(Certify, SaysUntilWhenAChaoticMotionIsCertain) {
  const auto problem = make_problem("double-pendulum", {});
  const Certificate certificate = certify(problem, asking(6, 45));
  EXPECT_FALSE(certificate.reached());
  EXPECT_FALSE(certificate.end.why_not.empty());
  for (const auto& value : certificate.end.values) EXPECT_EQ(value.value.digits(), 0) << value.name;
  ASSERT_TRUE(certificate.holds_until);
  EXPECT_GT(*certificate.holds_until, 8);
  EXPECT_LT(*certificate.holds_until, 40);
  const auto said = [&](const std::string& words) {
    return std::any_of(
        certificate.remarks.begin(), certificate.remarks.end(),
        [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(said("multiplies every error"));
  EXPECT_TRUE(said("6 digits hold until"));
}

// A pulse of a hundredth of the time, and shorter: whoever steps over it is contradicted.
TEST(Certify, AShortPulseIsNotMissedByAll) {
  for (const double width : {.1, .01, .001}) {
    const auto problem =
        ode(0, Vector{{0}},
            [width](double t, In, Out dy) { dy[0] = std::exp(-std::pow((t - 4.013) / width, 2)); },
            {.end = 10, .names = {"x"}, .units = {""}});
    const Certificate certificate = certify(problem, {});
    const double truth = width * std::sqrt(std::numbers::pi);
    ASSERT_EQ(certificate.end.values.size(), 1u);
    const Enclosure x = certificate.end.values[0].value;
    if (width >= .01)
      EXPECT_GE(x.digits(), 6) << width;
    else
      EXPECT_EQ(certificate.end.why_not, "families do not agree");
    EXPECT_FALSE(truth < x.low || truth > x.high) << width << ": " << x.text();
  }
}

TEST(Certify, MultipliersThatAreNotDeterminedAreNotCertain) {
  const Model model = Model::from_file(DALEMBERT_MODELS "/four-bar-spatial.toml");
  CertifyOptions options = asking(4, .1);
  options.watches = model.watches;
  const Certificate certificate = certify(model.mechanism, options);
  std::size_t open = 0;
  for (const auto& value : certificate.end.values)
    if (value.status == Status::undetermined) ++open;
  EXPECT_GT(open, 0u);
  EXPECT_LT(open, certificate.end.values.size());
  EXPECT_TRUE(certificate.reached());
}

TEST(Certify, MistakesAreRefused) {
  const auto problem = make_problem("pendulum", {});
  EXPECT_THROW(certify(problem, asking(13, 1)), Error);
  EXPECT_THROW(certify(problem, asking(0, 1)), Error);
  EXPECT_THROW(certify(problem, asking(6, -1)), Error);
  CertifyOptions options;
  options.run.start = {{"q.none", 1}};
  EXPECT_THROW(certify(problem, options), Error);
}

TEST(Certify, WhatIsLateIsLeftOutAndNamed) {
  CertifyOptions options;
  options.limit = 0;
  const Certificate certificate = certify(make_problem("pendulum", {}), options);
  EXPECT_FALSE(certificate.reached());
  EXPECT_TRUE(certificate.end.values.empty());
  for (const auto& family : certificate.families)
    EXPECT_NE(family.verdict.find("took longer than 0 s"), std::string::npos) << family.verdict;
}

/// As their files say, against the digits in the files and against a pair that has no vote.
class CertifiedModel : public testing::TestWithParam<const char*> {};
TEST_P(CertifiedModel, HasNoWrongDigitThatIsCertain) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS "/") + GetParam() + ".toml");
  CertifyOptions options;
  options.run = resolve(model.run, *model.mechanism).options;
  options.watches = model.watches;
  options.run.outputs.clear();
  for (const auto& reference : model.references) options.run.outputs.push_back(reference.t);
  std::sort(options.run.outputs.begin(), options.run.outputs.end());
  const Certificate certificate = certify(model.mechanism, options);
  EXPECT_TRUE(certificate.reached());
  expect_enclosed(certificate.end, *model.mechanism, 1e-9);
  for (const auto& state : certificate.outputs) expect_enclosed(state, *model.mechanism, 1e-9);

  RunOptions tight;
  tight.request = {"index2", "phem56"};
  tight.tolerance = {2e-12, 2e-12};
  tight.end = options.run.end;
  const Summary other = run(model.mechanism, tight);
  ASSERT_EQ(other.outcome, Outcome::ok) << other.message;
  expect_enclosed(certificate.end, other.state, 1e-10);
}
INSTANTIATE_TEST_SUITE_P(Certify, CertifiedModel,
                         testing::Values("pendulum", "andrews", "slider-crank-driven", "double-pendulum",
                                         "triple-pendulum", "jansen-leg", "watt", "four-bar", "sleigh",
                                         "bushing-pendulum", "rolling-disc", "quarter-car"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace dalembert
