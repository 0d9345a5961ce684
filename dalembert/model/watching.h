// What the entries of watches share: columns with names and units, and the mechanism they look at.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/core/per_thread.h"
#include "dalembert/model/element_entry.h"
#include "dalembert/multibody/reactions.h"

namespace dalembert {

/// The watches of one element: they look at the mechanism together, in each thread on its own.
class Watching {
 public:
  Watching(const ElementKeys& of, Construction& c)
      : name_(of.name()), c_(c), views_(std::make_shared<PerThread<MechanismView>>([&m = c.mechanism()] {
          return std::make_unique<MechanismView>(m);
        })) {}

  /// One number.
  void add(const std::string& part, const std::string& unit, std::function<double(MechanismView&)> value) {
    c_.watches.push_back({part.empty() ? name_ : name_ + "." + part, unit,
                          [views = views_, value = std::move(value)](const State& state) {
                            return value(views->mine().look(state));
                          }});
  }
  /// The last one follows the run.
  void follow(std::function<void(MechanismView&, const StepView&)> how) {
    c_.watches.back().follow = [views = views_, how = std::move(how)](const StepView& step) {
      how(views->mine(), step);
    };
  }
  /// And knows where it is when a run is resumed.
  void remember(std::function<void(Memory&)> how) { c_.watches.back().remember = std::move(how); }
  /// Or goes on from where another one ended.
  void go_on(std::function<void(double, double)> how) { c_.watches.back().go_on = std::move(how); }
  /// The parts of a vector: x and y in the plane, x, y and z in space. `before` stands in front of their names.
  void add_vector(const std::string& before, const std::string& unit,
                  const std::function<Eigen::Vector3d(MechanismView&)>& value) {
    for (int i = 0; i < (c_.planar != nullptr ? 2 : 3); ++i)
      add(before + "xyz"[i], unit, [value, i](MechanismView& view) { return value(view)[i]; });
  }

 private:
  std::string name_;
  Construction& c_;
  std::shared_ptr<PerThread<MechanismView>> views_;
};

}  // namespace dalembert
