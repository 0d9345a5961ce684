// The model files that a call means.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dalembert::app {

/// Files and folders of them, in the order of the call; of none, those that come with the program. Throws Error if there is none.
std::vector<std::filesystem::path> model_files(const std::vector<std::string>& named);

}  // namespace dalembert::app
