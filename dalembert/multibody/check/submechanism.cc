#include "dalembert/multibody/check/submechanism.h"

#include <algorithm>

#include "dalembert/core/index.h"
#include "dalembert/multibody/check/loops.h"

namespace dalembert {

namespace {

/// What the whole keeps for a position.
struct PartPlacement : Placement {
  std::unique_ptr<Placement> whole;
};

const Placement& wide(const Placement& at) {
  return *static_cast<const PartPlacement&>(at).whole;
}

/// The entries whose row and column both have a place.
void select(const Entries& from, const std::vector<Eigen::Index>& row,
            const std::vector<Eigen::Index>& column, Entries& to) {
  to.begin();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const Eigen::Index i = row[at(from.row(k))], j = column[at(from.column(k))];
    if (i >= 0 && j >= 0) to.add(i, j, from.value(k));
  }
  to.end();
}

void number(const std::vector<Eigen::Index>& chosen, Eigen::Index all, std::vector<Eigen::Index>& narrow) {
  narrow.assign(at(all), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k) narrow[at(chosen[k])] = static_cast<Eigen::Index>(k);
}

}  // namespace

Submechanism::Submechanism(const Mechanism& whole, std::vector<Mechanism::Joint> joints, State around)
    : whole_(whole), joints_(std::move(joints)), around_(std::move(around)), all_(whole.sizes()) {
  std::sort(joints_.begin(), joints_.end());
  std::vector<int> bodies;
  const auto held = bodies_held(whole);
  for (const auto j : joints_) {
    const JointRecord& joint = whole.joints()[at(j)];
    for (Eigen::Index i = 0; i < joint.count; ++i) rows_.push_back(joint.first + i);
    bodies.insert(bodies.end(), held[at(j)].begin(), held[at(j)].end());
  }
  n_.holonomic = static_cast<Eigen::Index>(rows_.size());
  for (const auto j : joints_) {
    const JointRecord& joint = whole.joints()[at(j)];
    for (Eigen::Index i = 0; i < joint.count_velocity; ++i)
      rows_.push_back(all_.holonomic + joint.first_velocity + i);
  }
  n_.nonholonomic = static_cast<Eigen::Index>(rows_.size()) - n_.holonomic;
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  for (const int b : bodies) {
    const BodyRecord& body = whole.bodies()[at(b)];
    for (int i = 0; i < body.positions; ++i) positions_.push_back(body.q + i);
    for (int i = 0; i < body.velocities; ++i) velocities_.push_back(body.v + i);
  }
  n_.q = static_cast<Eigen::Index>(positions_.size());
  n_.v = static_cast<Eigen::Index>(velocities_.size());
  number(rows_, all_.rows(), narrow_row_);
  number(velocities_, all_.v, narrow_velocity_);
}

Vector Submechanism::wide_velocities(In v) const {
  Vector all = Vector::Zero(all_.v);
  all(velocities_) = v;
  return all;
}

Vector Submechanism::wide_positions(In q) const {
  Vector all = around_.y.head(all_.q);
  all(positions_) = q;
  return all;
}

Layout Submechanism::layout() const {
  const Layout all = whole_.layout();
  const MechanicalState part(all_);
  Names names;
  const auto copy = [&](const char* block, const std::vector<Eigen::Index>& chosen, Eigen::Index from,
                        std::size_t begin, std::size_t end, auto& labels, auto& units) {
    if (begin == end) return;
    const Block& of = all[block];
    for (std::size_t k = begin; k < end; ++k) {
      labels.push_back(of.labels[at(chosen[k] - from)]);
      units.push_back(of.units[at(chosen[k] - from)]);
    }
  };
  copy("q", positions_, 0, 0, positions_.size(), names.q, names.q_units);
  copy("v", velocities_, 0, 0, velocities_.size(), names.v, names.v_units);
  copy("lambda", rows_, 0, 0, at(n_.holonomic), names.lambda, names.lambda_units);
  copy("mu", rows_, all_.holonomic, at(n_.holonomic), rows_.size(), names.mu, names.mu_units);
  return mechanical_layout(std::move(names));
}

State Submechanism::start() const {
  State state{around_.t, Vector::Zero(n_.q + n_.v + n_.rows())};
  state.y.head(n_.q) = around_.y.head(all_.q)(positions_);
  state.y.segment(n_.q, n_.v) = around_.y.segment(all_.q, all_.v)(velocities_);
  return state;
}

State Submechanism::widen(const State& mine) const {
  State state = around_;
  state.t = mine.t;
  state.y.head(all_.q) = wide_positions(mine.y.head(n_.q));
  for (std::size_t k = 0; k < velocities_.size(); ++k)
    state.y[all_.q + velocities_[k]] = mine.y[n_.q + static_cast<Eigen::Index>(k)];
  return state;
}

std::unique_ptr<Placement> Submechanism::placement() const {
  auto place = std::make_unique<PartPlacement>();
  place->whole = whole_.placement();
  return place;
}

void Submechanism::place(Placement& at) const {
  Placement& all = *static_cast<PartPlacement&>(at).whole;
  all.t = at.t;
  all.q = wide_positions(at.q);
  whole_.place(all);
}

void Submechanism::tangent(const Placement& at, In u, Out dq) const {
  Vector all(all_.q);
  whole_.tangent(wide(at), wide_velocities(u), all);
  dq = all(positions_);
}

void Submechanism::advance(const Placement& at, In u, Out q) const {
  Vector all(all_.q);
  whole_.advance(wide(at), wide_velocities(u), all);
  q = all(positions_);
}

void Submechanism::difference(In from, In to, Out u) const {
  Vector all(all_.v);
  whole_.difference(wide_positions(from), wide_positions(to), all);
  u = all(velocities_);
}

void Submechanism::mass(const Placement& at, Entries& M) const {
  Entries all;
  whole_.mass(wide(at), all);
  select(all, narrow_velocity_, narrow_velocity_, M);
}

void Submechanism::force(const Placement& at, In v, In, Out f) const {
  Vector all(all_.v);
  const MechanicalState part(all_);
  whole_.force(wide(at), wide_velocities(v), part.s(around_.y), all);
  f = all(velocities_);
}

void Submechanism::g(const Placement& at, Out residual) const {
  Vector all(all_.holonomic);
  whole_.g(wide(at), all);
  for (Eigen::Index i = 0; i < n_.holonomic; ++i) residual[i] = all[rows_[static_cast<std::size_t>(i)]];
}

void Submechanism::jacobian(const Placement& at, Entries& J) const {
  Entries all;
  whole_.jacobian(wide(at), all);
  select(all, narrow_row_, narrow_velocity_, J);
}

void Submechanism::velocity_bias(const Placement& at, Out w) const {
  Vector all(all_.rows());
  whole_.velocity_bias(wide(at), all);
  w = all(rows_);
}

void Submechanism::bias(const Placement& at, In v, Out bias) const {
  Vector all(all_.rows());
  whole_.bias(wide(at), wide_velocities(v), all);
  bias = all(rows_);
}

}  // namespace dalembert
