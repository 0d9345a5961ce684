// How one step is attempted. No loop over time, no step control, no output.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/parameters.h"
#include "dalembert/core/statistics.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// "On problems of this kind, this block converges with this order": tested, printed, documented.
struct Claim {
  Kind kind;
  std::string
      block;  ///< "y" differential, "z" algebraic entries; of implicit problems "index-1", "index-2", "index-3"
  double order;
  std::string needs = {};  ///< a precondition, if there is one
  int index = 0;           ///< of the implicit problem as a whole; 0: any
};
/// What a claim needs that holds for constant steps only: with changing ones the pair is refused, not trusted.
inline const std::string constant_steps = "constant steps";
/// Claims for implicit problems, a row per index of the problem: {{5}, {5, 3}, {5, 3, 2}} says that on problems of
/// index 3 entries of index 1, 2, 3 converge with order 5, 3, 2. An empty row, or none, claims nothing.
std::vector<Claim> implicit_claims(const std::vector<std::vector<double>>& orders,
                                   const std::string& needs = {});

struct CouplingReport;

/// Return onto the constraints after each step; automatic: where the formulation lets constraints drift.
enum class Projection { automatic, off, on };

/// What a method is told when it is bound.
struct Setting {
  Tolerance tolerance;
  Projection projection = Projection::automatic;
  Precision precision = Precision::tolerance;
  Parameters options;                 ///< the method's own, by name
  Statistics* statistics;             ///< the run's; never null
  std::vector<std::string> fields{};  ///< of a partitioned problem: their methods; empty: a choice is made
  CouplingReport* coupling =
      nullptr;  ///< of a partitioned problem: where the iteration between fields is written down
  double* shortfall = nullptr;  ///< where it is written down how much more than the tolerance rounding costs
};

/// Where a try went wrong: the equation with the largest scaled residual, or the entry with the largest error.
struct Trouble {
  Eigen::Index entry = 0;
  double size = 0;  ///< of the residual or of the error, unscaled
  void remember(Memory& memory) { memory(entry, size); }
};

/// The verdict on one try.
struct Attempt {
  Outcome outcome = Outcome::ok;
  double error = 0;     ///< estimate in the norm of the tolerance: at most 1 is acceptable
  double exponent = 0;  ///< the error behaves like h^(1/exponent): the best step is h error^-exponent
  std::optional<double> next{};  ///< a method that changes its order says itself what step it wants next
  std::optional<Trouble> trouble{};
  std::string why{};  ///< what only the method can say about a failure, and what to try
  void remember(Memory& memory) { memory(outcome, error, exponent, next, trouble, why); }
};

/// Attempts steps of the problem it is bound to.
class Method {
 public:
  virtual ~Method() = default;
  /// The only place that allocates. Throws Error if the problem is of a kind the method does not solve.
  virtual void bind(const Problem&, const Setting&) = 0;
  /// The first step towards `end`, where the method knows better than trial and error.
  virtual std::optional<double> first_step(const State& /*from*/, double /*end*/) { return {}; }
  /// One pure try from `from` over h: no retry, no output, no change of history.
  virtual Attempt attempt(const State& from, double h, State& to) = 0;
  /// The last attempt became a step. Its interior is no longer asked for.
  virtual void accept() {}
  /// Forget history: the state or the equations have changed.
  virtual void restart() {}
  /// Another run begins, of the problem it is bound to: as if just bound, with the room and the plans it has. False: it
  /// cannot, and is made and bound anew.
  virtual bool reset() { return false; }
  /// What it remembers between steps, written down or put back once it is bound. False: it cannot say, and no run with it can be
  /// resumed.
  virtual bool remember(Memory&) { return false; }
  /// The state at from.t + theta h of the last attempt, 0 <= theta <= 1, before accept(). Extra stages are computed
  /// when first asked for.
  virtual void interpolate(double theta, State&) = 0;
  /// How many tolerances the error test allows inside a step: more than one where the end is of higher order than the rest.
  virtual double slack() const { return 1; }
  /// How much of its stability the last accepted step took, h |lambda| over what the method bears on the negative axis: about 1
  /// where steps are short for stability, not for accuracy. 0: not known.
  virtual double stability_used() const { return 0; }
  /// What a reader of the result must know, in sentences, once a run has ended well; none if all is as it should be.
  virtual std::vector<std::string> warnings() const { return {}; }
};

/// "Where the choice is open, take me for problems of this kind, at tolerances up to this one."
struct Preference {
  Kind kind;
  int weight = 100;  ///< the highest is taken; a method that says nothing has 0
  double loosest = std::numeric_limits<double>::infinity();
  std::function<bool(const Problem&)> suits{};  ///< of the original problem; empty: it is not asked
};

/// What is known about a method without making one.
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

  bool predicts = false;  ///< extrapolates its history with its own order before each Newton solve
  std::vector<Preference> preferences = {};
  bool stiff = false;  ///< takes stiff motions as they come: a run of it is not handed over

  bool accepts(Kind) const;            ///< is there a claim for it?
  bool stable(Kind, int index) const;  ///< is there a claim for problems of that kind and index?
  bool adapts(Kind, int index) const;  ///< adaptive, and no claim there needs constant steps
  double order(Kind) const;            ///< the lowest order claimed for differential blocks of that kind
  /// The highest weight that holds there, for this original problem.
  int preference(Kind, const Tolerance&, const Problem* original = nullptr) const;
};

/// Generated from dalembert/method/*.cc, each of which ends with `std::vector<MethodEntry> methods_in_<file>()`.
const std::vector<MethodEntry>& all_methods();
const MethodEntry& find_method(const std::string& name);  ///< throws Error with the nearest name

/// The one downcast of a run; throws Error if the problem is of another kind.
template <class Wanted>
const Wanted& require(const Problem& problem, const std::string& method);

/// Throws Error: the method does not solve problems of that kind.
[[noreturn]] void refuse_kind(const Problem& problem, const std::string& method);

template <class Wanted>
const Wanted& require(const Problem& problem, const std::string& method) {
  if (const auto* wanted = as<Wanted>(&problem)) return *wanted;
  refuse_kind(problem, method);
}

}  // namespace dalembert
