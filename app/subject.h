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
  std::optional<Model> model;         ///< of a file
  std::optional<std::string> text{};  ///< that stands for what is in the file
  /// Of a run, as far as the file says.
  RunSettings settings() const { return model ? model->run : RunSettings{}; }
  std::vector<Watch> watches() const { return model ? model->watches : std::vector<Watch>{}; }
};

/// "pendulum: a bar and a mass"
std::string title(const Subject&);

/// Settings that several commands take, as given; "" where they are not.
struct SettingTexts {
  std::string formulation, method, rtol;
};
RunSettings to_settings(const SettingTexts&);

/// "100" and "1e2" are numbers of equal pieces, "0.01" and "2s" distances in time, "step" is each step.
OutputSetting to_output(const std::string& text);

/// Names that end in .toml are files. `set` holds "name=value". Throws ModelError or Error. A text that is given stands for what
/// is in the file.
Subject find_subject(const std::string& name, const std::vector<std::string>& set = {},
                     const std::optional<std::string>& text = {});

/// The options WHAT and --set, as all commands have them.
void add_subject(Arguments&, std::string& what, std::vector<std::string>& set);

}  // namespace dalembert::app
