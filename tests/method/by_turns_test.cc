// Two methods by turns: does the one go on that takes less work, as soon as that changes, and who is chosen for mechanisms of many bodies?
#include "dalembert/method/rosenbrock/by_turns.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/control/pairs.h"
#include "dalembert/control/run.h"
#include "dalembert/problem/from_functions.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/semi_explicit.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

using namespace testing;

/// Something to be bound to.
class Nothing final : public Ode, public SemiExplicit {
 public:
  Layout layout() const override { return Layout().add("y", 1, Role::differential, 0); }
  State start() const override { return {0, Vector::Zero(1)}; }
  double end() const override { return 1; }
  void f(double, In, Out dy) const override { dy.setZero(); }
  Eigen::Index algebraic() const override { return 0; }
  Outcome complete(double, In, Out) const override { return Outcome::ok; }
  void evaluate(double, In, In, Out dy, Out) const override { dy.setZero(); }
  void linearize(double, In, In) const override {}
  void scale(double) const override {}
  Outcome solve(In, In, Out, Out) const override { return Outcome::ok; }
};

/// Steps up to a length that changes with time are right.
class Stub final : public Method, public DenseRate {
 public:
  Stub(std::function<double(double t)> longest, int& attempts)
      : longest_(std::move(longest)), attempts_(attempts) {}
  void bind(const Problem&, const Setting&) override {}
  Attempt attempt(const State& from, double h, State& to) override {
    ++attempts_;
    to.t = from.t + h;
    to.y = from.y;
    return {.error = std::pow(h / longest_(from.t), 4), .exponent = .25};
  }
  void interpolate(double, State&) override {}
  void interpolate(double, State&, Vector&) override {}

 private:
  std::function<double(double)> longest_;
  int& attempts_;
};

struct Counts {
  int implicit = 0, explicitly = 0;
};

/// From 0 to 100, as a controller would.
Counts follow(std::function<double(double)> implicit, std::function<double(double)> explicitly,
              double dearer) {
  Counts counts;
  ByTurns method(std::make_unique<Stub>(std::move(implicit), counts.implicit),
                 std::make_unique<Stub>(std::move(explicitly), counts.explicitly), dearer);
  const Nothing nothing;
  Statistics statistics;
  method.bind(nothing, {.tolerance = {}, .options = Parameters({}, {}, ""), .statistics = &statistics});
  State from = nothing.start(), to = from;
  for (double h = .01; from.t < 100;) {
    const Attempt attempt = method.attempt(from, h, to);
    if (attempt.error <= 1) {
      method.accept();
      std::swap(from, to);
    }
    h = attempt.next ? *attempt.next
                     : h * std::clamp(.9 * std::pow(attempt.error, -attempt.exponent), .2, 5.);
  }
  return counts;
}

TEST(ByTurns, TheCheaperOneGoesOn) {
  const auto longest = [](double h) { return [h](double) { return h; }; };
  const Counts rosenbrock = follow(longest(.2), longest(.1), 1);
  EXPECT_GT(rosenbrock.implicit, 450);
  EXPECT_LT(rosenbrock.explicitly, 20);
  const Counts explicitly = follow(longest(.1), longest(.2), 1);
  EXPECT_LT(explicitly.implicit, 60);
  EXPECT_GT(explicitly.explicitly, 450);
  // twice the length at three times the price
  const Counts dear = follow(longest(.2), longest(.1), 3);
  EXPECT_LT(dear.implicit, 60);
  EXPECT_GT(dear.explicitly, 900);
}

TEST(ByTurns, ChangesWithTheMotion) {
  const Counts counts =
      follow([](double t) { return t < 50 ? .05 : .2; }, [](double t) { return t < 50 ? .2 : .05; }, 1);
  // each for its half, and not long for the other one's
  EXPECT_GT(counts.implicit, 200);
  EXPECT_LT(counts.implicit, 400);
  EXPECT_GT(counts.explicitly, 200);
  EXPECT_LT(counts.explicitly, 700);
}

TEST(ByTurns, IsChosenForManyBodies) {
  const auto chosen = [](const Problem& problem) {
    return choose_pair(problem, {}, {1e-4, 1e-4}).pair.method->name;
  };
  const auto chain = [](int n) { return hanging_chain(n, 1. / n, 1. / n, [](int) { return .5; }); };
  EXPECT_EQ(chosen(*chain(10)), "dop853");
  EXPECT_EQ(chosen(*chain(100)), "rodas853");
  EXPECT_EQ(chosen(*spherical_chain(100)), "dop853");  // quaternions: nothing is linearised for these
  // as many masses, whose derivatives are differences: their matrix is full
  const auto masses = mechanical({.q = Vector::Zero(250), .v = Vector::Zero(250)}, Vector(Vector::Ones(250)),
                                 [](double, In q, In, Out f) { f = -q; },
                                 {1, [](auto, const auto& q, auto&& g) { g[0] = q[0]; }}, {.end = 1});
  EXPECT_EQ(chosen(*masses), "dop853");
}

/// The end of a chain let go horizontally cracks like a whip: fast waves are there, and the explicit method is the better one. The
/// choice takes little more work than that, and much less than the Rosenbrock method alone.
TEST(ByTurns, FollowsAWhip) {
  const auto chain = hanging_chain(80, 1. / 80, 1. / 80, [](int) { return 1.5707963; });
  const auto run_by = [&](const char* method) {
    RunOptions options;
    options.request = {"index1", method};
    options.tolerance = {1e-4, 1e-4};
    options.end = .6;
    const Summary s = run(chain, options);
    EXPECT_EQ(s.outcome, Outcome::ok) << method << " " << s.message;
    return s;
  };
  const auto work = [](const Summary& s) { return static_cast<double>(s.statistics.force_evaluations); };
  const Summary both = run_by("rodas853"), one = run_by("dop853"), other = run_by("rodas5p");
  EXPECT_LT(work(both), 1.3 * std::min(work(one), work(other)));
  const auto n = chain->sizes().q;
  EXPECT_LT(largest(both.state.y.head(n) - one.state.y.head(n)), 1e-2);
}

}  // namespace
}  // namespace dalembert
