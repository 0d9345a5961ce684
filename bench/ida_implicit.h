// Any implicit problem of ours as IDA sees it: the same residual, the same exact Jacobian.
#pragma once

#include "bench/ida.h"
#include "dalembert/problem/implicit.h"

namespace dalembert::bench {

class IdaImplicit final : public IdaEquations {
 public:
  IdaImplicit(const Implicit& problem, State start)
      : problem_(problem), layout_(problem.layout()), start_(std::move(start)) {}

  Eigen::Index size() const override { return start_.y.size(); }
  void start(Out y, Out dy) const override {
    y = start_.y;
    problem_.rate(start_.t, start_.y, dy);
  }
  bool differential(Eigen::Index i) const override {
    for (const auto& block : layout_.blocks())
      if (i >= block.offset && i < block.offset + block.size) return block.role == Role::differential;
    return false;
  }
  void residual(double t, In y, In dy, Out r) override { problem_.F(t, y, dy, r); }
  void jacobian(double t, double c, In y, In dy, Eigen::Ref<Matrix> J) override {
    problem_.jacobians(t, y, dy, F_y_, F_dy_);
    for (std::size_t k = 0; k < F_y_.size(); ++k) J(F_y_.row(k), F_y_.column(k)) += F_y_.value(k);
    for (std::size_t k = 0; k < F_dy_.size(); ++k) J(F_dy_.row(k), F_dy_.column(k)) += c * F_dy_.value(k);
  }

 private:
  const Implicit& problem_;
  Layout layout_;
  State start_;
  Entries F_y_, F_dy_;
};

}  // namespace dalembert::bench
