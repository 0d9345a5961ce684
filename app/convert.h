// Mechanisms from other formats on their way to a model file: what all of them have in common.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dalembert::app {

/// A rigid body, placed in the ground frame as the file places it.
struct Link {
  std::string name;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, in its frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, along the axes of its frame
};

/// The name of the body that does not move, in model files.
inline constexpr auto ground_name = "ground";

struct Connection {
  std::string name, kind;  ///< a kind of joint in model files; "": nothing is held
  std::array<std::string, 2> links;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();               ///< in the ground frame, as the axes
  std::vector<Eigen::Vector3d> axes{};                        ///< as many as the kind has
  double pitch = 0;                                           ///< of a screw, m per turn
  double damping = 0, friction = 0, stiffness = 0, rest = 0;  ///< along its coordinate
  /// Its coordinate is a multiple of that of another joint.
  struct Mimic {
    std::string joint;
    double ratio;
    std::string gear{};  ///< the name of the joint that makes it so
  };
  std::optional<Mimic> mimic{};
};

struct Draft {
  std::string title;
  Eigen::Vector3d gravity{0, 0, -9.81};
  std::vector<Link> links;
  std::vector<Connection> joints;
  std::vector<std::string> left_out;  ///< what could not be carried over, each a line
};

/// What a format of app/modules is: reads a file, or throws Error if it cannot be read.
extern "C" using FormatReader = void(const std::string& path, Draft&);

/// Joins links without mass to those they are fixed to, and says what is left of them.
void join_massless_links(Draft&);
/// Gives everything a name that model files allow.
void rename_for_models(Draft&);
/// The text of the model file.
std::string to_model_file(const Draft&, const std::string& source);

}  // namespace dalembert::app
