// .h5: what was varied and what came out as two arrays of numbers, a row for each run. What is where is said in docs/sweeps.md.
#include <algorithm>
#include <span>

#include "dalembert/core/error.h"
#include "dalembert/sweep/sweep_file.h"
#ifdef DALEMBERT_HAS_HDF5
#include "dalembert/observe/files/surviving_file.h"
#endif

namespace dalembert {

#ifdef DALEMBERT_HAS_HDF5

namespace {

std::vector<std::string> names_of(const std::vector<Quantity>& quantities) {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities) names.push_back(quantity.name());
  return names;
}

class Hdf5Sweep final : public SweepFile {
 public:
  Hdf5Sweep(const std::string& path, const SweepResult& result)
      : result_(result), waiting_(result.rows), file_(path, hdf5::SurvivingFile::Begin::new_file, 2) {
    commit(waiting_.size());  // all that was there, or the file stays as it was
  }
  void write(const SweepRow& row) override {
    waiting_.push_back(row);
    if (file_.due()) commit();
  }
  void close() override {
    if (!waiting_.empty()) commit();
  }

 private:
  /// Where there is no room for all rows that wait, as many are written as there is room for.
  void commit() {
    try {
      commit(waiting_.size());
    } catch (const Error&) {
      for (std::size_t part = waiting_.size() / 2; part > 0; part /= 2) try {
          commit(std::min(part, waiting_.size()));
        } catch (const Error&) {
          continue;  // with less
        }
      throw;
    }
  }

  void commit(std::size_t count) {
    const std::span<const SweepRow> rows(waiting_.data(), count);
    std::size_t bytes = 4096 * (result_.units.size() + result_.task.design.names.size());
    for (const SweepRow& row : rows)  // texts lie in a heap of the library, in pieces
      bytes += 1024 + 16 * (row.values.size() + result_.task.design.names.size()) + 4 * row.message.size();
    file_.commit(bytes, [&](hid_t file) {
      if (file_.is_new()) write_head(file);
      write_rows(file, rows);
    });
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void write_head(hid_t file) const {
    hdf5::set_attribute(file, "dalembert", std::string("sweep"));
    hdf5::set_attribute(file, "layout", 1LL);
    hdf5::set_attribute(file, "program", result_.program);
    hdf5::set_attribute(file, "subject", result_.subject);
    hdf5::set_attribute(file, "cases", static_cast<long long>(result_.task.design.cases.size()));
    const hdf5::Handle varied = hdf5::group(file, "varied"), results = hdf5::group(file, "results");
    hdf5::append(varied, "names", result_.task.design.names);
    hdf5::append(results, "names", names_of(result_.task.quantities));
    hdf5::append(results, "units", result_.units);
  }

  void write_rows(hid_t file, std::span<const SweepRow> rows) const {
    const hdf5::Handle varied = hdf5::group(file, "varied"), results = hdf5::group(file, "results"),
                       runs = hdf5::group(file, "runs");
    std::vector<double> values, came_out, steps;
    std::vector<std::string> outcomes, messages;
    for (const SweepRow& row : rows) {
      const auto& c = result_.task.design.cases[row.number];
      values.insert(values.end(), c.begin(), c.end());
      came_out.insert(came_out.end(), row.values.begin(), row.values.end());
      steps.push_back(static_cast<double>(row.steps));
      outcomes.push_back(row.outcome);
      messages.push_back(row.message);
    }
    hdf5::append(varied, "values", values, result_.task.design.names.size());
    hdf5::append(results, "values", came_out, result_.units.size());
    hdf5::append(runs, "steps", steps, 0);
    hdf5::append(runs, "outcome", outcomes);
    hdf5::append(runs, "message", messages);
  }

  const SweepResult& result_;
  std::vector<SweepRow> waiting_;
  hdf5::SurvivingFile file_;
};

void read(hid_t file, SweepResult& result) {
  const Design& design = result.task.design;
  const hdf5::Handle varied = hdf5::group(file, "varied"), results = hdf5::group(file, "results"),
                     runs = hdf5::group(file, "runs");
  const std::vector<double> values = hdf5::numbers(varied, "values"),
                            came_out = hdf5::numbers(results, "values"), steps = hdf5::numbers(runs, "steps");
  const auto outcomes = hdf5::texts(runs, "outcome"), messages = hdf5::texts(runs, "message");
  const std::size_t width = design.names.size(), wide = result.units.size();
  bool same = hdf5::texts(varied, "names") == design.names &&
              hdf5::texts(results, "names") == names_of(result.task.quantities) &&
              steps.size() <= design.cases.size() && values.size() == steps.size() * width &&
              came_out.size() == steps.size() * wide && outcomes.size() == steps.size() &&
              messages.size() == steps.size();
  for (std::size_t i = 0; same && i < values.size(); ++i)
    same = values[i] == design.cases[i / width][i % width];
  if (!same)
    throw Error("its runs are not of the same sweep",
                "resume with the call that wrote the file, or name another file");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto first = came_out.begin() + static_cast<std::ptrdiff_t>(i * wide);
    result.rows.push_back({.number = i,
                           .values = {first, first + static_cast<std::ptrdiff_t>(wide)},
                           .outcome = outcomes[i],
                           .message = messages[i],
                           .steps = static_cast<std::int64_t>(steps[i])});
  }
}

}  // namespace

std::unique_ptr<SweepFile> open_hdf5_sweep(const std::string& path, const SweepResult& result) {
  return std::make_unique<Hdf5Sweep>(path, result);
}

void read_hdf5_sweep(const std::string& path, SweepResult& result) {
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle file = hdf5::open_file(path, H5F_ACC_RDONLY);
    if (hdf5::text_attribute(file, "dalembert") != "sweep")
      throw Error("it was not written by dalembert sweep", "name another file");
    read(file, result);
  } catch (const hdf5::Failure& failure) {
    throw Error("'" + path + "' cannot be read: " + failure.why(), "name another file");
  } catch (const Error& error) {
    throw Error("'" + path + "': " + error.what(), error.hint());
  }
}

#else

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw Error("'" + path + "' cannot be written: this program was built without HDF5",
              "install libhdf5-dev and build it again, or take .csv");
}

}  // namespace

std::unique_ptr<SweepFile> open_hdf5_sweep(const std::string& path, const SweepResult&) {
  refuse(path);
}
void read_hdf5_sweep(const std::string& path, SweepResult&) {
  refuse(path);
}

#endif

}  // namespace dalembert
