#include "app/subject.h"

#include <filesystem>

#include "app/quantity.h"
#include "app/text.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

Subject find_subject(const std::string& name, const std::vector<std::string>& set,
                     const std::optional<std::string>& text) {
  if (std::filesystem::path(name).extension() == ".toml") {
    const auto values = to_parameters(set);
    Model model = text ? Model::from_text(*text, name, values) : Model::from_file(name, values);
    auto problem = model.problem();
    return {name, model.title, std::move(problem), std::move(model), text};
  }
  const ProblemEntry& entry = find_problem(name);
  return {entry.name, entry.summary, make_problem(name, to_parameters(set, entry.parameters)), {}};
}

std::string title(const Subject& subject) {
  return subject.name + (subject.summary.empty() ? "" : ": " + subject.summary);
}

OutputSetting to_output(const std::string& text) {
  if (text == "step") return {OutputSetting::By::steps};
  for (const auto& [unit, seconds] : {std::pair("ms", 1e-3), std::pair("min", 60.), std::pair("s", 1.)})
    if (text.ends_with(unit)) {
      std::string front = text.substr(0, text.size() - std::string_view(unit).size());
      if (front.ends_with(' ')) front.pop_back();  // "2 s"
      const auto number = number_in(front);
      if (number) return {OutputSetting::By::distance, *number * seconds};
    }
  const auto number = number_in(text);
  if (!number)
    throw Error("--output is '" + text + "'",
                "it must be a whole number of pieces, a time between outputs (0.01, 2s), or step");
  return OutputSetting::of(*number);
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
