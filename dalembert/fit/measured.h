// MeasuredData data: a column of times, and columns named like watches or entries of the state; and what a run has at these times.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/reporter.h"
#include "dalembert/core/place.h"
#include "dalembert/sweep/worker.h"

namespace dalembert {

/// Lines of a file, in the order of their times.
struct MeasuredData {
  struct Column {
    std::string name, unit;       ///< of the problem, once it is known
    Place place;                  ///< of the name, in the file
    std::vector<double> values;   ///< one for each time; NaN where nothing was measured
    std::optional<double> scale;  ///< what a deviation is divided by
    double spread = 0;            ///< sqrt(mean((y - mean(y))^2)); of a constant its size

    std::size_t count() const;  ///< of what was measured
  };
  std::vector<double> t;
  Place first;  ///< of the earliest time
  std::vector<Column> columns;
};

/// A line of names, one of them t, and lines of numbers, separated by commas; a cell may be empty. A name may have a unit behind it,
/// "ride [mm]". Throws ModelError with the places of all that is wrong.
MeasuredData read_measured(const std::filesystem::path&);
/// The same of a text; the name is for messages.
MeasuredData measured_from_text(const std::string& text, const std::string& name);

/// Columns as the problem has them: names are known, numbers in its units, times not before its start. Each gets a scale where it has none:
/// its spread, so that each column counts alike. Throws ModelError with the place of what is wrong.
void settle(MeasuredData&, const SweepProblem&);

/// What a run has at the times of the data.
class Samples final : public Observer {
 public:
  /// The data are settled, and live longer.
  Samples(const SweepProblem&, const MeasuredData&);

  void begin(const Problem& mode, const State&) override;
  void step(const StepView&) override;
  bool complete() const { return next_ == data_.t.size(); }
  /// Column after column, as the data; NaN for times that the run did not reach.
  const std::vector<double>& values() const { return values_; }

 private:
  const MeasuredData& data_;
  Layout layout_;  // of the first mode's report
  std::optional<Reporter> reporter_;
  std::vector<Watch> watches_;
  std::vector<const Watch*> watch_;  // of each column; nullptr: an entry of the state
  std::vector<Eigen::Index> entry_;
  std::vector<double> values_;
  std::size_t next_ = 0;
};

}  // namespace dalembert
