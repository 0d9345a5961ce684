#include "dalembert/formulation/by_index/implicit_form.h"

#include <cmath>

namespace dalembert {

ImplicitForm::ImplicitForm(const Mechanical& problem, const Parameters& options, Statistics& statistics)
    : n_(problem.sizes()),
      part_(n_),
      plain_(problem.plain()),
      multipliers_(options.count("multipliers", 0, 1) == 0 ? Multipliers::computed : Multipliers::own),
      mechanics_(problem, Symmetry::symmetric, statistics),
      at_(mechanics_.make_placement()) {
  f_ = a_ = Vector::Zero(n_.v);
  l_ = Vector::Zero(n_.rows());
  const Layout all = problem.layout();
  for (Eigen::Index i = 0; i < part_.differential(); ++i)
    equations_.push_back((i < n_.q || i >= n_.q + n_.v ? "the rate of " : "the motion of ") + all.label(i));
}

Parameter ImplicitForm::multipliers_option() {
  return {"multipliers", 0, "", "0: computed from q and v; 1: as the method found them"};
}

void ImplicitForm::add_blocks(Indices index) {
  const Layout all = original().layout();
  for (const auto& b : all.blocks()) {
    const int own = b.name == "v"        ? index.v
                    : b.name == "lambda" ? index.lambda
                    : b.name == "mu"     ? index.mu
                                         : 1;
    if (own > 0) layout_.add(b.name, b.size, b.role, own, b.labels, b.units);
  }
}

void ImplicitForm::add_block(const std::string& name, Eigen::Index size, Role role, int index,
                             std::vector<std::string> labels) {
  if (size > 0) layout_.add(name, size, role, index, std::move(labels));
}

std::vector<std::string> ImplicitForm::row_labels(Eigen::Index first, Eigen::Index last) const {
  std::vector<std::string> labels;
  const Layout all = original().layout();
  for (Eigen::Index i = first; i < last; ++i) {
    const std::string label = all.label(part_.differential() + i);
    labels.push_back(label.substr(label.find('.') + 1));
  }
  return labels;
}

void ImplicitForm::name_rows(Level level, Eigen::Index first, Eigen::Index last) {
  const Layout all = original().layout();
  const std::string word = level == Level::position   ? "position"
                           : level == Level::velocity ? "velocity"
                                                      : "acceleration";
  for (Eigen::Index i = first; i < last; ++i)
    equations_.push_back("the " + word + " constraint " + all.label(part_.differential() + i));
}

std::string ImplicitForm::equation(Eigen::Index i) const {
  return equations_[static_cast<std::size_t>(i)];
}

// Multipliers that a problem leaves open are zero until the start has been made consistent.
State ImplicitForm::start() const {
  const State given = original().start();
  State mine{given.t, Vector::Zero(layout_.size())};
  const Eigen::Index common = std::min(part_.size(), mine.y.size());
  for (Eigen::Index i = 0; i < common; ++i)
    if (i < part_.differential() || std::isfinite(given.y[i])) mine.y[i] = given.y[i];
  return mine;
}

void ImplicitForm::enter(const State& original, State& mine) const {
  mine.t = original.t;
  const Eigen::Index common = std::min(part_.size(), mine.y.size());
  mine.y.head(common) = original.y.head(common);
  mine.y.tail(mine.y.size() - common).setZero();
}

Outcome ImplicitForm::recover(const State& mine, State& original, Depth depth) const {
  original.t = mine.t;
  original.y.head(part_.differential()) = mine.y.head(part_.differential());
  auto l = part_.multipliers(original.y);
  const bool have_own = mine.y.size() >= part_.size();
  if (have_own)
    l = part_.multipliers(mine.y);
  else
    l.setConstant(not_a_number);
  if (have_own && multipliers_ == Multipliers::own) return Outcome::ok;
  if (depth != Depth::multipliers) {
    l.setConstant(not_a_number);
    return Outcome::ok;
  }
  const Outcome outcome =
      mechanics_.accelerate(mine.t, part_.q(mine.y), part_.v(mine.y), part_.s(mine.y), {}, a_, l_);
  if (outcome == Outcome::ok && l_.allFinite()) {
    l = l_;
    return Outcome::ok;
  }
  return have_own ? Outcome::ok : outcome;
}

void ImplicitForm::rate(double t, In y, Out dy) const {
  dy.setZero();
  auto a = part_.v(dy);
  const auto v = part_.v(y), s = part_.s(y);
  if (mechanics_.accelerate(t, part_.q(y), v, s, {}, a, l_) != Outcome::ok) a.setConstant(not_a_number);
  original().tangent(mechanics_.here(), v, part_.q(dy));
  if (n_.s > 0) original().auxiliary(mechanics_.here(), v, s, part_.s(dy));
}

void ImplicitForm::place(double t, In q) const {
  mechanics_.problem().place_at(*at_, t, q);
  original().mass(*at_, M_);
  original().jacobian(*at_, J_);
}

void ImplicitForm::motion_residual(In y, In dy, In l, Out r) const {
  original().force(*at_, part_.v(y), part_.s(y), r);
  for (Eigen::Index i = 0; i < n_.v; ++i) r[i] = -r[i];
  M_.multiply(part_.v(dy), 1, r);
  J_.multiply_transposed(l, 1, r);
}

void ImplicitForm::velocity_residual(In v, Out r) const {
  original().velocity_bias(*at_, r);
  J_.multiply(v, 1, r);
}

void ImplicitForm::differential_residual(In y, In dy, In u, Out residual) const {
  auto rate = part_.q(residual);
  original().tangent(*at_, u, rate);
  rate = part_.q(dy) - rate;
  motion_residual(y, dy, part_.multipliers(y), part_.v(residual));
  auxiliary_residual(y, dy, residual);
}

void ImplicitForm::auxiliary_residual(In y, In dy, Out residual) const {
  if (n_.s == 0) return;
  auto ds = part_.s(residual);
  original().auxiliary(*at_, part_.v(y), part_.s(y), ds);
  ds = part_.s(dy) - ds;
}

void ImplicitForm::linearize(In y, In a, In l, In u) const {
  original().derivatives(*at_, part_.v(y), part_.s(y), a, l, d_);
  if (plain_) return;
  original().kinematics(*at_, u, kin_);
  if (inverse_rows_.empty()) {
    index_rows(kin_.inverse, n_.v, inverse_rows_);
    index_columns(kin_.N, n_.v, N_columns_);
  }
}

void ImplicitForm::index_rows(const Entries& matrix, Eigen::Index rows, ByRow& by) {
  by.resize(static_cast<std::size_t>(rows));
  for (std::size_t k = 0; k < matrix.size(); ++k) by[static_cast<std::size_t>(matrix.row(k))].push_back(k);
}

void ImplicitForm::index_columns(const Entries& matrix, Eigen::Index columns, ByRow& by) {
  by.resize(static_cast<std::size_t>(columns));
  for (std::size_t k = 0; k < matrix.size(); ++k) by[static_cast<std::size_t>(matrix.column(k))].push_back(k);
}

void ImplicitForm::put(Entries& to, const Entries& block, Eigen::Index row0, Eigen::Index col0,
                       double scale) {
  put(to, block, Rows{}, row0, col0, scale);
}

void ImplicitForm::put(Entries& to, const Entries& block, Rows rows, Eigen::Index row0, Eigen::Index col0,
                       double scale) {
  for (std::size_t k = 0; k < block.size(); ++k)
    if (block.row(k) >= rows.first && block.row(k) < rows.last)
      to.add(row0 + block.row(k) - rows.first, col0 + block.column(k), scale * block.value(k));
}

void ImplicitForm::put_transposed(Entries& to, const Entries& block, Rows rows, Eigen::Index row0,
                                  Eigen::Index col0, double scale) {
  for (std::size_t k = 0; k < block.size(); ++k)
    if (block.row(k) >= rows.first && block.row(k) < rows.last)
      to.add(row0 + block.column(k), col0 + block.row(k) - rows.first, scale * block.value(k));
}

void ImplicitForm::put_identity(Entries& to, Eigen::Index row0, Eigen::Index col0, Eigen::Index n,
                                double scale) {
  for (Eigen::Index i = 0; i < n; ++i) to.add(row0 + i, col0 + i, scale);
}

void ImplicitForm::put_along(Entries& to, const Entries& block, Rows rows, Eigen::Index row0,
                             double scale) const {
  if (plain_) return put(to, block, rows, row0, 0, scale);
  for (std::size_t k = 0; k < block.size(); ++k)
    if (block.row(k) >= rows.first && block.row(k) < rows.last)
      for (const std::size_t i : inverse_rows_[static_cast<std::size_t>(block.column(k))])
        to.add(row0 + block.row(k) - rows.first, kin_.inverse.column(i),
               scale * block.value(k) * kin_.inverse.value(i));
}

void ImplicitForm::put_lifted(Entries& to, const Entries& block, Eigen::Index col0, double scale) const {
  if (plain_) return put(to, block, 0, col0, scale);
  for (std::size_t k = 0; k < block.size(); ++k)
    for (const std::size_t i : N_columns_[static_cast<std::size_t>(block.row(k))])
      to.add(kin_.N.row(i), col0 + block.column(k), scale * block.value(k) * kin_.N.value(i));
}

void ImplicitForm::put_lifted_along(Entries& to, const Entries& block, double scale) const {
  if (plain_) return put(to, block, 0, 0, scale);
  for (std::size_t k = 0; k < block.size(); ++k)
    for (const std::size_t i : N_columns_[static_cast<std::size_t>(block.row(k))])
      for (const std::size_t j : inverse_rows_[static_cast<std::size_t>(block.column(k))])
        to.add(kin_.N.row(i), kin_.inverse.column(j),
               scale * kin_.N.value(i) * block.value(k) * kin_.inverse.value(j));
}

void ImplicitForm::differential_blocks(Entries& F_y, Entries& F_dy) const {
  const Eigen::Index v0 = n_.q, s0 = n_.q + n_.v;
  if (plain_) {
    put_identity(F_y, 0, v0, n_.v, -1);
  } else {
    put(F_y, kin_.Nv_q, 0, 0, -1);
    put(F_y, kin_.N, 0, v0, -1);
  }
  put_along(F_y, d_.K, Rows{}, v0, 1);
  put(F_y, d_.D, v0, v0, 1);
  put(F_y, d_.S, v0, s0, 1);
  put_identity(F_dy, 0, 0, n_.q, 1);
  put(F_dy, M_, v0, v0, 1);
  auxiliary_blocks(F_y, F_dy);
}

void ImplicitForm::auxiliary_blocks(Entries& F_y, Entries& F_dy) const {
  const Eigen::Index v0 = n_.q, s0 = n_.q + n_.v;
  put_along(F_y, d_.k_q, Rows{}, s0, -1);
  put(F_y, d_.k_v, s0, v0, -1);
  put(F_y, d_.k_s, s0, s0, -1);
  put_identity(F_dy, s0, s0, n_.s, 1);
}

void ImplicitForm::multiplier_block(Entries& F_y) const {
  put_transposed(F_y, J_, Rows{}, n_.q, part_.differential(), 1);
}

void ImplicitForm::position_rows(Entries& F_y, Eigen::Index row0) const {
  put_along(F_y, J_, {0, n_.holonomic}, row0, 1);
}

void ImplicitForm::velocity_rows(Entries& F_y, Eigen::Index row0, Rows rows) const {
  put_along(F_y, d_.B, rows, row0, 1);
  put(F_y, J_, rows, row0, n_.q, 1);
}

}  // namespace dalembert
