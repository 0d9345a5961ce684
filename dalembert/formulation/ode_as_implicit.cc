#include "dalembert/formulation/ode_as_implicit.h"

#include <cmath>

#include "dalembert/core/rounding.h"

namespace dalembert {

OdeAsImplicit::OdeAsImplicit(const Ode& ode, Jacobian jacobian) : ode_(ode), jacobian_(jacobian) {
  at_ = plus_ = minus_ = Vector::Zero(ode.layout().size());
}

Layout OdeAsImplicit::layout() const {
  const Layout all = ode_.layout();
  Layout same;
  for (const auto& b : all.blocks()) same.add(b.name, b.size, b.role, 1, b.labels, b.units);
  return same;
}

void OdeAsImplicit::F(double t, In y, In dy, Out residual) const {
  ode_.f(t, y, residual);
  residual = dy - residual;
}

void OdeAsImplicit::jacobians(double t, In y, In /*dy*/, Entries& F_y, Entries& F_dy) const {
  F_y.begin();
  if (jacobian_ == Jacobian::differences) {
    difference(t, y, F_y);
  } else {
    ode_.f_y(t, y, f_y_);
    for (std::size_t k = 0; k < f_y_.size(); ++k) F_y.add(f_y_.row(k), f_y_.column(k), -f_y_.value(k));
  }
  F_y.end();
  F_dy.begin();
  for (Eigen::Index i = 0; i < y.size(); ++i) F_dy.add(i, i, 1);
  F_dy.end();
}

void OdeAsImplicit::difference(double t, In y, Entries& F_y) const {
  const Eigen::Index n = y.size();
  copy(y, at_);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double step = central_difference * (1 + std::abs(y[j]));
    at_[j] = y[j] + step;
    ode_.f(t, at_, plus_);
    at_[j] = y[j] - step;
    ode_.f(t, at_, minus_);
    at_[j] = y[j];
    for (Eigen::Index i = 0; i < n; ++i) F_y.add(i, j, (minus_[i] - plus_[i]) / (2 * step));
  }
}

namespace {

class Renamed final : public Formulation {
 public:
  explicit Renamed(std::unique_ptr<Formulation> inner)
      : inner_(std::move(inner)),
        implicit_(as<Ode>(inner_->rewritten()), OdeAsImplicit::Jacobian::differences) {}
  const Problem& original() const override { return inner_->original(); }
  const Problem& rewritten() const override { return implicit_; }
  void enter(const State& original, State& rewritten) const override { inner_->enter(original, rewritten); }
  Outcome recover(const State& rewritten, State& original, Depth depth) const override {
    return inner_->recover(rewritten, original, depth);
  }
  bool reset() override { return inner_->reset(); }
  bool remember(Memory& memory) override { return inner_->remember(memory); }
  bool renew(State& state) const override { return inner_->renew(state); }
  std::vector<std::complex<double>> added_spectrum() const override { return inner_->added_spectrum(); }

 private:
  std::unique_ptr<Formulation> inner_;
  OdeAsImplicit implicit_;
};

FormulationEntry as_implicit(FormulationEntry entry) {
  entry.to = Kind::implicit;
  entry.index = 1;
  entry.preference -= 10;  // forms made for implicit methods have Jacobians of their own
  entry.make = [make = entry.make](const Problem& problem, const Parameters& options,
                                   Statistics& statistics) {
    return std::make_unique<Renamed>(make(problem, options, statistics));
  };
  return entry;
}

}  // namespace

std::vector<FormulationEntry> completed(std::vector<FormulationEntry> written) {
  const std::size_t count = written.size();
  for (std::size_t i = 0; i < count; ++i)
    if (written[i].also_implicit) written.push_back(as_implicit(written[i]));
  return written;
}

}  // namespace dalembert
