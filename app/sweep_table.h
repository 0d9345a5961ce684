// The rows of a sweep, in a file and on the screen.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "dalembert/sweep/sweep.h"

namespace dalembert::app {

struct SweepResult {
  SweepTask task;
  std::vector<std::string> units{};  ///< of the quantities
  std::vector<SweepRow> rows{};
};

/// A .csv file with one line for each run, complete as far as the sweep has come:
///
///   case,rod,max(force) [N],outcome,steps,message
///   1,0.3,12.5,ok,31,
class SweepFile {
 public:
  /// Keeps the rows that the result has already. Throws Error, as all of these do, if the file cannot be written.
  SweepFile(std::string path, const SweepResult&);
  void write(const SweepRow&);
  void close();

 private:
  void check();

  std::string path_;
  const SweepResult& result_;
  std::ofstream file_;
};

/// The rows that a file has, as far as its lines are whole; none if there is no file. Throws Error if they are of another sweep.
void read_rows(const std::string& path, SweepResult&);

/// For people: all rows if they are few; where each result is least and largest; what ended early, and why.
std::string text(const std::string& title, const SweepResult&, double seconds);

}  // namespace dalembert::app
