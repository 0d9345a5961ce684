// A function of t and of vectors that equations call: one of Python, or a C pointer that needs no interpreter.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "dalembert/core/vector.h"

namespace dalembert::python {

namespace py = pybind11;

/// Calls are counted. What Python raises comes out of runs as it is; what it returns must be real numbers of the right shape.
class Function {
 public:
  Function() = default;  ///< none
  /// A callable, the address of a C function, or None. The name is for messages.
  Function(const py::object& callable, std::string name);

  explicit operator bool() const { return address_ != 0 || !callable_.is_none(); }
  bool interpreted() const { return !callable_.is_none(); }
  std::int64_t calls() const { return calls_; }

  /// void (double t, const double* x, double* r)
  void operator()(double t, In x, Out r) const;
  /// void (double t, const double* x, const double* y, double* r)
  void operator()(double t, In x, In y, Out r) const;
  /// Rows one after the other: void (double t, const double* x, double* r)
  void matrix(double t, In x, Matrix& r) const;
  /// double (double t, const double* x)
  double number(double t, In x) const;
  double number(double t, In x, In y) const;

 private:
  py::array_t<double> call(double t, std::initializer_list<const Eigen::Ref<const Vector>*> vectors) const;
  void copy_vector(const py::array_t<double>& from, Out to) const;
  double copy_number(const py::array_t<double>& from) const;
  [[noreturn]] void refuse(const py::array& returned, const std::string& wanted) const;
  template <class Pointer>
  Pointer pointer() const {
    return reinterpret_cast<Pointer>(address_);
  }

  py::object callable_ = py::none();
  std::uintptr_t address_ = 0;
  std::string name_;
  mutable std::int64_t calls_ = 0;  // a problem made of functions belongs to one run
};

}  // namespace dalembert::python
