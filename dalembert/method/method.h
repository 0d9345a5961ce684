// How one step is attempted. No loop over time, no step control, no output.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/parameters.h"
#include "dalembert/core/statistics.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// "On problems of this kind, this block converges with this order": tested, printed, documented.
struct Claim {
  Kind kind;
  std::string block;  ///< of the complete state: q, v, lambda, y, z
  double order;
  std::string needs = {};  ///< a precondition, if there is one
};

enum class Projection { automatic, off, on };  ///< automatic: where the formulation lets constraints drift

/// What a method is told when it is bound.
struct Setting {
  Tolerance tolerance;
  Projection projection = Projection::automatic;
  Parameters options;      ///< the method's own, by name
  Statistics* statistics;  ///< the run's; never null
};

/// The verdict on one try.
struct Attempt {
  Outcome outcome = Outcome::ok;
  double error = 0;     ///< estimate in the norm of the tolerance: at most 1 is acceptable
  double exponent = 0;  ///< the error behaves like h^(1/exponent): the best step is h error^-exponent
  std::optional<double> next{};  ///< a method that changes its order says itself what step it wants next
};

class Method {
 public:
  virtual ~Method() = default;
  /// The only place that allocates. Throws Error if the problem is of a kind the method does not solve.
  virtual void bind(const Problem&, const Setting&) = 0;
  /// One pure try from `from` over h: no retry, no output, no change of history.
  virtual Attempt attempt(const State& from, double h, State& to) = 0;
  /// The last attempt became a step. Its interior is no longer asked for.
  virtual void accept() {}
  /// Forget history: the state or the equations have changed.
  virtual void restart() {}
  /// The state at from.t + theta h of the last attempt, 0 <= theta <= 1, before accept(). Extra stages are computed
  /// when first asked for.
  virtual void interpolate(double theta, State&) = 0;
};

struct MethodEntry {
  std::string name;
  std::string summary;
  std::string cite;  ///< keys in docs/references.bib, separated by blanks
  std::vector<Claim> claims;
  bool adaptive;  ///< has an error estimate; otherwise it needs a fixed step
  int dense_order;  ///< of interpolate(); where it is below order - 1, a run steps exactly onto its output times
  std::vector<Parameter> options;
  std::function<std::unique_ptr<Method>()> make;
  std::string tableau =
      {};  ///< picture of its coefficients (tableau.h), checked by exact algebra; "" if it has none

  bool accepts(Kind) const;  ///< is there a claim for it?
  double order(Kind) const;  ///< the lowest order claimed for differential blocks of that kind
};

/// Generated from dalembert/method/*.cc, each of which ends with `std::vector<MethodEntry> methods_in_<file>()`.
const std::vector<MethodEntry>& all_methods();
const MethodEntry& find_method(const std::string& name);  ///< throws Error with the nearest name

/// The one downcast of a run; throws Error if the problem is of another kind.
template <class Wanted>
const Wanted& require(const Problem& problem, const std::string& method);

[[noreturn]] void refuse_kind(const Problem& problem, const std::string& method);

template <class Wanted>
const Wanted& require(const Problem& problem, const std::string& method) {
  if (const auto* wanted = dynamic_cast<const Wanted*>(&problem)) return *wanted;
  refuse_kind(problem, method);
}

}  // namespace dalembert
