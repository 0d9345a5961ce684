// Mechanisms in space: bodies with a position and a unit quaternion, and joints, put together in code.
//
//   q = (r, e) per body, v = (r', omega) with omega in the body frame:  e' = e o (0,omega)/2
//   m r'' = m g - J'lambda,   I omega' = -omega x I omega - J'lambda
//
// Points and directions are given in the ground frame at the initial positions of the bodies. A mechanism that is complete
// is a Mechanical problem like any other; initial values need not satisfy the joints.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/multibody/law.h"
#include "dalembert/multibody/mechanism.h"

namespace dalembert {

/// A body in space, and where it begins.
struct SpatialBody {
  std::string name{};
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< kg m^2 about the centre of mass, in the body frame
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the centre of mass
  Eigen::Vector4d orientation{1, 0, 0, 0};             ///< of any length
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(),
                  spin = Eigen::Vector3d::Zero();  ///< spin in the body frame
};

/// A mass that does not turn.
struct SpatialPoint {
  std::string name{};
  double mass = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
};

/// A force and a torque on one body: functions of (t, x, y, z, vx, vy, vz, omega1, omega2, omega3), where x to vz are those
/// of the point in the ground frame, omega the angular velocity in the body frame.
struct SpatialLoad {
  enum class Frame { ground, body };
  int body = Mechanism::ground;
  std::optional<Eigen::Vector3d> at{};  ///< in the ground frame at the start; unless given the centre of mass
  Frame frame = Frame::ground;          ///< in which both are given
  std::array<Law, 3> force{};           ///< N
  std::array<Law, 3> torque{};          ///< N m
};

/// A point of b held near a point of a, and b held from turning against a. Linear in what is seen from a.
struct SpatialBushing {
  int a = Mechanism::ground, b = Mechanism::ground;
  Eigen::Vector3d
      at_a = Eigen::Vector3d::Zero(),
      at_b = Eigen::Vector3d::Zero();  ///< in the ground frame at the start; without load the two meet
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< its axes at the start, as columns; fixed to a
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();  ///< of (d, psi): N/m, N, N m
  Eigen::Matrix<double, 6, 6> damping = Eigen::Matrix<double, 6, 6>::Zero();
};

/// A slender beam without mass, clamped to both bodies; straight and without load as it is drawn. Linear in what end b does
/// seen from end a, which may turn and move as it likes.
struct SpatialBeam {
  int a = Mechanism::ground, b = Mechanism::ground;
  Eigen::Vector3d at_a = Eigen::Vector3d::Zero(),
                  at_b = Eigen::Vector3d::Zero();  ///< its ends, in the ground frame at the start
  double EA = 0, GJ = 0, EI_y = 0, EI_z = 0;       ///< N, N m^2: stretching, torsion, bending about y and z
  std::optional<Eigen::Vector3d> y{};              ///< the direction y; of round beams it does not matter
  double damping = 0;                              ///< s: times the stiffness it is the damping
};

/// A wheel or ball on a plane of another body, in the ground frame at the start.
struct SpatialRolling {
  std::optional<Eigen::Vector3d> centre{};         ///< unless given the centre of mass
  Eigen::Vector3d axle = Eigen::Vector3d::Zero();  ///< of a disc
  double radius = 0;
  Eigen::Vector3d at = Eigen::Vector3d::Zero();  ///< a point of the plane
  Eigen::Vector3d normal{0, 0, 1};               ///< towards the rolling body
};

/// Where a body is. The ground and points are not turned.
struct SpatialFrame {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d place(const Eigen::Vector3d& s) const { return r + R * s; }
};

/// Positions with the rotation matrices of all bodies.
struct SpatialPlacement : Placement {
  std::vector<SpatialFrame> frames{};  ///< of the ground, then of the bodies
};

/// A mechanism in space: a place and a rotation per body.
class SpatialMechanism : public Mechanism {
 public:
  using Point = Eigen::Vector3d;

  explicit SpatialMechanism(Point gravity = {0, 0, -9.81}) : gravity_(std::move(gravity)) {}

  Body body(SpatialBody);
  Body point(SpatialPoint);

  // Joints. `at`, `axis` in the ground frame, at the start.
  Joint spherical(const std::string& name, Body a, Body b, const Point& at);
  Joint revolute(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  /// The axes, one in each body, stay at right angles.
  Joint universal(const std::string& name, Body a, Body b, const Point& at, const Point& axis_a,
                  const Point& axis_b);
  Joint cylindrical(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  Joint prismatic(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  /// b slides and turns on a plane of a.
  Joint planar(const std::string& name, Body a, Body b, const Point& at, const Point& normal);
  Joint fixed(const std::string& name, Body a, Body b, const Point& at);
  Joint distance(const std::string& name, Body a, const Point& at_a, Body b, const Point& at_b,
                 double length = 0);
  Joint point_on_line(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  Joint point_on_plane(const std::string& name, Body a, Body b, const Point& at, const Point& normal);
  /// b moves along the axis by `pitch` (m) for each turn; left-handed if it is negative.
  Joint screw(const std::string& name, Body a, Body b, const Point& at, const Point& axis, double pitch);
  /// Two shafts meet and turn equally fast, whatever the angle between them. Each axis points out of its shaft's end the way
  /// the motion goes: in line they are one direction.
  Joint constant_velocity(const std::string& name, Body a, Body b, const Point& at, const Point& axis_a,
                          const Point& axis_b);
  /// The first angles of two joints turn against each other: z_1 angle_1 + z_2 angle_2 = 0, with whole numbers of teeth. A
  /// ring with teeth inside has a negative number.
  Joint gear(const std::string& name, Joint first, Joint second, int z_1, int z_2);
  /// b stays on a plane of a and does not slip: one row of position level, two of velocity level.
  Joint rolling_disc(const std::string& name, Body a, Body b, const SpatialRolling&);
  Joint rolling_ball(const std::string& name, Body a, Body b, const SpatialRolling&);
  /// A point of b moves along a direction of b only, as seen along the normal, which is fixed to a. Velocity level.
  Joint knife_edge(const std::string& name, Body a, Body b, const Point& at, const Point& along,
                   const Point& normal);

  // Forces.
  void load(const std::string& name, const SpatialLoad&);
  void bushing(const std::string& name, const SpatialBushing&);
  void beam(const std::string& name, const SpatialBeam&);

  // Numbers that drives prescribe and forces act along.
  MeasurePtr length(Body a, const Point& at_a, Body b, const Point& at_b) const;
  /// Of a point of b along a direction fixed to a, counted from where it is at the start.
  MeasurePtr displacement(Body a, Body b, const Point& at, const Point& along) const;
  /// Of b against a about an axis that both keep, counted from the start, up to full turns.
  MeasurePtr angle(Body a, Body b, const Point& axis) const;

  // For new kinds of joints; templates are in spatial/making.h, and knife_edge.cc is an example.

  /// Begins a joint: rows that are added next are its own.
  Joint begin_joint(const std::string& name, const char* kind, Body a, Body b, const Point& at,
                    const Point& axis = Point::Zero());
  /// Rows of a kind (row_set.h), with the names of their multipliers.
  template <class Kind>
  void add_rows(const Kind&, Body a, Body b, const std::vector<RowName>& names);
  template <class Kind>
  MeasurePtr measure(const char* name, const char* unit, const Kind&, Body a, Body b) const;
  void hold_point(const std::string& name, Body a, Body b, const Point& at);
  void hold_angle(const std::string& row, Body a, Body b, const Point& along_a, const Point& along_b);
  void hold_plane(const std::string& row, Body a, Body b, const Point& at, const Point& normal);
  void hold_line(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  void hold_axis(const std::string& name, Body a, Body b, const Point& axis);
  /// A direction of a and of b that is one and the same as the joint is put together (JointRecord::facing).
  void faces(Body a, Body b, const Point& along);
  Point in_body(Body,
                const Point& at) const;  ///< a point of the ground frame as the body sees it at the start
  Point turned_into(Body, const Point& along) const;  ///< a direction likewise

  // Mechanical
  State start() const override;
  bool plain() const override { return false; }
  std::unique_ptr<Placement> placement() const override;
  void place(Placement&) const override;
  void tangent(const Placement&, In u, Out dq) const override;
  void advance(const Placement&, In u, Out q) const override;
  void difference(In from, In to, Out u) const override;
  void kinematics(const Placement&, In v, Kinematics&) const override;
  void mass(const Placement&, Entries&) const override;

 private:
  Layout layout_anew() const override;
  std::shared_ptr<Mechanism> copy() const override { return std::make_shared<SpatialMechanism>(*this); }
  Body add(BodyRecord);
  void body_force(const Placement&, In v, Out f) const override;
  void body_derivatives(const Placement&, In v, Derivatives&) const override;
  double body_energy(const Placement&, In v) const override;

  template <class Shape>
  Joint add_rolling(const std::string& name, const char* kind, const Shape&, Body a, Body b,
                    const SpatialRolling&);
  Point centre_of(Body, const SpatialRolling&) const;

  /// What every evaluation reads of a body.
  struct Moving {
    double mass;
    Eigen::Matrix3d inertia;
    int q, v;
    bool turns;
  };

  Point gravity_;
  std::vector<SpatialBody> given_;
  std::vector<Moving> moving_;
};

}  // namespace dalembert
