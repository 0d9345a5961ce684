// .csv: a line for each run.
//
//   case,rod,max(force) [N],outcome,steps,message
//   1,0.3,12.5,ok,31,
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
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

SweepRow read_row(const std::string& path, const SweepResult& result, const std::string& text,
                  std::size_t number) {
  const std::size_t results = result.task.quantities.size(), names = result.task.design.names.size();
  if (number >= result.task.design.cases.size() || text.rfind(front(result, number), 0) != 0)
    another(path, number + 2);
  const auto all = csv_cells(text);
  if (all.size() != 1 + names + results + 3) another(path, number + 2);
  SweepRow row;
  row.number = number;
  for (std::size_t i = 0; i < results; ++i)
    row.values.push_back(number_in(all[1 + names + i]).value_or(std::numeric_limits<double>::quiet_NaN()));
  row.outcome = all[1 + names + results];
  row.steps = static_cast<std::int64_t>(number_in(all[2 + names + results]).value_or(0));
  row.message = all[3 + names + results];
  return row;
}

class CsvSweep final : public SweepFile {
 public:
  CsvSweep(std::string path, const SweepResult& result)
      : path_(std::move(path)), result_(result), file_(path_, std::ios::binary) {
    file_ << head(result_);
    for (const SweepRow& row : result_.rows) file_ << line(result_, row);
    check();
  }
  void write(const SweepRow& row) override {
    file_ << line(result_, row);
    check();
  }
  void close() override {
    file_.close();
    check();
  }

 private:
  void check() {
    file_.flush();
    if (!file_)
      throw Error("'" + path_ + "' cannot be written", "is there room on the disk, and may you write there?");
  }

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
    if (number > 0) result.rows.push_back(read_row(path, result, text, number - 1));
  }
}

}  // namespace dalembert
