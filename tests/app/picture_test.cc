// Pictures of runs and comparisons: are they written, do they show what is named, and what is refused?
#include <set>

#include "tests/support/program.h"

namespace dalembert {
namespace {

class Picture : public Program {
 protected:
  std::string drawn(const std::string& arguments) {
    EXPECT_EQ(call(arguments + " --plot " + file("a.svg")), 0) << err;
    return content(file("a.svg"));
  }
  static std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t n = 0;
    for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++n;
    return n;
  }
  const std::string crank = DALEMBERT_MODELS "/slider-crank.toml";
};

TEST_F(Picture, PositionsAndWatchesUnlessOthersAreNamed) {
  const std::string svg = drawn("run " + crank + " --end 0.2");
  EXPECT_NE(svg.find(">q."), std::string::npos);
  EXPECT_EQ(svg.find(">v."), std::string::npos);
  EXPECT_NE(svg.find(">t [s]<"), std::string::npos);
  EXPECT_TRUE(printed("written      " + file("a.svg"))) << out;
}

TEST_F(Picture, WhatIsNamedIsDrawn) {
  const std::string svg = drawn("run pendulum --of q.x,v,q.x:q.y,step,order,drift");
  for (const char* text : {">v.x'<", ">length of the step [s]<", ">order of the error estimate<",
                           ">drift of the constraints<", ">velocities<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  EXPECT_EQ(count(svg, ">q.x [m]<"), 2u) << "over time, and below the other one";
  EXPECT_EQ(count(svg, ">t [s]<"), 5u) << "lengths, velocities, steps, orders, drift";
}

TEST_F(Picture, NamesAreCheckedBeforeTheRun) {
  const std::string to = " --plot " + file("b.svg");
  refused("run pendulum --of q.z" + to, {"'q.z'", "did you mean"});
  refused("run pendulum --of q:v" + to, {"'q:v'", "one number on each side"});
  refused("run pendulum --of q.x", {"--of", "--plot FILE.svg"});
  refused("run pendulum --plot b.pdf", {"'.pdf' are not written", ".svg"});
  refused("run " + crank + " --plot " + crank, {"are not written"});
  EXPECT_FALSE(std::filesystem::exists(file("b.svg")));
}

TEST_F(Picture, JumpsAreGaps) {
  const std::string svg = drawn("run violin --of q");
  EXPECT_GE(count(svg, "stroke-width='1.6'"), 3u);
}

#ifdef DALEMBERT_HAS_CAIRO
TEST_F(Picture, PngIsDrawnToo) {
  ASSERT_EQ(call("run pendulum --plot " + file("a.png")), 0) << err;
  const std::string png = content(file("a.png"));
  EXPECT_EQ(png.substr(1, 3), "PNG");
  EXPECT_GT(png.size(), 5000u);
  ASSERT_EQ(call("compare pendulum --quiet --rtol 1e-4,1e-6 --method dopri5,bdf --plot " + file("c.png")), 0);
  EXPECT_EQ(content(file("c.png")).substr(1, 3), "PNG");
  std::filesystem::create_symlink("/dev/full", file("full.png"));
  EXPECT_EQ(call("run pendulum --plot " + file("full.png")), 1);
  EXPECT_NE(err.find("cannot write '" + file("full.png")), std::string::npos) << err;
  EXPECT_FALSE(printed("written"));
}
#else
TEST_F(Picture, PngIsRefusedWithoutItsLibrary) {
  refused("run pendulum --plot a.png", {"built without cairo", "end the name in .svg"});
}
#endif

TEST_F(Picture, ComparisonsShowTwelvePairsAndCountTheRest) {
  const std::string svg = drawn("compare pendulum --quiet --rtol 1e-3,1e-5 --method dopri5,dop853,radau");
  EXPECT_NE(svg.find(" others<"), std::string::npos);
  EXPECT_NE(svg.find(">evaluations<"), std::string::npos);
  EXPECT_NE(svg.find(">index1 dop853<"), std::string::npos) << "the cheapest are told apart";
  const std::string few = "compare pendulum --quiet --rtol 1e-3 --method dopri5 --formulation index1";
  EXPECT_NE(drawn(few + " --cost steps").find(">steps<"), std::string::npos);
  EXPECT_NE(drawn(few + " --cost time").find(">shortest time of several runs [s]<"), std::string::npos);
}

}  // namespace
}  // namespace dalembert
