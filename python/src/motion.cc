#include "python/src/motion.h"

#include <pybind11/stl.h>

#include "python/src/arrays.h"

namespace dalembert::python {

namespace py = pybind11;

namespace {

/// A row for each time.
py::array_t<double> states_at(const Motion& motion, const std::vector<double>& times) {
  const auto n = static_cast<py::ssize_t>(motion.trajectory.layout().size());
  std::vector<double> all;
  all.reserve(times.size() * static_cast<std::size_t>(n));
  for (const double t : times) {
    const Vector y = motion.trajectory(motion.sign * t).y;
    all.insert(all.end(), y.begin(), y.end());
  }
  return to_array(std::move(all), {static_cast<py::ssize_t>(times.size()), n});
}

}  // namespace

void bind_motion(py::module_& m) {
  py::class_<Motion, std::shared_ptr<Motion>>(m, "Motion")
      .def("__call__", &states_at)
      .def_property_readonly("times",
                             [](const Motion& motion) {
                               std::vector<double> all = motion.trajectory.times();
                               for (double& t : all) t *= motion.sign;
                               return all;
                             })
      .def_property_readonly("labels", [](const Motion& motion) {
        std::vector<std::string> all;
        const Layout& layout = motion.trajectory.layout();
        for (Eigen::Index i = 0; i < layout.size(); ++i) all.push_back(layout.label(i));
        return all;
      });
}

}  // namespace dalembert::python
