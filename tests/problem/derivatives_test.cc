// Are the first derivatives of every mechanical problem those of its equations? Hand-written ones and those by
// differences alike are compared with differences of order 6.
#include <cmath>
#include <numbers>

#include "tests/support/allocation_counter.h"
#include "tests/support/catalogue_points.h"

namespace dalembert {
namespace {

std::vector<Case> mechanical_cases() {
  std::vector<Case> all = cases();
  std::erase_if(all, [](const Case& c) { return c.kind != Kind::mechanical; });
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// The equations with accelerations a and multipliers l, moved by displacements in q (as they are), v and s.
struct Equations {
  const Mechanical& p;
  const Point& here;
  Vector a, l;

  Point moved(const Vector& dq, const Vector& dv, const Vector& ds) const {
    return Point(p, here.t, here.at->q + dq, here.v + dv, here.s + ds);
  }
  Vector residual(const Point& at) const { return at.M * a + at.J.transpose() * l - at.f; }
  Vector rows(const Point& at) const { return at.J * at.v + at.w; }
};

class EveryMechanism : public ::testing::TestWithParam<Case> {
 protected:
  const Mechanical& problem() const { return as<Mechanical>(*GetParam().problem); }
};

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMechanism, ::testing::ValuesIn(mechanical_cases()), test_name);

/// Column by column: f_j(e) is what is differentiated, moved by e along column j.
Matrix columns(Eigen::Index rows, Eigen::Index n, double h,
               const std::function<Vector(Eigen::Index, double)>& f) {
  Matrix all(rows, n);
  for (Eigen::Index j = 0; j < n; ++j) all.col(j) = derivative([&](double e) { return f(j, e); }, h);
  return all;
}

void expect_matrix(const Entries& ours, const Matrix& truth, const std::string& what, double rounding = 0) {
  expect_near(ours.dense(truth.rows(), truth.cols()).reshaped(), truth.reshaped(), 1e-6, what, rounding);
}

TEST_P(EveryMechanism, HasTheDerivativesOfItsEquations) {
  const Mechanical& p = problem();
  constexpr double h = 1e-3;
  Derivatives d;  // kept: later passes overwrite in the order of the first
  for (const State& state : states_near_start(p)) {
    const Point here = point(p, state);
    const auto n = here.n;
    const auto [a, l] = here.solve();
    p.derivatives(*here.at, here.v, here.s, a, l, d);
    const Equations all{p, here, a, l};
    const Vector no_q = Vector::Zero(n.q), no_v = Vector::Zero(n.v), no_s = Vector::Zero(n.s);
    const auto along_q = [&](Eigen::Index j, double e) {
      Vector direction(n.q);
      p.tangent(*here.at, Vector::Unit(n.v, j), direction);
      return all.moved(e * direction, no_v, no_s);
    };
    const auto along_v = [&](Eigen::Index j, double e) {
      return all.moved(no_q, e * Vector::Unit(n.v, j), no_s);
    };
    const auto along_s = [&](Eigen::Index j, double e) {
      return all.moved(no_q, no_v, e * Vector::Unit(n.s, j));
    };
    const auto residual = [&](const auto& moved) {
      return [&](Eigen::Index j, double e) { return all.residual(moved(j, e)); };
    };
    const auto rate = [&](const auto& moved) {
      return [&](Eigen::Index j, double e) { return moved(j, e).ds; };
    };
    // Stiff forces leave rounding in the differences.
    const double rounding = 1e-15 * (largest(here.f) + largest(here.M * a)) / h;
    expect_matrix(d.K, columns(n.v, n.v, h, residual(along_q)), "K", rounding);
    expect_matrix(d.D, columns(n.v, n.v, h, residual(along_v)), "D", rounding);
    expect_matrix(d.S, columns(n.v, n.s, h, residual(along_s)), "S", rounding);
    expect_matrix(
        d.B, columns(n.rows(), n.v, h, [&](Eigen::Index j, double e) { return all.rows(along_q(j, e)); }),
        "B");
    expect_matrix(d.k_q, columns(n.s, n.v, h, rate(along_q)), "k_q");
    expect_matrix(d.k_v, columns(n.s, n.v, h, rate(along_v)), "k_v");
    expect_matrix(d.k_s, columns(n.s, n.s, h, rate(along_s)), "k_s");
  }
}

/// The same problem, but with derivatives, kinematics and differences of positions left to Mechanical.
void expect_defaults_agree(const Mechanical& p, const State& state) {
  const Point here = point(p, state);
  const auto [a, l] = here.solve();
  Derivatives ours, defaults;
  p.derivatives(*here.at, here.v, here.s, a, l, ours);
  p.Mechanical::derivatives(*here.at, here.v, here.s, a, l, defaults);
  const auto n = here.n;
  const double rounding = 1e-15 * (largest(here.f) + largest(here.M * a)) / 6e-6;
  expect_matrix(defaults.K, ours.K.dense(n.v, n.v), "K", rounding);
  expect_matrix(defaults.D, ours.D.dense(n.v, n.v), "D", rounding);
  expect_matrix(defaults.S, ours.S.dense(n.v, n.s), "S", rounding);
  expect_matrix(defaults.B, ours.B.dense(n.rows(), n.v), "B", 1e-15 * largest(here.J * here.v) / 6e-6);
  if (p.plain()) return;
  Kinematics known, differences;
  p.kinematics(*here.at, here.v, known);
  p.Mechanical::kinematics(*here.at, here.v, differences);
  expect_matrix(differences.N, known.N.dense(n.q, n.v), "N");
  expect_matrix(differences.Nv_q, known.Nv_q.dense(n.q, n.q), "Nv_q");
  expect_matrix(differences.inverse, known.inverse.dense(n.v, n.q), "inverse");
}

TEST_P(EveryMechanism, CouldLeaveItsDerivativesToDifferences) {
  for (const State& state : states_near_start(problem())) expect_defaults_agree(problem(), state);
}

TEST_P(EveryMechanism, SaysWhetherRatesAreVelocities) {
  const Mechanical& p = problem();
  for (const State& state : states_near_start(p)) {
    const Point here = point(p, state);
    const bool same = here.n.q == here.n.v && here.dq == here.v;
    if (p.plain()) {
      EXPECT_TRUE(same);
      continue;
    }
    EXPECT_TRUE(!same || state.t == 0) << "claims not to be plain";
    Kinematics k;
    p.kinematics(*here.at, here.v, k);
    const Matrix N = k.N.dense(here.n.q, here.n.v);
    expect_near(N * here.v, here.dq, 1e-14, "N v");
    expect_near((k.inverse.dense(here.n.v, here.n.q) * N).reshaped(),
                Matrix::Identity(here.n.v, here.n.v).reshaped(), 1e-13, "inverse");
    const auto rates = [&](Eigen::Index j, double e) {
      return Point(p, here.t, here.at->q + e * Vector::Unit(here.n.q, j), here.v, here.s).dq;
    };
    expect_matrix(k.Nv_q, columns(here.n.q, here.n.q, 1e-3, rates), "Nv_q");
  }
}

TEST_P(EveryMechanism, MovesAndMeasuresAlongTheTangent) {
  const Mechanical& p = problem();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const State& state : states_near_start(p)) {
    const Point here = point(p, state);
    Vector u(here.n.v), q(here.n.q), back(here.n.v), tangent(here.n.q);
    for (double& entry : u) entry = .5 * uniform(random);
    p.advance(*here.at, Vector::Zero(here.n.v), q);
    p.difference(here.at->q, q, back);
    EXPECT_LE(largest(back), 1e-15 * (1 + largest(here.at->q))) << "moved by nothing";
    p.advance(*here.at, u, q);
    p.difference(here.at->q, q, back);
    expect_near(back, u, 1e-12 * (1 + largest(here.at->q)), "difference after advance");
    // At a position of the right length, N is the derivative of advance.
    const Point there(p, here.t, q, here.v, here.s);
    p.tangent(*there.at, u, tangent);
    const auto moved = [&](double e) -> Vector {
      Vector to(here.n.q);
      p.advance(*there.at, e * u, to);
      return to;
    };
    expect_near(derivative(moved, 1e-3), tangent, 1e-9, "advance");
  }
}

TEST_P(EveryMechanism, DifferentiatesWithoutAllocating) {
  if (!DALEMBERT_COUNTS_ALLOCATIONS) GTEST_SKIP() << "allocations are not counted here";
  const Mechanical& p = problem();
  const Point here = point(p, p.start());
  const auto [a, l] = here.solve();
  Derivatives ours, defaults;
  Kinematics known, differences;
  const auto evaluate = [&] {
    p.derivatives(*here.at, here.v, here.s, a, l, ours);
    p.Mechanical::derivatives(*here.at, here.v, here.s, a, l, defaults);
    if (p.plain()) return;
    p.kinematics(*here.at, here.v, known);
    p.Mechanical::kinematics(*here.at, here.v, differences);
  };
  evaluate();
  testing::allocations = 0;
  evaluate();
  EXPECT_EQ(testing::allocations, 0);
}

TEST(HeavyTop, MeasuresOrientationsByTheAngleBetweenThem) {
  const auto quaternion = make_problem("heavy-top"), vector = make_problem("heavy-top-rotation-vector");
  const auto& e = as<Mechanical>(*quaternion);
  const auto& psi = as<Mechanical>(*vector);
  const Vector at = e.exact(1).value().y.head(7), turn = psi.exact(1).value().y.head(6);
  Vector u(6);
  Vector flipped = at;
  flipped.tail(4) *= -1;
  e.difference(at, flipped, u);
  EXPECT_LE(largest(u), 1e-15);  // the same rotation
  Vector round = turn;
  round.tail(3) *= 1 - 2 * std::numbers::pi / turn.tail(3).norm();
  psi.difference(turn, round, u);
  EXPECT_LE(largest(u), 4e-15);
  Vector other = at;
  other[3] += 1e-3;
  e.difference(at, other, u);
  EXPECT_NEAR(u.tail(3).norm(), 2e-3 * std::sqrt(1 - at[3] * at[3]), 1e-5);
}

TEST(HeavyTop, DoesNotMindALongQuaternion) {
  const auto problem = make_problem("heavy-top");
  const auto& p = as<Mechanical>(*problem);
  State state = p.exact(1).value(), longer = state;
  longer.y.segment(3, 4) *= 1.01;
  const Point at = point(p, state), far = point(p, longer);
  expect_near(far.J.reshaped(), at.J.reshaped(), 1e-15, "J");
  expect_near(far.g, at.g, 1e-15, "g");
  expect_near(far.dq.tail(4), 1.01 * at.dq.tail(4), 1e-15, "rates");
}

}  // namespace
}  // namespace dalembert
