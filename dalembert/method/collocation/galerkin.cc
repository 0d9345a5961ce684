// cg1, cg2, cg3, dg1, dg2: finite elements in time, weighted residuals over one step [MantegazzaMasarati2012, (63)-(66)].
//
//   int_0^1 P_i(x) F(t_n + x h, U, D/h) dx = 0,   i = 0..m-1,   by Gauss' rule with `points` points
//
// P_i are Legendre's polynomials, shifted to [0,1]. With U = y_n at the start and degree k, weights of degree k - 1 (m = k) and D = U',
// the solution is continuous (Petrov and Galerkin, cg):
//
//   U = y_n + sum_j X_j (2j+1) int_0^x P_j,   D = sum_j X_j (2j+1) P_j.
//
// dg lets U jump where a step begins. Weights have the degree k of U (m = k + 1), and the jump takes part in the derivative,
//
//   U = sum_j X_j P_j,   D = U' + (U(0) - y_n) sum_i (2i+1) P_i(0) P_i(x):   int P_i D = int P_i U' + P_i(0) (U(0) - y_n).
//
// y_{n+1} = U(1). Order 2k (cg) and 2k + 1 (dg) at the ends of steps, less between them [Hulme1972; DelfourHagerTrochu1981]. With as few
// points as there are weights they are Gauss' collocation and, but for the points, Radau IIA; with more points cg keeps an energy that is
// a polynomial of degree d exactly, if 2 points >= d k (then all integrals in E(y_{n+1}) - E(y_n) are) [BetschSteinmann2000].
//
// Entries without a derivative of their own would be of order k + 1 at the most. They are found from F = 0 where the step ends, with
// the others as they are; so are the derivatives.
//
// On y' = lambda y cg is the diagonal Pade approximation (A-stable, no damping), dg that of degree (k, k+1) (L-stable).
#include <cmath>
#include <optional>

#include "dalembert/core/rounding.h"
#include "dalembert/linear/iteration_matrix.h"
#include "dalembert/method/collocation/time_element.h"
#include "dalembert/method/method.h"
#include "dalembert/nonlinear/test_norm.h"
#include "dalembert/problem/implicit.h"

namespace dalembert {

namespace {

class Galerkin final : public Method, public HasLinearForm {
 public:
  Galerkin(std::string name, Continuity continuity, int degree)
      : name_(std::move(name)), continuity_(continuity), degree_(degree) {}

  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Implicit>(problem, name_);
    statistics_ = setting.statistics;
    element_.emplace(element(setting.options));
    norm_.bind(*problem_, setting.tolerance, Precision::rounding);
    invariant_ = setting.projection == Projection::on ? problem_->invariant() : nullptr;
    n_ = problem_->layout().size();
    const Eigen::Index m = element_->end.T.size();
    matrix_.emplace(m * n_);
    r_ = Vector::Zero(m * n_);
    X_ = Matrix::Zero(n_, m);
    y_ = dy_ = F_ = slope_ = end_slope_ = start_.y = shift_ = Vector::Zero(n_);
    F_y_ = F_dy_ = closing_ = Entries{};
    algebraic_.assign(static_cast<std::size_t>(n_), false);
    closes_ = false;
    bool higher = false;
    const Layout layout = problem_->layout();
    for (const Block& block : layout.blocks()) {
      higher = higher || block.index > 1;
      if (block.role == Role::differential) continue;
      std::fill_n(algebraic_.begin() + block.offset, block.size, true);
      closes_ = block.size > 0 || closes_;
    }
    closes_ = closes_ && !higher;  // at a higher index F = 0 does not determine them
    if (closes_) end_matrix_.emplace(n_);
    reset();
  }
  bool reset() override {
    norm_.reset();
    matrix_->reset();
    const Statistics before = *statistics_;  // one pass to fix the pattern
    const State start = problem_->start();
    dy_.setZero();
    linearise(start.t, start.y, 1e-3);
    if (closes_) {
      end_matrix_->reset();
      y_ = start.y;
      factor_end(start.t);
    }
    *statistics_ = before;
    restart();
    return true;
  }
  void restart() override {
    slope_known_ = false;
    shift_.setZero();
  }
  bool remember(Memory& memory) override {
    memory(slope_, slope_known_, shift_);
    return true;
  }

  Attempt attempt(const State& from, double h, State& to) override {
    if (!slope_known_) {
      problem_->rate(from.t, from.y, slope_);
      if (!slope_.allFinite()) slope_.setZero();
      slope_known_ = true;
    }
    start_ = from;
    h_ = h;
    norm_.aim(h, from.y, from.y);
    Outcome outcome = Outcome::newton_diverged;
    for (int again = 0; again < 2 && outcome != Outcome::ok; ++again) {
      if (again == 0) predict();
      dy_ = slope_;
      if (again > 0) {
        evaluate(element_->at[element_->at.size() / 2]);  // the matrix of where the iteration came to
        if (!y_.allFinite() || !dy_.allFinite()) break;
      } else {
        y_ = from.y + h / 2 * slope_;
      }
      outcome = linearise(from.t + h / 2, y_, h);
      if (outcome == Outcome::ok) outcome = iterate();
    }
    if (outcome != Outcome::ok) return {.outcome = outcome, .trouble = blame()};
    evaluate(element_->end);
    to.t = from.t + h;
    shift_ = y_;
    if (closes_)
      if (const Outcome closed = close(to.t); closed != Outcome::ok)
        return {.outcome = closed, .trouble = blame()};
    to.y = y_;
    end_slope_ = dy_;
    shift_ = to.y - shift_;
    if (invariant_ != nullptr) {
      ++statistics_->projections;
      if (const Outcome back = invariant_->project(to.t, to.y); back != Outcome::ok) return {.outcome = back};
      shift_ += to.y - y_;
    }
    return {};
  }
  void accept() override { slope_ = end_slope_; }
  /// y_n + int D: of cg U itself, of dg a polynomial of one degree more, which does not jump.
  void interpolate(double theta, State& state) override {
    state.t = start_.t + theta * h_;
    const Shapes at(continuity_, degree_, theta);
    state.y = at.r * start_.y + theta * shift_;
    for (Eigen::Index j = 0; j < X_.cols(); ++j) state.y += at.R[j] * X_.col(j);
  }
  LinearForm linear_form(const Parameters& options) const override { return element(options).tableau(); }

 private:
  TimeElement element(const Parameters& options) const {
    return {continuity_, degree_, options.count("points", 1, 12)};
  }
  void predict() {
    X_.setZero();
    if (continuity_ == Continuity::continuous) {
      X_.col(0) = h_ * slope_;
    } else {
      X_.col(0) = start_.y + h_ / 2 * slope_;
      if (X_.cols() > 1) X_.col(1) = h_ / 2 * slope_;
    }
  }
  /// y_ = U and dy_ = D/h.
  void evaluate(const Shapes& at) {
    y_ = at.e * start_.y;
    dy_ = (at.d / h_) * start_.y;
    for (Eigen::Index j = 0; j < X_.cols(); ++j) {
      y_ += at.T[j] * X_.col(j);
      dy_ += (at.S[j] / h_) * X_.col(j);
    }
  }
  Outcome residuals() {
    r_.setZero();
    for (std::size_t l = 0; l < element_->at.size(); ++l) {
      const auto column = static_cast<Eigen::Index>(l);
      evaluate(element_->at[l]);
      problem_->F(start_.t + element_->gauss.c[column] * h_, y_, dy_, F_);
      ++statistics_->force_evaluations;
      for (Eigen::Index i = 0; i < X_.cols(); ++i)
        r_.segment(i * n_, n_) += element_->weights(i, column) * F_;
    }
    return r_.allFinite() ? Outcome::ok : Outcome::not_finite;
  }
  /// One Jacobian for all points, at dy_.
  Outcome linearise(double t, In y, double h) {
    problem_->jacobians(t, y, dy_, F_y_, F_dy_);
    ++statistics_->jacobians;
    matrix_->begin();
    for (Eigen::Index i = 0; i < X_.cols(); ++i)
      for (Eigen::Index j = 0; j < X_.cols(); ++j) {
        matrix_->add(F_y_, i * n_, j * n_, element_->of_y(i, j));
        matrix_->add(F_dy_, i * n_, j * n_, element_->of_dy(i, j) / h);
      }
    return matrix_->factor(*statistics_);
  }
  /// Of F in the entries without derivatives, and in the derivatives of the others.
  Outcome factor_end(double t) {
    problem_->jacobians(t, y_, dy_, F_y_, F_dy_);
    ++statistics_->jacobians;
    closing_.begin();
    for (std::size_t k = 0; k < F_y_.size(); ++k)
      if (algebraic_[static_cast<std::size_t>(F_y_.column(k))])
        closing_.add(F_y_.row(k), F_y_.column(k), F_y_.value(k));
    for (std::size_t k = 0; k < F_dy_.size(); ++k)
      if (!algebraic_[static_cast<std::size_t>(F_dy_.column(k))])
        closing_.add(F_dy_.row(k), F_dy_.column(k), F_dy_.value(k));
    closing_.end();
    end_matrix_->begin();
    end_matrix_->add(closing_, 0, 0, 1);
    return end_matrix_->factor(*statistics_);
  }
  /// y_ and dy_ at the end of the step: F = 0.
  Outcome close(double t) {
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 30; ++round) {
      if (const Outcome outcome = factor_end(t); outcome != Outcome::ok) return outcome;
      problem_->F(t, y_, dy_, F_);
      end_matrix_->solve(F_, *statistics_);
      double now = 0;
      for (Eigen::Index i = 0; i < n_; ++i) {
        double& unknown = algebraic_[static_cast<std::size_t>(i)] ? y_[i] : dy_[i];
        unknown -= F_[i];
        now = std::max(now, std::abs(F_[i]) / (1 + std::abs(unknown)));
      }
      if (!std::isfinite(now)) return Outcome::not_finite;
      if (now <= newton_floor || (now > 0.5 * last && now <= 1e-11)) return Outcome::ok;
      last = now;
    }
    return Outcome::newton_diverged;
  }
  /// Down to rounding.
  Outcome iterate() {
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 60; ++round) {
      if (const Outcome outcome = residuals(); outcome != Outcome::ok) return outcome;
      matrix_->solve(r_, *statistics_);
      ++statistics_->newton_iterations;
      double now = 0;
      for (Eigen::Index j = 0; j < X_.cols(); ++j) {
        X_.col(j) -= r_.segment(j * n_, n_);
        for (Eigen::Index i = 0; i < n_; ++i)
          now = std::max(now, std::abs(r_[j * n_ + i]) * norm_.weight()[i]);
      }
      if (!std::isfinite(now)) return Outcome::not_finite;
      if (now <= newton_floor || (now > 0.5 * last && now <= 1e-11)) return Outcome::ok;
      if (round > 3 && now > 2 * last) return Outcome::newton_diverged;
      last = now;
    }
    return Outcome::newton_diverged;
  }
  Trouble blame() {
    Trouble worst;
    residuals();
    for (Eigen::Index i = 0; i < n_; ++i)
      if (!(std::abs(r_[i]) <= worst.size)) worst = {i, std::abs(r_[i])};
    return worst;
  }

  std::string name_;
  Continuity continuity_;
  int degree_;
  std::optional<TimeElement> element_;
  const Implicit* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  Statistics* statistics_ = nullptr;
  TestNorm norm_;
  std::optional<IterationMatrix> matrix_, end_matrix_;
  Entries F_y_, F_dy_, closing_;
  std::vector<bool> algebraic_;
  bool closes_ = false;
  Eigen::Index n_ = 0;
  Matrix X_;
  Vector r_, y_, dy_, F_;
  Vector slope_, end_slope_;  // y' where the step begins, and where it ends
  bool slope_known_ = false;
  Vector shift_;  // of the end, after the step
  State start_;
  double h_ = 0;
};

MethodEntry entry(const std::string& name, const std::string& summary, Continuity continuity, int degree) {
  const bool jumps = continuity == Continuity::discontinuous;
  const double order = jumps ? 2 * degree + 1 : 2 * degree;
  return {.name = name,
          .summary = summary,
          .cite = "MantegazzaMasarati2012 Hulme1972 DelfourHagerTrochu1981 BetschSteinmann2000",
          .claims = implicit_claims({{order}}),
          .adaptive = false,
          .dense_order = jumps ? degree + 1 : degree,
          .options = {{"points", degree + 2., "", "of Gauss' rule for the residuals"}},
          .make = [=] { return std::make_unique<Galerkin>(name, continuity, degree); }};
}

}  // namespace

std::vector<MethodEntry> methods_in_galerkin() {
  using enum Continuity;
  return {
      entry("cg1", "finite elements in time, continuous and linear, order 2", continuous, 1),
      entry("cg2", "finite elements in time, continuous and quadratic, order 4", continuous, 2),
      entry("cg3", "finite elements in time, continuous and cubic, order 6", continuous, 3),
      entry("dg1", "finite elements in time, discontinuous and linear, order 3, L-stable", discontinuous, 1),
      entry("dg2", "finite elements in time, discontinuous and quadratic, order 5, L-stable", discontinuous,
            2)};
}

}  // namespace dalembert
