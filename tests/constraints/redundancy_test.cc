// Are constraint rows that follow from others found, named, and without any effect on the motion?
#include "dalembert/constraints/redundancy.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run.h"
#include "dalembert/problem/catalogue.h"
#include "tests/support/repeated_rows.h"

namespace dalembert {
namespace {

using testing::MoreRow;
using testing::RepeatedRows;

using Indices = std::vector<Eigen::Index>;

struct Point {
  Point(const Mechanical& p, const State& state) : n(p.sizes()), at(p.placement()) {
    const MechanicalState part(n);
    at->t = state.t;
    at->q = part.q(state.y);
    v = part.v(state.y), s = part.s(state.y), l = part.multipliers(state.y);
    p.place(*at);
    Entries rows;
    p.jacobian(*at, rows);
    J = rows.dense(n.rows(), n.v);
  }
  Mechanical::Sizes n;
  std::unique_ptr<Placement> at;
  Vector v, s, l;
  Matrix J;
};

Vector constraint_force(const Mechanical& p, const State& state) {
  const Point here(p, state);
  return here.J.transpose() * here.l;
}

/// Multipliers are of least norm if they have no part that J' does not see.
void expect_nothing_unseen(const Mechanical& p, const State& state, double tolerance) {
  const Point here(p, state);
  const Eigen::BDCSVD<Matrix> svd(here.J.transpose(), Eigen::ComputeThinU | Eigen::ComputeFullV);
  const Vector& sigma = svd.singularValues();
  const Eigen::Index rank = (sigma.array() > 1e-8 * sigma[0]).count();
  ASSERT_LT(rank, here.n.rows());
  EXPECT_LE(largest(svd.matrixV().rightCols(here.n.rows() - rank).transpose() * here.l),
            tolerance * (1 + largest(here.l)));
}

/// And M a + J'l = f, J a + bias = 0 for some a.
void expect_least_norm(const Mechanical& p, const State& state, double tolerance) {
  const Point here(p, state);
  Entries M;
  Vector f(here.n.v), bias(here.n.rows());
  p.mass(*here.at, M);
  p.force(*here.at, here.v, here.s, f);
  p.bias(*here.at, here.v, bias);
  const Vector a = M.dense(here.n.v, here.n.v).ldlt().solve(f - here.J.transpose() * here.l);
  EXPECT_LE(largest(here.J * a + bias), tolerance * (1 + largest(bias)));
  expect_nothing_unseen(p, state, tolerance);
}

/// A four-bar of two point masses: cranks of length 1 turn about (0,0) and (2,0), the coupler joins their ends.
class FourBar : public Mechanical {
 public:
  explicit FourBar(double coupler, double angle = 1) : c_(coupler), angle_(angle) {}
  Sizes sizes() const override { return {.q = 4, .v = 4, .holonomic = 3}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x1", "y1", "x2", "y2"},
                              .v = {"x1'", "y1'", "x2'", "y2'"},
                              .lambda = {"left", "coupler", "right"},
                              .q_units = {},
                              .v_units = {},
                              .lambda_units = {}});
  }
  State start() const override {
    // The right end lies on circles about the left end and about (2,0); above the line between them.
    const Eigen::Vector2d left(std::cos(angle_), std::sin(angle_)), base(2, 0), line = base - left;
    const double d = line.norm(), along = (c_ * c_ - 1 + d * d) / (2 * d);
    const Eigen::Vector2d across(-line[1] / d, line[0] / d);
    const Eigen::Vector2d right =
        left + along / d * line + std::sqrt(std::max(0., c_ * c_ - along * along)) * across;
    State state{0, Vector::Zero(11)};
    state.y.head(4) << left, c_ == 2 ? Eigen::Vector2d(base + left) : right;
    if (c_ == 2) state.y.segment(4, 4) << -left[1], left[0], -left[1], left[0];
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 4; ++i) M.add(i, i, i < 2 ? 1 : 2);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0, -2; }
  void g(const Placement& at, Out r) const override {
    const auto [a, b, c] = bars(at.q);
    r << (a.squaredNorm() - 1) / 2, (b.squaredNorm() - c_ * c_) / 2, (c.squaredNorm() - 1) / 2;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const auto [a, b, c] = bars(at.q);
    J.begin();
    for (Eigen::Index i = 0; i < 2; ++i) {
      J.add(0, i, a[i]);
      J.add(1, i, -b[i]);
      J.add(1, 2 + i, b[i]);
      J.add(2, 2 + i, c[i]);
    }
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override {
    r << v.head(2).squaredNorm(), (v.tail(2) - v.head(2)).squaredNorm(), v.tail(2).squaredNorm();
  }

 private:
  static std::array<Eigen::Vector2d, 3> bars(const Vector& q) {
    const Eigen::Vector2d p = q.head(2), r = q.tail(2);
    return {p, r - p, r - Eigen::Vector2d(2, 0)};
  }
  double c_, angle_;
};

std::shared_ptr<const RepeatedRows> repeated(const std::string& name, std::vector<MoreRow> more) {
  return std::make_shared<const RepeatedRows>(make_problem(name), std::move(more));
}

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

/// A mechanism, what is repeated in it, and what must be found out about it.
struct Repetition {
  std::string name;
  std::shared_ptr<const Problem> problem;
  std::vector<MoreRow> more;
  std::vector<std::string> unique;
};

std::vector<Repetition> repetitions() {
  return {{"pendulum", make_problem("pendulum"), {{"copy", {{0, 1}}}}, {}},
          {"pendulum_twice", make_problem("pendulum"), {{"copy", {{0, 1}}}, {"scaled", {{0, -30}}}}, {}},
          {"four_bar", std::make_shared<FourBar>(1.7), {{"copy", {{1, 1}}}}, {"lambda.left", "lambda.right"}},
          {"four_bar_sum", std::make_shared<FourBar>(1.7), {{"sum", {{0, .5}, {2, -2}}}}, {"lambda.coupler"}},
          {"andrews",
           make_problem("andrews"),
           {{"copy", {{2, 1}}}, {"sum", {{0, 1}, {4, .3}}}},
           {"lambda.K3.y", "lambda.K5.y", "lambda.K7.y"}}};
}

struct Run {
  std::string formulation, method;
  double step;  ///< as part of the time; 0: under control
};

class Redundant : public ::testing::TestWithParam<std::tuple<std::size_t, Run>> {};

// The same pair takes the same steps, with or without the rows that say nothing new.
TEST_P(Redundant, DoesNotChangeTheMotion) {
  const auto& [which, pair] = GetParam();
  const Repetition given = repetitions()[which];
  const auto problem = std::make_shared<const RepeatedRows>(given.problem, given.more);
  RunOptions options;
  options.request = {pair.formulation, pair.method};
  options.tolerance = {.relative = 1e-7, .absolute = 1e-7};
  options.end = given.name == "andrews" ? .01 : 1;
  if (pair.step > 0) {
    options.control = Control::fixed;
    options.step = pair.step * *options.end;
  }
  const Summary without = run(given.problem, options), with = run(problem, options);
  ASSERT_EQ(without.outcome, Outcome::ok) << without.message;
  ASSERT_EQ(with.outcome, Outcome::ok) << with.message;
  for (const char* block : {"q", "v"}) {
    const Vector a = without.state[without.layout[block]], b = with.state[with.layout[block]];
    EXPECT_LE(largest(a - b), 1e-10 * (1 + largest(a))) << block;
  }
  EXPECT_FALSE(without.redundancy);
  ASSERT_TRUE(with.redundancy);
  ASSERT_EQ(with.redundancy->dependent.size(), given.more.size());
  for (std::size_t i = 0; i < given.more.size(); ++i)
    EXPECT_EQ(with.redundancy->dependent[i].row, "lambda." + given.more[i].name);
  EXPECT_EQ(with.redundancy->unique, given.unique);
  const Vector force = constraint_force(as<Mechanical>(*given.problem), without.state);
  EXPECT_LE(largest(force - constraint_force(*problem, with.state)), 1e-8 * (1 + largest(force)));
  expect_nothing_unseen(*problem, with.state, 1e-9);
}

const std::vector<Run> runs = {{"index1", "dopri5", 0},
                               {"index2", "hem4", 0},
                               {"index2", "hem5", 0},
                               {"index2", "radau5", 0},
                               {"ggl", "radau", 0},
                               {"ggl", "bdf", 0},
                               {"index3", "radau5", 0},
                               {"cs", "radau5", 0},
                               {"baumgarte", "rk4", .001},
                               {"index3", "generalized-alpha", .001},
                               {"udwadia-kalaba", "dopri5", 0}};

std::string name_of(const ::testing::TestParamInfo<std::tuple<std::size_t, Run>>& info) {
  const auto& [which, pair] = info.param;
  std::string name = repetitions()[which].name + "_" + pair.formulation + "_" + pair.method;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Redundant,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size_t{5}),
                                            ::testing::ValuesIn(runs)),
                         name_of);

Summary run_with(std::shared_ptr<const Problem> problem, const std::string& formulation,
                 const std::string& method, double end, double tolerance,
                 const std::vector<Observer*>& observers = {}) {
  RunOptions options;
  options.request = {formulation, method};
  options.tolerance = {.relative = tolerance, .absolute = tolerance};
  options.end = end;
  options.outputs = output_times(problem->start().t, end, 4);
  return run(std::move(problem), options, observers);
}

// Rotations, driven rows, velocity-level rows, first-order states: every kind of row may be repeated.
TEST(RedundantRows, OfEveryKind) {
  struct Case {
    std::string problem;
    std::vector<MoreRow> more;
  };
  for (const auto& [name, more] :
       {Case{"heavy-top", {{"copy", {{1, 1}}}, {"sum", {{0, 1}, {2, 1}}}}},
        Case{"sleigh", {{"copy", {{0, 2}}}}}, Case{"manufactured", {{"copy", {{0, 1}}}, {"late", {{1, -1}}}}},
        Case{"motor-pendulum", {{"copy", {{0, 1}}}}}}) {
    const auto plain = make_problem(name);
    const auto problem = repeated(name, more);
    const double end = plain->start().t + .1 * (plain->end() - plain->start().t);
    for (const auto& [formulation, method] : {std::pair("index1", "dopri5"), {"ggl", "radau5"}}) {
      SCOPED_TRACE(name + " " + formulation);
      const Summary without = run_with(plain, formulation, method, end, 1e-7);
      const Summary with = run_with(problem, formulation, method, end, 1e-7);
      ASSERT_EQ(with.outcome, Outcome::ok) << with.message;
      for (const char* block : {"q", "v"}) {
        const Vector a = without.state[without.layout[block]], b = with.state[with.layout[block]];
        EXPECT_LE(largest(a - b), 1e-10 * (1 + largest(a))) << block;
      }
      ASSERT_TRUE(with.redundancy);
      EXPECT_EQ(with.redundancy->dependent.size(), more.size());
      expect_nothing_unseen(*problem, with.state, 1e-9);
    }
  }
}

/// A pendulum hung on two bars in one place, that stops where the bars together pull with a given force.
class Pulled : public RepeatedRows, private Events {
 public:
  Pulled() : RepeatedRows(make_problem("pendulum"), {{"copy", {{0, 1}}}}) {}
  const Events* events() const override { return this; }

 private:
  const std::vector<Event>& list() const override {
    static const std::vector<Event> all = {{"pull", Direction::rising}};
    return all;
  }
  void values(const State& state, Out e) const override { e[0] = state.y[4] + state.y[5] - 1.5; }
  EventResponse respond(std::size_t, State&) const override {
    return {.action = EventResponse::Action::stop, .next = {}};
  }
  bool need_multipliers() const override { return true; }
};

/// Remembers what it was shown.
class Witness : public Observer {
 public:
  void begin(const Problem& problem, const State& start) override {
    ++beginnings, shown = &problem, sizes.push_back(start.y.size());
  }
  void step(const StepView& step) override {
    sizes.push_back(step.at(step.end(), Depth::multipliers).y.size());
  }
  void output(const State& state) override {
    outputs.push_back(state);
    sizes.push_back(state.y.size());
  }
  void event(const EventRecord&, const State& after) override { sizes.push_back(after.y.size()); }
  int beginnings = 0;
  const Problem* shown = nullptr;
  std::vector<Eigen::Index> sizes;
  std::vector<State> outputs;
};

TEST(RedundantRows, EventsAndObserversSeeTheOriginalProblem) {
  const auto problem = std::make_shared<const Pulled>();
  Witness witness;
  const Summary s = run_with(problem, "index1", "dopri5", 3, 1e-9, {&witness});
  EXPECT_EQ(s.outcome, Outcome::stopped) << s.message;
  EXPECT_NEAR(s.state.y[1], -.5, 1e-8);  // lambda = -3 y
  EXPECT_NEAR(s.state.y[4], .75, 1e-8);
  EXPECT_NEAR(s.state.y[5], .75, 1e-8);
  EXPECT_EQ(witness.beginnings, 1);
  EXPECT_EQ(witness.shown, problem.get());
  EXPECT_EQ(witness.sizes, std::vector<Eigen::Index>(witness.sizes.size(), 6));
  ASSERT_GE(witness.outputs.size(), 2u);
  for (const State& state : witness.outputs) EXPECT_NEAR(state.y[4], state.y[5], 1e-12);
}

/// A point on the unit circle in the plane z = 0, driven around; the first row turns from one of these rows to the
/// other as the point goes around: cos(p) plane + sin(p) circle, with p the angle of the point.
class Turning : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 3}; }
  Layout layout() const override {
    return mechanical_layout({.q = {"x", "y", "z"},
                              .v = {"x'", "y'", "z'"},
                              .lambda = {"turning", "plane", "circle"},
                              .q_units = {},
                              .v_units = {},
                              .lambda_units = {}});
  }
  State start() const override {
    State state{0, Vector::Zero(9)};
    state.y[1] = 1;
    state.y[3] = -2;
    return state;
  }
  double end() const override { return 5; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    for (Eigen::Index i = 0; i < 3; ++i) M.add(i, i, 1);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, -3; }
  void g(const Placement& at, Out r) const override {
    const double x = at.q[0], y = at.q[1], z = at.q[2], c = (x * x + y * y - 1) / 2;
    r << x * z + y * c, z, c;
  }
  void jacobian(const Placement& at, Entries& J) const override {
    const double x = at.q[0], y = at.q[1], z = at.q[2], c = (x * x + y * y - 1) / 2;
    J.begin();
    J.add(0, 0, z + y * x);
    J.add(0, 1, c + y * y);
    J.add(0, 2, x);
    J.add(1, 2, 1);
    J.add(2, 0, x);
    J.add(2, 1, y);
    J.end();
  }
  void bias(const Placement& at, In v, Out r) const override {
    const double x = at.q[0], y = at.q[1], w = v[0] * v[0] + v[1] * v[1];
    r << 2 * v[0] * v[2] + 2 * v[1] * (x * v[0] + y * v[1]) + y * w, 0, w;
  }
};

TEST(RedundantRows, OtherRowsAreChosenWhereTheFirstOnesBecomeDependent) {
  const auto problem = std::make_shared<const Turning>();
  Witness witness;
  for (const auto& [formulation, method] : {std::pair("index1", "dopri5"), {"ggl", "radau5"}}) {
    const Summary s = run_with(problem, formulation, method, 5, 1e-9, {&witness});
    ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
    ASSERT_TRUE(s.redundancy);
    EXPECT_GE(s.redundancy->choices, 2);
    // x = cos p, y = sin p: p'' = -cos p
    const double speed2 = s.state.y[3] * s.state.y[3] + s.state.y[4] * s.state.y[4];
    EXPECT_NEAR(speed2 / 2 + s.state.y[1], 3, 1e-7);
    const Summary alone = run_with(problem, "udwadia-kalaba", "dopri5", 5, 1e-9);
    ASSERT_EQ(alone.outcome, Outcome::ok) << alone.message;
    EXPECT_LE(largest(alone.state.y.head(6) - s.state.y.head(6)), 1e-6);
    expect_least_norm(*problem, s.state, 1e-8);
  }
  EXPECT_EQ(witness.beginnings, 2);
}

/// Two bars in one place, until one of them begins to shrink.
class Shrinking : public RepeatedRows {
 public:
  Shrinking() : RepeatedRows(make_problem("pendulum"), {{"copy", {{0, 1}}}}) {}
  void g(const Placement& at, Out r) const override {
    RepeatedRows::g(at, r);
    r[1] += .1 * std::pow(late(at), 3);
  }
  void velocity_bias(const Placement& at, Out w) const override {
    RepeatedRows::velocity_bias(at, w);
    w[1] += .3 * std::pow(late(at), 2);
  }
  void bias(const Placement& at, In v, Out b) const override {
    RepeatedRows::bias(at, v, b);
    b[1] += .6 * late(at);
  }

 private:
  static double late(const Placement& at) { return std::max(0., at.t - 1); }
};

TEST(RedundantRows, ConflictAlongTheWayEndsTheRun) {
  for (const auto& [formulation, method] :
       {std::pair("index1", "dopri5"), {"ggl", "radau5"}, {"udwadia-kalaba", "dopri5"}}) {
    const Summary s = run_with(std::make_shared<const Shrinking>(), formulation, method, 3, 1e-8);
    EXPECT_FALSE(good(s.outcome)) << formulation << ": " << s.message;
    EXPECT_GE(s.state.t, .9) << s.message;
    EXPECT_LE(s.state.t, 1.5) << s.message;
    if (std::string(formulation) == "udwadia-kalaba") continue;
    EXPECT_NE(s.message.find("lambda.copy"), std::string::npos) << s.message;
  }
}

/// The pendulum with a massless coordinate z = x: M is singular, and regular on the constraints.
class Massless : public Mechanical {
 public:
  Sizes sizes() const override { return {.q = 3, .v = 3, .holonomic = 2}; }
  Layout layout() const override { return mechanical_layout({}); }
  State start() const override {
    State state{0, Vector::Zero(8)};
    state.y[0] = state.y[2] = 1;
    return state;
  }
  double end() const override { return 1; }
  void mass(const Placement&, Entries& M) const override {
    M.begin();
    M.add(0, 0, 1);
    M.add(1, 1, 1);
    M.end();
  }
  void force(const Placement&, In, In, Out f) const override { f << 0, -1, 0; }
  void g(const Placement& at, Out r) const override {
    r << (at.q.head(2).squaredNorm() - 1) / 2, at.q[2] - at.q[0];
  }
  void jacobian(const Placement& at, Entries& J) const override {
    J.begin();
    J.add(0, 0, at.q[0]);
    J.add(0, 1, at.q[1]);
    J.add(1, 0, -1);
    J.add(1, 2, 1);
    J.end();
  }
  void bias(const Placement&, In v, Out r) const override { r << v.head(2).squaredNorm(), 0; }
};

TEST(UdwadiaKalaba, TakesASingularMassMatrix) {
  const Summary s = run_with(std::make_shared<const Massless>(), "udwadia-kalaba", "dopri5", 1, 1e-10);
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  const State truth = *make_problem("pendulum")->exact(1);
  EXPECT_LE(largest(s.state.y.head(2) - truth.y.head(2)), 1e-8);
  EXPECT_NEAR(s.state.y[2], s.state.y[0], 1e-12);
  EXPECT_NEAR(s.state.y[6], truth.y[4], 1e-7);
}

/// P3, the end of the second rod.
Eigen::Vector3d third_corner(const State& state) {
  const Eigen::Vector3d x = state.y.segment<3>(7), e = state.y.segment<3>(11), arm(0, -.5, 0);
  const Eigen::Vector3d cross = 2 * e.cross(arm);
  return x + arm + state.y[10] * cross + e.cross(cross);
}

TEST(Bricard, MovesAlthoughCountingSaysItCannot) {
  const auto problem = make_problem("bricard");
  const auto& mechanical = as<Mechanical>(*problem);
  Witness witness;
  RunOptions options;
  options.tolerance = {.relative = 1e-8, .absolute = 1e-8};
  options.outputs = output_times(0, 10, 400);
  const Summary s = run(problem, options, {&witness});
  ASSERT_EQ(s.outcome, Outcome::ok) << s.message;
  ASSERT_TRUE(s.redundancy);
  EXPECT_EQ(s.redundancy->rows, 30);
  EXPECT_EQ(s.redundancy->rank, 29);
  EXPECT_EQ(s.redundancy->degrees_of_freedom, 1);
  ASSERT_EQ(s.redundancy->dependent.size(), 1u);
  EXPECT_LE(s.error.at("q"), 1e-7);
  EXPECT_LE(s.error.at("v"), 1e-7);
  expect_least_norm(mechanical, s.state, 1e-8);

  Eigen::Vector3d low = Eigen::Vector3d::Constant(9), high = -low;
  double energy_drift = 0, turned = 0, farthest = -1;
  ASSERT_EQ(witness.outputs.size(), 401u);
  for (const State& state : witness.outputs) {
    const Eigen::Vector3d P3 = third_corner(state);
    low = low.cwiseMin(P3);
    high = high.cwiseMax(P3);
    if (state.t > 4 && state.t < 6 && P3[0] > farthest) farthest = P3[0], turned = state.t;
    const Point here(mechanical, state);
    energy_drift = std::max(energy_drift, std::abs(*mechanical.energy(*here.at, here.v, here.s) + 29.43));
  }
  // x between 1 and -1 with a period of about 5 s, y from -1 to -sqrt(3)/2, z down to -1/2.
  EXPECT_NEAR(low[0], -1, 1e-4);
  EXPECT_NEAR(high[0], 1, 1e-6);
  EXPECT_NEAR(low[1], -1, 1e-4);
  EXPECT_NEAR(high[1], -std::sqrt(.75), 1e-3);
  EXPECT_NEAR(low[2], -.5, 1e-3);
  EXPECT_NEAR(high[2], 0, 1e-6);
  EXPECT_NEAR(turned, 5, .03);
  EXPECT_LE(energy_drift, 1e-6);
}

// Both ways around rows that depend on each other: by a choice of rows, and by pseudo-inverse.
TEST(Bricard, AllFormulationsFollowTheOneDegreeOfFreedom) {
  const auto problem = make_problem("bricard");
  for (const double t : {1., 3.5, 6.}) {
    const State truth = *problem->exact(t);
    for (const auto& [formulation, method] : {std::pair("index1", "dopri5"),
                                              {"udwadia-kalaba", "dopri5"},
                                              {"index2", "hem4"},
                                              {"ggl", "radau"},
                                              {"index3", "radau5"}}) {
      const Summary s = run_with(problem, formulation, method, t, 1e-7);
      ASSERT_EQ(s.outcome, Outcome::ok) << formulation << ": " << s.message;
      EXPECT_LE(largest(s.state.y.head(35) - truth.y.head(35)), 1e-5) << formulation << " at " << t;
    }
  }
}

}  // namespace
}  // namespace dalembert
