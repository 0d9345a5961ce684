#include "app/subject.h"

#include <filesystem>

#include "app/text.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

Subject find_subject(const std::string& name, const std::vector<std::string>& set) {
  const auto values = to_assignments("--set", set);
  if (std::filesystem::path(name).extension() == ".toml") {
    Model model = Model::from_file(name, values);
    return {name, model.title, model.mechanism, std::move(model)};
  }
  const ProblemEntry& entry = find_problem(name);
  return {entry.name, entry.summary, make_problem(name, values), {}};
}

void add_subject(CLI::App& app, std::string& what, std::vector<std::string>& set) {
  app.add_option("WHAT", what, "a model file (.toml) or a problem of the catalogue (`dalembert problems`)")
      ->required();
  app.add_option("--set", set, "a parameter of it; several times for several")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

}  // namespace dalembert::app
