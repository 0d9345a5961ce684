#include "app/run_plot.h"

#include <algorithm>
#include <utility>

#include "dalembert/core/csv.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

/// Points within a step: enough for a smooth curve while steps are few.
int points(std::size_t so_far) {
  return so_far < 10'000 ? 8 : so_far < 100'000 ? 2 : 1;
}

const std::vector<std::string> logs = {"step", "order", "drift"};

}  // namespace

RunPlot::RunPlot(const Subject& subject, const std::vector<std::string>& names, const Monitor& monitor)
    : title_(subject.summary.empty() ? subject.name : subject.summary),
      report_(subject.problem->report()),
      monitor_(&monitor) {
  for (const auto& block : report_.blocks())
    for (Eigen::Index i = 0; i < block.size; ++i)
      known_.push_back({report_.label(block.offset + i), block.units[static_cast<std::size_t>(i)],
                        [at = block.offset + i](const State& state) { return state.y[at]; }});
  for (const Watch& watch : subject.watches()) known_.push_back({watch.name, watch.unit, watch.value});
  if (names.empty()) add_all();
  for (const auto& name : names) add(name);
}

/// What a mechanism does, and what its file asks for; all of problems of other kinds.
void RunPlot::add_all() {
  const bool positions = report_.find("q") != nullptr;
  const auto entries = static_cast<std::size_t>(report_.size());
  for (std::size_t i = 0; i < known_.size(); ++i)
    if (i >= entries || !positions || known_[i].name.starts_with("q.")) over_time_.push_back(keep(known_[i]));
}

void RunPlot::add(const std::string& name) {
  if (name == "step") {
    steps_ = true;
  } else if (name == "order") {
    orders_ = true;
  } else if (name == "drift") {
    drifts_ = true;
  } else if (const auto colon = name.find(':'); colon != std::string::npos) {
    const std::string over = name.substr(0, colon), what = name.substr(colon + 1);
    for (const auto& log : logs)
      if (over == log || what == log)
        throw Error("'" + name + "': " + log + " is drawn over the time alone", "name it by itself");
    const auto x = find(over), y = find(what);
    if (x.size() != 1 || y.size() != 1)
      throw Error("'" + name + "' does not name one number on each side", "name two entries, as in q.x:q.y");
    phases_.push_back({x.front(), y.front()});
  } else {
    for (const std::size_t curve : find(name)) over_time_.push_back(curve);
  }
}

/// Those of this name, or of what is below it.
std::vector<std::size_t> RunPlot::find(const std::string& name) {
  std::vector<std::size_t> found;
  std::vector<std::string> names = logs;
  for (const Curve& each : known_) {
    if (each.name == name || each.name.starts_with(name + ".")) found.push_back(keep(each));
    names.push_back(each.name);
  }
  if (found.empty()) throw unknown("number of this run", name, names);
  return found;
}

std::size_t RunPlot::keep(const Curve& curve) {
  for (std::size_t i = 0; i < curves_.size(); ++i)
    if (curves_[i].name == curve.name) return i;
  curves_.push_back(curve);
  return curves_.size() - 1;
}

void RunPlot::look(const State& state) {
  const State seen = (*reporter_)(state);
  t_.push_back(state.t);
  for (Curve& curve : curves_) curve.y.push_back(curve.value(seen));
}

/// A gap in the curves.
void RunPlot::interrupt() {
  t_.push_back(not_a_number);
  for (Curve& curve : curves_) curve.y.push_back(not_a_number);
}

void RunPlot::begin(const Problem& mode, const State& start) {
  reporter_.emplace(mode, report_);
  if (!t_.empty()) interrupt();
  look(start);
}

void RunPlot::tried(const TriedStep& tried) {
  if (tried.fate == TriedStep::Fate::rejected) return;
  step_.add(tried.t, tried.h);
  order_.add(tried.t, tried.order > 0 ? tried.order - 1 : not_a_number);  // of the solution, not of one step
}

void RunPlot::step(const StepView& step) {
  const int n = points(t_.size());
  const double h = step.end() - step.begin();
  for (int k = 1; k <= n; ++k)
    look(step.at(k == n ? step.end() : step.begin() + h * k / n, Depth::multipliers));
  const auto& [t, position, velocity, energy, work] = monitor_->reading();
  constexpr double nothing = 1e-20;  // what rounding leaves is not drawn as if it were a size
  position_.add(t, position > nothing ? position : not_a_number);
  velocity_.add(t, velocity > nothing ? velocity : not_a_number);
}

void RunPlot::event(const EventRecord& event, const State& after) {
  instants_.push_back(event.t);
  if (after.y.size() != reporter_->layout().size()) return;  // of the next mode, which begins at once
  interrupt();
  look(after);
}

Panel RunPlot::over_time(const std::string& unit) const {
  Panel panel{.title = {},
              .x_label = "t [s]",
              .y_label = unit.empty() ? "" : "[" + unit + "]",
              .series = {},
              .instants = instants_};
  for (const std::size_t i : over_time_)
    if (curves_[i].unit == unit)
      panel.series.push_back({.name = curves_[i].name, .x = t_, .y = curves_[i].y});
  if (panel.series.size() == 1)  // the axis says what it is
    panel.y_label = with_unit(std::exchange(panel.series.front().name, {}), unit);
  return panel;
}

void RunPlot::add_logs(std::vector<Panel>& panels) const {
  const auto add = [&](const std::string& label, Axis axis, const std::vector<const Log*>& of) {
    Panel panel{.title = {},
                .x_label = "t [s]",
                .y_label = label,
                .y_axis = axis,
                .series = {},
                .instants = instants_};
    for (const Log* log : of)
      panel.series.push_back({.name = of.size() > 1 ? log->name : "", .x = log->t, .y = log->y});
    panels.push_back(panel);
  };
  if (steps_) add("length of the step [s]", Axis::logarithmic, {&step_});
  if (orders_) add("order of the error estimate", Axis::linear, {&order_});
  if (drifts_) add("drift of the constraints", Axis::logarithmic, {&position_, &velocity_});
}

std::vector<Panel> RunPlot::panels() const {
  std::vector<Panel> all;
  std::vector<std::string> units;
  for (const std::size_t i : over_time_)
    if (std::find(units.begin(), units.end(), curves_[i].unit) == units.end())
      units.push_back(curves_[i].unit);
  for (const auto& unit : units) all.push_back(over_time(unit));
  for (const auto& [x, y] : phases_)
    all.push_back({.title = {},
                   .x_label = with_unit(curves_[x].name, curves_[x].unit),
                   .y_label = with_unit(curves_[y].name, curves_[y].unit),
                   .series = {{.name = {}, .x = curves_[x].y, .y = curves_[y].y}}});
  add_logs(all);
  for (Panel& panel : all) tell_apart(panel, Points::unmarked);
  if (!all.empty()) all.front().title = title_;
  return all;
}

}  // namespace dalembert::app
