// Is every problem of the catalogue what its page says? Rows against constraints, starts against constraints, energy
// against power, closed solutions against equations.
#include "dalembert/problem/catalogue.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "dalembert/core/error.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/implicit.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/partitioned.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

class EveryProblem : public testing::TestWithParam<Case> {
 protected:
  const Problem& problem() const { return *GetParam().problem; }
  /// A partitioned problem is looked at in one piece.
  const Mechanical* mechanical() const { return as_mechanical(problem()); }
  const Hessenberg* index2() const { return as<Hessenberg>(&problem()); }
  const Ode* ode() const { return as<Ode>(&problem()); }
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
  EXPECT_TRUE(mechanical() || index2() || ode() || as<Implicit>(&problem()));
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
  const std::string fault = problem().diagnose(problem().start().t, problem().start().y).what;
  if (GetParam().name == "bricard")
    EXPECT_NE(fault.find("rank 29 of 30"), std::string::npos) << fault;
  else
    EXPECT_EQ(fault, "");
}

/// Starts that are kept as their source prints them, and how far their last digits leave them off g and J v + w.
struct Printed {
  double position, velocity;
};
const std::map<std::string, Printed> printed_starts = {
    {"circle-spring", {8.0e-9, 0}},
    {"bushing-pendulum", {5.9e-7, 1.708e-9}},
    {"bushing-pendulum-oblique", {5.9e-7, 1.708e-9}},
};

TEST_P(EveryProblem, StartsConsistently) {
  const State start = problem().start();
  if (const auto* p = mechanical()) {
    const Point at = point(*p, start);
    const double position = largest(at.g), velocity = largest(at.J * at.v + at.w);
    if (const auto printed = printed_starts.find(GetParam().name); printed != printed_starts.end()) {
      EXPECT_NEAR(position, printed->second.position, .02 * printed->second.position);
      EXPECT_NEAR(velocity, printed->second.velocity, .02 * printed->second.velocity + 1e-14 * largest(at.v));
    } else {
      EXPECT_LE(position, 1e-15 * (1 + largest(at.at->q)));
      EXPECT_LE(velocity, 1e-14 * (1 + largest(at.v)));
    }
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
    const double short_time = std::min(h, .02 / (1 + largest(here.v)));
    expect_near(here.bias, derivative(velocity_level, short_time), 1e-9, "bias");
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
    // A stretch that is appended has no mass: M is positive on what the constraints leave.
    const bool massless = GetParam().name == "circle-spring-appended";
    const Matrix positive = massless ? Matrix(here.M + here.J.transpose() * here.J) : here.M;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(positive).eigenvalues().minCoeff(), 0);
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

const std::set<std::string> without_energy = {"manufactured", "coupled-linear", "coupled-nonlinear"};

TEST_P(EveryProblem, EnergyChangesByPower) {
  const auto* p = mechanical();
  if (p == nullptr) return;
  for (const State& state : states_near_start(*p)) {
    Point loose = point(*p, state);
    if (!p->energy(*loose.at, loose.v, loose.s)) {
      EXPECT_TRUE(without_energy.contains(GetParam().name)) << GetParam().name << " has no energy";
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
const std::set<std::string> solved = {
    "pendulum",     "pendulum-benchmark", "sleigh",         "skate",
    "exact-index2", "exact-index3",       "ascher-petzold", "exact-exponents",
    "manufactured", "manufactured-ode",   "coupled-linear", "coupled-nonlinear"};

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

TEST(Parameters, ReachTheEquations) {
  const auto pendulum = make_problem("pendulum", {{"g", 3}, {"l", 2}, {"m", 5}});
  const auto& p = as<Mechanical>(*pendulum);
  expect_near(integrated(p, 2, 20).y, p.exact(2).value().y, 1e-12, "pendulum with other data");
  const auto skate = make_problem("skate", {{"w", -2}, {"angle", .2}, {"m", 3}});
  const auto& k = as<Mechanical>(*skate);
  expect_near(integrated(k, 2, 20).y, k.exact(2).value().y, 1e-12, "skate with other data");
  const auto sleigh = make_problem("sleigh", {{"a", .1}, {"u", -1}, {"J", 2}});
  const auto& s = as<Mechanical>(*sleigh);
  expect_near(integrated(s, 2, 20).y, s.exact(2).value().y, 1e-12, "sleigh with other data");
  EXPECT_EQ(make_problem("violin", {{"n", 10}})->layout()["q"].size, 9);
  EXPECT_THROW(make_problem("violin", {{"n", 7}}), Error);
  EXPECT_THROW(make_problem("violin", {{"rho_s", 17}}), Error);
  EXPECT_THROW(make_problem("sleigh", {{"u", 3}}), Error);
  EXPECT_THROW(make_problem("skate", {{"w", 0}}), Error);
  EXPECT_THROW(make_problem("pendulum", {{"l", -1}}), Error);
  EXPECT_THROW(make_problem("andrews", {{"mum", 1}}), Error);
  EXPECT_THROW(make_problem("andrew"), Error);
}

TEST(Catalogue, CitesWhatTheBibliographyHolds) {
  const std::filesystem::path root = DALEMBERT_SOURCE;
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
