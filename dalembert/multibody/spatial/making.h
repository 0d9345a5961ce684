// What the files that put spatial joints together share.
#pragma once

#include <memory>
#include <string>

#include "dalembert/core/error.h"
#include "dalembert/multibody/spatial/rows.h"

namespace dalembert {

namespace spatial {

/// Two directions at right angles to an axis and to each other: u x v is along the axis.
struct Across {
  Across(const Vector3d& axis, const std::string& name) {
    if (!(axis.norm() > 0) || !axis.allFinite())
      throw Error("joint '" + name + "' has no axis", "give a vector that is not zero");
    along = axis.normalized();
    u = along.unitOrthogonal();
    v = along.cross(u);
  }
  Vector3d along, u, v;
};

}  // namespace spatial

template <class Kind>
void SpatialMechanism::add_rows(const Kind& kind, Body a, Body b, const std::vector<RowName>& names) {
  auto& set = rows<spatial::SpatialRows<Kind>>();
  set.joints.push_back({kind, {end_of(a), end_of(b)}, name_rows(set.level(), names)});
}

template <class Kind>
MeasurePtr SpatialMechanism::measure(const char* name, const char* unit, const Kind& kind, Body a,
                                     Body b) const {
  return std::make_shared<MeasureOf<spatial::Space, Kind>>(name, unit, kind, Ends<6>{end_of(a), end_of(b)});
}

}  // namespace dalembert
