// Overconstrained linkages whose drawing has few digits: do they move as the exact ones do, and are they told from rigid ones?
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/run.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/from_functions.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;

/// A closed chain of bodies: a hinge at each point, the ground between the last one and the first.
struct Loop {
  std::vector<Vector3d> points, axes;
};

/// Rods along the edges of a cube, each axis at right angles to both its rods.
Loop bricard() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}},
          {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}}};
}

/// Four hinges whose distances a, b and angles alpha, beta satisfy a sin(beta) = b sin(alpha), so that they move at all.
Loop bennett() {
  const double a = 1, b = 1.5, alpha = 40 * M_PI / 180, beta = std::asin(b * std::sin(alpha) / a);
  const double first = 70 * M_PI / 180;
  const double second =
      2 * std::atan(std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2) / std::tan(first / 2));
  Loop loop;
  Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
  const auto add = [&](double turn, double length, double twist) {
    loop.points.emplace_back(at.translation());
    loop.axes.emplace_back(at.linear().col(2));
    at = at * Eigen::AngleAxisd(turn, Vector3d::UnitZ()) * Eigen::Translation3d(length, 0, 0) *
         Eigen::AngleAxisd(twist, Vector3d::UnitX());
  };
  add(first, a, alpha);
  add(second, b, beta);
  add(-first, a, alpha);
  add(-second, b, beta);
  EXPECT_LT((at.matrix() - Eigen::Matrix4d::Identity()).norm(), 1e-14) << "the loop is not closed";
  return loop;
}

/// As a drawing with so many digits behind the point, turned so that no number is a round one.
Model drawn(const Loop& loop, int digits) {
  const Eigen::Isometry3d turn =
      Eigen::Translation3d(.123456789, .2345678912, -.34567) * Eigen::AngleAxisd(.3, Vector3d::UnitZ()) *
      Eigen::AngleAxisd(.7, Vector3d::UnitY()) * Eigen::AngleAxisd(1.1, Vector3d::UnitX());
  const auto list = [&](const Vector3d& x) {
    return fmt::format("[{:.{}f}, {:.{}f}, {:.{}f}]\n", x[0], digits, x[1], digits, x[2], digits);
  };
  const std::size_t n = loop.points.size();
  const auto name = [&](std::size_t k) {
    return k % n == 0 ? std::string("ground") : fmt::format("rod{}", k);
  };
  std::string text = "space = \"spatial\"\ngravity = [0, -9.81, 0]\n";
  for (std::size_t k = 1; k < n; ++k)
    text +=
        fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = ", name(k)) +
        list(turn * Vector3d((loop.points[k - 1] + loop.points[k]) / 2));
  for (std::size_t k = 0; k < n; ++k)
    text +=
        fmt::format("[[joint]]\nname = \"hinge_{}\"\nkind = \"revolute\"\nbodies = [\"{}\", \"{}\"]\nat = ",
                    k + 1, name(k), name(k + 1)) +
        list(turn * loop.points[k]) + "axis = " + list(turn.linear() * loop.axes[k]);
  return Model::from_text(text);
}

Summary fall(const Model& model, double end) {
  RunOptions options;
  options.end = end;
  return run(model.mechanism, options);
}

bool says(const Summary& s, const std::string& what) {
  for (const auto& warning : s.warnings)
    if (warning.find(what) != std::string::npos) return true;
  return false;
}

TEST(RoundedLinkage, MovesAsTheExactOneDoes) {
  for (const Loop& loop : {bricard(), bennett()}) {
    const Summary exact = fall(drawn(loop, 16), 0.3);
    ASSERT_EQ(exact.outcome, Outcome::ok) << exact.message;
    EXPECT_FALSE(says(exact, "inconsistent"));
    for (const int digits : {3, 4, 5, 6, 8, 10, 12}) {
      const Summary s = fall(drawn(loop, digits), 0.3);
      const std::string what = fmt::format("{} hinges, {} digits: ", loop.points.size(), digits);
      ASSERT_EQ(s.outcome, Outcome::ok) << what << s.message;
      ASSERT_TRUE(s.redundancy) << what;
      EXPECT_EQ(s.redundancy->degrees_of_freedom, 1) << what;
      const Eigen::Index n = exact.layout["q"].size;
      EXPECT_LE(largest(s.state.y.head(n) - exact.state.y.head(n)), 30 * std::pow(10, -digits) + 1e-5)
          << what;
      if (digits <= 8) EXPECT_TRUE(says(s, "taken as redundant")) << what;
    }
  }
}

/// A mass on two bars that are nearly in line: it cannot move, however small the height.
TEST(RoundedLinkage, IsToldFromAFlatTruss) {
  for (const double height : {1e-2, 1e-3, 1e-4, 1e-6}) {
    const auto truss = mechanical({.q = Vector{{0, height}}, .v = Vector::Zero(2)}, Vector{{1, 1}},
                                  [](double, In, In, Out f) { f << 0, -1; },
                                  {2,
                                   [height](auto, const auto& q, auto&& g) {
                                     g[0] = ((q[0] - 1) * (q[0] - 1) + q[1] * q[1] - 1 - height * height) / 2;
                                     g[1] = ((q[0] + 1) * (q[0] + 1) + q[1] * q[1] - 1 - height * height) / 2;
                                   }},
                                  {.end = 1});
    EXPECT_TRUE(find_redundancy(*as<Mechanical>(truss.get()), truss->start()).dependent.empty()) << height;
  }
}

/// Two bars of almost one length between the same points.
// What turns a body at a joint far away hardly moves it, in units in which it is large, and hardly turns it where it is small: a
// planar joint had a row too many, and a joint with a drive across it too.
TEST(RoundedLinkage, IsToldFromJointsThatAreFarAwayOrNear) {
  for (const double size : {1e-3, 1., 1e3}) {
    const auto at = [&](double x, double y, double z) {
      return fmt::format("[{}, {}, {}]", x * size, y * size, z * size);
    };
    const double inertia = .4 * size * size;
    const Model far = Model::from_text(
        fmt::format("space = \"spatial\"\ngravity = [0, 0, 0]\n"
                    "[[body]]\nname = \"a\"\nmass = 2\nposition = {}\ninertia = [{}, {}, {}]\n"
                    "[[joint]]\nname = \"flat\"\nkind = \"planar\"\nbodies = [\"ground\", \"a\"]\nat = {}\n"
                    "normal = [0.77, -0.35, -0.54]\n"
                    "[[body]]\nname = \"b\"\nmass = 1\nposition = {}\ninertia = [{}, {}, {}]\n"
                    "[[joint]]\nname = \"ball\"\nkind = \"constant-velocity\"\nbodies = [\"ground\", "
                    "\"b\"]\nat = {}\n"
                    "first_axis = [0.39, 0.58, -0.72]\nsecond_axis = [0.29, 0.9, -0.51]\n"
                    "[[drive]]\nname = \"rod\"\nfrom = {{ body = \"ground\", at = {} }}\nto = {{ body = "
                    "\"b\", at = {} }}\n"
                    "distance = \"{} + {}*sin(t)\"\n",
                    at(-.31, .26, -.57), inertia, inertia, inertia, at(-.14, .38, -.01), at(.26, .89, -.25),
                    inertia / 4, inertia / 4, inertia / 4, at(.56, .53, -.02), at(.71, 1.59, .52),
                    at(.2, .64, -.29), size * std::sqrt(.51 * .51 + .95 * .95 + .81 * .81), size * .1),
        "far.toml");
    State start = far.mechanism->start();
    ASSERT_EQ(make_consistent(*far.mechanism, start).outcome, Outcome::ok) << size;
    EXPECT_TRUE(find_redundancy(*far.mechanism, start).dependent.empty()) << size;
  }
}

// A rod that passes a hinge at a fortieth of the size of its mechanism holds it. In metres that lever is small, and the rod was taken for
// redundant: what cannot move fell.
TEST(RoundedLinkage, IsToldFromShortLeversInSmallMechanisms) {
  for (const double size : {1e-3, .03, 1., 30.}) {
    const Model held = Model::from_text(
        fmt::format("space = \"spatial\"\ngravity = [0, 0, -9.81]\n"
                    "[[body]]\nname = \"a\"\nmass = 50\nposition = [{0}, 0, 0]\ninertia = [{1}, {1}, {1}]\n"
                    "[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nbodies = [\"ground\", \"a\"]\n"
                    "at = [0, 0, 0]\naxis = [0, 1, 0]\n"
                    "[[joint]]\nname = \"rod\"\nkind = \"distance\"\n"
                    "from = {{ body = \"ground\", at = [-{0}, {2}, {2}] }}\n"
                    "to = {{ body = \"a\", at = [{0}, {2}, {2}] }}\n",
                    size, .05 * size * size, size / 40),
        "held.toml");
    State start = held.mechanism->start();
    ASSERT_EQ(make_consistent(*held.mechanism, start).outcome, Outcome::ok) << size;
    EXPECT_TRUE(find_redundancy(*held.mechanism, start).dependent.empty()) << size;
  }
}

TEST(RoundedLinkage, RowsThatConflictAreTakenAsRedundantWhereThatIsSaid) {
  const auto twice = mechanical({.q = Vector{{1, 0}}, .v = Vector::Zero(2)}, Vector{{1, 1}},
                                [](double, In, In, Out f) { f << 0, -1; },
                                {2,
                                 [](auto, const auto& q, auto&& g) {
                                   g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
                                   g[1] = (q[0] * q[0] + q[1] * q[1] - 1.001) / 2;
                                 }},
                                {.end = 1});
  RunOptions options;
  const Summary refused = run(twice, options);
  EXPECT_EQ(refused.outcome, Outcome::inconsistent_start);
  EXPECT_NE(refused.message.find("dependent=1e-3"), std::string::npos) << refused.message;
  options.consistent.dependent = 1e-2;
  const Summary taken = run(twice, options);
  ASSERT_EQ(taken.outcome, Outcome::ok) << taken.message;
  EXPECT_TRUE(says(taken, "taken as redundant"));
  EXPECT_NEAR(taken.state.y.head(2).norm(), 1, 1e-3);
}

}  // namespace
}  // namespace dalembert
