// A motion between the ends of its steps, as Python asks for it.
#pragma once

#include <pybind11/pybind11.h>

#include "dalembert/observe/trajectory.h"

namespace dalembert::python {

struct Motion {
  Trajectory trajectory;
  double sign = 1;  ///< -1: the time of the trajectory is -t
};

void bind_motion(pybind11::module_&);

}  // namespace dalembert::python
