// The norm of error tests and of Newton's convergence test for implicit problems.
//
//   |d| = sqrt( mean over the tested entries of (p d_i / (atol + rtol max(|a_i|,|b_i|)))^2 ),  p = h^(index-1)
//
// Entries of index 2 and 3 carry h and h^2 [HairerLubichRoche1989, 6]. For velocities, which are of index 2 where positions
// are held alone, h v is a displacement and held against the tolerance of one, atol + rtol |h v|: with h in front of the error
// alone, one of 1000 /s would be free to be off by rtol/h of itself. Which entries are tested, the problem says.
#pragma once

#include <vector>

#include "dalembert/core/memory.h"
#include "dalembert/core/tolerance.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

/// by_index: as above. none: every entry counts as if it were of index 1, as in programs that do not know of indices.
enum class IndexWeights { by_index, none };

class TestNorm {
 public:
  /// Down to rounding what counts is the size of all entries, whatever the tolerance is and the problem wants tested.
  void bind(const Implicit&, const Tolerance&, Precision, IndexWeights = IndexWeights::by_index);
  /// As if just bound.
  void reset();
  void remember(Memory& memory) {
    memory(weight_, error_, newton_);
    list_tested();
  }
  /// Asks the problem anew which entries are tested.
  void choose_tests();
  /// Sets the scale of each entry for a step h between two states.
  void aim(double h, In a, In b);

  double error(In d) const { return norm(d, error_, error_tested_); }
  double newton(In d) const { return norm(d, newton_, newton_tested_); }
  /// Of the first columns, in the mean.
  double newton(const Matrix& stages, int columns) const;
  /// The tested entry in which d is largest.
  Eigen::Index worst_error(In d) const { return worst(d, error_); }
  /// 1/scale_i, index weight included; the masks of the tests.
  const Vector& weight() const { return weight_; }
  const Vector& error_tests() const { return error_; }
  const Vector& newton_tests() const { return newton_; }

 private:
  using Tested = std::vector<Eigen::Index>;
  double norm(In d, const Vector& mask, const Tested&) const;
  void list_tested();
  Eigen::Index worst(In d, const Vector& mask) const;

  const Implicit* problem_ = nullptr;
  ErrorScale tolerance_;
  Precision precision_ = Precision::tolerance;
  Vector power_;  // index - 1 of each entry
  Vector moves_;  // 1 for velocities, whose size counts as a displacement
  Vector weight_, error_, newton_, usual_error_, usual_newton_;
  Tested error_tested_, newton_tested_;  // where the masks are not zero
};

}  // namespace dalembert
