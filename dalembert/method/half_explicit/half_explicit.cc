#include "dalembert/method/half_explicit/half_explicit.h"

#include <cmath>

namespace dalembert {

HalfExplicitScheme HalfExplicitScheme::brasey_hairer(std::string name, const char* picture,
                                                     Estimator estimator, double exponent,
                                                     Strictness strictness) {
  HalfExplicitScheme scheme{
      std::move(name), Tableau::of(picture), {}, FirstStage::solved, estimator, exponent, strictness};
  const Tableau& t = scheme.tableau;
  for (Eigen::Index i = 1; i < t.stages; ++i)
    scheme.constraint_rows.emplace_back(t.A.row(i).head(i).transpose());
  scheme.constraint_rows.push_back(t.b);
  return scheme;
}

HalfExplicitScheme HalfExplicitScheme::known_first(std::string name, const char* picture,
                                                   const std::vector<std::vector<const char*>>& rows,
                                                   Strictness strictness) {
  HalfExplicitScheme scheme{
      std::move(name), Tableau::of(picture), {}, FirstStage::known, Estimator::embedded, 1.0 / 5, strictness};
  for (const auto& row : rows) {
    Vector values(static_cast<Eigen::Index>(row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) values[static_cast<Eigen::Index>(j)] = coefficient(row[j]);
    scheme.constraint_rows.push_back(values);
  }
  return scheme;
}

HalfExplicit::HalfExplicit(HalfExplicitScheme scheme) : scheme_(std::move(scheme)) {
  const Tableau& t = scheme_.tableau;
  for (Eigen::Index i = 0; i < t.stages; ++i) explicit_rows_.emplace_back(t.A.row(i).transpose());
  const auto count = static_cast<Eigen::Index>(scheme_.constraint_rows.size());
  diagonal_.resize(count);
  constraint_nodes_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vector& row = scheme_.constraint_rows[static_cast<std::size_t>(i)];
    constraint_rows_.emplace_back(row.head(row.size() - 1));
    diagonal_[i] = row[row.size() - 1];
    constraint_nodes_[i] = row.sum();
  }
  // With a known first stage, the last row belongs to the stage at y1 and the one before it is b.
  solved_ = scheme_.first == FirstStage::known ? count - 1 : count;
  if (t.embedded.size() > 0) error_ = Row(t.b - t.embedded);
}

void HalfExplicit::bind(const Problem& problem, const Setting& setting) {
  problem_ = &require<Hessenberg>(problem, scheme_.name);
  tolerance_ = scheme_.strictness.local(setting).on(problem.layout());
  share_ = scheme_.strictness.share(setting.tolerance);
  invariant_ = setting.projection == Projection::off ? nullptr : problem_->invariant();
  solver_ = StageSolver::make(*problem_, *setting.statistics);
  const Layout layout = problem.layout();
  n_ = differential_size(layout);
  m_ = layout.size() - n_;
  K_ = Matrix::Zero(n_, scheme_.tableau.stages);
  Y_ = Matrix::Zero(n_, scheme_.tableau.stages + 1);
  for (Vector* v : {&y0_, &y1_, &base_, &next_, &other_, &d0_, &d1_}) *v = Vector::Zero(n_);
  z_ = Vector::Zero(m_);
  quartic_.bind(n_);
  restart();
}

Attempt HalfExplicit::attempt(const State& from, double h, State& to) {
  t0_ = from.t;
  h_ = h;
  y0_ = from.y.head(n_);
  z_ = from.y.tail(m_).array().isFinite().select(from.y.tail(m_), 0.0);
  dense_ready_ = d1_known_ = false;
  to.t = from.t + h;
  if (const Outcome outcome = stages(from, h); outcome != Outcome::ok) return {.outcome = outcome};
  if (!y1_.allFinite()) return {.outcome = Outcome::not_finite};
  if (const Outcome outcome = finish(to.t); outcome != Outcome::ok) return {.outcome = outcome};
  to.y.head(n_) = y1_;
  to.y.tail(m_) = z_;
  const double error = estimate(to.t, h);
  return {.outcome = std::isfinite(error) ? Outcome::ok : Outcome::not_finite,
          .error = std::max(error, moved_),
          .exponent = scheme_.exponent};
}

Outcome HalfExplicit::stages(const State& from, double h) {
  if (scheme_.first == FirstStage::solved) {
    Y_.col(0) = y0_;
    for (Eigen::Index i = 0; i < solved_; ++i) {
      const auto start = i == 0 ? StageStart::anywhere : StageStart::at_previous_next;
      if (const Outcome outcome = solve_stage(i, start, from.t, h, y0_); outcome != Outcome::ok)
        return outcome;
      Y_.col(i + 1) = next_;
    }
  } else {
    if (!first_known_)
      if (const Outcome outcome = solver_->derivative(from.t, y0_, z_, K_.col(0)); outcome != Outcome::ok)
        return outcome;
    first_known_ = true;
    for (Eigen::Index i = 1; i <= solved_; ++i) {
      explicit_rows_[static_cast<std::size_t>(i)].combine(y0_, h, K_, Y_.col(i));
      if (const Outcome outcome = solve_stage(i, StageStart::anywhere, from.t, h, y0_);
          outcome != Outcome::ok)
        return outcome;
    }
  }
  y1_ = next_;
  return Outcome::ok;
}

Outcome HalfExplicit::solve_stage(Eigen::Index i, StageStart start, double t0, double h, In y0) {
  const Eigen::Index r = scheme_.first == FirstStage::known ? i - 1 : i;
  constraint_rows_[static_cast<std::size_t>(r)].combine(y0, h, K_, base_);
  return solver_->stage(t0 + scheme_.tableau.c[i] * h, Y_.col(i), start, t0 + constraint_nodes_[r] * h, base_,
                        h * diagonal_[r], z_, K_.col(i), next_);
}

Outcome HalfExplicit::finish(double t1) {
  moved_ = 0;
  if (invariant_ != nullptr) {
    other_ = y1_;
    if (const Outcome outcome = invariant_->project(t1, y1_); outcome != Outcome::ok) return outcome;
    other_ -= y1_;
    moved_ = share_ * tolerance_.norm(other_, y0_, y1_);
  }
  if (scheme_.first == FirstStage::solved) return Outcome::ok;
  const Eigen::Index last = solved_ + 1;
  Y_.col(last) = y1_;
  // A projected y1 is not where the row of the last stage puts it: take the acceleration there instead.
  if (invariant_ != nullptr) return solver_->derivative(t1, y1_, z_, K_.col(last));
  return solve_stage(last, StageStart::anywhere, t0_, h_, y0_);
}

double HalfExplicit::estimate(double t1, double h) {
  switch (scheme_.estimator) {
    case Estimator::last_stage:
      other_ = y1_ - Y_.col(solved_ - 1);
      return tolerance_.norm(other_, y0_, y1_);
    case Estimator::brasey: {
      other_ = y1_ - Y_.col(solved_ - 1);
      const double e1 = tolerance_.norm(other_, y0_, y1_);
      other_ = y1_ - y0_ - h * (2.5 * K_.col(6) - 1.5 * K_.col(7));
      const double e2 = tolerance_.norm(other_, y0_, y1_);
      return e1 == 0 ? 0 : e1 * e1 / (e1 + 0.01 * e2);
    }
    case Estimator::embedded:
      other_ = y1_;
      error_.add(-h, K_, other_);
      if (m_ > 0 && solver_->pull(t1, other_) != Outcome::ok) return not_a_number;
      other_ -= y1_;
      return tolerance_.norm(other_, y0_, y1_);
  }
  return not_a_number;
}

void HalfExplicit::accept() {
  if (scheme_.first == FirstStage::known) K_.col(0) = K_.col(solved_ + 1);
  d0_known_ = d1_known_;
  if (d1_known_) d0_ = d1_;
}

void HalfExplicit::restart() {
  first_known_ = d0_known_ = d1_known_ = dense_ready_ = false;
}

bool HalfExplicit::reset() {
  solver_->reset();
  K_.setZero();
  Y_.setZero();
  restart();
  return true;
}

void HalfExplicit::interpolate(double theta, State& state) {
  if (!dense_ready_) {
    const auto slope = [&](double t, In y, Out dy) {
      if (solver_->derivative(t, y, z_, dy) != Outcome::ok) dy.setConstant(not_a_number);
    };
    if (scheme_.first == FirstStage::known) {
      d0_ = K_.col(0);
      d1_ = K_.col(solved_ + 1);
    } else {
      if (!d0_known_) slope(t0_, y0_, d0_);
      if (!d1_known_) slope(t0_ + h_, y1_, d1_);
      d0_known_ = d1_known_ = true;
    }
    quartic_.build(t0_, h_, y0_, d0_, y1_, d1_, slope);
    dense_ready_ = true;
  }
  state.t = t0_ + theta * h_;
  quartic_(theta, state.y.head(n_));
  state.y.tail(m_) = z_;
}

}  // namespace dalembert
