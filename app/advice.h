// What `dalembert check` would say of the model of a run.
#pragma once

#include "app/subject.h"
#include "dalembert/control/run.h"

namespace dalembert::app {

/// Adds to the warnings of the run those that checking its file gives and the run does not give itself; of a run that could not
/// start, why, as checking says it: a drive against joints that are rigid without it is the outcome's sentence.
void advise(const Subject&, Summary&);

}  // namespace dalembert::app
