#include "dalembert/observe/csv_writer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "dalembert/core/error.h"

namespace dalembert {

namespace {

/// A label with a comma or a quote is quoted, as RFC 4180 wants it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string header(const Layout& layout, const std::vector<Watch>& watches) {
  std::string line = "t [s]";
  const auto add = [&](const std::string& name, const std::string& unit) {
    line += "," + field(name + (unit.empty() ? "" : " [" + unit + "]"));
  };
  for (const auto& block : layout.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i)
      add(layout.label(block.offset + i), block.units[static_cast<std::size_t>(i)]);
  for (const Watch& watch : watches) add(watch.name, watch.unit);
  return line + "\n";
}

}  // namespace

CsvWriter::CsvWriter(std::filesystem::path path, const Layout& report, std::vector<Watch> watches)
    : path_(std::move(path)), watches_(std::move(watches)) {
  open(std::ios::app);
  if (!trouble_.empty()) throw Error(trouble_, "name a file in a directory that exists and can be written");
  header_ = header(report, watches_);
}

void CsvWriter::output(const State& state) {
  if (!trouble_.empty()) return;
  line_.clear();
  fmt::format_to(std::back_inserter(line_), "{:.17g}", state.t);
  for (const double x : state.y) append(x);
  for (const Watch& watch : watches_) append(watch.value(state));
  line_ += '\n';
  write(line_);
}

void CsvWriter::append(double x) {
  line_ += ',';
  if (!std::isnan(x)) fmt::format_to(std::back_inserter(line_), "{:.17g}", x);
}

void CsvWriter::end() {
  if (trouble_.empty()) write({});
}

void CsvWriter::open(std::ios::openmode mode) {
  errno = 0;
  file_.open(path_, std::ios::out | mode);
  if (!file_) trouble_ = "cannot write '" + path_.string() + "': " + std::strerror(errno);
}

/// Flushes line by line, so that a full disk is noticed at the line it cuts and an interrupted file has whole
/// lines.
void CsvWriter::write(const std::string& line) {
  if (!header_.empty()) {
    file_.close();
    open(std::ios::trunc);
    if (!trouble_.empty()) return;
  }
  errno = 0;
  file_ << std::exchange(header_, {}) << line << std::flush;
  if (!file_) trouble_ = "cannot write '" + path_.string() + "': " + std::strerror(errno);
}

}  // namespace dalembert
