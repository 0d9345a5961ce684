// .h5: an HDF5 file that survives its run: at every moment it is a complete file with all rows but those of the last seconds.
// What is where in the file is said in docs/files.md.
#include <algorithm>

#include "dalembert/core/error.h"
#include "dalembert/observe/files/run_file.h"
#ifdef DALEMBERT_HAS_HDF5
#include "dalembert/observe/files/surviving_file.h"
#endif

namespace dalembert {

#ifdef DALEMBERT_HAS_HDF5

namespace {

constexpr long long layout_version = 1;
constexpr std::size_t most_waiting = 64 << 20;  // bytes of rows, however short the time is

class Hdf5File final : public RunFile {
 public:
  Hdf5File(const std::filesystem::path& path, RunHead head, const FileOptions& options)
      : head_(std::move(head)),
        file_(path,
              options.resume_after ? hdf5::SurvivingFile::Begin::with_what_is_there
                                   : hdf5::SurvivingFile::Begin::new_file,
              options.seconds) {
    if (options.resume_after) commit(0, [&](hid_t file) { cut(file, *options.resume_after); });
  }

  void row(const std::vector<double>& values) override {
    times_.push_back(values.front());
    values_.insert(values_.end(), values.begin() + 1, values.end());
    if (file_.is_new() || values_.size() * sizeof(double) > most_waiting) keep();
  }
  void event(const EventRecord& event) override { events_.push_back(event); }
  void tried(const TriedStep& step) override {
    steps_.insert(steps_.end(), {step.t, step.h, step.error, step.order, static_cast<double>(step.fate)});
  }
  void reading(const Monitor::Reading& r) override {
    readings_.insert(readings_.end(), {r.t, r.position, r.velocity, r.energy, r.work});
  }
  bool due() const override { return file_.due(); }
  void checkpoint(const Checkpoint& here, const std::string& beside) override {
    commit(here.memory.size() + beside.size(), [&](hid_t file) {
      const hdf5::Handle group = hdf5::group(file, "checkpoint");
      hdf5::set_attribute(group, "t", here.t);
      hdf5::set_attribute(group, "program", head_.program);
      hdf5::set_bytes(group, "memory", here.memory);
      hdf5::set_bytes(group, "beside", beside);
    });
  }
  void keep() override {
    commit(0, [](hid_t) {});
  }
  void close() override {
    if (!times_.empty() || !events_.empty()) keep();
  }
  void conclude(const RunEnd& end) override {
    commit(2 * end.report.size(), [&](hid_t file) { write_end(file, end); });
  }

 private:
  /// The rows that wait, and more of so many bytes.
  template <class More>
  void commit(std::size_t bytes, More&& more) {
    const std::size_t numbers = times_.size() + values_.size() + steps_.size() + readings_.size();
    file_.commit(4 * bytes + 2 * sizeof(double) * numbers + 4 * head_bytes(), [&](hid_t file) {
      if (file_.is_new()) write_head(file);
      write_rows(file);
      more(file);
    });
    times_.clear(), values_.clear(), events_.clear(), steps_.clear(), readings_.clear();
  }

  std::size_t head_bytes() const {
    std::size_t all = 0;
    for (const auto& source : head_.sources) all += source.text.size();
    for (const auto& column : head_.columns) all += column.name.size() + column.unit.size() + 64;
    return all;
  }

  void write_head(hid_t file) const {
    hdf5::set_attribute(file, "dalembert", std::string("run"));
    hdf5::set_attribute(file, "layout", layout_version);
    hdf5::set_attribute(file, "program", head_.program);
    hdf5::set_attribute(file, "subject", head_.subject);
    hdf5::set_attribute(file, "title", head_.title);
    hdf5::set_attribute(file, "folder", head_.folder);
    hdf5::set_attribute(file, "state", std::string("running"));
    hdf5::append(file, "arguments", head_.arguments);
    const hdf5::Handle sources = hdf5::group(file, "sources"), settings = hdf5::group(file, "settings"),
                       outputs = hdf5::group(file, "outputs");
    for (const auto& source : head_.sources) {
      hdf5::append(sources, "name", std::vector{source.name});
      hdf5::append(sources, "text", std::vector{source.text});
    }
    for (const auto& [name, value] : head_.settings) hdf5::set_attribute(settings, name, value);
    std::vector<std::string> names, units, groups;
    for (auto column = head_.columns.begin() + 1; column != head_.columns.end(); ++column) {
      names.push_back(column->name);
      units.push_back(column->unit);
      groups.push_back(column->group);
    }
    hdf5::append(outputs, "names", names);
    hdf5::append(outputs, "units", units);
    hdf5::append(outputs, "groups", groups);
  }

  void write_rows(hid_t file) const {
    const hdf5::Handle outputs = hdf5::group(file, "outputs"), events = hdf5::group(file, "events");
    hdf5::append(outputs, "t", times_, 0);
    hdf5::append(outputs, "values", values_, head_.columns.size() - 1);
    std::vector<double> t;
    std::vector<std::string> names;
    for (const auto& event : events_) t.push_back(event.t), names.push_back(event.name);
    hdf5::append(events, "t", t, 0);
    hdf5::append(events, "name", names);
    hdf5::append(file, "steps", steps_, 5);
    hdf5::append(file, "readings", readings_, 5);
  }

  static void cut(hid_t file, double after) {
    const auto cut_group = [&](const char* name, std::initializer_list<const char*> arrays) {
      const hdf5::Handle group = hdf5::group(file, name);
      const std::vector<double> t = hdf5::numbers(group, "t");
      const auto kept = static_cast<std::size_t>(std::upper_bound(t.begin(), t.end(), after) - t.begin());
      for (const char* array : arrays) hdf5::set_rows(group, array, kept);
    };
    cut_group("outputs", {"t", "values"});
    cut_group("events", {"t", "name"});
    // A step is known by where it began, a reading by where it was taken.
    const auto cut_table = [&](const char* name, auto&& belongs) {
      const std::vector<double> all = hdf5::numbers(file, name);
      std::size_t kept = 0;
      while (5 * kept < all.size() && belongs(all[5 * kept])) ++kept;
      hdf5::set_rows(file, name, kept);
    };
    cut_table("steps", [&](double t) { return t < after; });
    cut_table("readings", [&](double t) { return t <= after; });
    hdf5::set_attribute(file, "state", std::string("running"));
    if (hdf5::exists(file, "summary"))
      hdf5::check(hdf5::h5().H5Ldelete(file, "summary", H5P_DEFAULT), "write 'summary'");
  }

  /// As read_result() takes it; the report says the same to others.
  static std::string verdict_bytes(const RunEnd& end) {
    Memory memory;
    auto testimony = end.summary.testimony;
    auto drift = end.drift;
    auto energy = end.energy;
    auto redundancy = end.summary.redundancy;
    memory(testimony, drift, energy, redundancy);
    return memory.bytes();
  }

  static void write_end(hid_t file, const RunEnd& end) {
    const Summary& s = end.summary;
    if (hdf5::exists(file, "summary"))
      hdf5::check(hdf5::h5().H5Ldelete(file, "summary", H5P_DEFAULT), "write 'summary'");
    const hdf5::Handle summary = hdf5::group(file, "summary"),
                       statistics = hdf5::group(summary, "statistics"),
                       passages = hdf5::group(summary, "passages"), changes = hdf5::group(summary, "changes");
    const auto text = [&](const char* name, const std::string& value) {
      hdf5::set_attribute(summary, name, value);
    };
    text("outcome", std::string(name(s.outcome)));
    text("message", s.message);
    text("formulation", s.formulation);
    text("method", s.method);
    text("why", s.why);
    text("start", s.start_message);
    hdf5::set_attribute(summary, "t", s.state.t);
    hdf5::set_attribute(summary, "seconds", s.seconds);
    hdf5::append(summary, "warnings", s.warnings);
    hdf5::append(summary, "report", std::vector{end.report});
    hdf5::set_bytes(summary, "memory", verdict_bytes(end));
    s.statistics.each([&](const char* field, std::int64_t count, const char*) {
      hdf5::set_attribute(statistics, field, static_cast<long long>(count));
    });
    for (const auto& passage : s.crossings) {
      std::string rows;
      for (const auto& row : passage.rows) rows += (rows.empty() ? "" : " ") + row;
      hdf5::append(passages, "t", {passage.t}, 0);
      hdf5::append(passages, "rows", std::vector{rows});
      hdf5::append(passages, "how", std::vector{passage.how});
    }
    for (const auto& change : s.changes) {
      hdf5::append(changes, "t", {change.t}, 0);
      hdf5::append(changes, "formulation", std::vector{change.formulation});
      hdf5::append(changes, "method", std::vector{change.method});
      hdf5::append(changes, "why", std::vector{change.why});
    }
    hdf5::set_attribute(file, "state", std::string("ended"));
  }

  const RunHead head_;
  hdf5::SurvivingFile file_;
  std::vector<double> times_, values_;  // that are not in the file yet
  std::vector<EventRecord> events_;
  std::vector<double> steps_, readings_;  // five numbers each
};

}  // namespace

#endif

std::vector<FileFormat> formats_in_hdf5_file() {
  return {{".h5", "HDF5: rows, events, settings and summary; survives its run, which can be resumed",
           [](const std::filesystem::path& path, const RunHead& head,
              const FileOptions& options) -> std::unique_ptr<RunFile> {
#ifdef DALEMBERT_HAS_HDF5
             return std::make_unique<Hdf5File>(path, head, options);
#else
             (void)head, (void)options;
             throw Error("'" + path.string() + "' cannot be written: this program was built without HDF5",
                         "install libhdf5-dev and build it again, or take .csv, .npz or .mat");
#endif
           }}};
}

}  // namespace dalembert
