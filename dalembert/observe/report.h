// What a run has to say, as text for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/observe/solve.h"

namespace dalembert {

/// What a report can say beyond the summary of a run.
struct ReportDetails {
  std::string title{};               ///< of the problem: "pendulum: a bar and a mass"
  const Problem* problem = nullptr;  ///< whose reference the final state is compared with, where it has one
  std::optional<Monitor::Drift> drift{};    ///< of the constraints
  std::optional<Monitor::Energy> energy{};  ///< and what work explains of its change
  std::vector<Watch> watches{};             ///< evaluated at the end
  std::vector<std::string> files{};         ///< that were written
  std::size_t width = 80;                   ///< of its tables
};

/// What was chosen, how it ended and why, the effort, what was kept, events, singular positions, errors, and the final
/// state with names and units; a line or a table for each.
std::string report(const Summary&, const ReportDetails& = {});
/// The same with everything that solve() knows.
std::string report(const Solution&);

}  // namespace dalembert
