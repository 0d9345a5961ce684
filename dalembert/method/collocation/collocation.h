// The coefficients of collocation: a polynomial u with u(t_n) = y_n that satisfies F(t,u,u') = 0 at t_n + c_i h.
//
//   Z_i = u(t_n + c_i h) - y_n,   i = 1..s,  c_s = 1
//   u(t_n + theta h) = y_n + sum_j B_j(theta) Z_j  [ + h H(theta) y'_n ]
//   u'(t_n + c_i h)  = (1/h) sum_j W_ij Z_j        [ + d_i y'_n ],        W_ij = B_j'(c_i),  d_i = H'(c_i)
//
// Either only the value is known at the start (Radau IIA), or also the slope, carried over from the end of the step
// before (Lobatto IIIA, whose first stage it is): then B_j has a double zero at 0. W is the inverse of the Runge-Kutta
// matrix A, or of its part without the first stage. With W = sum of right_k lambda_k left_k' Newton's iteration on all
// stages falls apart into one linear system per eigenvalue [HairerWanner1996, IV.8]:
//
//   (F_y + lambda_k/h F_y') v_k = -sum_i left_ki F_i,     Delta Z_i = sum_k right_ki v_k
//
// one system for both eigenvalues of a complex pair.
#pragma once

#include <complex>
#include <utility>
#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

/// An eigenvalue of W with its vectors, left' right = 1.
template <class Scalar>
struct Mode {
  Scalar lambda;
  Eigen::Matrix<Scalar, Eigen::Dynamic, 1> left, right;
};

class Collocation {
 public:
  enum class Start { value, slope };  ///< what is known at theta = 0

  /// Distinct points in (0,1], ascending, the last one 1.
  Collocation(const std::vector<long double>& points, Start);

  int stages() const { return static_cast<int>(c.size()); }
  /// Of the method: the points with the one at 0, where it counts, as a quadrature formula.
  int order() const { return order_; }
  bool carries_slope() const { return start_ == Start::slope; }
  /// B_1..B_s and H at theta.
  void values(double theta, Out weights) const;
  /// Their derivatives.
  void slopes(double theta, Out weights) const;

  Vector c, d;
  Matrix W, W_transposed;
  Vector middle, middle_slope;  ///< the weights of u and h u' at theta = 1/2
  Vector
      bend;  ///< those of the coefficient of (theta - 1/2)^(s-1) in u, where only the value is known at the start
  std::vector<Mode<double>> real_modes;
  std::vector<Mode<std::complex<double>>> pairs;  ///< of each complex pair the one above the real axis
  /// left and right of all modes as real numbers: a column of `to_modes`, and of `from_modes` a row, for each real one, two for each
  /// pair, real and imaginary part.
  Matrix to_modes, from_modes;

 private:
  /// B_j, or H for j = s, and its derivative.
  template <class Real>
  std::pair<Real, Real> basis(std::size_t j, Real theta) const;
  void decompose(const Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>& W);

  std::vector<long double> points_, scales_;  // scales_: of B_1..B_s and H
  Vector inverse_scales_;
  Start start_;
  int order_;
};

/// The zeros of P_s - P_(s-1), shifted to (0,1] [HairerWanner1996, IV.5].
std::vector<long double> radau_points(int stages);

}  // namespace dalembert
