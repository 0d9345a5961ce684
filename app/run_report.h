// What a run has to say, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/json.h"
#include "app/subject.h"
#include "dalembert/control/run.h"
#include "dalembert/model/reference_check.h"
#include "dalembert/observe/accuracy/accurate_run.h"
#include "dalembert/observe/certify/certify.h"
#include "dalembert/observe/monitor.h"

namespace dalembert::app {

struct RunReport {
  const Subject& subject;
  const Summary& summary;
  const Monitor& monitor;
  std::vector<std::string> files;                 ///< written
  const std::optional<Certificate>& certificate;  ///< if one was asked for
  const std::optional<ErrorEstimate>& estimate;   ///< if an accuracy was asked for
  std::vector<Comparison> references{};           ///< with digits of the file
};

std::string text(const RunReport&);
Json to_json(const RunReport&);
Json to_json(const RedundancyReport&);

}  // namespace dalembert::app
