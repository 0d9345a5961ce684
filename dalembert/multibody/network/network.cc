#include "dalembert/multibody/network/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/core/index.h"
#include "dalembert/multibody/measure_state.h"
#include "dalembert/multibody/network/network_work.h"

namespace dalembert {

Network::Network() : work_(std::make_unique<PerThread<Work>>([] { return std::make_unique<Work>(); })) {}
Network::~Network() = default;

int Network::node(const std::string& name, Domain domain) {
  nodes_.push_back({name, domain});
  return static_cast<int>(nodes_.size()) - 1;
}

int Network::measure_number(MeasurePtr measure) {
  if (!measure) return -1;
  const auto known = std::find(measures_.begin(), measures_.end(), measure);
  if (known != measures_.end()) return static_cast<int>(known - measures_.begin());
  measures_.push_back(std::move(measure));
  return static_cast<int>(measures_.size()) - 1;
}

void Network::add(const std::string& name, std::vector<int> nodes, std::shared_ptr<const Branch> branch,
                  MeasurePtr along) {
  branches_.push_back({name, nodes, std::move(branch), measure_number(std::move(along))});
  branches_.back().drawn = std::move(nodes);
}

void Network::store(const std::string& name, std::array<int, 2> nodes, std::shared_ptr<const Store> store,
                    MeasurePtr along) {
  stores_.push_back({name, nodes, std::move(store), measure_number(std::move(along))});
}

void Network::impose(const std::string& name, std::array<int, 2> nodes, Motion U) {
  sources_.push_back({name, nodes, std::move(U)});
}

std::vector<std::string> Network::names() const {
  std::vector<std::string> all;
  for (const Record& each : branches_) all.push_back(each.name);
  for (const StoreRecord& each : stores_) all.push_back(each.name);
  for (const Source& each : sources_) all.push_back(each.name);
  return all;
}

Network::Domain Network::domain_of(std::size_t which) const {
  std::vector<int> of;
  if (which < branches_.size())
    of = branches_[which].nodes;
  else if ((which -= branches_.size()) < stores_.size())
    of = {stores_[which].nodes.begin(), stores_[which].nodes.end()};
  else
    of = {sources_[which - stores_.size()].nodes.begin(), sources_[which - stores_.size()].nodes.end()};
  const auto named = std::find_if(of.begin(), of.end(), [](int node) { return node != ground; });
  return named == of.end() ? Domain::electrical : nodes_[at(*named)].domain;
}

Network::Reading Network::read(const Placement& place, In v, In s, In multipliers) const {
  const Work& w = evaluated(place, v, s);
  Reading all;
  all.potentials.assign(w.e.begin(), w.e.end());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (const OilRows* oil = nodes_[i].oil) all.potentials[i] = multipliers[oil->multiplier(nodes_[i].row)];
  const auto difference = [&](int a, int b) {
    return (a == ground ? 0 : all.potentials[at(a)]) - (b == ground ? 0 : all.potentials[at(b)]);
  };
  const auto add = [&](double current, double across, double power) {
    all.currents.push_back(current);
    all.differences.push_back(across);
    all.powers.push_back(power);
  };
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const auto& of = branches_[b].drawn;
    double taken = w.taken[b];
    for (std::size_t k = 0; k < of.size();
         ++k)  // given flows: what leaves the first node comes out of the second
      if (is_held(of[k])) taken += (k == 0 ? 1 : -1) * w.I[b][0] * all.potentials[at(of[k])];
    add(w.I[b][0], difference(of[0], of.size() > 1 ? of[1] : ground), taken);
  }
  for (std::size_t k = 0; k < stores_.size(); ++k) {
    const double across = difference(stores_[k].nodes[0], stores_[k].nodes[1]),
                 I = w.C[pos(k)] * w.du[pos(k)];
    add(I, across, I * across);
  }
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    double I = -w.through[pos(k)];
    for (std::size_t b = 0; b < stores_.size(); ++b)
      for (const Term& term : stores_[b].across.imposed)
        if (term.column == static_cast<int>(k)) I -= term.sign * w.C[pos(b)] * w.du[pos(b)];
    add(I, w.U[pos(k)], I * w.U[pos(k)]);
  }
  return all;
}

void Network::force(const Placement& place, In v, In s, Out f) const {
  if (measures_.empty()) return;
  const Work& w = evaluated(place, v, s);
  for (std::size_t m = 0; m < measures_.size(); ++m) {
    const MeasureState r(*measures_[m], place, v);
    for (int i = 0; i < r.measure.count; ++i)
      if (const Eigen::Index k = r.column(i); k >= 0) f[k] -= w.G[columns() + pos(m)] * r.gradient[i];
  }
}

void Network::auxiliary(const Placement& place, In v, In s, Out ds) const {
  ds.segment(first_, states_) = evaluated(place, v, s).ds;
}

double Network::imposed_on(const StoreRecord& of, double t) const {
  double sum = 0;
  for (const Term& term : of.across.imposed) sum += term.sign * sources_[at(term.column)].U(t).f;
  return sum;
}

void Network::imposed(const Placement& place, std::vector<double>& all) const {
  for (const StoreRecord& of : stores_)
    if (!of.across.imposed.empty() && !of.across.terms.empty()) all.push_back(imposed_on(of, place.t));
}

/// Where a source jumps in a loop of stores charges cannot leave: sum of sign C du = 0 over the stores at each voltage. Between two nodes
/// there are capacitors only, whose C is constant; what lies at a node alone does not jump.
void Network::jump(const Placement& before, const Placement& after, Out s) const {
  const bool in_loops = std::any_of(stores_.begin(), stores_.end(),
                                    [](const StoreRecord& of) { return !of.across.imposed.empty(); });
  if (!in_loops || kept_ == 0) return;
  Matrix kept = Matrix::Zero(kept_, kept_);
  Vector charge = Vector::Zero(kept_);
  for (const StoreRecord& of : stores_) {
    const auto [u, c] = stretched(of, before, s.segment(first_, states_));
    const double C = of.store->capacity(u, c).value;
    const double imposed = imposed_on(of, after.t) - imposed_on(of, before.t);
    for (const Term& i : of.across.terms) {
      charge[i.column] += i.sign * C * imposed;
      for (const Term& j : of.across.terms) kept(i.column, j.column) += i.sign * C * j.sign;
    }
  }
  s.segment(first_, kept_) -= kept.partialPivLu().solve(charge);
}

void Network::derivatives(const Placement& place, In v, In s, Derivatives& d) const {
  Work& w = evaluated(place, v, s);
  differentiate(w);
  const auto n = pos(measures_.size());
  const auto by = w.A.bottomRightCorner(states_ + n, states_ + 2 * n);
  for (Eigen::Index i = 0; i < states_; ++i)
    for (Eigen::Index j = 0; j < states_; ++j) d.k_s.add(first_ + i, first_ + j, by(i, j));
  for (Eigen::Index m = 0; m < n; ++m) {
    const MeasureState r(*measures_[at(m)], place, v);
    double hessian[Measure::most * Measure::most], by_q[Measure::most];
    r.rate_gradient(place, v, hessian, by_q);
    const int count = r.measure.count;
    for (int j = 0; j < count; ++j) {
      const Eigen::Index column = r.column(j);
      if (column < 0) continue;
      for (Eigen::Index k = 0; k < states_; ++k) {
        const double by_c = by(k, states_ + m), by_rate = by(k, states_ + n + m);
        d.k_q.add(first_ + k, column, by_c * r.gradient[j] + by_rate * by_q[j]);
        d.k_v.add(first_ + k, column, by_rate * r.gradient[j]);
        d.S.add(column, first_ + k, by(states_ + m, k) * r.gradient[j]);
      }
      for (int i = 0; i < count; ++i)
        if (const Eigen::Index row = r.column(i); row >= 0)
          d.K.add(row, column, w.G[columns() + m] * hessian[i * count + j]);
      for (Eigen::Index l = 0; l < n; ++l) {  // the force along l changes with this measure
        const MeasureState other(*measures_[at(l)], place, v);
        const double by_c = by(states_ + l, states_ + m), by_rate = by(states_ + l, states_ + n + m);
        for (int i = 0; i < other.measure.count; ++i)
          if (const Eigen::Index row = other.column(i); row >= 0) {
            d.K.add(row, column, other.gradient[i] * (by_c * r.gradient[j] + by_rate * by_q[j]));
            d.D.add(row, column, other.gradient[i] * by_rate * r.gradient[j]);
          }
      }
    }
  }
}

/// The difference of potentials across a store, and its measure.
std::array<double, 2> Network::stretched(const StoreRecord& of, const Placement& place, In mine) const {
  double u = 0;
  for (const Term& term : of.across.terms) u += term.sign * mine[term.column];
  u += imposed_on(of, place.t);
  return {u, of.measure < 0 ? 0 : measures_[at(of.measure)]->value(place)};
}

std::string Network::refusal(const Placement& place, In s) const {
  const auto mine = s.segment(first_, states_);
  for (const StoreRecord& each : stores_) {
    const auto [u, c] = stretched(each, place, mine);
    if (const std::string why = each.store->refusal(u, c); !why.empty()) return "'" + each.name + "' " + why;
  }
  return {};
}

/// A current of an inductor is known as well as it must be for potentials to be known to the same part of a volt; the flow of a pipe as
/// part of what a small pump gives, because a cubic metre in a second is a river.
void Network::state_sizes(const Placement& place, In v, In s, Out sizes) const {
  constexpr double little = 1e-6, smallest = 1e-6;  // A; a diode that is shut would ask for any
  constexpr double small_pump = 1e-5;               // m^3/s
  const Vector before = evaluated(place, v, s).e;
  Vector moved = s;
  for (std::size_t b = 0; b < branches_.size(); ++b) {
    const Record& each = branches_[b];
    if (each.state < 0) continue;
    if (domain_of(b) == Domain::hydraulic) {
      sizes[first_ + each.state] = small_pump;
      continue;
    }
    double most = 0;
    for (const double by : {little, -little}) {
      moved[first_ + each.state] = s[first_ + each.state] + by;
      const double change = largest(evaluated(place, v, moved).e - before);
      if (std::isfinite(change)) most = std::max(most, change);
    }
    moved[first_ + each.state] = s[first_ + each.state];
    if (most > little) sizes[first_ + each.state] = std::max(smallest, little / most);
  }
}

double Network::energy(const Placement& place, In s) const {
  const auto mine = s.segment(first_, states_);
  double sum = 0;
  for (const Record& each : branches_)
    if (each.state >= 0) sum += each.branch->energy(mine[each.state]).value;
  for (const StoreRecord& each : stores_) {
    const auto [u, c] = stretched(each, place, mine);
    sum += each.store->energy(u, c).value;
  }
  return sum;
}

/// What comes from outside: -F c' + d(energy)/dt
double Network::power(const Placement& place, In v, In s) const {
  const Work& w = evaluated(place, v, s);
  double sum = -w.G.tail(pos(measures_.size())).dot(w.rate);
  for (const Record& each : branches_)
    if (each.state >= 0) sum += each.branch->energy(w.s[each.state]).gradient * w.ds[each.state];
  for (std::size_t b = 0; b < stores_.size(); ++b) {
    const StoreRecord& each = stores_[b];
    const auto difference = [&](int node) { return node == ground ? 0 : w.e[node]; };
    const double c = each.measure < 0 ? 0 : w.c[each.measure],
                 rate = each.measure < 0 ? 0 : w.rate[each.measure];
    const Store::Energy kept = each.store->energy(difference(each.nodes[0]) - difference(each.nodes[1]), c);
    sum += kept.by_u * w.du[pos(b)] + kept.by_c * rate;
  }
  return sum;
}

/// What branches take from their nodes and from outside, without what they keep and hand on to measures.
double Network::dissipation(const Placement& place, In v, In s) const {
  const Work& w = evaluated(place, v, s);
  double sum = 0;
  for (const Record& each : branches_) {
    if (each.branch->conservative()) continue;
    const Branch::Input in = seen_by(each, w);
    Branch::Response out;
    each.branch->respond(in, out);
    for (std::size_t k = 0; k < each.nodes.size(); ++k) sum += in.u[k].value * out.I[k].value;
    sum += each.branch->supplied(in, out) + out.F.value * in.rate.value;
    if (each.state >= 0) sum -= each.branch->energy(w.s[each.state]).gradient * out.k.value;
  }
  return sum;
}

bool Network::conservative() const {
  return sources_.empty() &&
         std::all_of(branches_.begin(), branches_.end(),
                     [](const Record& each) { return each.branch->conservative(); }) &&
         std::all_of(stores_.begin(), stores_.end(),
                     [](const StoreRecord& each) { return each.store->conservative(); });
}

}  // namespace dalembert
