#include "dalembert/method/rosenbrock/rosenbrock.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/linear/iteration_matrix.h"

namespace dalembert {

RosenbrockCoefficients::RosenbrockCoefficients(const RosenbrockTableau& t) {
  const Eigen::Index s = t.a.rows();
  gamma = (Matrix::Identity(s, s) / t.gamma - t.c).inverse();
  alpha = t.a * gamma;
  beta = alpha + gamma;
  Vector m = t.a.row(s - 1).transpose();
  embedded = (m.transpose() * gamma).transpose();
  m[s - 1] = 1;
  b = (m.transpose() * gamma).transpose();
  alpha_sum = alpha.rowwise().sum();
  gamma_sum = gamma.rowwise().sum();
}

/// u = eta (a + f_y u), with a matrix of f_y as the Ode gives it.
class Rosenbrock::Reduced final : public SemiExplicit {
 public:
  Reduced(const Ode& ode, Statistics& statistics)
      : ode_(ode), statistics_(statistics), matrix_(ode.layout().size()), x_(ode.layout().size()) {}
  Eigen::Index algebraic() const override { return 0; }
  Outcome complete(double, In, Out) const override { return Outcome::ok; }
  void evaluate(double t, In y, In, Out dy, Out) const override { ode_.f(t, y, dy); }
  void linearize(double t, In y, In) const override { ode_.f_y(t, y, f_y_); }
  void scale(double eta) const override {
    eta_ = eta;
    matrix_.begin();
    matrix_.add_identity(0, 0, x_.size(), 1 / eta);
    matrix_.add(f_y_, 0, 0, -1);
    outcome_ = matrix_.factor(statistics_);
  }
  Outcome solve(In a, In, Out u, Out) const override {
    if (outcome_ != Outcome::ok) return outcome_;
    x_ = a;
    matrix_.solve(x_, statistics_);
    u = x_;
    return Outcome::ok;
  }
  double gap(double, In) const override { return std::numeric_limits<double>::infinity(); }
  Outcome close(double t, Out y) const override {
    // the factors that an invariant works with are those of the last evaluation
    ode_.f(t, y, x_);
    ++statistics_.force_evaluations;
    return ode_.invariant()->project(t, y);
  }
  void reset() { matrix_.reset(); }
  State start() const { return ode_.start(); }
  /// Factors keep their order of pivots from step to step.
  void remember(Memory& memory) { memory(matrix_); }

 private:
  const Ode& ode_;
  Statistics& statistics_;
  mutable IterationMatrix matrix_;
  mutable Entries f_y_;
  mutable Vector x_;
  mutable double eta_ = 0;
  mutable Outcome outcome_ = Outcome::ok;
};

namespace {

// Of the tolerance: constraints that are off by less are not worth a projection. In a chain of 1000 links gaps add up: three times as
// much costs twice the steps for the same error of its centres.
constexpr double worth_closing = 3e-4;

bool same(const Vector& a, const Vector& b) {
  return std::equal(a.data(), a.data() + a.size(), b.data());
}

}  // namespace

Rosenbrock::Rosenbrock(const RosenbrockTableau& tableau, Strictness strictness)
    : tableau_(tableau), coefficients_(tableau), strictness_(strictness) {
  for (Eigen::Index i = 0; i < tableau.a.rows(); ++i) {
    stages_.emplace_back(tableau.a.row(i).transpose());
    slopes_.emplace_back(tableau.c.row(i).transpose());
  }
}

Rosenbrock::~Rosenbrock() = default;

void Rosenbrock::bind(const Problem& problem, const Setting& setting) {
  const Ode& ode = require<Ode>(problem, tableau_.name);
  statistics_ = setting.statistics;
  tolerance_ = strictness_.local(setting).on(problem.layout());
  share_ = strictness_.share(setting.tolerance);
  invariant_ = setting.projection == Projection::off ? nullptr : ode.invariant();
  equations_ = as<SemiExplicit>(&problem);
  if (equations_ == nullptr) {
    reduced_ = std::make_unique<Reduced>(ode, *statistics_);
    equations_ = reduced_.get();
  }
  // With fixed steps there is no tolerance that says how far is far.
  allowed_gap_ = setting.precision == Precision::rounding
                     ? 0
                     : worth_closing * std::min(setting.tolerance.least(), setting.tolerance.absolute);
  const State start = ode.start();
  const Eigen::Index n = start.y.size(), m = equations_->algebraic(), s = tableau_.a.rows();
  U_ = Matrix::Zero(n, s);
  W_ = Matrix::Zero(m, s);
  D_ = Matrix::Zero(n, tableau_.dense.rows());
  for (Vector* v : {&dy0_, &dy_t_, &y0_, &y1_, &dy_, &a_, &moved_}) *v = Vector::Zero(n);
  for (Vector* v : {&z_, &z1_, &g0_, &g_t_, &g_}) *v = Vector::Zero(m);
  fix_patterns(start);
  restart();
}

/// In one pass, and orders of pivots: nothing allocates later, and no attempt leaves a trace by being the first.
void Rosenbrock::fix_patterns(const State& start) {
  Statistics unseen;
  std::swap(unseen, *statistics_);
  equations_->linearize(start.t, start.y, z_);
  equations_->scale(tableau_.gamma * 1e-3);
  equations_->solve(a_, g_, dy_, z1_);
  std::swap(unseen, *statistics_);
}

bool Rosenbrock::reset() {
  if (reduced_) {
    reduced_->reset();
    fix_patterns(reduced_->start());
  }
  U_.setZero();
  W_.setZero();
  dense_ready_ = false;
  restart();
  return true;
}

bool Rosenbrock::remember(Memory& memory) {
  memory(z_, known_, U_, y0_, y1_, z1_, t0_, h_);
  if (reduced_) reduced_->remember(memory);
  if (memory.reading()) linear_ = dense_ready_ = false;
  return true;
}

bool Rosenbrock::linearize(const State& from, double h) {
  if (!known_) {
    if (equations_->complete(from.t, from.y, z_) != Outcome::ok) return false;
    known_ = true;
    linear_ = false;
  }
  if (linear_) {  // an attempt of another length went before
    if (h != rates_over_) find_rates(from, h);
    return true;
  }
  equations_->linearize(from.t, from.y, z_);
  ++statistics_->jacobians;
  equations_->evaluate(from.t, from.y, z_, dy0_, g0_);
  ++statistics_->force_evaluations;
  find_rates(from, h);
  linear_ = true;
  return true;
}

/// How f and g change with time, from evaluations within the step: before it the equations may be others. Differences of order 4, so
/// short that they are far below the error of the step.
void Rosenbrock::find_rates(const State& from, double h) {
  constexpr double weights[] = {-25. / 12, 4, -3, 4. / 3, -1. / 4};
  const double step = h / 16;
  changing_ = false;
  rates_over_ = h;
  if (!equations_->depends_on_time()) return;
  for (int k = 1; k <= 4; ++k) {
    equations_->evaluate(from.t + k * step, from.y, z_, dy_, g_);
    ++statistics_->force_evaluations;
    if (k == 1) {
      changing_ = !same(dy_, dy0_) || !same(g_, g0_);
      if (!changing_) return;
      dy_t_ = weights[0] / step * dy0_;
      g_t_ = weights[0] / step * g0_;
    }
    dy_t_ += weights[k] / step * dy_;
    g_t_ += weights[k] / step * g_;
  }
}

Attempt Rosenbrock::attempt(const State& from, double h, State& to) {
  to.t = from.t + h;
  if (!linearize(from, h)) return {.outcome = Outcome::singular};
  t0_ = from.t;
  h_ = h;
  y0_ = from.y;
  dense_ready_ = false;
  const Eigen::Index s = tableau_.a.rows();
  equations_->scale(h * tableau_.gamma);
  for (Eigen::Index i = 0; i < s; ++i) {
    if (i == 0) {
      a_ = dy0_;
      g_ = g0_;
    } else {
      const auto row = static_cast<std::size_t>(i);
      stages_[row].combine(y0_, 1, U_, y1_);
      stages_[row].combine(z_, 1, W_, z1_);
      equations_->evaluate(t0_ + coefficients_.alpha_sum[i] * h, y1_, z1_, a_, g_);
      ++statistics_->force_evaluations;
      slopes_[row].add(1 / h, U_, a_);
    }
    if (changing_) {
      const double weight = coefficients_.gamma_sum[i] * h;
      a_ += weight * dy_t_;
      g_ += weight * g_t_;
    }
    if (const Outcome outcome = equations_->solve(a_, g_, U_.col(i), W_.col(i)); outcome != Outcome::ok)
      return {.outcome = outcome};
  }
  y1_ += U_.col(s - 1);
  z1_ += W_.col(s - 1);
  if (!y1_.allFinite() || !z1_.allFinite()) return {.outcome = Outcome::not_finite};
  double error = tolerance_.norm(U_.col(s - 1), y0_, y1_), moved = 0;
  if (invariant_ != nullptr && error <= 1 && !(equations_->gap(to.t, y1_) <= allowed_gap_)) {
    moved_ = y1_;
    if (const Outcome outcome = equations_->close(to.t, y1_); outcome != Outcome::ok)
      return {.outcome = outcome};
    // What the projection moves is an error of the step as any other.
    moved_ -= y1_;
    moved = share_ * tolerance_.norm(moved_, y0_, y1_);
  }
  copy(y1_, to.y);
  error = std::max(error, moved);
  return {.outcome = std::isfinite(error) ? Outcome::ok : Outcome::not_finite,
          .error = error,
          .exponent = 1.0 / (tableau_.embedded_order + 1)};
}

void Rosenbrock::accept() {
  std::swap(z_, z1_);
  linear_ = false;
}

void Rosenbrock::prepare_dense() {
  if (!dense_ready_) D_.noalias() = U_ * tableau_.dense.transpose();
  dense_ready_ = true;
}

void Rosenbrock::interpolate(double theta, State& state) {
  prepare_dense();
  state.t = t0_ + theta * h_;
  state.y = D_.col(D_.cols() - 1);
  for (Eigen::Index k = D_.cols() - 2; k >= 0; --k) state.y = D_.col(k) + theta * state.y;
  state.y = y0_ + theta * ((y1_ - y0_) + (1 - theta) * state.y);
}

/// With the slope of D_1 + theta D_2 + ..., which Horner's scheme has on its way.
void Rosenbrock::interpolate(double theta, State& state, Vector& rate) {
  prepare_dense();
  state.t = t0_ + theta * h_;
  state.y = D_.col(D_.cols() - 1);
  rate.setZero(y0_.size());
  for (Eigen::Index k = D_.cols() - 2; k >= 0; --k) {
    rate = theta * rate + state.y;
    state.y = D_.col(k) + theta * state.y;
  }
  rate = ((y1_ - y0_) + (1 - 2 * theta) * state.y + theta * (1 - theta) * rate) / h_;
  state.y = y0_ + theta * ((y1_ - y0_) + (1 - theta) * state.y);
}

}  // namespace dalembert
