#include "python/src/settings.h"

#include <pybind11/stl.h>

#include <functional>

#include "dalembert/core/error.h"

namespace dalembert::python {

namespace {

/// What a keyword sets, from a value of its type.
template <class T, class Set>
std::function<void(const py::handle&, const std::string&)> reader(const char* wanted, Set set) {
  return [=](const py::handle& value, const std::string& name) {
    try {
      set(value.cast<T>());
    } catch (const py::cast_error&) {
      throw Error(name + " is " + py::repr(value).cast<std::string>(), std::string("it must be ") + wanted);
    }
  };
}

OutputSetting to_output(const py::handle& value) {
  if (py::isinstance<py::str>(value)) {
    if (value.cast<std::string>() == "step") return {OutputSetting::By::steps};
    throw Error("output is " + py::repr(value).cast<std::string>(),
                "it must be a number of pieces, a distance in time, a list of times, or 'step'");
  }
  if (py::hasattr(value, "__len__")) return {OutputSetting::By::times, 0, value.cast<std::vector<double>>()};
  return OutputSetting::of(value.cast<double>());
}

void read_tolerances(const py::handle& value, RunSettings& s) {
  if (!py::isinstance<py::dict>(value)) {
    s.atol = value.cast<double>();
    return;
  }
  for (const auto& [name, number] : value.cast<std::map<std::string, double>>())
    if (name == "rest")
      s.atol = number;
    else
      s.atol_of[name] = number;
}

}  // namespace

RunSettings to_settings(const py::dict& keywords) {
  RunSettings s;
  using Numbers = std::map<std::string, double>;
  const char* const number = "a number";
  const auto into = [&](std::optional<double>& field) {
    return reader<double>(number, [&field](double x) { field = x; });
  };
  const auto text_into = [&](std::optional<std::string>& field) {
    return reader<std::string>("a name", [&field](const std::string& x) { field = x; });
  };
  const std::map<std::string, std::function<void(const py::handle&, const std::string&)>> known = {
      {"formulation", text_into(s.formulation)},
      {"method", text_into(s.method)},
      {"rtol", into(s.rtol)},
      {"step", into(s.step)},
      {"max_step", into(s.max_step)},
      {"end", into(s.end)},
      {"dependent", into(s.dependent)},
      {"atol", reader<py::object>("a number, or numbers by block and entry",
                                  [&](const py::object& x) { read_tolerances(x, s); })},
      {"output", reader<py::object>("a number of pieces, a distance in time, a list of times, or 'step'",
                                    [&](const py::object& x) { s.output = to_output(x); })},
      {"options", reader<std::map<std::string, std::variant<double, std::string>>>(
                      "numbers or words by name", [&](const auto& x) { s.options = x; })},
      {"start", reader<Numbers>("numbers by name", [&](const Numbers& x) { s.start = x; })},
      {"keep", reader<std::vector<std::string>>("a list of names", [&](const auto& x) { s.keep = x; })},
      {"most_steps", reader<std::int64_t>("a whole number", [&](std::int64_t x) { s.most_steps = x; })},
      {"controller",
       reader<std::string>("a name", [&](const std::string& x) { s.controller = find_control(x); })},
      {"project",
       reader<std::string>("on, off or auto", [&](const std::string& x) { s.project = find_projection(x); })},
      {"singular", reader<std::string>("watch, ignore or stop",
                                       [&](const std::string& x) { s.singular = find_singular(x); })},
  };
  for (const auto& [key, value] : keywords) {
    const auto name = key.cast<std::string>();
    const auto found = known.find(name);
    if (found == known.end()) {
      std::vector<std::string> names;
      for (const auto& each : known) names.push_back(each.first);
      throw unknown("setting of a run", name, names);
    }
    if (!value.is_none()) found->second(value, name);
  }
  return s;
}

py::dict to_dict(const Summary& s) {
  py::dict d;
  d["outcome"] = std::string(name(s.outcome));
  d["message"] = s.message;
  d["formulation"] = s.formulation;
  d["method"] = s.method;
  d["why"] = s.why;
  d["t"] = s.state.t;
  d["warnings"] = s.warnings;
  d["start"] = s.start_message;
  d["error"] = s.error;
  d["seconds"] = s.seconds;
  py::dict defect;
  const auto& w = s.testimony;
  using Verdict = Testimony::Verdict;
  defect["largest"] = w.largest;
  defect["t"] = w.t;
  defect["entry"] = w.entry;
  defect["limit"] = w.limit;
  defect["looks"] = w.looks;
  defect["verdict"] = w.looks == 0                     ? "not looked at"
                      : w.verdict == Verdict::trusted  ? "trusted"
                      : w.verdict == Verdict::doubtful ? "doubtful"
                                                       : "untrusted";
  d["defect"] = defect;
  py::list changes, events, crossings;
  for (const auto& c : s.changes) changes.append(py::make_tuple(c.t, c.formulation, c.method, c.why));
  for (const auto& e : s.events) events.append(py::make_tuple(e.t, e.name));
  for (const auto& c : s.crossings) crossings.append(py::make_tuple(c.t, c.rows, c.how));
  d["changes"] = changes;
  d["events"] = events;
  d["crossings"] = crossings;
  py::dict statistics;
  s.statistics.each([&](const char* what, std::int64_t number, const char*) { statistics[what] = number; });
  d["statistics"] = statistics;
  return d;
}

py::dict to_dict(const Monitor& monitor) {
  py::dict d;
  if (const auto& drift = monitor.drift()) {
    py::dict of;
    of["position"] = drift->position;
    of["velocity"] = drift->velocity;
    d["drift"] = of;
  }
  if (const auto& energy = monitor.energy()) {
    py::dict of;
    of["start"] = energy->start;
    of["end"] = energy->end;
    of["work"] = energy->work;
    of["error"] = energy->error();
    d["energy"] = of;
  }
  return d;
}

}  // namespace dalembert::python
