// What is to be solved. A problem knows equations, sizes and names; nothing about steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dalembert/core/layout.h"
#include "dalembert/core/outcome.h"
#include "dalembert/core/pieces.h"

namespace dalembert {

/// The kinds of problem: the nodes of the graph whose edges are formulations. Each kind is one header of this folder.
#define DALEMBERT_KINDS(X)                                                                               \
  X(ode, "y' = f(t,y)")                                                                                  \
  X(hessenberg, "y' = f(t,y,z), 0 = g(t,y)")                                                             \
  X(mechanical, "q' = N(q)v, M(t,q)v' = f(t,q,v,s) - G'lambda - A'mu, 0 = g(t,q), 0 = A(t,q)v + b(t,q)") \
  X(implicit, "F(t,y,y') = 0")                                                                           \
  X(partitioned, "fields with their own methods and meshes, held together by constraints")

/// The kinds themselves.
enum class Kind {
#define X(name, equations) name,
  DALEMBERT_KINDS(X)
#undef X
};
/// In the order above.
constexpr auto all_kinds() {
  return std::array{
#define X(name, equations) Kind::name,
      DALEMBERT_KINDS(X)
#undef X
  };
}
/// As it is printed: "mechanical".
std::string_view name(Kind);
/// In plain ASCII.
std::string_view equations(Kind);

class Events;

/// What is wrong with the equations at some point; ok if nothing is seen.
struct Fault {
  Outcome outcome = Outcome::ok;
  std::string what;  ///< names the equation, coordinate or constraint row
  explicit operator bool() const { return outcome != Outcome::ok; }
};

/// Evaluations are const and pure; a problem may be shared between threads. (What a formulation makes of a
/// problem holds the work space of one run and belongs to that run.)
class Problem {
 public:
  virtual ~Problem() = default;
  virtual Kind kind() const = 0;
  virtual Layout layout() const = 0;
  /// The blocks that are reported; wider than layout() only for a mode whose fellow modes know more blocks.
  virtual Layout report() const { return layout(); }
  /// Adds to a state in the layout of report() what a mode knows without solving for it, as fellow modes do.
  virtual void complete(State& /*report*/) const {}
  /// Initial values, as given: the run makes them consistent, or says why it cannot.
  virtual State start() const = 0;
  virtual double end() const = 0;  ///< where a run stops unless told otherwise

  /// How large entries are whose unit would be too coarse for their tolerance, by name: the places of a mechanism of a centimetre,
  /// the milliamperes of a circuit. Where nobody says otherwise, their absolute tolerance is rtol times that.
  virtual std::map<std::string, double> small_entries() const { return {}; }
  /// The solution, or digits known to be right, at the times where it is known; NaN marks entries that are not.
  virtual std::optional<State> exact(double /*t*/) const { return {}; }
  /// Times after `begin` and up to `end` where the equations are not smooth (a load that is switched on, a drive with a
  /// corner), ascending: steps end there, and methods begin anew.
  virtual std::vector<double> breaks(double /*begin*/, double /*end*/) const { return {}; }
  /// Do the equations switch where the state says so (a bumper, a law with a condition)?
  virtual bool switches() const { return false; }
  /// Which of their smooth pieces holds at a state.
  virtual Piece piece(const State&) const { return {}; }
  /// What can happen along the way; nullptr if nothing can.
  virtual const Events* events() const { return nullptr; }
  /// Looks for the reason where an evaluation failed. Slow; never called in a step that succeeds.
  virtual Fault diagnose(double t, In y) const;
};

[[noreturn]] void refuse_cast(const Problem&);  ///< throws an Error that names the kind

/// A problem as what it is besides: a kind (Mechanical), a mechanism, something it can do (ForceDirections). As with
/// dynamic_cast: nullptr for a pointer to something else, but an Error that names the kind for a reference.
template <class Wanted>
const Wanted* as(const Problem* problem) {
  return dynamic_cast<const Wanted*>(problem);
}
/// The same for a reference.
template <class Wanted>
const Wanted& as(const Problem& problem) {
  if (const auto* wanted = as<Wanted>(&problem)) return *wanted;
  refuse_cast(problem);
}

class Mechanical;
/// The mechanical problem that this one is, in one piece if it is a partitioned one; nullptr if it is neither.
const Mechanical* as_mechanical(const Problem&);

}  // namespace dalembert
