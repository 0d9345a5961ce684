// What the documents say is so: their commands run, their links lead somewhere, their program is the one that is tested.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "tests/support/source_files.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

struct Line {
  std::string text;
  int number;
};

/// The lines of all fenced blocks of one language.
std::vector<Line> fenced(const std::string& document, const std::string& language) {
  std::vector<Line> lines;
  std::istringstream text(document);
  std::string line;
  bool inside = false, wanted = false;
  for (int number = 1; std::getline(text, line); ++number) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line == "```" + language;
    } else if (inside && wanted) {
      lines.push_back({line, number});
    }
  }
  return lines;
}

TEST(Documents, FencedBlocksAreFound) {
  const auto lines = fenced("a\n```sh\ndalembert run a\n```\n```text\nb\n```\n```sh\nc\n```\n", "sh");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, "dalembert run a");
  EXPECT_EQ(lines[0].number, 3);
  EXPECT_EQ(lines[1].text, "c");
}

// A block marked sh holds calls of the program and nothing else; other commands stand in blocks marked console.
TEST(Documents, ShellBlocksHoldOnlyCallsOfTheProgram) {
  std::size_t seen = 0;
  for (const auto& document : documents(DALEMBERT_SOURCE))
    for (const auto& line : fenced(document.text, "sh")) {
      ++seen;
      EXPECT_TRUE(line.text.starts_with("dalembert "))
          << document.path << ":" << line.number << ": " << line.text;
    }
  EXPECT_GT(seen, 5u);
}

#ifdef DALEMBERT_APP

/// A folder of its own, in which the commands of the documents are run one after the other. The models are there, and the
/// files that the documents show.
class Workplace {
 public:
  Workplace() : folder_(fs::temp_directory_path() / ("dalembert-documents-" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    fs::create_directory_symlink(fs::path(DALEMBERT_SOURCE) / "models", folder_ / "models");
  }
  /// Writes the blocks marked toml whose first line is their name: "# swing.toml".
  void write_files(const std::string& document) const {
    std::ofstream file;
    static const std::regex name("# ([a-z_]+\\.toml)");
    int last = 0;
    for (const auto& line : fenced(document, "toml")) {
      std::smatch found;
      if (line.number != last + 1) file.close();
      if (std::regex_match(line.text, found, name)) file.open(folder_ / found[1].str());
      if (file.is_open()) file << line.text << '\n';
      last = line.number;
    }
  }
  ~Workplace() { fs::remove_all(folder_); }

  /// The exit status of a line of shell, in which `dalembert` is the program that was built.
  int run(const std::string& line) const {
    return std::system(("cd '" + folder_.string() + "' && dalembert() { '" DALEMBERT_APP "' \"$@\"; } && { " +
                        line + "; } > output 2>&1")
                           .c_str());
  }
  std::string output() const { return read_text(folder_ / "output"); }

 private:
  fs::path folder_;
};

TEST(Documents, CommandsRun) {
  const Workplace workplace;
  for (const auto& document : documents(DALEMBERT_SOURCE)) {
    workplace.write_files(document.text);
    for (const auto& line : fenced(document.text, "sh"))
      EXPECT_EQ(workplace.run(line.text), 0)
          << document.path << ":" << line.number << ": " << line.text << "\n"
          << workplace.output();
  }
}

TEST(Documents, CommandsThatFailAreSeen) {
  const Workplace workplace;
  EXPECT_NE(workplace.run("dalembert run no-such-problem"), 0);
  EXPECT_NE(workplace.output().find("no-such-problem"), std::string::npos);
}

#else
#error "the commands of the documents cannot be run: no program in app/"
#endif

TEST(Documents, LinksLeadSomewhere) {
  static const std::regex link("[^\\[]\\]\\(([^)#]+)(?:#[^)]*)?\\)");
  for (const auto& document : documents(DALEMBERT_SOURCE)) {
    const fs::path folder = (fs::path(DALEMBERT_SOURCE) / document.path).parent_path();
    static const std::regex fenced("```[\\s\\S]*?```");  // programs have brackets of their own
    const std::string text = std::regex_replace(document.text, fenced, "");
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it)
      if (const std::string to = (*it)[1]; !to.starts_with("http")) {
        EXPECT_TRUE(fs::exists(folder / to)) << document.path << " links to " << to;
      }
  }
}

/// Blocks one after the other are told apart by their line numbers.
TEST(Documents, ProgramsInTheReadmeAreThoseThatAreTested) {
  std::vector<std::string> shown;
  int last = 0;
  for (const auto& line : fenced(read_text(fs::path(DALEMBERT_SOURCE) / "README.md"), "cpp")) {
    if (line.number != last + 1) shown.emplace_back();
    shown.back() += line.text + "\n";
    last = line.number;
  }
  std::set<std::string> tested;
  for (const auto& file : source_files(DALEMBERT_SOURCE, "tests/house/package")) tested.insert(file.text);
  EXPECT_GE(shown.size(), 3u);
  for (const auto& program : shown) EXPECT_TRUE(tested.contains(program)) << program;
}

}  // namespace
}  // namespace dalembert
