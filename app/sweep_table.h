// The rows of a sweep on the screen.
#pragma once

#include <string>

#include "dalembert/sweep/sweep_file.h"

namespace dalembert::app {

/// For people: all rows if they are few; where each result is least and largest; what ended early, and why.
std::string text(const std::string& title, const SweepResult&, double seconds);

/// What was varied in a case: "rod = 0.3, load = 5".
std::string parameters(const SweepResult&, std::size_t number);

}  // namespace dalembert::app
