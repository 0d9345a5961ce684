// One problem rewritten into another, and the way back.
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/parameters.h"
#include "dalembert/core/statistics.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// How much of the original state is wanted back: q, with v as the method has it; q and v as they are delivered; with a linear solve for
/// algebraic entries, everything.
enum class Depth { positions, coordinates, multipliers };

/// One rewriting of one problem, with the work space of one run at a time.
class Formulation {
 public:
  virtual ~Formulation() = default;
  virtual const Problem& original() const = 0;
  virtual const Problem& rewritten() const = 0;
  /// The rewritten state of a complete, consistent original state.
  virtual void enter(const State& original, State& rewritten) const = 0;
  /// The complete original state; entries that were not asked for, or cannot be had, are NaN.
  virtual Outcome recover(const State& rewritten, State& original, Depth) const = 0;

  /// Another run begins: as if just made, with the room and the plans it has. False: it cannot, and is made anew.
  virtual bool reset() { return false; }

  /// What it remembers between steps, written down or put back; factors that are made anew for each point are not part of it.
  /// False: it cannot say, and no run with it can be resumed.
  virtual bool remember(Memory&) { return false; }

  /// After each accepted step: may express the state in a chart that fits better here (an aligned basis, another
  /// choice of independent coordinates). True if it did; the method then forgets its history.
  virtual bool renew(State& /*rewritten*/) const { return false; }
  /// Eigenvalues that the rewriting adds to those of the problem (feedback, regularization): with a fixed step they
  /// must lie in the stability region of the method, or the run says so.
  virtual std::vector<std::complex<double>> added_spectrum() const { return {}; }
  /// What a reader of the states that were recovered must know, in sentences, once a run has ended well.
  virtual std::vector<std::string> warnings(const Tolerance&) const { return {}; }
};

/// An edge of the graph of kinds. A formulation that leads to several kinds has several entries of one name.
struct FormulationEntry {
  std::string name;
  std::string summary;
  std::string cite;
  Kind from, to;
  int index = 0;         ///< of the implicit problem that comes out; 0: as its layout says
  bool freezes = false;  ///< holds something at its predicted value during a Newton solve
  bool approximate =
      false;                ///< an error stays however short the steps are: taken only when asked for by name
  int preference = 0;       ///< where the choice is open, the highest is taken
  bool directions = false;  ///< takes constraint forces along other directions than J' (ForceDirections)
  bool crosses = false;     ///< passes positions where the constraints lose rank by itself
  bool dependent_rows = false;  ///< takes constraint rows that follow from others as they are
  /// Leads to ordinary differential equations, and is entered once more as y' - f(t,y) = 0: with feedback of constraint
  /// errors (baumgarte) or stiff forces, steps of explicit methods are bounded by stability.
  bool also_implicit = false;
  bool drifts;  ///< position or velocity constraints are not imposed: projection is on unless told otherwise
  std::vector<Parameter> options;
  std::function<std::unique_ptr<Formulation>(const Problem&, const Parameters&, Statistics&)> make;
};

/// Generated from dalembert/formulation/*.cc, each of which ends with
/// `std::vector<FormulationEntry> formulations_in_<file>()`.
const std::vector<FormulationEntry>& all_formulations();
/// Called by all_formulations(): adds the second entries of those that are also_implicit.
std::vector<FormulationEntry> completed(std::vector<FormulationEntry>);
/// All entries of that name; throws Error with the nearest name if there is none.
std::vector<FormulationEntry> find_formulation(const std::string& name);

}  // namespace dalembert
