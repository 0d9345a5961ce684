#include "dalembert/control/witness/defect.h"

#include <cmath>
#include <limits>
#include <optional>

#include "dalembert/constraints/mechanics.h"
#include "dalembert/control/witness/implicit_defect.h"
#include "dalembert/control/witness/leaps.h"
#include "dalembert/linear/decompositions.h"
#include "dalembert/linear/small_lu.h"
#include "dalembert/problem/events.h"
#include "dalembert/problem/hessenberg.h"
#include "dalembert/problem/mechanical.h"
#include "dalembert/problem/ode.h"
#include "dalembert/problem/partitioned.h"

namespace dalembert {

namespace {

constexpr double part = 0.25;                // of the step: about the diagonal of implicit methods
constexpr Eigen::Index most_filtered = 400;  // unknowns; the filter is a dense factorisation

/// A small dense system with its room.
struct Filter {
  Matrix& clear(Eigen::Index n) {
    matrix.setZero(n, n);
    right.setZero(n);
    return matrix;
  }
  const Vector& solve() {
    const Eigen::Index n = right.size();
    x.resize(n);
    if (n <= most_small) {
      if (small_size != n) {
        small.emplace(n);
        small_size = n;
        ones.setOnes(n);
      }
      small->clear();
      for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = 0; i < n; ++i) small->add(i, j, matrix(i, j));
      small->factor();
      for (Eigen::Index k = 0; k < n; ++k)
        if (small->pivot(k) == 0) {
          x.setConstant(std::numeric_limits<double>::quiet_NaN());
          return x;
        }
      x = right;
      small->solve(x.data(), ones.data(), ones.data());
      return x;
    }
    factors.compute(matrix);
    const auto& order = factors.permutationP().indices();
    for (Eigen::Index i = 0; i < right.size(); ++i) x[order[i]] = right[i];
    factors.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(x);
    factors.matrixLU().triangularView<Eigen::Upper>().solveInPlace(x);
    return x;
  }
  static constexpr Eigen::Index most_small = 60;
  Matrix matrix;
  Vector right, x, ones;
  std::optional<SmallLu<double>> small;
  Eigen::Index small_size = 0;
  Eigen::PartialPivLU<Matrix> factors;
};

class MechanicalDefect final : public DefectMeasure {
 public:
  MechanicalDefect(const Mechanical& problem, const SaddlePoint* plan)
      : problem_(problem),
        plan_(plan),
        n_(problem.sizes()),
        part_(n_),
        at_(problem.placement()),
        dq_(n_.q),
        dq_end_(n_.q),
        a_(n_.v),
        multipliers_(n_.rows()),
        rows_(n_.rows()),
        row_weights_(n_.rows()),
        ds_(n_.s) {}

  bool kinematic() const override { return true; }
  Depth depth() const override { return Depth::coordinates; }

  Peak inside(double t, double h, In y, In dy, In weights, Look look, double limit) override {
    const auto q = part_.q(y), v = part_.v(y), s = part_.s(y);
    Peak peak;
    position_rate(t, y, dq_);
    for (Eigen::Index i = 0; i < n_.q; ++i) peak.meet(h * (dy[i] - dq_[i]) / weights[i], i);
    if (look == Look::kinematics) return peak;
    Peak states;
    if (n_.s > 0) {
      move_to(t, q);
      problem_.auxiliary(*at_, v, s, ds_);
      ds_ = h * (part_.s(dy) - ds_);
      states = scaled(ds_, weights, n_.q + n_.v);
    }
    // Where the rows are dependent nothing can be said about accelerations.
    if (mechanics()->accelerate(t, q, v, s, {}, a_, multipliers_) != Outcome::ok) {
      peak.meet(states);
      return peak;
    }
    Peak velocities;
    double off = 0, size = 0;
    for (Eigen::Index i = 0; i < n_.v; ++i) {
      const Eigen::Index k = n_.q + i;
      const double d = h * (dy[k] - a_[i]);
      velocities.meet(d / weights[k], k);
      off = std::max(off, std::abs(d));
      size = std::max({size, std::abs(v[i]), std::abs(h * dy[k]), std::abs(h * a_[i])});
    }
    peak.relative = size > 0 ? off / size : 0;
    if (std::max(velocities.size, states.size) > limit)
      through_filter(t, h, y, dy, weights, velocities, states);
    peak.meet(velocities);
    peak.meet(states);
    return peak;
  }

  Peak increment(double h, const State& begin, const State& end, In weights) override {
    position_rate(begin.t, begin.y, dq_);
    position_rate(end.t, end.y, dq_end_);
    Peak peak;
    for (Eigen::Index i = 0; i < n_.q; ++i)
      peak.meet((end.y[i] - begin.y[i] - h / 2 * (dq_[i] + dq_end_[i])) / weights[i], i);
    return peak;
  }

  bool can_leap() const override { return n_.s > 0; }
  bool leaps(double h, const State& begin, const State& end, In weights, double limit) override {
    return leaps_.found(h, begin, end, n_.q + n_.v, n_.s, weights, limit, [&](const State& at, Vector& ds) {
      move_to(at.t, part_.q(at.y));
      ds.setZero(n_.s);
      problem_.auxiliary(*at_, part_.v(at.y), part_.s(at.y), ds);
    });
  }

  bool has_positions() const override { return true; }
  bool rates(double t, In y, Vector& dq) override {
    dq.resize(n_.q);
    position_rate(t, y, dq);
    return true;
  }

  double note_laws(double t, In y, LawRecord& record) override {
    move_to(t, part_.q(y));
    a_.setZero();
    ds_.setZero();
    const LawRecord::Listening listening(record);
    problem_.force(*at_, part_.v(y), part_.s(y), a_);
    problem_.auxiliary(*at_, part_.v(y), part_.s(y), ds_);
    if (n_.rows() > 0) problem_.velocity_bias(*at_, rows_);  // drives
    if (const Events* events = problem_.events()) {          // limits of what sticks
      state_ = {t, y};
      values_.resize(static_cast<Eigen::Index>(events->list().size()));
      events->values(state_, values_);
    }
    return a_.size() == 0 ? 0 : a_.cwiseAbs().maxCoeff();
  }

  bool driven(double t, In y) override {
    if (n_.rows() == 0) return false;
    move_to(t, part_.q(y));
    problem_.velocity_bias(*at_, rows_);
    return !rows_.isZero(0);
  }

  Mechanics* mechanics() override {
    if (!mechanics_) mechanics_.emplace(problem_, plan_, apart_);
    return &*mechanics_;
  }

  Peak at_end(double t, In y, In weights) override {
    Peak peak;
    if (n_.rows() == 0) return peak;
    move_to(t, part_.q(y));
    problem_.jacobian(*at_, J_);
    problem_.velocity_bias(*at_, rows_);
    const auto v = part_.v(y);
    J_.multiply(v, 1, rows_);
    row_weights_.setZero();
    for (std::size_t k = 0; k < J_.size(); ++k)
      row_weights_[J_.row(k)] += std::abs(J_.value(k)) * weights[n_.q + J_.column(k)];
    for (Eigen::Index i = 0; i < n_.rows(); ++i)
      if (row_weights_[i] > 0) peak.meet(rows_[i] / row_weights_[i], part_.differential() + i);
    return peak;
  }

 private:
  /// The end of a step is asked about more than once.
  void move_to(double t, In q) {
    if (placed_ && at_->t == t && at_->q == q) return;
    problem_.place_at(*at_, t, q);
    placed_ = true;
  }

  void position_rate(double t, In y, Out dq) {
    if (problem_.plain()) {
      dq = part_.v(y);
      return;
    }
    move_to(t, part_.q(y));
    problem_.tangent(*at_, part_.v(y), dq);
  }

  /// M d + h/4 D d + (h/4)^2 K d + J'l = M h (v' - a),  J d = h J (v' - a);  (I - h/4 k_s) d = h (s' - k).
  void through_filter(double t, double h, In y, In dy, In weights, Peak& velocities, Peak& states) {
    const Eigen::Index nv = n_.v, nr = n_.rows(), n = nv + nr + n_.s;
    if (n > most_filtered || !std::isfinite(velocities.size) || !std::isfinite(states.size)) return;
    move_to(t, part_.q(y));
    problem_.mass(*at_, M_);
    problem_.derivatives(*at_, part_.v(y), part_.s(y), a_, multipliers_, derivatives_);
    Matrix& A = filter_.clear(n);
    const auto add = [&](const Entries& entries, double factor, Eigen::Index corner) {
      for (std::size_t k = 0; k < entries.size(); ++k)
        A(corner + entries.row(k), (corner == nv ? 0 : corner) + entries.column(k)) +=
            factor * entries.value(k);
    };
    add(M_, 1, 0);
    Vector& d = filter_.right;
    off_ = h * (part_.v(dy) - a_);
    d.head(nv).noalias() = A.topLeftCorner(nv, nv) * off_;
    add(derivatives_.D, part * h, 0);
    add(derivatives_.K, part * h * part * h, 0);
    if (nr > 0) {
      problem_.jacobian(*at_, J_);
      add(J_, 1, nv);
      A.block(0, nv, nv, nr) = A.block(nv, 0, nr, nv).transpose();
      d.segment(nv, nr).noalias() = A.block(nv, 0, nr, nv) * off_;
    }
    if (n_.s > 0) {
      A.bottomRightCorner(n_.s, n_.s).setIdentity();
      add(derivatives_.k_s, -part * h, nv + nr);
      d.tail(n_.s) = ds_;
    }
    const Vector& x = filter_.solve();
    if (!x.allFinite()) return;
    soften(velocities, scaled(x.head(nv), weights, n_.q));
    soften(states, scaled(x.tail(n_.s), weights, n_.q + nv));
  }

  static Peak scaled(In d, In weights, Eigen::Index first) {
    Peak peak;
    for (Eigen::Index i = 0; i < d.size(); ++i) peak.meet(d[i] / weights[first + i], first + i);
    return peak;
  }

  const Mechanical& problem_;
  const SaddlePoint* plan_;
  Mechanical::Sizes n_;
  MechanicalState part_;
  std::unique_ptr<Placement> at_;
  bool placed_ = false;
  Statistics apart_;  // looking is no effort of the method
  std::optional<Mechanics> mechanics_;
  Entries M_, J_;
  Derivatives derivatives_;
  Filter filter_;
  Vector dq_, dq_end_, a_, multipliers_, rows_, row_weights_, ds_, off_;
  Vector values_;  // of events
  State state_;
  Leaps leaps_;
};

/// y' = f(t,y), and y' = f(t,y,z) with 0 = g(t,y).
class ExplicitDefect final : public DefectMeasure {
 public:
  explicit ExplicitDefect(const Ode& ode) : ode_(&ode), layout_(ode.layout()), ny_(layout_.size()) {}
  explicit ExplicitDefect(const Hessenberg& problem)
      : hessenberg_(&problem), layout_(problem.layout()), ny_(differential_size(layout_)) {}

  Depth depth() const override { return Depth::multipliers; }

  Peak inside(double t, double h, In y, In dy, In weights, Look look, double limit) override {
    if (look == Look::kinematics) return {};
    const Eigen::Index nz = y.size() - ny_;
    f_.resize(ny_);
    if (ode_ != nullptr)
      ode_->f(t, y, f_);
    else
      hessenberg_->f(t, y.head(ny_), y.tail(nz), f_);
    d_ = h * (dy.head(ny_) - f_);
    const Vector& d = d_;
    Peak peak;
    double off = 0, size = 0;
    for (Eigen::Index i = 0; i < ny_; ++i) {
      peak.meet(d[i] / weights[i], i);
      off = std::max(off, std::abs(d[i]));
      size = std::max({size, std::abs(y[i]), std::abs(h * dy[i]), std::abs(h * f_[i])});
    }
    if (peak.size > limit && std::isfinite(peak.size) && y.size() <= most_filtered)
      soften(peak, through_filter(t, h, y, d, weights, peak));
    peak.relative = size > 0 ? off / size : 0;
    if (hessenberg_ != nullptr) peak.meet(off_constraints(t, h, y.head(ny_), weights));
    return peak;
  }

  bool can_leap() const override { return ode_ != nullptr; }
  bool leaps(double h, const State& begin, const State& end, In weights, double limit) override {
    return leaps_.found(h, begin, end, 0, ny_, weights, limit, [&](const State& at, Vector& dy) {
      dy.resize(ny_);
      ode_->f(at.t, at.y, dy);
    });
  }

 private:
  /// Along f_z the filter sees nothing: there y must stay on g = 0, and z be such that it does. z is of lower order by nature.
  Peak off_constraints(double t, double h, In y, In weights) {
    constexpr double leniency = 0.1;
    const Eigen::Index nz = layout_.size() - ny_;
    for (Vector* v : {&g_, &hidden_}) v->setZero(nz);
    row_sizes_.setZero(nz);
    Vector& sizes = row_sizes_;
    hessenberg_->g(t, y, g_);
    hessenberg_->g_t(t, y, hidden_);
    hessenberg_->g_y(t, y, g_y_);
    g_y_.multiply(f_, 1, hidden_);
    for (std::size_t k = 0; k < g_y_.size(); ++k)
      sizes[g_y_.row(k)] += std::abs(g_y_.value(k)) * weights[g_y_.column(k)];
    Peak peak;
    for (Eigen::Index i = 0; i < nz; ++i)
      if (sizes[i] > 0)
        peak.meet(std::max(std::abs(g_[i]), leniency * h * std::abs(hidden_[i])) / sizes[i], ny_ + i);
    return peak;
  }

  Peak through_filter(double t, double h, In y, const Vector& d, In weights, const Peak& plain) {
    const Eigen::Index nz = y.size() - ny_;
    Matrix& A = filter_.clear(ny_ + nz);
    A.topLeftCorner(ny_, ny_).setIdentity();
    const auto add = [&](const Entries& entries, double factor, Eigen::Index row, Eigen::Index column) {
      for (std::size_t k = 0; k < entries.size(); ++k)
        A(row + entries.row(k), column + entries.column(k)) += factor * entries.value(k);
    };
    if (ode_ != nullptr) {
      ode_->f_y(t, y, f_y_);
    } else {
      hessenberg_->f_y(t, y.head(ny_), y.tail(nz), f_y_);
      hessenberg_->f_z(t, y.head(ny_), y.tail(nz), f_z_);
      hessenberg_->g_y(t, y.head(ny_), g_y_);
      add(f_z_, -h, 0, ny_);
      add(g_y_, 1, ny_, 0);
    }
    add(f_y_, -part * h, 0, 0);
    filter_.right.head(ny_) = d;
    const Vector& x = filter_.solve();
    if (!x.allFinite()) return plain;
    Peak peak;
    for (Eigen::Index i = 0; i < ny_; ++i) peak.meet(x[i] / weights[i], i);
    return peak.size < plain.size ? peak : plain;
  }

  const Ode* ode_ = nullptr;
  const Hessenberg* hessenberg_ = nullptr;
  Layout layout_;
  Eigen::Index ny_;
  Entries f_y_, f_z_, g_y_;
  Filter filter_;
  Vector f_, d_, g_, hidden_, row_sizes_;
  Leaps leaps_;
};

}  // namespace

void Peak::meet(double other, Eigen::Index at) {
  other = std::isnan(other) ? std::numeric_limits<double>::infinity() : std::abs(other);
  if (other > size) size = other, entry = at;
}

void Peak::meet(const Peak& other) {
  meet(other.size, other.entry);
  relative = std::max(relative, other.relative);
}

std::unique_ptr<DefectMeasure> make_defect_measure(const Problem& problem, const SaddlePoint* plan) {
  if (const auto* mechanical = as<Mechanical>(&problem))
    return std::make_unique<MechanicalDefect>(*mechanical, plan);
  if (const auto* fields = as<Partitioned>(&problem))  // what fields deliver is judged by the whole
    return std::make_unique<MechanicalDefect>(*fields->whole(), plan);
  if (const auto* implicit = as<Implicit>(&problem)) return std::make_unique<ImplicitDefect>(*implicit);
  if (const auto* hessenberg = as<Hessenberg>(&problem)) return std::make_unique<ExplicitDefect>(*hessenberg);
  if (const auto* ode = as<Ode>(&problem)) return std::make_unique<ExplicitDefect>(*ode);
  return nullptr;
}

}  // namespace dalembert
