// The part of a report that only runs of partitioned problems have: windows and fields.
#pragma once

#include "app/json.h"
#include "dalembert/method/partitioned/coupling_report.h"

namespace dalembert::app {

/// Adds "windows", "fields" and "sweeps".
void add_coupling(Json&, const CouplingReport&);

}  // namespace dalembert::app
