#include "dalembert/multibody/mechanism.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string_view>

#include "dalembert/core/error.h"
#include "dalembert/core/pieces.h"
#include "dalembert/multibody/forces/turn_counter.h"
#include "dalembert/multibody/pose.h"

namespace dalembert {

void Mechanism::g(const Placement& at, Out residual) const {
  for (const auto& rows : rows_) rows->g(at, residual);
}

void Mechanism::jacobian(const Placement& at, Entries& J) const {
  J.begin();
  for (const auto& rows : rows_) rows->jacobian(at, J);
  J.end();
}

void Mechanism::velocity_bias(const Placement& at, Out w) const {
  for (const auto& rows : rows_) rows->velocity_bias(at, w);
}

void Mechanism::bias(const Placement& at, In v, Out bias) const {
  for (const auto& rows : rows_) rows->bias(at, v, bias);
}

void Mechanism::force(const Placement& at, In v, In s, Out f) const {
  body_force(at, v, f);
  add_forces(at, v, s, f);
}

void Mechanism::add_forces(const Placement& at, In v, In s, Out f) const {
  for (const auto& each : forces_) each->force(at, v, s, f);
}

bool Mechanism::rows_have_sums() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const auto& rows) { return rows->has_sums(); });
}

bool Mechanism::rows_are_driven() const {
  return !std::all_of(rows_.begin(), rows_.end(), [](const auto& rows) { return rows->conservative(); });
}

bool Mechanism::all_rows_differentiate() const {
  return std::all_of(rows_.begin(), rows_.end(),
                     [](const auto& rows) { return rows->differentiates_rows(); });
}

void Mechanism::rates_of_rows(const Placement& at, In v, Out rates) const {
  for (const auto& rows : rows_) rows->rates(at, v, rates);
}

void Mechanism::add_row_sums(const Placement& at, In v, In a, In l, Out motion, Out sums) const {
  for (const auto& rows : rows_) rows->add_sums(at, v, a, l, motion, sums);
}

void Mechanism::derivatives_of_rows(const Placement& at, In v, In a, Entries& X) const {
  X.begin();
  for (const auto& rows : rows_) rows->row_derivatives(at, v, a, X);
  X.end();
}

Fault Mechanism::diagnose(double t, In y) const {
  const MechanicalState part(sizes());
  const auto at = placed_at(t, part.q(y));
  for (const auto& each : forces_)
    if (std::string why = each->refusal(*at, part.s(y)); !why.empty())
      return {Outcome::out_of_range, std::move(why)};
  return Mechanical::diagnose(t, y);
}

void Mechanism::breaks_at(std::vector<double> times) {
  breaks_.push_back([times = std::move(times)](double begin, double end) {
    std::vector<double> inside;
    for (const double t : times)
      if (t > begin && t <= end) inside.push_back(t);
    return inside;
  });
}

std::vector<double> Mechanism::breaks(double begin, double end) const {
  std::vector<double> all;
  for (const BreakTimes& times : breaks_) {
    const std::vector<double> more = times(begin, end);
    all.insert(all.end(), more.begin(), more.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

Piece Mechanism::piece(const State& state) const {
  const MechanicalState part(sizes());
  const auto at = placed_at(state.t, part.q(state.y));
  Vector f = Vector::Zero(sizes().v), ds = Vector::Zero(sizes().s);
  PieceRecord record;
  force(*at, part.v(state.y), part.s(state.y), f);
  auxiliary(*at, part.v(state.y), part.s(state.y), ds);
  return record.piece();
}

void Mechanism::jump(const Placement& before, const Placement& after, Out s) const {
  for (const auto& each : forces_) each->jump(before, after, s);
}

std::vector<double> Mechanism::imposed(const Placement& at) const {
  std::vector<double> all;
  for (const auto& each : forces_) each->imposed(at, all);
  return all;
}

void Mechanism::auxiliary(const Placement& at, In v, In s, Out ds) const {
  for (const auto& each : forces_) each->auxiliary(at, v, s, ds);
}

void Mechanism::derivatives(const Placement& at, In v, In s, In, In l, Derivatives& d) const {
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->begin();
  body_derivatives(at, v, d);
  for (const auto& rows : rows_) {
    rows->geometric_stiffness(at, l, d.K);
    rows->velocity_jacobian(at, v, d.B);
  }
  for (const auto& each : forces_) each->derivatives(at, v, s, d);
  for (Entries* block : {&d.K, &d.D, &d.S, &d.B, &d.k_q, &d.k_v, &d.k_s}) block->end();
}

std::optional<double> Mechanism::energy(const Placement& at, In v, In s) const {
  double sum = body_energy(at, v);
  for (const auto& each : forces_) sum += each->energy(at, s);
  return sum;
}

double Mechanism::power(const Placement& at, In v, In s) const {
  double sum = 0;
  for (const auto& each : forces_) sum += each->power(at, v, s);
  return sum;
}

double Mechanism::dissipation(const Placement& at, In v, In s) const {
  double sum = 0;
  for (const auto& each : forces_) sum += each->dissipation(at, v, s);
  return sum;
}

double Forces::dissipation(const Placement& at, In v, In s) const {
  Vector f = Vector::Zero(v.size()), back = f;
  force(at, v, s, f);
  force(at, -v, s, back);
  return -v.dot(f - back) / 2;
}

bool Mechanism::conservative() const {
  const auto gentle = [](const auto& each) { return each->conservative(); };
  return std::all_of(forces_.begin(), forces_.end(), gentle) &&
         std::all_of(rows_.begin(), rows_.end(), gentle);
}

bool Mechanism::rows_stay_independent() const {
  constexpr std::string_view kinds[] = {"revolute",  "prismatic",   "fixed",     "slot",   "distance",
                                        "spherical", "cylindrical", "universal", "planar", "point-on-plane"};
  std::vector<int> tree(bodies_.size() + 1);  // of the ground, then of the bodies: who is nearer to the root
  std::iota(tree.begin(), tree.end(), 0);
  const auto root = [&](int body) {
    auto i = static_cast<std::size_t>(body + 1);
    while (tree[i] != static_cast<int>(i)) {
      tree[i] = tree[static_cast<std::size_t>(tree[i])];
      i = static_cast<std::size_t>(tree[i]);
    }
    return static_cast<int>(i);
  };
  Eigen::Index rows = 0;
  for (const JointRecord& joint : joints_) {
    const int a = root(joint.a), b = root(joint.b);
    if (a == b || std::find(std::begin(kinds), std::end(kinds), joint.kind) == std::end(kinds)) return false;
    tree[static_cast<std::size_t>(a)] = b;
    rows += joint.count + joint.count_velocity;
  }
  return rows == sizes().rows();
}

Mechanism::Body Mechanism::add_body(BodyRecord body) {
  static std::atomic<std::uint64_t> stamps{0};
  stamp_ = ++stamps;
  const BodyRecord& last = bodies_.empty() ? BodyRecord{} : bodies_.back();
  body.q = last.q + last.positions;
  body.v = last.v + last.velocities;
  bodies_.push_back(std::move(body));
  return static_cast<Body>(bodies_.size()) - 1;
}

Mechanism::Joint Mechanism::add_joint(JointRecord joint) {
  joint.first = static_cast<Eigen::Index>(holonomic_.size());
  joint.first_velocity = static_cast<Eigen::Index>(nonholonomic_.size());
  joints_.push_back(std::move(joint));
  return static_cast<Joint>(joints_.size()) - 1;
}

void Mechanism::must_turn(const std::string& joint, std::initializer_list<Body> these) const {
  for (const Body body : these)
    if (!turns(body))
      throw Error("joint '" + joint + "' would hold the orientation of '" +
                      bodies_[static_cast<std::size_t>(body)].name + "', a point mass: a point has no axis",
                  "make it a body with an inertia, or use a joint that holds a point only");
}

MeasurePtr Mechanism::coordinate(Joint joint, std::size_t which) const {
  const JointRecord& of = joints_[static_cast<std::size_t>(joint)];
  if (which < of.coordinates.size()) return of.coordinates[which];
  throw Error("joint '" + of.name + "' (" + of.kind + ") has " +
                  (of.coordinates.empty() ? "no coordinate" : "no coordinate of that number"),
              "revolute, prismatic and cylindrical joints have one or two");
}

Mechanism::Joint Mechanism::drive(const std::string& name, std::vector<Driven> all) {
  if (all.empty()) throw Error("drive '" + name + "' moves nothing", "give it a measure");
  const Joint joint = add_joint({.name = name, .kind = "drive"});
  const Measure& first = *all.front().measure;
  record(joint).a = body_of(first, 0), record(joint).b = body_of(first, first.count / 2);
  for (Driven& each : all) {
    const std::string unit = each.measure->unit == "rad" ? "N m" : "N";
    const Eigen::Index row = name_rows(Rows::Level::position, {{name + "." + each.row, unit}});
    record(joint).coordinates.push_back(each.measure);
    rows<DrivenRows>().drives.push_back({std::move(each.measure), std::move(each.f), row});
  }
  return joint;
}

Mechanism::Joint Mechanism::drive(const std::string& name, MeasurePtr measure, Motion f) {
  return drive(name, {{"drive", std::move(measure), std::move(f)}});
}

Mechanism::Joint Mechanism::drive(const std::string& name, Joint of, Motion f, std::size_t which) {
  const Joint joint = drive(name, coordinate(of, which), std::move(f));
  record(joint).a = record(of).a, record(joint).b = record(of).b;
  record(joint).on_a = record(of).on_a, record(joint).on_b = record(of).on_b;
  record(joint).axis_a = record(of).axis_a, record(joint).axis_b = record(of).axis_b;
  return joint;
}

void Mechanism::add_force(const std::string& name, MeasurePtr measure,
                          std::shared_ptr<const ForceElement> element) {
  if (measure->cyclic && element->needs_value()) {
    const State first = start();
    const auto at = placed_at(first);
    element = std::make_shared<TurnCounter>(std::move(element), measure->value(*at));
  }
  const auto states = element->states();
  forces<ForceElements>().actions.push_back({std::move(measure), std::move(element),
                                             name_states(name, states),
                                             static_cast<Eigen::Index>(states.size())});
}

std::optional<State> Mechanism::exact(double t) const {
  for (const State& state : known_)
    if (std::abs(state.t - t) <= 1e-12 * std::max(1., std::abs(t))) return state;
  return {};
}

std::map<std::string, double> Mechanism::small_entries() const {
  constexpr double usual = 0.1, least = 1e-7;  // m; what is nearer is meant to be in the same place
  std::map<std::string, double> small;
  const State begin = start();
  const auto at = placed_at(begin);
  const Layout names = layout();
  const auto box = bounding_box(*this, *at);
  if (const double size = box.isEmpty() ? 0 : box.diagonal().norm(); size > least && size < usual) {
    const Block& q = names["q"];
    for (std::size_t i = 0; i < q.units.size(); ++i)
      if (q.units[i] == "m") small["q." + q.labels[i]] = size;
  }
  const MechanicalState part(sizes());
  Vector of_states = Vector::Ones(part.s(begin.y).size());
  for (const auto& each : forces_) each->state_sizes(*at, part.v(begin.y), part.s(begin.y), of_states);
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (const double size = of_states[static_cast<Eigen::Index>(i)]; size < 1)
      small["s." + states_[i].label] = size;
  return small;
}

Layout Mechanism::layout() const {
  const Sizes n = sizes();
  return layout_.get(n.q + n.v + n.s + n.rows(), [this] { return layout_anew(); });
}

Mechanical::Sizes Mechanism::sizes() const {
  Sizes n;
  if (!bodies_.empty()) {
    n.q = bodies_.back().q + bodies_.back().positions;
    n.v = bodies_.back().v + bodies_.back().velocities;
  }
  n.s = static_cast<Eigen::Index>(states_.size());
  n.holonomic = static_cast<Eigen::Index>(holonomic_.size());
  n.nonholonomic = static_cast<Eigen::Index>(nonholonomic_.size());
  return n;
}

Mechanism::Body Mechanism::body_of(const Measure& measure, int i) const {
  const Eigen::Index column = measure.columns[static_cast<std::size_t>(i)];
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (column >= bodies_[b].v && column < bodies_[b].v + bodies_[b].velocities) return static_cast<Body>(b);
  return ground;
}

End Mechanism::end_of(Body body) const {
  if (body == ground) return {};
  const BodyRecord& of = bodies_[static_cast<std::size_t>(body)];
  return {body, static_cast<int>(of.v), of.velocities};
}

Eigen::Index Mechanism::name_rows(Rows::Level level, const std::vector<RowName>& names) {
  const bool position = level == Rows::Level::position;
  auto& list = position ? holonomic_ : nonholonomic_;
  const auto first = static_cast<Eigen::Index>(list.size());
  list.insert(list.end(), names.begin(), names.end());
  (position ? joints_.back().count : joints_.back().count_velocity) +=
      static_cast<Eigen::Index>(names.size());
  for (const auto& rows : rows_)
    if (rows->level() == Rows::Level::velocity) rows->before = static_cast<Eigen::Index>(holonomic_.size());
  return first;
}

Eigen::Index Mechanism::name_states(const std::string& owner, const std::vector<StateName>& names) {
  const auto first = static_cast<Eigen::Index>(states_.size());
  for (StateName each : names) {
    each.label = owner + "." + each.label;
    states_.push_back(std::move(each));
  }
  return first;
}

std::vector<Eigen::Index> Mechanism::turn_counters() const {
  std::vector<Eigen::Index> all;
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (states_[i].counts_turns) all.push_back(static_cast<Eigen::Index>(i));
  return all;
}

Vector Mechanism::start_of_states() const {
  Vector s(states_.size());
  for (std::size_t i = 0; i < states_.size(); ++i) s[static_cast<Eigen::Index>(i)] = states_[i].start;
  return s;
}

void Mechanism::name_rest(Names& names) const {
  for (const StateName& state : states_) names.s.push_back(state.label), names.s_units.push_back(state.unit);
  for (const RowName& row : holonomic_)
    names.lambda.push_back(row.label), names.lambda_units.push_back(row.unit);
  for (const RowName& row : nonholonomic_) names.mu.push_back(row.label), names.mu_units.push_back(row.unit);
}

}  // namespace dalembert
