// A picture of a sweep: curves over one parameter, fields of colour over two.
#pragma once

#include "app/sweep_table.h"

namespace dalembert::app {

/// SVG. Where more than two parameters are varied, or two but not in a grid, points over the first.
std::string sweep_picture(const std::string& title, const SweepResult&);

}  // namespace dalembert::app
