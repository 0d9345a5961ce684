// fit and minimize on the command line: known parameters and minima are found, files are written, and mistakes have a place.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/program.h"

namespace dalembert {
namespace {

class CliFit : public Program {
 protected:
  const std::string models = DALEMBERT_MODELS;
  const std::string drop = models + "/fit/drop-test.toml --data " + models + "/fit/drop-test.csv ";

  static double value(const Json& found, const std::string& name) {
    for (const auto& p : found["parameters"])
      if (p["name"] == name) return p["value"];
    ADD_FAILURE() << "no " << name;
    return 0;
  }
};

// The data were made with k = 23500 and d = 1720, and noise.
TEST_F(CliFit, FindsTheStrutOfTheDropTest) {
  const Json found = json("fit " + drop + "--vary k=5e3:1e5:log --vary d=100:5000");
  EXPECT_EQ(found["ending"], "converged");
  EXPECT_NEAR(value(found, "k"), 23500, 3 * found["parameters"][0]["error"].get<double>());
  EXPECT_NEAR(value(found, "d"), 1720, 3 * found["parameters"][1]["error"].get<double>());
  EXPECT_NEAR(found["columns"][0]["deviation"], 0.001, 2e-4);
  EXPECT_NEAR(found["columns"][1]["deviation"], 0.0005, 1e-4);
  EXPECT_EQ(found["columns"][1]["fitted"].size(), found["t"].size());
  EXPECT_LT(found["derivatives"]["known_to"], 1e-4);
}

TEST_F(CliFit, WritesValuesThatSweepReadsAndAPicture) {
  const std::string csv = file("found.csv"), svg = file("fit.svg");
  ASSERT_EQ(call("fit " + drop + "--vary k=5e3:1e5 --vary d=100:5000 --out " + csv + " --plot " + svg), 0)
      << err;
  for (const char* words : {"converged", "standard error", "correlation", "central differences", "ride.y"})
    EXPECT_NE(out.find(words), std::string::npos) << words << " in:\n" << out;
  EXPECT_EQ(lines(content(csv))[0], "k,d");
  EXPECT_NE(content(svg).find("fitted"), std::string::npos);
  EXPECT_EQ(call("sweep " + models + "/fit/drop-test.toml --cases " + csv + " --result ride.y"), 0) << err;
}

// The answer is the same on one thread and on three, to the last digit.
TEST_F(CliFit, DoesNotDependOnThreads) {
  const std::string fit = "fit " + drop + "--vary k=5e3:1e5 --vary d=100:5000 --starts 3 --quiet --threads ";
  ASSERT_EQ(call(fit + "1 --out " + file("one.csv")), 0) << err;
  ASSERT_EQ(call(fit + "3 --out " + file("three.csv")), 0) << err;
  EXPECT_EQ(content(file("one.csv")), content(file("three.csv")));
}

TEST_F(CliFit, SaysWhatIsNotDeterminedAndWhichBoundsAreActive) {
  // From a curve over time of one mass on one spring alone, masses and forces are known up to a factor.
  EXPECT_EQ(call("fit " + drop +
                 "--vary k=5e3:1e5 --vary sprung=100:600 --vary unsprung=10:80 --vary "
                 "d=100:5000 --vary k_tyre=5e4:5e5 --vary d_tyre=0:1000"),
            1);
  EXPECT_NE(out.find("undetermined k, sprung, unsprung, d, k_tyre, d_tyre"), std::string::npos) << out;
  const Json held = json("fit " + drop + "--vary k=5e3:1e5 --vary d=100:1500");
  EXPECT_EQ(held["parameters"][1]["bound"], "upper");
  EXPECT_EQ(value(held, "d"), 1500);
}

// A linkage whose lengths are forgotten, and found from where its coupler point was: Hoeken's proportions, 1 to 2 to 2.5 to 5.
TEST_F(CliFit, FindsALinkageFromItsCouplerCurve) {
  const std::string linkage = models + "/fit/straight-line.toml ";
  ASSERT_EQ(call("run " + linkage + "--output 24 --rtol 1e-10 --out " + file("all.csv")), 0) << err;
  std::string data;
  for (const auto& line : lines(content(file("all.csv")))) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    data += cells[0] + "," + cells[cells.size() - 2] + "," + cells.back() + "\n";
  }
  const Json found = json("fit " + linkage + "--data " + write("pen.csv", data) +
                          " --vary b=1.5:4 --vary c=1.5:4 --vary d=1.2:3 --vary p=3:8 --set b=3 --set c=2.8 "
                          "--set d=2.4 --set p=6");
  EXPECT_EQ(found["ending"], "converged");
  EXPECT_NEAR(value(found, "b"), 2.5, 1e-6);
  EXPECT_NEAR(value(found, "c"), 2.5, 1e-6);
  EXPECT_NEAR(value(found, "d"), 2, 1e-6);
  EXPECT_NEAR(value(found, "p"), 5, 1e-6);
}

// A straight line at constant speed cannot be met: what is found is nearer to it than Hoeken's proportions are.
TEST_F(CliFit, ComesNearerToAStraightLineThanHoeken) {
  const Json found = json("fit " + models + "/fit/straight-line.toml --data " + models +
                          "/fit/straight-line.csv --vary b=1.5:4 --vary c=1.5:4 --vary d=1.2:3 --vary p=3:8 "
                          "--scale pen.x=1 --scale pen.y=1");
  EXPECT_EQ(found["ending"], "converged");
  EXPECT_LT(found["deviation"].get<double>(), 0.8 * found["start_deviation"].get<double>());
}

TEST_F(CliFit, RefusesWithPlaceAndReason) {
  const std::string fit = "fit " + models + "/fit/drop-test.toml ";
  const auto refused_at = [&](const std::string& text, const std::string& place, const std::string& said) {
    const std::string data = write("wrong.csv", text);
    EXPECT_EQ(call(fit + "--vary k=1e3:1e5 --data " + data), 2);
    EXPECT_EQ(out, "");
    EXPECT_EQ(err.rfind(data + ":" + place + ": ", 0), 0U) << err;
    EXPECT_NE(err.find(said), std::string::npos) << err;
  };
  refused_at("t,rid.y\n0,1\n", "1:3", "did you mean 'ride.y'?");
  refused_at("t,ride.y\n0,1\n0.1,much\n", "3:5", "'much' is not a number");
  refused(fit + "--vary k=1e3:1e5", {"--data"});
  refused("fit " + drop, {"no parameter is sought"});
  refused("fit " + drop + "--vary kk=1:2", {"kk"});
  refused("fit " + drop + "--vary k=2:1", {"range"});
  refused("fit " + drop + "--vary k=1,2,3", {"range"});
  refused("fit " + drop + "--vary k=1e3:1e5 --set k=1", {"outside"});
  refused("fit " + drop + "--vary k=1e3:1e5 --scale rode=1", {"rode"});
  refused("fit " + drop + "--vary k=1e3:1e5 --out " + models + "/fit/drop-test.csv", {"drop-test.csv"});
}

class CliMinimize : public CliFit {
 protected:
  void SetUp() override {
#ifndef DALEMBERT_HAS_NLOPT
    GTEST_SKIP() << "built without NLopt";
#endif
  }
  /// A mass flies into a spring: it comes to rest after x = v sqrt(m/k), where the force is v sqrt(k m).
  const std::string buffer = write("buffer.toml", R"toml(
space = "planar"
gravity = [0, 0]
[parameters]
k = 100
m = 2
v = 3
[[body]]
name = "block"
kind = "point"
mass = "m"
position = [1, 0]
velocity = ["-v", 0]
[[joint]]
name = "rail"
kind = "slot"
bodies = ["ground", "block"]
at = [1, 0]
along = [1, 0]
[[body]]
name = "wall"
mass = 1
inertia = 1
position = [-9, 0]
[[joint]]
name = "bolt"
kind = "fixed"
bodies = ["ground", "wall"]
at = [-9, 0]
[[force]]
name = "spring"
kind = "spring"
from = { body = "wall", at = [-9, 0] }
to = { body = "block", at = [1, 0] }
stiffness = "k"
length = 10
[[watch]]
name = "place"
point = { body = "block", at = [1, 0] }
[[watch]]
name = "travel"
expression = "1 - place.x"
unit = "m"
[[watch]]
name = "force"
reaction = "bolt"
[run]
end = 1
)toml");
};

// The least force that stops it within 0.5 m: k = m v^2/x^2 = 72, F = m v^2/x = 36; the same if it is to use all of them.
TEST_F(CliMinimize, FindsTheSpringOfLeastForceWithinATravel) {
  for (const std::string algorithm : {"cobyla", "slsqp"})
    for (const std::string constraint : {"max(travel)<0.5", "max(travel)=0.5"}) {
      const Json found =
          json("minimize " + buffer + " --vary k=20:500 --objective 'max(force.norm)' --constraint '" +
               constraint + "' --algorithm " + algorithm);
      EXPECT_EQ(found["ending"], "converged") << algorithm << constraint;
      EXPECT_NEAR(value(found, "k"), 72, 2e-3) << algorithm << constraint;
      EXPECT_NEAR(found["objective"]["value"], 36, 1e-3) << algorithm << constraint;
      EXPECT_NEAR(found["constraints"][0]["value"], 0.5, 1e-5) << algorithm << constraint;
    }
}

// A pendulum that falls from the horizontal is at the bottom after K(sin 45 deg) sqrt(l/g).
TEST_F(CliMinimize, FindsTheLengthOfAGivenPeriod) {
  const double l = std::pow(2 / 1.8540746773013719, 2);
  for (const char* algorithm : {"cobyla", "slsqp", "bobyqa", "sbplx"}) {
    const Json found =
        json(std::string("minimize pendulum --end 2 --vary l=0.8:2 --objective 'end(q.x)=0' --algorithm ") +
                 algorithm,
             0);
    EXPECT_EQ(found["ending"], "converged") << algorithm;
    EXPECT_NEAR(value(found, "l"), l, 1e-5) << algorithm;
  }
}

// Stiffer is worse all the way: the least one is at the end of the range. What is to be largest is at the other end.
TEST_F(CliMinimize, SaysWhichBoundIsActive) {
  const Json least = json("minimize " + buffer + " --vary k=20:500 --objective 'max(force.norm)'");
  EXPECT_EQ(least["parameters"][0]["bound"], "lower");
  EXPECT_NEAR(least["objective"]["value"], 3 * std::sqrt(2 * 20.), 1e-5);
  const Json most = json("minimize " + buffer + " --vary k=20:500 --objective '-max(force.norm)'");
  EXPECT_EQ(most["parameters"][0]["bound"], "upper");
  EXPECT_NEAR(most["objective"]["value"], 3 * std::sqrt(2 * 500.), 1e-4);
}

TEST_F(CliMinimize, EndingsAreHonest) {
  // No spring of the range stops it so soon.
  const Json none = json(
      "minimize " + buffer + " --vary k=20:500 --objective 'max(force.norm)' --constraint 'max(travel)<0.1'",
      1);
  EXPECT_EQ(none["ending"], "infeasible");
  EXPECT_NEAR(value(none, "k"), 500, 0.1);
  EXPECT_NE(
      none["message"].get<std::string>().find("max(travel) is 0.189737 m where max(travel)<0.1 is asked for"),
      std::string::npos)
      << none["message"];
  EXPECT_FALSE(none["constraints"][0]["holds"]);
  const Json few = json("minimize " + buffer + " --vary k=20:500 --objective 'max(force.norm)' --runs 4", 1);
  EXPECT_EQ(few["ending"], "too_many_runs");
  // The mass of a pendulum changes nothing, and an event that is unknown never happens.
  const Json idle = json("minimize pendulum --end 2 --vary l=0.8:2 --vary m=1:2 --objective 'end(q.x)=0'", 1);
  EXPECT_FALSE(idle["parameters"][1]["determined"]);
  EXPECT_TRUE(idle["parameters"][0]["determined"]);
  const Json never = json("minimize pendulum --vary l=1:2 --objective 'time(never)'", 1);
  EXPECT_EQ(never["ending"], "nothing");
  EXPECT_EQ(never["ended_early"][0]["message"], "time(never) has no value in this run");
  // Lengths that are not positive make no pendulum: these runs are counted.
  const Json some =
      json("minimize pendulum --end 2 --vary l=-4:2 --set l=1 --objective 'end(q.x)=0' --starts 6");
  EXPECT_GT(some["ended_early"].size(), 0U);
  EXPECT_NEAR(some["objective"]["value"], 0, 1e-5);
}

// What cannot be is found out and said, with what is nearest to it, by every algorithm: conditions that contradict each other, and one that no spring meets.
TEST_F(CliMinimize, SaysWhichConstraintsCannotBeMet) {
  for (const std::string algorithm : {"cobyla", "slsqp"}) {
    const std::string minimize =
        "minimize " + buffer + " --vary k=20:500 --objective 'max(force.norm)' --algorithm " + algorithm;
    const Json both = json(minimize + " --constraint 'max(travel)<0.3' --constraint 'max(travel)>0.6'", 1);
    EXPECT_EQ(both["ending"], "infeasible") << algorithm;
    EXPECT_LT(both["runs"], 1000) << algorithm;
    // as far from both, each in parts of its bound: (x - 0.3)/0.3 = (0.6 - x)/0.6
    EXPECT_NEAR(both["constraints"][0]["value"], 0.4, 1e-4) << algorithm;
    const std::string said = both["message"];
    EXPECT_NE(said.find("max(travel) is 0.4 m where max(travel)<0.3 is asked for, max(travel) is 0.4 m where "
                        "max(travel)>0.6"),
              std::string::npos)
        << said;
    const Json none = json(minimize + " --constraint 'max(travel)=0.05'", 1);
    EXPECT_EQ(none["ending"], "infeasible") << algorithm;
    EXPECT_NEAR(none["constraints"][0]["value"], 0.1897367, 1e-5) << algorithm;  // v sqrt(m/500)
    EXPECT_LT(none["runs"], 1000) << algorithm;
  }
  ASSERT_EQ(call("minimize " + buffer +
                 " --vary k=20:500 --objective 'max(force.norm)' --constraint 'max(travel)<0.1'"),
            1);
  EXPECT_NE(out.find("constraint   max(travel)<0.1: 0.18973666 m, which does not hold"), std::string::npos)
      << out;
}

// Two peaks of the force are equally high along a valley with a kink, in which linear and quadratic models come to rest: the least value is that
// of all algorithms, and not above any of a grid.
TEST_F(CliMinimize, DoesNotRestInAValleyWithAKink) {
  const std::string bar = models + "/four-bar.toml --end 1 ",
                    ranges = "--vary d=0.53:0.56 --vary c=0.37:0.43 ";
  double least = 1e300;
  for (const auto& run : json(
           "sweep " + bar + "--vary d=0.53:0.56:7 --vary c=0.37:0.43:7 --result 'max(bearing.norm)'")["runs"])
    least = std::min(least, run["values"]["max(bearing.norm)"].get<double>());
  for (const char* algorithm : {"cobyla", "bobyqa"}) {
    const Json found =
        json("minimize " + bar + ranges +
             "--set d=0.54 --set c=0.42 --objective 'max(bearing.norm)' --algorithm " + algorithm);
    EXPECT_EQ(found["ending"], "converged") << algorithm;
    EXPECT_LT(found["objective"]["value"], least) << algorithm;
    EXPECT_NEAR(found["objective"]["value"], 167.4521, 2e-3) << algorithm;
  }
}

TEST_F(CliMinimize, SearchesFromSeveralStartsDoNotDependOnThreads) {
  const std::string minimize = "minimize " + models +
                               "/four-bar.toml --end 0.5 --vary d=0.45:0.55 --vary c=0.38:0.45 --objective "
                               "'max(bearing.norm)' --starts 3 --runs 60 --quiet --threads ";
  const int one = call(minimize + "1 --out " + file("one.csv"));
  EXPECT_EQ(call(minimize + "3 --out " + file("three.csv")), one);
  EXPECT_EQ(content(file("one.csv")), content(file("three.csv")));
  EXPECT_EQ(lines(content(file("one.csv")))[0], "d,c");
}

TEST_F(CliMinimize, RefusesWhatCannotBeMeant) {
  const std::string minimize = "minimize " + buffer + " --vary k=20:500 ";
  refused(minimize, {"--objective"});
  refused(minimize + "--objective 'max(forse.norm)'", {"forse.norm", "force.norm"});
  refused(minimize + "--objective 'max(travel)<3'", {"constraint"});
  refused(minimize + "--objective 'max(force.norm)' --constraint 'max(travel)'", {"<"});
  refused(minimize + "--objective 'max(force.norm)' --constraint 'max(travel)<x'", {"number"});
  refused(minimize + "--objective 'max(force.norm)' --algorithm newton", {"newton"});
  refused(minimize + "--objective 'max(force.norm)' --constraint 'max(travel)<1' --algorithm bobyqa",
          {"bobyqa", "cobyla"});
}

}  // namespace
}  // namespace dalembert
