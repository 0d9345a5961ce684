// A whole run: choose a pair, start consistently, integrate mode after mode, report.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/controller.h"
#include "dalembert/control/observer.h"
#include "dalembert/control/pairs.h"
#include "dalembert/control/redundant_rows.h"
#include "dalembert/control/witness/testimony.h"
#include "dalembert/core/statistics.h"
#include "dalembert/method/partitioned/coupling_report.h"

namespace dalembert {

/// What a run is asked for; everything has a default.
struct RunOptions {
  PairRequest request{};  ///< formulation and method; open: chosen
  Tolerance tolerance{};
  Control control = Control::pi;
  std::optional<double> end{};       ///< otherwise the problem's own
  std::optional<double> step{};      ///< the fixed step, or the first one under step control
  std::optional<double> max_step{};  ///< no step is longer
  std::vector<double> outputs{};     ///< times, ascending
  Reporting reporting = Reporting::at_times;
  std::map<std::string, double> options{};  ///< of the method and the formulation, by name
  std::map<std::string, double> start{};    ///< changed initial values, by label ("q.x")
  StartOptions consistent{};                ///< how inconsistent initial values are moved
  /// Of a partitioned problem: the methods of its fields, "rk4" or "rk4:20" with the number of substeps; one for all or
  /// one each.
  std::vector<std::string> fields{};
  Projection projection = Projection::automatic;
  Singular singular = Singular::watch;
  Scrutiny scrutiny = Scrutiny::witness;
  std::int64_t most_steps = 10'000'000;
  /// Goes on from there instead of beginning; everything else is as it was in the run that was interrupted.
  std::shared_ptr<const Checkpoint> resume{};
  const std::atomic<bool>* interrupt = nullptr;  ///< set from outside to end the run after the current step
};

/// A pair that was chosen turned out not to suit the motion, and another one went on.
struct PairChange {
  double t = 0;
  std::string formulation, method;  ///< from there on
  std::string why;                  ///< "the motion is stiff"
  template <class Memory>
  void remember(Memory& memory) {
    memory(t, formulation, method, why);
  }
};

/// How a run ended, with everything needed to judge it.
struct Summary {
  Outcome outcome = Outcome::ok;
  std::string message;
  std::string formulation, method, why;
  std::vector<PairChange> changes;  ///< of the pair, along the way
  Layout layout;                    ///< of the state: Problem::report()
  State state;
  std::vector<EventRecord> events;
  std::vector<SingularityRecord> crossings;
  std::optional<RedundancyReport> redundancy;  ///< of the first mode whose rows follow from others
  std::vector<std::string> warnings;           ///< what a careful reader of the result should know
  std::map<std::string, double>
      error;                  ///< per block: max |difference|/(1+|reference|), where a reference is known
  Testimony testimony;        ///< of the witness: how well the motion satisfies the equations
  CouplingReport coupling;    ///< of a partitioned problem: what the iteration between its fields did
  std::string start_message;  ///< what a consistent start changed; "" if nothing
  Statistics statistics;
  double seconds = 0;
};

/// Throws Error for mistakes of the caller (unknown names, impossible pairs, end before start, bad tolerances);
/// numerical endings are in the summary.
Summary run(std::shared_ptr<const Problem>, const RunOptions&, const std::vector<Observer*>& = {});

/// Per block max |difference|/(1+|truth|) of a state in the given layout against one in the problem's own, where known.
std::map<std::string, double> block_errors(const Problem&, const State&, const Layout&, const State& truth);

/// N+1 equidistant times from begin to end.
std::vector<double> output_times(double begin, double end, int pieces);

}  // namespace dalembert
