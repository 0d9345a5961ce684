// Folders are layers: includes point to the same layer or downwards. See docs/decisions/0001-layer-order.md.
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/source_files.h"

namespace dalembert {
namespace {

/// From the bottom up.
const std::vector<std::string> layers = {"core",        "linear", "problem", "nonlinear", "constraints",
                                         "formulation", "method", "control", "boundary",  "observe",
                                         "multibody",   "model",  "analysis"};

/// The one header above all layers: for users, not for the library.
const std::string front_door = "dalembert/dalembert.h";

/// "dalembert/method/method.h" -> 5; the front door and what is not in the library is above it all.
std::size_t height(const std::string& path) {
  for (std::size_t i = 0; i < layers.size(); ++i)
    if (path.starts_with("dalembert/" + layers[i] + "/")) return i;
  return layers.size();
}

/// May `from` include `to`, both relative to the root?
bool allowed(const std::string& from, const std::string& to) {
  const auto in = [](const std::string& path, const char* folder) { return path.starts_with(folder); };
  if (in(from, "dalembert/")) return in(to, "dalembert/") && height(to) <= height(from);
  if (in(from, "problems/")) return in(to, "dalembert/") || in(to, "problems/");
  if (in(from, "papers/")) return in(to, "dalembert/") || in(to, "problems/") || in(to, "papers/");
  if (in(from, "app/")) return !in(to, "tests/") && !in(to, "bench/");
  return !in(to, "app/");
}

std::vector<std::string> violations(const std::vector<SourceFile>& files) {
  static const std::regex include("(?:^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"");
  std::vector<std::string> found;
  for (const auto& file : files) {
    const auto& text = file.text;
    for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
      if (const std::string to = (*it)[1]; !allowed(file.path, to))
        found.push_back(file.path + " includes " + to);
  }
  return found;
}

TEST(Layering, EveryFolderOfTheLibraryIsALayer) {
  for (const auto& file : source_files(DALEMBERT_SOURCE, "dalembert"))
    if (file.path != front_door)
      EXPECT_LT(height(file.path), layers.size()) << file.path << " is in no known layer";
}

TEST(Layering, IncludesPointDownwards) {
  std::size_t seen = 0;
  for (const char* folder : {"dalembert", "problems", "papers", "app", "tests", "bench", "tools"}) {
    const auto files = source_files(DALEMBERT_SOURCE, folder);
    seen += files.size();
    for (const auto& violation : violations(files)) ADD_FAILURE() << violation;
  }
  EXPECT_GT(seen, 100u);
}

TEST(Layering, ViolationsAreFound) {
  const auto bad = [](const char* path, const char* text) { return violations({{path, text}}).size(); };
  EXPECT_EQ(bad("dalembert/linear/a.h", "#include <vector>\n#include \"dalembert/problem/problem.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/problem/a.cc", "#include \"dalembert/constraints/mechanics.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/control/a.cc", "  #  include \"dalembert/observe/trajectory.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/core/a.cc", "#include \"problems/reference.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/method/a.cc", "#include \"half_explicit.h\"\n"), 1u);  // paths start at the root
  EXPECT_EQ(bad("dalembert/analysis/a.cc", "#include \"dalembert/dalembert.h\"\n"), 1u);
  EXPECT_EQ(bad("problems/a.cc", "#include \"papers/paper.h\"\n"), 1u);
  EXPECT_EQ(bad("papers/a.cc", "#include \"app/print.h\"\n#include \"problems/violin.h\"\n"), 1u);
  EXPECT_EQ(bad("tests/a.cc", "#include \"app/print.h\"\n"), 1u);
  EXPECT_EQ(bad("dalembert/method/a.cc",
                "#include \"dalembert/core/error.h\"\n#include \"dalembert/method/b.h\"\n"),
            0u);
}

}  // namespace
}  // namespace dalembert
