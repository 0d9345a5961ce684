// The part of a report that only runs of partitioned problems have: windows and fields.
#pragma once

#include <string>

#include "app/json.h"
#include "dalembert/method/partitioned/coupling_report.h"

namespace dalembert::app {

/// Nothing for a problem in one piece.
std::string coupling(const CouplingReport&);
/// Adds "windows", "fields" and "sweeps".
void add_coupling(Json&, const CouplingReport&);

}  // namespace dalembert::app
