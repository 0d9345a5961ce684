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

void QuarticOutput::operator()(double theta, Out y, Out dy) const {
  (*this)(theta, y);
  dy = c1_ + theta * (2 * c2_ + theta * (3 * c3_ + theta * (4 * c4_)));
}

namespace {

/// Four entries at a time stay in registers while all columns pass over them.
template <int columns, class Visit>
void over_entries(const Matrix& c, Visit&& visit) {
  using Four = Eigen::Array4d;
  const Eigen::Index n = c.rows();
  Eigen::Index i = 0;
  for (; i + 4 <= n; i += 4)
    visit(
        Four(Four::Zero()), [&](int k) { return Eigen::Map<const Four>(c.data() + k * n + i); }, i);
  for (; i < n; ++i) {
    using One = Eigen::Array<double, 1, 1>;
    visit(
        One(One::Zero()), [&](int k) { return Eigen::Map<const One>(c.data() + k * n + i); }, i);
  }
}

template <int columns>
void alternate(double theta, In y0, const Matrix& c, Out y) {
  const double rest = 1 - theta;
  over_entries<columns>(c, [&](auto u, const auto& column, Eigen::Index i) {
    using Some = decltype(u);
    for (int k = columns - 1; k >= 0; --k) u = (k % 2 == 0 ? theta : rest) * (column(k) + u);
    Eigen::Map<Some>(y.data() + i) = Eigen::Map<const Some>(y0.data() + i) + u;
  });
}

template <int columns>
void alternate(double theta, In y0, const Matrix& c, Out y, Out dy) {
  const double rest = 1 - theta;
  over_entries<columns>(c, [&](auto u, const auto& column, Eigen::Index i) {
    using Some = decltype(u);
    Some du = u;
    for (int k = columns - 1; k >= 0; --k) {
      const Some sum = column(k) + u;
      u = (k % 2 == 0 ? theta : rest) * sum;
      du = k % 2 == 0 ? Some(theta * du + sum) : Some(rest * du - sum);
    }
    Eigen::Map<Some>(y.data() + i) = Eigen::Map<const Some>(y0.data() + i) + u;
    Eigen::Map<Some>(dy.data() + i) = du;
  });
}

}  // namespace

void alternating(double theta, In y0, const Matrix& c, Out y) {
  return c.cols() == 4 ? alternate<4>(theta, y0, c, y) : alternate<7>(theta, y0, c, y);
}

void alternating(double theta, In y0, const Matrix& c, Out y, Out dy) {
  return c.cols() == 4 ? alternate<4>(theta, y0, c, y, dy) : alternate<7>(theta, y0, c, y, dy);
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
