// A run of a problem made of functions, with the fields that SciPy's solve_ivp returns.
#include <pybind11/stl.h>

#include "dalembert/control/reporter.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "dalembert/observe/report.h"
#include "python/src/arrays.h"
#include "python/src/motion.h"
#include "python/src/problems.h"
#include "python/src/progress.h"
#include "python/src/settings.h"

namespace dalembert::python {

namespace {

using Numbers = std::vector<double>;

void append(Numbers& all, const Vector& y) {
  all.insert(all.end(), y.begin(), y.end());
}

/// States at given times, or where steps end; and at events.
class Collector final : public Observer {
 public:
  Collector(std::optional<Numbers> times, const std::vector<Happening>& events)
      : wanted_(std::move(times)), events_(events.size()) {
    for (std::size_t k = 0; k < events.size(); ++k) numbers_[events[k].name] = k;
  }

  void begin(const Problem&, const State& start) override {
    if (size_ == 0) start_ = start.y;
    size_ = start.y.size();
    if (!wanted_) return keep(start);
    while (next_ < wanted_->size() && (*wanted_)[next_] <= start.t) keep(start), ++next_;
  }
  void step(const StepView& step) override {
    if (!wanted_) return keep(step.at(step.end(), Depth::multipliers));
    while (next_ < wanted_->size() && (*wanted_)[next_] <= step.end())
      keep(step.at((*wanted_)[next_++], Depth::multipliers));
  }
  void event(const EventRecord& event, const State& after) override {
    auto& [times, states] = events_.at(numbers_.at(event.name));
    times.push_back(event.t);
    append(states, after.y);
  }

  /// t, y and events, where the time goes this way; y has a column for each time, as SciPy's has.
  void move_into(py::dict& d, double sign) {
    const auto n = static_cast<py::ssize_t>(size_);
    const auto rows = static_cast<py::ssize_t>(times_.size());
    d["t"] = to_times(std::move(times_), sign);
    d["y"] = to_array(std::move(states_), {rows, n}).attr("T");
    py::list t_events, y_events;
    for (auto& [times, states] : events_) {
      const auto count = static_cast<py::ssize_t>(times.size());
      t_events.append(to_times(std::move(times), sign));
      y_events.append(to_array(std::move(states), {count, n}));
    }
    d["t_events"] = t_events;
    d["y_events"] = y_events;
    d["start"] = to_array(Numbers(start_.begin(), start_.end()), {static_cast<py::ssize_t>(start_.size())});
  }

 private:
  void keep(const State& s) {
    times_.push_back(s.t);
    append(states_, s.y);
  }
  static py::array_t<double> to_times(Numbers times, double sign) {
    for (double& t : times) t *= sign;
    const auto rows = static_cast<py::ssize_t>(times.size());
    return to_array(std::move(times), {rows});
  }

  std::optional<Numbers> wanted_;
  std::size_t next_ = 0;
  Numbers times_, states_;
  Vector start_;
  Eigen::Index size_ = 0;
  std::vector<std::pair<Numbers, Numbers>> events_;
  std::map<std::string, std::size_t> numbers_;
};

/// The run had -t as its time; what it says has t.
void turn_back(Summary& s) {
  s.state.t *= -1;
  s.testimony.t *= -1;
  for (auto& each : s.events) each.t *= -1;
  for (auto& each : s.changes) each.t *= -1;
  for (auto& each : s.crossings) each.t *= -1;
  const std::string front = "t = ";
  if (s.message.rfind(front, 0) != 0) return;
  const std::size_t end = s.message.find_first_of(",:", front.size());
  if (const auto t = number_in(s.message.substr(front.size(), end - front.size())))
    s.message = front + short_number(*t == 0 ? 0 : -*t) + s.message.substr(end);
}

py::dict solve(const FunctionProblem& of, const py::dict& keywords, const std::optional<Numbers>& times,
               bool dense, bool witness, double min_step) {
  const Problem& problem = *of.problem;
  const double sign = of.equations->sign();
  const double begin = of.equations->begin, end = of.equations->end;
  const bool no_time = of.equations->no_time;
  RunOptions options = resolve(to_settings(keywords), problem).options;
  static const std::atomic<bool> at_once{true};
  if (no_time) options.interrupt = &at_once;
  if (!witness) options.scrutiny = Scrutiny::method;
  Collector collector(times, of.equations->events);
  Monitor monitor(options.tolerance);
  auto motion = std::make_shared<Motion>();
  motion->sign = sign;
  std::vector<Observer*> observers = {&collector, &monitor};
  if (dense) observers.push_back(&motion->trajectory);
  DoubtWatch doubt(of.doubt, begin, end, options.tolerance.relative);
  if (of.doubt) observers.push_back(&doubt);
  LeastStep least(min_step);
  if (min_step > 0) observers.push_back(&least);
  Summary summary = guarded_run(of.problem, options, observers,
                                of.interpreted() ? Interpreter::needed : Interpreter::not_needed);
  if (no_time && summary.outcome == Outcome::interrupted) {
    summary.outcome = Outcome::ok;
    summary.message = "t = " + short_number(begin) + ": t_span begins and ends here";
  }
  if (sign < 0) turn_back(summary);
  py::dict d = to_dict(summary);
  d.attr("update")(to_dict(monitor));
  d["report"] = report(summary, {.drift = monitor.drift(), .energy = monitor.energy()});
  py::dict all;
  collector.move_into(all, sign);
  all["nfev"] = of.equations->f.calls();
  all["njev"] = of.equations->jacobians;
  all["nlu"] = summary.statistics.factorizations;
  all["summary"] = d;
  all["sol"] = dense ? py::cast(motion) : py::object(py::none());
  return all;
}

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

Vector to_vector(const Array& a) {
  return Eigen::Map<const Vector>(a.data(), a.size());
}

Matrix to_matrix(const Array& a) {
  if (a.ndim() != 2) return to_vector(a).asDiagonal();
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(a.data(), a.shape(0), a.shape(1));
}

/// All that the functions of Python may say, by keyword.
std::shared_ptr<Equations> to_equations(const py::dict& given) {
  auto e = std::make_shared<Equations>();
  const auto has = [&](const char* name) { return given.contains(name) && !given[name].is_none(); };
  const auto function = [&](const char* key, Function& into) {
    if (has(key))
      into = Function(given[key], given[(std::string(key) + "_name").c_str()].cast<std::string>());
  };
  e->begin = given["begin"].cast<double>();
  e->end = given["end"].cast<double>();
  e->backwards = e->end < e->begin;
  e->begin *= e->sign();
  e->end *= e->sign();
  e->no_time = e->begin == e->end;
  if (e->no_time) e->end = e->begin + 1 + std::abs(e->begin);
  e->y = to_vector(given["y"].cast<Array>());
  if (has("rate")) e->rate = to_vector(given["rate"].cast<Array>());
  if (has("mass")) e->mass = to_matrix(given["mass"].cast<Array>());
  if (has("sparsity")) {
    const Matrix places = to_matrix(given["sparsity"].cast<Array>());
    for (Eigen::Index k = 0; k < places.rows(); ++k)
      e->sparsity.push_back({static_cast<int>(places(k, 0)), static_cast<int>(places(k, 1))});
  }
  if (has("index")) e->index = given["index"].cast<std::vector<int>>();
  if (has("row_count")) e->row_count = given["row_count"].cast<Eigen::Index>();
  function("f", e->f);
  function("jacobian", e->jacobian);
  function("rows", e->rows);
  function("mass_function", e->mass_function);
  function("bias", e->bias);
  function("energy", e->energy);
  for (const py::handle& each : given["events"]) {
    const auto event = each.cast<std::tuple<py::object, double, int, std::string>>();
    const double direction = std::get<1>(event);
    const std::string& name = std::get<3>(event);
    e->events.push_back({name, Function(std::get<0>(event), name),
                         direction > 0   ? Direction::rising
                         : direction < 0 ? Direction::falling
                                         : Direction::either,
                         std::get<2>(event)});
  }
  return e;
}

}  // namespace

void bind_problems(py::module_& m) {
  py::class_<FunctionProblem>(m, "FunctionProblem")
      .def("solve", &solve, py::arg("settings"), py::arg("times"), py::arg("dense"), py::arg("witness"),
           py::arg("min_step"))
      .def_property_readonly("labels", [](const FunctionProblem& p) {
        std::vector<std::string> all;
        const Layout layout = p.problem->layout();
        for (Eigen::Index i = 0; i < layout.size(); ++i) all.push_back(layout.label(i));
        return all;
      });
  m.def("ode", [](const py::dict& given) { return ode_of(to_equations(given)); });
  m.def("implicit", [](const py::dict& given) { return implicit_of(to_equations(given)); });
  m.def("mechanical", [](const py::dict& given) { return mechanical_of(to_equations(given)); });
  bind_motion(m);
}

}  // namespace dalembert::python
