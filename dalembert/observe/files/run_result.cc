#include "dalembert/observe/files/run_result.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#ifdef DALEMBERT_HAS_HDF5
#include "dalembert/observe/files/hdf5.h"
#endif

namespace dalembert {

#ifdef DALEMBERT_HAS_HDF5

namespace {

RunHead read_head(hid_t file) {
  RunHead head{.columns = {{"t", "s", ""}}};
  head.program = hdf5::text_attribute(file, "program");
  head.subject = hdf5::text_attribute(file, "subject");
  head.title = hdf5::text_attribute(file, "title");
  head.folder = hdf5::text_attribute(file, "folder");
  head.arguments = hdf5::texts(file, "arguments");
  const hdf5::Handle sources = hdf5::group(file, "sources"), outputs = hdf5::group(file, "outputs");
  if (hdf5::exists(sources, "name")) {
    const auto names = hdf5::texts(sources, "name"), texts = hdf5::texts(sources, "text");
    for (std::size_t i = 0; i < names.size() && i < texts.size(); ++i)
      head.sources.push_back({names[i], texts[i]});
  }
  const auto names = hdf5::texts(outputs, "names"), units = hdf5::texts(outputs, "units"),
             groups = hdf5::texts(outputs, "groups");
  if (units.size() != names.size() || groups.size() != names.size())
    throw Error("its columns have no units or groups", "it is damaged");
  for (std::size_t i = 0; i < names.size(); ++i) head.columns.push_back({names[i], units[i], groups[i]});
  return head;
}

Outcome outcome_named(const std::string& text) {
#define X(field, meaning) \
  if (text == #field) return Outcome::field;
  DALEMBERT_OUTCOMES(X)
#undef X
  throw Error("its outcome '" + text + "' is none that there is", "it is damaged, or of another version");
}

/// Blocks as the columns name them; watches are none.
Layout layout_of(const std::vector<RecordColumn>& columns) {
  Layout layout;
  for (auto first = columns.begin(); first != columns.end();) {
    auto last = first;
    std::vector<std::string> labels, units;
    for (; last != columns.end() && last->group == first->group; ++last) {
      labels.push_back(last->name.substr(std::min(last->name.size(), last->group.size() + 1)));
      units.push_back(last->unit);
    }
    if (first->group != "watch") {
      const auto size = static_cast<Eigen::Index>(labels.size());
      layout.add(first->group, size, Role::differential, 0, labels, units);
    }
    first = last;
  }
  return layout;
}

void read_summary(hid_t file, RunResult& result) {
  const hdf5::Handle summary = hdf5::group(file, "summary"), counters = hdf5::group(summary, "statistics"),
                     passages = hdf5::group(summary, "passages"), changes = hdf5::group(summary, "changes");
  Summary& s = result.record.summary;
  s.outcome = outcome_named(hdf5::text_attribute(summary, "outcome"));
  s.message = hdf5::text_attribute(summary, "message");
  s.formulation = hdf5::text_attribute(summary, "formulation");
  s.method = hdf5::text_attribute(summary, "method");
  s.why = hdf5::text_attribute(summary, "why");
  s.start_message = hdf5::text_attribute(summary, "start");
  s.seconds = hdf5::number_attribute(summary, "seconds");
  s.warnings = hdf5::texts(summary, "warnings");
#define X(field, meaning) \
  s.statistics.field = static_cast<std::int64_t>(hdf5::number_attribute(counters, #field));
  DALEMBERT_STATISTICS(X)
#undef X
  if (hdf5::exists(passages, "t")) {
    const auto t = hdf5::numbers(passages, "t");
    const auto rows = hdf5::texts(passages, "rows"), how = hdf5::texts(passages, "how");
    for (std::size_t i = 0; i < t.size(); ++i) {
      std::istringstream words(rows.at(i));
      s.crossings.push_back({t[i], {std::istream_iterator<std::string>(words), {}}, how.at(i)});
    }
  }
  if (hdf5::exists(changes, "t")) {
    const auto t = hdf5::numbers(changes, "t");
    const auto formulation = hdf5::texts(changes, "formulation"), method = hdf5::texts(changes, "method"),
               why = hdf5::texts(changes, "why");
    for (std::size_t i = 0; i < t.size(); ++i)
      s.changes.push_back({t[i], formulation.at(i), method.at(i), why.at(i)});
  }
  if (Memory memory(hdf5::bytes(summary, "memory")); !memory.bytes().empty())
    memory(s.testimony, result.record.drift, result.record.energy, s.redundancy);
  const auto report = hdf5::texts(summary, "report");
  if (!report.empty()) result.report = report.front();
}

/// Of a run that is still under way, or was killed.
void read_beginning(hid_t settings, RunRecord& record) {
  Summary& s = record.summary;
  s.outcome = Outcome::interrupted;
  s.message = "t = " + short_number(s.state.t) + ": the run was killed, or has not ended yet";
  s.formulation = hdf5::text_attribute(settings, "formulation");
  s.method = hdf5::text_attribute(settings, "method");
  for (const TriedStep& step : record.steps)
    ++(step.fate == TriedStep::Fate::rejected ? s.statistics.rejected : s.statistics.steps);
}

void read_steps(hid_t file, RunRecord& record) {
  const std::vector<double> steps = hdf5::numbers(file, "steps"), readings = hdf5::numbers(file, "readings");
  for (auto at = steps.begin(); steps.end() - at >= 5; at += 5)
    record.steps.push_back({at[0], at[1], at[2], at[3], static_cast<TriedStep::Fate>(at[4])});
  for (auto at = readings.begin(); readings.end() - at >= 5; at += 5)
    record.readings.push_back({at[0], at[1], at[2], at[3], at[4]});
}

RunResult read(hid_t file) {
  RunResult result{.head = read_head(file)};
  RunRecord& record = result.record;
  record.program = result.head.program;
  record.subject = result.head.subject;
  record.title = result.head.title;
  record.sources = result.head.sources;
  record.columns.assign(result.head.columns.begin() + 1, result.head.columns.end());
  record.command = "dalembert";
  for (const auto& word : result.head.arguments) record.command += " " + word;
  const hdf5::Handle outputs = hdf5::group(file, "outputs"), events = hdf5::group(file, "events"),
                     settings = hdf5::group(file, "settings");
  if (const auto rtol = number_in(hdf5::text_attribute(settings, "rtol"))) record.tolerance.relative = *rtol;
  if (const auto atol = number_in(hdf5::text_attribute(settings, "atol"))) record.tolerance.absolute = *atol;
  record.times = hdf5::numbers(outputs, "t");
  record.values = hdf5::numbers(outputs, "values");
  const std::size_t columns = record.columns.size();
  if (record.values.size() != record.times.size() * columns)
    throw Error("its rows are not complete", "it is damaged");
  read_steps(file, record);
  const auto t = hdf5::numbers(events, "t");
  const auto names = hdf5::texts(events, "name");
  for (std::size_t i = 0; i < t.size() && i < names.size(); ++i)
    record.summary.events.push_back({t[i], names[i]});
  record.summary.layout = layout_of(record.columns);
  const Eigen::Index n = record.summary.layout.size();
  if (!record.times.empty())
    record.summary.state = {
        record.times.back(),
        Eigen::Map<const Vector>(record.values.data() + (record.times.size() - 1) * columns, n)};
  result.ended = hdf5::text_attribute(file, "state") == "ended";
  if (result.ended)
    read_summary(file, result);
  else
    read_beginning(settings, record);
  if (hdf5::exists(file, "checkpoint")) {
    const hdf5::Handle group = hdf5::group(file, "checkpoint");
    result.checkpoint = {hdf5::number_attribute(group, "t"), hdf5::bytes(group, "memory")};
    result.checkpoint_program = hdf5::text_attribute(group, "program");
    result.beside = hdf5::bytes(group, "beside");
  }
  return result;
}

}  // namespace

RunResult read_result(const std::filesystem::path& path) {
  const hdf5::Quiet quiet;
  const std::string name = "'" + path.string() + "'";
  std::error_code none;
  if (!std::filesystem::exists(path, none)) throw Error("there is no file " + name);
  try {
    const hdf5::Handle file = hdf5::open_file(path.string(), H5F_ACC_RDONLY);
    if (hdf5::text_attribute(file, "dalembert") != "run") throw Error("it was not written by dalembert run");
    return read(file);
  } catch (const hdf5::Failure& failure) {
    throw Error(name + " is no result of a run: " + failure.why(), "give an .h5 file that `run --out` wrote");
  } catch (const Error& error) {
    throw Error(name + " is no result of a run: " + error.what(), error.hint());
  }
}

#else

RunResult read_result(const std::filesystem::path& path) {
  throw Error("'" + path.string() + "' cannot be read: this program was built without HDF5",
              "install libhdf5-dev and build it again");
}

#endif

}  // namespace dalembert
