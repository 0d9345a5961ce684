// A result file that is being written: rows of numbers as they come, and what is known of the run beside them. One file of this
// folder adds one format; which one is meant, the suffix of a name says.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/control/observer.h"
#include "dalembert/control/run.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/run_record.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// Of a file, as of a record.
using Column = RecordColumn;
/// The time, the reported state, and then watches.
std::vector<Column> columns_of(const Layout& report, const std::vector<Watch>&);
/// "q.crank.angle" -> "q_crank_angle", "v.x'" -> "v_x_dot": letters, digits and underscores, at most 63, each name once.
std::vector<std::string> safe_names(const std::vector<Column>&);

/// What is known of a run before it begins.
struct RunHead {
  std::vector<Column> columns{};
  std::string program{};                 ///< with its version: "dalembert 0.1.0"
  std::string subject{};                 ///< "pendulum", "crank.toml"
  std::string title{};                   ///< in words
  std::vector<std::string> arguments{};  ///< of the call that made it, and makes it again
  std::string folder{};                  ///< in which that was
  std::vector<RecordSource> sources{};
  std::vector<std::pair<std::string, std::string>>
      settings{};  ///< as they hold, whoever said so: {"rtol", "1e-06"}
};

/// What is known once it has ended.
struct RunEnd {
  const Summary& summary;
  std::string report;  ///< all of it, for programs: JSON
  std::optional<Monitor::Drift> drift{};
  std::optional<Monitor::Energy> energy{};
};

/// How files are written, where there is a choice.
struct FileOptions {
  enum class Names { full, safe } names = Names::full;  ///< of columns, where there is a choice
  enum class Units { in_names, second_line } units = Units::in_names;  ///< the same
  double seconds =
      2;  ///< between the times at which a file that survives is brought up to date; 0: after each step
  std::optional<double> resume_after{};  ///< the file is there, and goes on behind this time
};

/// One file. Every function throws Error if it cannot be written.
class RunFile {
 public:
  virtual ~RunFile() = default;
  /// A value for each column.
  virtual void row(const std::vector<double>& values) = 0;
  virtual void event(const EventRecord&) {}
  virtual void tried(const TriedStep&) {}
  virtual void reading(const Monitor::Reading&) {}
  /// Is it time to write down what the run remembers? Only files that a run can be resumed from say so.
  virtual bool due() const { return false; }
  virtual void checkpoint(const Checkpoint&, const std::string& /*beside*/) {}
  /// It was time, and nothing came: somebody cannot say what he remembers. Rows are worth keeping all the same.
  virtual void keep() {}
  /// No more rows: all are in the file. Without any, a file that is there stays as it was: the call may have been refused.
  virtual void close() = 0;
  /// After that, what became of the run; one without rows has a file now.
  virtual void conclude(const RunEnd&) = 0;
};

/// A format, by its suffix. A file of this folder that adds one ends with `std::vector<FileFormat> formats_in_<file>()`.
struct FileFormat {
  std::string suffix;   ///< ".csv"
  std::string summary;  ///< "comma separated values, line by line"
  std::function<std::unique_ptr<RunFile>(const std::filesystem::path&, const RunHead&, const FileOptions&)>
      open;
};
/// Generated from dalembert/observe/files/*.cc.
const std::vector<FileFormat>& all_formats();
/// Of a file with that name; throws Error with the suffixes there are.
const FileFormat& find_format(const std::filesystem::path&);

/// The whole content of a file, which is replaced at once or not at all. Throws Error.
void replace_file(const std::filesystem::path&, const std::string& bytes);
/// Where a name leads to, through links.
std::filesystem::path behind_links(const std::filesystem::path&);

/// Feeds a file: evaluates watches, and ends the run with output_failed once the file cannot be written.
class FileWriter final : public Observer {
 public:
  /// Throws Error if there is no such format, or the file cannot be opened.
  FileWriter(const std::filesystem::path&, RunHead, std::vector<Watch> = {}, const FileOptions& = {});
  /// With columns alone.
  FileWriter(const std::filesystem::path&, const Layout& report, std::vector<Watch> = {},
             const FileOptions& = {});

  /// A monitor that comes before it among the observers: its readings go into files that have a place for them, and what it
  /// remembers is written down beside what the run remembers.
  void watch(Monitor& monitor) { monitor_ = &monitor; }
  /// The other way round, for a run that is resumed from there: takes effect when it begins.
  void put_back(std::string memory) { put_back_ = std::move(memory); }

  void begin(const Problem&, const State&) override;
  void tried(const TriedStep&) override;
  void step(const StepView&) override;
  void output(const State&) override;
  void event(const EventRecord&, const State&) override;
  void end() override;
  bool wants_checkpoint() const override;
  void checkpoint(const Checkpoint&) override;
  Outcome status() const override { return trouble_.empty() ? Outcome::ok : Outcome::output_failed; }
  std::string trouble() const override { return trouble_; }

  /// Rows that another file has already, up to a time; values come without it.
  void repeat(const std::vector<double>& times, const std::vector<double>& values, double until);
  /// What became of the run, once it has returned.
  void conclude(RunEnd);

 private:
  void remember(Memory&);
  template <class Write>
  void attempt(Write&&);

  std::vector<Watch> watches_;
  std::unique_ptr<RunFile> file_;
  Monitor* monitor_ = nullptr;
  std::string put_back_, trouble_;
  std::vector<double> row_;
  bool waits_ = false;  // for a checkpoint
};

}  // namespace dalembert
