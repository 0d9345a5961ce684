// Does the site of the documents name every page, and is every page there that it names?
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "tests/support/source_files.h"

namespace dalembert {
namespace {

namespace fs = std::filesystem;

/// The pages that a configuration of mkdocs lists under `nav`.
std::set<std::string> named(const std::string& configuration) {
  std::set<std::string> pages;
  static const std::regex page("- (?:[^\\n]*: )?([A-Za-z0-9_/-]+\\.md)\\n");
  const std::string nav = configuration.substr(configuration.find("\nnav:\n"));
  for (std::sregex_iterator it(nav.begin(), nav.end(), page), end; it != end; ++it)
    EXPECT_TRUE(pages.insert((*it)[1]).second) << (*it)[1] << " is named twice";
  return pages;
}

TEST(Site, PagesAreRead) {
  const std::set<std::string> expected = {"README.md", "docs/a-b.md", "docs/tables/c.md"};
  EXPECT_EQ(
      named("x: no.md\nnav:\n  - A:\n      - README.md\n      - B, c: docs/a-b.md\n  - docs/tables/c.md\n"),
      expected);
}

TEST(Site, NamesEveryPage) {
  const auto pages = named(read_text(fs::path(DALEMBERT_SOURCE) / "site/mkdocs.yml"));
  for (const auto& document : documents(DALEMBERT_SOURCE))
    if (!document.path.starts_with("docs/decisions/")) {  // a page that lists them is made with the site
      EXPECT_TRUE(pages.contains(document.path)) << document.path;
    }
}

TEST(Site, EveryPageIsThere) {
  const std::set<std::string> made = {"api.md", "models/README.md", "docs/decisions/README.md"};
  for (const auto& page : named(read_text(fs::path(DALEMBERT_SOURCE) / "site/mkdocs.yml")))
    EXPECT_TRUE(made.contains(page) || fs::exists(fs::path(DALEMBERT_SOURCE) / page)) << page;
}

}  // namespace
}  // namespace dalembert
