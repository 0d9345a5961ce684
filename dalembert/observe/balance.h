// What a mechanical run should have kept and did not: constraints and energy beyond what its tolerance allows.
#pragma once

#include "dalembert/control/run.h"
#include "dalembert/observe/monitor.h"

namespace dalembert {

/// Adds warnings to the summary of a run that came to its end; far beyond, its outcome becomes `untrusted`.
void weigh(const Monitor&, Summary&);

}  // namespace dalembert
