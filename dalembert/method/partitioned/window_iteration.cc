#include "dalembert/method/partitioned/window_iteration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "dalembert/constraints/interface_compliance.h"
#include "dalembert/core/error.h"
#include "dalembert/core/rounding.h"

namespace dalembert {

namespace {

constexpr int growing_in_a_row =
    8;                           // increments that long windows do not produce on their way to convergence
constexpr int often_fooled = 4;  // iterations that change nothing at a wrong answer
constexpr double rounding = 256 * machine_epsilon;  // below it increments are noise
// Of what the run allows, between fields that agree: so little that the next window is not made shorter for it.
constexpr double widest_gap = .1;

void scatter(In part, const std::vector<Eigen::Index>& entries, Out whole) {
  for (std::size_t i = 0; i < entries.size(); ++i) whole[entries[i]] = part[static_cast<Eigen::Index>(i)];
}

void gather(In whole, const std::vector<Eigen::Index>& entries, Out part) {
  for (std::size_t i = 0; i < entries.size(); ++i) part[static_cast<Eigen::Index>(i)] = whole[entries[i]];
}

}  // namespace

void WindowIteration::bind(const Problem& problem, const Setting& setting) {
  problem_ = &require<Partitioned>(problem, "window-iteration");
  scheme_ = CouplingScheme::read(*problem_, setting);
  tolerance_ = setting.tolerance.times(scheme_.accuracy).on(problem.layout());
  of_the_run_ = setting.tolerance.on(problem.layout());
  longest_ = 0;
  closes_ = setting.precision == Precision::tolerance && setting.projection == Projection::on;
  precision_ = setting.precision;
  statistics_ = setting.statistics;
  report_ = setting.coupling != nullptr ? setting.coupling : &own_report_;
  const Mechanical& whole = *problem_->whole();
  const Mechanical::Sizes n = whole.sizes();
  mechanics_ = std::make_unique<Mechanics>(whole, Symmetry::symmetric, *statistics_);
  const std::size_t fields = problem_->fields().size();
  double order = 1;
  for (const auto& m : scheme_.methods) order = std::max(order, m.order());
  shapes_.clear();
  in_.assign(fields, {});
  report_->fields.assign(fields, {});
  for (std::size_t j = 0; j < fields; ++j) {
    shapes_.emplace_back(*problem_, j);
    const FieldMethod& method = scheme_.methods[j];
    in_[j].bind(shapes_[j].size(), method.substeps, std::max(1, static_cast<int>(order) - 1));
    report_->fields[j].name = problem_->fields()[j].name;
    report_->fields[j].method = method.entry->name;
    report_->fields[j].substeps = method.substeps;
  }
  in_ends_.resize(fields);
  last_ends_.resize(fields);
  first_ends_.resize(fields);
  end_a_ = closed_a_ = check_a_ = force_ = Vector::Zero(n.v);
  check_l_ = row_ = Vector::Zero(n.rows());
  start_ = end_ = whole.start();
  restart();
  begin_window(end_, 1);
  out_ = other_ = before_ = in_;
  if (scheme_.splitting != Splitting::first) make_side(last_, Splitting::last, setting);
  if (scheme_.splitting != Splitting::last) make_side(first_, Splitting::first, setting);

  Eigen::Index size = 0;
  for (const auto& trace : in_) size += trace.values().size();
  u_ = h_ = Vector::Zero(size);
  relaxation_.bind(scheme_.relaxing, scheme_.omega, entries());
}

/// Fields in turn read accelerations of those that come later in the order, and no old multiplier; with terms of the previous
/// iterate each reads itself. Everything else reads everything.
std::vector<Relaxation::Entry> WindowIteration::entries() const {
  using Entry = Relaxation::Entry;
  const bool in_turn = scheme_.sweep == Sweep::gauss_seidel &&
                       (scheme_.splitting == Splitting::last || scheme_.splitting == Splitting::first);
  const std::size_t replaced = scheme_.splitting == Splitting::last ? in_.size() - 1 : 0;
  std::vector<Entry> all;
  for (std::size_t j = 0; j < in_.size(); ++j) {
    const FieldShape& shape = shapes_[j];
    const bool whole = in_turn && j == replaced && scheme_.terms == Terms::now;
    for (int k = 0; k <= in_[j].substeps(); ++k) {
      all.insert(all.end(), static_cast<std::size_t>(shape.differential()),
                 whole ? Entry::replaced : Entry::moved);
      all.insert(all.end(), static_cast<std::size_t>(shape.v), whole ? Entry::replaced : Entry::decides);
      all.insert(all.end(), static_cast<std::size_t>(shape.rows), in_turn ? Entry::replaced : Entry::decides);
    }
  }
  return all;
}

void WindowIteration::make_side(Side& side, Splitting carrying, const Setting& setting) {
  const bool last_carries = carrying == Splitting::last;
  side.carriers = last_carries ? carried_by_last(*problem_) : carried_by_first(*problem_);
  const std::size_t fields = problem_->fields().size();
  for (std::size_t j = 0; j < fields; ++j) side.order.push_back(last_carries ? fields - 1 - j : j);
  side.fields.clear();
  for (std::size_t j = 0; j < fields; ++j)
    side.fields.push_back(std::make_unique<FieldRun>(*problem_, j, side.carriers, scheme_.methods[j],
                                                     scheme_.terms, setting, in_, report_->fields[j]));
}

void WindowIteration::restart() {
  has_before_ = false;
  kept_h_ = 0;
}

/// Leaves the first guess in in_; false if the accelerations at the start cannot be had.
bool WindowIteration::begin_window(const State& from, double h) {
  const bool follows = has_before_ && before_[0].time(before_[0].substeps()) == from.t;
  const Mechanical::Sizes n = problem_->whole()->sizes();
  const MechanicalState part(n);
  Outcome outcome = Outcome::ok;
  if (!follows)
    outcome = mechanics_->accelerate(from.t, part.q(from.y), part.v(from.y), part.s(from.y), {}, check_a_,
                                     check_l_);
  for (std::size_t j = 0; j < in_.size(); ++j) {
    const auto& field = problem_->fields()[j];
    const FieldShape& shape = shapes_[j];
    auto first = in_[j].values().col(0);
    if (follows) {
      first = before_[j].last();
    } else {
      gather(check_a_, field.v, shape.accelerations(first));
      gather(check_l_, problem_->rows_of(j), shape.multipliers(first));
    }
    gather(part.q(from.y), field.q, shape.positions(first));
    gather(part.v(from.y), field.v, shape.velocities(first));
    gather(part.s(from.y), field.s, shape.states(first));
    in_[j].span(from.t, h);
    for (int k = 1; k <= in_[j].substeps(); ++k) in_[j].values().col(k) = first;  // (23)
  }
  if (follows && scheme_.guess == Guess::extrapolated) extrapolate(h);
  return outcome == Outcome::ok;
}

/// Quadratics through both ends and the middle of the window before.
void WindowIteration::extrapolate(double h) {
  for (std::size_t j = 0; j < in_.size(); ++j) {
    const Trace& old = before_[j];
    const int m = old.substeps();
    if (m < 2) continue;
    const Matrix& values = old.values();
    const int middle = m / 2;
    const double length = old.time(m) - old.time(0), c = static_cast<double>(middle) / m;
    for (int k = 1; k <= in_[j].substeps(); ++k) {
      const double x = 1 + h * k / in_[j].substeps() / length;
      in_[j].values().col(k) = (x - c) * (x - 1) / c * values.col(0) +
                               x * (x - 1) / (c * (c - 1)) * values.col(middle) +
                               x * (x - c) / (1 - c) * values.col(m);
    }
  }
}

Attempt WindowIteration::sweep_side(Side& side, double h, const Traces& in, Traces& out) {
  out = in;
  std::vector<Attempt> parts(in.size());
  if (scheme_.sweep == Sweep::gauss_seidel) {
    for (const std::size_t j : side.order) {
      parts[j] = side.fields[j]->sweep(out, h, out[j]);
      if (parts[j].outcome != Outcome::ok) return failed(j, parts[j]);
    }
  } else {
    std::vector<std::thread> threads;
    for (const std::size_t j : side.order)
      threads.emplace_back([&, j] { parts[j] = side.fields[j]->sweep(in, h, out[j]); });
    for (auto& thread : threads) thread.join();
  }
  Attempt worst;
  for (std::size_t j = 0; j < parts.size(); ++j) {
    if (parts[j].outcome != Outcome::ok) return failed(j, parts[j]);
    // One without an estimate (exponent 0) says nothing, and hides none that has one.
    const bool tells = parts[j].exponent > 0 || worst.exponent == 0;
    if (tells && parts[j].error >= worst.error) worst = parts[j];
  }
  return worst;
}

/// in_ -> out_
Attempt WindowIteration::sweep_all(double h) {
  ++report_->sweeps;
  if (scheme_.splitting == Splitting::last) return sweep_side(last_, h, in_, out_);
  if (scheme_.splitting == Splitting::first) return sweep_side(first_, h, in_, out_);
  Attempt one = sweep_side(last_, h, in_, other_);
  if (one.outcome != Outcome::ok) return one;
  const bool weighted = scheme_.splitting == Splitting::weighted;
  const Attempt two = sweep_side(first_, h, weighted ? in_ : other_, out_);
  if (two.outcome != Outcome::ok) return two;
  if (weighted)
    for (std::size_t j = 0; j < out_.size(); ++j)
      out_[j].values() = scheme_.theta * other_[j].values() + (1 - scheme_.theta) * out_[j].values();
  return one.error > two.error ? one : two;
}

/// The largest difference to out_ at the end of the window, over its tolerance; in `parts` that of positions by field, then of the
/// multipliers. In short windows positions hardly change, whatever the velocities do. The tolerance is that of the first iterate:
/// one that grows with the iterates would hide how fast they do.
double WindowIteration::difference(const std::vector<Vector>& ends, std::vector<double>& parts) const {
  parts.assign(in_.size() + 1, 0);
  double rates = 0;
  const MechanicalState part(problem_->whole()->sizes());
  const auto change = [&](In was, In is, In first, const std::vector<Eigen::Index>& places,
                          Eigen::Index offset) {
    double most = 0;
    const double noise = rounding * largest(first);
    for (Eigen::Index i = 0; i < is.size(); ++i) {
      const double scale = tolerance_.of(offset + places[static_cast<std::size_t>(i)], std::abs(first[i]));
      const double part = std::abs(is[i] - was[i]) / std::max(scale, noise);
      most = part <= most ? most : part;
    }
    return most;
  };
  for (std::size_t j = 0; j < in_.size(); ++j) {
    const FieldShape& shape = shapes_[j];
    const auto &was = ends[j], &first = first_ends_[j];
    const auto is = out_[j].last();
    parts[j] =
        change(shape.positions(was), shape.positions(is), shape.positions(first), problem_->fields()[j].q, 0);
    rates = std::max(rates, change(shape.velocities(was), shape.velocities(is), shape.velocities(first),
                                   problem_->fields()[j].v, problem_->whole()->sizes().q));
    parts.back() =
        std::max(parts.back(), change(shape.multipliers(was), shape.multipliers(is), shape.multipliers(first),
                                      problem_->rows_of(j), part.differential()));
  }
  return std::max(rates, *std::max_element(parts.begin(), parts.end()));
}

/// Writes the values of one field into a state of the whole.
void WindowIteration::put(std::size_t j, In x, State& state) const {
  const MechanicalState part(problem_->whole()->sizes());
  const auto& field = problem_->fields()[j];
  const FieldShape& shape = shapes_[j];
  scatter(shape.positions(x), field.q, part.q(state.y));
  scatter(shape.velocities(x), field.v, part.v(state.y));
  scatter(shape.states(x), field.s, part.s(state.y));
  scatter(shape.multipliers(x), problem_->rows_of(j), part.multipliers(state.y));
}

/// end_ and its accelerations, from out_.
void WindowIteration::reach_end() {
  end_.t = window_.t + window_.h;
  for (std::size_t j = 0; j < out_.size(); ++j) {
    put(j, out_[j].last(), end_);
    scatter(shapes_[j].accelerations(out_[j].last()), problem_->fields()[j].v, end_a_);
  }
}

void WindowIteration::close() {
  const MechanicalState part(problem_->whole()->sizes());
  end_ = closed_;
  end_a_ = closed_a_;
  for (std::size_t j = 0; j < out_.size(); ++j) {
    const auto& field = problem_->fields()[j];
    auto last = out_[j].values().col(out_[j].substeps());
    gather(part.q(end_.y), field.q, shapes_[j].positions(last));
    gather(part.v(end_.y), field.v, shapes_[j].velocities(last));
    gather(end_a_, field.v, shapes_[j].accelerations(last));
    gather(part.multipliers(end_.y), problem_->rows_of(j), shapes_[j].multipliers(last));
  }
}

/// Done when the fields come out as the last time, or as they went in: that is the same without relaxation, and the check
/// sees to the rest. Fields that creep towards each other hardly change either, with a gap that no shorter window would close.
Attempt WindowIteration::iterate(double h) {
  relaxation_.begin();
  flatten(in_, u_);
  ends(in_, last_ends_);
  if (scheme_.guess == Guess::constant)  // (23)
    for (std::size_t j = 0; j < in_.size(); ++j) last_ends_[j] = in_[j].values().col(0);
  double last = 0;
  int growing = 0, fooled = 0;
  std::vector<double> parts;
  for (window_.iterations = 1;; ++window_.iterations) {
    Attempt attempt = sweep_all(h);
    if (attempt.outcome != Outcome::ok) return attempt;
    if (window_.iterations == 1) ends(out_, first_ends_);
    ends(in_, in_ends_);
    const double unmet = difference(in_ends_, parts), now = difference(last_ends_, parts);
    window_.increments.push_back(parts);
    window_.contraction = last > 0 ? now / last : 0;
    if (!std::isfinite(now)) return diverged(h, "grows beyond all numbers");
    flatten(out_, h_);
    if (scheme_.stop == Stop::count && window_.iterations >= scheme_.iterations) {
      consistent();
      return attempt;
    }
    const bool still = scheme_.stop == Stop::converged && std::min(now, unmet) <= 1;
    if (still && consistent()) {
      if (!closes_) return attempt;
      if (const Outcome outcome = find_closed_end(); outcome != Outcome::ok) return {.outcome = outcome};
      if (gap_ <= widest_gap) return attempt;
    } else if (still && ++fooled > often_fooled) {
      return converged_falsely();
    }
    growing = now > last && last > 0 ? growing + 1 : 0;
    if (growing >= growing_in_a_row) return diverged(h, "grows");
    if (window_.iterations >= scheme_.iterations)
      return diverged(h, "is not done after " + std::to_string(window_.iterations) + " iterations");
    ends(out_, last_ends_);
    relaxation_.next(u_, h_);
    if (still) u_ = h_;  // an acceleration that no longer accelerates: one plain step
    unflatten(u_, in_);
    last = now;
  }
}

Attempt WindowIteration::attempt(const State& from, double h, State& to) {
  window_ = {};
  window_.t = from.t;
  window_.h = h;
  longest_ = std::max(longest_, h);
  std::vector<Statistics> before;
  for (const auto& field : report_->fields) before.push_back(field.statistics);
  start_ = end_ = from;
  if (kept_h_ > 0 && std::abs(h / kept_h_ - 1) > 0.1) relaxation_.forget();
  if (!begin_window(from, h)) return {.outcome = Outcome::singular};
  Attempt attempt = iterate(h);
  for (std::size_t j = 0; j < before.size(); ++j) {
    Statistics gained = report_->fields[j].statistics;
    gained -= before[j];
    *statistics_ += gained;
  }
  if (attempt.outcome != Outcome::ok) {
    report_->failed = window_;
    return attempt;
  }
  if (closes_) {
    if (scheme_.stop == Stop::count)
      if (const Outcome outcome = find_closed_end(); outcome != Outcome::ok) return {.outcome = outcome};
    close();
    attempt.error = std::max(attempt.error, gap_);
  }
  to.t = from.t + h;
  to.y = end_.y;
  if (precision_ == Precision::tolerance) {
    if (attempt.exponent == 0)
      throw Error("no field has a method with an error estimate", "give step=H, the length of the windows");
    constexpr int many = 15;  // iterations: two shorter windows cost less
    if (window_.iterations > many && attempt.error <= 1)
      attempt.next = h * std::min(0.7, 0.9 * std::pow(std::max(attempt.error, 1e-10), -attempt.exponent));
  }
  return attempt;
}

void WindowIteration::accept() {
  report_->windows.push_back(window_);
  relaxation_.keep();
  kept_h_ = window_.h;
  std::swap(before_, out_);
  has_before_ = true;
}

void WindowIteration::interpolate(double theta, State& state) {
  state.t = window_.t + theta * window_.h;
  for (std::size_t j = 0; j < out_.size(); ++j) {
    out_[j].at(state.t, in_ends_[j]);
    put(j, in_ends_[j], state);
  }
  if (theta <= 0 || theta >= 1) return;
  // Nothing tests polynomials through multipliers, least of all where a field has no freedom left: those of the whole are taken.
  const MechanicalState part(problem_->whole()->sizes());
  if (mechanics_->accelerate(state.t, part.q(state.y), part.v(state.y), part.s(state.y), {}, check_a_,
                             check_l_) == Outcome::ok &&
      check_l_.allFinite())
    part.multipliers(state.y) = check_l_;
}

void WindowIteration::ends(const Traces& traces, std::vector<Vector>& all) {
  for (std::size_t j = 0; j < traces.size(); ++j) all[j] = traces[j].last();
}

void WindowIteration::flatten(const Traces& traces, Vector& flat) {
  Eigen::Index at = 0;
  for (const auto& trace : traces) {
    const Matrix& values = trace.values();
    flat.segment(at, values.size()) = Eigen::Map<const Vector>(values.data(), values.size());
    at += values.size();
  }
}

void WindowIteration::unflatten(const Vector& flat, Traces& traces) {
  Eigen::Index at = 0;
  for (auto& trace : traces) {
    Matrix& values = trace.values();
    Eigen::Map<Vector>(values.data(), values.size()) = flat.segment(at, values.size());
    at += values.size();
  }
}

}  // namespace dalembert
