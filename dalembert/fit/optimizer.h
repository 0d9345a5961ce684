// Who looks for the least value of a function in the box [0,1]^n, with conditions: a library, behind one door.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// What can be asked of it. All of them give the same answer every time.
struct Algorithm {
  enum class Needs { values, derivatives };
  enum class Takes { bounds, conditions };
  const char* name;
  const char* summary;
  Needs needs;
  Takes takes;
};
inline constexpr Algorithm algorithms[] = {
    {"cobyla", "linear models of values, for objectives with kinks too", Algorithm::Needs::values,
     Algorithm::Takes::conditions},
    {"slsqp", "sequential quadratic programming with derivatives, for smooth objectives",
     Algorithm::Needs::derivatives, Algorithm::Takes::conditions},
    {"bobyqa", "quadratic models of values", Algorithm::Needs::values, Algorithm::Takes::bounds},
    {"sbplx", "simplices in subspaces, for objectives that jump", Algorithm::Needs::values,
     Algorithm::Takes::bounds},
};
/// Throws Error for a name that is not known.
const Algorithm& find_algorithm(const std::string& name);

/// minimise f(u) with c_i(u) <= 0, or = 0.
struct BoxProblem {
  Eigen::Index size = 0;
  std::vector<bool> equal{};  ///< of each condition: = 0
  /// f, and then the conditions. Nothing ends the search.
  std::function<std::optional<Vector>(const Vector& u)> values;
  /// Their derivatives, row by row. Nothing ends the search.
  std::function<std::optional<Matrix>(const Vector& u)> derivatives;
  double step = 0.1;        ///< the first one, of algorithms without derivatives
  double precision = 1e-6;  ///< of u, where the search ends
  double tolerance = 1e-8;  ///< of the conditions
};

/// What is left of a search is what it evaluated; it says how it ended.
enum class OptimizerEnding { converged, stopped, failed };
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual OptimizerEnding minimise(const BoxProblem&, const Algorithm&, const Vector& start) const = 0;
};

}  // namespace dalembert
