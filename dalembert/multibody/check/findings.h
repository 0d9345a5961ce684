// What can be said about a mechanism before it runs: how it moves, which of its joints repeat or contradict each other,
// and what looks like a slip of the pen.
//
//   degrees of freedom = velocities - rank J         at the assembled position, and around it
//   J'l = 0                                          loads that joints keep up against each other: redundant joints
//
// Ranks are found loop by loop (loops.h), so a mechanism of 10^4 bodies is no problem as long as no loop is.
#pragma once

#include <string>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/place.h"
#include "dalembert/multibody/mechanism.h"

namespace dalembert {

/// One thing worth saying.
struct Finding {
  enum class Severity {
    error,    ///< it cannot be simulated as it is
    warning,  ///< it can, but perhaps something else was meant
    note,     ///< good to know
  };
  Severity severity;
  std::string topic;  ///< for programs: "redundant", "conflict", "singular", ...
  std::string what, hint;
  std::vector<std::string> joints{}, bodies{};  ///< concerned
  Place place{};                                ///< of the first of them; line 0: not known
  std::string sentence() const;                 ///< "file:line:column: warning: what; hint"
};
/// As it is printed.
std::string_view name(Finding::Severity);

/// All that was found.
struct Findings {
  /// How many there are of each.
  struct Counts {
    Eigen::Index bodies = 0, joints = 0, drives = 0, positions = 0, velocities = 0, rows = 0, states = 0;
  } counts;

  Outcome assembly = Outcome::ok;
  std::string assembly_message;  ///< as a run would say it
  /// How far assembly moved a body: the turn in radians.
  struct Move {
    std::string body;
    double distance = 0, turn = 0, velocity = 0, spin = 0;
  };
  std::vector<Move> moves;  ///< those that moved, the farthest first

  bool ranked = false;  ///< the next four are known
  Eigen::Index rank = 0, rank_here = 0, degrees_of_freedom = 0;
  Eigen::Index redundant = 0;  ///< rows that follow from others at all positions

  /// Which components of a reaction the motion determines.
  struct Reaction {
    std::string joint;
    enum class Unique { all, some, none } unique = Unique::all;
    std::vector<std::string> not_unique{};  ///< labels of their multipliers
  };
  std::vector<Reaction> reactions;

  std::vector<Finding> list;  ///< errors first, then warnings, then notes

  /// Nothing stands in the way of a run.
  bool fine() const;
  bool has(const std::string& topic) const;
};
/// As it is printed.
std::string_view name(Findings::Reaction::Unique);

/// As it is given: the mechanism is assembled, then looked at.
Findings examine(const Mechanism&);

}  // namespace dalembert
