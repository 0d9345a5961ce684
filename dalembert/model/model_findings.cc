#include "dalembert/model/model_findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace dalembert {

namespace {

/// The largest size that a shape says; 0 if it says none.
double extent(const Shape& shape) {
  double most = 0;
  for (const auto& [name, sizes] : shape.sizes)
    for (const double size : sizes) most = std::max(most, name == "radius" ? 2 * size : size);
  return most;
}

/// Joints that are far outside of what their bodies look like.
void look_for_far_joints(const Model& model, Findings& all) {
  const auto look = [&](const JointRecord& joint, int body, const Eigen::Vector3d& on) {
    if (body < 0) return;
    const std::string& name = model.mechanism->bodies()[static_cast<std::size_t>(body)].name;
    const auto shape = model.shapes.find(name);
    const double size = shape == model.shapes.end() ? 0 : extent(shape->second);
    if (size == 0 || on.norm() <= 2 * size) return;
    all.list.push_back(
        {Finding::Severity::warning,
         "far",
         fmt::format("joint {} is {:g} m from the centre of body {}, which is {:g} m large by its shape",
                     joint.name, on.norm(), name, size),
         "check the place of the joint and the size of the body",
         {joint.name},
         {name}});
  };
  for (const JointRecord& joint : model.mechanism->joints()) {
    if (joint.kind == "drive" || joint.kind == "gear") continue;
    look(joint, joint.a, joint.on_a);
    look(joint, joint.b, joint.on_b);
  }
}

}  // namespace

Findings examine(const Model& model) {
  Findings all = examine(*model.mechanism);
  look_for_far_joints(model, all);
  for (const Complaint& remark : model.remarks)
    all.list.push_back(
        {Finding::Severity::warning, "unusual", remark.what, remark.hint, {}, {}, remark.place});
  for (Finding& each : all.list) {
    const auto look = [&](const std::vector<std::string>& names, const std::map<std::string, Place>& places) {
      for (const auto& name : names)
        if (const auto found = places.find(name); each.place.line == 0 && found != places.end())
          each.place = found->second;
    };
    look(each.joints, model.joints);
    look(each.bodies, model.bodies);
  }
  std::stable_sort(all.list.begin(), all.list.end(),
                   [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
  return all;
}

}  // namespace dalembert
