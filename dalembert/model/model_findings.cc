#include "dalembert/model/model_findings.h"

namespace dalembert {

Findings examine(const Model& model) {
  Findings all = examine(*model.mechanism);
  for (Finding& each : all.list) {
    const auto look = [&](const std::vector<std::string>& names, const std::map<std::string, Place>& places) {
      for (const auto& name : names)
        if (const auto found = places.find(name); each.place.line == 0 && found != places.end())
          each.place = found->second;
    };
    look(each.joints, model.joints);
    look(each.bodies, model.bodies);
  }
  return all;
}

}  // namespace dalembert
