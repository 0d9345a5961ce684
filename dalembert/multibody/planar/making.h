// What the files that put planar joints together share.
#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "dalembert/core/error.h"
#include "dalembert/multibody/planar/rows.h"

namespace dalembert {

namespace planar {

inline Point2 unit(Point2 along, const std::string& name) {
  const double length = std::hypot(along[0], along[1]);
  if (!(length > 0)) throw Error("joint '" + name + "' has no direction", "give a vector that is not zero");
  return {along[0] / length, along[1] / length};
}

}  // namespace planar

template <class Kind>
void PlanarMechanism::add_rows(const Kind& kind, Body a, Body b, const std::vector<RowName>& names) {
  auto& set = rows<planar::PlanarRows<Kind>>();
  set.joints.push_back({kind, {end_of(a), end_of(b)}, name_rows(set.level(), names)});
}

template <class Kind>
MeasurePtr PlanarMechanism::measure(const char* name, const char* unit, const Kind& kind, Body a,
                                    Body b) const {
  return std::make_shared<MeasureOf<planar::Space, Kind>>(name, unit, kind, Ends<3>{end_of(a), end_of(b)});
}

}  // namespace dalembert
