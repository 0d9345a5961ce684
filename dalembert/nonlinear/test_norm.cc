#include "dalembert/nonlinear/test_norm.h"

namespace dalembert {

void TestNorm::bind(const Implicit& problem, const Tolerance& tolerance, Precision precision,
                    IndexWeights weights) {
  problem_ = &problem;
  const Layout layout = problem.layout();
  tolerance_ = precision == Precision::rounding ? ErrorScale{1, 1} : tolerance.on(layout);
  precision_ = precision;
  power_ = moves_ = Vector::Zero(layout.size());
  for (const auto& block : layout.blocks()) {
    power_.segment(block.offset, block.size)
        .setConstant(weights == IndexWeights::none ? 0 : std::max(0, block.index - 1));
    if (block.role == Role::differential && precision == Precision::tolerance)
      moves_.segment(block.offset, block.size).setOnes();
  }
  reset();
}

void TestNorm::reset() {
  weight_ = error_ = newton_ = usual_error_ = usual_newton_ = Vector::Ones(power_.size());
  error_tested_.reserve(static_cast<std::size_t>(power_.size()));  // nothing allocates later
  newton_tested_.reserve(error_tested_.capacity());
  problem_->usual_tests(usual_error_, usual_newton_);
  choose_tests();
}

void TestNorm::choose_tests() {
  copy(usual_error_, error_);
  copy(usual_newton_, newton_);
  problem_->change_tests(error_, newton_);
  if (precision_ == Precision::rounding) newton_.setOnes();
  list_tested();
}

void TestNorm::list_tested() {
  const auto list = [](const Vector& mask, Tested& tested) {
    tested.clear();
    for (Eigen::Index i = 0; i < mask.size(); ++i)
      if (mask[i] != 0) tested.push_back(i);
  };
  list(error_, error_tested_);
  list(newton_, newton_tested_);
}

void TestNorm::aim(double h, In a, In b) {
  const double by_index[] = {1, std::abs(h), h * h};
  for (Eigen::Index i = 0; i < weight_.size(); ++i) {
    const double size = std::max(std::abs(a[i]), std::abs(b[i])),
                 power = by_index[static_cast<int>(power_[i])];
    const double own = moves_[i] != 0 ? std::min(1.0, power) : 1;
    weight_[i] = power / tolerance_.of(i, own * size);
  }
}

double TestNorm::norm(In d, const Vector& mask, const Tested& tested) const {
  double sum = 0;
  for (const Eigen::Index i : tested) {
    const double part = d[i] * weight_[i] * mask[i];
    sum += part * part;
  }
  return tested.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(tested.size()));
}

double TestNorm::newton(const Matrix& stages, int columns) const {
  double sum = 0;
  const Eigen::Index n = stages.rows();
  for (const Eigen::Index i : newton_tested_) {
    const double scale = weight_[i] * newton_[i];
    const double* d = stages.data() + i;
    for (int k = 0; k < columns; ++k, d += n) sum += (*d * scale) * (*d * scale);
  }
  return newton_tested_.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(newton_tested_.size()) / columns);
}

Eigen::Index TestNorm::worst(In d, const Vector& mask) const {
  Eigen::Index found = 0;
  double most = -1;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    const double size = std::abs(d[i]) * weight_[i] * mask[i];
    if (!(size <= most)) found = i, most = size;  // NaN is worst
    if (std::isnan(size)) break;
  }
  return found;
}

}  // namespace dalembert
