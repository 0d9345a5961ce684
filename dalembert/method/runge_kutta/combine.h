// Linear combinations of stage derivatives, the inner loop of every Runge-Kutta method.
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// The nonzero coefficients of one row of a tableau.
class Row {
 public:
  Row() = default;
  explicit Row(const Eigen::Ref<const Vector>& coefficients) {
    terms_.reserve(static_cast<std::size_t>((coefficients.array() != 0).count()));
    for (Eigen::Index j = 0; j < coefficients.size(); ++j)
      if (coefficients[j] != 0) terms_.push_back({j, coefficients[j]});
  }

  /// to = from + h sum_j a_j K_j, where K_j are the columns of K
  void combine(In from, double h, const Matrix& K, Out to) const { sweep(from.data(), h, K, to.data()); }
  /// to += h sum_j a_j K_j
  void add(double h, const Matrix& K, Out to) const { sweep(to.data(), h, K, to.data()); }

 private:
  // Four entries at a time stay in registers while all terms pass over them: y is read and written once. As many terms as a
  // register file holds coefficients are written out.
  void sweep(const double* from, double h, const Matrix& K, double* to) const {
    switch (terms_.size()) {
      case 1:
        return sweep<1>(from, h, K, to);
      case 2:
        return sweep<2>(from, h, K, to);
      case 3:
        return sweep<3>(from, h, K, to);
      case 4:
        return sweep<4>(from, h, K, to);
      case 5:
        return sweep<5>(from, h, K, to);
      case 6:
        return sweep<6>(from, h, K, to);
      case 7:
        return sweep<7>(from, h, K, to);
      case 8:
        return sweep<8>(from, h, K, to);
      case 9:
        return sweep<9>(from, h, K, to);
      default:
        return sweep<0>(from, h, K, to);
    }
  }
  /// So many terms; 0: any number.
  template <std::size_t count>
  void sweep(const double* from, double h, const Matrix& K, double* to) const {
    const Eigen::Index n = K.rows();
    const std::size_t size = count > 0 ? count : terms_.size();
    const double* columns[count > 0 ? count : 1];
    double a[count > 0 ? count : 1];
    if constexpr (count > 0)
      for (std::size_t j = 0; j < count; ++j)
        columns[j] = K.data() + terms_[j].column * n, a[j] = terms_[j].coefficient;
    const auto column = [&](std::size_t j) {
      return count > 0 ? columns[j] : K.data() + terms_[j].column * n;
    };
    const auto coefficient = [&](std::size_t j) { return count > 0 ? a[j] : terms_[j].coefficient; };
    Eigen::Index i = 0;
    for (; i + 4 <= n; i += 4) {
      Eigen::Array4d y = Eigen::Array4d::Zero();
      for (std::size_t j = 0; j < size; ++j) y += coefficient(j) * Four(column(j) + i);
      Eigen::Map<Eigen::Array4d>(to + i) = Four(from + i) + h * y;
    }
    if (i + 2 <= n) {
      Eigen::Array2d y = Eigen::Array2d::Zero();
      for (std::size_t j = 0; j < size; ++j) y += coefficient(j) * Two(column(j) + i);
      Eigen::Map<Eigen::Array2d>(to + i) = Two(from + i) + h * y;
      i += 2;
    }
    if (i < n) {
      double y = 0;
      for (std::size_t j = 0; j < size; ++j) y += coefficient(j) * column(j)[i];
      to[i] = from[i] + h * y;
    }
  }

  using Four = Eigen::Map<const Eigen::Array4d>;
  using Two = Eigen::Map<const Eigen::Array2d>;
  struct Term {
    Eigen::Index column;
    double coefficient;
  };
  std::vector<Term> terms_;
};

}  // namespace dalembert
