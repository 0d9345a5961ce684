// Is what is wrong with a mechanism found, and told so that a person can act on it?
#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/model/model_findings.h"
#include "dalembert/multibody/check/loops.h"
#include "dalembert/multibody/forces/spring.h"
#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/source_files.h"

namespace dalembert {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
constexpr auto ground = Mechanism::ground;
const std::filesystem::path files = std::filesystem::path(__FILE__).parent_path() / "check_files";

/// What is said about a file, without the directory it is in.
std::string told(const std::filesystem::path& file) {
  std::string text;
  try {
    for (const Finding& each : examine(Model::from_file(file)).list) text += each.sentence() + "\n";
  } catch (const ModelError& error) {
    for (const Complaint& each : error.complaints()) text += each.sentence() + "\n";
  }
  const std::string directory = file.parent_path().string() + "/";
  for (std::size_t at; (at = text.find(directory)) != std::string::npos;) text.erase(at, directory.size());
  return text;
}

TEST(CheckFiles, SayWhatIsWrong) {
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(files)) {
    if (entry.path().extension() != ".toml") continue;
    ++seen;
    std::filesystem::path expected = entry.path();
    expected.replace_extension(".expected");
    EXPECT_EQ(told(entry.path()), read_text(expected)) << entry.path();
  }
  EXPECT_GE(seen, 15u);
}

Matrix3d diagonal(double a, double b, double c) {
  return Vector3d(a, b, c).asDiagonal();
}

SpatialBody block(const std::string& name, const Vector3d& position) {
  return {.name = name, .mass = 1, .inertia = diagonal(.1, .1, .1), .position = position};
}
PlanarBody bar(const std::string& name, Point2 position) {
  return {.name = name, .mass = 1, .inertia = .1, .position = position};
}

const Finding& only(const Findings& all, const std::string& topic) {
  const Finding* found = nullptr;
  for (const Finding& each : all.list)
    if (each.topic == topic) {
      EXPECT_EQ(found, nullptr) << each.sentence();
      found = &each;
    }
  static const Finding none{};
  EXPECT_NE(found, nullptr) << "nothing about " << topic;
  return found == nullptr ? none : *found;
}

SpatialMechanism bricard() {
  SpatialMechanism m(Vector3d(0, -9.81, 0));
  const Vector3d corners[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  std::vector<int> rods;
  for (int i = 0; i < 5; ++i)
    rods.push_back(m.body(block("rod" + std::to_string(i + 1), (corners[i] + corners[i + 1]) / 2)));
  for (int k = 0; k < 6; ++k)
    m.revolute("hinge" + std::to_string(k + 1), k == 0 ? ground : rods[static_cast<std::size_t>(k - 1)],
               k == 5 ? ground : rods[static_cast<std::size_t>(k)], corners[k], Vector3d::Unit((k + 1) % 3));
  return m;
}

TEST(Check, BricardHasOneFreedomAndOneRowTooMany) {
  const Findings found = examine(bricard());
  EXPECT_EQ(found.counts.rows, 30);
  EXPECT_EQ(found.rank, 29);
  EXPECT_EQ(found.degrees_of_freedom, 1);
  EXPECT_EQ(found.redundant, 1);
  EXPECT_TRUE(found.fine());
  const Finding& said = only(found, "redundant");
  EXPECT_EQ(said.joints.size(), 6u);
  for (int k = 1; k <= 6; ++k)
    EXPECT_NE(said.what.find("hinge" + std::to_string(k)), std::string::npos) << said.what;
  for (const auto& reaction : found.reactions)
    EXPECT_EQ(reaction.unique, Findings::Reaction::Unique::none) << reaction.joint;
}

/// Legs of two bodies, universal joint below, ball above.
SpatialMechanism stewart(int driven) {
  SpatialMechanism m;
  const auto platform =
      m.body({.name = "platform", .mass = 10, .inertia = diagonal(1, 1, 1.5), .position = {0, 0, 1}});
  for (int i = 0; i < 6; ++i) {
    const double third = 2 * M_PI / 3 * (i / 2), side = i % 2 == 0 ? -1 : 1;
    const Vector3d A(1.2 * std::cos(third + .3 * side), 1.2 * std::sin(third + .3 * side), 0),
        B(.8 * std::cos(third + .8 * side), .8 * std::sin(third + .8 * side), 1), d = (B - A).normalized(),
                                                                                  across = d.unitOrthogonal();
    const std::string leg = std::to_string(i + 1);
    const auto lower = m.body(block("lower" + leg, A + .3 * (B - A))),
               upper = m.body(block("upper" + leg, A + .7 * (B - A)));
    m.universal("foot" + leg, ground, lower, A, across, d.cross(across));
    const auto slide = m.prismatic("slide" + leg, lower, upper, (A + B) / 2, d);
    m.spherical("head" + leg, upper, platform, B);
    if (i < driven) m.drive("push" + leg, slide, {[](double t) { return Motion::Value{.1 * t, .1, 0}; }});
  }
  return m;
}

TEST(Check, StewartPlatformHasSixFreedomsOrNone) {
  for (const int driven : {0, 2, 6}) {
    const Findings found = examine(stewart(driven));
    EXPECT_EQ(found.degrees_of_freedom, 6 - driven);
    EXPECT_EQ(found.redundant, 0);
    EXPECT_EQ(found.counts.joints, 18);
    EXPECT_EQ(found.counts.drives, driven);
    EXPECT_TRUE(found.fine());
  }
}

SpatialMechanism four_bar_in_space(const std::string& last) {
  SpatialMechanism m;
  const auto crank = m.body(block("crank", {0, .5, 0})), coupler = m.body(block("coupler", {1, 1.2, 0})),
             rocker = m.body(block("rocker", {2, .7, 0}));
  const Vector3d z = Vector3d::UnitZ();
  m.revolute("hinge_1", ground, crank, {0, 0, 0}, z);
  m.revolute("hinge_2", crank, coupler, {0, 1, 0}, z);
  m.revolute("hinge_3", coupler, rocker, {2, 1.4, 0}, z);
  if (last == "revolute")
    m.revolute("hinge_4", rocker, ground, {2, 0, 0}, z);
  else
    m.point_on_line("hinge_4", ground, rocker, {2, 0, 0}, z);
  return m;
}

TEST(Check, NamesWhatAFourBarInSpaceHoldsTwice) {
  const Findings found = examine(four_bar_in_space("revolute"));
  EXPECT_EQ(found.degrees_of_freedom, 1);
  EXPECT_EQ(found.redundant, 3);
  EXPECT_EQ(only(found, "redundant").what,
            "joint hinge_4 repeats what joints hinge_1, hinge_2 and hinge_3 already hold: body rocker's "
            "translation along z and rotation about x and y");
  EXPECT_EQ(only(found, "redundant").hint, "make hinge_4 a point-on-line joint, which leaves that free");
  for (const auto& reaction : found.reactions) {
    EXPECT_EQ(reaction.unique, Findings::Reaction::Unique::some);
    EXPECT_EQ(reaction.not_unique.size(), 3u) << reaction.joint;
  }
  // The proposal does what it says.
  const Findings better = examine(four_bar_in_space("point-on-line"));
  EXPECT_EQ(better.degrees_of_freedom, 1);
  EXPECT_EQ(better.redundant, 0);
}

TEST(Check, TellsASingularStartFromRowsThatAlwaysDepend) {
  PlanarMechanism m;
  const auto a = m.body(bar("a", {.5, 0})), b = m.body(bar("b", {2, 0})), c = m.body(bar("c", {2.5, 0}));
  m.revolute("A", ground, a, {0, 0});
  m.revolute("B", a, b, {1, 0});
  m.revolute("C", b, c, {3, 0});
  m.revolute("D", c, ground, {2, 0});
  const Findings found = examine(m);
  EXPECT_EQ(found.rank, 8);
  EXPECT_EQ(found.rank_here, 7);
  EXPECT_EQ(found.degrees_of_freedom, 1);
  EXPECT_TRUE(found.has("singular"));
  EXPECT_FALSE(found.has("redundant"));
}

TEST(Check, DrivesAgainstJointsAreErrorsOnlyIfTheyDisagree) {
  for (const double rate : {0., 2.}) {
    PlanarMechanism m;
    const auto a = m.body(bar("bar", {.5, 0}));
    const auto main = m.revolute("main", ground, a, {0, 0});
    m.distance("stay", ground, {1, 1}, a, {1, 0});
    m.drive("turn", main, {[rate](double t) { return Motion::Value{rate * t, rate, 0}; }});
    const Findings found = examine(m);
    EXPECT_EQ(found.fine(), rate == 0);
    const Finding& said = only(found, rate == 0 ? "redundant" : "overdriven");
    EXPECT_EQ(said.what, "drive turn prescribes what joints main and stay already fix: body bar's rotation");
  }
}

TEST(Check, ConflictsAreTheSmallestSets) {
  PlanarMechanism m;
  const auto a = m.body(bar("bar", {.5, 0})), b = m.body(bar("tail", {1.5, 0}));
  m.revolute("foot", ground, a, {0, 0});
  m.revolute("knee", a, b, {1, 0});
  m.distance("stay", ground, {0, 2}, b, {2, 0});  // fits
  m.distance("rope", ground, {3, 0}, a, {1, 0}, .5);
  const Findings found = examine(m);
  EXPECT_FALSE(found.fine());
  EXPECT_EQ(found.assembly, Outcome::inconsistent_start);
  EXPECT_EQ(only(found, "conflict").joints, (std::vector<std::string>{"foot", "rope"}));
}

TEST(Check, LoopsHaveTheRankOfTheWhole) {
  // Gears lean on the ground: their loop goes through it.
  PlanarMechanism gears;
  const auto a = gears.body(bar("a", {0, 0})), b = gears.body(bar("b", {1, 0})),
             c = gears.body(bar("c", {2, 1}));
  gears.revolute("pa", ground, a, {0, 0});
  gears.revolute("pb", ground, b, {1, 0});
  gears.gear("ab", a, b, -2);
  gears.gear("again", a, b, -2);
  gears.revolute("tail", b, c, {2, 0});
  const SpatialMechanism space[] = {bricard(), four_bar_in_space("revolute"), stewart(6)};
  for (const Mechanism* m :
       {static_cast<const Mechanism*>(&gears), static_cast<const Mechanism*>(&space[0]),
        static_cast<const Mechanism*>(&space[1]), static_cast<const Mechanism*>(&space[2])}) {
    State state = m->start();
    ASSERT_EQ(make_consistent(*m, state).outcome, Outcome::ok);
    const Redundancy whole = find_redundancy(*m, state);
    const Findings found = examine(*m);
    EXPECT_EQ(found.rank, whole.rank);
    EXPECT_EQ(found.rank_here, whole.rank_here);
    EXPECT_EQ(found.redundant, static_cast<Eigen::Index>(whole.dependent.size()));
  }
}

TEST(Check, MassesThatCannotBe) {
  SpatialMechanism m;
  const auto skew = m.body({.name = "skew", .mass = 1, .position = {0, 0, 0}});
  const auto thin =
      m.body({.name = "thin", .mass = 1, .inertia = diagonal(0, .1, .1), .position = {1, 0, 0}});
  m.spherical("left", ground, thin, {.5, 0, 0});
  m.fixed("weld", ground, skew, {0, 0, 0});
  const Findings found = examine(m);
  EXPECT_FALSE(found.fine());
  // The point of rotation lies on the axis without inertia.
  EXPECT_EQ(only(found, "massless").what,
            "body thin has no inertia and is free to move: nothing resists its rotation about x");
}

TEST(Check, FarAwaySpringsHoldBodies) {
  PlanarMechanism m;
  const auto a = m.body(bar("a", {0, 0})), b = m.body(bar("b", {1, 0})), c = m.body(bar("c", {2, 0}));
  m.add_force("ab", m.length(a, {0, 0}, b, {1, 0}),
              std::make_shared<Spring>(Spring::Constants{.stiffness = 1}));
  m.add_force("c", m.length(ground, {2, 2}, c, {2, 0}),
              std::make_shared<Spring>(Spring::Constants{.damping = 1}));
  const auto groups = groups_of(m, m.start());
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].bodies, (std::vector<int>{a, b}));
  EXPECT_FALSE(groups[0].grounded);
  EXPECT_TRUE(groups[1].grounded);
  EXPECT_FALSE(examine(m).has("unreachable"));
  EXPECT_TRUE(examine(m).has("floating"));
}

TEST(Check, SaysHowFarAssemblyMovedABody) {
  PlanarMechanism m;
  const auto a = m.body(bar("bar", {.5, 0}));
  m.distance("rod", ground, {0, 0}, a, {.5, 0}, .7);
  const Findings found = examine(m);
  ASSERT_EQ(found.moves.size(), 1u);
  EXPECT_EQ(found.moves[0].body, "bar");
  EXPECT_NEAR(found.moves[0].distance, .2, 1e-9);
  EXPECT_TRUE(found.has("moved"));
}

TEST(Check, LongChainsAreNoTrouble) {
  PlanarMechanism m;
  int last = ground;
  for (int i = 0; i < 10000; ++i) {
    const auto link = m.body(bar("link" + std::to_string(i), {i + .5, 0}));
    m.revolute("joint" + std::to_string(i), last, link, {1. * i, 0});
    last = link;
  }
  const Findings found = examine(m);
  EXPECT_EQ(found.degrees_of_freedom, 10000);
  EXPECT_TRUE(found.list.empty());
}

/// One loop of 331 joints, without and with a bar that is parallel to its neighbours and hangs on the same bodies.
TEST(Check, LargeLoopsAreCounted) {
  for (const int more : {0, 1}) {
    PlanarMechanism m;
    int last = ground;
    for (int i = 0; i <= 110; ++i) {
      const double x = i;
      const auto rocker = m.body(bar("rocker" + std::to_string(i), {x, .5}));
      m.revolute("foot" + std::to_string(i), ground, rocker, {x, 0});
      if (i > 0) {
        const auto coupler = m.body(bar("coupler" + std::to_string(i), {x - .5, 1}));
        m.revolute("left" + std::to_string(i), last, coupler, {x - 1, 1});
        m.revolute("right" + std::to_string(i), coupler, rocker, {x, 1});
        if (i == 7 && more == 1) m.distance("twin", ground, {x - .5, 0}, coupler, {x - .5, 1});
      }
      last = rocker;
    }
    const Findings found = examine(m);
    EXPECT_EQ(found.degrees_of_freedom, 1);
    EXPECT_EQ(found.redundant, more);
    EXPECT_EQ(found.has("redundant"), more == 1);
  }
}

}  // namespace
}  // namespace dalembert
