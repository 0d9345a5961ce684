// Are the sums that a planar mechanism adds up without matrices those of its matrices, with exact derivatives, and does it know when its rows stay independent?
#include "dalembert/problem/motion_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/multibody/forces/force_element.h"
#include "dalembert/problem/lasting_rank.h"
#include "tests/support/large_mechanisms.h"

namespace dalembert {
namespace {

using namespace testing;

/// Every kind of joint whose third derivatives are known, and a point mass.
std::shared_ptr<PlanarMechanism> assortment() {
  auto m = std::make_shared<PlanarMechanism>();
  const auto crank = m->body(bar("crank", {0, 0}, {.3, .4}, 1));
  const auto rod = m->body(bar("rod", {.3, .4}, {1.2, .1}, 2));
  const auto slider = m->body(bar("slider", {1.1, .2}, {1.4, .3}, 3));
  const auto wheel = m->body(bar("wheel", {2, .2}, {2.4, .2}, 1));
  const auto point = m->point({.name = "point", .mass = .5, .position = {.7, -.4}});
  m->revolute("main", Mechanism::ground, crank, {0, 0});
  m->revolute("pin", crank, rod, {.3, .4});
  m->slot("slot", rod, slider, {1.2, .1}, {.6, .8});
  m->prismatic("guide", slider, wheel, {1.9, .3}, {1, .2});
  m->rolling("roll", Mechanism::ground, wheel, {2, 0}, {1, 0});
  m->distance("string", rod, {.6, .3}, point, {.7, -.4});
  m->revolute("bead", point, slider, {.7, -.4});
  return m;
}

struct At {
  explicit At(const Mechanism& m) : n(m.sizes()), start(m.start()) {
    q = start.y.head(n.q);
    v = a = Vector::Zero(n.v);
    l = Vector::Zero(n.rows());
    for (Eigen::Index i = 0; i < n.v; ++i) {
      q[i] += .1 * std::sin(2 + 1.7 * static_cast<double>(i));
      v[i] = std::cos(1 + 1.3 * static_cast<double>(i));
      a[i] = std::sin(3 + .9 * static_cast<double>(i));
    }
    for (Eigen::Index i = 0; i < l.size(); ++i) l[i] = std::cos(2.1 * static_cast<double>(i));
  }
  Mechanical::Sizes n;
  State start;
  Vector q, v, a, l, none;
};

/// J a + bias
Vector rows_at(const Mechanism& m, const Vector& q, const Vector& v, const Vector& a) {
  const auto at = m.placed_at(.3, q);
  Vector rows(m.sizes().rows());
  Entries J;
  m.jacobian(*at, J);
  m.bias(*at, v, rows);
  J.multiply(a, 1, rows);
  return rows;
}

void expect_sums_of_matrices(const PlanarMechanism& m) {
  ASSERT_TRUE(m.has_sums());
  const At x(m);
  const auto at = m.placed_at(.3, x.q);
  Vector motion(x.n.v), rows(x.n.rows()), f(x.n.v);
  m.sums(*at, x.v, x.none, x.a, x.l, motion, rows);
  Entries M, J;
  m.mass(*at, M);
  m.jacobian(*at, J);
  m.force(*at, x.v, x.none, f);
  Vector expected = -f;
  M.multiply(x.a, 1, expected);
  J.multiply_transposed(x.l, 1, expected);
  EXPECT_LT(largest(motion - expected), 1e-13);
  EXPECT_LT(largest(rows - rows_at(m, x.q, x.v, x.a)), 1e-13);
}

TEST(MotionSums, AreThoseOfTheMatrices) {
  expect_sums_of_matrices(*assortment());
  // with forces, drives and rows of velocity level
  auto m = std::make_shared<PlanarMechanism>();
  const auto blade = m->body(bar("blade", {0, 0}, {1, .2}, 2));
  m->knife_edge("edge", blade, {.2, .1}, {1, 0});
  m->bushing("mount", {.b = blade,
                       .at_a = {0, 0},
                       .at_b = {.1, 0},
                       .stiffness = 3 * Eigen::Matrix3d::Identity(),
                       .damping = Eigen::Matrix3d::Identity()});
  expect_sums_of_matrices(*m);
}

TEST(MotionSums, RatesOfRowsAreThoseOfTheJacobian) {
  const auto m = assortment();
  const At x(*m);
  const auto at = m->placed_at(.3, x.q);
  Vector rows(x.n.rows()), expected(x.n.rows());
  m->rates(*at, x.v, rows);
  Entries J;
  m->jacobian(*at, J);
  m->velocity_bias(*at, expected);
  J.multiply(x.v, 1, expected);
  EXPECT_LT(largest(rows - expected), 1e-13);
}

TEST(MotionSums, KnowWhetherTimeMatters) {
  EXPECT_FALSE(assortment()->depend_on_time());
  auto driven = assortment();
  driven->drive("turn", driven->angle(Mechanism::ground, 0), Motion{});
  EXPECT_TRUE(driven->depend_on_time());
  auto pushed = assortment();
  pushed->bushing("mount", {.b = 0, .at_b = {.1, 0}});
  EXPECT_TRUE(pushed->depend_on_time());  // a force may know the time
}

TEST(MotionSums, AreLeftAloneWhereRowsHaveNone) {
  auto m = assortment();
  m->drive("turn", m->angle(Mechanism::ground, 0), Motion{});
  EXPECT_FALSE(m->has_sums());
  struct Relative : PlanarMechanism {};
  EXPECT_FALSE(Relative().has_sums());  // it may have changed a term
}

TEST(MotionSums, DerivativesOfRowsAreExact) {
  const auto m = assortment();
  ASSERT_TRUE(m->differentiates_rows());
  const At x(*m);
  const auto at = m->placed_at(.3, x.q);
  Entries X;
  m->row_derivatives(*at, x.v, x.a, X);
  Derivatives d;
  m->derivatives(*at, x.v, x.none, x.a, x.l, d);
  ASSERT_TRUE(X.same_pattern(d.B));
  const Matrix by_q = X.dense(x.n.rows(), x.n.v), by_v = 2 * d.B.dense(x.n.rows(), x.n.v);
  constexpr double step = 1e-5;
  for (Eigen::Index j = 0; j < x.n.v; ++j) {
    const Vector u = step * Vector::Unit(x.n.v, j);
    const Vector q_change = (rows_at(*m, x.q + u, x.v, x.a) - rows_at(*m, x.q - u, x.v, x.a)) / (2 * step);
    const Vector v_change = (rows_at(*m, x.q, x.v + u, x.a) - rows_at(*m, x.q, x.v - u, x.a)) / (2 * step);
    EXPECT_LT(largest(by_q.col(j) - q_change), 1e-8) << j;
    EXPECT_LT(largest(by_v.col(j) - v_change), 1e-8) << j;
  }
}

TEST(LastingRank, IsKnownOfTrees) {
  EXPECT_TRUE(planar_chain(5)->rows_stay_independent());
  EXPECT_TRUE(spherical_chain(5)->rows_stay_independent());
  EXPECT_TRUE(revolute_chain(5)->rows_stay_independent());
  EXPECT_FALSE(four_bars(1)->rows_stay_independent());
  EXPECT_FALSE(lattice(4)->rows_stay_independent());
  // a body held twice, and one that is driven
  auto m = std::make_shared<PlanarMechanism>();
  const auto link = m->body(bar("link", {0, 0}, {1, 0}, 1));
  const auto pin = m->revolute("pin", Mechanism::ground, link, {0, 0});
  EXPECT_TRUE(m->rows_stay_independent());
  auto driven = std::make_shared<PlanarMechanism>(*m);
  driven->drive("turn", pin, Motion{});
  EXPECT_FALSE(driven->rows_stay_independent());
  m->distance("rod", Mechanism::ground, {1, 1}, link, {1, 0});
  EXPECT_FALSE(m->rows_stay_independent());
}

}  // namespace
}  // namespace dalembert
