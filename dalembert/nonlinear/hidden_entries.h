// Algebraic entries of index 2 of an implicit problem, with the accuracy of the other entries: from the constraints
// differentiated once.
//
//   d(t, y, y') = 0,   0 = g(t, y),   0 = g_t + g_y y'
//
// Rows without y' are g, the others d. Newton's method finds y' and those entries z of y from d and the last rows, the other
// entries given. Methods leave z with a lower order than the rest [HairerLubichRoche1989, 6]; where the constraints alone say
// how the rest moves, no error estimate of the rest tells how far z is off.
#pragma once

#include <vector>

#include "dalembert/linear/decompositions.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class HiddenEntries {
 public:
  explicit HiddenEntries(const Implicit&);
  bool any() const { return any_; }
  /// False, and y stays as it is, where they are not determined that way: equations of another form, a kink of g.
  bool improve(double t, Out y);

 private:
  bool place(double t, In y);
  bool rates_of_constraints(double t, In y);
  void difference(double t, In y, double step, Vector& rates, Vector& bends);

  const Implicit& problem_;
  const Eigen::Index n_;
  const double span_;  // of the run
  bool any_ = false;
  double size_ = 0;                        // of the largest hidden entry so far
  std::vector<bool> hidden_, constraint_;  // entries; rows
  Entries F_y_, F_dy_;
  Matrix F_y_dense_, F_dy_dense_, A_;
  Vector dy_, r_, F_, rates_, finer_, bends_, finer_bends_, trial_;
};

}  // namespace dalembert
