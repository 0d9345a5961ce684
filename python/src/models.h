// Models of files and problems of the catalogue, their runs, and the tables of what models are made of.
#pragma once

#include <pybind11/pybind11.h>

namespace dalembert::python {

void bind_models(pybind11::module_&);

}  // namespace dalembert::python
