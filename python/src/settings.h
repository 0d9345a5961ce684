// Settings of a run, and what became of it, as Python reads and writes them.
#pragma once

#include <pybind11/pybind11.h>

#include "dalembert/control/run_settings.h"
#include "dalembert/observe/monitor.h"

namespace dalembert::python {

namespace py = pybind11;

/// From keywords, named as in [run] of model files. Throws Error for names and values that cannot be meant.
RunSettings to_settings(const py::dict&);

/// Everything that a summary says, by name.
py::dict to_dict(const Summary&);
py::dict to_dict(const Monitor&);

}  // namespace dalembert::python
