// The files of this repository, for tests that read them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dalembert {

/// One file, its path relative to the root.
struct SourceFile {
  std::string path, text;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// All files below `folder` whose names end with one of these, in alphabetical order.
inline std::vector<SourceFile> source_files(const std::filesystem::path& root, const std::string& folder,
                                            const std::vector<std::string>& endings = {".h", ".cc"}) {
  std::vector<SourceFile> files;
  if (!std::filesystem::exists(root / folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    const bool wanted = std::find(endings.begin(), endings.end(), entry.path().extension()) != endings.end();
    if (entry.is_regular_file() && wanted)
      files.push_back(
          {std::filesystem::relative(entry.path(), root).generic_string(), read_text(entry.path())});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

/// README.md, the other pages at the root, and all of docs/.
inline std::vector<SourceFile> documents(const std::filesystem::path& root) {
  std::vector<SourceFile> files = source_files(root, "docs", {".md"});
  for (const char* name : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    files.push_back({name, read_text(root / name)});
  return files;
}

}  // namespace dalembert
