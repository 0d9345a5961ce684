// Which values does a sweep take: all that were asked for, the same for the same seed, and none that was not?
#include "dalembert/sweep/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "dalembert/core/error.h"

namespace dalembert {
namespace {

TEST(Design, RangesHaveBothEnds) {
  const Variation even = read_variation("rod=0.3:0.6:4");
  ASSERT_EQ(even.values.size(), 4U);
  EXPECT_EQ(even.values.front(), 0.3);
  EXPECT_EQ(even.values.back(), 0.6);
  EXPECT_NEAR(even.values[1], 0.4, 1e-15);
  const Variation ratio = read_variation("k=1:1000:4:log");
  EXPECT_NEAR(ratio.values[2], 100, 1e-10);
  EXPECT_EQ(read_variation("load=1,2,5").values, (std::vector<double>{1, 2, 5}));
  EXPECT_TRUE(read_variation("rod=0.3:0.6").values.empty());
  EXPECT_EQ(read_variation("n=4:9:1").values, std::vector<double>{4});
}

TEST(Design, MisspeltVariationsAreRefused) {
  for (const char* text : {"rod", "=1:2:3", "rod=", "rod=a:2:3", "rod=1:2:0", "rod=1:2:2.5", "rod=1:2:3:4",
                           "rod=-1:2:3:log", "rod=1,,2", "rod=1:nan:3", "rod=0:1:1e300"})
    EXPECT_THROW(read_variation(text), Error) << text;
}

TEST(Design, AGridHasEveryCombinationOnce) {
  const Design design = grid({read_variation("a=1,2"), read_variation("b=10:30:3")});
  EXPECT_EQ(design.names, (std::vector<std::string>{"a", "b"}));
  const std::vector<std::vector<double>> all = {{1, 10}, {1, 20}, {1, 30}, {2, 10}, {2, 20}, {2, 30}};
  EXPECT_EQ(design.cases, all);
  EXPECT_EQ(design.values(4).at("b"), 20);
  EXPECT_THROW(grid({read_variation("a=1:2")}), Error);
  EXPECT_THROW(grid({}), Error);
  EXPECT_THROW(grid({read_variation("a=1,2"), read_variation("a=3,4")}), Error);
  EXPECT_THROW(grid({read_variation("a=0:1:10000"), read_variation("b=0:1:10000")}), Error);
}

TEST(Design, TheSeedDecides) {
  const std::vector<Variation> both = {read_variation("a=0:1"), read_variation("b=1:100:log")};
  EXPECT_EQ(at_random(both, 20, 7).cases, at_random(both, 20, 7).cases);
  EXPECT_NE(at_random(both, 20, 7).cases, at_random(both, 20, 8).cases);
  for (const auto& values : at_random(both, 1000, 3).cases) {
    EXPECT_TRUE(values[0] >= 0 && values[0] < 1);
    EXPECT_TRUE(values[1] >= 1 && values[1] < 100);
  }
  // The first draw of the standard's generator with seed 1: the same on every machine.
  EXPECT_EQ(at_random({read_variation("a=0:1")}, 1, 1).cases[0][0],
            static_cast<double>(2469588189546311528ULL >> 11) * 0x1p-53);
}

TEST(Design, ALatinHypercubeMeetsEachPieceOnce) {
  const Design design = latin_hypercube({read_variation("a=0:1"), read_variation("b=0:1")}, 50, 1);
  for (std::size_t parameter : {0U, 1U}) {
    std::vector<int> pieces;
    for (const auto& values : design.cases)
      pieces.push_back(static_cast<int>(std::floor(values[parameter] * 50)));
    std::sort(pieces.begin(), pieces.end());
    for (int k = 0; k < 50; ++k) EXPECT_EQ(pieces[static_cast<std::size_t>(k)], k);
  }
}

TEST(Design, FilesAreReadWithTheLineOfAMistake) {
  const auto path = std::filesystem::temp_directory_path() / "dalembert_design_test.csv";
  const auto write = [&](const char* text) { std::ofstream(path) << text; };
  write("a,b\n1,2\r\n3,4\n");
  EXPECT_EQ(design_from_csv(path).cases, (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  write("a,b\n1,2\n3\n");
  try {
    design_from_csv(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.sentence().find(":3:"), std::string::npos) << error.sentence();
  }
  for (const char* text : {"", "a,b\n", "a,a\n1,2\n", "a\nx\n"}) {
    write(text);
    EXPECT_THROW(design_from_csv(path), Error) << text;
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dalembert
