// The way back from q0 to the position constraints g(t,q) = 0, in the metric of velocities as they are (no masses).
//
//   newton    q_{k+1} = q_k - J^+ g,  J^+ = J'(J J')^-1 at q_k          [MantegazzaMasarati2012, (34)-(37)]
//   nearest   u_{k+1} = J^+ (J u_k - g) at q_k = q0 + u_k               [MantegazzaMasarati2012, (121)]
//
// J: the holonomic rows. Each step of newton is as short as it can be; where it ends is not the nearest point but farther
// by the square of the distance. nearest ends where u = J'nu with J at the solution; it converges linearly, at a rate that
// is the distance times the curvature.
#pragma once

#include <memory>
#include <vector>

#include "dalembert/core/outcome.h"
#include "dalembert/core/statistics.h"
#include "dalembert/problem/mechanical.h"

namespace dalembert {

enum class Correction { newton, nearest };

class PositionCorrection {
 public:
  PositionCorrection(const Mechanical&, Correction, Statistics&);

  /// Which holonomic rows to look at: independent ones. All of them unless told. At most as many as the first time.
  void use(const std::vector<Eigen::Index>& rows);
  /// Moves q onto g(t,q) = 0. Allocates nothing.
  Outcome correct(double t, Out q);

 private:
  void move(double t);  ///< to q_
  Outcome step();       ///< u_ := J^+ (right side)

  const Mechanical& problem_;
  Mechanical::Sizes n_;
  Correction correction_;
  Statistics& statistics_;
  std::unique_ptr<Placement> from_, at_;
  std::vector<Eigen::Index> rows_, place_;  // place: where a row of J goes, or beyond the end
  Entries J_;
  Matrix Jt_, JJt_;
  Eigen::LLT<Matrix> factors_;
  Vector g_, right_, u_, total_, change_, q_;
};

}  // namespace dalembert
