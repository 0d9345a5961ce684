// What is settled before a run begins: the pair, its options, the end, the kind of step control.
#pragma once

#include "dalembert/control/run.h"

namespace dalembert {

struct RunSetup {
  /// Throws Error for mistakes of the caller.
  RunSetup(std::shared_ptr<const Problem>, const RunOptions&);

  std::shared_ptr<const Problem> problem;  ///< as the pair takes it: a partitioned one perhaps in one piece
  Pair pair{};
  std::string why;  ///< it was chosen
  Parameters formulation_options, method_options;
  double end = 0;
  Control control = Control::pi;
};

/// Where a run begins: the problem's own start, unless the changed initial values have another "t".
double begin_time(const std::map<std::string, double>& changes, const Problem&);
/// The end asked for, or the problem's own; throws Error unless it is a time after the start.
double checked_end(std::optional<double> asked, const Problem&, const std::map<std::string, double>& changes);

/// The problem, if there is one with unknowns and a start of their number; throws Error otherwise.
std::shared_ptr<const Problem> checked(std::shared_ptr<const Problem>);

/// Of a solution that is known: that of report() or, of one mode, that of layout(). Throws Error if it has another size.
Layout layout_of(const State& truth, const Problem&);

/// Initial values by label ("q.x"; "t" is the time); throws Error for labels that are not there.
void change_start(const std::map<std::string, double>& changes, const Layout&, State&);

}  // namespace dalembert
