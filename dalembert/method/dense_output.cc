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

}  // namespace dalembert
