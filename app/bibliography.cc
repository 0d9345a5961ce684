#include "app/bibliography.h"

#include <sstream>

#include "app/text.h"

namespace dalembert::app {

const std::vector<Reference>& all_references() {
  static const std::vector<Reference> list = [] {
    std::vector<Reference> all;
    std::istringstream file(references);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty() && line[0] == '@') {  // @article{Key,
        const auto open = line.find('{');
        all.push_back({line.substr(open + 1, line.find(',') - open - 1), {}});
      }
      if (!all.empty() && !line.empty()) all.back().bibtex += line + "\n";
    }
    return all;
  }();
  return list;
}

std::vector<Reference> find_references(const std::string& keys) {
  std::vector<Reference> found;
  for (const auto& key : words(keys))
    for (const auto& reference : all_references())
      if (reference.key == key) found.push_back(reference);
  return found;
}

std::string source(const std::string& keys) {
  std::string text;
  for (const auto& reference : find_references(keys)) text += reference.bibtex;
  return text;
}

}  // namespace dalembert::app
