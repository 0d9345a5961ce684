// Numbers for NumPy that stay where they are: an array owns what it shows.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <utility>
#include <vector>

namespace dalembert::python {

/// Of this shape, rows one after the other.
inline pybind11::array_t<double> to_array(std::vector<double> numbers, std::vector<pybind11::ssize_t> shape) {
  auto kept = std::make_unique<std::vector<double>>(std::move(numbers));
  const double* const data = kept->data();
  const pybind11::capsule owner(kept.release(),
                                [](void* it) { delete static_cast<std::vector<double>*>(it); });
  return pybind11::array_t<double>(std::move(shape), data, owner);
}

}  // namespace dalembert::python
