// How contacts at rest whose rows depend on each other bear a load together: limit analysis, as of trusses [Drucker1952].
//
//   carried by rows     m_i = mu_i + sum_b L_bi mu_b       i independent, b tied to them: y_b = sum_i L_bi y_i
//   part                rho = min max_k |mu_k| / F_k  =  max over rates y of  sum_i m_i y_i / sum_k F_k |y_k|
//
// They hold as long as rho <= 1: some shares mu keep within all limits. At rho = 1 those with y_k != 0 slip, and the others go on
// sticking. Both are found at once by the simplex method for y, whose dual variables are mu.
#pragma once

#include "dalembert/core/vector.h"

namespace dalembert {

/// Of all contacts, the independent ones first.
struct LimitLoad {
  double part = 0;  ///< rho; infinite where nothing holds
  Vector rates;     ///< y, as they would slip; 0: it goes on sticking
  Vector shares;    ///< mu; of those that are possible one with the smallest largest |mu|/F
};

/// `carried` m, `levers` L with a row for each tied one, `limits` F.
LimitLoad limit_load(In carried, const Matrix& levers, In limits);

}  // namespace dalembert
