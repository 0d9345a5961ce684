// Is docs/audit.md complete and true: every number of every paper once, files that are there, commands that run, sums that add up?
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>

#include "papers/paper.h"
#include "tests/support/program.h"
#include "tests/support/source_files.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string items, shown_by, in, verdict;
};

std::vector<std::string> split(const std::string& text, const std::string& at) {
  std::vector<std::string> all;
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + at.size()) {
    to = text.find(at, from);
    all.push_back(text.substr(from, to - from));
  }
  return all;
}

std::vector<std::string> in_backticks(const std::string& text) {
  std::vector<std::string> all;
  static const std::regex span("`([^`]*)`");
  for (std::sregex_iterator it(text.begin(), text.end(), span), end; it != end; ++it) all.push_back((*it)[1]);
  return all;
}

/// "Lemma 2.1-2.2, (3)-(5)": "Lemma 2.1", "Lemma 2.2", "(3)", "(4)", "(5)".
std::vector<std::string> numbers(const std::string& items) {
  static const std::regex some(R"((?:([A-Z][a-z]+) )?\(?((?:\d+\.)?)(\d+)\)?(?:-\(?((?:\d+\.)?)(\d+)\)?)?)");
  std::vector<std::string> all;
  for (const auto& token : split(items, ", ")) {
    std::smatch found;
    if (!std::regex_match(token, found, some)) {
      ADD_FAILURE() << "not an item: " << token;
      continue;
    }
    const std::string kind = found[1], chapter = found[2];
    const int first = std::stoi(found[3]), last = found[5].matched ? std::stoi(found[5]) : first;
    if (found[5].matched) EXPECT_EQ(found[4], chapter) << token;
    for (int i = first; i <= last; ++i) {
      const std::string number = chapter + std::to_string(i);
      all.push_back(kind.empty() ? "(" + number + ")" : kind + " " + number);
    }
  }
  return all;
}

/// The rows of a paper's table.
std::vector<Row> rows_of(const std::string& paper) {
  const std::string text = read_text(fs::path(DALEMBERT_SOURCE) / "docs/audit.md");
  const auto begin = text.find("\n## " + paper + "\n");
  EXPECT_NE(begin, std::string::npos) << paper;
  std::vector<Row> all;
  for (const auto& line : split(text.substr(begin, text.find("\n## ", begin + 4) - begin), "\n")) {
    const auto cells = split(line, " | ");
    if (cells.size() != 5 || cells[0] == "| item") continue;
    all.push_back({cells[0].substr(2), cells[2], cells[3], cells[4].substr(0, cells[4].size() - 2)});
  }
  return all;
}

/// What the papers number.
const std::map<std::string, std::string>& numbered() {
  static const std::map<std::string, std::string> all = {
      {"mantegazza-masarati",
       "(1)-(134), Table 1, Theorem 1-2, Figure 1-3, Exercise 1.1-1.9, Exercise 2.1-2.6, Exercise 3.1-3.9, "
       "Exercise 4.1-4.5, Exercise 5.1-5.2"},
      {"wang-hou-modnak", "(1)-(73), Table 1-4"},
      {"yen-petzold",
       "(1.1)-(1.5), (2.1)-(2.35), (3.1)-(3.11), (4.1)-(4.11), (5.1)-(5.2), Definition 2.1, Lemma 2.1-2.2, "
       "Lemma 3.1, Lemma 4.1, Theorem 3.1, Theorem 4.1-4.2, Remark 2.1-2.2, Remark 3.1, Algorithm 2.1, "
       "Algorithm 3.1, Table 5.1-5.4, Figure 5.1-5.6"},
      {"ascher-lin",
       "(1.1), (2.1)-(2.15), (3.1)-(3.4), (4.1)-(4.23), (5.1)-(5.6), Theorem 2.1-2.2, Theorem 4.1, "
       "Remark 4.1-4.2, Example 2.1, Example 3.1, Example 6.1-6.5, Table 6.1-6.5, Figure 5.1, Figure "
       "6.1-6.2"},
      {"brasey-hairer",
       "(1.1)-(1.4), (2.1)-(2.8), (3.1)-(3.6), (4.1)-(4.4), (5.1)-(5.5), (6.1)-(6.8), Lemma 1-2, Theorem 3, "
       "Proposition 4-5, Lemma 6-9, Theorem 10, Table 1-5, Figure 1-3"}};
  return all;
}

TEST(Audit, ItemsAreRead) {
  const std::vector<std::string> expected = {"Lemma 2.1", "Lemma 2.2", "(3)", "(4)", "Table 5"};
  EXPECT_EQ(numbers("Lemma 2.1-2.2, (3)-(4), Table 5"), expected);
}

TEST(Audit, EveryNumberOfEveryPaperIsThereOnce) {
  for (const auto& paper : all_papers()) ASSERT_TRUE(numbered().contains(paper.id)) << paper.id;
  for (const auto& [paper, all] : numbered()) {
    const auto expected = numbers(all);
    std::set<std::string> seen;
    for (const auto& row : rows_of(paper))
      for (const auto& number : numbers(row.items))
        EXPECT_TRUE(seen.insert(number).second) << paper << ": " << number << " is named twice";
    for (const auto& number : expected)
      EXPECT_TRUE(seen.contains(number)) << paper << ": " << number << " is missing";
    EXPECT_EQ(seen.size(), expected.size()) << paper;
  }
}

TEST(Audit, FilesAreThere) {
  for (const auto& [paper, all] : numbered())
    for (const auto& row : rows_of(paper)) {
      EXPECT_FALSE(in_backticks(row.in).empty()) << paper << ": " << row.items;
      for (const auto& file : in_backticks(row.in))
        EXPECT_TRUE(fs::exists(fs::path(DALEMBERT_SOURCE) / file))
            << paper << ", " << row.items << ": " << file;
    }
}

TEST(Audit, VerdictsAddUpAndSayWhatIsNotThere) {
  const std::string text = read_text(fs::path(DALEMBERT_SOURCE) / "docs/audit.md");
  for (const auto& [paper, all] : numbered()) {
    std::map<std::string, std::size_t> count;
    for (const auto& row : rows_of(paper)) {
      const std::string verdict = split(row.verdict, ": ")[0];
      count[verdict] += numbers(row.items).size();
      EXPECT_TRUE(verdict == "works" || verdict == "partly" || verdict == "missing") << row.verdict;
      EXPECT_EQ(verdict != "partly" || row.verdict != "partly", true)
          << row.items << ": partly, and what not?";
      EXPECT_EQ(in_backticks(row.shown_by).empty(), verdict == "missing") << paper << ": " << row.items;
    }
    const std::string line = "| " + paper + " | " + std::to_string(numbers(all).size()) + " | " +
                             std::to_string(count["works"]) + " | " + std::to_string(count["partly"]) +
                             " | " + std::to_string(count["missing"]) + " |";
    EXPECT_NE(text.find(line), std::string::npos) << "expected: " << line;
  }
}

class AuditCommands : public Program {};

TEST_F(AuditCommands, Run) {
  std::set<std::string> commands;
  for (const auto& [paper, all] : numbered())
    for (const auto& row : rows_of(paper))
      for (const auto& command : in_backticks(row.shown_by)) commands.insert(command);
  EXPECT_GT(commands.size(), 50u);
  for (const auto& command : commands) {
    const auto words = split(command, " ");
    ASSERT_EQ(words.at(0), "dalembert") << command;
    if (words.at(1) != "paper") {
      EXPECT_EQ(call(command.substr(10)), 0) << command << "\n" << err;
      continue;
    }
    ASSERT_EQ(words.size(), 4u) << command;  // verdicts_test runs all of these
    std::set<std::string> tables;
    for (const auto& table : find_paper(words[2]).tables) tables.insert(table.id);
    EXPECT_TRUE(tables.contains(words[3])) << command;
  }
}

}  // namespace
}  // namespace dalembert
