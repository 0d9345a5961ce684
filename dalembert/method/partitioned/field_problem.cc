#include "dalembert/method/partitioned/field_problem.h"

#include <algorithm>

namespace dalembert {

namespace {

constexpr Eigen::Index elsewhere = -1;

void gather(const Vector& whole, const std::vector<Eigen::Index>& entries, Out part) {
  for (std::size_t i = 0; i < entries.size(); ++i) part[static_cast<Eigen::Index>(i)] = whole[entries[i]];
}

void scatter(In part, const std::vector<Eigen::Index>& entries, Vector& whole) {
  for (std::size_t i = 0; i < entries.size(); ++i) whole[entries[i]] = part[static_cast<Eigen::Index>(i)];
}

}  // namespace

FieldShape::FieldShape(const Partitioned& all, std::size_t field)
    : q(static_cast<Eigen::Index>(all.fields()[field].q.size())),
      v(static_cast<Eigen::Index>(all.fields()[field].v.size())),
      s(static_cast<Eigen::Index>(all.fields()[field].s.size())),
      rows(static_cast<Eigen::Index>(all.rows_of(field).size())) {}

/// The whole at one instant: this field where it is placed, the others as given. Scratch belongs to whoever owns the
/// placement, so it may change while the position does not.
struct FieldProblem::Here final : Placement {
  std::unique_ptr<Placement> whole;
  mutable unsigned epoch = 0;
  mutable Vector v, s, a, lambda;  // of the whole
  mutable Vector f, rows, g, u, q_whole, ds;
  mutable std::vector<Vector> samples;
  mutable Entries M, J;
  std::unique_ptr<Placement> lagged;  // the whole with this field where it was in the previous iterate
  mutable Vector v_before, s_before;
};

FieldProblem::FieldProblem(const Partitioned& all, std::size_t field, std::vector<std::size_t> carriers)
    : all_(all),
      whole_(*all.whole()),
      field_(field),
      mine_(all.fields()[field]),
      carriers_(std::move(carriers)) {
  const Sizes n = whole_.sizes();
  for (std::size_t j = 0; j < all.fields().size(); ++j) shapes_.emplace_back(all, j);
  n_ = {.q = shapes_[field].q, .v = shapes_[field].v, .s = shapes_[field].s};
  v_here_.assign(static_cast<std::size_t>(n.v), elsewhere);
  row_here_.assign(static_cast<std::size_t>(n.rows()), elsewhere);
  for (std::size_t i = 0; i < mine_.v.size(); ++i)
    v_here_[static_cast<std::size_t>(mine_.v[i])] = static_cast<Eigen::Index>(i);
  for (const Eigen::Index r : all.rows_of(field)) {
    if (carriers_[static_cast<std::size_t>(r)] != field) {
      given_.push_back(r);
      continue;
    }
    row_here_[static_cast<std::size_t>(r)] = static_cast<Eigen::Index>(rows_.size());
    rows_.push_back(r);
    ++(r < n.holonomic ? n_.holonomic : n_.nonholonomic);
  }
}

void FieldProblem::listen(const std::vector<Trace>& traces) {
  traces_ = &traces;
  ++epoch_;
}

Layout FieldProblem::layout() const {
  const Layout whole = whole_.layout();
  const auto labels = [&](const std::vector<Eigen::Index>& entries, Eigen::Index offset) {
    std::vector<std::string> some;
    for (const Eigen::Index i : entries) some.push_back(whole.label(offset + i));
    return some;
  };
  const Sizes n = whole_.sizes();
  Names names{.q = labels(mine_.q, 0), .v = labels(mine_.v, n.q), .s = labels(mine_.s, n.q + n.v)};
  for (const Eigen::Index r : rows_)
    (r < n.holonomic ? names.lambda : names.mu).push_back(whole.label(n.q + n.v + n.s + r));
  return mechanical_layout(std::move(names));
}

State FieldProblem::start() const {
  const State whole = whole_.start();
  const MechanicalState from(whole_.sizes()), to(n_);
  State state{whole.t, Vector::Zero(to.size())};
  gather(Vector(from.q(whole.y)), mine_.q, to.q(state.y));
  gather(Vector(from.v(whole.y)), mine_.v, to.v(state.y));
  gather(Vector(from.s(whole.y)), mine_.s, to.s(state.y));
  return state;
}

std::unique_ptr<Placement> FieldProblem::placement() const {
  const Sizes n = whole_.sizes();
  auto at = std::make_unique<Here>();
  at->whole = whole_.placement();
  at->lagged = whole_.placement();
  at->whole->q = at->lagged->q = Vector::Zero(n.q);
  at->v_before = Vector::Zero(n.v);
  at->s_before = Vector::Zero(n.s);
  at->v = at->a = at->f = at->u = Vector::Zero(n.v);
  at->s = at->ds = Vector::Zero(n.s);
  at->lambda = at->rows = Vector::Zero(n.rows());
  at->g = Vector::Zero(n.holonomic);
  at->q_whole = Vector::Zero(n.q);
  for (const auto& shape : shapes_) at->samples.push_back(Vector::Zero(shape.size()));
  return at;
}

void FieldProblem::place(Placement& at) const {
  fill(static_cast<Here&>(at));
}

const FieldProblem::Here& FieldProblem::here(const Placement& at) const {
  const auto& mine = static_cast<const Here&>(at);
  if (mine.epoch != epoch_) fill(mine);
  return mine;
}

void FieldProblem::fill(const Here& at) const {
  at.epoch = epoch_;
  at.whole->t = at.t;
  scatter(at.q, mine_.q, at.whole->q);
  for (std::size_t k = 0; k < shapes_.size(); ++k) {
    if (k == field_) continue;
    const auto& other = all_.fields()[k];
    const FieldShape& shape = shapes_[k];
    Vector& x = at.samples[k];
    (*traces_)[k].at(at.t, x);
    scatter(shape.positions(x), other.q, at.whole->q);
    scatter(shape.velocities(x), other.v, at.v);
    scatter(shape.states(x), other.s, at.s);
    scatter(shape.accelerations(x), other.v, at.a);
    const auto& rows = all_.rows_of(k);
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (carriers_[static_cast<std::size_t>(rows[r])] == k)
        at.lambda[rows[r]] = shape.multipliers(x)[static_cast<Eigen::Index>(r)];
  }
  whole_.place(*at.whole);
  whole_.mass(*at.whole, at.M);
  whole_.jacobian(*at.whole, at.J);
  if (before_ == nullptr) return;
  const FieldShape& shape = shapes_[field_];
  Vector& x = at.samples[field_];
  before_->at(at.t, x);
  at.lagged->t = at.t;
  at.lagged->q = at.whole->q;
  at.v_before = at.v;
  at.s_before = at.s;
  scatter(shape.positions(x), mine_.q, at.lagged->q);
  scatter(shape.velocities(x), mine_.v, at.v_before);
  scatter(shape.states(x), mine_.s, at.s_before);
  whole_.place(*at.lagged);
}

void FieldProblem::put_own(const Here& at, In v, In s) const {
  scatter(v, mine_.v, at.v);
  scatter(s, mine_.s, at.s);
}

void FieldProblem::all_multipliers(const Placement& placement, In own, Out all) const {
  const Here& at = here(placement);
  const auto& rows = all_.rows_of(field_);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Eigen::Index mine = row_here_[static_cast<std::size_t>(rows[r])];
    all[static_cast<Eigen::Index>(r)] = mine == elsewhere ? at.lambda[rows[r]] : own[mine];
  }
}

void FieldProblem::tangent(const Placement& placement, In u, Out dq) const {
  if (plain()) {
    copy(u, dq);
    return;
  }
  const Here& at = here(placement);
  at.u.setZero();
  scatter(u, mine_.v, at.u);
  whole_.tangent(*at.whole, at.u, at.q_whole);
  gather(at.q_whole, mine_.q, dq);
}

void FieldProblem::advance(const Placement& placement, In u, Out q) const {
  const Here& at = here(placement);
  at.u.setZero();
  scatter(u, mine_.v, at.u);
  whole_.advance(*at.whole, at.u, at.q_whole);
  gather(at.q_whole, mine_.q, q);
}

void FieldProblem::mass(const Placement& placement, Entries& M) const {
  const Entries& all = here(placement).M;
  M.begin();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Eigen::Index i = v_here_[static_cast<std::size_t>(all.row(k))],
                       j = v_here_[static_cast<std::size_t>(all.column(k))];
    if (i != elsewhere && j != elsewhere) M.add(i, j, all.value(k));
  }
  M.end();
}

void FieldProblem::jacobian(const Placement& placement, Entries& J) const {
  const Entries& all = here(placement).J;
  J.begin();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Eigen::Index i = row_here_[static_cast<std::size_t>(all.row(k))],
                       j = v_here_[static_cast<std::size_t>(all.column(k))];
    if (i != elsewhere && j != elsewhere) J.add(i, j, all.value(k));
  }
  J.end();
}

void FieldProblem::force(const Placement& placement, In v, In s, Out f) const {
  const Here& at = here(placement);
  put_own(at, v, s);
  if (before_ == nullptr)
    whole_.force(*at.whole, at.v, at.s, at.f);
  else
    whole_.force(*at.lagged, at.v_before, at.s_before, at.f);
  for (std::size_t k = 0; k < at.M.size(); ++k)
    if (v_here_[static_cast<std::size_t>(at.M.row(k))] != elsewhere &&
        v_here_[static_cast<std::size_t>(at.M.column(k))] == elsewhere)
      at.f[at.M.row(k)] -= at.M.value(k) * at.a[at.M.column(k)];
  for (std::size_t k = 0; k < at.J.size(); ++k)
    if (row_here_[static_cast<std::size_t>(at.J.row(k))] == elsewhere &&
        v_here_[static_cast<std::size_t>(at.J.column(k))] != elsewhere)
      at.f[at.J.column(k)] -= at.J.value(k) * at.lambda[at.J.row(k)];
  gather(at.f, mine_.v, f);
}

void FieldProblem::auxiliary(const Placement& placement, In v, In s, Out ds) const {
  const Here& at = here(placement);
  put_own(at, v, s);
  whole_.auxiliary(*at.whole, at.v, at.s, at.ds);
  gather(at.ds, mine_.s, ds);
}

void FieldProblem::g(const Placement& placement, Out residual) const {
  const Here& at = here(placement);
  whole_.g(*at.whole, at.g);
  for (Eigen::Index i = 0; i < n_.holonomic; ++i) residual[i] = at.g[rows_[static_cast<std::size_t>(i)]];
}

/// The others move as given: what they add to the rows is a drive.
void FieldProblem::velocity_bias(const Placement& placement, Out w) const {
  const Here& at = here(placement);
  whole_.velocity_bias(*at.whole, at.rows);
  for (std::size_t k = 0; k < at.J.size(); ++k)
    if (v_here_[static_cast<std::size_t>(at.J.column(k))] == elsewhere)
      at.rows[at.J.row(k)] += at.J.value(k) * at.v[at.J.column(k)];
  gather(at.rows, rows_, w);
}

void FieldProblem::bias(const Placement& placement, In v, Out bias) const {
  const Here& at = here(placement);
  scatter(v, mine_.v, at.v);
  whole_.bias(*at.whole, at.v, at.rows);
  for (std::size_t k = 0; k < at.J.size(); ++k)
    if (v_here_[static_cast<std::size_t>(at.J.column(k))] == elsewhere)
      at.rows[at.J.row(k)] += at.J.value(k) * at.a[at.J.column(k)];
  gather(at.rows, rows_, bias);
}

}  // namespace dalembert
