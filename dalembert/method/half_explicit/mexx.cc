// mexx: the half-explicit midpoint rule, extrapolated in h^2 with variable order and step [Lubich1989; Lubich1991].
//
//   y_1 = y_0 + h f(y_0, z_0),   y_{i+1} = y_{i-1} + 2h f(y_i, z_i),   0 = g(y_{i+1}),   h = H/n,  n = 2, 4, 6, ...
//
// T_{j,1} = y_n for the j-th n; T_{j,k+1} = T_{j,k} + (T_{j,k} - T_{j-1,k}) / ((n_j/n_{j-k})^2 - 1) has order 2k+2.
// Order and step are chosen for the least work per unit step [HairerNorsettWanner1993, II.9]. `columns` fixes the
// order at 2 columns.
#include <algorithm>
#include <cmath>

#include "dalembert/core/error.h"
#include "dalembert/method/half_explicit/dense_pieces.h"
#include "dalembert/method/half_explicit/stage_solver.h"
#include "dalembert/method/linear_form.h"
#include "dalembert/method/local_tolerance.h"
#include "dalembert/method/method.h"

namespace dalembert {

namespace {

constexpr int most_columns = 9;
constexpr double may_misfit = 10;            // tolerances, between inner points of a step
constexpr double inner_error = 5;            // local tolerances, on the way to an inner point
constexpr double shortest_part = 1.0 / 256;  // of the way to an inner point

class Extrapolation final : public Method, public HasLinearForm {
 public:
  void bind(const Problem& problem, const Setting& setting) override {
    problem_ = &require<Hessenberg>(problem, "mexx");
    tolerance_ = Strictness{0.02}.local(setting).on(problem.layout());
    invariant_ = setting.projection == Projection::off ? nullptr : problem_->invariant();
    solver_ = StageSolver::make(*problem_, *setting.statistics);
    fixed_columns_ = setting.options.count("columns", 0, most_columns);
    tolerance_counts_ = fixed_columns_ == 0 && setting.precision == Precision::tolerance;
    const Layout layout = problem.layout();
    n_ = differential_size(layout);
    m_ = layout.size() - n_;
    T_.assign(most_columns, Vector::Zero(n_));
    for (Vector* v : {&y0_, &y1_, &older_, &newer_, &next_, &K_, &below_, &difference_})
      *v = Vector::Zero(n_);
    z_ = Vector::Zero(m_);
    asked_ = setting.tolerance.on(problem.layout());
    dense_.bind(n_, inside());
    restart();
  }

  Attempt attempt(const State& from, double H, State& to) override {
    t0_ = from.t;
    H_ = H;
    dense_ready_ = false;
    y0_ = from.y.head(n_);
    z_ = from.y.tail(m_).array().isFinite().select(from.y.tail(m_), 0.0);
    const int last = fixed_columns_ > 0 ? fixed_columns_ : std::min(target_ + 1, most_columns);
    double error = 0;
    int column = 0;
    for (int j = 1; j <= last; ++j) {
      if (const Outcome outcome = midpoint(j, t0_, y0_, H); outcome != Outcome::ok)
        return {.outcome = outcome};
      error = extrapolate(j, y0_);
      if (!std::isfinite(error)) return {.outcome = Outcome::not_finite};
      column = j;
      if (j == 1) continue;
      step_[j] = H * std::clamp(0.94 * std::pow(0.65 / std::max(error, 1e-15), exponent(j)), 0.02, 4.0);
      work_[j] = stages(j) / step_[j];
      if (fixed_columns_ == 0 && j >= target_ - 1 && error <= 1) break;
    }
    to.t = from.t + H;
    y1_ = below_;
    if (const Outcome outcome = return_to_constraints(to.t, y1_); outcome != Outcome::ok)
      return {.outcome = outcome};
    to.y.head(n_) = y1_;
    to.y.tail(m_) = z_;
    Attempt result{.error = error, .exponent = exponent(std::max(column, 2))};
    reached_ = column;
    if (fixed_columns_ == 0)
      result.next = error <= 1 ? propose(column).step : step_[std::min(target_, column)];
    return result;
  }

  void accept() override {
    if (fixed_columns_ == 0) target_ = propose(reached_).target;
  }

  void restart() override {
    const double digits = -std::log10(std::max(tolerance_.relative, 1e-13));
    target_ = std::clamp(static_cast<int>(0.6 * digits + 1.5), 2, most_columns - 1);
    dense_ready_ = false;
  }

  bool reset() override {
    solver_->reset();
    reached_ = 2;
    std::fill(std::begin(step_), std::end(step_), 0);
    std::fill(std::begin(work_), std::end(work_), 0);
    restart();
    return true;
  }

  bool remember(Memory& memory) override {
    memory(target_, reached_, step_, work_);
    return true;
  }

  void interpolate(double theta, State& state) override {
    if (!dense_ready_) dense_.build(t0_, H_, y0_, y1_);
    dense_ready_ = true;
    state.t = t0_ + theta * H_;
    dense_(theta, state.y.head(n_));
    state.y.tail(m_) = z_;
  }

  /// Each f of each row of the table is a stage.
  LinearForm linear_form(const Parameters& options) const override {
    const int columns = options.count("columns", 0, most_columns);
    if (columns == 0) throw Error("mexx chooses its order step by step", "fix it: columns=3 is order 6");
    const Eigen::Index s = columns * (columns + 1);
    RungeKuttaForm form{Matrix::Zero(s, s), Vector::Zero(s)};
    Eigen::Index stage = 0;
    for (int j = 1; j <= columns; ++j) {
      const int n = substeps(j);
      Vector older = Vector::Zero(s), newer = older;
      for (int i = 0; i < n; ++i, ++stage) {
        form.A.row(stage) = newer.transpose();
        Vector next = older;
        next[stage] += (i == 0 ? 1.0 : 2.0) / n;
        older = newer;
        newer = next;
      }
      double weight = 1;  // of T_{j,1} in T_{columns,columns}
      for (int k = 1; k <= columns; ++k)
        if (k != j) weight *= 1.0 / (1 - std::pow(static_cast<double>(substeps(k)) / n, 2));
      form.b += weight * newer;
    }
    return form;
  }

 private:
  struct Proposal {
    int target;
    double step;
  };

  StepInside inside() {
    return {
        .advance = [this](double t, double h, Vector& y) { return solve_over(t, h, y); },
        .slope = [this](double t, In y, Out dy) { return solver_->derivative(t, y, z_, dy); },
        .size = [this](In misfit,
                       In y) { return tolerance_counts_ ? asked_.norm(misfit, y, y) / may_misfit : 0.0; }};
  }

  /// From an inner point to the next. Shorter steps need fewer columns, unless no tolerance says how many; where all columns are
  /// not enough, as the end of a step may be right for reasons of its own, the way is made in parts.
  Outcome solve_over(double t, double h, Vector& y) {
    for (double done = 0, part = 1; done < 1;) {
      part = std::min(part, 1 - done);
      double error = 0;
      if (const Outcome outcome = extrapolated(t + done * h, part * h, y, error); outcome != Outcome::ok)
        return outcome;
      if (tolerance_counts_ && !(error <= inner_error) && part > shortest_part) {
        part /= 2;
        continue;
      }
      done += part;
      y = below_;
      if (const Outcome outcome = return_to_constraints(t + done * h, y); outcome != Outcome::ok)
        return outcome;
    }
    return Outcome::ok;
  }

  /// y over h, in below_.
  Outcome extrapolated(double t, double h, const Vector& y, double& error) {
    const int least = tolerance_counts_ ? 2 : reached_;
    for (int j = 1; j <= reached_; ++j) {
      if (const Outcome outcome = midpoint(j, t, y, h); outcome != Outcome::ok) return outcome;
      error = extrapolate(j, y);
      if (j >= least && error <= inner_error) break;
    }
    return Outcome::ok;
  }

  static int substeps(int j) { return 2 * j; }
  static double stages(int j) { return j * (j + 1); }  // all stages of rows 1..j
  static double exponent(int j) { return 1.0 / (2 * j - 1); }

  /// T_{j,1} into newer_, from y0 at t0.
  Outcome midpoint(int j, double t0, const Vector& y0, double H) {
    const int n = substeps(j);
    const double h = H / n;
    older_ = newer_ = y0;
    for (int i = 0; i < n; ++i) {
      const auto start = i == 0 ? StageStart::anywhere : StageStart::at_previous_next;
      const Outcome outcome = solver_->stage(t0 + i * h, newer_, start, t0 + (i + 1) * h, older_,
                                             i == 0 ? h : 2 * h, z_, K_, next_);
      if (outcome != Outcome::ok) return outcome;
      older_.swap(newer_);
      newer_.swap(next_);
    }
    return newer_.allFinite() ? Outcome::ok : Outcome::not_finite;
  }

  /// Row j of the table: T_[k] holds T_{j-1,k+1} and receives T_{j,k+1}. Returns |T_jj - T_j,j-1| in the norm.
  double extrapolate(int j, const Vector& y0) {
    below_ = newer_;  // T_{j,1}
    for (int k = 1; k < j; ++k) {
      const double ratio = static_cast<double>(substeps(j)) / substeps(j - k);
      Vector& left = T_[static_cast<std::size_t>(k - 1)];
      difference_ = (below_ - left) / (ratio * ratio - 1);
      left = below_;
      below_ += difference_;
    }
    T_[static_cast<std::size_t>(j - 1)] = below_;
    return j == 1 ? 0 : tolerance_.norm(difference_, y0, below_);
  }

  /// Extrapolated values are combinations of points on the constraint, not on it themselves.
  Outcome return_to_constraints(double t, Vector& y) {
    return invariant_ != nullptr ? invariant_->project(t, y) : solver_->pull(t, y);
  }

  Proposal propose(int column) const {
    int target = column;
    if (column > 2 && work_[column - 1] < 0.8 * work_[column])
      target = column - 1;
    else if (column == 2 || work_[column] < 0.9 * work_[column - 1])
      target = column + 1;
    target = std::clamp(target, 2, most_columns - 1);
    if (target <= column) return {target, step_[target]};
    return {target, step_[column] * stages(target) / stages(column)};
  }

  const Hessenberg* problem_ = nullptr;
  const Invariant* invariant_ = nullptr;
  std::unique_ptr<StageSolver> solver_;
  ErrorScale tolerance_, asked_;  // of one step, of the run
  Eigen::Index n_ = 0, m_ = 0;
  int fixed_columns_ = 0, target_ = 4, reached_ = 2;
  double t0_ = 0, H_ = 0;
  double step_[most_columns + 2] = {}, work_[most_columns + 2] = {};
  std::vector<Vector> T_;
  Vector y0_, y1_, z_, older_, newer_, next_, K_, below_, difference_;
  bool dense_ready_ = false, tolerance_counts_ = true;
  DensePieces dense_;
};

}  // namespace

std::vector<MethodEntry> methods_in_mexx() {
  return {{.name = "mexx",
           .summary = "extrapolated half-explicit midpoint rule, variable order",
           .cite = "Lubich1989 Lubich1991",
           .claims = {{Kind::hessenberg, "y", 6, "columns=3, f linear in z"},
                      {Kind::hessenberg, "z", 6, "columns=3, f linear in z"}},
           .adaptive = true,
           .dense_order = 9,
           .options = {{"columns", 0, "", "order is 2 columns; 0: chosen step by step"}},
           .make = [] { return std::make_unique<Extrapolation>(); }}};
}

}  // namespace dalembert
