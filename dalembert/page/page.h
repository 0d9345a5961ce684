// A run as one file for the browser: the mechanism in motion, plots, and what the run says of itself. It needs no network and
// nothing beside it.
//
//   write(page({{record, problem}}))     see docs/report.md for what is on it
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/model/model.h"
#include "dalembert/observe/run_record.h"

namespace dalembert {

/// A run, and what it was a run of.
struct PageRun {
  RunRecord record;
  std::shared_ptr<const Problem> problem;
  std::optional<Model> model{};  ///< if it came from a file
};

/// Throws Error where a build has no pages, with what is missing. The first run is the one that is looked at; others are shown
/// beside it.
std::string page(const std::vector<PageRun>&);

/// Throws the same Error, before anything is computed.
void require_pages();

}  // namespace dalembert
