#include "app/subject.h"

#include <algorithm>
#include <filesystem>

#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

namespace {

namespace fs = std::filesystem;

/// models/ beside the caller, or where it was installed together with this program.
fs::path models_folder() {
  std::error_code none;
  if (fs::is_directory("models", none)) return "models";
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  for (const char* way : {"../share/dalembert/models", "../../models"})
    if (const fs::path found = (program.parent_path() / way).lexically_normal();
        !program.empty() && fs::is_directory(found, none))
      return found;
  throw Error("there is no folder 'models' here", "name model files or a folder of them");
}

void add_folder(const fs::path& folder, std::vector<std::string>& files) {
  const auto before = static_cast<std::ptrdiff_t>(files.size());
  std::error_code none;  // a link that leads nowhere is not a file
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file(none) && entry.path().extension() == ".toml")
      files.push_back(entry.path().string());
  std::sort(files.begin() + before, files.end());
}

}  // namespace

std::vector<std::string> model_files(const std::vector<std::string>& what) {
  std::vector<std::string> all;
  if (what.empty()) add_folder(models_folder(), all);
  std::error_code none;  // what cannot be looked at is named by who opens it
  for (const auto& each : what) {
    if (fs::is_directory(each, none))
      add_folder(each, all);
    else
      all.push_back(each);
  }
  if (all.empty()) throw Error("there are no model files (.toml)", "name model files or a folder of them");
  return all;
}

Subject find_subject(const std::string& name, const std::vector<std::string>& set) {
  const auto values = to_assignments("--set", set);
  if (fs::path(name).extension() == ".toml") {
    Model model = Model::from_file(name, values);
    return {name, model.title, model.mechanism, std::move(model)};
  }
  const ProblemEntry& entry = find_problem(name);
  return {entry.name, entry.summary, make_problem(name, values), {}};
}

std::string title(const Subject& subject) {
  return subject.name + (subject.summary.empty() ? "" : ": " + subject.summary);
}

OutputSetting to_output(const std::string& text) {
  const bool distance = text.find_first_of(".eE") != std::string::npos;
  if (distance) return {OutputSetting::By::distance, to_number("--output", text)};
  return {OutputSetting::By::pieces, static_cast<double>(to_count("--output", text))};
}

RunSettings to_settings(const SettingTexts& texts) {
  RunSettings settings;
  if (!texts.formulation.empty()) settings.formulation = texts.formulation;
  if (!texts.method.empty()) settings.method = texts.method;
  if (!texts.rtol.empty()) settings.rtol = to_number("--rtol", texts.rtol);
  return settings;
}

void add_subject(Arguments& arguments, std::string& what, std::vector<std::string>& set) {
  arguments.required_word("WHAT", what,
                          "a model file (.toml) or a problem of the catalogue (see `dalembert problems`)");
  arguments.option("--set", set, "set a parameter (may be repeated)", "NAME=VALUE");
}

}  // namespace dalembert::app
