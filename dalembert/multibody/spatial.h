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

/// A mass that does not turn.
struct SpatialPoint {
  std::string name{};
  double mass = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
};

/// Where a body is. The ground and points are not turned.
struct SpatialFrame {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Eigen::Vector3d place(const Eigen::Vector3d& s) const { return r + R * s; }
};

struct SpatialPlacement : Placement {
  std::vector<SpatialFrame> frames{};  ///< of the ground, then of the bodies
};

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

  // Numbers that drives prescribe and forces act along.
  MeasurePtr length(Body a, const Point& at_a, Body b, const Point& at_b) const;
  /// Of a point of b along a direction fixed to a, counted from where it is at the start.
  MeasurePtr displacement(Body a, Body b, const Point& at, const Point& along) const;

  // Mechanical
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
  Body add(BodyRecord);
  void body_force(const Placement&, In v, Out f) const override;
  void body_derivatives(const Placement&, In v, Derivatives&) const override;
  double body_energy(const Placement&, In v) const override;

  template <class Kind>
  void add_rows(const Kind&, Body a, Body b, const std::vector<RowName>& names);
  template <class Kind>
  MeasurePtr measure(const char* name, const char* unit, const Kind&, Body a, Body b) const;
  Joint add(const std::string& name, const char* kind, Body a, Body b, const Point& at,
            const Point& axis = Point::Zero());
  void hold_point(const std::string& name, Body a, Body b, const Point& at);
  void hold_angle(const std::string& row, Body a, Body b, const Point& along_a, const Point& along_b);
  void hold_plane(const std::string& row, Body a, Body b, const Point& at, const Point& normal);
  void hold_line(const std::string& name, Body a, Body b, const Point& at, const Point& axis);
  void hold_axis(const std::string& name, Body a, Body b, const Point& axis);
  Point in_body(Body, const Point& at) const;
  Point turned_into(Body, const Point& along) const;

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
