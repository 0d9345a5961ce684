#include "dalembert/method/runge_kutta/combine.h"

#include "dalembert/core/lanes.h"

namespace dalembert {

namespace {

using Four = double __attribute__((vector_size(32)));
using FourInMemory = double __attribute__((vector_size(32), aligned(8), may_alias));
using Terms = std::vector<Row::Term>;

/// So many terms; 0: any number. Four entries at a time stay in registers while all terms pass over them: y is read and written once.
template <std::size_t count>
[[gnu::always_inline]] inline void sweep(const Terms& terms, const double* from, double h, const Matrix& K,
                                         double* to) {
  const Eigen::Index n = K.rows();
  const std::size_t size = count > 0 ? count : terms.size();
  const double* columns[count > 0 ? count : 1];
  double a[count > 0 ? count : 1];
  if constexpr (count > 0)
    for (std::size_t j = 0; j < count; ++j)
      columns[j] = K.data() + terms[j].column * n, a[j] = terms[j].coefficient;
  const auto column = [&](std::size_t j) [[gnu::always_inline]] {
    return count > 0 ? columns[j] : K.data() + terms[j].column * n;
  };
  const auto coefficient = [&](std::size_t j)
                               [[gnu::always_inline]] { return count > 0 ? a[j] : terms[j].coefficient; };
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4) {
    Four y{};
    for (std::size_t j = 0; j < size; ++j)
      y += coefficient(j) * *reinterpret_cast<const FourInMemory*>(column(j) + i);
    *reinterpret_cast<FourInMemory*>(to + i) = *reinterpret_cast<const FourInMemory*>(from + i) + h * y;
  }
  for (; i < n; ++i) {
    double y = 0;
    for (std::size_t j = 0; j < size; ++j) y += coefficient(j) * column(j)[i];
    to[i] = from[i] + h * y;
  }
}

/// As many terms as a register file holds coefficients are written out.
[[gnu::always_inline]] inline void sweep(const Terms& terms, const double* from, double h, const Matrix& K,
                                         double* to) {
  switch (terms.size()) {
    case 1:
      return sweep<1>(terms, from, h, K, to);
    case 2:
      return sweep<2>(terms, from, h, K, to);
    case 3:
      return sweep<3>(terms, from, h, K, to);
    case 4:
      return sweep<4>(terms, from, h, K, to);
    case 5:
      return sweep<5>(terms, from, h, K, to);
    case 6:
      return sweep<6>(terms, from, h, K, to);
    case 7:
      return sweep<7>(terms, from, h, K, to);
    case 8:
      return sweep<8>(terms, from, h, K, to);
    case 9:
      return sweep<9>(terms, from, h, K, to);
    default:
      return sweep<0>(terms, from, h, K, to);
  }
}

DALEMBERT_FOUR_LANES void sweep_wide(const Terms& terms, const double* from, double h, const Matrix& K,
                                     double* to) {
  sweep(terms, from, h, K, to);
}

void sweep_narrow(const Terms& terms, const double* from, double h, const Matrix& K, double* to) {
  sweep(terms, from, h, K, to);
}

}  // namespace

void Row::sweep(const double* from, double h, const Matrix& K, double* to) const {
  if (has_four_lanes())
    sweep_wide(terms_, from, h, K, to);
  else
    sweep_narrow(terms_, from, h, K, to);
}

}  // namespace dalembert
