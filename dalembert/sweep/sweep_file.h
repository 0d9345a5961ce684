// The rows of a sweep in a file, as they come: .csv for every program there is, .h5 for large ones. Both are complete as far as
// the sweep has come, and can be read back, so that a sweep goes on where it was interrupted.
#pragma once

#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/sweep/sweep.h"

namespace dalembert {

struct SweepResult {
  std::string subject{};  ///< "four-bar.toml"
  std::string program{};  ///< with its version
  SweepTask task{};
  std::vector<std::string> units{};  ///< of the quantities
  std::vector<SweepRow> rows{};
};

/// Every function throws Error if the file cannot be written.
class SweepFile {
 public:
  virtual ~SweepFile() = default;
  virtual void write(const SweepRow&) = 0;
  virtual void close() = 0;
};

/// By the suffix of the name. Keeps the rows that the result has already; it must outlive the file. Throws Error.
std::unique_ptr<SweepFile> open_sweep_file(const std::string& path, const SweepResult&);
/// The rows that a file has, as far as they are whole; none if there is no file. Throws Error if they are of another sweep.
void read_rows(const std::string& path, SweepResult&);

/// Rows that are made before others that they come after: beside the file, in "NAME.ahead", as lines of .csv. They stay there until the sweep
/// is complete, so that nothing that was made is lost with a process.
class RowsAhead {
 public:
  /// The result must outlive it.
  RowsAhead(const std::string& path, const SweepResult&);
  void add(const SweepRow&);
  /// What is there, by number; without those that the result has, and without lines of another sweep.
  std::map<std::size_t, SweepRow> read() const;
  void forget();

 private:
  std::string path_;
  const SweepResult& result_;
  std::ofstream file_;
};

// One format each.
std::unique_ptr<SweepFile> open_csv_sweep(const std::string& path, const SweepResult&);
void read_csv_sweep(const std::string& path, SweepResult&);
std::unique_ptr<SweepFile> open_hdf5_sweep(const std::string& path, const SweepResult&);
void read_hdf5_sweep(const std::string& path, SweepResult&);

}  // namespace dalembert
