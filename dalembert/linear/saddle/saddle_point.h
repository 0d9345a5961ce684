// The linear system of constrained mechanics, [M G1'; G2 0] (a, lambda) = (f, r), with a fixed pattern.
//
// G1 carries the constraint forces (at the stage), G2 the constraint (at the next point) [BraseyHairer1993,
// (5.5)]; in index-1 form they are the same matrix. Pivot order and the list of operations are fixed in
// bind(); later factorisations are a straight run over that list. A growth check per pivot refines or falls
// back, and counts. The mass matrix is symmetric and written with both its halves.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/linear/entries.h"
#include "dalembert/linear/saddle/symmetry.h"

namespace dalembert {

/// Which elimination: block by block in an order fixed beforehand, the multifrontal method where loops abound (G1 = G2
/// only), or always a pivoted one.
enum class Elimination { static_order, multifrontal, dense, sparse };

class SaddlePoint {
 public:
  SaddlePoint();
  ~SaddlePoint();
  SaddlePoint(SaddlePoint&&) noexcept;
  SaddlePoint& operator=(SaddlePoint&&) noexcept;

  /// Plans the elimination of n unknowns a and m multipliers on a representative matrix. The only place that
  /// allocates, but for the rare case that a large system falls back and the sparse backend must choose new
  /// pivots.
  void bind(Eigen::Index n, Eigen::Index m, const Entries& mass, const Entries& jacobian, Symmetry,
            Elimination = Elimination::static_order);

  /// Forgets all factors, for another run with entries in the same places and order. The plan of bind() stays, unless it does not
  /// suit this representative matrix; then there is another one until the next reset, so that runs do not depend on those before.
  void reset(const Entries& mass, const Entries& jacobian);

  /// Takes over what another one has planned, for entries that come in the same places and order; its factors are not.
  void bind_like(const SaddlePoint& planned);

  /// In the order that another one has found, whether or not that one is symmetric, for entries of the same size that couple
  /// nothing else. Plans anew where there is no such order, or where it does not suit this representative matrix.
  void bind_in_order_of(const SaddlePoint& planned, const Entries& mass, const Entries& jacobian, Symmetry);

  /// Factors and solves; x holds (f, r) and receives (a, lambda). Returns ok, singular or not_finite.
  Outcome solve(const Entries& mass, const Entries& G1, const Entries& G2, Out x, Statistics&);

  /// Solves once more with the last factors.
  Outcome solve_again(Out x, Statistics&);

  /// After `singular`: the unknown (0..n-1) or constraint row (n..n+m-1) at which elimination broke down.
  std::optional<Eigen::Index> culprit() const;

  /// Why no static order was taken though there was one to try, in a sentence.
  std::optional<std::string> refusal() const;

  /// What bind() settled on: no static order suits systems with many loops.
  Elimination elimination() const;
  Symmetry symmetry() const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_, first_;  // in use; the one of bind() while another one is in use
};

}  // namespace dalembert
