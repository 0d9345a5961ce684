// The files of a model: the top one and those it includes, each read once and within limits.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <string>

#include "dalembert/model/document.h"

namespace dalembert {

/// Includes are looked for beside the file that names them. They may not leave the folder of the top file: a model file
/// from somewhere else cannot read what it pleases.
class ModelFiles {
 public:
  static constexpr int most_files = 1000;
  static constexpr std::size_t most_bytes = 2 * Document::most_bytes;  ///< of all files

  /// Throws Error if the file cannot be read.
  const Document& open_top(const std::filesystem::path&);
  const Document& open_top(const std::filesystem::path& name, std::string text);
  /// All that were read, the top one first.
  const std::deque<Document>& documents() const { return documents_; }
  /// The same document for the same file. Throws Error.
  const Document& open_beside(const Document& from, const std::string& file);

 private:
  std::string load(const std::filesystem::path&);
  const Document& find_beside(const Document& from, const std::string& file);

  std::filesystem::path folder_;                                               ///< of the top file
  std::deque<Document> documents_;                                             ///< they stay where they are
  std::map<std::filesystem::path, const Document*> by_path_;                   ///< canonical
  std::map<std::pair<const Document*, std::string>, const Document*> beside_;  ///< as they were asked for
  std::size_t bytes_ = 0;
};

}  // namespace dalembert
