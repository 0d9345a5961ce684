// Methods and formulas whose linear stability is looked at, as the command line names them, and what is said about them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/json.h"
#include "dalembert/analysis/stability_report.h"

namespace dalembert::app {

struct MethodStability {
  std::string name;     ///< "ms rho_inf=0.6"
  std::string summary;  ///< of the method; "" for a formula
  LinearForm form;
  StabilityReport report;
  std::optional<double>
      difference{};  ///< of the running code from the coefficients; none if no method makes such steps
};

/// "rk4", "ms:rho_inf=0.6" or the name of a formula. `options` are for the methods that have them. Throws Error.
MethodStability find_stability(const std::string& word, const std::map<std::string, double>& options);
/// All methods of the registry, those with a choice of order or damping once for each, then the formulas. Methods that make no steps of
/// their own are left out.
std::vector<MethodStability> all_stabilities();

/// One method, statement by statement, with its numbers at some w h.
std::string page(const MethodStability&, const std::vector<double>& w);
/// All of them, a line each.
std::string table(const std::vector<MethodStability>&, const std::vector<double>& w);
Json to_json(const MethodStability&, const std::vector<double>& w);

}  // namespace dalembert::app
