#include "python/src/models.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <ctime>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/model/element_entry.h"
#include "dalembert/model/model.h"
#include "dalembert/model/model_findings.h"
#include "dalembert/observe/files/run_file.h"
#include "dalembert/observe/report.h"
#include "dalembert/page/page.h"
#include "dalembert/problem/catalogue.h"
#include "python/src/motion.h"
#include "python/src/progress.h"
#include "python/src/settings.h"

namespace dalembert::python {

namespace {

using Parameters = std::map<std::string, double>;

/// What can be run: a model, or a problem of the catalogue.
struct Subject {
  std::string name, title;
  std::shared_ptr<const Problem> problem;
  std::optional<Model> model{};

  RunSettings settings(const py::dict& mine) const {
    return merge(to_settings(mine), model ? model->run : RunSettings{});
  }
  std::vector<Watch> watches() const { return model ? model->watches : std::vector<Watch>{}; }
};

/// A run of a subject, and what was kept of it.
struct Record {
  std::shared_ptr<const Subject> subject;
  RunOptions options;
  RunRecord record;
  std::string text{};
  py::dict summary{};
  double seconds = 0;  ///< of the processor, without what is done for Python
};

/// So many pieces, unless something else was asked for.
constexpr int usual_rows = 1000;

std::shared_ptr<Record> run_subject(const std::shared_ptr<const Subject>& subject, const py::dict& keywords) {
  const std::clock_t begun = std::clock();
  const RunSettings settings = subject->settings(keywords);
  auto made = std::make_shared<Record>();
  made->subject = subject;
  made->options = resolve(settings, *subject->problem).options;
  const RunOptions& o = made->options;
  Monitor monitor(o.tolerance);
  WatchFollower follower(subject->watches());
  std::vector<double> rows;  // none: the outputs
  if (!settings.output)
    rows = output_times(begin_time(o.start, *subject->problem), o.end.value_or(subject->problem->end()),
                        usual_rows);
  RunRecorder recorder(*subject->problem, subject->watches(), &monitor, std::move(rows));
  const Summary summary =
      guarded_run(subject->problem, o, {&monitor, &follower, &recorder}, Interpreter::not_needed);
  RunRecord& record = made->record = recorder.take(summary);
  record.program = "dalembert " DALEMBERT_VERSION;
  record.subject = subject->name;
  record.title = subject->title.empty() ? subject->name : subject->title;
  record.tolerance = o.tolerance;
  if (subject->model) {
    for (const ModelText& text : subject->model->texts) record.sources.push_back({text.name, text.text});
    for (const Parameter& p : subject->model->parameters)
      record.parameters.push_back({p.name, p.unit, p.value});
  }
  made->text = report(summary, {.title = record.title,
                                .problem = subject->problem.get(),
                                .drift = monitor.drift(),
                                .energy = monitor.energy(),
                                .watches = subject->watches()});
  made->seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  made->summary = to_dict(summary);
  made->summary.attr("update")(to_dict(monitor));
  return made;
}

/// A view of numbers that the record owns.
py::array_t<double> view(const std::shared_ptr<Record>& of, const std::vector<double>& numbers,
                         std::vector<py::ssize_t> shape) {
  py::array_t<double> all(std::move(shape), numbers.data(), py::cast(of));
  all.attr("setflags")(py::arg("write") = false);
  return all;
}

/// By the same run made once more, bit by bit.
std::shared_ptr<Motion> motion_of(const Record& of) {
  auto motion = std::make_shared<Motion>();
  guarded_run(of.subject->problem, of.options, {&motion->trajectory}, Interpreter::not_needed);
  return motion;
}

/// By the suffix of the name, as `dalembert run --out` writes it.
void save(const Record& of, const std::string& path) {
  const RunRecord& r = of.record;
  RunHead head{.columns = {{"t", "s", "t"}},
               .program = r.program,
               .subject = r.subject,
               .title = r.title,
               .folder = std::filesystem::current_path().string(),
               .sources = r.sources,
               .settings = {{"formulation", r.summary.formulation},
                            {"method", r.summary.method},
                            {"rtol", full_number(r.tolerance.relative)},
                            {"atol", full_number(r.tolerance.absolute)}}};
  head.columns.insert(head.columns.end(), r.columns.begin(), r.columns.end());
  const auto file = find_format(path).open(path, head, {});
  std::vector<double> row(r.columns.size() + 1);
  for (std::size_t i = 0; i < r.rows(); ++i) {
    row[0] = r.times[i];
    for (std::size_t j = 0; j < r.columns.size(); ++j) row[j + 1] = r.value(i, j);
    file->row(row);
  }
  for (const EventRecord& event : r.summary.events) file->event(event);
  for (const TriedStep& step : r.steps) file->tried(step);
  for (const Monitor::Reading& reading : r.readings) file->reading(reading);
  file->close();
  const auto json = py::module_::import("json").attr("dumps")(of.summary).cast<std::string>();
  file->conclude({r.summary, json, r.drift, r.energy});
}

py::dict to_dict(const Findings& f) {
  py::dict d, counts;
  counts["bodies"] = f.counts.bodies;
  counts["joints"] = f.counts.joints;
  counts["drives"] = f.counts.drives;
  counts["velocities"] = f.counts.velocities;
  counts["rows"] = f.counts.rows;
  counts["states"] = f.counts.states;
  d["fine"] = f.fine();
  d["assembly"] = std::string(name(f.assembly));
  d["message"] = f.assembly_message;
  d["counts"] = counts;
  const auto known = [&](Eigen::Index number) {
    return f.ranked ? py::cast(number) : py::object(py::none());
  };
  d["degrees_of_freedom"] = known(f.degrees_of_freedom);
  d["redundant_rows"] = known(f.redundant);
  py::list findings;
  for (const Finding& each : f.list) {
    py::dict one;
    one["severity"] = std::string(name(each.severity));
    one["topic"] = each.topic;
    one["what"] = each.what;
    one["hint"] = each.hint;
    one["joints"] = each.joints;
    one["bodies"] = each.bodies;
    one["file"] = each.place.file;
    one["line"] = each.place.line;
    one["column"] = each.place.column;
    findings.append(one);
  }
  d["findings"] = findings;
  return d;
}

std::string name_of(Key::Type type) {
  using T = Key::Type;
  switch (type) {
    case T::number:
      return "number";
    case T::vector:
      return "vector";
    case T::numbers:
      return "numbers";
    case T::matrix:
      return "matrix";
    case T::text:
      return "text";
    case T::body:
      return "body";
    case T::bodies:
      return "bodies";
    case T::joint:
      return "joint";
    case T::node:
      return "node";
    case T::nodes:
      return "nodes";
    case T::branch:
      return "branch";
    case T::end:
      return "end";
    case T::law:
      return "law";
    case T::laws:
      return "laws";
    case T::motion:
      return "motion";
    case T::motions:
      return "motions";
    case T::orientation:
      return "orientation";
    case T::shape:
      return "shape";
  }
  return "";
}

py::list to_list(const std::vector<Key>& keys) {
  py::list all;
  for (const Key& key : keys) {
    py::dict one;
    one["name"] = key.name;
    one["type"] = name_of(key.type);
    one["unit"] = key.unit;
    one["meaning"] = key.meaning;
    one["preset"] = key.preset;
    one["words"] = key.words;
    all.append(one);
  }
  return all;
}

py::list elements() {
  py::list all;
  for (const ElementEntry& entry : all_elements()) {
    py::dict one;
    one["section"] = entry.section;
    one["kind"] = entry.kind;
    one["space"] = entry.space == ElementEntry::Space::both     ? "both"
                   : entry.space == ElementEntry::Space::planar ? "planar"
                                                                : "spatial";
    one["summary"] = entry.summary;
    one["carries"] = entry.carries;
    one["example"] = entry.example;
    one["keys"] = to_list(entry.keys);
    all.append(one);
  }
  return all;
}

py::list to_list(const std::vector<Parameter>& parameters) {
  py::list all;
  for (const Parameter& p : parameters) {
    py::dict one;
    one["name"] = p.name;
    one["value"] = p.value;
    one["unit"] = p.unit;
    one["meaning"] = p.meaning;
    all.append(one);
  }
  return all;
}

py::list catalogue() {
  py::list all;
  for (const ProblemEntry& entry : all_problems()) {
    py::dict one;
    one["name"] = entry.name;
    one["summary"] = entry.summary;
    one["kind"] = std::string(name(entry.kind));
    one["parameters"] = to_list(entry.parameters);
    all.append(one);
  }
  return all;
}

std::shared_ptr<Subject> subject_of(const std::string& name, Model model) {
  auto made = std::make_shared<Subject>();
  *made = {name, model.title, model.problem(), {}};
  made->model = std::move(model);
  return made;
}

std::string page_of(const Record& of) {
  return page({{of.record, of.subject->problem, of.subject->model}});
}

}  // namespace

void bind_models(py::module_& m) {
  py::class_<Subject, std::shared_ptr<Subject>>(m, "Subject")
      .def_readonly("name", &Subject::name)
      .def_readonly("title", &Subject::title)
      .def_property_readonly(
          "parameters",
          [](const Subject& s) { return to_list(s.model ? s.model->parameters : std::vector<Parameter>{}); })
      .def_property_readonly("space", [](const Subject& s) { return s.model ? s.model->space : ""; })
      .def_property_readonly("text",
                             [](const Subject& s) { return s.model ? s.model->texts.front().text : ""; })
      .def("check",
           [](const Subject& s) {
             const Findings found = [&] {
               const py::gil_scoped_release release;
               return examine(*s.model);
             }();
             return to_dict(found);
           })
      .def("run", [](const std::shared_ptr<Subject>& s, const py::dict& keywords) {
        return run_subject(s, keywords);
      });
  py::class_<Record, std::shared_ptr<Record>>(m, "Record")
      .def_readonly("text", &Record::text)
      .def_readonly("seconds", &Record::seconds)
      .def_readonly("summary", &Record::summary)
      .def_property_readonly("t",
                             [](const std::shared_ptr<Record>& r) {
                               return view(r, r->record.times, {static_cast<py::ssize_t>(r->record.rows())});
                             })
      .def_property_readonly("values",
                             [](const std::shared_ptr<Record>& r) {
                               return view(r, r->record.values,
                                           {static_cast<py::ssize_t>(r->record.rows()),
                                            static_cast<py::ssize_t>(r->record.columns.size())});
                             })
      .def_property_readonly("columns",
                             [](const Record& r) {
                               py::list all;
                               for (const RecordColumn& c : r.record.columns)
                                 all.append(py::make_tuple(c.name, c.unit, c.group));
                               return all;
                             })
      .def("motion", &motion_of)
      .def("page", &page_of)
      .def("save", &save);
  m.def("model_from_file", [](const std::string& path, const Parameters& set) {
    return subject_of(path, Model::from_file(path, set));
  });
  m.def("model_from_text", [](const std::string& text, const std::string& name, const Parameters& set) {
    return subject_of(name, Model::from_text(text, name, set));
  });
  m.def("problem", [](const std::string& name, const Parameters& set) {
    const ProblemEntry& entry = find_problem(name);
    auto made = std::make_shared<Subject>();
    *made = {entry.name, entry.summary, make_problem(name, set), {}};
    return made;
  });
  m.def("elements", &elements);
  m.def("catalogue", &catalogue);
}

}  // namespace dalembert::python
