// SDF, the format of Gazebo: links and joints as a graph, loops included. Read by libsdformat, if the program was built
// with it.
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>
#include <sdf/sdf.hh>
#include <set>

#include "app/convert.h"
#include "app/text.h"
#include "dalembert/core/error.h"

namespace dalembert::app {

namespace {

Eigen::Vector3d vector(const ignition::math::Vector3d& v) {
  return {v.X(), v.Y(), v.Z()};
}

Eigen::Isometry3d pose(const ignition::math::Pose3d& p) {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.translate(vector(p.Pos()));
  frame.rotate(Eigen::Quaterniond(p.Rot().W(), p.Rot().X(), p.Rot().Y(), p.Rot().Z()).normalized());
  return frame;
}

Eigen::Matrix3d matrix(const ignition::math::Matrix3d& m) {
  Eigen::Matrix3d result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result(static_cast<int>(i), static_cast<int>(j)) = m(i, j);
  return result;
}

void check(const sdf::Errors& errors, const std::string& what) {
  if (!errors.empty())
    throw Error(what + ": " + errors.front().Message(), "`ign sdf --check FILE` says more");
}

class Reader {
 public:
  Draft read(const sdf::Root& root) {
    if (root.WorldCount() > 1)
      draft_.left_out.push_back("all worlds but the first of " + std::to_string(root.WorldCount()));
    if (root.WorldCount() > 0) {
      const sdf::World& world = *root.WorldByIndex(0);
      draft_.title = world.Name();
      draft_.gravity = vector(world.Gravity());
      const bool one = world.ModelCount() == 1;
      for (std::uint64_t i = 0; i < world.ModelCount(); ++i) {
        const sdf::Model& model = *world.ModelByIndex(i);
        ignition::math::Pose3d at;
        check(model.SemanticPose().Resolve(at), "model '" + model.Name() + "'");
        add_model(model, pose(at), one ? "" : model.Name() + "::", model.Static());
      }
    } else if (root.Model() != nullptr) {
      draft_.title = root.Model()->Name();
      draft_.gravity = {0, 0, -9.8};  // of a world without gravity of its own
      add_model(*root.Model(), pose(root.Model()->RawPose()), "", root.Model()->Static());
    } else {
      throw Error("there is neither a world nor a model in it", "convert a file with one of them");
    }
    if (shapes_ > 0)
      draft_.left_out.push_back(plural(shapes_, "visual shape", "visual shapes") +
                                ", without effect on the motion");
    if (contacts_ > 0)
      draft_.left_out.push_back(plural(contacts_, "collision shape", "collision shapes") +
                                ": bodies pass through each other");
    if (sensors_ > 0) draft_.left_out.push_back(plural(sensors_, "sensor", "sensors"));
    return std::move(draft_);
  }

 private:
  /// A model inside of a static one does not move either.
  void add_model(const sdf::Model& model, const Eigen::Isometry3d& frame, const std::string& prefix,
                 bool still) {
    for (std::uint64_t i = 0; i < model.LinkCount(); ++i)
      add_link(*model.LinkByIndex(i), frame, prefix, still);
    for (std::uint64_t i = 0; i < model.ModelCount(); ++i) {
      const sdf::Model& inner = *model.ModelByIndex(i);
      ignition::math::Pose3d at;
      check(inner.SemanticPose().Resolve(at, "__model__"), "model '" + inner.Name() + "'");
      add_model(inner, frame * pose(at), prefix + inner.Name() + "::", still || inner.Static());
    }
    for (std::uint64_t i = 0; i < model.JointCount(); ++i) add_joint(*model.JointByIndex(i), frame, prefix);
    if (model.Element() && model.Element()->HasElement("plugin"))
      draft_.left_out.push_back("plugins of model '" + model.Name() + "'");
  }

  void add_link(const sdf::Link& link, const Eigen::Isometry3d& frame, const std::string& prefix,
                bool still) {
    shapes_ += static_cast<long>(link.VisualCount());
    contacts_ += static_cast<long>(link.CollisionCount());
    sensors_ += static_cast<long>(link.SensorCount());
    if (still) {
      still_.insert(prefix + link.Name());
      return;
    }
    ignition::math::Pose3d at;
    check(link.SemanticPose().Resolve(at, "__model__"), "link '" + link.Name() + "'");
    const auto& inertial = link.Inertial();
    const Eigen::Isometry3d origin = pose(inertial.Pose());
    draft_.links.push_back(
        {.name = body_name(prefix + link.Name()),
         .frame = frame * pose(at),
         .mass = inertial.MassMatrix().Mass(),
         .centre = origin.translation(),
         .inertia = origin.linear() * matrix(inertial.MassMatrix().Moi()) * origin.linear().transpose()});
  }

  std::string body_name(const std::string& link) const {
    if (still_.count(link) > 0 || link == "world") return ground_name;
    return link == ground_name ? link + "_link" : link;
  }

  std::string resolved(const sdf::Joint& joint, sdf::Errors (sdf::Joint::*resolve)(std::string&) const,
                       const std::string& prefix) const {
    std::string link;
    check((joint.*resolve)(link), "joint '" + joint.Name() + "'");
    return body_name(link == "world" ? link : prefix + link);
  }

  void add_joint(const sdf::Joint& joint, const Eigen::Isometry3d& frame, const std::string& prefix) {
    ignition::math::Pose3d at;
    check(joint.SemanticPose().Resolve(at, "__model__"), "joint '" + joint.Name() + "'");
    Connection c{.name = prefix + joint.Name(),
                 .kind = kind(joint.Type()),
                 .links = {resolved(joint, &sdf::Joint::ResolveParentLink, prefix),
                           resolved(joint, &sdf::Joint::ResolveChildLink, prefix)},
                 .at = frame * pose(at).translation()};
    const std::string named = "joint '" + c.name + "': ";
    sensors_ += static_cast<long>(joint.SensorCount());
    for (unsigned k = 0; k < 2; ++k)
      if (const sdf::JointAxis* axis = joint.Axis(k)) {
        ignition::math::Vector3d xyz;
        check(axis->ResolveXyz(xyz, "__model__"), "joint '" + joint.Name() + "'");
        c.axes.push_back(frame.linear() * vector(xyz));
        add_axis(*axis, c, named);
      }
    if (c.kind == "screw") add_thread(joint, c, named);
    if (c.kind == "universal" && (c.axes.size() < 2 || std::abs(c.axes[0].dot(c.axes[1])) > 1e-9)) {
      draft_.left_out.push_back(named + "its axes are not at right angles");
      return;
    }
    if (c.kind.empty())
      draft_.left_out.push_back(named + "its type, so nothing is held there");
    else if (c.links[0] != c.links[1])
      draft_.joints.push_back(c);
  }

  static std::string kind(sdf::JointType type) {
    switch (type) {
      case sdf::JointType::REVOLUTE:
      case sdf::JointType::CONTINUOUS:
        return "revolute";
      case sdf::JointType::PRISMATIC:
        return "prismatic";
      case sdf::JointType::FIXED:
        return "fixed";
      case sdf::JointType::BALL:
        return "spherical";
      case sdf::JointType::UNIVERSAL:
      case sdf::JointType::REVOLUTE2:
        return "universal";  // if its axes are at right angles
      case sdf::JointType::SCREW:
        return "screw";
      default:
        return "";
    }
  }

  void add_axis(const sdf::JointAxis& axis, Connection& c, const std::string& named) {
    const bool one_coordinate = c.kind == "revolute" || c.kind == "prismatic";
    if (one_coordinate) {
      c.damping = axis.Damping();
      c.friction = axis.Friction();
    } else if (axis.Damping() != 0 || axis.Friction() != 0) {
      draft_.left_out.push_back(named + "damping and friction of a joint of this type");
    }
    if (c.kind == "revolute") {
      c.stiffness = axis.SpringStiffness();
      c.rest = axis.SpringReference();
    } else if (axis.SpringStiffness() != 0) {
      draft_.left_out.push_back(named + "its spring");
    }
    constexpr double endless = 1e15;  // the format writes 1e16 for a limit that is none
    if (axis.Lower() > -endless || axis.Upper() < endless)
      draft_.left_out.push_back(named + "limits " + number(axis.Lower()) + " to " + number(axis.Upper()));
    if (axis.Effort() > 0 && axis.Effort() < endless)
      draft_.left_out.push_back(named + "greatest effort " + number(axis.Effort()));
    if (axis.MaxVelocity() > 0 && axis.MaxVelocity() < endless)
      draft_.left_out.push_back(named + "greatest velocity " + number(axis.MaxVelocity()));
  }

  /// thread_pitch is in radians per metre, and positive for a thread that is left-handed.
  void add_thread(const sdf::Joint& joint, Connection& c, const std::string& named) {
    if (joint.ThreadPitch() == 0) {
      c.kind.clear();
      return;
    }
    c.pitch = -2 * std::numbers::pi / joint.ThreadPitch();
    draft_.left_out.push_back(
        named +
        "what thread_pitch means differs between programs; here it is radians per metre, "
        "left-handed, which makes " +
        number(c.pitch) + " m per turn");
  }

  Draft draft_;
  std::set<std::string> still_;  ///< links of models that do not move
  long shapes_ = 0, contacts_ = 0, sensors_ = 0;
};

}  // namespace

extern "C" void dalembert_read(const std::string& path, Draft& draft) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  // The library would try to read anything else as URDF.
  if (text.find("<sdf") == std::string::npos)
    throw Error("'" + path + "' is not SDF", "there should be an element <sdf>");
  sdf::Console::Instance()->SetQuiet(true);
  sdf::Root root;
  check(root.Load(path), "'" + path + "' is not SDF");
  draft = Reader().read(root);
}

}  // namespace dalembert::app
