// What decides at an equilibrium where stiffness vanishes, has a kink, or changes with time?
#include "dalembert/analysis/higher_terms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "dalembert/analysis/equilibrium.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/model/model.h"

namespace dalembert {
namespace {

using Force = SoftDirection::Force;

/// A block on a slide, x in it.
Model block(const std::string& force, double x) {
  return Model::from_text(
      "space = \"planar\"\ngravity = [0, 0]\n[parameters]\nx0 = 0\n"
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\nposition = [\"x0\", 0]\n"
      "[[joint]]\nname = \"s\"\nkind = \"prismatic\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0]\nalong = [1, "
      "0]\n"
      "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"a\"\nforce = [\"" +
          force + "\", 0]\n[run]\nend = 10\n",
      "model.toml", {{"x0", x}});
}

Force force_of(const std::string& law) {
  const Model model = block(law, 0);
  const auto soft = soft_directions(*model.mechanism, model.mechanism->start(), 1e-10);
  EXPECT_EQ(soft.size(), 1u) << law;
  return soft.empty() ? Force::none : soft[0].force;
}

TEST(HigherTerms, DecideWhereStiffnessVanishes) {
  EXPECT_EQ(force_of("-x^3"), Force::back);
  EXPECT_EQ(force_of("x^3"), Force::away);
  EXPECT_EQ(force_of("-x^2"), Force::one_side);
  EXPECT_EQ(force_of("0*x"), Force::none);
  const Model held = block("-x - x^3", 0);
  EXPECT_TRUE(soft_directions(*held.mechanism, held.mechanism->start(), 1e-10).empty());
}

TEST(HigherTerms, EquilibriaWithoutStiffnessAreMetToRounding) {
  const Model model = block("-x^3", .5);
  const Equilibrium rest = find_equilibrium(*model.mechanism, model.mechanism->start());
  ASSERT_TRUE(rest.found) << rest.why_not;
  EXPECT_LT(std::abs(rest.state.y[0]), 1e-12);
}

TEST(Kinks, AreSeenFromBothSides) {
  const Model kink = block("if(x > 0, -100*x, -400*x)", 0);
  const auto found = kinks_at(*kink.mechanism, kink.mechanism->start(), 1e-10);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].of_velocity);
  EXPECT_NEAR(std::min(found[0].one, found[0].other), -400, 1e-3);
  EXPECT_NEAR(std::max(found[0].one, found[0].other), -100, 1e-3);
  for (const char* smooth : {"-100*x + 5*x^2", "-x^2", "sin(x) - vx*abs(vx)", "1"}) {
    const Model model = block(smooth, 0);
    EXPECT_TRUE(kinks_at(*model.mechanism, model.mechanism->start(), 1e-10).empty()) << smooth;
  }
}

/// Mathieu's equation: at rest it is an equilibrium whose stiffness changes, whatever its eigenvalues are.
TEST(Linearisation, SeesStiffnessThatChangesWithTime) {
  const Model model = block("-(1 + 0.5*cos(2*t))*x", 0), constant = block("-x", 0);
  EXPECT_TRUE(linearise(*model.mechanism, model.mechanism->start()).timed);
  EXPECT_FALSE(linearise(*constant.mechanism, constant.mechanism->start()).timed);
}

/// A load that follows the column makes stiffness that is not symmetric: z'K z = 0 for some z at P = 2, but K is regular.
TEST(HigherTerms, AreNotAskedWhereStiffnessIsRegularButNotSymmetric) {
  const Model column = Model::from_text(
      "space = \"planar\"\ngravity = [0, 0]\n"
      "[[body]]\nname = \"A\"\nmass = 3\ninertia = 0.25\nposition = [0, 0.5]\n"
      "[[body]]\nname = \"B\"\nmass = 3\ninertia = 0.25\nposition = [0, 1.5]\n"
      "[[joint]]\nname = \"h1\"\nkind = \"revolute\"\nbodies = [\"ground\", \"A\"]\nat = [0, 0]\n"
      "[[joint]]\nname = \"h2\"\nkind = \"revolute\"\nbodies = [\"A\", \"B\"]\nat = [0, 1]\n"
      "[[force]]\nname = \"s1\"\nkind = \"torsion-spring\"\njoint = \"h1\"\nstiffness = 1\n"
      "[[force]]\nname = \"s2\"\nkind = \"torsion-spring\"\njoint = \"h2\"\nstiffness = 1\n"
      "[[force]]\nname = \"f\"\nkind = \"force\"\nbody = \"B\"\nat = [0, 2]\nframe = \"body\"\n"
      "force = [0, -2]\n[run]\nend = 1\n");
  EXPECT_TRUE(soft_directions(*column.mechanism, column.mechanism->start(), 1e-10).empty());
}

/// Shifted as a whole, a train meets no force but rounding.
TEST(HigherTerms, OfATrainThatIsFreeToMoveAreNone) {
  for (const int n : {2, 3, 4, 5, 8}) {
    std::string text = "space = \"planar\"\ngravity = [0, 0]\n";
    for (int i = 0; i < n; ++i) {
      const std::string k = std::to_string(i), next = std::to_string(i + 1);
      text += "[[body]]\nname = \"m" + k + "\"\nkind = \"point\"\nmass = 1\nposition = [" + k +
              ", 0]\n[[joint]]\nname = \"s" + k + "\"\nkind = \"slot\"\nbodies = [\"ground\", \"m" + k +
              "\"]\nat = [0, 0]\nalong = [1, 0]\n";
      if (i + 1 < n)
        text += "[[force]]\nname = \"k" + k + "\"\nkind = \"spring\"\nstiffness = 4\nfrom = {body = \"m" + k +
                "\", at = [" + k + ", 0]}\nto = {body = \"m" + next + "\", at = [" + next + ", 0]}\n";
    }
    const Model model = Model::from_text(text + "[run]\nend = 1\n");
    const auto soft = soft_directions(*model.mechanism, model.mechanism->start(), 1e-10);
    ASSERT_EQ(soft.size(), 1u) << n;
    EXPECT_EQ(soft[0].force, Force::none) << n;
  }
}

TEST(Linearisation, SeesLoadsThatChangeWithTime) {
  const Model model = block("-x + 5*sin(2*t)", 0), constant = block("-x", 0);
  const Linearisation loaded = linearise(*model.mechanism, model.mechanism->start());
  EXPECT_EQ(loaded.base, Linearisation::Base::equilibrium);
  EXPECT_TRUE(loaded.loaded);
  EXPECT_FALSE(loaded.timed);
  EXPECT_FALSE(linearise(*constant.mechanism, constant.mechanism->start()).loaded);
}

}  // namespace
}  // namespace dalembert
