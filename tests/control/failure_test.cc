// Numerical endings: a problem that breaks down is reported with the time and the coordinate, never with an
// exception.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "dalembert/control/run.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

/// Two masses on a line. After t = 1/2 something is broken.
class Faulty : public Mechanical {
 public:
  enum class Fault { none, force, mass, constraint };
  explicit Faulty(Fault fault) : fault_(fault) {}

  Sizes sizes() const override { return {.q = 2, .v = 2, .holonomic = 1}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"left", "right"}, .v = {"left'", "right'"}, .lambda = {"rod"}});
  }
  State start() const override {
    State state{0, Vector::Zero(5)};
    state.y[1] = 1;
    state.y[2] = state.y[3] = 1;
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement& at, Entries& M) const override {
    const double m = broken(at, Fault::mass) ? 0 : 1;
    M.begin();
    M.add(0, 0, m);
    M.add(1, 1, m);
    M.end();
  }
  void force(const Placement& at, In, In, Out f) const override {
    f[0] = -1;
    f[1] = broken(at, Fault::force) ? std::sqrt(-1.0) : 1;
  }
  void g(const Placement& at, Out residual) const override { residual[0] = at.q[1] - at.q[0] - 1; }
  void jacobian(const Placement& at, Entries& J) const override {
    const double size = broken(at, Fault::constraint) ? 0 : 1;
    J.begin();
    J.add(0, 0, -size);
    J.add(0, 1, size);
    J.end();
  }

 private:
  bool broken(const Placement& at, Fault fault) const { return fault_ == fault && at.t > .5; }
  Fault fault_;
};

Summary attempt(Faulty::Fault fault) {
  return run(std::make_shared<const Faulty>(fault), {});
}

bool says(const Summary& summary, const std::string& words) {
  return summary.message.find(words) != std::string::npos;
}

TEST(Failure, NothingWrong) {
  const Summary summary = attempt(Faulty::Fault::none);
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
  EXPECT_NEAR(summary.state.y[0], 1, 1e-12);
}

TEST(Failure, ForceNotFinite) {
  const Summary summary = attempt(Faulty::Fault::force);
  EXPECT_EQ(summary.outcome, Outcome::not_finite) << summary.message;
  EXPECT_TRUE(says(summary, "t = 0.5")) << summary.message;
  EXPECT_TRUE(says(summary, "v.right'")) << summary.message;
  EXPECT_NEAR(summary.state.t, .5, 1e-6);  // what was computed is kept
  EXPECT_NEAR(summary.state.y[0], .5, 1e-6);
}

TEST(Failure, MassMatrixSingular) {
  const Summary summary = attempt(Faulty::Fault::mass);
  EXPECT_EQ(summary.outcome, Outcome::singular) << summary.message;
  EXPECT_TRUE(says(summary, "t = 0.5")) << summary.message;
  EXPECT_TRUE(says(summary, "mass matrix is singular")) << summary.message;
}

TEST(Failure, ConstraintLosesItsJacobian) {
  const Summary summary = attempt(Faulty::Fault::constraint);
  EXPECT_EQ(summary.outcome, Outcome::singular) << summary.message;
  EXPECT_TRUE(says(summary, "lambda.rod")) << summary.message;
}

TEST(Failure, StartNotFinite) {
  RunOptions options;
  options.start["q.left"] = not_a_number;
  const Summary summary = run(std::make_shared<const Faulty>(Faulty::Fault::none), options);
  EXPECT_EQ(summary.outcome, Outcome::not_finite) << summary.message;
  EXPECT_TRUE(says(summary, "q.left")) << summary.message;
}

TEST(Failure, MistakesOfTheCallerAreThrown) {
  const auto refuses = [](const std::function<void(RunOptions&)>& spoil) {
    RunOptions options;
    spoil(options);
    EXPECT_THROW(run(std::make_shared<const Faulty>(Faulty::Fault::none), options), Error);
  };
  refuses([](RunOptions& o) { o.end = -1; });
  refuses([](RunOptions& o) { o.end = not_a_number; });
  refuses([](RunOptions& o) { o.step = 0; });
  refuses([](RunOptions& o) { o.outputs = {.5, .2}; });
  refuses([](RunOptions& o) { o.tolerance.relative = -1; });
}

}  // namespace
}  // namespace dalembert
