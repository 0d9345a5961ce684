// A, B, C and D of a model that is linearised: from parameters, which enter its forces, to its watches.
#pragma once

#include <string>
#include <vector>

#include "app/base_state.h"
#include "app/json.h"
#include "app/modes_report.h"

namespace dalembert::app {

/// y' = A y + B p, watches = C y + D p. Throws Error for what is no input: a parameter that the file does not have, or that moves
/// joints.
Json state_space(const BaseCall&, const Subject&, const BaseState&, const ModesReport&,
                 const std::vector<std::string>& inputs);

}  // namespace dalembert::app
