// States that one run leaves and another one begins with: rows of result files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "app/subject.h"
#include "dalembert/control/reporter.h"
#include "dalembert/observe/files/run_file.h"

namespace dalembert::app {

/// "end.csv", or "end.csv:0.5" with a time.
struct StateName {
  std::string file;
  std::optional<double> t{};
};
StateName to_state_name(const std::string& text);

/// The values that a motion goes on with, by label, and "t": from a row of an .h5 or .csv file that `run` wrote, the last one unless
/// a time is named. Throws Error if that is no output of the file, with the times next to it.
std::map<std::string, double> read_state(const StateName&, const Problem&);
/// Watches that depend on the way here (the turns of an angle) go on from what that row says of them.
void go_on(const std::vector<Watch>&, const StateName&);

/// Writes the state at a time, or where the run ends, as a result file of one row.
class StateKeeper final : public Observer {
 public:
  /// Throws Error if the file cannot be made.
  StateKeeper(StateName, const Subject&);
  void begin(const Problem& mode, const State& start) override;
  void step(const StepView&) override;
  /// The run has ended here. Throws Error if the file could not be written, or its time was not reached.
  void finish(const State& reported);

 private:
  void keep(const State& of_mode);

  StateName name_;
  FileWriter writer_;
  std::optional<Reporter> reporter_{};  // of the current mode
  bool kept_ = false;
};

}  // namespace dalembert::app
