// Sequential regularization: an algebraic variable is replaced by an iteration over whole trajectories [AscherLin1997].
//
//   x_s' = f(t, x_s) - B c_s,   c_s = c_{s-1} + (1/eps) E r(t, x_s),   s = 1, ..., S,   x_s(0) = x(0)
//
// r is made of constraint residuals and E chosen so that they decay. The limit solves the original problem; x_s is off by
// O(eps^s), after a layer of O(eps) unless c_0 is right at the start. What c is and how it is updated is up to the variant.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/formulation/formulation.h"
#include "dalembert/formulation/ode_as_implicit.h"
#include "dalembert/problem/sequence.h"

namespace dalembert {

/// One variant on one problem, with the work space of one run at a time.
class Regularization {
 public:
  virtual ~Regularization() = default;
  /// As if just made: forgets the run before.
  virtual void reset() = 0;
  virtual const Problem& original() const = 0;
  virtual Eigen::Index carried_size() const = 0;
  /// x_s' and c_s; NaN where they cannot be had.
  virtual void evaluate(double t, In x, In before, Out dx, Out c) const = 0;
  /// A c_0 that is right at a complete, consistent state of the original problem.
  virtual void first(const State& original, Out c) const = 0;
  /// The algebraic entries of the original state, from the last iterate and what it carries.
  virtual Outcome algebraic(double t, In x, In c, Out z) const = 0;
  /// The eigenvalues that r obeys, at the start.
  virtual std::vector<std::complex<double>> spectrum() const = 0;
};

/// The choices of E: I, (GB)', (GB)^-1.
enum class Weight { identity, transposed, inverse };

/// The options that all variants share, and the weight for those that have a choice.
std::vector<Parameter> sequence_options();
Parameter weight_option();
Weight weight_in(const Parameters&);

/// The `make` of a variant's entries, by the kind that comes out (ode or implicit).
std::unique_ptr<Formulation> regularize(std::unique_ptr<Regularization>, const Parameters&, Kind to);

}  // namespace dalembert
