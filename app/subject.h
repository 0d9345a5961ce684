// WHAT of the command line: a model file, or a problem of the catalogue.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/model/model.h"
#include "dalembert/problem/problem.h"

namespace dalembert::app {

struct Subject {
  std::string name, summary;
  std::shared_ptr<const Problem> problem;
  std::optional<Model> model;  ///< of a file
};

/// Names that end in .toml are files. `set` holds "name=value". Throws ModelError or Error.
Subject find_subject(const std::string& name, const std::vector<std::string>& set = {});

/// The options WHAT and --set, as all commands have them.
void add_subject(CLI::App&, std::string& what, std::vector<std::string>& set);

}  // namespace dalembert::app
