// KLU's two families of names, for real and for complex numbers, under one.
#pragma once

#include <klu.h>

#include <type_traits>

namespace dalembert {

struct RealKlu {
  static constexpr auto factor = klu_factor;
  static constexpr auto refactor = klu_refactor;
  static constexpr auto growth = klu_rgrowth;
  static constexpr auto solve = klu_solve;
  static constexpr auto free_numeric = klu_free_numeric;
};
struct ComplexKlu {
  static constexpr auto factor = klu_z_factor;
  static constexpr auto refactor = klu_z_refactor;
  static constexpr auto growth = klu_z_rgrowth;
  static constexpr auto solve = klu_z_solve;
  static constexpr auto free_numeric = klu_z_free_numeric;
};
template <class Scalar>
using Klu = std::conditional_t<std::is_same_v<Scalar, double>, RealKlu, ComplexKlu>;

/// KLU takes a complex number as two reals, one after the other, as std::complex lays them out.
template <class Scalar>
double* reals(Scalar* a) {
  return reinterpret_cast<double*>(a);
}

}  // namespace dalembert
