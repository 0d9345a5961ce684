// What `run --plot` draws: numbers of a run over time, or over each other.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/subject.h"
#include "dalembert/control/observer.h"
#include "dalembert/control/reporter.h"
#include "dalembert/observe/monitor.h"
#include "dalembert/observe/plot.h"

namespace dalembert::app {

/// Follows a run, and looks at the numbers that are named: entries of the state ("q.x"), blocks and bodies ("q", "q.crank"),
/// watches, "step", "order" and "drift"; "q.x:v.x" is the second over the first. Without names: positions and watches.
class RunPlot final : public Observer {
 public:
  /// The monitor comes before it among the observers. Throws Error for a name that is not known.
  RunPlot(const Subject&, const std::vector<std::string>& names, const Monitor&);

  void begin(const Problem& mode, const State& start) override;
  void tried(const TriedStep&) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;

  std::vector<Panel> panels() const;

 private:
  /// A number along the run.
  struct Curve {
    std::string name, unit;
    std::function<double(const State&)> value;  ///< of a state as it is reported
    std::vector<double> y{};
  };
  /// A number per step.
  struct Log {
    std::string name;
    std::vector<double> t{}, y{};
    void add(double time, double value) { t.push_back(time), y.push_back(value); }
  };
  struct Phase {
    std::size_t x, y;  ///< of the curves
  };

  void add_all();
  void add(const std::string& name);
  std::vector<std::size_t> find(const std::string& name);
  std::size_t keep(const Curve&);
  void look(const State&);
  void interrupt();
  Panel over_time(const std::string& unit) const;
  void add_logs(std::vector<Panel>&) const;

  std::string title_;
  std::vector<Curve> known_, curves_;
  std::vector<std::size_t> over_time_;
  std::vector<Phase> phases_;
  bool steps_ = false, orders_ = false, drifts_ = false;
  Layout report_;
  std::optional<Reporter> reporter_{};  // of the current mode
  const Monitor* monitor_;
  std::vector<double> t_, instants_;
  Log step_{}, order_{}, position_{"positions"}, velocity_{"velocities"};
};

}  // namespace dalembert::app
