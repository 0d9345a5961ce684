// A constrained motion with conditions at both of its ends [AscherLin1997, (2.2), (4.2)].
//
//   index2       x' = f(t,x,z), 0 = g(t,x)                     b(x(t0), x(T)) = 0, as many as x has entries more than g
//   mechanical   x = (q, v, s) of the equations of mechanical.h   the same, with h = (g; J v + w) for g
//
// f is linear in z. x(t0) satisfies the constraints: that, and b, determine the motion.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/parameters.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// A constrained motion that is sought between conditions at both ends.
class BoundaryProblem {
 public:
  virtual ~BoundaryProblem() = default;
  /// Hessenberg or Mechanical; x is its differential entries. Its own start and end are not looked at, its exact() is.
  virtual const Problem& equations() const = 0;
  virtual double begin() const = 0;
  virtual double end() const = 0;
  /// What each condition says, for people: "q.y = 0 at the start".
  virtual std::vector<std::string> conditions() const = 0;
  virtual void residual(In at_begin, In at_end, Out r) const = 0;
  /// x(t), roughly; where Newton's iteration starts.
  virtual Vector guess(double t) const = 0;
};

/// How a boundary problem is entered into the catalogue.
struct BoundaryEntry {
  std::string name;
  std::string summary;
  std::string cite;  ///< keys in docs/references.bib
  std::vector<Parameter> parameters;
  std::function<std::shared_ptr<const BoundaryProblem>(const Parameters&)> make;
};

/// Generated from problems/boundary/*.cc, each of which ends with
/// `std::vector<BoundaryEntry> boundary_problems_in_<file>()`.
const std::vector<BoundaryEntry>& all_boundary_problems();
const BoundaryEntry& find_boundary_problem(const std::string& name);  ///< throws Error with the nearest name
/// By name, with some parameters set; throws Error with the nearest name.
std::shared_ptr<const BoundaryProblem> make_boundary_problem(const std::string& name,
                                                             const std::map<std::string, double>& set = {});

}  // namespace dalembert
