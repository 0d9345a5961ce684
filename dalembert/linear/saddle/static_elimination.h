// An elimination order compiled to a flat list of block operations over one workspace.
//
// The workspace holds, in this order: a block of zeros, the right-hand side, the blocks of K (in pivot order,
// as the pivots read them), the determinants of the pivots, the factors. K is only read, so residuals can be
// formed at any time.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "dalembert/core/vector.h"
#include "dalembert/linear/saddle/block_graph.h"
#include "dalembert/linear/saddle/block_kernels.h"
#include "dalembert/linear/saddle/elimination_order.h"

namespace dalembert {

class StaticElimination {
 public:
  void compile(const BlockGraph&, const EliminationOrder&, Symmetry);

  const BlockGraph& graph() const { return graph_; }
  /// Where K(i,j) is kept. If K is symmetric, K(j,i) is the same place unless both are in one block.
  std::int32_t slot(int i, int j) const;
  /// A place for what nobody reads.
  std::int32_t nowhere() const { return nowhere_; }
  std::size_t size() const { return workspace_.size(); }
  double* workspace() { return workspace_.data(); }
  const double* workspace() const { return workspace_.data(); }

  void load(const double* b);
  /// Reads the solution; false if it is not finite.
  bool unload(double* x) const;
  void factor_and_solve();
  void solve_again();

  /// Makes the pivots of the last factorisation the ones that later ones are compared with; false if one is
  /// zero or NaN.
  bool take_reference();
  /// Has every pivot kept this share of its reference? NaN has not.
  bool pivots_above(double share) const {
    const double* det = workspace_.data() + determinants_;
    std::int64_t kept = 0;  // counted rather than asked one by one, so that pairs are compared at once
    for (std::size_t i = 0; i < reference_.size(); ++i) kept += std::abs(det[i]) > share * reference_[i];
    return kept == static_cast<std::int64_t>(reference_.size());
  }

 private:
  struct Instruction {
    Kernel run;
    std::int32_t record;
  };
  class Compiler;

  void run(const std::vector<Instruction>& list) {
    for (const Instruction& each : list)
      each.run(records_[static_cast<std::size_t>(each.record)], workspace_.data());
  }

  BlockGraph graph_;
  Symmetry symmetry_ = Symmetry::symmetric;
  std::vector<int> position_;           // of each block among the pivots
  std::vector<std::int32_t> diagonal_;  // of each block: where K(p,p) is kept
  struct Coupling {
    int to;
    std::int32_t upper, lower;
  };
  std::vector<std::vector<Coupling>> couplings_;  // of each block with later neighbours in K
  std::vector<std::int32_t> rhs_of_;              // of each unknown
  std::vector<Record> records_;
  std::vector<Instruction> factor_, forward_, backward_;
  std::vector<double> workspace_, reference_;
  std::int32_t nowhere_ = 0, determinants_ = 0;
};

}  // namespace dalembert
