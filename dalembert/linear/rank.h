// Rank and null space of a dense matrix, judged on rows of unit length.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

inline constexpr double rank_tolerance = 1e-10;

/// The rows that depend on others, in increasing order: removing them leaves independent rows that span the
/// same space. Rows of zeros depend on nothing and are listed too.
std::vector<Eigen::Index> dependent_rows(const Matrix& A, double tolerance = rank_tolerance);

Eigen::Index numerical_rank(const Matrix& A, double tolerance = rank_tolerance);

/// Orthonormal columns N with A N = 0, as many as columns(A) - rank.
Matrix null_space(const Matrix& A, double tolerance = rank_tolerance);

}  // namespace dalembert
