// The Jacobian of a function by central differences, as many columns at once as its pattern allows.
//
//   f_y e_j = (f(t, y + h e_j) - f(t, y - h e_j))/(2h),   all columns of one colour together [CurtisPowellReid1974]
#pragma once

#include <cmath>
#include <functional>

#include "dalembert/core/rounding.h"
#include "dalembert/core/vector.h"
#include "dalembert/linear/colouring.h"

namespace dalembert::python {

/// Adds up nothing where the pattern has no place. Without a pattern every place is one.
class DifferenceColumns {
 public:
  DifferenceColumns(Eigen::Index size, const std::vector<Entries::Place>& pattern)
      : n_(size),
        colouring_(static_cast<int>(size), static_cast<int>(size), pattern.empty() ? all(size) : pattern) {}

  /// f(y, result); add(row, column, value) for each place.
  template <class F, class Add>
  void operator()(In y, const F& f, const Add& add) const {
    Vector at = y, plus(n_), minus(n_);
    const auto step = [&](int j) { return central_difference * (1 + std::abs(y[j])); };
    for (int colour = 0; colour < colouring_.colours(); ++colour) {
      for (const int j : colouring_.columns(colour)) at[j] = y[j] + step(j);
      f(at, plus);
      for (const int j : colouring_.columns(colour)) at[j] = y[j] - step(j);
      f(at, minus);
      for (const int j : colouring_.columns(colour)) at[j] = y[j];
      for (const auto& place : colouring_.places(colour))
        add(place.row, place.column, (plus[place.row] - minus[place.row]) / (2 * step(place.column)));
    }
  }

 private:
  static std::vector<Entries::Place> all(Eigen::Index n) {
    std::vector<Entries::Place> places;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) places.push_back({i, j});
    return places;
  }

  Eigen::Index n_;
  Colouring colouring_;
};

}  // namespace dalembert::python
