// Do runs end as they did when runs.txt was written: the outcome, the counts, the digits?
//
// What another compiler or mathematical library may do to a run is measured, not guessed. tools/golden makes each run a second
// time with a tolerance that differs in its ninth digit: the same run but for rounding, which step control and Newton's
// iteration may amplify. Digits may differ by ten times what that changed, and by 1e-9 in any case; counts by twice what that
// changed, and by a fiftieth in any case. A change that is meant to change runs is followed by tools/golden, and the diff of
// the table shows which ones.
#include <cmath>
#include <cstdio>
#include <optional>

#include "tests/support/program.h"
#include "tests/support/source_files.h"

namespace dalembert {
namespace {

constexpr std::size_t most_values = 6;  // of a block
constexpr double least_within = 1e-9, amplified = 10;
constexpr double count_share = .02, least_counts = 2, few = 50;  // of few, shares say nothing

/// One run, as it stands in the file.
struct Golden {
  std::string command{}, outcome{}, pair{};
  double t = 0, within = least_within;
  double spread = 0;  // of the counts, as a share
  std::vector<std::pair<std::string, double>> counts{};
  std::vector<std::pair<std::string, std::vector<double>>> blocks{};

  std::string text() const {
    const auto number = [](double x, const char* format) {
      char buffer[40];
      std::snprintf(buffer, sizeof buffer, format, x);
      return std::string(buffer);
    };
    std::string all =
        command + "\n  outcome " + outcome + "\n  pair " + pair + "\n  t " + number(t, "%.12g") + "\n";
    for (const auto& [name, count] : counts) all += "  count " + name + " " + number(count, "%.0f") + "\n";
    for (const auto& [name, values] : blocks) {
      all += "  block " + name;
      for (const double value : values) all += " " + number(value, "%.12g");
      all += "\n";
    }
    return all + "  within " + number(within, "%.0e") + " spread " + number(spread, "%.0e") + "\n";
  }
};

const std::filesystem::path table = std::filesystem::path(DALEMBERT_SOURCE) / "tests/golden/runs.txt";

/// Commands begin a line, what is known of them is indented, # begins a comment.
std::vector<Golden> read_table() {
  std::istringstream stream(read_text(table));
  std::vector<Golden> all;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      all.push_back({.command = line});
      continue;
    }
    Golden& run = all.back();
    std::istringstream words(line);
    std::string key, name;
    words >> key;
    if (key == "outcome") words >> run.outcome;
    if (key == "pair") words >> run.pair >> name, run.pair += " " + name;
    if (key == "t") words >> run.t;
    if (key == "within") words >> run.within >> name >> run.spread;
    if (key == "count") {
      double count = 0;
      words >> name >> count;
      run.counts.emplace_back(name, count);
    }
    if (key == "block") {
      words >> name;
      run.blocks.push_back({name, {}});
      for (std::string value; words >> value;) run.blocks.back().second.push_back(std::stod(value));
    }
  }
  return all;
}

class GoldenRuns : public Program {
 protected:
  Golden make(const std::string& command) {
    Golden run{.command = command};
    std::string where = command;
    if (where.starts_with("models/")) where = std::string(DALEMBERT_SOURCE) + "/" + where;
    call("run " + where + " --json --quiet");
    const Json json = Json::parse(content(file("stdout")), nullptr, false);
    if (json.is_discarded()) {
      run.outcome = "refused";
      return run;
    }
    run.outcome = json.at("outcome");
    run.pair = json.at("formulation").get<std::string>() + " " + json.at("method").get<std::string>();
    run.t = json.at("t");
    for (const char* name : {"steps", "rejected", "force_evaluations", "jacobians", "factorizations"})
      run.counts.emplace_back(name, json.at("statistics").at(name).get<double>());
    for (const auto& [name, values] : json.at("state").items()) {
      run.blocks.push_back({name, {}});
      for (const auto& value : values)
        if (run.blocks.back().second.size() < most_values)
          run.blocks.back().second.push_back(value.is_number() ? value.get<double>() : std::nan(""));
    }
    return run;
  }
};

/// Of equal shapes: the largest difference of values, and of counts as a share.
struct Difference {
  double values = 0, counts = 0;
};
Difference difference(const Golden& a, const Golden& b) {
  Difference seen;
  for (std::size_t i = 0; i < a.blocks.size() && i < b.blocks.size(); ++i)
    for (std::size_t k = 0; k < std::min(a.blocks[i].second.size(), b.blocks[i].second.size()); ++k) {
      const double x = a.blocks[i].second[k], y = b.blocks[i].second[k];
      if (std::isfinite(x) && std::isfinite(y))
        seen.values = std::max(seen.values, std::abs(x - y) / (1 + std::abs(x)));
    }
  for (std::size_t i = 0; i < a.counts.size() && i < b.counts.size(); ++i)
    seen.counts = std::max(
        seen.counts, std::abs(a.counts[i].second - b.counts[i].second) / std::max(few, a.counts[i].second));
  return seen;
}

TEST_F(GoldenRuns, EndAsTheyDid) {
  const auto all = read_table();
  EXPECT_GE(all.size(), 50u);
  for (const Golden& known : all) {
    const Golden run = make(known.command);
    SCOPED_TRACE(known.command + "\nwas\n" + known.text() + "is\n" + run.text());
    EXPECT_EQ(run.outcome, known.outcome);
    EXPECT_EQ(run.pair, known.pair);
    EXPECT_NEAR(run.t, known.t, 1e-9 * (1 + std::abs(known.t)));
    ASSERT_EQ(run.counts.size(), known.counts.size());
    for (std::size_t i = 0; i < run.counts.size(); ++i) {
      const double was = known.counts[i].second;
      EXPECT_NEAR(run.counts[i].second, was,
                  std::max(least_counts, std::max(count_share, 2 * known.spread) * was))
          << known.counts[i].first;
    }
    ASSERT_EQ(run.blocks.size(), known.blocks.size());
    for (std::size_t i = 0; i < run.blocks.size(); ++i) {
      EXPECT_EQ(run.blocks[i].first, known.blocks[i].first);
      ASSERT_EQ(run.blocks[i].second.size(), known.blocks[i].second.size());
      for (std::size_t k = 0; k < run.blocks[i].second.size(); ++k) {
        const double was = known.blocks[i].second[k], is = run.blocks[i].second[k];
        EXPECT_EQ(std::isfinite(is), std::isfinite(was)) << run.blocks[i].first;
        if (std::isfinite(was)) {
          EXPECT_NEAR(is, was, known.within * (1 + std::abs(was))) << run.blocks[i].first << " " << k;
        }
      }
    }
  }
}

/// What follows a word, up to a blank: "--rtol " in a command, "rtol = " in a file.
std::optional<std::string> after(const std::string& text, const std::string& word) {
  const auto found = text.find(word);
  if (found == std::string::npos) return {};
  const auto begin = found + word.size();
  return text.substr(begin, text.find_first_of(" \n", begin) - begin);
}

/// The same run with a relative tolerance that differs in its ninth digit.
std::string nearly(std::string command) {
  std::string tolerance = "1e-6";  // the default
  if (command.starts_with("models/")) {
    const std::string text = read_text(std::filesystem::path(DALEMBERT_SOURCE) / after(command, "").value());
    if (const auto atol = after(text, "\natol = ")) command += " --atol " + *atol;
    tolerance = after(text, "\nrtol = ").value_or(tolerance);
  }
  if (const auto asked = after(command, "--rtol ")) {
    tolerance = *asked;
    command.erase(command.find("--rtol "), ("--rtol " + tolerance).size());
  }
  char digits[40];
  std::snprintf(digits, sizeof digits, " --rtol %.10e", std::stod(tolerance) * (1 + 1e-9));
  return command + digits;
}

/// No test: tools/golden calls it.
TEST_F(GoldenRuns, DISABLED_WriteTheTable) {
  const std::string old = read_text(table);
  std::string text = old.substr(0, old.find("\n\n") + 2);  // the comment at the head
  for (const Golden& known : read_table()) {
    Golden run = make(known.command);
    const Difference seen = difference(run, make(nearly(known.command)));
    const double allowed = std::max(least_within, amplified * seen.values);
    run.within = std::pow(10, std::ceil(std::log10(allowed) - 1e-9));
    run.spread = seen.counts;
    text += run.text();
  }
  std::ofstream(table) << text;
}

}  // namespace
}  // namespace dalembert
