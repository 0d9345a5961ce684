// A file that is written at once when the run has ended: rows are collected until then.
#pragma once

#include <utility>

#include "dalembert/observe/files/run_file.h"

namespace dalembert {

class CollectedFile : public RunFile {
 public:
  /// Throws Error if no file can be made there.
  CollectedFile(std::filesystem::path path, const RunHead& head);

  void row(const std::vector<double>& values) final;
  void close() final {
    if (rows() > 0) replace_file(path_, content());
  }
  void conclude(const RunEnd&) final {
    if (rows() == 0) replace_file(path_, content());
  }

 protected:
  virtual std::string content() const = 0;

  const std::filesystem::path path_;
  const std::vector<Column> columns_;
  const std::vector<std::string> names_;     // safe ones
  std::vector<std::vector<double>> values_;  // by columns
  std::size_t rows() const { return values_.front().size(); }
};

/// The bytes of a number as they are in the memory of this kind of machine, the lowest first.
template <class Number>
void append_bytes(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace dalembert
