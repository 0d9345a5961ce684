// Every key that code, registries and documents cite is in docs/references.bib, and every entry there is complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "dalembert/boundary/boundary_problem.h"
#include "dalembert/formulation/formulation.h"
#include "dalembert/method/method.h"
#include "dalembert/problem/catalogue.h"
#include "papers/paper.h"
#include "tests/support/source_files.h"

namespace dalembert {
namespace {

struct Reference {
  std::string type, fields;
};

std::map<std::string, Reference> bibliography() {
  const std::string text = read_text(std::filesystem::path(DALEMBERT_SOURCE) / "docs/references.bib");
  std::map<std::string, Reference> all;
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find("\n@", at) + 1) {
    const std::size_t brace = text.find('{', at), comma = text.find(',', brace),
                      end = text.find("\n}", comma);
    const Reference reference{text.substr(at + 1, brace - at - 1), text.substr(comma + 1, end - comma)};
    const std::string key = text.substr(brace + 1, comma - brace - 1);
    EXPECT_TRUE(all.emplace(key, reference).second) << key << " is there twice";
    if (text.find("\n@", end) == std::string::npos) break;
  }
  return all;
}

/// Words that look like a key: a name or several, a year, and sometimes a word more.
std::set<std::string> keys_in(const std::string& text) {
  static const std::regex key("\\b[A-Z][a-z]+[A-Za-z]*(?:19|20)[0-9][0-9](?:[A-Za-z]+)?\\b");
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it) found.insert(it->str());
  return found;
}

TEST(References, KeysAreRecognised) {
  const std::set<std::string> expected = {"BraseyHairer1993", "Jay1993Collocation", "Murua1997"};
  EXPECT_EQ(keys_in("[BraseyHairer1993, (5.5)] [Murua1997; Jay1993Collocation] RK45 C++20 t1993"), expected);
}

TEST(References, EveryKeyInTheRegistriesIsKnown) {
  const auto known = bibliography();
  const auto check = [&](const std::string& who, const std::string& cite) {
    std::string key;
    for (std::istringstream keys(cite); keys >> key;)
      EXPECT_TRUE(known.contains(key)) << who << " cites " << key;
  };
  for (const auto& entry : all_methods()) check("method " + entry.name, entry.cite);
  for (const auto& entry : all_formulations()) check("formulation " + entry.name, entry.cite);
  for (const auto& entry : all_problems()) check("problem " + entry.name, entry.cite);
  for (const auto& entry : all_boundary_problems()) check("boundary problem " + entry.name, entry.cite);
  for (const auto& entry : all_papers()) check("paper " + entry.id, entry.cite);
}

TEST(References, EveryKeyInAFileIsKnown) {
  const auto known = bibliography();
  std::vector<SourceFile> files = documents(DALEMBERT_SOURCE);
  for (const char* folder : {"dalembert", "problems", "papers", "app", "bench"})
    for (auto& file : source_files(DALEMBERT_SOURCE, folder)) files.push_back(std::move(file));
  std::size_t seen = 0;
  for (const auto& file : files)
    for (const auto& key : keys_in(file.text)) {
      ++seen;
      EXPECT_TRUE(known.contains(key)) << file.path << " cites " << key;
    }
  EXPECT_GT(seen, 50u);
}

TEST(References, EntriesAreComplete) {
  const std::map<std::string, std::vector<std::string>> needed = {
      {"article", {"author", "title", "journal", "volume", "pages", "year"}},
      {"book", {"author", "title", "publisher", "year"}},
      {"phdthesis", {"author", "title", "school", "year"}},
      {"techreport", {"author", "title", "institution", "year"}}};
  for (const auto& [key, reference] : bibliography()) {
    ASSERT_TRUE(needed.contains(reference.type)) << key << " is of type " << reference.type;
    EXPECT_EQ(std::count(reference.fields.begin(), reference.fields.end(), '{'),
              std::count(reference.fields.begin(), reference.fields.end(), '}'))
        << key << " is not closed";
    for (const auto& field : needed.at(reference.type))
      EXPECT_TRUE(std::regex_search(reference.fields, std::regex("\n +" + field + " *= *\\{[^}]")))
          << key << ": " << field;
  }
}

}  // namespace
}  // namespace dalembert
