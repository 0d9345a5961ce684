#include <cmath>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/multibody/planar/elastic.h"
#include "dalembert/multibody/planar/load.h"
#include "dalembert/multibody/planar/planar_mechanism.h"

namespace dalembert {

using namespace planar;

void PlanarMechanism::load(const std::string& name, const PlanarLoad& load) {
  if (load.body == ground) throw Error("force '" + name + "' acts on the ground", "name a body that moves");
  if (load.torque && !turns(load.body))
    throw Error("torque '" + name + "' acts on a point mass", "give the body an inertia");
  const Point2 on = load.at ? in_body(load.body, *load.at) : Point2{0, 0};
  forces<Loads>().loads.push_back({end_of(load.body), on, load.frame, load.force, load.torque});
}

void PlanarMechanism::bushing(const std::string& name, const PlanarBushing& is) {
  if (is.a == is.b) throw Error("bushing '" + name + "' joins a body to itself", "name two bodies");
  if (is.stiffness != is.stiffness.transpose())
    throw Error("bushing '" + name + "' has a stiffness that is not symmetric",
                "forces have no potential then");
  const double length = std::hypot(is.along[0], is.along[1]);
  if (!(length > 0)) throw Error("bushing '" + name + "' has no direction", "give a vector that is not zero");
  const Point2 x = turned_into(is.a, {is.along[0] / length, is.along[1] / length}), y{-x[1], x[0]},
               on_a = in_body(is.a, is.at_a), on_b = in_body(is.b, is.at_b);
  const auto offset = [&](const Point2& axis) { return axis[0] * on_a[0] + axis[1] * on_a[1]; };
  forces<ElasticSet<Space, Bush>>().elements.push_back(
      {{{x, on_b, offset(x)}, {y, on_b, offset(y)}, {1, angle_at_start(is.b) - angle_at_start(is.a)}},
       {end_of(is.a), end_of(is.b)},
       is.stiffness,
       is.damping});
}

/// With the stiffness of a straight beam of Euler and Bernoulli: EA/L against stretching, EI/L [4 2; 2 4] against turning
/// the ends.
void PlanarMechanism::beam(const std::string& name, const PlanarBeam& is) {
  if (is.a == is.b) throw Error("beam '" + name + "' joins a body to itself", "name two bodies");
  if (!turns(is.a) || !turns(is.b))
    throw Error("beam '" + name + "' is clamped to a point mass", "give the body an inertia");
  const double dx = is.at_b[0] - is.at_a[0], dy = is.at_b[1] - is.at_a[1], drawn = std::hypot(dx, dy),
               L = is.length.value_or(drawn);
  if (!(drawn > 0) || !(L > 0)) throw Error("beam '" + name + "' has length 0", "let its ends lie apart");
  const double phi_a = angle_at_start(is.a), phi_b = angle_at_start(is.b);
  Eigen::Matrix3d K = Eigen::Matrix3d::Zero();
  K(0, 0) = is.EA / L;
  K(1, 1) = K(2, 2) = 4 * is.EI / L;
  K(1, 2) = K(2, 1) = 2 * is.EI / L;
  auto& beams = forces<ElasticSet<Space, Chord>>().elements;
  beams.push_back({{in_body(is.a, is.at_a), in_body(is.b, is.at_b), L,
                    (phi_a + phi_b) / 2 - std::atan2(dy, dx), phi_b - phi_a, name},
                   {end_of(is.a), end_of(is.b)},
                   K,
                   is.damping * K});
  if (is.EI == 0) beams.back().kind.most_turn = std::numeric_limits<double>::infinity();
}

}  // namespace dalembert
