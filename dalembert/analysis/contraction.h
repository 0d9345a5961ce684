// How fast an iteration between the fields of a partitioned problem contracts: in theory and as measured.
//
// Short windows, from the compliances S_j of the fields (interface_compliance.h): rows on the last field multiply errors
// by f = -S_2^-1 S_1, rows on the first one by 1/f. Relaxed by omega: 1 - omega (1 - f), zero at omega = 1/(1 - f).
// Weighted by theta: theta f + (1 - theta)/f.
//
// Linear problems of two fields and one interface row, section 4 of [WangHouModnak2011]. With s = J_x x and
//   x'' = A x + b lambda,  A = Q R P,  P = Q^-1,   y'' = Z y + Y s'',  lambda = L y + l s'',
// errors of the iterates obey |e_lambda| <= (k0 + k2 dt^2)|e_s| + k1 |e_s''| with k0 = |L Y|, k1 = |l|, k2 = |L Z Y|/2, and
//   F = sum |J_x Q_k||P_k b|,  E = sum |r_k||J_x Q_k||P_k b|/2;   beta, the positive root of (49), and gamma (50) follow.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/problem/partitioned.h"

namespace dalembert {

/// beta = beta0 + beta2 dt^2, gamma = gamma0 + gamma2 dt^2, to this order.
struct WindowTheory {
  double E, F, beta0, beta2, gamma0, gamma2;
};

/// The identity before (34) of the paper is off by a factor 2, which halves k2.
enum class Identity { correct, as_printed };

/// None unless the problem is linear with constant coefficients, has two fields and one interface row, and no damping.
std::optional<WindowTheory> window_theory(const Partitioned&, Identity);

struct SplittingTheory {
  double
      factor;  ///< by which errors are multiplied in short windows, the largest; infinite if it cannot be done
  double omega;    ///< the relaxation that makes the largest remaining factor least
  double relaxed;  ///< that remaining factor
};

struct ContractionTheory {
  SplittingTheory last, first;
  double
      weight_from;  ///< weighted splittings contract for theta above this (or below, if `last` does not contract)
  double best_weight;  ///< theta, not limited to [0, 1], with the least contraction
};
ContractionTheory contraction_theory(const Partitioned&, const State&);

/// Contraction of one window of length dt from the start, as iterated: trapezoid in `substeps` steps, no relaxation
/// unless omega is given.
struct MeasuredContraction {
  double contraction;
  int iterations;
  std::string outcome;
};
MeasuredContraction measure_contraction(const std::shared_ptr<const Partitioned>&,
                                        const std::string& splitting, std::optional<double> omega, double dt,
                                        int substeps);

}  // namespace dalembert
