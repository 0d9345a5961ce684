// The references behind the numbers, from docs/references.bib as it was at build time.
#pragma once

#include <string>
#include <vector>

namespace dalembert::app {

extern const char* const references;  ///< the whole file

struct Reference {
  std::string key, bibtex;
};

const std::vector<Reference>& all_references();
/// The entries of keys separated by blanks; a key without an entry is left out (a test sees to it that none
/// is).
std::vector<Reference> find_references(const std::string& keys);
/// Their text, for the page of a method or problem.
std::string source(const std::string& keys);

}  // namespace dalembert::app
