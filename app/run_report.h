// What a run has to say, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "app/json.h"
#include "dalembert/control/run.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/watch.h"
#include "dalembert/problem/catalogue.h"

namespace dalembert::app {

struct RunReport {
  const ProblemEntry& entry;
  const Problem& problem;
  const Summary& summary;
  const Monitor& monitor;
  std::vector<std::string> files;  ///< written
  std::vector<Watch> watches{};    ///< told at the end
};

std::string text(const RunReport&);
Json to_json(const RunReport&);
Json to_json(const RedundancyReport&);

}  // namespace dalembert::app
