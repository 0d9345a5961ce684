#include "app/subject.h"

#include <filesystem>

#include "app/quantity.h"
#include "app/text.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

Subject find_subject(const std::string& name, const std::vector<std::string>& set) {
  if (std::filesystem::path(name).extension() == ".toml") {
    Model model = Model::from_file(name, to_parameters(set));
    return {name, model.title, model.mechanism, std::move(model)};
  }
  const ProblemEntry& entry = find_problem(name);
  return {entry.name, entry.summary, make_problem(name, to_parameters(set, entry.parameters)), {}};
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
  arguments.option("--set", set,
                   "set a parameter, in SI units or with a unit: rod=0.5, rod=\"500 mm\" (may be repeated)",
                   "NAME=VALUE");
}

}  // namespace dalembert::app
