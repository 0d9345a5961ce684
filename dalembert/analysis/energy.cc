#include "dalembert/analysis/energy.h"

#include <array>
#include <cmath>

#include "dalembert/problem/dissipation.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

void EnergyAccount::begin(const Problem& problem, const State& start) {
  const bool first = problem_ == nullptr;
  problem_ = as_mechanical(problem);
  if (problem_ == nullptr) return;
  n_ = problem_->sizes();
  at_ = problem_->placement();
  M_ = {};
  for (Vector* x : {&momentum_, &back_, &f_, &f_back_}) x->resize(n_.v);
  rows_.resize(n_.rows());
  place(start);
  const MechanicalState part(n_);
  if (!problem_->energy(*at_, part.v(start.y), part.s(start.y))) {
    problem_ = nullptr;
    return;
  }
  if (!first) return jump(start);
  measure(start);
  start_ = now_.total();
  for (; next_ < times_.size() && times_[next_] <= start.t; ++next_) record();
}

void EnergyAccount::step(const StepView& step) {
  if (problem_ == nullptr) return;
  double from = step.begin();
  for (; next_ < times_.size() && times_[next_] <= step.end(); ++next_) {
    integrate(step, from, times_[next_]);
    from = times_[next_];
    measure(step.at(from, Depth::coordinates));
    record();
  }
  integrate(step, from, step.end());
  measure(step.at(step.end(), Depth::coordinates));
  worst_ = std::max(worst_, std::abs(error(now_)));
}

void EnergyAccount::event(const EventRecord&, const State& after) {
  // A state of another size belongs to the next mode, whose begin() follows.
  if (problem_ != nullptr && after.y.size() == MechanicalState(n_).size()) jump(after);
}

void EnergyAccount::jump(const State& after) {
  const double before = now_.total();
  measure(after);
  const double change = now_.total() - before;
  (change < 0 ? now_.dissipated : now_.input) += std::abs(change);
}

void EnergyAccount::record() {
  points_.push_back(now_);
}

void EnergyAccount::place(const State& state) {
  problem_->place_at(*at_, state.t, state.y.head(n_.q));
}

void EnergyAccount::measure(const State& state) {
  const MechanicalState part(n_);
  const auto v = part.v(state.y);
  place(state);
  problem_->mass(*at_, M_);
  momentum_.setZero();
  M_.multiply(v, 0.5, momentum_);
  now_.t = state.t;
  now_.kinetic = momentum_.dot(v);
  now_.potential = problem_->energy(*at_, v, part.s(state.y)).value_or(not_a_number) - now_.kinetic;
}

/// What is dissipated now, as power.
double EnergyAccount::heat(In v, In s) {
  if (const auto* knows = as<Dissipation>(problem_)) return knows->dissipation(*at_, v, s);
  back_ = -v;
  problem_->force(*at_, v, s, f_);
  problem_->force(*at_, back_, s, f_back_);
  return -v.dot(f_ - f_back_) / 2;
}

void EnergyAccount::integrate(const StepView& step, double from, double to) {
  if (problem_->conservative() || !(to > from)) return;
  constexpr std::array nodes = {-0.906179845938664, -0.538469310105683, 0., 0.538469310105683,
                                0.906179845938664};
  constexpr std::array weights = {0.236926885056189, 0.478628670499366, 0.568888888888889, 0.478628670499366,
                                  0.236926885056189};
  constexpr int pieces = 2;  // steps of high order are long
  const MechanicalState part(n_);
  const double h = (to - from) / pieces;
  for (int piece = 0; piece < pieces; ++piece)
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const State& state = step.at(from + (piece + (1 + nodes[k]) / 2) * h, Depth::multipliers);
      const double w = weights[k] * h / 2;
      place(state);
      const auto v = part.v(state.y), s = part.s(state.y);
      const double lost = heat(v, s);
      now_.dissipated += w * lost;
      now_.input += w * (problem_->power(*at_, v, s) + lost);
      if (n_.rows() == 0) continue;
      problem_->velocity_bias(*at_, rows_);
      now_.drives += w * part.multipliers(state.y).dot(rows_);
    }
}

}  // namespace dalembert
