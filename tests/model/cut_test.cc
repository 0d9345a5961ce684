// Is a mechanism that a file cuts into fields solved to what it is in one piece, field by field as the file says?
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "dalembert/control/run_settings.h"
#include "dalembert/model/model.h"
#include "tests/support/network_texts.h"

namespace dalembert {
namespace {

using testing::branch, testing::complaint, testing::nodes;

/// Two bars one below the other on the ground, held straight by nothing.
const std::string bars = R"(
space = "planar"
[[body]]
name = "upper"
mass = 4
inertia = 0.4
position = [0.5, 0]
[[body]]
name = "lower"
mass = 1
inertia = 0.1
position = [1.5, 0]
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["ground", "upper"]
at = [0, 0]
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = [1, 0]
)";
const std::string cut = R"(
[cut]
joints = ["elbow"]
[[field]]
name = "one"
bodies = ["upper"]
method = "dopri5"
substeps = 3
[[field]]
name = "two"
bodies = ["lower"]
method = "rk4"
substeps = 24
)";

/// The largest |difference|/(1+|value|) of the state at the end between the fields and the whole.
double apart(const Model& model, const RunOptions& options) {
  const Summary fields = run(model.problem(), options);
  EXPECT_EQ(fields.outcome, Outcome::ok) << fields.message;
  EXPECT_EQ(fields.method, "window-iteration");
  const Summary whole =
      run(model.mechanism, {.tolerance = {.relative = 1e-12, .absolute = 1e-13}, .end = options.end});
  EXPECT_EQ(whole.outcome, Outcome::ok) << whole.message;
  double most = 0;
  for (Eigen::Index i = 0; i < whole.state.y.size(); ++i)
    most = std::max(most, std::abs(fields.state.y[i] - whole.state.y[i]) / (1 + std::abs(whole.state.y[i])));
  return most;
}

RunOptions as_the_file_says(const Model& model, double rtol, double end) {
  RunSettings over;
  over.rtol = rtol;
  over.end = end;
  return resolve(merge(over, model.run), *model.problem()).options;
}

/// A cart on a soft spring, and arms below it one after the other. What the fields left of their interface was found again by the next
/// window, and no window was short enough for it: half of such runs ended early.
std::string cart_with_arms(const std::string& first, int substeps, const std::string& second) {
  return R"toml(
space = "planar"
[[body]]
name = "cart"
mass = 3
inertia = 1
[[joint]]
name = "rail"
kind = "prismatic"
bodies = ["ground", "cart"]
at = [0, 0]
along = [1, 0]
[[force]]
kind = "spring"
from = { body = "ground", at = [-1.5, 0] }
to = { body = "cart", at = [0, 0] }
stiffness = 200
length = 1.5
[[body]]
name = "upper"
mass = 0.5
inertia = 0.04
position = ["0.5*cos(0.6)", "-0.5*sin(0.6)"]
angle = -0.6
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["cart", "upper"]
at = [0, 0]
[[body]]
name = "lower"
mass = 2
inertia = 0.05
position = ["cos(0.6) + 0.25*cos(2)", "-sin(0.6) - 0.25*sin(2)"]
angle = -2
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = ["cos(0.6)", "-sin(0.6)"]
[[force]]
kind = "torsion-spring"
joint = "elbow"
stiffness = 70
damping = 0.1
[cut]
joints = ["shoulder"]
[[field]]
name = "one"
bodies = ["cart"]
method = ")toml" +
         first + "\"\nsubsteps = " + std::to_string(substeps) + R"toml(
[[field]]
name = "two"
bodies = ["upper"]
method = ")toml" +
         second + "\"\nsubsteps = 8\n";
}

TEST(Cut, WindowsEndWithoutGaps) {
  for (const auto& [first, substeps, second] :
       {std::tuple{"dop853", 2, "dopri5"}, {"dopri5", 4, "radau"}, {"radau", 2, "dopri5"}}) {
    const Model model = Model::from_text(cart_with_arms(first, substeps, second));
    for (const double rtol : {1e-2, 1e-3, 1e-5, 1e-7})
      EXPECT_LT(apart(model, as_the_file_says(model, rtol, 1)), 100 * rtol)
          << first << " and " << second << " at " << rtol;
  }
}

TEST(Cut, MovesAsTheWhole) {
  const Model model = Model::from_text(bars + cut);
  ASSERT_TRUE(model.cut);
  EXPECT_EQ(model.cut->interface().size(), 2u);
  const double coarse = apart(model, as_the_file_says(model, 1e-6, 1)),
               fine = apart(model, as_the_file_says(model, 1e-9, 1));
  EXPECT_LT(coarse, 5e-4);
  EXPECT_LT(fine, 1e-6);
  EXPECT_LT(fine, coarse / 50);
}

TEST(Cut, OfTheFileMovesAsTheWhole) {
  const Model model = Model::from_file(std::string(DALEMBERT_MODELS) + "/crane-cut.toml");
  EXPECT_LT(apart(model, as_the_file_says(model, 1e-8, .5)), 1e-6);
}

TEST(Cut, GivesEachFieldItsMethodAndSubsteps) {
  const Model model = Model::from_text(bars + cut + "[run]\nstep = 0.02\nrtol = 1e-9\nend = 0.2\n");
  const Summary summary = run(model.problem(), resolve(model.run, *model.problem()).options);
  ASSERT_EQ(summary.outcome, Outcome::ok) << summary.message;
  ASSERT_EQ(summary.coupling.fields.size(), 2u);
  const FieldRecord &one = summary.coupling.fields[0], &two = summary.coupling.fields[1];
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.method, "dopri5");
  EXPECT_EQ(one.substeps, 3);
  EXPECT_EQ(two.name, "two");
  EXPECT_EQ(two.method, "rk4");
  EXPECT_EQ(two.substeps, 24);
  EXPECT_EQ(summary.coupling.windows.size(), 10u);
  // A substep of rk4 has 4 evaluations of the force, one of dopri5 has 6.
  EXPECT_GT(two.statistics.force_evaluations, 24 * 4 * summary.coupling.sweeps - 1);
  EXPECT_LT(one.statistics.force_evaluations, 24 * 4 * summary.coupling.sweeps);
}

TEST(Cut, IsTakenInOnePieceWhereAFormulationSaysSo) {
  const Model model = Model::from_text(bars + cut);
  RunSettings over;
  over.formulation = "index1";
  const ResolvedRun resolved = resolve(merge(over, model.run), *model.problem());
  EXPECT_TRUE(resolved.options.fields.empty());
  const Summary summary = run(model.problem(), resolved.options);
  EXPECT_EQ(summary.formulation, "index1");
  EXPECT_EQ(summary.outcome, Outcome::ok) << summary.message;
}

TEST(Cut, TakesTheOptionsOfItsIteration) {
  std::string text = bars + cut;
  text.replace(text.find("[\"elbow\"]"), 9, "[\"elbow\"]\nsweep = \"jacobi\"\nrelaxation = \"aitken\"");
  const Model model = Model::from_text(text);
  EXPECT_EQ(std::get<std::string>(model.run.options.at("sweep")), "jacobi");
  EXPECT_LT(apart(model, as_the_file_says(model, 1e-9, .5)), 1e-7);
}

/// Three fields, each named by one of its two links.
TEST(Cut, IntoThreeFieldsMovesAsTheWhole) {
  const std::string chain = R"(
space = "planar"
parameters = { n = 6, l = 0.3 }
[[repeat]]
count = "n"
body = [{ name = "link{i}", mass = 1, inertia = "l^2/12", position = ["(i+0.5)*l", 0] }]
joint = [{ name = "hinge{i}", kind = "revolute", bodies = ["link{i-1|ground}", "link{i}"], at = ["i*l", 0] }]
[cut]
joints = ["hinge2", "hinge4"]
[[field]]
name = "top"
bodies = ["link0"]
[[field]]
name = "middle"
bodies = ["link3"]
[[field]]
name = "end"
bodies = ["link5"]
)";
  const Model model = Model::from_text(chain);
  ASSERT_TRUE(model.cut);
  EXPECT_EQ(model.cut->fields()[0].q.size(), 6u);
  EXPECT_EQ(model.cut->fields()[1].q.size(), 6u);
  EXPECT_EQ(model.cut->fields()[2].q.size(), 6u);
  EXPECT_LT(apart(model, as_the_file_says(model, 1e-9, .3)), 1e-6);
}

/// A motor of a circuit turns the elbow: its current goes with the bodies that it pushes.
TEST(Cut, StatesGoWithTheBodiesThatTheyPush) {
  const std::string motor =
      nodes("a") + branch("U", "voltage-source", "nodes = ['a', 'ground']\nvoltage = 12") +
      branch(
          "M", "motor",
          "nodes = ['a', 'ground']\njoint = 'shoulder'\nconstant = 0.5\nresistance = 1\ninductance = 0.05");
  std::string swapped = cut;
  swapped.replace(swapped.find("\"upper\""), 7, "\"lower\"");
  swapped.replace(swapped.rfind("\"lower\""), 7, "\"upper\"");
  swapped.replace(swapped.find("[[field]]"), 0, "splitting = \"first\"\n");  // the upper bar has rows enough
  const Model model = Model::from_text(bars + swapped + motor);
  ASSERT_TRUE(model.cut);
  EXPECT_EQ(model.cut->fields()[0].s.size(), 0u);
  EXPECT_EQ(model.cut->fields()[1].s.size(), 1u);
  EXPECT_LT(apart(model, as_the_file_says(model, 1e-9, .5)), 1e-7);
}

/// A bumper that the lower bar meets: windows end where the law switches.
TEST(Cut, WindowsEndWhereALawSwitches) {
  const std::string bumper =
      "[[force]]\nname = 'bumper'\nkind = 'force'\nbody = 'lower'\nforce = [0, 'if(y < -0.8, -2e3*(y + 0.8), "
      "0)']\n";
  const Model model = Model::from_text(bars + bumper + cut);
  EXPECT_TRUE(model.cut->switches());
  EXPECT_LT(apart(model, as_the_file_says(model, 1e-9, 1)), 1e-6);
}

TEST(Cut, ReferencesAreComparedInFields) {
  const Model model = Model::from_text(
      bars + cut + "[[reference]]\nt = 0\nvalues = { \"q.upper.x\" = 0.5 }\n[run]\nend = 0.1\n");
  ASSERT_EQ(model.references.size(), 1u);
  EXPECT_TRUE(model.problem()->exact(0));
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Cut, IsRefusedWithThePlaceAndTheReason) {
  const auto with = [](const std::string& from, const std::string& to) {
    return complaint(changed(bars + cut, from, to));
  };
  EXPECT_EQ(with("joints = [\"elbow\"]", "joints = [\"elbw\"]"),
            "model.toml:25:11: unknown joint 'elbw'; did you mean 'elbow'?");
  EXPECT_EQ(
      with("joints = [\"elbow\"]", "joints = [\"elbow\", \"shoulder\"]"),
      "model.toml:25:20: joint 'shoulder' separates nothing: all its bodies are in field 'one'; name a joint "
      "between bodies of two fields");
  EXPECT_EQ(with("joints = [\"elbow\"]", "joints = [\"elbow\", \"elbow\"]"),
            "model.toml:25:20: joint 'elbow' is named twice; name it once");
  EXPECT_EQ(with("joints = [\"elbow\"]", "joints = [\"shoulder\"]"),
            "model.toml:33:11: body 'lower' is in field 'one' already: 'elbow' holds it to 'upper'; name a "
            "joint between "
            "them in [cut], or put both into one field");
  EXPECT_EQ(with("joints = [\"elbow\"]\n", "joints = []\n"),
            "model.toml:25:10: it names no joints; write joints = [\"...\"]");
  EXPECT_EQ(with("joints = [\"elbow\"]\n", "joint = [\"elbow\"]\n"),
            "model.toml:25:1: unknown key of cut 'joint'; did you mean 'joints'?");
  EXPECT_EQ(with("bodies = [\"lower\"]", "bodies = [\"lwer\"]"),
            "model.toml:33:11: unknown body 'lwer'; did you mean 'lower'?");
  EXPECT_EQ(with("bodies = [\"lower\"]", "bodies = [\"lower\", \"ground\"]"),
            "model.toml:33:20: the ground is in no field; it does not move; leave it out");
  EXPECT_EQ(with("rk4", "rk44").substr(0, 27), "model.toml:34:10: unknown m");
  EXPECT_EQ(with("substeps = 24", "substeps = 2.5"),
            "model.toml:35:12: substeps is 2.5; it must be a whole number from 1 to 100000");
  EXPECT_EQ(with("name = \"two\"", "name = \"one\""),
            "model.toml:32:8: there are two fields of the name 'one'; give another name");
  EXPECT_EQ(complaint(bars + "[cut]\njoints = ['elbow']\n[[field]]\nname = 'one'\nbodies = ['upper']\n"),
            "model.toml:23:1: body 'lower' is in no field; add one of each group that joints hold together "
            "to the bodies "
            "of a field");
  EXPECT_EQ(complaint(bars + "[cut]\njoints = ['elbow']\n"),
            "model.toml:23:2: there is a cut, but no fields; add [[field]], once for each part");
  EXPECT_EQ(complaint(bars + cut.substr(cut.find("[[field]]"))),
            "model.toml:23:3: there are fields, but no cut between them; add [cut] with joints = [\"...\"]");
  EXPECT_EQ(complaint(bars + cut + "[run]\nmethod = 'radau'\n"),
            "model.toml:37:10: method is given, but the mechanism is cut into fields; leave it out; each "
            "[[field]] has its "
            "method");
  EXPECT_EQ(with("joints = [\"elbow\"]", "joints = [\"elbow\"]\nsplitting = \"lest\""),
            "model.toml:26:13: unknown splitting 'lest'; did you mean 'last'?");
}

/// The upper bar has three coordinates, and would have four rows: the run says so, and what would do.
TEST(Cut, ThatAFieldCannotBearEndsWithTheReason) {
  std::string text = bars + cut;
  text.replace(text.find("[[field]]"), 0, "splitting = \"first\"\n");
  const Model model = Model::from_text(text);
  const Summary summary = run(model.problem(), resolve(model.run, *model.problem()).options);
  EXPECT_EQ(summary.outcome, Outcome::singular);
  EXPECT_NE(
      summary.message.find("field 'one' alone, with the interface rows that are imposed on it, is singular"),
      std::string::npos)
      << summary.message;
  EXPECT_NE(summary.message.find("splitting=last"), std::string::npos) << summary.message;
}

/// Friction that sticks changes the equations at events, which no field may.
TEST(Cut, OfWhatSticksAndSlipsIsRefused) {
  const std::string text = complaint(
      bars + "[[force]]\nname = 'dry'\nkind = 'stick-slip'\njoint = 'shoulder'\nmost = 1\nsliding = 0.8\n" +
      cut);
  EXPECT_NE(text.find("a problem with events cannot be cut into fields"), std::string::npos) << text;
}

/// With relaxation fields may creep towards each other: each iterate hardly differs from the last one, and is still far from the end. The
/// gap between them was taken for an error of the window, which no shorter one made smaller.
TEST(Cut, FieldsThatCreepTowardsEachOtherGoOn) {
  const std::string arm = R"toml(
space = "planar"
[[body]]
name = "upper"
mass = 2
inertia = 0.18
position = [0.23, -0.48]
angle = -1.12
[[joint]]
name = "shoulder"
kind = "revolute"
bodies = ["ground", "upper"]
at = [0, 0]
[[force]]
kind = "torsion-spring"
joint = "shoulder"
stiffness = 40
[[body]]
name = "lower"
mass = 2
inertia = 0.15
position = [0.8, -1]
[[joint]]
name = "elbow"
kind = "revolute"
bodies = ["upper", "lower"]
at = [0.46, -0.96]
)toml";
  const std::string halves = R"toml(
[cut]
joints = ["elbow"]
relaxation = "aitken"
[[field]]
name = "one"
bodies = ["upper"]
method = "dop853"
substeps = 20
[[field]]
name = "two"
bodies = ["lower"]
method = "dop853"
substeps = 6
)toml";
  const Model whole = Model::from_text(arm), cut_up = Model::from_text(arm + halves);
  for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6}) {
    RunOptions options = resolve(cut_up.run, *cut_up.problem()).options;
    options.tolerance = {rtol, rtol};
    options.end = 1;
    const Summary summary = run(cut_up.problem(), options);
    ASSERT_EQ(summary.outcome, Outcome::ok) << rtol << ": " << summary.message;
    options = {};
    options.tolerance = {1e-10, 1e-10};
    options.end = 1;
    const Summary truth = run(whole.problem(), options);
    EXPECT_LT(largest(summary.state.y.head(12) - truth.state.y.head(12)), 50 * rtol) << rtol;
  }
}

}  // namespace
}  // namespace dalembert
