#include "dalembert/formulation/null_space/independent_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {

constexpr Eigen::Index none = -1;

Mechanical::Sizes sizes_with(Mechanical::Sizes n, const std::vector<Eigen::Index>& kept) {
  const auto holonomic = std::count_if(kept.begin(), kept.end(), [&](auto i) { return i < n.holonomic; });
  n.holonomic = holonomic;
  n.nonholonomic = static_cast<Eigen::Index>(kept.size()) - holonomic;
  return n;
}

}  // namespace

/// Events of the original problem, which look at states of the original problem.
class IndependentRows::WidenedEvents final : public Events {
 public:
  WidenedEvents(const Events& events, const IndependentRows& rows) : events_(events), rows_(rows) {
    state_.y = Vector::Zero(rows.part_all_.size());
  }
  const std::vector<Event>& list() const override { return events_.list(); }
  void values(const State& mine, Out e) const override {
    rows_.widen(mine, state_, need_multipliers() ? Depth::multipliers : Depth::coordinates);
    events_.values(state_, e);
  }
  EventResponse respond(std::size_t event, State& mine) const override {
    rows_.widen(mine, state_, Depth::multipliers);
    EventResponse response = events_.respond(event, state_);
    rows_.narrow(state_, mine);
    return response;
  }
  bool need_multipliers() const override { return events_.need_multipliers(); }
  std::shared_ptr<const Problem> mode_at(const State& mine) const override {
    rows_.widen(mine, state_, Depth::coordinates);
    return events_.mode_at(state_);
  }

 private:
  const Events& events_;
  const IndependentRows& rows_;
  mutable State state_;
};

IndependentRows::IndependentRows(const Mechanical& original, std::vector<Eigen::Index> kept, double may_leave)
    : all_(original),
      kept_(std::move(kept)),
      place_(static_cast<std::size_t>(original.sizes().rows()), none),
      n_(sizes_with(original.sizes(), kept_)),
      n_all_(original.sizes()),
      may_leave_(may_leave),
      part_(n_),
      part_all_(n_all_),
      at_(original.placement()) {
  for (std::size_t k = 0; k < kept_.size(); ++k)
    place_[static_cast<std::size_t>(kept_[k])] = static_cast<Eigen::Index>(k);
  for (Eigen::Index i = 0; i < n_all_.rows(); ++i)
    if (place_[static_cast<std::size_t>(i)] == none) dropped_.push_back(i);
  if (const Events* events = original.events()) events_ = std::make_unique<WidenedEvents>(*events, *this);
  rows_ = l_ = length_ = Vector::Zero(n_all_.rows());
  gap_ = Vector::Zero(n_all_.holonomic);
  const State given = all_.start();
  all_.place_at(*at_, given.t, part_all_.q(given.y));
  all_.mass(*at_, M_);
  jacobian(*at_, K_);
  saddle_.bind(n_.v, n_.rows(), M_, K_, Symmetry::symmetric,
               n_.v + n_.rows() > 60 ? Elimination::sparse : Elimination::dense);
  x_ = Vector::Zero(n_.v + n_.rows());
  const auto missing = static_cast<Eigen::Index>(dropped_.size());
  C_ = Matrix::Zero(missing, n_.rows());
  left_ = Matrix::Zero(n_.v, missing);
  gram_ = Matrix::Zero(missing, missing);
}

Layout IndependentRows::layout() const {
  const Layout all = all_.layout();
  Layout mine;
  for (const Block& block : all.blocks()) {
    std::vector<std::string> labels, units;
    const Eigen::Index first = block.offset - part_all_.differential();
    for (Eigen::Index i = 0; i < block.size; ++i) {
      if (first >= 0 && place_[static_cast<std::size_t>(first + i)] == none) continue;
      labels.push_back(block.labels[static_cast<std::size_t>(i)]);
      units.push_back(block.units[static_cast<std::size_t>(i)]);
    }
    const auto size = static_cast<Eigen::Index>(labels.size());
    if (size > 0) mine.add(block.name, size, block.role, block.index, std::move(labels), std::move(units));
  }
  return mine;
}

State IndependentRows::start() const {
  const State all = all_.start();
  State mine{all.t, Vector::Zero(part_.size())};
  mine.y.head(part_.differential()) = all.y.head(part_.differential());
  return mine;
}

std::optional<State> IndependentRows::exact(double t) const {
  const auto all = all_.exact(t);
  if (!all) return {};
  State mine{t, Vector::Constant(part_.size(), not_a_number)};  // multipliers depend on the choice of rows
  mine.y.head(part_.differential()) = all->y.head(part_.differential());
  return mine;
}

void IndependentRows::pick(const Vector& from, Out to) const {
  for (Eigen::Index k = 0; k < to.size(); ++k) to[k] = from[kept_[static_cast<std::size_t>(k)]];
}

void IndependentRows::put_kept(const Entries& all, Entries& kept) const {
  kept.begin();
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const Eigen::Index row = place_[static_cast<std::size_t>(all.row(k))]; row != none)
      kept.add(row, all.column(k), all.value(k));
  kept.end();
}

void IndependentRows::g(const Placement& at, Out residual) const {
  all_.g(at, gap_);
  pick(gap_, residual);
}

void IndependentRows::jacobian(const Placement& at, Entries& J) const {
  all_.jacobian(at, J_all_);
  put_kept(J_all_, J);
}

void IndependentRows::velocity_bias(const Placement& at, Out w) const {
  all_.velocity_bias(at, rows_);
  pick(rows_, w);
}

void IndependentRows::bias(const Placement& at, In v, Out bias) const {
  all_.bias(at, v, rows_);
  pick(rows_, bias);
}

void IndependentRows::derivatives(const Placement& at, In v, In s, In a, In l, Derivatives& d) const {
  l_.setZero();
  for (std::size_t k = 0; k < kept_.size(); ++k) l_[kept_[k]] = l[static_cast<Eigen::Index>(k)];
  all_.derivatives(at, v, s, a, l_, d_all_);
  d.K = d_all_.K, d.D = d_all_.D, d.S = d_all_.S;
  d.k_q = d_all_.k_q, d.k_v = d_all_.k_v, d.k_s = d_all_.k_s;
  if (d_all_.B.size() > 0) put_kept(d_all_.B, d.B);
}

Outcome IndependentRows::solve_for_coefficients(double t, In q) const {
  all_.place_at(*at_, t, q);
  all_.mass(*at_, M_);
  jacobian(*at_, K_);
  length_.setZero();
  for (std::size_t k = 0; k < J_all_.size(); ++k) length_[J_all_.row(k)] += J_all_.value(k) * J_all_.value(k);
  for (double& length : length_) length = std::sqrt(length);
  for (std::size_t i = 0; i < dropped_.size(); ++i) {
    x_.setZero();
    for (std::size_t k = 0; k < J_all_.size(); ++k)
      if (J_all_.row(k) == dropped_[i]) x_[J_all_.column(k)] += J_all_.value(k);
    const Outcome outcome =
        i == 0 ? saddle_.solve(M_, K_, K_, x_, unseen_) : saddle_.solve_again(x_, unseen_);
    if (outcome != Outcome::ok) return outcome;
    const auto column = static_cast<Eigen::Index>(i);
    C_.row(column) = x_.tail(n_.rows()).transpose();
    left_.col(column).setZero();
    M_.multiply(x_.head(n_.v), 1, left_.col(column));
  }
  return Outcome::ok;
}

IndependentRows::Dependence IndependentRows::dependence(double t, In q) const {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  if (solve_for_coefficients(t, q) != Outcome::ok) return {unknown, 0};
  Dependence found;
  for (std::size_t i = 0; i < dropped_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double length = length_[dropped_[i]];
    if (!(length > 0)) continue;
    for (Eigen::Index k = 0; k < n_.rows(); ++k)
      found.coefficient = std::max(
          found.coefficient, std::abs(C_(row, k)) * length_[kept_[static_cast<std::size_t>(k)]] / length);
    found.sticking_out = std::max(found.sticking_out, left_.col(row).norm() / length);
  }
  return found;
}

IndependentRows::Conflict IndependentRows::conflict(const State& mine) const {
  all_.place_at(*at_, mine.t, part_.q(mine.y));
  all_.g(*at_, gap_);
  all_.velocity_bias(*at_, rows_);
  all_.jacobian(*at_, J_all_);
  J_all_.multiply(part_.v(mine.y), 1, rows_);
  double kept_gap = 0, kept_rate = 0;
  for (const Eigen::Index i : kept_) {
    if (i < n_all_.holonomic) kept_gap = std::max(kept_gap, std::abs(gap_[i]));
    kept_rate = std::max(kept_rate, std::abs(rows_[i]));
  }
  Conflict worst;
  constexpr double explained = 1e3;  // coefficients, lengths and curvatures taken together
  const auto look = [&](Eigen::Index row, double residual, double kept, double scale) {
    const double beyond = std::abs(residual) - explained * kept;
    if (beyond > may_leave_ * scale && beyond > worst.size) worst = {std::abs(residual), row};
  };
  for (const Eigen::Index i : dropped_) {
    if (i < n_all_.holonomic) look(i, gap_[i], kept_gap, 1 + largest(part_.q(mine.y)));
    look(i, rows_[i], kept_rate, 1 + largest(part_.v(mine.y)));
  }
  return worst;
}

void IndependentRows::widen(const State& mine, State& original, Depth depth) const {
  original.t = mine.t;
  original.y.resize(part_all_.size());
  original.y.head(part_.differential()) = mine.y.head(part_.differential());
  auto l = part_all_.multipliers(original.y);
  l.setConstant(not_a_number);
  if (depth != Depth::multipliers || !mine.y.allFinite()) return;
  if (solve_for_coefficients(mine.t, part_.q(mine.y)) != Outcome::ok) return;
  const auto k = part_.multipliers(mine.y);
  const auto missing = static_cast<Eigen::Index>(dropped_.size());
  if (missing == 0) {
    l = k;
    return;
  }
  gram_.setIdentity();
  gram_ += C_ * C_.transpose();
  const Vector of_dropped = gram_.llt().solve(C_ * k);
  for (Eigen::Index i = 0; i < missing; ++i) l[dropped_[static_cast<std::size_t>(i)]] = of_dropped[i];
  const Vector of_kept = k - C_.transpose() * of_dropped;
  for (std::size_t i = 0; i < kept_.size(); ++i) l[kept_[i]] = of_kept[static_cast<Eigen::Index>(i)];
}

void IndependentRows::narrow(const State& original, State& mine) const {
  mine.t = original.t;
  mine.y.resize(part_.size());
  mine.y.head(part_.differential()) = original.y.head(part_.differential());
  auto k = part_.multipliers(mine.y);
  const auto l = part_all_.multipliers(original.y);
  for (std::size_t i = 0; i < kept_.size(); ++i) k[static_cast<Eigen::Index>(i)] = l[kept_[i]];
  if (solve_for_coefficients(mine.t, part_.q(mine.y)) != Outcome::ok) return;
  for (std::size_t i = 0; i < dropped_.size(); ++i)
    k += l[dropped_[i]] * C_.row(static_cast<Eigen::Index>(i)).transpose();
}

}  // namespace dalembert
