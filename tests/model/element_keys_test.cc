// Is a key of every type read as what it says?
#include "dalembert/model/element_keys.h"

#include <numbers>

#include "dalembert/multibody/planar/planar_mechanism.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "tests/support/model_texts.h"

namespace dalembert {
namespace {

using testing::expect_same;
using testing::mechanism;
using testing::model;
constexpr double pi = std::numbers::pi;

/// An element with a key of every type.
ElementEntry made_up() {
  using T = Key::Type;
  return {.section = "force",
          .kind = "made-up",
          .space = ElementEntry::Space::planar,
          .summary = "",
          .carries = "",
          .keys = {{"number", T::number, "N", ""},
                   {"preset", T::number, "N", "", "2*number"},
                   {"nothing", T::number, "N", "", "-"},
                   {"vector", T::vector, "N", ""},
                   {"zero", T::vector, "m/s", "", "0"},
                   {"numbers", T::numbers, "", ""},
                   {"matrix", T::matrix, "", ""},
                   {"text", T::text, "", "", "red", {"red", "green"}},
                   {"body", T::body, "", ""},
                   {"joint", T::joint, "", ""},
                   {"end", T::end, "", ""},
                   {"centre", T::end, "", ""},
                   {"law", T::law, "N", "", "", {"x", "rate"}},
                   {"laws", T::laws, "N", "", "", {"t"}},
                   {"motion", T::motion, "rad", ""},
                   {"motions", T::motions, "m", ""}},
          .example = "",
          .build = {}};
}

TEST(Model, EveryTypeOfKey) {
  const Document document("a.toml", R"toml(
number = "3 kN"
vector = ["a", 2]
numbers = [1, "a", 3]
matrix = [[1, 2, 3], [4, 5, 6]]
body = "crank"
joint = "main"
end = { body = "ground", at = [1, "a/2"] }
centre = { body = "crank" }
law = "a*x^2 + rate"
laws = [1, "sin(t)"]
motion = "90*t^2 deg"
motions = ["t", "a*t^2"]
)toml");
  ASSERT_FALSE(document.trouble());
  Complaints complaints;
  FileScope file{.document = &document, .parameters = {{"a", 4, "", ""}}, .values = {{"a", 4}}};
  Directory directory;
  directory.bodies = {{"crank", 0}};
  directory.joints = {{"main", 5}};
  directory.positions = {{.1, .2, 0}};
  const auto read = [&] {
    Scope scope(file, complaints);
    const ElementEntry entry = made_up();
    const ElementFields of(entry, document.root(), "x", "force 'x'", scope, directory);
    EXPECT_TRUE(of.good());
    EXPECT_EQ(of.number("number"), 3000);
    EXPECT_EQ(of.number("preset"), 6000);
    EXPECT_FALSE(of.has("nothing"));
    EXPECT_TRUE(of.has("preset"));
    EXPECT_EQ(of.vector("zero"), Eigen::Vector3d::Zero());
    EXPECT_EQ(of.numbers("numbers"), (std::vector<double>{1, 4, 3}));
    EXPECT_EQ(of.matrix("matrix").rows(), 2);
    EXPECT_EQ(of.matrix("matrix")(1, 2), 6);
    EXPECT_EQ(of.text("text"), "red");
    EXPECT_EQ(of.body("body"), 0);
    EXPECT_EQ(of.joint("joint"), 5);
    EXPECT_EQ(of.end("centre").body, 0);
    EXPECT_EQ(of.end("centre").at, directory.positions[0]);
    const double x[] = {3, .5};
    double slopes[2];
    EXPECT_EQ(of.law("law")(x, slopes), 36.5);
    EXPECT_EQ(slopes[0], 24);
    EXPECT_EQ(slopes[1], 1);
    const Motion::Value motion = of.motion("motion")(2);
    EXPECT_DOUBLE_EQ(motion.f, 2 * pi);
    EXPECT_DOUBLE_EQ(motion.rate, 2 * pi);
    EXPECT_DOUBLE_EQ(motion.acceleration, pi);
    EXPECT_THROW(of.number("nonsense"), std::logic_error);
    return std::tuple(of.vector("vector"), of.end("end").at, of.laws("laws"), of.motions("motions"));
  };
  const double t = .7;
  {
    const auto [vector, at, laws, motions] = read();
    EXPECT_EQ(vector, Eigen::Vector3d(4, 2, 0));
    EXPECT_EQ(at, Eigen::Vector3d(1, 2, 0));
    EXPECT_EQ(laws[1](&t), std::sin(t));
    EXPECT_DOUBLE_EQ(motions[1](t).rate, 8 * t);
  }
  file.turn = Eigen::AngleAxisd(pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  file.shift = {10, 20, 0};
  const auto [vector, at, laws, motions] = read();
  double slope = 0;
  expect_near(vector, Eigen::Vector3d(-2, 4, 0), 1e-15, "a direction");
  expect_near(at, Eigen::Vector3d(8, 21, 0), 1e-15, "a point");
  EXPECT_DOUBLE_EQ(laws[0](&t, &slope), -std::sin(t));
  EXPECT_DOUBLE_EQ(slope, -std::cos(t));
  EXPECT_DOUBLE_EQ(motions[0](t).f, 10 - 4 * t * t);
  EXPECT_DOUBLE_EQ(motions[0](t).rate, -8 * t);
  EXPECT_DOUBLE_EQ(motions[0](t).acceleration, -8);
  EXPECT_DOUBLE_EQ(motions[1](t).f, 20 + t);
}

}  // namespace
}  // namespace dalembert
