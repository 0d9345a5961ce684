// Everything about one run that is worth keeping: what was run, its rows of numbers, the steps as they were tried, what the
// run says of itself. Reports and result files are written from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/reporter.h"
#include "dalembert/control/run.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// A column of numbers.
struct RecordColumn {
  std::string name, unit;  ///< "q.crank.x", "m"
  std::string group;       ///< the block it is part of: "q", "lambda"; or "watch"
};

/// A file that the run was read from.
struct RecordSource {
  std::string name, text;
};

/// A parameter as the run had it.
struct RecordParameter {
  std::string name, unit;
  double value = 0;
};

/// A value at the end, and how many of its digits are certain.
struct RecordDigits {
  std::string name;
  int digits = 0;
};

/// One run.
struct RunRecord {
  std::string program;  ///< with its version: "dalembert 0.1.0"
  std::string command;  ///< that repeats the run; "" if there is none
  std::string subject, title;
  std::string label{};  ///< among other runs: "rod = 0.3"; "" if its pair tells it from them
  std::vector<RecordSource>
      sources{};  ///< the model and what it includes; none for problems of the catalogue
  std::vector<RecordParameter> parameters{};
  Tolerance tolerance{};
  std::vector<std::string> references{};  ///< of what was used, as BibTeX

  std::vector<RecordColumn> columns{};  ///< of the state as it is reported, then watches; without the time
  std::vector<double> times{};          ///< of the outputs, and of events twice: before and after
  std::vector<double> values{};         ///< row after row; NaN where a value is not known

  std::vector<TriedStep> steps{};            ///< in the order they were tried
  std::vector<Monitor::Reading> readings{};  ///< of drift and energy, at the ends of steps
  std::optional<Monitor::Drift> drift{};
  std::optional<Monitor::Energy> energy{};
  Summary summary{};
  std::vector<RecordDigits> digits{};  ///< if they were certified
  std::string accuracy{};              ///< if one was asked for: a sentence

  std::size_t rows() const { return times.size(); }
  double value(std::size_t row, std::size_t column) const { return values[row * columns.size() + column]; }
  /// By name; none if there is no such column.
  std::optional<std::size_t> find(const std::string& name) const;
};

/// Keeps rows, steps and readings of a run in a record. A monitor that readings are taken from comes before it among the
/// observers. If times are given, ascending, rows are at these and not at the outputs of the run, whose steps may end there: being
/// recorded changes nothing.
class RunRecorder final : public Observer {
 public:
  RunRecorder(const Problem&, std::vector<Watch> watches = {}, const Monitor* = nullptr,
              std::vector<double> times = {});

  void begin(const Problem& mode, const State& start) override;
  void tried(const TriedStep& step) override { record_.steps.push_back(step); }
  void step(const StepView&) override;
  void output(const State&) override;
  void event(const EventRecord&, const State& after) override;

  /// What was recorded of the run that ended so; the rest is for the caller to fill in. A run that ended between outputs has
  /// its last state as a row too.
  RunRecord take(const Summary&);

 private:
  void add(const State& reported);

  std::vector<Watch> watches_;
  const Monitor* monitor_;
  std::vector<double> times_;
  std::size_t next_ = 0;  // of them
  Layout report_;
  std::optional<Reporter> reporter_;  // of the current mode
  std::optional<State> end_;          // of the last step, while something can happen there
  bool eventful_ = false;
  RunRecord record_;
};

}  // namespace dalembert
