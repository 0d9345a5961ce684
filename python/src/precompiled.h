// What nearly every file of the module includes.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "dalembert/control/run_settings.h"
#include "dalembert/problem/from_functions.h"
