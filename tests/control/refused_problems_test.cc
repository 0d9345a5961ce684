// Are problems and options that cannot be meant refused before the first step?
#include <gtest/gtest.h>

#include <limits>

#include "dalembert/control/solver.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/solve.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Do>
void refused(const Do& act, const std::string& words) {
  std::string said = "nothing is wrong";
  try {
    act();
  } catch (const Error& error) {
    said = error.sentence();
  }
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

std::shared_ptr<const Ode> decay(ProblemOptions options = {}) {
  return ode(
      0, Vector::Ones(2), [](double, const auto& y, auto&& dy) { dy = -y; }, std::move(options));
}

std::shared_ptr<const Mechanical> oscillator(Mass mass) {
  return mechanical({.q = Vector::Ones(2), .v = Vector::Zero(2)}, std::move(mass),
                    [](double, In q, In, Out f) { f = -q; });
}

TEST(RefusedProblems, NoProblem) {
  refused([] { solve(nullptr); }, "there is no problem");
  refused([] { Solver solver(std::shared_ptr<const Problem>{}, {}); }, "there is no problem");
  refused([] { run(ode(0, Vector(0), [](double, In, Out) {}), {}); }, "the problem has no unknowns");
}

TEST(RefusedProblems, ASolutionOfAnotherSize) {
  ProblemOptions options;
  options.exact = [](double t) { return Vector::Constant(1, std::exp(-t)); };
  refused([&] { solve(decay(options)); }, "has 1 entries for 2 unknowns");
  const auto problem = decay();
  const State state = problem->start(), small{0, Vector::Ones(1)};
  refused([&] { block_errors(*problem, state, problem->layout(), small); }, "has 1 entries for 2 unknowns");
}

TEST(RefusedProblems, TwoEntriesOfOneName) {
  ProblemOptions options;
  options.names = {"x", "x"};
  refused([&] { decay(options); }, "two entries have the name 'x'");
}

TEST(RefusedProblems, TimesThatAreNone) {
  RunOptions options;
  options.outputs = {0, nan, 1};
  refused([&] { solve(decay(), options); }, "an output time is nan");
  options.outputs = {};
  options.end = 1e-320;
  refused([&] { solve(decay(), options); }, "too near to the start");
}

TEST(RefusedProblems, MassesThatAreNone) {
  refused([] { oscillator(Vector(Eigen::Vector2d(1, -1))); }, "the mass of coordinate 1 is -1");
  refused([] { oscillator(Vector(Eigen::Vector2d(1, nan))); }, "the mass is not finite");
  Matrix M = Matrix::Identity(2, 2);
  EXPECT_NO_THROW(oscillator(M));
  M(0, 1) = .5;
  refused([&] { oscillator(M); }, "not symmetric");
  refused([&] { oscillator([M](double, In, Matrix& into) { into = M; }); }, "not symmetric");
  M << 1, 2, 2, 1;
  refused([&] { oscillator(M); }, "negative eigenvalue");
  M << 1, 0, 0, 0;
  EXPECT_NO_THROW(oscillator(M)) << "a coordinate without mass";
}

// A derivative that does not fit its constraint leaves a motion that looks right, and multipliers that are not.
TEST(RefusedProblems, DerivativesOfAnotherConstraint) {
  const auto circle = [](const MechanicalOptions& options) {
    return mechanical(
        {.q = Vector{{0.6, -0.8}}, .v = Vector{{0, 0}}}, Vector{{1, 1}},
        [](double, In, In, Out f) { f << 0, -9.81; },
        {1, [](auto, const auto& q, auto&& g) { g[0] = (q[0] * q[0] + q[1] * q[1] - 1.) / 2.; }}, options);
  };
  MechanicalOptions right;
  right.jacobian = [](double, In q, Matrix& G) { G << q[0], q[1]; };
  right.velocity_bias = [](double, In, Out w) { w.setZero(); };
  right.bias = [](double, In, In v, Out bias) { bias[0] = v.squaredNorm(); };
  EXPECT_NO_THROW(circle(right));
  MechanicalOptions wrong = right;
  wrong.jacobian = [](double, In q, Matrix& G) { G << 2 * q[0], 2 * q[1]; };
  refused([&] { circle(wrong); }, "jacobian does not fit g: its entry (0, 1) is -1.6");
  wrong = right;
  wrong.bias = [](double, In, In, Out bias) { bias[0] = 0; };
  refused([&] { circle(wrong); }, "bias does not fit g");
  wrong = right;
  wrong.velocity_bias = [](double, In, Out w) { w[0] = 0.5; };
  refused([&] { circle(wrong); }, "velocity_bias does not fit g");
}

}  // namespace
}  // namespace dalembert
