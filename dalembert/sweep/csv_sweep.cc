// .csv: a line for each run.
//
//   case,rod,max(force) [N],outcome,steps,message
//   1,0.3,12.5,ok,31,
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/sweep/sweep_file.h"

namespace dalembert {

namespace {

std::string head(const SweepResult& result) {
  std::string line = "case";
  for (const auto& name : result.task.design.names) line += "," + csv_cell(name);
  for (std::size_t i = 0; i < result.units.size(); ++i)
    line += "," + csv_cell(with_unit(result.task.quantities[i].name(), result.units[i]));
  return line + ",outcome,steps,message\n";
}

/// What says which case it is, in front of its results.
std::string front(const SweepResult& result, std::size_t number) {
  std::string line = std::to_string(number + 1);
  for (const double value : result.task.design.cases[number]) line += "," + full_number(value);
  return line + ",";
}

std::string line(const SweepResult& result, const SweepRow& row) {
  std::string out = front(result, row.number);
  for (const double value : row.values) out += (std::isnan(value) ? "" : full_number(value)) + ",";
  return out + row.outcome + "," + std::to_string(row.steps) + "," + csv_cell(row.message) + "\n";
}

[[noreturn]] void another(const std::string& path, std::size_t number) {
  throw Error(path + ":" + std::to_string(number) + ":1: this line is not of the same sweep",
              "resume with the call that wrote the file, or name another file");
}

/// Nothing if the line is not of this case.
std::optional<SweepRow> read_row(const SweepResult& result, const std::string& text, std::size_t number) {
  const std::size_t results = result.task.quantities.size(), names = result.task.design.names.size();
  if (number >= result.task.design.cases.size() || text.rfind(front(result, number), 0) != 0) return {};
  const auto all = csv_cells(text);
  if (all.size() != 1 + names + results + 3) return {};
  SweepRow row;
  row.number = number;
  for (std::size_t i = 0; i < results; ++i)
    row.values.push_back(number_in(all[1 + names + i]).value_or(std::numeric_limits<double>::quiet_NaN()));
  row.outcome = all[1 + names + results];
  row.steps = static_cast<std::int64_t>(number_in(all[2 + names + results]).value_or(0));
  row.message = all[3 + names + results];
  return row;
}

/// Where the line begins that follows these many.
std::uintmax_t length_of(const std::string& path, std::size_t lines) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::uintmax_t length = 0;
  for (std::size_t k = 0; k < lines && std::getline(file, text); ++k) length += text.size() + 1;
  return length;
}

/// Lines that the file has stay where they are: on a full disk they could not be written again.
class CsvSweep final : public SweepFile {
 public:
  CsvSweep(std::string path, const SweepResult& result) : path_(std::move(path)), result_(result) {
    if (result_.rows.empty()) {
      file_.open(path_, std::ios::binary);
      add(head(result_));
    } else {
      whole_ = length_of(path_, result_.rows.size() + 1);
      cut();
      file_.open(path_, std::ios::binary | std::ios::app);
      check();
    }
  }
  void write(const SweepRow& row) override { add(line(result_, row)); }
  void close() override {
    if (!file_.is_open()) return;
    file_.close();
    check();
  }

 private:
  void add(const std::string& text) {
    file_ << text;
    check();
    whole_ += text.size();
  }
  /// Part of a line is left where there was no room for it: without it the file can be gone on with.
  void cut() const {
    std::error_code none;
    std::filesystem::resize_file(path_, whole_, none);
  }
  void check() {
    file_.flush();
    if (file_) return;
    file_.close();
    if (whole_ > 0) cut();
    throw Error("'" + path_ + "' cannot be written", "is there room on the disk, and may you write there?");
  }

  std::uintmax_t whole_ = 0;  // bytes, of lines that are there
  std::string path_;
  const SweepResult& result_;
  std::ofstream file_;
};

}  // namespace

std::unique_ptr<SweepFile> open_csv_sweep(const std::string& path, const SweepResult& result) {
  return std::make_unique<CsvSweep>(path, result);
}

void read_csv_sweep(const std::string& path, SweepResult& result) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return;
  const std::string all((std::istreambuf_iterator<char>(file)), {});
  std::size_t begin = 0;
  for (std::size_t number = 0, end; (end = all.find('\n', begin)) != std::string::npos;
       begin = end + 1, ++number) {
    const std::string text = all.substr(begin, end - begin);
    if (number == 0 && text + "\n" != head(result)) another(path, 1);
    if (number == 0) continue;
    auto row = read_row(result, text, number - 1);
    if (!row) another(path, number + 1);
    result.rows.push_back(std::move(*row));
  }
}

RowsAhead::RowsAhead(const std::string& path, const SweepResult& result)
    : path_(path + ".ahead"), result_(result) {}

void RowsAhead::add(const SweepRow& row) {
  if (!file_.is_open()) file_.open(path_, std::ios::binary | std::ios::app);
  file_ << line(result_, row) << std::flush;  // where there is no room for it, it is made again
}

std::map<std::size_t, SweepRow> RowsAhead::read() const {
  std::map<std::size_t, SweepRow> all;
  std::ifstream file(path_, std::ios::binary);
  for (std::string text;
       std::getline(file, text) && !file.eof();) {  // the last line is whole if another begins
    const auto number = number_in(text.substr(0, text.find(',')));
    if (!number || !(*number >= 1 && *number < 1e15)) continue;
    const auto k = static_cast<std::size_t>(*number) - 1;
    if (auto row = read_row(result_, text, k); row && k >= result_.rows.size())
      all.insert_or_assign(k, std::move(*row));
  }
  return all;
}

void RowsAhead::forget() {
  file_.close();
  std::error_code none;
  std::filesystem::remove(path_, none);
}

}  // namespace dalembert
