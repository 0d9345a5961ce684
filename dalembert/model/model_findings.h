// What can be said about the mechanism of a model file before it runs, each finding with its place in the file.
#pragma once

#include "dalembert/model/model.h"
#include "dalembert/multibody/check/findings.h"

namespace dalembert {

/// What examine(const Mechanism&) finds, with places in the file.
Findings examine(const Model&);

}  // namespace dalembert
