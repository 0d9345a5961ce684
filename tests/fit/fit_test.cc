// Are parameters found that data were made with, within the errors that are stated, and are those named that the data do not know?
#include "dalembert/fit/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "dalembert/core/text.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

/// A drop test: a mass on a spring and a damper falls onto its wheel, m y'' = -k y - d y' - m g.
SweepProblem drop(const Values& set) {
  const auto value = [&](const char* name, double usual) {
    const auto found = set.find(name);
    return found == set.end() ? usual : found->second;
  };
  const double m = value("m", 300), k = value("k", 2e4), d = value("d", 1e3), g = 9.81;
  if (k <= 0) throw Error("the stiffness is not positive", "give one that is");
  return {ode(0, Vector{{0, -1}},
              [=](auto, const auto& y, auto&& dy) { dy << y[1], -(k * y[0] + d * y[1]) / m - g; },
              {.end = 1, .names = {"y", "y'"}, .units = {"m", "m/s"}})};
}

/// Its exact motion.
double height(double t, double m, double k, double d) {
  const double g = 9.81, rest = -m * g / k, decay = d / (2 * m), w = std::sqrt(k / m - decay * decay);
  const double a = -rest, b = (-1 + decay * a) / w;
  return rest + std::exp(-decay * t) * (a * std::cos(w * t) + b * std::sin(w * t));
}

constexpr double m_true = 300, k_true = 1.8e4, d_true = 1500;

/// Numbers of the standard's generator are the same everywhere, its distributions are not: [BoxMuller1958].
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : generator_(seed) {}
  double operator()() {
    const double a = share(), b = share();
    return std::sqrt(-2 * std::log(1 - a)) * std::cos(2 * std::numbers::pi * b);
  }

 private:
  double share() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  std::mt19937_64 generator_;
};

MeasuredData measured(double sigma, std::uint64_t seed = 1, int count = 101) {
  Noise noise(seed);
  std::string text = "t,y.y\n";
  for (int i = 0; i < count; ++i) {
    const double t = 0.01 * i;
    text += full_number(t) + "," + full_number(height(t, m_true, k_true, d_true) + sigma * noise()) + "\n";
  }
  MeasuredData data = measured_from_text(text, "drop.csv");
  settle(data, drop({}));
  return data;
}

FitTask task_of(MeasuredData data, const std::vector<std::string>& vary) {
  FitTask task;
  task.makers = [] { return drop; };
  task.options.tolerance = {tolerance_for_differences, tolerance_for_differences};
  for (const auto& text : vary) {
    Unknown x{read_variation(text)};
    x.start = middle(x.range);
    task.unknowns.push_back(x);
  }
  task.data = std::move(data);
  return task;
}

TEST(Fit, FindsStiffnessAndDampingOfADropTest) {
  const FitResult found = fit(task_of(measured(0), {"k=1000:100000:log", "d=100:5000"}));
  EXPECT_EQ(found.ending, FitEnding::converged) << found.sentence();
  EXPECT_NEAR(found.parameters[0].value, k_true, 1e-6 * k_true);
  EXPECT_NEAR(found.parameters[1].value, d_true, 1e-6 * d_true);
  EXPECT_LT(found.deviation, 1e-7);
  EXPECT_LT(found.uncertainty, 1e-4);
  EXPECT_TRUE(found.undetermined.empty());
}

// With noise, the truth lies within so many standard errors as often as it should: of 40 sets of data and 2 parameters, about 68 %
// within one, and nearly all within two.
TEST(Fit, StandardErrorsAreAsLargeAsTheErrors) {
  int within_one = 0, within_two = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const FitResult found = fit(task_of(measured(0.002, seed), {"k=5000:50000", "d=100:5000"}));
    ASSERT_EQ(found.ending, FitEnding::converged) << seed << ": " << found.sentence();
    const double truth[] = {k_true, d_true};
    for (std::size_t i = 0; i < 2; ++i) {
      const double off = std::abs(found.parameters[i].value - truth[i]) / found.parameters[i].error.value();
      within_one += off <= 1;
      within_two += off <= 2;
    }
  }
  EXPECT_GE(within_one, 42);  // of 80; the mean is 54.6, the standard deviation 4.2
  EXPECT_LE(within_one, 67);
  EXPECT_GE(within_two, 71);  // the mean is 76.4
}

// What is known in closed form about y = a exp(-t): one linear parameter has the error s/|column|.
TEST(Fit, ErrorOfALinearParameterIsThatOfTheBook) {
  const auto make = [](const Values& set) {
    const double a = set.contains("a") ? set.at("a") : 1;
    return SweepProblem{
        ode(0, Vector{{a}}, [](auto, const auto& y, auto&& dy) { dy[0] = -y[0]; }, {.end = 2})};
  };
  MeasuredData data = measured_from_text("t,y.y1\n0,2.1\n0.5,1.1\n1,0.8\n2,0.2\n", "linear.csv");
  data.columns[0].scale = 1;
  settle(data, make({}));
  FitTask task = task_of(data, {"a=0:10"});
  task.makers = [=] { return make; };
  const FitResult found = fit(task);
  double cc = 0, cy = 0, rr = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double c = std::exp(-data.t[i]);
    cc += c * c;
    cy += c * data.columns[0].values[i];
  }
  const double a = cy / cc;
  for (std::size_t i = 0; i < 4; ++i) rr += std::pow(a * std::exp(-data.t[i]) - data.columns[0].values[i], 2);
  EXPECT_NEAR(found.parameters[0].value, a, 1e-7);
  EXPECT_NEAR(found.parameters[0].error.value(), std::sqrt(rr / 3 / cc), 1e-6);
  EXPECT_NEAR(found.deviation, std::sqrt(rr / 4), 1e-7);
}

// Only k/m and d/m are in the motion: of the three, only combinations are determined.
TEST(Fit, NamesWhatTheDataDoNotDetermine) {
  const FitResult three = fit(task_of(measured(0.001), {"m=100:600", "k=5000:50000", "d=100:5000"}));
  ASSERT_EQ(three.undetermined.size(), 1U);
  EXPECT_EQ(three.undetermined[0], (std::vector<std::string>{"m", "k", "d"}));
  EXPECT_FALSE(three.parameters[0].error);
  // One that nothing depends on.
  const FitResult idle = fit(task_of(measured(0.001), {"k=5000:50000", "idle=0:1", "d=100:5000"}));
  ASSERT_EQ(idle.undetermined.size(), 1U);
  EXPECT_EQ(idle.undetermined[0], std::vector<std::string>{"idle"});
  EXPECT_TRUE(idle.parameters[0].error);
  EXPECT_TRUE(idle.parameters[0].determined);
  EXPECT_NEAR(idle.parameters[0].value, k_true, 4 * idle.parameters[0].error.value());
}

TEST(Fit, SaysWhichBoundsAreActive) {
  const FitResult found = fit(task_of(measured(0), {"k=5000:50000", "d=100:1000"}));
  EXPECT_EQ(found.ending, FitEnding::converged);
  EXPECT_EQ(found.parameters[1].side, FitResult::Found::Side::upper);
  EXPECT_EQ(found.parameters[1].value, 1000);
  EXPECT_FALSE(found.parameters[1].error);
  EXPECT_TRUE(found.parameters[0].error);
}

TEST(Fit, TheSameBitsWhateverTheNumberOfThreads) {
  FitTask task = task_of(measured(0.002), {"k=5000:50000", "d=100:5000"});
  task.starts = 3;
  task.threads = 1;
  const FitResult one = fit(task);
  task.threads = 3;
  const FitResult three = fit(task);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one.parameters[i].value, three.parameters[i].value);
    EXPECT_EQ(*one.parameters[i].error, *three.parameters[i].error);
  }
  EXPECT_EQ(one.runs, three.runs);
  EXPECT_EQ(one.history, three.history);
  EXPECT_EQ(one.searches, 3);
}

// The range begins where there is no such problem: these runs are counted, and nothing else happens.
TEST(Fit, RunsThatEndEarlyAreCounted) {
  FitTask task = task_of(measured(0), {"k=-40000:50000", "d=100:5000"});
  task.unknowns[0].start = 10;
  const FitResult found = fit(task);
  EXPECT_NEAR(found.parameters[0].value, k_true, 1e-5 * k_true) << found.sentence();
  task.unknowns[0].start = -100;
  const FitResult none = fit(task);
  EXPECT_EQ(none.ending, FitEnding::no_start);
  EXPECT_FALSE(none.found());
  ASSERT_EQ(none.failures.size(), 1U);
  EXPECT_EQ(none.failures.begin()->second.first, "the stiffness is not positive");
}

TEST(Fit, AnInterruptionKeepsTheBestSoFar) {
  std::atomic<bool> stop = false;
  int made = 0;
  FitTask task = task_of(measured(0), {"k=5000:50000", "d=100:5000"});
  task.threads = 1;
  task.options.interrupt = &stop;
  task.makers = [&] {
    return [&](const Values& set) {
      if (++made > 20) stop = true;
      return drop(set);
    };
  };
  const FitResult found = fit(task);
  EXPECT_EQ(found.ending, FitEnding::interrupted);
  EXPECT_TRUE(found.found());
  EXPECT_LT(found.history.back(), found.history.front());
}

// Data may have holes, units, and times in any order.
TEST(MeasuredData, TakesHolesUnitsAndAnyOrder) {
  MeasuredData data =
      measured_from_text("# of a sheet\nt [s],y.y [mm],y.y' [m/s]\n0.5,10,\n0,20,-1\n", "a.csv");
  settle(data, drop({}));
  EXPECT_EQ(data.t, (std::vector<double>{0, 0.5}));
  EXPECT_DOUBLE_EQ(data.columns[0].values[0], 0.02);
  EXPECT_EQ(data.columns[1].count(), 1U);
  EXPECT_DOUBLE_EQ(*data.columns[0].scale, 0.005);
  EXPECT_DOUBLE_EQ(*data.columns[1].scale, 1);
}

void expect_complaint(const std::string& text, const std::string& said, int line, int column) {
  try {
    MeasuredData data = measured_from_text(text, "data.csv");
    settle(data, drop({}));
    FAIL() << "should be refused: " << text;
  } catch (const ModelError& error) {
    const Complaint& first = error.complaints().front();
    EXPECT_NE(first.what.find(said), std::string::npos) << first.sentence();
    EXPECT_EQ(first.place.line, line) << first.sentence();
    EXPECT_EQ(first.place.column, column) << first.sentence();
    EXPECT_FALSE(first.hint.empty());
  }
}

TEST(MeasuredData, RefusesWithThePlace) {
  expect_complaint("t,y.z\n0,1\n", "unknown watch or entry of the state 'y.z'", 1, 3);
  expect_complaint("t,y.y\n0,1\n0.5,one\n", "'one' is not a number", 3, 5);
  expect_complaint("y.y\n0\n", "no column is named t", 1, 1);
  expect_complaint("t,y.y\n0,1,2\n", "3 numbers for 2 names", 2, 1);
  expect_complaint("t,y.y [kg]\n0,1\n", "is in 'kg'", 1, 3);
  expect_complaint("t,y.y,y.y\n0,1,1\n", "twice", 1, 7);
  expect_complaint("t,y.y\n0,1\n-1,1\n", "before the start", 3, 1);
  expect_complaint("t,y.y\n0,1\n", "after the start", 2, 1);
  expect_complaint("t,y.y\n,1\n", "the time is missing", 2, 1);
  expect_complaint("t,y.y\n", "no line of numbers", 1, 1);
  expect_complaint("t,y.y\n0,\n", "nothing was measured", 1, 3);
}

}  // namespace
}  // namespace dalembert
