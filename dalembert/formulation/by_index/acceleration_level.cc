#include "dalembert/formulation/by_index/acceleration_level.h"

namespace dalembert {

AccelerationLevel::AccelerationLevel(const Mechanical& problem, Stabilisation feedback,
                                     Statistics& statistics)
    : ode_(std::make_unique<Equations>(problem, feedback, statistics)) {}

AccelerationLevel::AccelerationLevel(std::unique_ptr<const Equations> equations)
    : ode_(std::move(equations)) {}

void AccelerationLevel::enter(const State& original, State& rewritten) const {
  enter_without_algebraic(original, rewritten);
}

Outcome AccelerationLevel::recover(const State& rewritten, State& original, Depth depth) const {
  return recover_algebraic(rewritten, original, depth,
                           [this](double t, In y, Out z) { return ode_->multipliers(t, y, z); });
}

AccelerationLevel::Equations::Equations(const Mechanical& problem, Stabilisation feedback,
                                        Statistics& statistics)
    : part_(problem.sizes()), mechanics_(problem, Symmetry::symmetric, statistics), feedback_(feedback) {
  l_.resize(problem.sizes().rows());
  a_.resize(problem.sizes().v);
  const Layout all = problem.layout();
  for (const auto& block : all.blocks())
    if (block.role == Role::differential)
      layout_.add(block.name, block.size, block.role, 0, block.labels, block.units);
}

State AccelerationLevel::Equations::start() const {
  const State full = problem().start();
  return {full.t, full.y.head(part_.differential())};
}

void AccelerationLevel::Equations::f(double t, In y, Out dy) const {
  const auto q = part_.q(y), v = part_.v(y), s = part_.s(y);
  const Outcome outcome = mechanics_.accelerate(t, q, v, s, feedback_, part_.v(dy), l_);
  const Placement& at = mechanics_.here();
  problem().tangent(at, v, part_.q(dy));
  if (s.size() > 0) problem().auxiliary(at, v, s, part_.s(dy));
  if (outcome != Outcome::ok) dy.setConstant(not_a_number);
}

Outcome AccelerationLevel::Equations::project(double t, Out y) const {
  return mechanics_.project(t, part_.q(y), part_.v(y));
}

Outcome AccelerationLevel::Equations::multipliers(double t, In y, Out l) const {
  return mechanics_.accelerate(t, part_.q(y), part_.v(y), part_.s(y), {}, a_, l);
}

std::vector<std::complex<double>> AccelerationLevel::Equations::added_spectrum() const {
  const double alpha = feedback_.alpha, beta = feedback_.beta;
  const std::complex<double> root = std::sqrt(std::complex<double>(alpha * alpha - beta * beta));
  std::vector<std::complex<double>> all;
  for (Eigen::Index i = 0; i < mechanics_.sizes().holonomic; ++i)
    all.insert(all.end(), {-alpha + root, -alpha - root});
  all.insert(all.end(), static_cast<std::size_t>(mechanics_.sizes().nonholonomic), -alpha);
  return all;
}

Fault AccelerationLevel::Equations::diagnose(double t, In y) const {
  return problem().diagnose(t, y);
}

}  // namespace dalembert
