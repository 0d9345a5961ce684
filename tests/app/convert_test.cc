// URDF and SDF become model files that mean the same: golden texts, and the motion against the one built in code.
#include <cmath>
#include <numbers>

#include "dalembert/control/run.h"
#include "dalembert/core/text.h"
#include "dalembert/model/model.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/program.h"

namespace dalembert {
namespace {

class Convert : public Program {
 protected:
  static std::string example(const std::string& name) {
    return DALEMBERT_SOURCE "/tests/app/convert/" + name;
  }
  int convert(const std::string& from, const std::string& to, const std::string& rest = "") {
    return call("convert '" + from + "' '" + to + "' " + rest);
  }
  /// Word for word, numbers up to rounding.
  static void expect_same(const std::string& ours, const std::string& golden) {
    std::istringstream a(ours), b(golden);
    for (std::string x, y; bool(a >> x) | bool(b >> y); x.clear(), y.clear()) {
      const auto bare = [](std::string word) {
        std::erase_if(word, [](char c) { return c == '[' || c == ']' || c == ','; });
        return word;
      };
      const auto value_x = number_in(bare(x)), value_y = number_in(bare(y));
      if (value_x && value_y)
        EXPECT_NEAR(*value_x, *value_y, 1e-14) << y;
      else
        ASSERT_EQ(x, y);
    }
  }
};

constexpr auto no_urdf = "built without liburdfdom; tools/setup convert installs it";
constexpr auto no_sdf = "built without libsdformat; tools/setup convert installs it";

#ifdef DALEMBERT_HAS_URDF
constexpr bool has_urdf = true;
#else
constexpr bool has_urdf = false;
#endif
#ifdef DALEMBERT_HAS_SDF
constexpr bool has_sdf = true;
#else
constexpr bool has_sdf = false;
#endif

TEST_F(Convert, ArmOfUrdf) {
  if (!has_urdf) GTEST_SKIP() << no_urdf;
  ASSERT_EQ(convert(example("arm.urdf"), file("arm.toml")), 0) << err;
  expect_same(content(file("arm.toml")), content(example("arm.toml")));
  EXPECT_EQ(out, "wrote " + file("arm.toml") + ": 4 bodies, 4 joints\n");
  EXPECT_NE(err.find("could not carry over: joint 'lift': limits -1 to 1.5\n"), std::string::npos) << err;
}

TEST_F(Convert, FourBarOfSdf) {
  if (!has_sdf) GTEST_SKIP() << no_sdf;
  ASSERT_EQ(convert(example("four_bar.sdf"), file("four-bar.toml"), "--json"), 0) << err;
  expect_same(content(file("four-bar.toml")), content(example("four-bar.toml")));
  EXPECT_NE(out.find("\"left_out\""), std::string::npos) << out;
  EXPECT_EQ(err, "");
}

/// What URDF says of the arm, by hand: frames turned by a quarter about z, lifted by 0.1, 0.5 and 0.1.
TEST_F(Convert, TheArmIsTheOneOfTheFile) {
  const Model model = Model::from_file(example("arm.toml"));
  const auto& bodies = model.mechanism->bodies();
  ASSERT_EQ(bodies.size(), 4u);
  const State start = model.mechanism->start();
  const auto at = [&](std::size_t i) { return Eigen::Vector3d(start.y.segment(bodies[i].q, 3)); };
  EXPECT_LT((at(0) - Eigen::Vector3d(0, 0, .35)).norm(), 1e-15);
  EXPECT_LT((at(1) - Eigen::Vector3d(0, .5, .6)).norm(), 1e-15) << "half a metre along x of its own frame";
  EXPECT_LT((at(2) - Eigen::Vector3d(0, 1.1, .6)).norm(), 1e-15);
  const double root = std::sqrt(.5);
  EXPECT_LT((start.y.segment(bodies[1].q + 3, 4) - Eigen::Vector4d(root, 0, 0, root)).norm(), 1e-15);
  Eigen::Matrix3d boom;  // z of the inertial frame is x of the link, its x is -z
  boom << .002, 0, 0, 0, .13, -.001, 0, -.001, .12;
  EXPECT_LT((bodies[1].inertia - boom).norm(), 1e-15);
  const auto placement = model.mechanism->placed_at(0, start.y.head(model.mechanism->sizes().q));
  Vector g(model.mechanism->sizes().holonomic);
  model.mechanism->g(*placement, g);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-14) << "the joints close where the file has them";
}

/// A parallelogram swings as one pendulum: its coupler stays level.
TEST_F(Convert, TheFourBarMovesAsTheOneInCode) {
  const Model model = Model::from_file(example("four-bar.toml"));
  SpatialMechanism same({0, 0, -9.81});
  const double phi = .5, s = std::sin(phi), c = std::cos(phi);
  const Eigen::Vector4d turned(std::cos(phi / 2), 0, std::sin(phi / 2), 0);
  const Eigen::Vector3d rod(.0045, .0045, .0001), left(.5, 0, 1), right(.9, 0, 1), down(-.3 * s, 0, -.3 * c);
  const auto crank = same.body({.name = "crank",
                                .mass = .6,
                                .inertia = rod.asDiagonal(),
                                .position = left + down / 2,
                                .orientation = turned});
  const auto rocker = same.body({.name = "rocker",
                                 .mass = .6,
                                 .inertia = rod.asDiagonal(),
                                 .position = right + down / 2,
                                 .orientation = turned});
  const auto coupler = same.body({.name = "coupler",
                                  .mass = .8,
                                  .inertia = Eigen::Vector3d(.0002, .0107, .0107).asDiagonal(),
                                  .position = left + down + Eigen::Vector3d(.2, 0, 0)});
  const Eigen::Vector3d y(0, 1, 0);
  same.revolute("left", same.ground, crank, left, y);
  same.revolute("right", same.ground, rocker, right, y);
  same.revolute("lower_left", crank, coupler, left + down, y);
  same.spherical("lower_right", coupler, rocker, right + down);
  // The file has a damper besides; without one there is nothing to compare but the undamped motion.
  std::string text = content(example("four-bar.toml"));
  text.resize(text.find("[[force]]"));
  const Model undamped = Model::from_text(text, "four-bar.toml");
  RunOptions options;
  options.tolerance = {.relative = 1e-11, .absolute = 1e-11};
  options.end = 1;
  const Summary ours = run(undamped.mechanism, options);
  const Summary theirs = run(std::shared_ptr<const Problem>(&same, [](const Problem*) {}), options);
  ASSERT_EQ(ours.outcome, Outcome::ok) << ours.message;
  ASSERT_EQ(theirs.outcome, Outcome::ok) << theirs.message;
  const auto n = same.sizes();
  EXPECT_LT((ours.state.y - theirs.state.y).head(n.q + n.v).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(ours.state.y[2 * 7 + 4], 0, 1e-8) << "the coupler stays level";
  // With it, energy is lost.
  const Summary damped = run(model.mechanism, options);
  ASSERT_EQ(damped.outcome, Outcome::ok) << damped.message;
  EXPECT_GT((damped.state.y - ours.state.y).head(n.q).cwiseAbs().maxCoeff(), 1e-3);
}

TEST_F(Convert, RefusesWhatItCannotRead) {
  const std::string to = file("out.toml");
  EXPECT_EQ(convert(example("arm.toml"), to), 2);
  EXPECT_NE(err.find("must end in .urdf, .sdf or .world"), std::string::npos) << err;
  EXPECT_EQ(convert(file("nothing.urdf"), to), 2);
  EXPECT_NE(err.find("cannot read"), std::string::npos) << err;
  EXPECT_EQ(convert(example("arm.urdf"), file("out.txt")), 2);
  EXPECT_NE(err.find("end the name in .toml"), std::string::npos) << err;
  for (const std::string ending : {"urdf", "sdf"})
    for (const auto* text : {"", "<robot", "<robot name='a'/>", "<sdf version='1.9'/>",
                             "<sdf version='1.9'><model name='m'/></sdf>",
                             "<robot name='a'><link name='x'/><joint name='j' type='fixed'><parent "
                             "link='x'/><child link='y'/></joint></robot>"}) {
      EXPECT_EQ(convert(write("broken." + ending, text), to), 2) << ending << ": " << text << out;
      EXPECT_EQ(err.rfind("dalembert: ", 0), 0u) << err;
      EXPECT_NE(err.find("; "), std::string::npos) << err;
    }
  EXPECT_FALSE(std::filesystem::exists(to));
}

TEST_F(Convert, SaysWhichLibraryIsMissing) {
  if (has_urdf && has_sdf) GTEST_SKIP() << "both libraries are there";
  EXPECT_EQ(convert(example(has_urdf ? "four_bar.sdf" : "arm.urdf"), file("out.toml")), 2);
  EXPECT_NE(err.find("tools/setup convert"), std::string::npos) << err;
}

TEST_F(Convert, JointsOfSdf) {
  if (!has_sdf) GTEST_SKIP() << no_sdf;
  const auto link = [](const std::string& name, const std::string& pose) {
    return "<link name='" + name + "'><pose>" + pose + " 0 0 0</pose></link>";
  };
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child, const std::string& rest) {
    return "<joint name='" + name + "' type='" + type + "'><parent>" + parent + "</parent><child>" + child +
           "</child>" + rest + "</joint>";
  };
  const std::string axis = "<axis><xyz>1 0 0</xyz></axis>", axis2 = "<axis2><xyz>0 1 0</xyz></axis2>";
  const std::string in = write(
      "joints.sdf",
      "<sdf version='1.9'><model name='m'>" + link("a", "0 0 1") + link("b", "1 0 1") + link("c", "2 0 1") +
          link("d", "3 0 1") + link("e", "4 0 1") + joint("u", "universal", "world", "a", axis + axis2) +
          joint("s", "screw", "a", "b", axis + "<thread_pitch>100</thread_pitch>") +
          joint("p", "prismatic", "b", "c", axis) + joint("f", "fixed", "c", "d", "") +
          joint("r", "revolute", "d", "e",
                "<axis><xyz>0 0 "
                "1</xyz><dynamics><spring_stiffness>3</spring_stiffness><spring_reference>0.2</"
                "spring_reference>"
                "</dynamics></axis>") +
          joint("g", "gearbox", "a", "c",
                axis + axis2 +
                    "<gearbox_ratio>2</gearbox_ratio><gearbox_reference_body>b</gearbox_reference_body>") +
          "</model></sdf>");
  ASSERT_EQ(convert(in, file("joints.toml")), 0) << err;
  const std::string text = content(file("joints.toml"));
  for (const auto* line :
       {"kind = \"universal\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 1]\nfirst_axis = [1, 0, "
        "0]\nsecond_axis = [0, 1, 0]\n",
        "kind = \"screw\"\nbodies = [\"a\", \"b\"]\nat = [1, 0, 1]\naxis = [1, 0, 0]\npitch = "
        "-0.06283185307179587\n",
        "kind = \"prismatic\"\n", "kind = \"fixed\"\nbodies = [\"c\", \"d\"]\nat = [3, 0, 1]\n",
        "kind = \"torsion-spring\"\njoint = \"r\"\nstiffness = 3\nangle = 0.2\n", "gravity = [0, 0, -9.8]\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
  EXPECT_NE(err.find("joint 'g': its type"), std::string::npos) << err;
  EXPECT_NE(err.find("joint 's': what thread_pitch means"), std::string::npos) << err;
  const Model model = Model::from_file(file("joints.toml"));
  EXPECT_EQ(model.mechanism->sizes().v, 30);
}

TEST_F(Convert, FramesWithoutMass) {
  if (!has_urdf) GTEST_SKIP() << no_urdf;
  const std::string mass =
      "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
  const auto joint = [](const std::string& name, const std::string& type, const std::string& parent,
                        const std::string& child) {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" +
           child + "'/><origin xyz='1 0 0'/><axis xyz='0 0 1'/></joint>";
  };
  const std::string in = write(
      "frames.urdf",
      "<robot name='frames'><link name='world'/><link name='foot'/><link name='bracket'/><link name='arm'>" +
          mass + "</link><link name='hook'/><link name='ball'>" + mass + "</link><link name='loose'/>" +
          joint("a", "fixed", "world", "foot") + joint("b", "fixed", "foot", "bracket") +
          joint("c", "continuous", "bracket", "arm") + joint("d", "fixed", "arm", "hook") +
          joint("e", "floating", "world", "ball") + joint("f", "continuous", "ball", "loose") + "</robot>");
  ASSERT_EQ(convert(in, file("frames.toml")), 0) << err;
  const std::string text = content(file("frames.toml"));
  EXPECT_NE(text.find("bodies = [\"ground\", \"arm\"]\nat = [3, 0, 0]\n"), std::string::npos) << text;
  for (const auto* name : {"foot", "bracket", "hook", "world", "\"e\""})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
  EXPECT_NE(err.find("link 'loose' has no mass and moves"), std::string::npos) << err;
}

TEST_F(Convert, NamesThatModelFilesDoNotAllow) {
  if (!has_sdf) GTEST_SKIP() << no_sdf;
  const std::string in =
      write("names.sdf",
            "<sdf version='1.9'><model name='a \"b\"\\ c'><link name='ground'/><link name='two words'/>"
            "<model name='inner'><link name='ground'/></model>"
            "<joint name='j.1' type='fixed'><parent>two words</parent><child>inner::ground</child></joint>"
            "<joint name='j/1' type='ball'><parent>ground</parent><child>two words</child></joint>"
            "</model></sdf>");
  ASSERT_EQ(convert(in, file("names.toml")), 0) << err;
  EXPECT_NE(err.find("the name of link 'two words': it is 'two_words' here"), std::string::npos) << err;
  EXPECT_NE(err.find("the name of joint 'j/1': it is 'j_1_2' here"), std::string::npos) << err;
  const Model model = Model::from_file(file("names.toml"));
  EXPECT_EQ(model.title, "a \"b\"\\ c");
  const auto& bodies = model.mechanism->bodies();
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[0].name, "ground_link");
  EXPECT_EQ(bodies[1].name, "two_words");
  EXPECT_EQ(bodies[2].name, "inner__ground");
  ASSERT_EQ(model.mechanism->joints().size(), 2u);
  EXPECT_EQ(model.mechanism->joints()[0].b, 2);
  EXPECT_EQ(model.mechanism->joints()[1].a, 0);
}

}  // namespace
}  // namespace dalembert
