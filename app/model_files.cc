#include "app/model_files.h"

#include <algorithm>

#include "dalembert/core/error.h"

namespace dalembert::app {

namespace fs = std::filesystem;

namespace {

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

void add_folder(const fs::path& folder, std::vector<fs::path>& files) {
  const auto before = static_cast<std::ptrdiff_t>(files.size());
  std::error_code none;  // a link that leads nowhere is not a file
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file(none) && entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin() + before, files.end());
}

}  // namespace

std::vector<fs::path> model_files(const std::vector<std::string>& named) {
  std::vector<fs::path> all;
  if (named.empty()) add_folder(models_folder(), all);
  std::error_code none;  // what cannot be looked at is named by who opens it
  for (const auto& what : named) {
    if (fs::is_directory(what, none))
      add_folder(what, all);
    else
      all.emplace_back(what);
  }
  if (all.empty()) throw Error("there are no model files (.toml)", "name model files or a folder of them");
  return all;
}

}  // namespace dalembert::app
