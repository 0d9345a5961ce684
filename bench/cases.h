// Problems of the catalogue with those who solve them: our pairs, IDA, the Fortran codes, each where it is installed.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bench/contest.h"

namespace dalembert::bench {

/// By name, so that one can be asked for alone.
const std::vector<std::pair<std::string, std::function<Case()>>>& all_cases();

/// Says on stderr if the SUNDIALS at hand was built without optimisation.
void warn_of_slow_sundials();

}  // namespace dalembert::bench
