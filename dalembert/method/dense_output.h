// Interpolation inside a step, for methods that bring none of their own.
//
// y and y' at both ends give the cubic Hermite polynomial u3. One derivative more, evaluated on the cubic at
// theta = 1/4, lifts it by one order [HairerNorsettWanner1993, II.6: boot-strapping]:
//
//   u(theta) = u3(theta) + e theta^2 (1-theta)^2,   e = (h f(u3(1/4)) - u3'(1/4)) / (3/16)
#pragma once

#include <vector>

#include "dalembert/core/vector.h"

namespace dalembert {

class QuarticOutput {
 public:
  void bind(Eigen::Index n);

  /// f(t, y, dy) evaluates the derivative of the solution.
  template <class Derivative>
  void build(double t0, double h, In y0, In d0, In y1, In d1, Derivative&& f) {
    hermite(h, y0, d0, y1, d1);
    constexpr double theta = 0.25;
    (*this)(theta, point_);
    f(t0 + theta * h, point_, slope_);
    slope_ *= h;
    lift(slope_);
  }
  void operator()(double theta, Out y) const;
  void operator()(double theta, Out y, Out dy) const;  ///< with the derivative by theta

 private:
  void hermite(double h, In y0, In d0, In y1, In d1);
  void lift(In slope);  ///< slope = h f at theta = 1/4

  Vector y0_, c1_, c2_, c3_, c4_, point_, slope_;  // u = y0 + theta (c1 + theta (c2 + theta (c3 + theta c4)))
};

/// u(theta) = y0 + theta (c1 + rest (c2 + theta (c3 + rest (c4 + ...)))), rest = 1 - theta, as Dormand and Prince's methods have it: the
/// columns of c are four or seven.
void alternating(double theta, In y0, const Matrix& c, Out y);
void alternating(double theta, In y0, const Matrix& c, Out y, Out dy);  ///< with the derivative by theta

/// The polynomial through values and slopes at given nodes (Hermite, by divided differences): order 2 nodes - 1.
class HermiteOutput {
 public:
  void bind(Eigen::Index n, std::vector<double> nodes);
  const std::vector<double>& nodes() const { return nodes_; }
  /// Column k of Y and D: value, and slope times h, at node k.
  void build(const Matrix& Y, const Matrix& D);
  void operator()(double theta, Out y) const;

 private:
  double knot(Eigen::Index i) const { return nodes_[static_cast<std::size_t>(i / 2)]; }  // each node twice
  std::vector<double> nodes_;
  Matrix c_;
};

}  // namespace dalembert
