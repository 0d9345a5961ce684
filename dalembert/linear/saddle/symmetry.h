// Whether the two Jacobians of a saddle-point system are one.
#pragma once

namespace dalembert {

enum class Symmetry { symmetric, unsymmetric };  ///< G1 == G2 in every call, or not

}  // namespace dalembert
