#include "dalembert/method/dense_output.h"

namespace dalembert {

void QuarticOutput::bind(Eigen::Index n) {
  for (Vector* v : {&y0_, &c1_, &c2_, &c3_, &c4_, &point_, &slope_}) *v = Vector::Zero(n);
}

void QuarticOutput::hermite(double h, In y0, In d0, In y1, In d1) {
  y0_ = y0;
  c1_ = h * d0;
  c2_ = 3 * (y1 - y0) - h * (2 * d0 + d1);
  c3_ = -2 * (y1 - y0) + h * (d0 + d1);
  c4_.setZero();
}

void QuarticOutput::lift(In slope) {
  // u3'(1/4) = c1 + c2/2 + 3 c3/16;  (theta^2 (1-theta)^2)' = 3/16 there
  c4_ = (slope - c1_ - c2_ / 2 - c3_ * (3.0 / 16)) * (16.0 / 3);
  c2_ += c4_;
  c3_ -= 2 * c4_;
}

void QuarticOutput::operator()(double theta, Out y) const {
  y = y0_ + theta * (c1_ + theta * (c2_ + theta * (c3_ + theta * c4_)));
}

void HermiteOutput::bind(Eigen::Index n, std::vector<double> nodes) {
  nodes_ = std::move(nodes);
  c_ = Matrix::Zero(n, 2 * static_cast<Eigen::Index>(nodes_.size()));
}

void HermiteOutput::build(const Matrix& Y, const Matrix& D) {
  const Eigen::Index last = c_.cols() - 1;
  for (Eigen::Index i = 0; i <= last; ++i) c_.col(i) = Y.col(i / 2);
  for (Eigen::Index order = 1; order <= last; ++order)
    for (Eigen::Index i = last; i >= order; --i) {
      const double distance = knot(i) - knot(i - order);
      if (distance == 0)
        c_.col(i) = D.col(i / 2);  // two equal knots: the slope
      else
        c_.col(i) = (c_.col(i) - c_.col(i - 1)) / distance;
    }
}

void HermiteOutput::operator()(double theta, Out y) const {
  y = c_.col(c_.cols() - 1);
  for (Eigen::Index i = c_.cols() - 2; i >= 0; --i) y = c_.col(i) + (theta - knot(i)) * y;
}

}  // namespace dalembert
