// An elimination order compiled to a flat list of block operations over one workspace.
//
// The workspace holds, in this order: a block of zeros, the right-hand side, the blocks of K (in pivot order,
// as the pivots read them), the determinants of the pivots, the factors. K is only read, so residuals can be
// formed at any time.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dalembert/core/vector.h"
#include "dalembert/linear/saddle/block_graph.h"
#include "dalembert/linear/saddle/block_kernels.h"
#include "dalembert/linear/saddle/elimination_order.h"

namespace dalembert {

class StaticElimination {
 public:
  /// Where entries of K are kept: asked while they are placed, and not needed afterwards. The graph has to live as long.
  class Places {
   public:
    /// Of K(i,j). If K is symmetric, K(j,i) is the same place unless both are in one block.
    std::int32_t slot(int i, int j) const;
    /// All are less.
    std::int32_t end() const { return end_; }

   private:
    friend class StaticElimination;
    struct Coupling {
      int to;
      std::int32_t upper, lower;
    };
    const BlockGraph* graph_ = nullptr;
    std::vector<int> position_;           // of each block among the pivots
    std::vector<std::int32_t> diagonal_;  // of each block: where K(p,p) is kept
    std::vector<std::size_t> first_;      // of each block: where its couplings begin
    std::vector<Coupling> couplings_;     // with later neighbours, as they are eliminated
    std::int32_t end_ = 0;

    const Coupling& find(int u, int v) const;
  };
  Places compile(const BlockGraph&, const EliminationOrder&, Symmetry);

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
    std::ptrdiff_t record;  // where it begins among all, in bytes: nothing is multiplied on the way to it
  };
  class Compiler;

  /// The same for all copies.
  struct Program {
    std::vector<std::int32_t> rhs_of;  // of each unknown
    bool one_piece = false;            // unknowns follow each other there as they do outside
    std::vector<Record> records;
    std::vector<Instruction> factor, forward, backward;
  };

  void run(const std::vector<Instruction>& list) {
    const char* records = reinterpret_cast<const char*>(program_->records.data());
    double* w = workspace_.data();
    for (const Instruction& each : list) each.run(*reinterpret_cast<const Record*>(records + each.record), w);
  }

  std::shared_ptr<const Program> program_;
  std::vector<double> workspace_, reference_;
  std::int32_t nowhere_ = 0, determinants_ = 0;
};

}  // namespace dalembert
