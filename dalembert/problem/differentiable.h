// A function r(t,x) that was handed over as it is, with its derivatives: exact if it is written for any kind of number,
// by differences if it knows doubles only.
//
//   [](auto t, const auto& x, auto&& r) { r[0] = x[0] * x[0] + sin(t) - 1; }    exact
//   [](double t, In x, Out r) { r[0] = x[0] * x[0] + std::sin(t) - 1; }         by differences
//
// What is written with `auto` is called with numbers that carry their derivatives (dual.h), also as whole vectors:
// x.squaredNorm(), x.head(2), r << a, b. Where only t is a double, derivatives with respect to time are differences.
//
// Differences are central and of order 6, with steps of 0.003 (1+|x_j|) for first and 0.005 for second derivatives: of a function
// that changes over lengths of 1 and times of 1 they keep 12 and 10 digits, of one that changes ten times as fast 11 and 10.
#pragma once

#include <concepts>
#include <functional>

#include "dalembert/core/vector.h"
#include "dalembert/problem/dual.h"

/// Numbers with derivatives are numbers to Eigen.
template <class Derivative, class Scalar>
struct Eigen::NumTraits<dalembert::Forward<Derivative, Scalar>>
    : Eigen::GenericNumTraits<dalembert::Forward<Derivative, Scalar>> {
  using Real = dalembert::Forward<Derivative, Scalar>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 3,
    MulCost = 3
  };
};
template <class Derivative, class Scalar, class Operation>
struct Eigen::ScalarBinaryOpTraits<dalembert::Forward<Derivative, Scalar>, double, Operation> {
  using ReturnType = dalembert::Forward<Derivative, Scalar>;
};
template <class Derivative, class Scalar, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, dalembert::Forward<Derivative, Scalar>, Operation> {
  using ReturnType = dalembert::Forward<Derivative, Scalar>;
};

namespace dalembert {

/// A vector of any kind of number.
template <class Number>
using VectorOf = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

/// Can f be called with vectors of these numbers?
template <class F, class Time, class Number>
concept TakesNumbers = std::invocable < const F&,
        const Time&, const Eigen::Ref<const VectorOf<Number>>
&, Eigen::Ref<VectorOf<Number>>& > ;

/// Made from a function by conversion: what takes one of these takes the function.
class Differentiable {
 public:
  template <class F>
  requires TakesNumbers<F, double, double> Differentiable(
      F f);  // implicit, so that a lambda can stand where one of these is wanted

  void operator()(double t, In x, Out r) const { value_(t, x, r); }
  /// r_x; r_x has the right size.
  void jacobian(double t, In x, Matrix& r_x) const { jacobian_(t, x, r_x); }
  /// r_t
  void rate(double t, In x, Out r_t) const { rate_(t, x, r_t); }
  /// d^2/dtau^2 r(t + tau, x + tau dx) at tau = 0.
  void second(double t, In x, In dx, Out r) const { second_(t, x, dx, r); }

 private:
  using Value = std::function<void(double, In, Out)>;
  static void differences(const Value&, double t, In x, Matrix& r_x);
  static void time_differences(const Value&, double t, In x, Out r_t);
  static void second_differences(const Value&, double t, In x, In dx, Out r);
  template <class F>
  static void exact_jacobian(const F&, double t, In x, Matrix& r_x);

  Value value_;
  std::function<void(double, In, Matrix&)> jacobian_;
  std::function<void(double, In, Out)> rate_;
  std::function<void(double, In, In, Out)> second_;
};

template <class F>
requires TakesNumbers<F, double, double> Differentiable::Differentiable(F f)
    : value_([f](double t, In x, Out r) { f(t, x, r); }) {
  if constexpr (TakesNumbers<F, double, Dual<4>>)
    jacobian_ = [f](double t, In x, Matrix& r_x) { exact_jacobian(f, t, x, r_x); };
  else
    jacobian_ = [value = value_](double t, In x, Matrix& r_x) { differences(value, t, x, r_x); };

  if constexpr (TakesNumbers<F, Dual<1>, Dual<1>>) {
    rate_ = [f](double t, In x, Out r_t) {
      const VectorOf<Dual<1>> at = x.template cast<Dual<1>>();
      VectorOf<Dual<1>> r(r_t.size());
      Eigen::Ref<VectorOf<Dual<1>>> out(r);
      f(Dual<1>(t, {{1.0}}), Eigen::Ref<const VectorOf<Dual<1>>>(at), out);
      for (Eigen::Index i = 0; i < r.size(); ++i) r_t[i] = r[i].gradient.d[0];
    };
    second_ = [f](double t, In x, In dx, Out second) {
      const auto along = [](double value, double d) { return Second({value, {{d}}}, {{Dual<1>(d)}}); };
      VectorOf<Second> at(x.size()), r(second.size());
      for (Eigen::Index i = 0; i < x.size(); ++i) at[i] = along(x[i], dx[i]);
      Eigen::Ref<VectorOf<Second>> out(r);
      f(along(t, 1), Eigen::Ref<const VectorOf<Second>>(at), out);
      for (Eigen::Index i = 0; i < r.size(); ++i) second[i] = r[i].gradient.d[0].gradient.d[0];
    };
  } else {
    rate_ = [value = value_](double t, In x, Out r_t) { time_differences(value, t, x, r_t); };
    second_ = [value = value_](double t, In x, In dx, Out r) { second_differences(value, t, x, dx, r); };
  }
}

/// Four columns at a time.
template <class F>
void Differentiable::exact_jacobian(const F& f, double t, In x, Matrix& r_x) {
  constexpr Eigen::Index width = 4;
  using Number = Dual<width>;
  VectorOf<Number> at = x.template cast<Number>(), r(r_x.rows());
  Eigen::Ref<VectorOf<Number>> out(r);
  for (Eigen::Index first = 0; first < x.size(); first += width) {
    const Eigen::Index count = std::min(width, x.size() - first);
    for (Eigen::Index k = 0; k < count; ++k) at[first + k].gradient.d[static_cast<std::size_t>(k)] = 1;
    if constexpr (TakesNumbers<F, Number, Number>)
      f(Number(t), Eigen::Ref<const VectorOf<Number>>(at), out);
    else
      f(t, Eigen::Ref<const VectorOf<Number>>(at), out);
    for (Eigen::Index k = 0; k < count; ++k) {
      at[first + k].gradient = {};
      for (Eigen::Index i = 0; i < r.size(); ++i)
        r_x(i, first + k) = r[i].gradient.d[static_cast<std::size_t>(k)];
    }
  }
}

}  // namespace dalembert
