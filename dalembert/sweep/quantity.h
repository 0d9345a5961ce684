// What is kept of each run of a sweep: numbers such as max(force), end(q.x), time(impact).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/control/reporter.h"
#include "dalembert/control/run.h"
#include "dalembert/observe/watch.h"

namespace dalembert {

/// One number about a run.
struct Quantity {
  enum class Reduction {
    end,    ///< at the end
    least,  ///< over time, between the steps too
    most,
    mean,   ///< over time
    time,   ///< of the first event of that name
    count,  ///< of events of that name
  };
  Reduction reduction = Reduction::end;
  std::string of;  ///< a watch, an entry of the state, or an event

  std::string name() const;  ///< "max(force)"
};

/// "max(force)", min, mean, end, time and count alike; a name alone means its end. Throws Error.
Quantity read_quantity(const std::string& text);

/// Every watch at the end; of a problem that has none, its positions.
std::vector<Quantity> usual_quantities(const Problem&, const std::vector<Watch>&);

/// Measures them along a run. Largest and least values, and what a mean is made of, lie anywhere in a step: it is looked at in as many
/// places as it takes.
class Measurement final : public Observer {
 public:
  /// Throws Error for a name that is neither a watch nor an entry of the state. Names of events are not known beforehand.
  Measurement(const Problem&, std::vector<Watch>, const std::vector<Quantity>&);

  void begin(const Problem&, const State& start) override;
  void step(const StepView&) override;
  void event(const EventRecord&, const State& after) override;

  /// After the run, in the order of the quantities; NaN for what did not happen. The units likewise.
  std::vector<double> values(const Summary&) const;
  const std::vector<std::string>& units() const { return units_; }

 private:
  struct Sought {
    Quantity::Reduction reduction;
    std::string name;
    const Watch* watch = nullptr;  // otherwise an entry of the state
    Eigen::Index entry = -1;
    double value, integral = 0, span = 0;
    double size = 0;    // largest |value| so far
    bool lost = false;  // it changes too fast to be measured
  };
  double look(const Sought&, const StepView&, double t) const;
  void measure(Sought&, const StepView&) const;
  void search(Sought&, const StepView&, double begin, double h, const std::array<double, 5>&) const;

  Layout layout_;                     // of the first mode's report
  std::optional<Reporter> reporter_;  // of the current mode
  std::vector<Watch> watches_;
  std::vector<Sought> sought_;
  std::vector<std::string> units_;
};

}  // namespace dalembert
