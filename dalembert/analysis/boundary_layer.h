// The fast part of a singularly perturbed problem at one state, and the boundary layer that it makes (singular_perturbation.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "dalembert/analysis/modes.h"
#include "dalembert/analysis/pencil.h"
#include "dalembert/problem/problem.h"

namespace dalembert {

/// Of an ordinary, index-2, implicit or mechanical problem. Throws Error for others, and for a singular pencil.
KroneckerForm kronecker_at(const Problem&, const State&, std::vector<std::string>& unknowns);

/// The fast modes of a problem at a state: vectors in the order of its layout, with entries that the pencil knows.
struct FastPart {
  struct Motion {
    std::complex<double> value;
    Eigen::VectorXcd shape;
    Mode::Fate fate;
  };
  std::vector<Motion> motions;  ///< one for each real eigenvalue and each pair
  Matrix basis;                 ///< real: one column for each eigenvalue
  double time = 0;              ///< 1/|Re s| of the slowest that decays, 1/|s| if none does

  /// The `count` largest eigenvalues.
  FastPart(const Problem&, const State&, std::size_t count);
  Mode::Fate fate() const;  ///< the worst one
  double growth() const;    ///< the largest real part
};

/// What is added to the limit after the start.
class BoundaryLayer {
 public:
  virtual ~BoundaryLayer() = default;
  virtual Vector at(double since_start) const = 0;  ///< in the layout of the full problem
};

/// (95) of [MantegazzaMasarati2012], up to `length` after the start; nullptr where the equations have not its form.
std::unique_ptr<BoundaryLayer> nonlinear_layer(const Problem& full, const State& start, const Problem& limit,
                                               const State& limit_start, double eps, double length,
                                               double tolerance);
/// What (95) makes of the start, with what is slow held.
struct Led {
  enum class Where { rests, moves, leaves } where = Where::moves;
  State state;  ///< where it comes to rest: in the limit's layout, near one of its sheets
  double delay =
      0;  ///< until what is left of the way begins to decay, long beside a sheet that repels; of what moves: how long it was followed
};
/// None where the equations have not its form.
std::optional<Led> led_by_layer(const Problem& full, const State& start, const Problem& limit,
                                const State& limit_start, double eps);
/// Of the matrix of (95), eps W z' = g_z z, at a state of the limit: the largest real part and the largest size of its eigenvalues, exact in eps.
/// None where the equations have not its form.
struct SheetGrowth {
  double most = 0, size = 0;
};
std::optional<SheetGrowth> sheet_growth(const Problem& full, const Problem& limit, const State& at,
                                        double eps);
/// The sum of w u exp(s t) that is the part `difference` of the state at the start, given by coordinates in the basis.
std::unique_ptr<BoundaryLayer> linearised_layer(const FastPart&, const Vector& coordinates);

}  // namespace dalembert
