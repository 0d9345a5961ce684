// What the entries of watches share: columns with names and units, and the mechanism they look at.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/model/element_entry.h"
#include "dalembert/multibody/reactions.h"

namespace dalembert {

/// The watches of one element: they look at the mechanism together.
class Watching {
 public:
  Watching(const ElementKeys& of, Construction& c)
      : name_(of.name()), c_(c), view_(std::make_shared<MechanismView>(c.mechanism())) {}

  /// One number.
  void add(const std::string& part, const std::string& unit, std::function<double(MechanismView&)> value) {
    c_.watches.push_back(
        {part.empty() ? name_ : name_ + "." + part, unit,
         [view = view_, value = std::move(value)](const State& state) { return value(view->look(state)); }});
  }
  /// The parts of a vector: x and y in the plane, x, y and z in space. `before` stands in front of their names.
  void add_vector(const std::string& before, const std::string& unit,
                  const std::function<Eigen::Vector3d(MechanismView&)>& value) {
    for (int i = 0; i < (c_.planar != nullptr ? 2 : 3); ++i)
      add(before + "xyz"[i], unit, [value, i](MechanismView& view) { return value(view)[i]; });
  }

 private:
  std::string name_;
  Construction& c_;
  std::shared_ptr<MechanismView> view_;
};

}  // namespace dalembert
