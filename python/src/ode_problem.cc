// M y' = f(t,y) from functions, held on 0 = g(t,y) by the shortest way back.
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"
#include "python/src/difference_columns.h"
#include "python/src/problems.h"

namespace dalembert::python {

namespace {

class FunctionEvents final : public Events {
 public:
  explicit FunctionEvents(std::vector<EventFunction> events) : events_(std::move(events)) {
    for (const auto& event : events_) list_.push_back({event.name, event.direction});
  }
  const std::vector<Event>& list() const override { return list_; }
  void values(const State& state, Out e) const override {
    for (std::size_t i = 0; i < events_.size(); ++i)
      e[static_cast<Eigen::Index>(i)] = events_[i].value(state);
  }
  EventResponse respond(std::size_t event, State& state) const override {
    return events_[event].respond(state);
  }

 private:
  std::vector<EventFunction> events_;
  std::vector<Event> list_;
};

class FunctionOde final : public Ode, public Invariant {
 public:
  explicit FunctionOde(std::shared_ptr<const Equations> equations)
      : e_(std::move(equations)),
        events_(events_of(e_, e_->y.size(), 0)),
        columns_(e_->y.size(), e_->sparsity) {
    std::vector<std::string> labels;
    for (Eigen::Index i = 0; i < e_->y.size(); ++i) labels.push_back(std::to_string(i));
    layout_.add("y", e_->y.size(), Role::differential, 0, labels);
    if (e_->mass.size() > 0) mass_.compute(e_->mass);
    if (!e_->rows) return;
    Kept begin{Vector::Zero(e_->row_count), Vector::Zero(e_->row_count)};
    if (const std::string found = changing_row({e_->begin, e_->y}, 1e-5, 1, begin); !found.empty())
      throw Error(
          found + " at the start",
          "constraints are what every solution keeps, as energy is; for forces that hold constraints, "
          "take solve_mechanical, or mass with index");
  }

  Layout layout() const override { return layout_; }
  State start() const override { return {e_->begin, e_->y}; }
  double end() const override { return e_->end; }
  const Events* events() const override { return e_->events.empty() ? nullptr : &events_; }

  void f(double t, In y, Out dy) const override {
    e_->f(e_->sign() * t, y, dy);
    if (e_->mass.size() > 0) dy = mass_.solve(dy).eval();
    dy *= e_->sign();
  }
  void f_y(double t, In y, Entries& matrix) const override {
    ++e_->jacobians;
    if (!e_->jacobian && e_->mass.size() == 0) {
      matrix.begin();
      columns_(
          y, [&](In at, Out dy) { f(t, at, dy); },
          [&](int i, int j, double value) { matrix.add(i, j, value); });
      return matrix.end();
    }
    Matrix f_y = Matrix::Zero(y.size(), y.size());
    const double time = e_->sign() * t;
    if (e_->jacobian)
      e_->jacobian.matrix(time, y, f_y);
    else
      columns_(
          y, [&](In at, Out dy) { e_->f(time, at, dy); },
          [&](int i, int j, double value) { f_y(i, j) = value; });
    if (e_->mass.size() > 0) f_y = mass_.solve(f_y).eval();
    matrix.begin();
    for (Eigen::Index i = 0; i < y.size(); ++i)
      for (Eigen::Index j = 0; j < y.size(); ++j) matrix.add(i, j, e_->sign() * f_y(i, j));
    matrix.end();
  }
  const Invariant* invariant() const override { return e_->rows ? this : nullptr; }

  /// Steps dy = -G'(G G')^-1 g, the shortest that the linearised rows allow, down to rounding.
  Outcome project(double t, Out y) const override {
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 10; ++round) {
      const Vector g = rows_at(t, y);
      if (!g.allFinite()) return Outcome::not_finite;
      const double size = largest(g);
      if (size == 0 || (size < 1e-12 * (1 + largest(y)) && !(size < .1 * last))) return Outcome::ok;
      if (!(size < last) && round > 1)
        return size < 1e-9 * (1 + largest(y)) ? Outcome::ok : Outcome::projection_failed;
      last = size;
      y -= gradient(t, y).completeOrthogonalDecomposition().solve(g);
    }
    return last < 1e-9 * (1 + largest(y)) ? Outcome::ok : Outcome::projection_failed;
  }

  /// What is known of rows along a run.
  struct Kept {
    Vector largest, change;                           // of the terms of their rates; their integrals
    std::optional<std::pair<double, Vector>> last{};  // time and rates
  };
  static constexpr double accumulated = 300;  // tolerances: what errors of the motion may make of them

  /// Which row of the constraints is not kept by f, and how fast it changes; "" if all are. What is no invariant of f would push the
  /// motion away from the equations, step by step. Where rows hold for solutions alone, and not for all states around, errors let them
  /// change: at a rate of so much of their terms, or of the largest ones so far, as a thousand tolerances make, and by some hundred
  /// tolerances in all. What differences of another length do not confirm is theirs.
  std::string changing_row(const State& at, double share, double tolerance, Kept& kept) const {
    const double coarse = 6e-6;
    const auto [rate, size] = rates(at, coarse);
    kept.largest = kept.largest.cwiseMax(size);
    const Vector again = rates(at, coarse / 10).first;
    const auto confirmed = [&, &rate = rate](Eigen::Index i) {
      return std::abs(again[i] - rate[i]) < 0.2 * std::abs(rate[i]);
    };
    Vector sure = rate;
    for (Eigen::Index i = 0; i < e_->row_count; ++i)
      if (!confirmed(i)) sure[i] = 0;
    if (kept.last) kept.change += (at.t - kept.last->first) / 2 * (sure + kept.last->second);
    kept.last = {at.t, sure};
    const Vector weights = gradient(at.t, at.y).cwiseAbs() * (1 + at.y.array().abs()).matrix();
    for (Eigen::Index i = 0; i < e_->row_count; ++i) {
      const double allowed = share * (kept.largest[i] + 1e-3);
      if (std::abs(rate[i]) > allowed && std::abs(again[i]) > allowed && confirmed(i))
        return "row " + std::to_string(i) + " of the constraints changes at a rate of " +
               short_number(e_->sign() * rate[i]) + " along y' = f(t,y)";
      if (const double change = kept.change[i];
          std::abs(change) > accumulated * tolerance * weights[i] + 1e-6)
        return "row " + std::to_string(i) + " of the constraints has changed by about " +
               short_number(change) + " along y' = f(t,y) so far";
    }
    return {};
  }

 private:
  Vector rows_at(double t, In y) const {
    Vector g(e_->row_count);
    e_->rows(e_->sign() * t, y, g);
    return g;
  }
  /// g_y by central differences of this length.
  Matrix gradient(double t, In y, double length = 6e-6) const {
    Matrix G(e_->row_count, y.size());
    Vector at = y;
    for (Eigen::Index j = 0; j < y.size(); ++j) {
      const double step = length * (1 + std::abs(y[j]));
      at[j] = y[j] + step;
      const Vector plus = rows_at(t, at);
      at[j] = y[j] - step;
      G.col(j) = (plus - rows_at(t, at)) / (2 * step);
      at[j] = y[j];
    }
    return G;
  }
  /// g_y f + g_t, and the sums of the sizes of its terms.
  std::pair<Vector, Vector> rates(const State& at, double length) const {
    const auto& [t, y] = at;
    const double h = length / 6 * std::max(1e-3, std::abs(e_->end - e_->begin));
    Vector dy(y.size());
    f(t, y, dy);
    const Matrix G = gradient(t, y, length);
    const Vector g_t = (rows_at(t + h, y) - rows_at(t - h, y)) / (2 * h);
    return {G * dy + g_t, G.cwiseAbs() * dy.cwiseAbs() + g_t.cwiseAbs()};
  }

  std::shared_ptr<const Equations> e_;
  FunctionEvents events_;
  Layout layout_;
  DifferenceColumns columns_;
  Eigen::PartialPivLU<Matrix> mass_;
};

}  // namespace

bool FunctionProblem::interpreted() const {
  const Equations& e = *equations;
  for (const Function* each : {&e.f, &e.jacobian, &e.rows, &e.mass_function, &e.bias, &e.energy})
    if (each->interpreted()) return true;
  for (const Happening& each : e.events)
    if (each.value.interpreted()) return true;
  return false;
}

std::vector<EventFunction> events_of(const std::shared_ptr<const Equations>& e, Eigen::Index n,
                                     Eigen::Index v) {
  std::vector<EventFunction> all;
  for (std::size_t k = 0; k < e->events.size(); ++k) {
    const Happening& event = e->events[k];
    all.push_back({.name = event.name,
                   .value =
                       [e, k, n, v](const State& s) {
                         const Function& value = e->events[k].value;
                         const double t = e->sign() * s.t;
                         return v > 0 ? value.number(t, s.y.head(n), s.y.segment(n, v))
                                      : value.number(t, s.y.head(n));
                       },
                   .direction = event.direction,
                   .respond = [ends = event.ends_after, met = 0](State&) mutable -> EventResponse {
                     const bool last = ends > 0 && ++met >= ends;
                     return {last ? EventResponse::Action::stop : EventResponse::Action::note, nullptr};
                   }});
  }
  return all;
}

FunctionProblem ode_of(std::shared_ptr<Equations> e) {
  const auto made = std::make_shared<const FunctionOde>(e);
  FunctionProblem all{made, e};
  if (e->rows)
    all.doubt = [made, kept = FunctionOde::Kept{Vector::Zero(e->row_count), Vector::Zero(e->row_count)}](
                    const State& at, double tolerance) mutable {
      const std::string found =
          made->changing_row(at, std::clamp(1e3 * tolerance, 1e-4, 0.05), tolerance, kept);
      return found.empty()
                 ? found
                 : found + "; constraints are what every solution keeps, so leave them out, or correct f";
    };
  return all;
}

}  // namespace dalembert::python
