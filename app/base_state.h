// The state that an analysis looks at: the start of a problem, an equilibrium, or where a run is at some time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/subject.h"
#include "dalembert/analysis/equilibrium.h"

namespace dalembert::app {

/// As given on the command line.
struct BaseCall {
  std::string what, at = "start";
  std::vector<std::string> set, start;
};
/// WHAT, --set, --start and --at.
void add_base(Arguments&, BaseCall&);
/// WHAT, --set and --start.
void add_start(Arguments&, BaseCall&);

/// A problem in the mode that holds at a state (with dry friction), and that state in its layout.
struct BaseState {
  std::shared_ptr<const Problem> problem;
  State state;
  std::string where;  ///< "at its start"
};
/// Satisfies all constraints. Throws Error if it cannot be had.
BaseState base_state(const BaseCall&, const Subject&);
/// The initial values with those of --start, as given; those of mechanical problems in the mode that holds with velocities of zero.
BaseState guess_at_rest(const BaseCall&, const Subject&);

/// Throws Error unless the problem is mechanical, or partitioned into mechanical fields.
const Mechanical& mechanical(const Problem&, const std::string& what);

}  // namespace dalembert::app
