#include "dalembert/observe/files/collected_file.h"

#include <bit>

#include "dalembert/core/error.h"

namespace dalembert {

static_assert(std::endian::native == std::endian::little, "formats are written with the lowest byte first");

CollectedFile::CollectedFile(std::filesystem::path path, const RunHead& head)
    : path_(std::move(path)),
      columns_(head.columns),
      names_(safe_names(head.columns)),
      values_(columns_.size()) {
  const std::filesystem::path folder = behind_links(path_).parent_path();
  std::error_code none;
  if (!std::filesystem::is_directory(folder, none))
    throw Error("cannot write '" + path_.string() + "': there is no folder '" + folder.string() + "'",
                "name a file in a directory that exists and can be written");
}

void CollectedFile::row(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].push_back(values[i]);
}

}  // namespace dalembert
