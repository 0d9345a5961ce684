// .csv: comma separated values, a line for each output time.
//
//   t [s],q.x [m],q.y [m],...       names and units; no brackets where there is no unit
//   0,1,0.05,...                    the shortest digits that read back as the same number; what is not known (NaN) is left empty
//
// With units in a line of their own:  t,q.x,q.y  and below it  s,m,m.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/files/run_file.h"

namespace dalembert {

namespace {

std::string header(const std::vector<Column>& columns, const FileOptions& options) {
  const bool own_line = options.units == FileOptions::Units::second_line;
  const bool safe = options.names == FileOptions::Names::safe;
  const std::vector<std::string> short_names = safe ? safe_names(columns) : std::vector<std::string>{};
  std::string names, units;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const std::string comma = i == 0 ? "" : ",";
    const std::string name = safe       ? short_names[i]
                             : own_line ? column.name
                                        : with_unit(column.name, column.unit);
    names += comma + csv_cell(name);
    units += comma + csv_cell(column.unit);
  }
  return names + "\n" + (own_line ? units + "\n" : "");
}

/// What the file held before is lost with the first line, not earlier: the call may still be wrong.
class CsvFile final : public RunFile {
 public:
  CsvFile(std::filesystem::path path, const RunHead& head, const FileOptions& options)
      : path_(std::move(path)) {
    std::error_code none;
    made_ = !std::filesystem::exists(path_, none);
    try {
      open(std::ios::app);
    } catch (const Error& error) {
      throw Error(error.what(), "name a file in a directory that exists and can be written");
    }
    header_ = header(head.columns, options);
  }

  void row(const std::vector<double>& values) override {
    line_.clear();
    for (const double x : values) {
      if (!line_.empty()) line_ += ',';
      if (!std::isnan(x)) fmt::format_to(std::back_inserter(line_), "{}", x);
    }
    line_ += '\n';
    write(line_);
  }
  ~CsvFile() override {
    std::error_code none;
    if (made_ && !header_.empty()) std::filesystem::remove(path_, none);
  }
  void close() override {}
  void conclude(const RunEnd&) override {
    if (!header_.empty()) write({});
  }

 private:
  void open(std::ios::openmode mode) {
    errno = 0;
    file_.open(path_, std::ios::out | mode);
    if (!file_) throw Error("cannot write '" + path_.string() + "': " + std::strerror(errno));
  }
  /// Flushes line by line, so that a full disk is noticed at the line it cuts and an interrupted file has whole lines.
  void write(const std::string& line) {
    if (!header_.empty()) {
      file_.close();
      open(std::ios::trunc);
    }
    errno = 0;
    const std::size_t size = header_.size() + line.size();
    file_ << std::exchange(header_, {}) << line << std::flush;
    check();
    whole_ += size;
  }
  /// A line that was cut off is taken away again: half a number is a wrong one.
  void check() {
    if (file_) return;
    const std::string why = std::strerror(errno);
    file_.close();
    std::error_code none;
    if (std::filesystem::is_regular_file(path_, none) && std::filesystem::file_size(path_, none) > whole_)
      std::filesystem::resize_file(path_, whole_, none);
    throw Error("cannot write '" + path_.string() + "': " + why);
  }

  std::filesystem::path path_;
  std::ofstream file_;
  std::string header_, line_;  // the header until it is written
  bool made_ = false;          // there was no such file before
  std::uintmax_t whole_ = 0;   // bytes of whole lines
};

}  // namespace

std::vector<FileFormat> formats_in_csv_file() {
  return {{".csv", "comma separated values, a line for each output time",
           [](const std::filesystem::path& path, const RunHead& head, const FileOptions& options) {
             return std::make_unique<CsvFile>(path, head, options);
           }}};
}

}  // namespace dalembert
