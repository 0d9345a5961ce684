// Which values parameters take in which run of a sweep: all combinations, drawn at random, or listed in a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/control/solver.h"

namespace dalembert {

/// A parameter that is varied: the values that it takes, or the range that they are drawn from.
struct Variation {
  enum class Spacing { even, logarithmic };

  std::string name;
  std::vector<double> values{};  ///< empty: a range
  double low = 0, high = 0;      ///< of a range
  Spacing spacing = Spacing::even;
};

/// "rod=0.3:0.6:31" (31 values, both ends among them), "k=1:1000:4:log", "load=1,2,5" or, to draw from, "rod=0.3:0.6" and
/// "k=1:1000:log". Throws Error.
Variation read_variation(const std::string& text);

/// One set of values for each run.
struct Design {
  std::vector<std::string> names;
  std::vector<std::vector<double>> cases;  ///< in the order of the names

  Values values(std::size_t number) const;
};

/// Every value with every other; the last parameter changes fastest. Throws Error for a range without a number of values, and for
/// more than most_cases.
Design grid(const std::vector<Variation>&);
/// Independent draws. The same seed gives the same values on every machine.
Design at_random(const std::vector<Variation>&, std::size_t count, std::uint64_t seed);
/// Latin hypercube [McKay1979]: each range is cut into as many pieces as there are runs, and each piece is met once.
Design latin_hypercube(const std::vector<Variation>&, std::size_t count, std::uint64_t seed);
/// Lines of numbers below a line of names, separated by commas. Throws Error with the line.
Design design_from_csv(const std::filesystem::path&);

inline constexpr std::size_t most_cases = 10'000'000;

}  // namespace dalembert
