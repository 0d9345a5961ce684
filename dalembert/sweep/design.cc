#include "dalembert/sweep/design.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

std::vector<std::string> pieces(const std::string& text, char between) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(between, begin)) != std::string::npos; begin = end + 1)
    all.push_back(text.substr(begin, end - begin));
  all.push_back(text.substr(begin));
  return all;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw Error("'" + text + "' cannot be varied: " + why,
              "write rod=0.3:0.6:31 for 31 values, rod=1,2,5 for these, k=1:1000:4:log for equal ratios, or "
              "rod=0.3:0.6 for "
              "values that are drawn");
}

double number(const std::string& text, const std::string& whole) {
  const auto value = number_in(text);
  if (!value || !std::isfinite(*value)) refuse(whole, "'" + text + "' is not a number");
  return *value;
}

/// A value at a share between 0 and 1 of the range.
double inside(const Variation& v, double share) {
  if (v.spacing == Variation::Spacing::logarithmic) return v.low * std::pow(v.high / v.low, share);
  return v.low + share * (v.high - v.low);
}

/// Numbers of the standard's generator; its distributions differ from library to library, so these are our own.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}
  /// In [0, 1).
  double share() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t count) {
    return std::min(static_cast<std::size_t>(share() * static_cast<double>(count)), count - 1);
  }

 private:
  std::mt19937_64 generator_;
};

void check(const std::vector<Variation>& variations, std::size_t count) {
  if (variations.empty()) throw Error("no parameter is varied", "name one, as in rod=0.3:0.6:31");
  std::set<std::string> names;
  for (const Variation& v : variations)
    if (!names.insert(v.name).second)
      throw Error("parameter '" + v.name + "' is varied twice", "name it once");
  if (count > most_cases)
    throw Error("the sweep has more than " + std::to_string(most_cases) + " runs", "vary less");
}

std::vector<std::string> names(const std::vector<Variation>& variations) {
  std::vector<std::string> all;
  for (const Variation& v : variations) all.push_back(v.name);
  return all;
}

/// Of a list, or of a range, at a share between 0 and 1.
double drawn(const Variation& v, double share) {
  if (v.values.empty()) return inside(v, share);
  const auto at = static_cast<std::size_t>(share * static_cast<double>(v.values.size()));
  return v.values[std::min(at, v.values.size() - 1)];
}

}  // namespace

Variation read_variation(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(text, "there is no name in front of '='");
  Variation v;
  v.name = text.substr(0, equals);
  const std::string range = text.substr(equals + 1);
  if (range.find(':') == std::string::npos) {
    for (const std::string& piece : pieces(range, ',')) v.values.push_back(number(piece, text));
    return v;
  }
  std::vector<std::string> parts = pieces(range, ':');
  if (parts.back() == "log") {
    v.spacing = Variation::Spacing::logarithmic;
    parts.pop_back();
  }
  if (parts.size() != 2 && parts.size() != 3)
    refuse(text, "a range has two ends and at most a number of values");
  v.low = number(parts[0], text);
  v.high = number(parts[1], text);
  if (v.spacing == Variation::Spacing::logarithmic && !(v.low * v.high > 0))
    refuse(text, "equal ratios need ends of one sign, and neither of them 0");
  if (parts.size() == 2) return v;
  const double count = number(parts[2], text);
  if (!(count >= 1) || count != std::floor(count) || count > static_cast<double>(most_cases))
    refuse(text, "'" + parts[2] + "' is not a number of values");
  for (int k = 0; k < static_cast<int>(count); ++k)
    v.values.push_back(k == 0 ? v.low : k + 1 == count ? v.high : inside(v, k / (count - 1)));
  return v;
}

Values Design::values(std::size_t number) const {
  Values all;
  for (std::size_t i = 0; i < names.size(); ++i) all[names[i]] = cases[number][i];
  return all;
}

Design grid(const std::vector<Variation>& variations) {
  std::size_t count = 1;
  for (const Variation& v : variations) {
    if (v.values.empty())
      throw Error("how many values '" + v.name + "' takes is not said",
                  "write " + v.name + "=" + full_number(v.low) + ":" + full_number(v.high) +
                      ":11 for 11 values, or draw them at random");
    count = std::min(count * v.values.size(), most_cases + 1);
  }
  check(variations, count);
  Design design{names(variations), {}};
  design.cases.reserve(count);
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<double> values(variations.size());
    std::size_t rest = n;
    for (std::size_t i = variations.size(); i-- > 0;) {
      const auto& all = variations[i].values;
      values[i] = all[rest % all.size()];
      rest /= all.size();
    }
    design.cases.push_back(std::move(values));
  }
  return design;
}

Design at_random(const std::vector<Variation>& variations, std::size_t count, std::uint64_t seed) {
  check(variations, count);
  Design design{names(variations), {}};
  Dice dice(seed);
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<double> values;
    for (const Variation& v : variations) values.push_back(drawn(v, dice.share()));
    design.cases.push_back(std::move(values));
  }
  return design;
}

Design latin_hypercube(const std::vector<Variation>& variations, std::size_t count, std::uint64_t seed) {
  check(variations, count);
  Design design{names(variations), std::vector<std::vector<double>>(count)};
  Dice dice(seed);
  std::vector<std::size_t> piece(count);
  for (const Variation& v : variations) {
    std::iota(piece.begin(), piece.end(), std::size_t{0});
    for (std::size_t k = count; k > 1; --k) std::swap(piece[k - 1], piece[dice.below(k)]);
    for (std::size_t n = 0; n < count; ++n)
      design.cases[n].push_back(
          drawn(v, (static_cast<double>(piece[n]) + dice.share()) / static_cast<double>(count)));
  }
  return design;
}

Design design_from_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file)
    throw Error("'" + path.string() + "' cannot be read",
                "give a file with a line of names and lines of numbers");
  Design design;
  std::string line;
  for (int number_of_line = 1; std::getline(file, line); ++number_of_line) {
    if (number_of_line == 1 && line.starts_with("\xef\xbb\xbf"))
      line.erase(0, 3);  // as spreadsheets mark UTF-8
    if (line.empty() || line == "\r") continue;
    const auto cells = csv_cells(line);
    if (design.names.empty()) {
      design.names = cells;
      continue;
    }
    const std::string place = path.string() + ":" + std::to_string(number_of_line) + ": ";
    if (cells.size() != design.names.size())
      throw Error(place + "there are " + std::to_string(cells.size()) + " numbers for " +
                      std::to_string(design.names.size()) + " names",
                  "write one number for each name");
    std::vector<double> values;
    for (const std::string& cell : cells) {
      const auto value = number_in(cell);
      if (!value || !std::isfinite(*value))
        throw Error(place + "'" + cell + "' is not a number", "write one, as in 0.35");
      values.push_back(*value);
    }
    design.cases.push_back(std::move(values));
    if (design.cases.size() > most_cases) check({Variation{}}, design.cases.size());
  }
  if (design.cases.empty())
    throw Error("'" + path.string() + "' has no line of numbers",
                "write a line of names, and a line of numbers for each run");
  std::set<std::string> unique(design.names.begin(), design.names.end());
  if (unique.size() != design.names.size())
    throw Error("'" + path.string() + "' names a parameter twice", "name it once");
  return design;
}

}  // namespace dalembert
