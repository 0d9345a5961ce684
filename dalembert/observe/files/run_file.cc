#include "dalembert/observe/files/run_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>

#include "dalembert/core/error.h"

namespace dalembert {

namespace fs = std::filesystem;

std::vector<Column> columns_of(const Layout& report, const std::vector<Watch>& watches) {
  std::vector<Column> all = {{"t", "s", ""}};
  for (const auto& block : report.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i)
      all.push_back({report.label(block.offset + i), block.units[static_cast<std::size_t>(i)], block.name});
  for (const Watch& watch : watches) all.push_back({watch.name, watch.unit, "watch"});
  return all;
}

std::vector<std::string> safe_names(const std::vector<Column>& columns) {
  constexpr std::size_t longest = 63;                              // of a name in MATLAB
  std::set<std::string> taken = {"column_names", "column_units"};  // which stand beside them in some files
  std::vector<std::string> all;
  for (const Column& column : columns) {
    std::string name;
    for (const char c : column.name) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'), digit = c >= '0' && c <= '9';
      if (c == '\'')
        name += "_dot";
      else if (letter || digit)
        name += c;
      else if (!name.empty() && name.back() != '_')
        name += '_';
    }
    while (!name.empty() && name.back() == '_') name.pop_back();
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "x" + name;
    std::string one = name.substr(0, longest);
    for (int k = 2; !taken.insert(one).second; ++k) {
      const std::string number = "_" + std::to_string(k);
      one = name.substr(0, longest - number.size()) + number;
    }
    all.push_back(one);
  }
  return all;
}

const FileFormat& find_format(const fs::path& path) {
  const std::string suffix = path.extension().string();
  std::string known;
  for (const FileFormat& format : all_formats()) {
    if (format.suffix == suffix) return format;
    known += (known.empty() ? "" : ", ") + format.suffix;
  }
  throw Error("files of kind '" + suffix + "' are not written", "end the name in one of " + known);
}

fs::path behind_links(const fs::path& path) {
  std::error_code trouble;
  const fs::path target = fs::weakly_canonical(fs::absolute(path, trouble), trouble);
  return trouble ? path : target;
}

namespace {

void write_all(const fs::path& path, const std::string& bytes, const fs::path& named) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw Error("cannot write '" + named.string() + "': " + std::strerror(errno));
}

}  // namespace

void replace_file(const fs::path& path, const std::string& bytes) {
  const fs::path target = behind_links(path);
  std::error_code none;
  if (fs::exists(target, none) && !fs::is_regular_file(target, none)) return write_all(target, bytes, path);
  const fs::path part = target.string() + ".part";
  try {
    write_all(part, bytes, path);
    fs::rename(part, target);
  } catch (...) {
    fs::remove(part, none);
    throw;
  }
}

FileWriter::FileWriter(const fs::path& path, RunHead head, std::vector<Watch> watches,
                       const FileOptions& options)
    : watches_(std::move(watches)), file_(find_format(path).open(path, head, options)) {}

FileWriter::FileWriter(const fs::path& path, const Layout& report, std::vector<Watch> watches,
                       const FileOptions& options)
    : FileWriter(path, RunHead{.columns = columns_of(report, watches)}, watches, options) {}

/// What a disk does not take ends the run, and nothing more is written.
template <class Write>
void FileWriter::attempt(Write&& write) {
  if (!trouble_.empty()) return;
  try {
    write();
  } catch (const Error& error) {
    trouble_ = error.what();
  }
}

void FileWriter::remember(Memory& memory) {
  for (const Watch& watch : watches_)
    if (watch.remember) watch.remember(memory);
  if (monitor_ != nullptr) monitor_->remember(memory);
}

void FileWriter::begin(const Problem&, const State&) {
  if (put_back_.empty()) return;
  Memory memory(std::exchange(put_back_, {}));
  remember(memory);
}

void FileWriter::tried(const TriedStep& step) {
  attempt([&] { file_->tried(step); });
}

void FileWriter::step(const StepView& step) {
  for (const Watch& watch : watches_)
    if (watch.follow) watch.follow(step);
  if (monitor_ != nullptr) attempt([&] { file_->reading(monitor_->reading()); });
  const bool waited =
      std::exchange(waits_, file_->due()) && waits_;  // a checkpoint would have come since it was due
  if (waited) attempt([&] { file_->keep(); });
}

void FileWriter::output(const State& state) {
  row_.assign(1, state.t);
  row_.insert(row_.end(), state.y.begin(), state.y.end());
  for (const Watch& watch : watches_) row_.push_back(watch.value(state));
  attempt([&] { file_->row(row_); });
}

void FileWriter::event(const EventRecord& event, const State&) {
  attempt([&] { file_->event(event); });
}

bool FileWriter::wants_checkpoint() const {
  return trouble_.empty() && file_->due();
}

void FileWriter::checkpoint(const Checkpoint& here) {
  waits_ = false;
  Memory beside;
  remember(beside);
  attempt([&] { file_->checkpoint(here, beside.bytes()); });
}

void FileWriter::end() {
  attempt([&] { file_->close(); });
}

void FileWriter::repeat(const std::vector<double>& times, const std::vector<double>& values, double until) {
  const std::size_t columns = times.empty() ? 0 : values.size() / times.size();
  for (std::size_t i = 0; i < times.size() && times[i] <= until; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * columns);
    row_.assign(1, times[i]);
    row_.insert(row_.end(), first, first + static_cast<std::ptrdiff_t>(columns));
    attempt([&] { file_->row(row_); });
  }
}

void FileWriter::conclude(RunEnd end) {
  if (monitor_ != nullptr) end.drift = monitor_->drift(), end.energy = monitor_->energy();
  attempt([&] { file_->conclude(end); });
}

}  // namespace dalembert
