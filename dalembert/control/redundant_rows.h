// A mode whose constraint rows follow from others: integrated on independent rows, seen in all of them.
//
// Rows are chosen once and kept while they stay a good choice; where they become dependent although all rows together
// keep their rank, others are chosen and the run goes on with them. What was dropped is watched: rows that begin to
// say something else than the kept ones end the run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "dalembert/constraints/redundancy.h"
#include "dalembert/control/integrate.h"

namespace dalembert {

/// What a run says about rows that follow from others.
struct RedundancyReport {
  Eigen::Index rows = 0, rank = 0, degrees_of_freedom = 0;
  /// A row, and those it follows from.
  struct Dependent {
    std::string row;
    std::vector<std::string> on;  ///< rows it follows from
    void remember(Memory& memory) { memory(row, on); }
  };
  std::vector<Dependent> dependent;
  std::vector<std::string> unique, not_unique;  ///< multipliers; those not unique are of least norm
  int choices = 1;                              ///< of independent rows, along the run
  void remember(Memory& memory) {
    memory(rows, rank, degrees_of_freedom, dependent, unique, not_unique, choices);
  }
};
/// Rows by the labels of their multipliers.
RedundancyReport name_rows(const Redundancy&, const Mechanical&);

/// Sentences: the count, one for each dependent row, and what holds of the multipliers.
std::vector<std::string> in_words(const RedundancyReport&);

/// How a mode with independent rows is integrated.
using Integrate = std::function<Ending(const Problem&, const State& start, const std::vector<Observer*>&)>;

/// The rows that a run is integrated on.
struct RowsInUse {
  Redundancy found;
  double chosen_at = 0;
  double most = 0;  ///< coefficient between them and others, beyond which there are better ones
  enum class Chosen { now, before } chosen = Chosen::now;  ///< before: by the run that is resumed
  void remember(Memory& memory) { memory(found, chosen_at, most); }
};

/// Start and ending are states of `mode`; so is what the observers see.
Ending integrate_redundant(const Mechanical& mode, const State& start, RowsInUse&,
                           const std::vector<Observer*>&, const Integrate&, RedundancyReport&);

}  // namespace dalembert
