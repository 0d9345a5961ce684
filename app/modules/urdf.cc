// URDF, the format of ROS: a tree of links; the root does not move. Read by liburdfdom, if the program was built with it.
#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>

#include <cmath>

#include "app/convert.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

Eigen::Vector3d vector(const urdf::Vector3& v) {
  return {v.x, v.y, v.z};
}

Eigen::Isometry3d pose(const urdf::Pose& p) {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.translate(vector(p.position));
  frame.rotate(Eigen::Quaterniond(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).normalized());
  return frame;
}

/// Keeps what the parser says, instead of printing it.
class Listener : public console_bridge::OutputHandler {
 public:
  Listener() { console_bridge::useOutputHandler(this); }
  ~Listener() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first.empty()) first = text;
  }
  std::string first;
};

class Reader {
 public:
  explicit Reader(const urdf::ModelInterface& model) : model_(model) { draft_.title = model.getName(); }

  Draft read() {
    const auto& root = *model_.getRoot();
    if (root.inertial && root.inertial->mass > 0)
      leave_out("the mass of the root link '" + root.name +
                "', which is the ground here; a joint of type floating from a "
                "link 'world' would let it move");
    walk(root, Eigen::Isometry3d::Identity());
    if (shapes_ > 0)
      leave_out(plural(shapes_, "visual shape", "visual shapes") + ", without effect on the motion");
    if (contacts_ > 0)
      leave_out(plural(contacts_, "collision shape", "collision shapes") +
                ": bodies pass through each other");
    return std::move(draft_);
  }

 private:
  void leave_out(const std::string& what) { draft_.left_out.push_back(what); }

  void walk(const urdf::Link& link, const Eigen::Isometry3d& frame) {
    shapes_ += static_cast<long>(link.visual_array.size());
    contacts_ += static_cast<long>(link.collision_array.size());
    if (&link != model_.getRoot().get()) add_link(link, frame);
    for (const auto& joint : link.child_joints) {
      const Eigen::Isometry3d at = frame * pose(joint->parent_to_joint_origin_transform);
      add_joint(*joint, at);
      const auto child = model_.getLink(joint->child_link_name);
      walk(*child, at);
    }
  }

  void add_link(const urdf::Link& link, const Eigen::Isometry3d& frame) {
    Link body{.name = body_name(link.name), .frame = frame};
    if (link.inertial) {
      const auto& i = *link.inertial;
      const Eigen::Isometry3d origin = pose(i.origin);
      Eigen::Matrix3d inertia;
      inertia << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
      body.mass = i.mass;
      body.centre = origin.translation();
      body.inertia = origin.linear() * inertia * origin.linear().transpose();
    }
    draft_.links.push_back(body);
  }

  std::string body_name(const std::string& link) const {
    if (link == model_.getRoot()->name) return ground_name;
    return link == ground_name ? link + "_link" : link;
  }

  void add_joint(const urdf::Joint& joint, const Eigen::Isometry3d& frame) {
    using urdf::Joint;
    Connection c{.name = joint.name,
                 .kind = {},
                 .links = {body_name(joint.parent_link_name), body_name(joint.child_link_name)},
                 .at = frame.translation()};
    const Eigen::Vector3d axis = frame.linear() * vector(joint.axis);
    if (joint.type == Joint::REVOLUTE || joint.type == Joint::CONTINUOUS) c.kind = "revolute";
    if (joint.type == Joint::PRISMATIC) c.kind = "prismatic";
    if (joint.type == Joint::PLANAR) c.kind = "planar";
    if (joint.type == Joint::FIXED) c.kind = "fixed";
    if (c.kind != "fixed") c.axes = {axis};
    const std::string named = "joint '" + joint.name + "': ";
    const bool one_coordinate = c.kind == "revolute" || c.kind == "prismatic";
    if (joint.dynamics) {
      c.damping = one_coordinate ? joint.dynamics->damping : 0;
      c.friction = one_coordinate ? joint.dynamics->friction : 0;
      if (!one_coordinate && (joint.dynamics->damping != 0 || joint.dynamics->friction != 0))
        leave_out(named + "damping and friction of a joint with several coordinates");
    }
    if (joint.limits) describe_limits(joint);
    if (joint.mimic) mimic(joint, c);
    if (joint.safety) leave_out(named + "safety controller");
    if (!c.kind.empty()) draft_.joints.push_back(c);
  }

  void describe_limits(const urdf::Joint& joint) {
    const auto& l = *joint.limits;
    const std::string named = "joint '" + joint.name + "': ";
    if (joint.type != urdf::Joint::CONTINUOUS && (l.lower != 0 || l.upper != 0))
      leave_out(named + "limits " + number(l.lower) + " to " + number(l.upper));
    if (l.effort != 0) leave_out(named + "greatest effort " + number(l.effort));
    if (l.velocity != 0) leave_out(named + "greatest velocity " + number(l.velocity));
  }

  void mimic(const urdf::Joint& joint, Connection& c) {
    const auto leader = model_.getJoint(joint.mimic->joint_name);
    const auto turns = [](const urdf::Joint& j) {
      return j.type == urdf::Joint::REVOLUTE || j.type == urdf::Joint::CONTINUOUS;
    };
    if (leader && turns(*leader) && turns(joint) && joint.mimic->offset == 0 && joint.mimic->multiplier != 0)
      c.mimic = {.joint = joint.mimic->joint_name, .ratio = joint.mimic->multiplier};
    else
      leave_out("joint '" + joint.name + "': mimics '" + joint.mimic->joint_name +
                "', which a gear can only do between two hinges and without offset");
  }

  const urdf::ModelInterface& model_;
  Draft draft_;
  long shapes_ = 0, contacts_ = 0;
};

}  // namespace

extern "C" void dalembert_read(const std::string& path, Draft& draft) {
  Listener listener;
  const auto model = urdf::parseURDFFile(path);
  if (!model || !model->getRoot())
    throw Error("'" + path + "' is not URDF" + (listener.first.empty() ? "" : ": " + listener.first),
                "check_urdf of package liburdfdom-tools says more");
  draft = Reader(*model).read();
}

}  // namespace dalembert::app
