// Mechanisms in the plane: bodies with x, y and angle, joints, drives and forces, put together in code.
//
//   PlanarMechanism m;
//   const auto crank = m.body({.name = "crank", .mass = .2, .inertia = 4e-4, .position = {.075, 0}});
//   m.revolute("main", m.ground, crank, {0, 0});
//
// Points are given in the ground frame at the initial positions of the bodies, as they would be measured on a drawing. A
// mechanism that is complete is a Mechanical problem like any other; initial values need not satisfy the joints.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "dalembert/core/trigonometry.h"
#include "dalembert/multibody/law.h"
#include "dalembert/multibody/mechanism.h"
#include "dalembert/problem/motion_sums.h"

namespace dalembert {

/// A point or a vector in the plane.
using Point2 = std::array<double, 2>;

/// A body in the plane, and where it begins.
struct PlanarBody {
  std::string name{};
  double mass = 0, inertia = 0;  ///< kg; kg m^2 about the centre of mass
  Point2 position{};             ///< of the centre of mass
  double angle = 0;
  Point2 velocity{};
  double spin = 0;
};

/// A mass that does not turn.
struct PlanarPoint {
  std::string name{};
  double mass = 0;
  Point2 position{}, velocity{};
};

/// The circle of a body that rolls on a line.
struct PlanarWheel {
  std::optional<Point2> centre{};  ///< in the ground frame at the start; unless given the centre of mass
  std::optional<double> radius{};  ///< unless given the distance of the centre from the line at the start
};

/// A force and a torque on one body; functions of (t, x, y, vx, vy, angle, spin), where x, y, vx, vy are those of the point
/// in the ground frame.
struct PlanarLoad {
  enum class Frame { ground, body };
  int body = Mechanism::ground;
  std::optional<Point2> at{};   ///< in the ground frame at the start; unless given the centre of mass
  Frame frame = Frame::ground;  ///< in which the force is given
  std::array<Law, 2> force{};   ///< N
  Law torque{};                 ///< N m, counter-clockwise
};

/// A point of b held near a point of a, and b held from turning against a. Linear in what is seen from a.
struct PlanarBushing {
  int a = Mechanism::ground, b = Mechanism::ground;
  Point2 at_a{}, at_b{};  ///< in the ground frame at the start; without load the two meet
  Point2 along{1, 0};     ///< the first axis of the bushing at the start; it is fixed to a
  Eigen::Matrix3d stiffness = Eigen::Matrix3d::Zero();  ///< of (e_x, e_y, theta): N/m, N, N m
  Eigen::Matrix3d damping = Eigen::Matrix3d::Zero();
};

/// A slender beam without mass, clamped to both bodies; straight and without load as it is drawn.
struct PlanarBeam {
  int a = Mechanism::ground, b = Mechanism::ground;
  Point2 at_a{}, at_b{};           ///< its ends, in the ground frame at the start
  double EA = 0, EI = 0;           ///< N, N m^2
  double damping = 0;              ///< s: times the stiffness it is the damping
  std::optional<double> length{};  ///< without load; unless given that of the start
};

/// Where a body is. The ground and points have angle 0.
struct PlanarFrame {
  double x = 0, y = 0, phi = 0;
  SinCos turn{};
};

/// Positions with the sines and cosines of all bodies.
struct PlanarPlacement : Placement {
  std::vector<PlanarFrame> frames{};  ///< of the ground, then of the bodies
};

/// A mechanism in the plane: x, y and an angle per body.
class PlanarMechanism : public Mechanism, public MotionSums {
 public:
  explicit PlanarMechanism(Point2 gravity = {0, -9.81}) : gravity_(gravity) {}

  Body body(PlanarBody);
  Body point(PlanarPoint);

  // Joints. `at` in the ground frame, at the start.
  Joint revolute(const std::string& name, Body a, Body b, Point2 at);
  Joint prismatic(const std::string& name, Body a, Body b, Point2 at, Point2 along);
  Joint fixed(const std::string& name, Body a, Body b, Point2 at);
  /// A point of b stays on a line of a.
  Joint slot(const std::string& name, Body a, Body b, Point2 at, Point2 along);
  /// Two points keep their distance, the one they have at the start unless told otherwise.
  Joint distance(const std::string& name, Body a, Point2 at_a, Body b, Point2 at_b, double length = 0);
  /// angle of b = ratio times angle of a, both against the carrier and counted from the start.
  Joint gear(const std::string& name, Body a, Body b, double ratio, Body carrier = ground);
  /// A toothed wheel b on a rack a whose pitch line goes through `at`: it rolls, whatever keeps it there.
  Joint rack(const std::string& name, Body a, Body b, Point2 at, Point2 along, PlanarWheel wheel = {});
  /// A disc b stays on a line of a through `at` and rolls without slip.
  Joint rolling(const std::string& name, Body a, Body b, Point2 at, Point2 along, PlanarWheel wheel = {});
  /// A point of the body moves along a direction of the body only: a blade, a wheel. Velocity level.
  Joint knife_edge(const std::string& name, Body b, Point2 at, Point2 along);

  // Forces.
  void load(const std::string& name, const PlanarLoad&);
  void bushing(const std::string& name, const PlanarBushing&);
  void beam(const std::string& name, const PlanarBeam&);

  // Numbers that drives prescribe and forces act along.
  MeasurePtr length(Body a, Point2 at_a, Body b, Point2 at_b) const;
  /// angle of b - angle of a, counted from the start.
  MeasurePtr angle(Body a, Body b) const;
  /// Of a point of b along a direction fixed to a, counted from where it is at the start.
  MeasurePtr displacement(Body a, Body b, Point2 at, Point2 along) const;

  // For new kinds of joints; templates are in planar/making.h, and knife_edge.cc is an example.

  /// Begins a joint: rows that are added next are its own.
  Joint begin_joint(const std::string& name, const char* kind, Body a, Body b, Point2 at, Point2 along = {});
  /// Rows of a kind (row_set.h), with the names of their multipliers.
  template <class Kind>
  void add_rows(const Kind&, Body a, Body b, const std::vector<RowName>& names);
  template <class Kind>
  MeasurePtr measure(const char* name, const char* unit, const Kind&, Body a, Body b) const;
  void hold_point(const std::string& name, Body a, Body b, Point2 at);
  void hold_line(const std::string& name, Body a, Body b, Point2 at, Point2 along);
  void hold_angle(const std::string& name, Body a, Body b);
  double angle_at_start(Body) const;      ///< of the ground 0
  Point2 in_body(Body, Point2 at) const;  ///< a point of the ground frame as the body sees it at the start
  Point2 turned_into(Body, Point2 along) const;  ///< a direction of length 1 likewise

  // Mechanical
  State start() const override;
  std::unique_ptr<Placement> placement() const override;
  void place(Placement&) const override;
  void mass(const Placement&, Entries&) const override;

  // MotionSums
  /// A relative may have changed its terms.
  bool has_sums() const override { return typeid(*this) == typeid(PlanarMechanism) && rows_have_sums(); }
  void sums(const Placement&, In v, In s, In a, In l, Out motion, Out rows) const override;
  bool depend_on_time() const override { return has_forces() || rows_are_driven(); }
  void rates(const Placement& at, In v, Out rows) const override { rates_of_rows(at, v, rows); }
  bool differentiates_rows() const override { return all_rows_differentiate(); }
  void row_derivatives(const Placement& at, In v, In a, Entries& X) const override {
    derivatives_of_rows(at, v, a, X);
  }

 private:
  Layout layout_anew() const override;
  std::shared_ptr<Mechanism> copy() const override { return std::make_shared<PlanarMechanism>(*this); }
  Body add(BodyRecord);
  void body_force(const Placement&, In v, Out f) const override;
  void body_derivatives(const Placement&, In, Derivatives&) const override {}
  double body_energy(const Placement&, In v) const override;

  struct Rim;  ///< of a wheel on its line
  Rim rim(const std::string& name, Body a, Body b, Point2 at, Point2 along, const PlanarWheel&) const;
  Joint add_wheel(const std::string& name, const char* kind, Body a, Body b, const Rim&);

  /// What every evaluation reads of a body.
  struct Moving {
    double mass, inertia;
    int q, v;
    bool turns;
  };

  Point2 gravity_;
  std::vector<PlanarBody> given_;
  std::vector<Moving> moving_;
};

}  // namespace dalembert
