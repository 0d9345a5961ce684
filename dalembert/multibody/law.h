// A force law: a number that depends on a few others, with its exact gradient.
//
//   Law spring = Law::of<2>([](auto length, auto rate) { return 1e3 * (length - .3) + 5.0 * rate; });
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "dalembert/problem/dual.h"

namespace dalembert {

/// A function of a few numbers, with its derivatives.
class Law {
 public:
  /// The value at x; writes the gradient, one entry per argument, unless the pointer is null.
  using Function = std::function<double(const double* x, double* gradient)>;

  Law() = default;  ///< zero
  /// The same number everywhere; implicit, so that numbers stand where laws do.
  Law(double constant) : f_([constant](const double*, double*) { return constant; }) {}
  explicit Law(Function f) : f_(std::move(f)) {}
  /// From a formula of n arguments, written once for numbers and for numbers with their gradients.
  template <std::size_t n, class Formula>
  static Law of(Formula formula) {
    return Law([formula](const double* x, double* gradient) {
      return with_arguments(formula, x, gradient, std::make_index_sequence<n>{});
    });
  }

  explicit operator bool() const { return bool(f_); }
  double operator()(const double* x, double* gradient = nullptr) const { return f_ ? f_(x, gradient) : 0; }

 private:
  template <class Formula, std::size_t... i>
  static double with_arguments(const Formula& formula, const double* x, double* gradient,
                               std::index_sequence<i...>) {
    if (gradient == nullptr) return formula(x[i]...);
    using Number = Forward<Gradient<sizeof...(i)>>;
    const auto seed = [&](std::size_t k) {
      Number number(x[k]);
      number.gradient.d[k] = 1;
      return number;
    };
    const Number value = formula(seed(i)...);
    ((gradient[i] = value.gradient.d[i]), ...);
    return value.value;
  }

  Function f_;
};

}  // namespace dalembert
