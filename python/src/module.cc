// dalembert._core: what the package needs of the library. The package is what people see.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "dalembert/core/error.h"
#include "dalembert/model/model.h"
#include "python/src/models.h"
#include "python/src/problems.h"
#include "python/src/progress.h"

namespace dalembert::python {

namespace {

/// Raises the exception of the package that has this name.
void raise(const char* type, const py::tuple& arguments) {
  const py::object made = py::module_::import("dalembert._errors").attr(type);
  PyErr_SetObject(made.ptr(), made(*arguments).ptr());
}

py::list to_list(const std::vector<Complaint>& complaints) {
  py::list all;
  for (const Complaint& c : complaints)
    all.append(py::make_tuple(c.what, c.hint, c.place.file, c.place.line, c.place.column, c.text));
  return all;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const ModelError& error) {
    raise("ModelError", py::make_tuple(to_list(error.complaints())));
  } catch (const Error& error) {
    raise("Error", py::make_tuple(error.what(), error.hint()));
  }
}

}  // namespace

}  // namespace dalembert::python

PYBIND11_MODULE(_core, m) {
  using namespace dalembert::python;
  m.doc() = "The compiled part of the package dalembert.";
  m.attr("version") = DALEMBERT_VERSION;
  py::register_exception_translator(&translate);
  m.def("end_all_runs", &end_all_runs);
  m.def("forget_runs", &forget_runs);
  bind_problems(m);
  bind_models(m);
}
