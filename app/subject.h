// WHAT of the command line: a model file, or a problem of the catalogue.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments.h"
#include "dalembert/model/model.h"
#include "dalembert/problem/problem.h"

namespace dalembert::app {

struct Subject {
  std::string name, summary;
  std::shared_ptr<const Problem> problem;
  std::optional<Model> model;  ///< of a file
  /// Of a run, as far as the file says.
  RunSettings settings() const { return model ? model->run : RunSettings{}; }
};

/// "pendulum: a bar and a mass"
std::string title(const Subject&);

/// Settings that several commands take, as given; "" where they are not.
struct SettingTexts {
  std::string formulation, method, rtol;
};
RunSettings to_settings(const SettingTexts&);

/// "100" is a number of equal pieces, "0.01" or "1e-2" a distance in time.
OutputSetting to_output(const std::string& text);

/// Names that end in .toml are files. `set` holds "name=value". Throws ModelError or Error.
Subject find_subject(const std::string& name, const std::vector<std::string>& set = {});

/// Model files by name, and those in folders by the names of these; the models that come with the program if nothing is named.
/// Throws Error if there are none.
std::vector<std::string> model_files(const std::vector<std::string>& what);

/// The options WHAT and --set, as all commands have them.
void add_subject(Arguments&, std::string& what, std::vector<std::string>& set);

}  // namespace dalembert::app
