// Implicit methods that cannot go on say why: the time, the equation or the constraint row by its name, how large the
// residual is, and what to try. Each problem here breaks in one way, at t = 1/2 or at t = 1.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "dalembert/control/run.h"
#include "dalembert/problem/differences.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {
namespace {

enum class Break {
  nothing,
  escape,       ///< grows without bound towards t = 1
  no_solution,  ///< an equation that nothing satisfies after t = 1/2
  no_equation,  ///< an unknown that stands in no equation
  twice,        ///< the same equation a second time
  dependent,    ///< two rows become one after t = 1/2
  massless,     ///< no mass left after t = 1/2
  not_finite    ///< NaN after t = 1/2
};

/// calm' = 1, runaway' = runaway^2, 0 = exp(z) - 1, 0 = u - calm; or broken.
class BrokenNetwork : public Implicit {
 public:
  explicit BrokenNetwork(Break how) : how_(how) {}
  Layout layout() const override {
    return Layout()
        .add("y", 2, Role::differential, 1, {"calm", "runaway"})
        .add("z", 2, Role::algebraic, 1, {"diode", "wire"});
  }
  State start() const override {
    State state{0, Vector::Zero(4)};
    if (how_ == Break::escape) state.y[1] = 1;
    return state;
  }
  double end() const override { return 2; }
  std::string equation(Eigen::Index i) const override {
    const char* names[] = {"the balance of tank A", "the balance of tank B", "the diode law", "the wire law"};
    return names[i];
  }
  void F(double t, In y, In dy, Out r) const override {
    const bool late = t > .5;
    r[0] = dy[0] - 1;
    r[1] = dy[1] - y[1] * y[1];
    r[2] = std::exp(y[2]) + (late && how_ == Break::no_solution ? 1 : -1);
    r[3] = y[3] - y[0];
    if (late && how_ == Break::no_equation) r[3] = dy[0] - 1 + 1e-3;
    if (how_ == Break::twice) r[3] = 2 * (std::exp(y[2]) - 1) + 1e-3 + 0 * y[3];
    if (late && how_ == Break::not_finite) r[2] = std::sqrt(-1 - y[2] * y[2]);
  }
  Pattern pattern() const {
    return {{{0, 0}, {1, 1}, {2, 2}, {3, 0}, {3, 2}, {3, 3}}, {{0, 0}, {1, 1}, {3, 0}}};
  }

 private:
  Break how_;
};

/// Two carts side by side, held together by a rod, one of them on a rail.
class BrokenCarts : public Mechanical {
 public:
  explicit BrokenCarts(Break how) : how_(how) {}
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 2}; }
  Layout layout() const override {
    return mechanical_layout(
        {.q = {"left", "right", "height"}, .v = {"left'", "right'", "height'"}, .lambda = {"rod", "rail"}});
  }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y.head(6) << 1, 2, 0, 2, 2, 0;  // x = (1-t)^-2 solves x'' = 6 x^2
    return state;
  }
  double end() const override { return 2; }
  void mass(const Placement& at, Entries& M) const override {
    const double m = late(at, Break::massless) ? 0 : 1;
    M.begin();
    for (int i = 0; i < 3; ++i) M.add(i, i, m);
    M.end();
  }
  void force(const Placement& at, In, In, Out f) const override {
    f.setZero();
    if (how_ == Break::escape) f[0] = 12 * at.q[0] * at.q[0];
    if (how_ == Break::massless) f[0] = 1;
    if (late(at, Break::not_finite)) f[1] = not_a_number;
  }
  void g(const Placement& at, Out residual) const override {
    residual[0] = at.q[1] - at.q[0] - 1;
    residual[1] = std::exp(at.q[2]) + (late(at, Break::no_solution) ? 1 : -1);
    if (late(at, Break::dependent)) residual[1] = 2 * residual[0] + .125;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const bool copied = late(at, Break::dependent);
    J.begin();
    J.add(0, 0, -1);
    J.add(0, 1, 1);
    J.add(1, 0, copied ? -2 : 0);
    J.add(1, 1, copied ? 2 : 0);
    J.add(1, 2, copied ? 0 : std::exp(at.q[2]));
    J.end();
  }
  void bias(const Placement& at, In v, Out bias) const override {
    bias[0] = 0;
    bias[1] = late(at, Break::dependent) ? 0 : std::exp(at.q[2]) * v[2] * v[2];
  }

 private:
  bool late(const Placement& at, Break how) const { return how_ == how && at.t > .5; }
  Break how_;
};

bool says(const Summary& summary, const std::string& words) {
  return std::regex_search(summary.message, std::regex(words));
}

struct Choice {
  std::string formulation, method;
};
void PrintTo(const Choice& c, std::ostream* out) {
  *out << c.formulation << " " << c.method;
}

class Failing : public testing::TestWithParam<Choice> {
 protected:
  Summary attempt(std::shared_ptr<const Problem> problem) const {
    RunOptions options;
    options.request = {GetParam().formulation, GetParam().method};
    options.tolerance = {1e-6, 1e-6};
    return run(problem, options);
  }
};

const auto short_name = [](const auto& of) { return of.param.method + "_" + of.param.formulation; };

class Network : public Failing {
 protected:
  Summary attempt(Break how) const {
    return Failing::attempt(std::make_shared<const DifferencedImplicit<BrokenNetwork>>(how));
  }
};
INSTANTIATE_TEST_SUITE_P(Implicit, Network,
                         testing::Values(Choice{"direct", "radau5"}, Choice{"direct", "bdf"}), short_name);

TEST_P(Network, RunsUnlessItIsBroken) {
  const Summary s = attempt(Break::nothing);
  EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(s.state.y[3], 2, 1e-5);
}

TEST_P(Network, EscapeNamesTheUnknownThatGrows) {
  const Summary s = attempt(Break::escape);
  EXPECT_FALSE(good(s.outcome));
  EXPECT_NEAR(s.state.t, 1, 1e-4) << s.message;
  EXPECT_TRUE(says(s, "^t = (1|0.9999)")) << s.message;
  EXPECT_TRUE(says(s, "fastest is y.runaway, now [0-9.]+e")) << s.message;
  EXPECT_TRUE(says(s, "may end or jump|may have no solution")) << s.message;
}

TEST_P(Network, NoSolutionNamesTheEquationAndItsResidual) {
  const Summary s = attempt(Break::no_solution);
  EXPECT_EQ(s.outcome, Outcome::newton_diverged) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "the diode law, where a residual of [0-9]")) << s.message;
  EXPECT_TRUE(says(s, "the diode law jumps by 2 right after this point")) << s.message;
  EXPECT_TRUE(says(s, "may have no solution beyond this point")) << s.message;
}

TEST_P(Network, UnknownWithoutAnEquationIsNamed) {
  const Summary s = attempt(Break::no_equation);
  EXPECT_EQ(s.outcome, Outcome::singular) << s.message;
  EXPECT_TRUE(says(s, "do not determine z.wire")) << s.message;
  EXPECT_TRUE(says(s, "the balance of tank A, the wire law depend on each other")) << s.message;
  EXPECT_TRUE(says(s, "residual of [0-9]")) << s.message;
  EXPECT_TRUE(says(s, "give every unknown an equation")) << s.message;
}

TEST_P(Network, EquationGivenTwiceIsNamed) {
  const Summary s = attempt(Break::twice);
  EXPECT_EQ(s.outcome, Outcome::singular) << s.message;
  EXPECT_TRUE(says(s, "do not determine z.wire")) << s.message;
  EXPECT_TRUE(says(s, "the diode law, the wire law depend on each other, with a residual of 0.001"))
      << s.message;
}

TEST_P(Network, NotFiniteNamesTheEquation) {
  const Summary s = attempt(Break::not_finite);
  EXPECT_EQ(s.outcome, Outcome::not_finite) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "the diode law is not finite")) << s.message;
}

class Carts : public Failing {
 protected:
  Summary attempt(Break how) const { return Failing::attempt(std::make_shared<const BrokenCarts>(how)); }
};
INSTANTIATE_TEST_SUITE_P(Mechanical, Carts,
                         testing::Values(Choice{"index3", "radau5"}, Choice{"index3", "bdf"},
                                         Choice{"ggl", "radau5"}, Choice{"ggl", "bdf"}),
                         short_name);

TEST_P(Carts, RunUnlessTheyAreBroken) {
  const Summary s = attempt(Break::nothing);
  EXPECT_EQ(s.outcome, Outcome::ok) << s.message;
  EXPECT_NEAR(s.state.y[0], 5, 1e-4);
}

TEST_P(Carts, EscapeNamesTheCart) {
  const Summary s = attempt(Break::escape);
  EXPECT_FALSE(good(s.outcome));
  EXPECT_NEAR(s.state.t, 1, 1e-3) << s.message;
  EXPECT_TRUE(says(s, "fastest is (v.(left|right)'|q.(left|right)), now -?[0-9.]+e")) << s.message;
  EXPECT_TRUE(says(s, "may end or jump|may have no solution")) << s.message;
}

TEST_P(Carts, NoSolutionNamesTheRow) {
  const Summary s = attempt(Break::no_solution);
  // In steps this short index 3 is singular to rounding: the run then ends for want of a step.
  EXPECT_TRUE(s.outcome == Outcome::newton_diverged || s.outcome == Outcome::step_too_small) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "position constraint lambda.rail jumps by 2 right after this point")) << s.message;
  EXPECT_TRUE(says(s, "may have no solution beyond this point|may end or jump here")) << s.message;
}

TEST_P(Carts, DependentRowsAreNamed) {
  const Summary s = attempt(Break::dependent);
  EXPECT_EQ(s.outcome, Outcome::singular) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "rank 1 of 2.*lambda.(rod|rail)")) << s.message;
  EXPECT_TRUE(says(s, "residual of [0-9]")) << s.message;
  EXPECT_TRUE(says(s, "tolerates dependent rows")) << s.message;
}

TEST_P(Carts, MissingMassIsNamed) {
  const Summary s = attempt(Break::massless);
  EXPECT_EQ(s.outcome, Outcome::singular) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "no inertia resists v.(left|right)'")) << s.message;
}

TEST_P(Carts, ForceNotFiniteIsNamed) {
  const Summary s = attempt(Break::not_finite);
  EXPECT_EQ(s.outcome, Outcome::not_finite) << s.message;
  EXPECT_TRUE(says(s, "^t = 0.5")) << s.message;
  EXPECT_TRUE(says(s, "the force on v.right' is not finite")) << s.message;
}

/// A healthy problem is not accused.
TEST(Diagnosis, FindsNothingWhereNothingIsWrong) {
  const DifferencedImplicit<BrokenNetwork> network(Break::nothing);
  for (const double t : {0., .5, 1.}) EXPECT_EQ(network.diagnose(t, network.start().y).what, "") << t;
  Vector far = network.start().y;
  far[1] = 1e12;
  EXPECT_EQ(network.diagnose(.1, far).what, "");
}

}  // namespace
}  // namespace dalembert
