// Mechanisms in space: bodies with a position and a unit quaternion, and joints, put together in code.
//
//   q = (r, e) per body, v = (r', omega) with omega in the body frame:  e' = e o (0,omega)/2
//   m r'' = m g - J'lambda,   I omega' = -omega x I omega - J'lambda
//
// Points and directions are given in the ground frame at the initial positions of the bodies. A mechanism that is complete
// is a Mechanical problem like any other; initial values need not satisfy the joints.
#pragma once

#include <string>
#include <vector>

#include "dalembert/multibody/mechanism.h"

namespace dalembert {

struct SpatialBody {
  std::string name{};
  double mass = 0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();   ///< kg m^2 about the centre of mass, in the body frame
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the centre of mass
  Eigen::Vector4d orientation{1, 0, 0, 0};             ///< of any length
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero(),
                  spin = Eigen::Vector3d::Zero();  ///< spin in the body frame
};

struct SpatialPlacement : Placement {
  std::vector<Eigen::Matrix3d> R;
};

class SpatialMechanism : public Mechanism {
 public:
  using Point = Eigen::Vector3d;

  explicit SpatialMechanism(Point gravity = {0, 0, -9.81}) : gravity_(std::move(gravity)) {}

  Body body(SpatialBody);

  // Joints. `at`, `axis` in the ground frame, at the start.
  void spherical(const std::string& name, Body a, Body b, const Point& at);
  void revolute(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  /// The axes, one in each body, stay at right angles.
  void universal(const std::string& name, Body a, Body b, const Point& at, const Point& axis_a,
                 const Point& axis_b);
  void cylindrical(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  void prismatic(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  /// b slides and turns on a plane of a.
  void planar(const std::string& name, Body a, Body b, const Point& at, const Point& normal);
  void fixed(const std::string& name, Body a, Body b, const Point& at);
  void distance(const std::string& name, Body a, const Point& at_a, Body b, const Point& at_b,
                double length = 0);
  void point_on_line(const std::string& name, Body a, Body b, const Point& at, const Point& axis);

  // Mechanical
  Sizes sizes() const override;
  Layout layout() const override;
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
  void body_force(const Placement&, In v, Out f) const override;
  void body_derivatives(const Placement&, In v, Derivatives&) const override;
  double body_energy(const Placement&, In v) const override;

  template <class Kind>
  void add_rows(const Kind&, Body a, Body b, const std::vector<RowName>& names);
  void hold_point(const std::string& name, Body a, Body b, const Point& at);
  void hold_angle(const std::string& row, Body a, Body b, const Point& along_a, const Point& along_b);
  void hold_plane(const std::string& row, Body a, Body b, const Point& at, const Point& normal);
  Point in_body(Body, const Point& at) const;
  Point turned_into(Body, const Point& along) const;
  Eigen::Index index(std::size_t body, int stride) const { return static_cast<Eigen::Index>(body) * stride; }

  Point gravity_;
  std::vector<SpatialBody> bodies_;
};

}  // namespace dalembert
