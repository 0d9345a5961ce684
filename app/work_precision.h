// Errors against what they cost, one curve for each way to solve a problem.
#pragma once

#include <string>
#include <vector>

#include "dalembert/observe/plot.h"

namespace dalembert::app {

/// One run.
struct Costs {
  std::string pair;
  double error, cost;  ///< NaN if it failed
};

/// The mean factor, for each pair, by which its runs cost more than the cheapest run of any pair that is as accurate.
std::vector<std::pair<std::string, double>> ranked(const std::vector<Costs>&);

/// Curves of the pairs, the cheapest first, so that these are told apart.
Panel work_precision(const std::string& title, const std::string& cost, const std::vector<Costs>&);

}  // namespace dalembert::app
