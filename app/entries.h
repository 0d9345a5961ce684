// What the registries know about each thing, as rows of a list, pages and JSON. One entry type per list.
#pragma once

#include <string>
#include <vector>

#include "app/json.h"

namespace dalembert::app {

/// A list as the commands methods, formulations, problems and papers show it.
struct Catalogue {
  std::string what;               ///< "methods", also the key in JSON
  std::vector<std::string> head;  ///< of the table
  struct Entry {
    std::string name;
    std::vector<std::string> row;
    Json json;
    std::string page;
  };
  std::vector<Entry> entries;
};

Catalogue list_methods();
Catalogue list_formulations();
Catalogue list_problems();
Catalogue list_papers();

}  // namespace dalembert::app
