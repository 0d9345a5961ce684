#include "python/src/function.h"

namespace dalembert::python {

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string text(const py::handle& thing) {
  return py::str(thing).cast<std::string>();
}

/// A copy: Python may keep it.
py::array_t<double> array(In x) {
  return py::array_t<double>(x.size(), x.data());
}

/// None if it cannot be one; anything else that happens meanwhile, such as Ctrl-C, comes out.
py::array as_array(const py::object& thing) {
  try {
    return py::array(thing);
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
    return py::reinterpret_steal<py::array>(py::handle());
  }
}

}  // namespace

Function::Function(const py::object& callable, std::string name) : name_(std::move(name)) {
  if (callable.is_none()) return;
  if (py::isinstance<py::int_>(callable))
    address_ = callable.cast<std::uintptr_t>();
  else
    callable_ = callable;
}

void Function::refuse(const py::array& returned, const std::string& wanted) const {
  throw py::value_error(name_ + " returned an array of shape " + text(returned.attr("shape")) +
                        ", and must return " + wanted);
}

py::array_t<double> Function::call(double t,
                                   std::initializer_list<const Eigen::Ref<const Vector>*> vectors) const {
  ++calls_;
  const auto* const* x = vectors.begin();
  const py::object returned =
      vectors.size() == 1 ? callable_(t, array(**x)) : callable_(t, array(**x), array(*x[1]));
  if (py::isinstance<py::array_t<double, py::array::c_style>>(returned))
    return py::reinterpret_borrow<py::array_t<double>>(returned);
  py::array numbers = as_array(returned);
  if (numbers && numbers.dtype().kind() == 'O' && py::hasattr(returned, "toarray"))  // a sparse matrix
    numbers = as_array(returned.attr("toarray")());
  if (!numbers || std::string("fiub").find(numbers.dtype().kind()) == std::string::npos)
    throw py::type_error(
        name_ + " returned " +
        (returned.is_none()
             ? "None (is a return missing?), which is no array of numbers; it must return real ones"
         : numbers && numbers.dtype().kind() == 'c'
             ? "complex numbers, and must return real ones; solve_ivp takes complex ones where y0 is complex"
             : text(py::type::of(returned).attr("__name__")) +
                   " that is no array of numbers, and must return real ones"));
  return py::array_t<double, py::array::c_style | py::array::forcecast>(numbers);
}

void Function::copy_vector(const py::array_t<double>& from, Out to) const {
  const bool flat = from.ndim() <= 1 || (from.ndim() == 2 && (from.shape(0) == 1 || from.shape(1) == 1));
  if (!flat || from.size() != to.size())
    refuse(from, std::to_string(to.size()) + (to.size() == 1 ? " number" : " numbers"));
  std::copy_n(from.data(), to.size(), to.data());
}

double Function::copy_number(const py::array_t<double>& from) const {
  if (from.size() != 1) refuse(from, "one number");
  return *from.data();
}

void Function::operator()(double t, In x, Out r) const {
  if (interpreted()) return copy_vector(call(t, {&x}), r);
  ++calls_;
  pointer<void (*)(double, const double*, double*)>()(t, x.data(), r.data());
}

void Function::operator()(double t, In x, In y, Out r) const {
  if (interpreted()) return copy_vector(call(t, {&x, &y}), r);
  ++calls_;
  pointer<void (*)(double, const double*, const double*, double*)>()(t, x.data(), y.data(), r.data());
}

void Function::matrix(double t, In x, Matrix& r) const {
  if (!interpreted()) {
    ++calls_;
    Rows rows(r.rows(), r.cols());
    pointer<void (*)(double, const double*, double*)>()(t, x.data(), rows.data());
    r = rows;
    return;
  }
  const py::array_t<double> returned = call(t, {&x});
  const bool fits = returned.ndim() == 2 ? returned.shape(0) == r.rows() && returned.shape(1) == r.cols()
                                         : returned.size() == r.size() && (r.rows() == 1 || r.cols() == 1);
  if (!fits)
    refuse(returned, "one of shape (" + std::to_string(r.rows()) + ", " + std::to_string(r.cols()) + ")");
  r = Eigen::Map<const Rows>(returned.data(), r.rows(), r.cols());
}

double Function::number(double t, In x) const {
  if (interpreted()) return copy_number(call(t, {&x}));
  ++calls_;
  return pointer<double (*)(double, const double*)>()(t, x.data());
}

double Function::number(double t, In x, In y) const {
  if (interpreted()) return copy_number(call(t, {&x, &y}));
  ++calls_;
  return pointer<double (*)(double, const double*, const double*)>()(t, x.data(), y.data());
}

}  // namespace dalembert::python
