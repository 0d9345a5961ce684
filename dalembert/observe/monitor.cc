#include "dalembert/observe/monitor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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
  layout_ = problem_->layout();
  scale_ = tolerance_.on(layout_);
  accuracy_ = 0.1 * std::max(tolerance_.relative, 1e-13);
  J_ = {}, M_ = {};
  g_.resize(n_.holonomic);
  rows_.resize(n_.rows());
  rows_move_ = false;
  if (!drift_) drift_.emplace();
  measure_drift(start);
  jump(start);
}

void Monitor::step(const StepView& step) {
  if (problem_ == nullptr) return;
  if (energy_ && !problem_->conservative()) energy_->work += work(step, step.begin(), step.end(), 0);
  ++steps_;
  const State& state = step.at(step.end(), Depth::coordinates);
  measure_drift(state);
  measure_energy(state, std::abs(step.end() - step.begin()));
}

void Monitor::event(const EventRecord&, const State& after) {
  // A state of another size belongs to the next mode, whose begin() follows.
  if (problem_ != nullptr && after.y.size() == MechanicalState(n_).size()) jump(after);
}

/// A change of the state without time passing (an impact) takes energy away or adds some: work done from
/// outside.
void Monitor::jump(const State& after) {
  const std::optional<Energy> before = energy_;
  measure_energy(after, 0);
  if (before) energy_->work += energy_->end - before->end;
}

void Monitor::remember(Memory& memory) {
  memory(done_, steps_, longest_, lost_, lost_in_unit_, drift_, energy_);
}

void Monitor::place(const State& state) {
  problem_->place_at(*at_, state.t, state.y.head(n_.q));
}

void Monitor::measure_drift(const State& state) {
  place(state);
  reading_.t = state.t;
  if (n_.rows() == 0) return;
  problem_->g(*at_, g_);
  problem_->velocity_bias(*at_, rows_);
  problem_->jacobian(*at_, J_);
  J_.multiply(state.y.segment(n_.q, n_.v), 1, rows_);
  reading_.position = largest(g_);
  reading_.velocity = largest(rows_);
  drift_->position = worse(drift_->position, reading_.position);
  measure_excess(state);
  drift_->velocity = worse(drift_->velocity, reading_.velocity);
}

/// Of the rows that hold positions.
void Monitor::measure_excess(const State& state) {
  if (n_.holonomic == 0) return;
  double weight = 0;  // of a displacement: coordinates are not always what velocities are rates of
  for (Eigen::Index i = 0; i < n_.q; ++i) weight = std::max(weight, scale_.of(i, std::abs(state.y[i])));
  other_.setZero(n_.rows());
  for (std::size_t k = 0; k < J_.size(); ++k) other_[J_.row(k)] += std::abs(J_.value(k)) * weight;
  for (Eigen::Index i = 0; i < n_.holonomic; ++i) {
    if (!(other_[i] > 0) || !(std::abs(g_[i]) / other_[i] > drift_->excess)) continue;
    drift_->excess = std::abs(g_[i]) / other_[i];
    drift_->row = layout_.label(MechanicalState(n_).differential() + i);
  }
}

void Monitor::measure_energy(const State& state, double h) {
  place(state);
  const auto now = problem_->energy(*at_, state.y.segment(n_.q, n_.v), state.y.segment(n_.q + n_.v, n_.s));
  if (!now) return;
  if (!energy_) energy_ = Energy{.start = *now};
  energy_->end = *now;
  reading_.energy = *now;
  reading_.work = energy_->work;
  if (steps_ % 4 == 0 || h > longest_) measure_allowance(state, *now, h);
  longest_ = std::max(longest_, h);
  lost_ += lost_in_unit_ * h * h;
  energy_->allowed = std::max({energy_->allowed, tolerance_.relative * done_, lost_});
}

void Monitor::measure_allowance(const State& state, double now, double h) {
  const MechanicalState part(n_);
  const bool works = h > 0 && !problem_->conservative();
  const double power = works ? problem_->power(*at_, part.v(state.y), part.s(state.y)) : 0;
  if (works) measure_lost(state);
  other_ = state.y;
  for (int pattern = 0; pattern < 2; ++pattern) {
    for (Eigen::Index i = 0; i < n_.q + n_.v + n_.s; ++i) {
      const double turn =
          0.6180339887 * static_cast<double>(i + 1) + 0.37 * static_cast<double>(steps_ / 4 + pattern);
      const double sign = std::fmod(turn, 1.0) < 0.5 ? -1 : 1;
      other_[i] = state.y[i] + sign * scale_.of(i, std::abs(state.y[i]));
    }
    problem_->place_at(*at_, state.t, other_.head(n_.q));
    const auto there = problem_->energy(*at_, other_.segment(n_.q, n_.v), other_.segment(n_.q + n_.v, n_.s));
    if (there && std::isfinite(*there)) energy_->allowed = std::max(energy_->allowed, std::abs(*there - now));
    if (!works)
      continue;  // what only rests has no energy, but forces work on what the tolerance lets it move
    const double more = h * std::abs(problem_->power(*at_, part.v(other_), part.s(other_)) - power);
    if (std::isfinite(more)) energy_->allowed = std::max(energy_->allowed, more);
  }
}

/// Forces that others hold would have given the energy (h f)^2/m; rounding leaves eps of it.
void Monitor::measure_lost(const State& state) {
  const MechanicalState part(n_);
  force_.resize(n_.v);
  problem_->force(*at_, part.v(state.y), part.s(state.y), force_);
  problem_->mass(*at_, M_);
  diagonal_.setZero(n_.v);
  for (std::size_t k = 0; k < M_.size(); ++k)
    if (M_.row(k) == M_.column(k)) diagonal_[M_.row(k)] += M_.value(k);
  double sum = 0;
  for (Eigen::Index i = 0; i < n_.v; ++i)
    if (diagonal_[i] > 0) sum += force_[i] * force_[i] / diagonal_[i];
  if (std::isfinite(sum)) lost_in_unit_ = std::numeric_limits<double>::epsilon() * sum;
}

/// Multipliers work where rows move by themselves, and are asked for only there.
double Monitor::power(const StepView& step, double t) {
  const MechanicalState part(n_);
  if (!rows_move_) {
    const State& state = step.at(t, Depth::coordinates);
    place(state);
    problem_->velocity_bias(*at_, rows_);
    if (largest(rows_) == 0) return problem_->power(*at_, part.v(state.y), part.s(state.y));
    rows_move_ = true;
  }
  const State& state = step.at(t, Depth::multipliers);
  place(state);
  problem_->velocity_bias(*at_, rows_);
  return problem_->power(*at_, part.v(state.y), part.s(state.y)) + part.multipliers(state.y).dot(rows_);
}

// Gauss' rule with five points. The three inner ones alone are exact to degree 3; by how much they differ, delta ~ h^5, tells
// how much is missing in the full rule ~ h^11: about delta^(11/5). Where that is too much the step is halved.
double Monitor::work(const StepView& step, double begin, double end, int depth) {
  constexpr double outer = 0.906179845938664, inner = 0.538469310105683;
  constexpr double outer_weight = 0.236926885056189, inner_weight = 0.478628670499366,
                   middle_weight = 0.568888888888889;
  constexpr double coarse = 1 / (3 * inner * inner);
  constexpr int deepest = 10;
  const double h = end - begin, middle = begin + h / 2;
  const auto at = [&](double x) { return power(step, middle + x * h / 2); };
  double powers[] = {at(-outer), at(-inner), at(0), at(inner), at(outer)};
  const auto unknown = [](double power) { return std::isnan(power); };
  if (const auto lost = std::count_if(std::begin(powers), std::end(powers), unknown); lost > 0 && lost < 5) {
    if (depth < deepest) return work(step, begin, middle, depth + 1) + work(step, middle, end, depth + 1);
    double sum = 0;  // so short a piece is left to the points where all can be evaluated
    for (const double power : powers) sum += std::isnan(power) ? 0 : power;
    std::replace_if(std::begin(powers), std::end(powers), unknown, sum / static_cast<double>(5 - lost));
  }
  const double far = powers[0] + powers[4], near = powers[1] + powers[3], centre = powers[2];
  const double fine = h / 2 * (outer_weight * far + inner_weight * near + middle_weight * centre);
  const double rough = h / 2 * (coarse * near + (2 - 2 * coarse) * centre);
  const double size = std::abs(h) * (std::abs(far) + std::abs(near) + std::abs(centre)) / 5;
  done_ += size;  // what has been turned over so far: small powers need not be known better than large ones
  const double missing = size > 0 ? size * std::pow(std::abs(fine - rough) / size, 2.2) : 0;
  // Friction of what only rests is rounding, and no halving makes it smooth.
  const double unseen =
      std::numeric_limits<double>::epsilon() * std::max(std::abs(energy_->start), std::abs(energy_->end));
  if (!(missing > accuracy_ * done_ + unseen) || depth == deepest) return fine;
  done_ -= size;
  return work(step, begin, middle, depth + 1) + work(step, middle, end, depth + 1);
}

}  // namespace dalembert
