// What a choice of a pair rests on: everything that is known before the first step, and what will be watched after it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/run.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

/// The fastest part of a motion at its start, as a few evaluations of the right-hand side show it.
struct FastestPart {
  double rate = 0;      ///< 1/s: it changes by its own size within 1/rate
  double decay = 0;     ///< -1 where it grows, 1 where it decays, around 0 where it swings
  bool damped() const;  ///< it decays, and an explicit method follows it long after it is gone
};

struct Evidence {
  Kind kind{};
  Eigen::Index unknowns = 0;
  double begin = 0, end = 0;
  std::optional<Mechanical::Sizes> sizes{};      ///< of a mechanical problem
  std::optional<Eigen::Index> freedoms{};        ///< by rank at the start
  std::optional<RedundancyReport> redundancy{};  ///< if there is any
  std::string trouble{};                         ///< there is no consistent start, for this reason
  std::vector<std::string> events{};
  std::size_t breaks = 0;                ///< times where the equations are not smooth
  bool switches = false;                 ///< they have conditions that depend on the state
  std::optional<FastestPart> fastest{};  ///< where the chosen method is explicit

  Tolerance tolerance{};
  Choice choice{};
  std::vector<Pair> considered{};  ///< the best pair of each method that follows a tolerance, best first
  std::vector<Pair> when_stiff{};  ///< are tried along the way if steps are short for stability; perhaps none
  struct Elsewhere {
    double rtol;
    Pair pair;
  };
  std::vector<Elsewhere> elsewhere{};  ///< what is chosen at other tolerances
};

/// Throws Error for mistakes of the caller, as run() does.
Evidence find_evidence(const std::shared_ptr<const Problem>&, const RunOptions&);

}  // namespace dalembert
