// The analyses: each is a command of its own below `analyse`, in a file of its own (analyse_<name>.cc).
#pragma once

#include "app/commands.h"

namespace dalembert::app {

Action add_contraction(CLI::App&);
Action add_order_conditions(CLI::App&);
Action add_spectrum(CLI::App&);
Action add_redundancy(CLI::App&);

/// The one list of analyses.
const std::vector<Command>& all_analyses();

}  // namespace dalembert::app
