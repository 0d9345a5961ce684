#include "dalembert/page/scene.h"

#include <algorithm>
#include <map>

#include "dalembert/multibody/pose.h"
#include "dalembert/problem/drawable.h"

namespace dalembert {

namespace {

using Vector3 = Eigen::Vector3d;

class SceneWriter {
 public:
  SceneWriter(JsonText& to, const PageRun& run, const std::vector<DerivedColumn>& derived)
      : json_(to), run_(run) {
    long column = 0;
    for (const RecordColumn& each : run.record.columns) columns_[each.name] = column++;
    for (const DerivedColumn& each : derived) derived_[each.head.name] = column++;
  }

  void mechanism(const Mechanism& m) {
    const State start = m.start();
    const auto at = m.placed_at(start);
    for (int body = 0; body < static_cast<int>(m.bodies().size()); ++body)
      poses_.push_back(pose_of(m, *at, body));
    dimension_ = is_planar(m) ? 2 : 3;
    json_.key("bodies").begin_array();
    for (const BodyRecord& body : m.bodies()) write(body, m.sizes().q);
    json_.end_array().key("joints").begin_array();
    for (const JointRecord& joint : m.joints()) write(joint);
    json_.end_array().key("elements").begin_array();
    if (run_.model)
      for (const ModelElement& element : run_.model->elements) write(element, m);
    json_.end_array();
  }

  void sketch(const Sketch& s) {
    dimension_ = s.planar ? 2 : 3;
    json_.key("points").begin_array();
    for (const std::string& point : s.points) {
      json_.begin_object().member("name", point).key("columns").begin_array();
      for (int i = 0; i < dimension_; ++i) json_.value(derived_.at(point + "." + "xyz"[i]));
      json_.end_array().end_object();
    }
    json_.end_array().key("parts").begin_array();
    for (const Sketch::Part& part : s.parts)
      json_.begin_object()
          .member("kind", name(part.kind))
          .member("name", part.name)
          .list("points", part.points)
          .end_object();
    json_.end_array();
  }

 private:
  void write(const BodyRecord& body, Eigen::Index velocities) {
    json_.begin_object().member("name", body.name).member("mass", body.mass);
    json_.member("q", static_cast<long>(body.q)).member("v", static_cast<long>(velocities + body.v));
    json_.member("turns", body.turns ? 1 : 0);
    if (!run_.model) {
      json_.end_object();
      return;
    }
    if (const auto shape = run_.model->shapes.find(body.name); shape != run_.model->shapes.end()) {
      json_.key("shape").begin_object().member("kind", shape->second.kind);
      for (const auto& [size, values] : shape->second.sizes) json_.list(size, values);
      json_.end_object();
    }
    place(run_.model->bodies.at(body.name));
    json_.end_object();
  }

  void write(const JointRecord& joint) {
    json_.begin_object().member("name", joint.name).member("kind", joint.kind);
    json_.member("a", joint.a).member("b", joint.b);
    vector("on_a", joint.on_a);
    vector("on_b", joint.on_b);
    vector("axis_a", joint.axis_a);
    vector("axis_b", joint.axis_b);
    named_columns("force", joint.name + ".force", derived_);
    named_columns("moment", joint.name + ".moment", derived_);
    prefixed_columns("rows", {"lambda." + joint.name + ".", "mu." + joint.name + "."});
    if (run_.model)
      if (const auto found = run_.model->joints.find(joint.name); found != run_.model->joints.end())
        place(found->second);
    json_.end_object();
  }

  void write(const ModelElement& element, const Mechanism& m) {
    json_.begin_object().member("section", element.section).member("kind", element.kind);
    json_.member("name", element.name);
    place(element.place);
    if (!element.ends.empty()) {
      json_.key("ends").begin_object();
      for (const auto& [key, end] : element.ends) {
        json_.key(key).begin_object().member("body", end.body);
        vector("at", end.body < 0 ? end.at : in_body(end));
        json_.end_object();
      }
      json_.end_object();
    }
    if (!element.bodies.empty()) json_.list("bodies", element.bodies);
    if (!element.joints.empty()) {
      json_.key("joints").begin_array();
      for (const int joint : element.joints) json_.value(m.joints()[static_cast<std::size_t>(joint)].name);
      json_.end_array();
    }
    if (!element.numbers.empty()) {
      json_.key("numbers").begin_object();
      for (const auto& [key, values] : element.numbers) json_.list(key, values);
      json_.end_object();
    }
    prefixed_columns("states", {"s." + element.name + "."});
    if (element.section == "watch") named_columns("columns", element.name, columns_);
    json_.end_object();
  }

  Vector3 in_body(const Attachment& end) const {
    const Pose& pose = poses_[static_cast<std::size_t>(end.body)];
    return pose.R.transpose() * (end.at - pose.r);
  }

  void vector(const char* key, const Vector3& x) {
    json_.key(key).begin_array();
    for (int i = 0; i < dimension_; ++i) json_.value(x[i]);
    json_.end_array();
  }

  using Columns = std::map<std::string, long>;

  /// "main.force.x", or "main.force" itself.
  void named_columns(const char* key, const std::string& stem, const Columns& among) {
    std::vector<long> found;
    if (const auto whole = among.find(stem); whole != among.end()) found.push_back(whole->second);
    const std::string begin = stem + ".";
    for (auto each = among.lower_bound(begin); each != among.end() && each->first.starts_with(begin); ++each)
      if (each->first.find('.', begin.size()) == std::string::npos) found.push_back(each->second);
    std::sort(found.begin(), found.end());
    if (!found.empty()) json_.list(key, found);
  }

  void prefixed_columns(const char* key, const std::vector<std::string>& stems) {
    std::vector<long> found;
    for (const std::string& stem : stems)
      for (auto each = columns_.lower_bound(stem); each != columns_.end() && each->first.starts_with(stem);
           ++each)
        found.push_back(each->second);
    std::sort(found.begin(), found.end());
    if (!found.empty()) json_.list(key, found);
  }

  void place(const Place& place) {
    if (place.line > 0) json_.member("file", place.file).member("line", place.line);
  }

  JsonText& json_;
  const PageRun& run_;
  Columns columns_, derived_;
  std::vector<Pose> poses_;
  int dimension_ = 2;
};

}  // namespace

const Mechanism* mechanism_of(const PageRun& run) {
  return dynamic_cast<const Mechanism*>(as_mechanical(*run.problem));
}

void write_scene(JsonText& json, const PageRun& run, const std::vector<DerivedColumn>& derived) {
  json.key("scene").begin_object();
  SceneWriter writer(json, run, derived);
  if (const auto* mechanism = mechanism_of(run))
    writer.mechanism(*mechanism);
  else if (const auto* drawable = as<Drawable>(run.problem.get()))
    writer.sketch(drawable->sketch());
  json.end_object();
}

}  // namespace dalembert
