// Ctrl-C asks a run to end after its current step; a second one ends the program.
#pragma once

#include <atomic>

namespace dalembert::app {

/// From here on SIGINT sets the flag that is returned, once.
const std::atomic<bool>& watch_for_interrupt();

}  // namespace dalembert::app
