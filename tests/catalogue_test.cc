// Is every problem of the catalogue what its page says? Hand-written derivatives against differences, starts
// against constraints, energy against power, closed solutions against equations, printed digits against an
// integration that shares no code with the library's methods.
#include "dalembert/problem/catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "dalembert/core/error.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/index2.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"
#include "problems/reference.h"
#include "problems/violin.h"

namespace dalembert {
namespace {

using Function = std::function<Vector(double)>;

/// f'(0), by central differences of order 6.
Vector derivative(const Function& f, double h) {
  return (45 * (f(h) - f(-h)) - 9 * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) / (60 * h);
}

void expect_near(const Vector& ours, const Vector& truth, double tolerance, const std::string& what) {
  ASSERT_EQ(ours.size(), truth.size()) << what;
  const double scale = 1e-3 + largest(truth);
  EXPECT_LE(largest(ours - truth), tolerance * scale)
      << what << "\n  ours  " << ours.transpose() << "\n  truth " << truth.transpose();
}

/// A mechanical problem at one point, everything evaluated.
struct Point {
  Point(const Mechanical& p, double time, const Vector& q, const Vector& velocity, const Vector& first_order)
      : problem(p), n(p.sizes()), t(time), v(velocity), s(first_order), at(p.placement()) {
    at->t = t;
    at->q = q;
    p.place(*at);
    Entries mass, rows;
    p.mass(*at, mass);
    p.jacobian(*at, rows);
    M = mass.dense(n.v, n.v);
    J = rows.dense(n.rows(), n.v);
    f.resize(n.v);
    g.resize(n.holonomic);
    w.resize(n.rows());
    bias.resize(n.rows());
    dq.resize(n.q);
    ds.resize(n.s);
    p.force(*at, v, s, f);
    p.g(*at, g);
    p.drive(*at, w);
    p.bias(*at, v, bias);
    p.tangent(*at, v, dq);
    p.auxiliary(*at, v, s, ds);
  }
  /// (v', multipliers)
  std::pair<Vector, Vector> solve() const {
    Matrix saddle = Matrix::Zero(n.v + n.rows(), n.v + n.rows());
    saddle << M, J.transpose(), J, Matrix::Zero(n.rows(), n.rows());
    Vector right(n.v + n.rows());
    right << f, -bias;
    const Vector x = saddle.partialPivLu().solve(right);
    return {x.head(n.v), x.tail(n.rows())};
  }
  double energy() const { return problem.energy(*at, v, s).value(); }

  const Mechanical& problem;
  Mechanical::Sizes n;
  double t;
  Vector v, s;
  std::unique_ptr<Placement> at;
  Matrix M, J;
  Vector f, g, w, bias, dq, ds;
};

Point point(const Mechanical& p, const State& state) {
  const MechanicalState part(p.sizes());
  return Point(p, state.t, part.q(state.y), part.v(state.y), part.s(state.y));
}

/// The start, and states nearby that satisfy no constraint.
std::vector<State> states_near_start(const Problem& problem) {
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<State> states = {problem.start()};
  for (int k = 0; k < 5; ++k) {
    State state = problem.start();
    state.t = problem.end() * (.2 + .1 * k);
    for (double& y : state.y) y += .1 * uniform(random) * (1 + std::abs(y));
    states.push_back(state);
  }
  return states;
}

struct Case {
  std::string name;
  Kind kind;
  std::shared_ptr<const Problem> problem;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// Every entry with its default parameters, and the modes that only events reach.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& entry : all_problems()) all.push_back({entry.name, entry.kind, make_problem(entry.name)});
  const auto violin = make_problem("violin");
  State captured = violin->start();
  all.push_back({"violin-stick", Kind::mechanical, violin->events()->react(0, captured).next});
  return all;
}

class EveryProblem : public testing::TestWithParam<Case> {
 protected:
  const Problem& problem() const { return *GetParam().problem; }
  const Mechanical* mechanical() const { return dynamic_cast<const Mechanical*>(&problem()); }
  const Index2* index2() const { return dynamic_cast<const Index2*>(&problem()); }
  const Ode* ode() const { return dynamic_cast<const Ode*>(&problem()); }
  const Implicit* implicit() const { return dynamic_cast<const Implicit*>(&problem()); }
};

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProblem, testing::ValuesIn(cases()), test_name);

TEST_P(EveryProblem, HasTheKindAndTheNamesItPromises) {
  EXPECT_EQ(problem().kind(), GetParam().kind);
  EXPECT_TRUE(mechanical() || index2() || ode() || implicit());
  const Layout layout = problem().layout();
  EXPECT_EQ(problem().start().y.size(), layout.size());
  EXPECT_GT(problem().end(), problem().start().t);
  EXPECT_GE(problem().report().size(), layout.size());
  for (const Block& block : layout.blocks()) {
    EXPECT_EQ(static_cast<Eigen::Index>(block.labels.size()), block.size) << block.name;
    EXPECT_EQ(static_cast<Eigen::Index>(block.units.size()), block.size) << block.name;
    EXPECT_EQ(std::set(block.labels.begin(), block.labels.end()).size(), block.labels.size()) << block.name;
  }
  if (const auto* p = mechanical()) {
    EXPECT_EQ(layout["q"].size, p->sizes().q);
    EXPECT_EQ(layout["v"].size, p->sizes().v);
    EXPECT_EQ(layout.size(), MechanicalState(p->sizes()).size());
  }
  EXPECT_EQ(problem().diagnose(problem().start().t, problem().start().y).what, "");
}

TEST_P(EveryProblem, StartsConsistently) {
  const State start = problem().start();
  if (const auto* p = mechanical()) {
    const Point at = point(*p, start);
    EXPECT_LE(largest(at.g), 1e-15 * (1 + largest(at.at->q)));
    EXPECT_LE(largest(at.J * at.v + at.w), 1e-14 * (1 + largest(at.v)));
    const Vector multipliers = MechanicalState(at.n).multipliers(start.y);
    expect_near(multipliers, at.solve().second, 1e-12, "multipliers at the start");
  }
  if (const auto* p = index2()) {
    const Eigen::Index n = differential_size(p->layout()), m = start.y.size() - n;
    const Vector y = start.y.head(n), z = start.y.tail(m);
    Vector g(m), g_t(m), f(n);
    p->g(start.t, y, g);
    p->g_t(start.t, y, g_t);
    p->f(start.t, y, z, f);
    Entries g_y;
    p->g_y(start.t, y, g_y);
    EXPECT_LE(largest(g), 1e-15);
    EXPECT_LE(largest(g_y.dense(m, n) * f + g_t), 1e-14);  // the hidden constraint
  }
}

TEST_P(EveryProblem, RowsAreDerivativesOfTheConstraints) {
  const auto* p = mechanical();
  if (p == nullptr) return;
  for (const State& state : states_near_start(*p)) {
    const Point here = point(*p, state);
    const auto moved = [&](double time, const Vector& dq) {
      return Point(*p, here.t + time, here.at->q + dq, here.v, here.s);
    };
    constexpr double h = 1e-3;
    for (Eigen::Index j = 0; j < here.n.v; ++j) {
      Vector direction(here.n.q);
      p->tangent(*here.at, Vector::Unit(here.n.v, j), direction);
      const Vector column = here.J.col(j).head(here.n.holonomic);
      expect_near(column, derivative([&](double e) { return moved(0, e * direction).g; }, h), 1e-9,
                  "column " + std::to_string(j) + " of G");
    }
    const Vector still = Vector::Zero(here.n.q);
    expect_near(here.w.head(here.n.holonomic), derivative([&](double e) { return moved(e, still).g; }, h),
                1e-9, "g_t");
    const auto velocity_level = [&](double e) -> Vector {
      const Point there = moved(e, e * here.dq);
      return there.J * here.v + there.w;
    };
    expect_near(here.bias, derivative(velocity_level, h), 1e-9, "bias");
  }
}

TEST_P(EveryProblem, DerivativesAreThoseOfTheEquations) {
  const auto* p = mechanical();
  if (p == nullptr) return;
  for (const State& state : states_near_start(*p)) {
    const Point here = point(*p, state);
    const auto [a, l] = here.solve();
    Derivatives d;
    p->derivatives(*here.at, here.v, here.s, a, l, d);
    const auto residual = [&](const Vector& dq, const Vector& dv) -> Vector {
      const Point there(*p, here.t, here.at->q + dq, here.v + dv, here.s);
      return there.M * a + there.J.transpose() * l - there.f;
    };
    const Vector zero_q = Vector::Zero(here.n.q), zero_v = Vector::Zero(here.n.v);
    Matrix K_true(here.n.v, here.n.v), D_true(here.n.v, here.n.v);
    for (Eigen::Index j = 0; j < here.n.v; ++j) {
      Vector direction(here.n.q);
      p->tangent(*here.at, Vector::Unit(here.n.v, j), direction);
      K_true.col(j) = derivative([&](double e) { return residual(e * direction, zero_v); }, 1e-3);
      D_true.col(j) =
          derivative([&](double e) { return residual(zero_q, e * Vector::Unit(here.n.v, j)); }, 1e-3);
    }
    expect_near(d.K.dense(here.n.v, here.n.v).reshaped(), K_true.reshaped(), 1e-6, "K");
    expect_near(d.D.dense(here.n.v, here.n.v).reshaped(), D_true.reshaped(), 1e-6, "D");
  }
}

TEST_P(EveryProblem, MatricesOverwriteInTheOrderTheyWereRecorded) {
  const auto* p = mechanical();
  if (p == nullptr) return;
  Entries mass, rows;
  for (const State& state : states_near_start(*p)) {
    const Point here = point(*p, state);
    p->mass(*here.at, mass);
    p->jacobian(*here.at, rows);
    EXPECT_EQ(mass.dense(here.n.v, here.n.v), here.M);
    EXPECT_EQ(rows.dense(here.n.rows(), here.n.v), here.J);
    EXPECT_EQ(here.M, here.M.transpose());
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(here.M).eigenvalues().minCoeff(), 0);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t i = 0; i < k; ++i)
        EXPECT_FALSE(rows.row(i) == rows.row(k) && rows.column(i) == rows.column(k)) << "entry written twice";
  }
}

TEST_P(EveryProblem, JacobiansOfFirstOrderFormsAreDerivatives) {
  constexpr double h = 1e-3;
  for (const State& state : states_near_start(problem())) {
    if (const auto* p = ode()) {
      Entries a;
      p->f_y(state.t, state.y, a);
      for (Eigen::Index j = 0; j < state.y.size(); ++j)
        expect_near(a.dense(state.y.size(), state.y.size()).col(j),
                    derivative(
                        [&](double e) {
                          Vector dy(state.y.size());
                          p->f(state.t, state.y + e * Vector::Unit(state.y.size(), j), dy);
                          return dy;
                        },
                        h),
                    1e-9, "f_y");
    }
    const auto* p = index2();
    if (p == nullptr) continue;
    const Eigen::Index n = differential_size(p->layout()), m = state.y.size() - n;
    const Vector y = state.y.head(n), z = state.y.tail(m);
    const auto f = [&](const Vector& dy, const Vector& dz) {
      Vector value(n);
      p->f(state.t, y + dy, z + dz, value);
      return value;
    };
    const auto g = [&](double dt, const Vector& dy) {
      Vector value(m);
      p->g(state.t + dt, y + dy, value);
      return value;
    };
    Entries f_y, f_z, g_y;
    p->f_y(state.t, y, z, f_y);
    p->f_z(state.t, y, z, f_z);
    p->g_y(state.t, y, g_y);
    Vector g_t(m);
    p->g_t(state.t, y, g_t);
    const Vector still_y = Vector::Zero(n), still_z = Vector::Zero(m);
    for (Eigen::Index j = 0; j < n; ++j) {
      const Vector u = Vector::Unit(n, j);
      expect_near(f_y.dense(n, n).col(j), derivative([&](double e) { return f(e * u, still_z); }, h), 1e-9,
                  "f_y");
      expect_near(g_y.dense(m, n).col(j), derivative([&](double e) { return g(0, e * u); }, h), 1e-9, "g_y");
    }
    for (Eigen::Index j = 0; j < m; ++j)
      expect_near(f_z.dense(n, m).col(j),
                  derivative([&](double e) { return f(still_y, e * Vector::Unit(m, j)); }, h), 1e-9, "f_z");
    expect_near(g_t, derivative([&](double e) { return g(e, still_y); }, h), 1e-9, "g_t");
  }
}

TEST_P(EveryProblem, EnergyChangesByPower) {
  const auto* p = mechanical();
  if (p == nullptr) return;
  for (const State& state : states_near_start(*p)) {
    Point loose = point(*p, state);
    if (!p->energy(*loose.at, loose.v, loose.s)) {
      EXPECT_EQ(GetParam().name, "manufactured") << "has no energy";
      return;
    }
    // The identity E' = power + lambda'w holds for velocities that satisfy J v + w = 0.
    Vector v = loose.v;
    if (loose.n.rows() > 0)
      v -= loose.J.transpose() * (loose.J * loose.J.transpose()).ldlt().solve(loose.J * v + loose.w);
    const Point here(*p, loose.t, loose.at->q, v, loose.s);
    const auto [a, l] = here.solve();
    const double h = 1e-2 / (1 + largest(here.v) + largest(a));
    const double rate = derivative(
        [&, acceleration = a](double e) -> Vector {
          const Point there(*p, here.t + e, here.at->q + e * here.dq, here.v + e * acceleration,
                            here.s + e * here.ds);
          return Vector::Constant(1, there.energy());
        },
        h)[0];
    const double expected = p->power(*here.at, here.v, here.s) + l.dot(here.w);
    const double scale = here.v.cwiseAbs().dot((here.M * a).cwiseAbs()) + std::abs(expected);
    EXPECT_NEAR(rate, expected, 1e-9 * scale + 1e-13 * (1 + std::abs(here.energy())) / h);
  }
}

/// Which problems know their solution at every time; a problem that forgets it fails here.
const std::set<std::string> solved = {"pendulum",       "pendulum-benchmark", "sleigh",
                                      "skate",          "exact-index2",       "exact-index3",
                                      "ascher-petzold", "manufactured",       "manufactured-ode"};

TEST_P(EveryProblem, ClosedSolutionsSatisfyTheEquations) {
  if (!solved.contains(GetParam().name)) return;
  expect_near(problem().start().y, problem().exact(0).value().y, 1e-15, "start");
  for (const double part : {.13, .37, .61, .94}) {
    const double t = part * problem().end();
    const State now = problem().exact(t).value();
    const Vector rate = derivative([&](double e) { return problem().exact(t + e).value().y; }, 2e-3);
    if (const auto* p = mechanical()) {
      const Point at = point(*p, now);
      const MechanicalState part_of(at.n);
      const Vector multipliers = part_of.multipliers(now.y);
      expect_near(part_of.q(rate), at.dq, 1e-10, "q' = N v");
      expect_near(at.M * part_of.v(rate), at.f - at.J.transpose() * multipliers, 1e-10,
                  "M v' = f - J'lambda");
      expect_near(part_of.s(rate), at.ds, 1e-10, "s' = k");
      EXPECT_LE(largest(at.g), 1e-13);
      EXPECT_LE(largest(at.J * at.v + at.w), 1e-13);
      expect_near(at.solve().second, multipliers, 1e-12, "multipliers");
    } else if (const auto* q = index2()) {
      const Eigen::Index n = differential_size(q->layout()), m = now.y.size() - n;
      Vector f(n), g(m);
      q->f(t, now.y.head(n), now.y.tail(m), f);
      q->g(t, now.y.head(n), g);
      expect_near(rate.head(n), f, 1e-10, "y' = f");
      EXPECT_LE(largest(g), 1e-13);
    } else {
      Vector f(now.y.size());
      ode()->f(t, now.y, f);
      expect_near(rate, f, 1e-10, "y' = f");
    }
  }
}

/// One long step of the index-1 form (q,v,s)' by extrapolated midpoint rules, order 16: nothing of the
/// library.
Vector extrapolate(const Mechanical& p, double t, const Vector& y, double length) {
  const auto rate = [&](double time, const Vector& at) {
    const Point here = point(p, {time, at});
    Vector dy(at.size());
    dy << here.dq, here.solve().first, here.ds;
    return dy;
  };
  constexpr int columns = 6;
  std::vector<Vector> above, row;  // of the Aitken-Neville table
  const Vector first = rate(t, y);
  for (int k = 0; k < columns; ++k) {
    const int n = 2 * (k + 1);
    const double h = length / n;
    Vector before = Vector::Zero(y.size()), now = h * first;
    for (int i = 1; i < n; ++i) {
      const Vector next = before + 2 * h * rate(t + i * h, y + now);
      before = now;
      now = next;
    }
    row.push_back((before + now + h * rate(t + length, y + now)) / 2);  // smoothed: an expansion in h^2
    for (int j = 0; j < k; ++j) {
      const double ratio = (k + 1.0) / (k - j);
      row.push_back(row.back() + (row.back() - above[static_cast<std::size_t>(j)]) / (ratio * ratio - 1));
    }
    above = std::exchange(row, {});
  }
  return y + above.back();
}

/// (q,v,s) at the time t, from the start, in equal steps, and its multipliers.
State integrated(const Mechanical& p, double t, int steps) {
  Vector y = p.start().y.head(MechanicalState(p.sizes()).differential());
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) y = extrapolate(p, i * h, y, h);
  return with_multipliers(p, t, y);
}

/// Compares the entries that exact() knows.
void expect_digits(const std::string& name, double t, int steps, double tolerance, Eigen::Index at_least) {
  const auto problem = make_problem(name);
  const auto& p = dynamic_cast<const Mechanical&>(*problem);
  const Vector known = p.exact(t).value().y, ours = integrated(p, t, steps).y;
  ASSERT_EQ(known.size(), p.layout().size());
  Eigen::Index compared = 0;
  for (Eigen::Index i = 0; i < known.size(); ++i) {
    if (std::isnan(known[i])) continue;
    ++compared;
    EXPECT_NEAR(ours[i], known[i], tolerance * (1 + std::abs(known[i])))
        << name << " " << p.layout().label(i);
  }
  EXPECT_GE(compared, at_least) << "digits went missing";
}

TEST(Digits, AreReachedByAnIndependentIntegration) {
  expect_digits("andrews", .025, 300, 2e-12, 20);
  expect_digits("andrews", .03, 360, 2e-11, 20);
  expect_digits("triple-pendulum", 1, 40, 2e-13, 9);
  expect_digits("triple-pendulum", 2, 80, 1e-12, 9);
  expect_digits("triple-pendulum", 3, 300, 1e-13, 6);
  expect_digits("triple-pendulum", 5, 400, 1e-12, 15);
  expect_digits("stiff-spring-pendulum", 1, 100, 1e-12, 4);
  expect_digits("stiff-spring-pendulum", 5, 500, 1e-11, 4);
  expect_digits("stiff-spring-pendulum", 10, 1000, 1e-11, 4);
  expect_digits("car-axis", 3, 600, 1e-12, 10);  // the published yl' is off by 5e-12
  expect_digits("pendulum", 10, 60, 1e-13, 5);
  expect_digits("sleigh", 5, 40, 1e-13, 7);
  expect_digits("skate", 10, 40, 1e-13, 7);
}

TEST(Digits, OfAndrews) {
  const auto problem = make_problem("andrews");
  const auto& p = dynamic_cast<const Mechanical&>(*problem);
  const Point start = point(p, p.start());
  const auto [a, l] = start.solve();
  EXPECT_NEAR(a[0], 14222.4439199541138, 1e-9);
  EXPECT_NEAR(a[1], -10666.8329399655854, 1e-9);
  EXPECT_LE(largest(a.tail(5)), 1e-9);
  EXPECT_NEAR(l[0], 98.5668703962410896, 1e-12);
  EXPECT_NEAR(l[1], -6.12268834425566265, 1e-13);
  EXPECT_LE(largest(l.tail(4)), 1e-13);
  for (const double t : {0., .025, .03}) {
    const Point at = point(p, t == 0 ? p.start() : p.exact(t).value());
    EXPECT_NEAR(at.energy(), 1.43783295753213987, 1e-14);
    EXPECT_LE(largest(at.g), 1e-16);
  }
  const Vector acceleration = point(p, p.exact(.03).value()).solve().first;
  EXPECT_NEAR(acceleration[2], 3.24102600707578627e5, 1e-7);  // from the extended-precision run
  EXPECT_NEAR(acceleration[6], 9.82650780154417497e3, 1e-8);
}

TEST(Digits, OfPendulums) {
  const Vector unit = make_problem("pendulum")->exact(10).value().y;
  const double printed[] = {-.811586446191303830, -.584232351345395702, -.631529149065017582,
                            .877288798841069325};
  for (Eigen::Index i = 0; i < 4; ++i) EXPECT_NEAR(unit[i], printed[i], 2e-15);

  const auto benchmark = make_problem("pendulum-benchmark");
  const struct {
    double t, x, y;
  } digits[] = {{1, 0.98629175113187531936, -0.16501085312554116875},
                {2, -0.79356619534332174699, -0.60848393044379151463},
                {5, -0.94230543504375733550, -0.33475433841400058079},
                {9.99, -0.31643646991303229123, -0.94861370457577651925},
                {10, -0.27508746257611686005, -0.96141920509912506427}};
  for (const auto& [t, x, y] : digits) {
    const Vector at = benchmark->exact(t).value().y;
    EXPECT_NEAR(at[0], x, 1e-14) << t;
    EXPECT_NEAR(at[1], y, 1e-14) << t;
    EXPECT_NEAR(at[4], -3 * 9.81 * y, 3e-13) << t;
  }
  const Vector period = benchmark->exact(2.36784194757623744930).value().y;
  EXPECT_LE(largest(period - benchmark->start().y), 1e-14);
}

TEST(Digits, OfSleigh) {
  const auto sleigh = make_problem("sleigh");
  EXPECT_NEAR(sleigh->start().y[5], 2.52109742044805, 1e-14);
  const struct {
    double t, x, y, theta, w;
  } digits[] = {{1, .316353062465412, 1.01570597106061, 1.97606457366501, 1.35280806109612},
                {2, -1.13218627700871, 2.10627785884760, 2.85772696740490, .522350191357150},
                {5, -7.04423763793841, 1.67721510652888, 3.35032611395702, .0249702332068692}};
  for (const auto& [t, x, y, theta, w] : digits) {
    const Vector at = sleigh->exact(t).value().y;
    EXPECT_NEAR(at[0], x, 1e-14) << t;
    EXPECT_NEAR(at[1], y, 1e-14) << t;
    EXPECT_NEAR(at[2], theta, 1e-14) << t;
    EXPECT_NEAR(at[5], w, 1e-14) << t;
  }
}

TEST(Digits, OfStiffSpring) {
  const auto problem = make_problem("stiff-spring-pendulum");
  const double stretch[] = {1.427232e-4, 2.182208e-4, 1.757317e-4};
  const double times[] = {1, 5, 10};
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(problem->exact(times[k]).value().y.head(2).norm() - 1, stretch[k], 1e-10);
}

TEST(Digits, HoldOnlyWhereTheyAreListed) {
  EXPECT_TRUE(make_problem("andrews")->exact(.03));
  EXPECT_TRUE(make_problem("andrews")->exact(.03 * (1 + 1e-15)));
  EXPECT_FALSE(make_problem("andrews")->exact(.0301));
  EXPECT_FALSE(make_problem("andrews", {{"c0", 4000}})->exact(.03));
  EXPECT_FALSE(make_problem("triple-pendulum", {{"g", 1}})->exact(5));
  EXPECT_FALSE(make_problem("double-pendulum")->exact(5));
  EXPECT_FALSE(make_problem("stiff-spring-pendulum", {{"eps", 1e-3}})->exact(1));
  EXPECT_FALSE(make_problem("car-axis", {{"M", 9}})->exact(3));
}

TEST(Parameters, ReachTheEquations) {
  const auto pendulum = make_problem("pendulum", {{"g", 3}, {"l", 2}, {"m", 5}});
  const auto& p = dynamic_cast<const Mechanical&>(*pendulum);
  expect_near(integrated(p, 2, 20).y, p.exact(2).value().y, 1e-12, "pendulum with other data");
  const auto skate = make_problem("skate", {{"w", -2}, {"angle", .2}, {"m", 3}});
  const auto& k = dynamic_cast<const Mechanical&>(*skate);
  expect_near(integrated(k, 2, 20).y, k.exact(2).value().y, 1e-12, "skate with other data");
  const auto sleigh = make_problem("sleigh", {{"a", .1}, {"u", -1}, {"J", 2}});
  const auto& s = dynamic_cast<const Mechanical&>(*sleigh);
  expect_near(integrated(s, 2, 20).y, s.exact(2).value().y, 1e-12, "sleigh with other data");
  EXPECT_EQ(make_problem("violin", {{"n", 10}})->layout()["q"].size, 9);
  EXPECT_THROW(make_problem("violin", {{"n", 7}}), Error);
  EXPECT_THROW(make_problem("sleigh", {{"u", 3}}), Error);
  EXPECT_THROW(make_problem("skate", {{"w", 0}}), Error);
  EXPECT_THROW(make_problem("pendulum", {{"l", -1}}), Error);
  EXPECT_THROW(make_problem("andrews", {{"mum", 1}}), Error);
  EXPECT_THROW(make_problem("andrew"), Error);
}

TEST(ExactIndex3, ComesBackToBothConstraints) {
  const auto problem = make_problem("exact-index3");
  const auto& p = dynamic_cast<const Index2&>(*problem);
  ASSERT_NE(p.invariant(), nullptr);
  Vector y = p.exact(.3).value().y.head(4);
  const Vector on = y;
  y += Eigen::Vector4d(.01, -.02, .015, .005);
  EXPECT_EQ(p.invariant()->project(.3, y), Outcome::ok);
  Vector g(1);
  p.g(.3, y, g);
  EXPECT_LE(std::abs(g[0]), 1e-13);
  EXPECT_LE(std::abs(y[0] * y[1] * y[1] - 1), 1e-13);
  EXPECT_LE((y - on).norm(), .06);
  y[0] = not_a_number;
  EXPECT_EQ(p.invariant()->project(.3, y), Outcome::not_finite);
}

/// Runs the violin by extrapolation with its own events; locates them by bisection of the step.
std::vector<std::pair<State, std::string>> violin_events(double end) {
  std::vector<std::pair<State, std::string>> found;
  std::shared_ptr<const Problem> mode = make_problem("violin");
  State state = mode->start();
  const Eigen::Index n = state.y.size();
  const double h = .01;
  while (state.t < end) {
    const auto& p = dynamic_cast<const Mechanical&>(*mode);
    const Events& events = *p.events();
    Vector before(static_cast<Eigen::Index>(events.list().size())), after = before;
    events.values(state, before);
    const auto reach = [&](double length) {
      State there{state.t + length, extrapolate(p, state.t, state.y, length)};
      events.values(there, after);
      return there;
    };
    State next = reach(h);
    Eigen::Index crossed = 0;
    if (after.minCoeff(&crossed) < 0) {
      double low = 0, high = h;
      while (high - low > 1e-14) {
        next = reach((low + high) / 2);
        (after[crossed] < 0 ? high : low) = (low + high) / 2;
      }
      const Reaction reaction = events.react(static_cast<std::size_t>(crossed), next);
      found.emplace_back(next, events.list()[static_cast<std::size_t>(crossed)].name);
      mode = reaction.next;
    }
    state = {next.t, next.y.head(n)};
  }
  return found;
}

TEST(Violin, SwitchesWhenTheClosedSolutionDoes) {
  const auto found = violin_events(20);
  ASSERT_EQ(found.size(), violin_switchings.size());
  const auto problem = make_problem("violin");
  const auto& p = dynamic_cast<const Mechanical&>(*problem);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const auto& [state, name] = found[k];
    EXPECT_EQ(name, k % 2 == 0 ? "capture" : "release");
    EXPECT_NEAR(state.t, violin_switchings[k].t, 1e-11) << k;
    EXPECT_NEAR(state.y[9], violin_switchings[k].u_mid, 1e-11) << k;
    EXPECT_NEAR(point(p, state).energy(), violin_switchings[k].energy, 1e-10) << k;
    if (k % 2 == 0) {
      EXPECT_EQ(state.y[19 + 9], .3);  // set, not approximated
    }
  }
}

TEST(Violin, PassesThroughWhereTheBowCannotHold) {
  const auto problem = make_problem("violin");
  State state = problem->start();
  state.y[9] = -.05;  // pulls back with 2 N^2/20 = 40 > rho_a
  const auto next = problem->events()->react(0, state).next;
  EXPECT_EQ(dynamic_cast<const Mechanical&>(*next).sizes().rows(), 0);
  Vector before(1), after(1);
  state.y[19 + 9] = 1;  // faster than the bow
  problem->events()->values(state, before);
  next->events()->values(state, after);
  EXPECT_EQ(after[0], -before[0]);
  EXPECT_GT(after[0], 0);
}

TEST(Violin, ReportsTheForceOfTheBowInBothModes) {
  const auto slip = make_problem("violin");
  State state = slip->start();
  const auto stick = slip->events()->react(0, state).next;
  EXPECT_EQ(slip->layout().find("mu"), nullptr);
  EXPECT_NE(slip->report().find("mu"), nullptr);
  EXPECT_EQ(slip->report().size(), stick->report().size());
}

TEST(Catalogue, CitesWhatTheBibliographyHolds) {
  const auto root = std::filesystem::path(__FILE__).parent_path().parent_path();
  std::ifstream file(root / "docs" / "references.bib");
  ASSERT_TRUE(file) << "docs/references.bib";
  std::stringstream text;
  text << file.rdbuf();
  std::set<std::string> names;
  for (const auto& entry : all_problems()) {
    EXPECT_NE(text.str().find("{" + entry.cite + ","), std::string::npos) << entry.cite;
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is entered twice";
    EXPECT_FALSE(entry.summary.empty());
  }
  EXPECT_GE(names.size(), 15u);
}

}  // namespace
}  // namespace dalembert
