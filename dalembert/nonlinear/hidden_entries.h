// Entries of index 2 and 3 of an implicit problem, with the accuracy of the other entries: from the constraints differentiated.
//
//   F(t, y, y') = 0,   0 = g_t + g_y y'
//
// Rows of F without y' are g. Newton's method finds y' and those entries z of y that are of index 2, the others given, where these
// equations determine them. Methods leave z with a lower order than the rest [HairerLubichRoche1989, 6]; where the constraints
// alone say how the rest moves, no error estimate of the rest tells how far z is off. At index 3 the whole derivative array is
// met (hidden_start.h).
#pragma once

#include <vector>

#include "dalembert/linear/decompositions.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

class HiddenEntries {
 public:
  explicit HiddenEntries(const Implicit&);
  /// False, and y stays as it is, where they are not determined that way: a kink of g, equations of another form.
  bool improve(double t, Out y);

 private:
  bool place(double t, In y);
  bool rates_of_constraints(double t, In y);
  void difference(double t, In y, double step, Vector& rates, Vector& bends);
  bool determined() const;

  const Implicit& problem_;
  const Eigen::Index n_;
  int index_ = 1;
  const double span_, middle_;                      // of the run
  std::vector<Eigen::Index> hidden_, constraints_;  // entries; rows
  double step_ = 0;                                 // of the differences that agreed last
  Entries F_y_, F_dy_;
  Matrix F_y_dense_, F_dy_dense_, A_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors_;
  Vector mine_, dy_, r_, F_, rates_, finer_, bends_, finer_bends_, trial_, right_;
};

}  // namespace dalembert
