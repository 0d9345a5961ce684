// The hanging chain of chain_runs as others solve it: n equal rods, pinned one below the other, released at rest in a
// straight line.
#pragma once

#include "dalembert/core/vector.h"

namespace dalembert::bench {

struct Chain {
  int n = 100;
  double length = 1, mass = 1;  ///< of all links together
  double lean = .5;             ///< from the vertical, at the start
  double gravity = 9.81, end = 1;

  double link_length() const { return length / n; }
  double link_mass() const { return mass / n; }
  double link_inertia() const { return link_mass() * link_length() * link_length() / 12; }
};

/// Centres and angles (x, y, phi of each link) at the end; phi from the x axis.
struct RivalEnd {
  bool ok = false;
  Vector q;
  long steps = 0, evaluations = 0;
};

/// IDA of SUNDIALS with KLU and exact sparse Jacobians.
///   index1  q' = v, M v' = f - G'l, 0 = G v' + bias            unknowns q, v, l
///   ggl     q' = v + G'mu, M v' = f - G'l, 0 = G v, 0 = g      unknowns q, v, l, mu
enum class ChainForm { index1, ggl };
RivalEnd chain_by_ida(const Chain&, ChainForm, double tolerance);
/// Largest difference between the Jacobian and central differences, relative to its row, at a state off the start.
double chain_jacobian_error(const Chain&, ChainForm);

/// Simbody, a tree of pin joints with n angles. (Its CPodes integrator ends with a failed assertion in Debian's 3.7.)
enum class SimbodyMethod { runge_kutta_merson, runge_kutta_fehlberg };
RivalEnd chain_by_simbody(const Chain&, SimbodyMethod, double accuracy);

}  // namespace dalembert::bench
