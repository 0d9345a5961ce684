#include "dalembert/observe/monitor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

/// The larger one, and NaN once one of them is: a drift that cannot be evaluated must not look small.
double worse(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? not_a_number : std::max(a, b);
}

}  // namespace

void Monitor::begin(const Problem& problem, const State& start) {
  problem_ = dynamic_cast<const Mechanical*>(&problem);
  if (const auto* fields = dynamic_cast<const Partitioned*>(&problem)) problem_ = fields->whole().get();
  if (problem_ == nullptr) return;
  n_ = problem_->sizes();
  at_ = problem_->placement();
  J_ = {};
  g_.resize(n_.holonomic);
  rows_.resize(n_.rows());
  if (!drift_) drift_.emplace();
  measure_drift(start);
  jump(start);
}

void Monitor::step(const StepView& step) {
  if (problem_ == nullptr) return;
  if (energy_ && !problem_->conservative()) energy_->work += work(step);
  const State& state = step.at(step.end(), Depth::coordinates);
  measure_drift(state);
  measure_energy(state);
}

void Monitor::event(const EventRecord&, const State& after) {
  // A state of another size belongs to the next mode, whose begin() follows.
  if (problem_ != nullptr && after.y.size() == MechanicalState(n_).size()) jump(after);
}

/// A change of the state without time passing (an impact) takes energy away or adds some: work done from
/// outside.
void Monitor::jump(const State& after) {
  const std::optional<Energy> before = energy_;
  measure_energy(after);
  if (before) energy_->work += energy_->end - before->end;
}

void Monitor::place(const State& state) {
  problem_->place_at(*at_, state.t, state.y.head(n_.q));
}

void Monitor::measure_drift(const State& state) {
  place(state);
  if (n_.rows() == 0) return;
  problem_->g(*at_, g_);
  problem_->velocity_bias(*at_, rows_);
  problem_->jacobian(*at_, J_);
  J_.multiply(state.y.segment(n_.q, n_.v), 1, rows_);
  drift_->position = worse(drift_->position, largest(g_));
  drift_->velocity = worse(drift_->velocity, largest(rows_));
}

void Monitor::measure_energy(const State& state) {
  place(state);
  const auto now = problem_->energy(*at_, state.y.segment(n_.q, n_.v), state.y.segment(n_.q + n_.v, n_.s));
  if (!now) return;
  if (!energy_) energy_ = Energy{.start = *now};
  energy_->end = *now;
}

double Monitor::power(const State& state) {
  place(state);
  const MechanicalState part(n_);
  double sum = problem_->power(*at_, part.v(state.y), part.s(state.y));
  if (n_.rows() > 0) {
    problem_->velocity_bias(*at_, rows_);
    sum += part.multipliers(state.y).dot(rows_);
  }
  return sum;
}

double Monitor::work(const StepView& step) {
  static const std::array<double, 3> nodes = {.5 - std::sqrt(.15), .5, .5 + std::sqrt(.15)};
  constexpr std::array<double, 3> weights = {5. / 18, 8. / 18, 5. / 18};
  const double h = step.end() - step.begin();
  double sum = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    sum += weights[i] * power(step.at(step.begin() + nodes[i] * h, Depth::multipliers));
  return h * sum;
}

}  // namespace dalembert
