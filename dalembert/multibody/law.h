// A force law: a number that depends on a few others, with its exact slopes.
//
//   Law spring = Law::of<2>([](auto length, auto rate) { return 1e3 * (length - .3) + 5.0 * rate; });
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "dalembert/problem/dual.h"

namespace dalembert {

class Law {
 public:
  /// The value at x; writes the slopes, one per argument, unless the pointer is null.
  using Function = std::function<double(const double* x, double* slopes)>;

  Law() = default;  ///< zero
  /// The same number everywhere; implicit, so that numbers stand where laws do.
  Law(double constant) : f_([constant](const double*, double*) { return constant; }) {}
  explicit Law(Function f) : f_(std::move(f)) {}
  /// From a formula of n arguments, written once for numbers and for numbers with slopes.
  template <std::size_t n, class Formula>
  static Law of(Formula formula) {
    return Law([formula](const double* x, double* slopes) {
      return with_arguments(formula, x, slopes, std::make_index_sequence<n>{});
    });
  }

  explicit operator bool() const { return bool(f_); }
  double operator()(const double* x, double* slopes = nullptr) const { return f_ ? f_(x, slopes) : 0; }

 private:
  template <class Formula, std::size_t... i>
  static double with_arguments(const Formula& formula, const double* x, double* slopes,
                               std::index_sequence<i...>) {
    if (slopes == nullptr) return formula(x[i]...);
    using Number = Forward<Slopes<sizeof...(i)>>;
    const auto seed = [&](std::size_t k) {
      Number number(x[k]);
      number.slope.d[k] = 1;
      return number;
    };
    const Number value = formula(seed(i)...);
    ((slopes[i] = value.slope.d[i]), ...);
    return value.value;
  }

  Function f_;
};

}  // namespace dalembert
