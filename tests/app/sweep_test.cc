// Sweeps on the command line: files that can be gone on with, pictures, and what is refused.
#include <fstream>

#include "tests/support/program.h"

namespace dalembert {
namespace {

using CliSweep = Program;

TEST_F(CliSweep, WritesALineForEachRun) {
  const std::string out_file = file("length.csv");
  ASSERT_EQ(
      call("sweep pendulum --vary l=0.5,1,2 --result 'max(lambda.bar),q.x' --rtol 1e-8 --out " + out_file), 0)
      << err;
  const std::string text = content(out_file);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "case,l,max(lambda.bar) [N/m],end(q.x) [m],outcome,steps,message");
  EXPECT_NE(text.find("\n1,0.5,"), std::string::npos) << text;
  EXPECT_NE(text.find("\n3,2,"), std::string::npos) << text;
  EXPECT_NE(out.find("3 of 3"), std::string::npos) << out;
}

TEST_F(CliSweep, GoesOnWithAFileThatWasCutOff) {
  const std::string whole = file("whole.csv"), part = file("part.csv");
  const std::string sweep = "sweep pendulum --latin 12 --vary l=0.5:2 --vary m=1:3 --quiet --out ";
  ASSERT_EQ(call(sweep + whole), 0) << err;
  const std::string text = content(whole);
  std::size_t end = 0;
  for (int line = 0; line < 6; ++line) end = text.find('\n', end) + 1;
  std::ofstream(part) << text.substr(0, end + 7);  // in the middle of a line
  ASSERT_EQ(call(sweep + part + " --resume"), 0) << err;
  EXPECT_EQ(content(part), text);
  // Of another sweep nothing is kept, and nothing lost.
  EXPECT_EQ(
      call("sweep pendulum --latin 12 --seed 2 --vary l=0.5:2 --vary m=1:3 --quiet --resume --out " + part),
      2);
  EXPECT_NE(err.find(":2:1: this line is not of the same sweep"), std::string::npos) << err;
  EXPECT_EQ(content(part), text);
}

// Lines say what was varied, not how it was run: one of them is made again.
TEST_F(CliSweep, LinesOfAnotherCallAreNotKept) {
  for (const std::string suffix : {".csv", ".h5"}) {
    const std::string mine = file("mine" + suffix),
                      sweep = "sweep pendulum --vary l=0.5:2:4 --quiet --out " + mine;
    ASSERT_EQ(call(sweep + " --end 1"), 0) << err;
    const std::string before = content(mine);
    EXPECT_EQ(call(sweep + " --end 2 --resume"), 2) << suffix;
    EXPECT_NE(err.find("case 1 of '" + mine + "' comes out otherwise with this call"), std::string::npos)
        << err;
    EXPECT_EQ(call(sweep + " --end 1 --rtol 1e-9 --resume"), 2) << suffix;
    EXPECT_EQ(content(mine), before) << "nothing is lost";
    EXPECT_EQ(call(sweep + " --end 1 --resume"), 0) << err;
  }
}

TEST_F(CliSweep, CasesMayComeFromASpreadsheet) {
  const Json runs = json("sweep pendulum --end 1 --cases " +
                         write("cases.csv", "\xef\xbb\xbfl,m\r\n1,2\r\n2,1\r\n"))["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1]["parameters"]["l"], 2);
}

TEST_F(CliSweep, DrawsCurvesAndFields) {
  const std::string curves = file("curves.svg"), fields = file("fields.svg");
  ASSERT_EQ(call("sweep pendulum --vary l=0.5:2:5 --plot " + curves), 0) << err;
  EXPECT_TRUE(printed("written      " + curves)) << out;
  EXPECT_NE(content(curves).find("end(q.x) [m]"), std::string::npos);
  ASSERT_EQ(
      call("sweep pendulum --vary l=0.5:2:5 --vary g=1:10:4 --result 'max(v.y'\"'\"')' --plot " + fields), 0)
      << err;
  const std::string svg = content(fields);
  EXPECT_NE(svg.find(">g</text>"), std::string::npos) << svg.substr(0, 400);
}

TEST_F(CliSweep, ProgramsReadRowsAndFailures) {
  const Json all = json("sweep pendulum --vary l=-1,1");
  EXPECT_EQ(all["runs"][0]["outcome"], "refused");
  EXPECT_TRUE(all["runs"][0]["values"]["end(q.x)"].is_null());
  EXPECT_EQ(all["runs"][1]["outcome"], "ok");
  EXPECT_EQ(all["runs"][1]["parameters"]["l"], 1);
  EXPECT_EQ(call("sweep pendulum --vary l=-1,-2"), 1);  // none was good
}

// The file's own end may depend on what is varied.
TEST_F(CliSweep, EachModelHasItsOwnEnd) {
  const std::string model = file("timed.toml");
  std::ofstream(model) << R"(
space = "planar"
[parameters]
T = 1
[run]
end = "T"
[[body]]
name = "m"
mass = 1
inertia = 1
[[joint]]
name = "pin"
kind = "revolute"
bodies = ["ground", "m"]
at = [0, 0]
[[force]]
kind = "torque"
body = "m"
torque = 2
)";
  const Json all = json("sweep " + model + " --vary T=1,3 --result q.m.angle --rtol 1e-9");
  EXPECT_NEAR(all["runs"][0]["values"]["end(q.m.angle)"].get<double>(), 1, 1e-8);
  EXPECT_NEAR(all["runs"][1]["values"]["end(q.m.angle)"].get<double>(), 9, 1e-8);
}

TEST_F(CliSweep, MistakesAreSaid) {
  EXPECT_EQ(call("sweep pendulum"), 2);
  EXPECT_EQ(call("sweep pendulum --vary ll=1,2"), 2);
  EXPECT_NE(err.find("did you mean 'l'"), std::string::npos) << err;
  EXPECT_EQ(call("sweep pendulum --vary l=1,2 --set l=3"), 2);
  EXPECT_EQ(call("sweep pendulum --vary l=1:2"), 2);
  EXPECT_EQ(call("sweep pendulum --vary l=1:2 --random 3 --latin 3"), 2);
  EXPECT_EQ(call("sweep pendulum --vary l=1,2 --resume"), 2);
  EXPECT_EQ(call("sweep pendulum --vary l=1,2 --result nothing"), 2);
  EXPECT_EQ(call("sweep pendulum --vary l=1,2 --out x.txt"), 2);
  EXPECT_NE(err.find("end the name in .csv or .h5"), std::string::npos) << err;
}

}  // namespace
}  // namespace dalembert
