// A thin disc that rolls on a plane without slip: one row of position level (it touches the plane), two of velocity level
// (it does not slip), [Bloch2003]. With lean s, c (sine and cosine) into the turn, turn W about the vertical and
// w the angular velocity along the axle, there is a steady motion round a circle:
//
//   w = (g s/r - W^2 s c/4)/(3/2 W c),   centre of the disc on a circle of radius r w/W,   spin w + W s
//
// which is what exact() gives. `kick` adds a speed of falling over: then the disc wobbles, and no solution is known.
#include <cmath>

#include "dalembert/core/rotations.h"
#include "dalembert/multibody/spatial/spatial_mechanism.h"
#include "dalembert/problem/catalogue.h"
#include "problems/reference.h"

namespace dalembert {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

const std::vector<Parameter> parameters = {{"r", .26, "m", "radius"},
                                           {"m", 3.43, "kg", "mass"},
                                           {"g", 9.81, "m/s^2", "gravity"},
                                           {"lean", .3, "rad", "into the turn"},
                                           {"turn", 1.5, "rad/s", "of the heading, to the left"},
                                           {"kick", 0, "rad/s", "speed of falling over at the start"}};

class RollingDisc : public SpatialMechanism {
 public:
  explicit RollingDisc(const Parameters& p)
      : SpatialMechanism(Vector3d(0, 0, -p["g"])),
        r_(p.positive("r")),
        lean_(p["lean"]),
        turn_(p.positive("turn")),
        kick_(p["kick"]) {
    const double s = std::sin(lean_), c = std::cos(lean_), m = p.positive("m");
    axle_speed_ = (p["g"] / r_ * s - turn_ * turn_ * s * c / 4) / (1.5 * turn_ * c);
    const State begin = steady(0);
    const Body disc = body({.name = "disc",
                            .mass = m,
                            .inertia = m * r_ * r_ / 4 * Vector3d(1, 2, 1).asDiagonal().toDenseMatrix(),
                            .position = begin.y.segment<3>(0),
                            .orientation = begin.y.segment<4>(3),
                            .velocity = begin.y.segment<3>(7),
                            .spin = begin.y.segment<3>(10)});
    rolling_disc("contact", ground, disc, {.axle = Vector3d(0, c, -s), .radius = r_});
    ends_at(5);
  }
  State start() const override { return with_multipliers(*this, 0, steady(0).y); }
  std::optional<State> exact(double t) const override {
    if (kick_ != 0) return {};
    return with_multipliers(*this, t, steady(t).y);
  }

 private:
  /// (q, v); the speed of falling over is there at the start only.
  State steady(double t) const {
    const Vector4d yaw = quaternion_of(Vector3d(0, 0, turn_ * t)),
                   fall = quaternion_of(Vector3d(-lean_, 0, 0)), upright = compose(yaw, fall);
    const double spin = axle_speed_ + turn_ * std::sin(lean_);
    const Vector4d e = compose(upright, quaternion_of(Vector3d(0, spin * t, 0)));
    const Eigen::Matrix3d axes = rotation_matrix(upright);
    const Vector3d omega = axes * Vector3d(-kick_, axle_speed_, turn_ * std::cos(lean_)), up = axes.col(2);
    State state{t, Vector(13)};
    const double radius = r_ * axle_speed_ / turn_;
    state.y << radius * std::sin(turn_ * t), -radius * std::cos(turn_ * t), r_ * std::cos(lean_), e,
        omega.cross(r_ * up), rotation_matrix(e).transpose() * omega;
    return state;
  }

  double r_, lean_, turn_, kick_, axle_speed_ = 0;
};

}  // namespace

std::vector<ProblemEntry> problems_in_rolling_disc() {
  return {{"rolling-disc",
           "a disc that rolls round a circle without slip: rows of position and velocity level",
           Kind::mechanical, "Bloch2003", parameters,
           [](const Parameters& p) { return std::make_shared<const RollingDisc>(p); }}};
}

}  // namespace dalembert
