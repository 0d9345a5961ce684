// How a network hangs together: a forest of sources and stores, what its potentials are made of, and what cannot be.
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "dalembert/core/error.h"
#include "dalembert/core/index.h"
#include "dalembert/core/text.h"
#include "dalembert/multibody/network/network_work.h"

namespace dalembert {

namespace {

using Part = NetworkError::Part;

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

/// Edges that join nodes without a loop, and the way between any two of them.
class Network::Forest {
 public:
  explicit Forest(std::size_t nodes) : sets_(nodes), at_(nodes + 1) {}
  /// False if there is a way between the nodes already.
  bool add(std::array<int, 2> nodes, int edge) {
    if (!sets_.join(nodes[0], nodes[1])) return false;
    edges_.push_back({nodes, edge});
    for (const int node : nodes) at_[at(node + 1)].push_back(edges_.size() - 1);
    return true;
  }
  std::size_t edges() const { return edges_.size(); }
  /// Signed edges from `root` to every node that it reaches: e_node = e_root + sum.
  void walk(int root, const std::function<void(int node, const std::vector<Term>&)>& visit) const {
    std::vector<std::pair<int, std::vector<Term>>> waiting = {{root, {}}};
    std::vector<bool> seen(at_.size());
    while (!waiting.empty()) {
      const auto [node, way] = std::move(waiting.back());
      waiting.pop_back();
      seen[at(node + 1)] = true;
      visit(node, way);
      for (const std::size_t k : at_[at(node + 1)]) {
        const auto& [ends, edge] = edges_[k];
        const int next = ends[0] == node ? ends[1] : ends[0];
        if (seen[at(next + 1)]) continue;
        auto longer = way;
        longer.push_back({edge, ends[0] == next ? 1. : -1.});
        waiting.emplace_back(next, std::move(longer));
      }
    }
  }

 private:
  NodeSets sets_;
  std::vector<std::pair<std::array<int, 2>, int>> edges_;
  std::vector<std::vector<std::size_t>> at_;
};

std::string Network::node_names(const std::vector<int>& these) const {
  std::vector<std::string> names;
  for (const int node : these) names.push_back("'" + nodes_[at(node)].name + "'");
  return (names.size() == 1 ? "node " : "nodes ") + listed(names);
}

/// Nodes where only pistons and given flows meet become rows of the mechanism.
void Network::hold_oil(Mechanism& m) {
  const State start = m.start();
  const auto place = m.placed_at(start);
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    const auto here = [&](const auto& each) {
      return std::find(each.nodes.begin(), each.nodes.end(), node) != each.nodes.end();
    };
    if (std::any_of(stores_.begin(), stores_.end(), here) ||
        std::any_of(sources_.begin(), sources_.end(), here))
      continue;
    OilRows::Node all;
    bool rigid = true, turning = false, moves = false;
    for (const Record& each : branches_) {
      if (!here(each)) continue;
      const auto given = each.branch->given();
      if (!(rigid = rigid && given)) break;
      const double sign = each.nodes[0] == node ? 1 : -1;
      if (given->flow) all.flows.push_back({sign, given->flow});
      if (each.measure < 0 || given->volume == 0) continue;
      const MeasurePtr& measure = measures_[at(each.measure)];
      turning = turning || measure->cyclic;
      moves = true;
      all.parts.push_back({sign * given->volume, measure, measure->value(*place)});
    }
    if (!rigid || !moves) continue;
    Node& mine = nodes_[at(node)];
    const bool displaced = turning || !all.flows.empty();
    m.add_joint({.name = mine.name, .kind = "oil"});
    mine.row = all.row = m.name_rows(displaced ? Rows::Level::velocity : Rows::Level::position,
                                     {{mine.name + ".pressure", "Pa"}});
    OilRows& rows = displaced ? static_cast<OilRows&>(m.rows<DisplacedOil>()) : m.rows<HeldOil>();
    rows.hold(std::move(all));
    mine.oil = &rows;
  }
  for (Record& each : branches_)
    for (int& node : each.nodes)
      if (is_held(node)) node = ground;
}

/// Every node has a way to the ground along something that a current can flow through.
void Network::refuse_floating() const {
  NodeSets sets(nodes_.size());
  for (const Record& each : branches_)
    for (const auto& [a, b] : each.branch->paths()) sets.join(each.nodes[at(a)], each.nodes[at(b)]);
  for (const StoreRecord& each : stores_) sets.join(each.nodes[0], each.nodes[1]);
  for (const Source& each : sources_) sets.join(each.nodes[0], each.nodes[1]);
  std::vector<int> floating;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node)
    if (sets.find(node) != 0 && !is_held(node)) floating.push_back(node);
  if (!floating.empty())
    throw NetworkError(Part::node, nodes_[at(floating.front())].name,
                       "no current can flow between the ground and " + node_names(floating) +
                           ": nothing says what their potential is",
                       "join one of them to \"ground\"");
}

/// Potentials of nodes that inductors and current sources alone lead to are not determined by balances.
void Network::refuse_cutsets() const {
  NodeSets sets(nodes_.size());
  for (const Record& each : branches_)
    if (each.branch->resists())
      for (const auto& [a, b] : each.branch->paths()) sets.join(each.nodes[at(a)], each.nodes[at(b)]);
  for (const StoreRecord& each : stores_) sets.join(each.nodes[0], each.nodes[1]);
  for (const Source& each : sources_) sets.join(each.nodes[0], each.nodes[1]);
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node) {
    if (sets.find(node) == 0 || is_held(node)) continue;
    std::vector<int> inside;
    std::vector<std::string> leading;
    const Record* first = nullptr;
    for (int other = 0; other < static_cast<int>(nodes_.size()); ++other)
      if (sets.find(other) == sets.find(node)) inside.push_back(other);
    for (const Record& each : branches_) {
      const auto belongs = [&](int end) { return end != ground && sets.find(end) == sets.find(node); };
      const auto crosses = [&](const std::array<int, 2>& path) {
        return belongs(each.nodes[at(path[0])]) != belongs(each.nodes[at(path[1])]);
      };
      const auto paths = each.branch->paths();
      const bool ends =
          paths.empty() && std::any_of(each.nodes.begin(), each.nodes.end(), belongs);  // a piston
      if (!ends && std::none_of(paths.begin(), paths.end(), crosses)) continue;
      leading.push_back("'" + each.name + "'");
      if (first == nullptr) first = &each;
    }
    const bool hydraulic = nodes_[at(node)].domain == Domain::hydraulic;
    throw NetworkError(
        first == nullptr ? Part::node : Part::branch, first == nullptr ? nodes_[at(node)].name : first->name,
        std::string(hydraulic ? "only flows that no pressure changes at once"
                              : "only inductors, windings and current sources") +
            " (" + listed(leading) + ") lead to " + node_names(inside) +
            ": their currents are not independent of each other, and the equations have index 2",
        hydraulic ? "give the node a volume, or a leak"
                  : "join them to one, or add a resistor or a capacitor at the node");
  }
}

/// What the balances leave open at the start, by the largest entries of what they cannot tell apart.
void Network::refuse_undetermined(const Work& w) const {
  const auto n = unknowns_;
  if (n == 0) return;
  Matrix scaled = w.A.topLeftCorner(n, n);
  for (int k = 0; k < 8; ++k)  // rows and columns of one size, whatever their units
    for (Eigen::Index i = 0; i < n; ++i) {
      if (const double most = scaled.row(i).cwiseAbs().maxCoeff(); most > 0) scaled.row(i) /= std::sqrt(most);
      if (const double most = scaled.col(i).cwiseAbs().maxCoeff(); most > 0) scaled.col(i) /= std::sqrt(most);
    }
  if (!scaled.allFinite()) throw without_balance(w);
  const Eigen::JacobiSVD<Matrix> values(scaled, Eigen::ComputeFullV);
  if (values.singularValues()[n - 1] > 1e-11 * values.singularValues()[0]) return;
  const Vector open = values.matrixV().col(n - 1).cwiseAbs();
  std::vector<std::string> names;
  Part part = Part::whole;
  std::string first;
  const auto add = [&](Part is, const std::string& name) {
    names.push_back((is == Part::node ? "the potential of '" : "the current of '") + name + "'");
    if (names.size() == 1 || (is == Part::branch && part == Part::node)) part = is, first = name;
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (const Term& term : potentials_[i].terms)
      if (term.column < parts_ && open[term.column] > .1) add(Part::node, nodes_[i].name);
  for (const Record& each : branches_)
    if (each.unknown >= 0 && open[each.unknown] > .1) add(Part::branch, each.name);
  throw NetworkError(part, first,
                     "the balances of the network do not determine " + listed(names) +
                         ": the equations have index 2 or more, or no unique solution",
                     "add a resistance, a leak or a capacity there");
}

/// Sources first, then stores that say how they start, so that those in loops with them can be compared.
Network::Forest Network::plant(std::vector<StateName>& states) {
  Forest forest(nodes_.size());
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const std::array<int, 2> ends = sources_[k].nodes;
    if (forest.add(ends, static_cast<int>(k))) continue;
    std::vector<std::string> loop = {"'" + sources_[k].name + "'"};
    forest.walk(ends[0], [&](int node, const std::vector<Term>& way) {
      if (node == ends[1])
        for (const Term& term : way) loop.push_back("'" + sources_[at(term.column)].name + "'");
    });
    throw NetworkError(Part::branch, sources_[k].name,
                       "sources in a loop: " + listed(loop) +
                           "; their potentials contradict each other, or leave their currents open",
                       "take one of them out, or add a resistance");
  }
  const auto sources = static_cast<int>(sources_.size());
  for (const bool given : {true, false})
    for (std::size_t b = 0; b < stores_.size(); ++b) {
      StoreRecord& each = stores_[b];
      if (each.store->start().has_value() != given ||
          !forest.add(each.nodes, sources + static_cast<int>(states.size())))
        continue;
      const bool hydraulic = domain_of(branches_.size() + b) == Domain::hydraulic;
      states.push_back({each.name, hydraulic ? "Pa" : "V", each.store->start().value_or(0)});
    }
  return forest;
}

void Network::number_columns(Mechanism& m) {
  for (Record& each : branches_) {
    if (each.branch->has_unknown()) each.unknown = static_cast<int>(unknowns_++);
    if (const auto state = each.branch->state()) {
      m.name_states(each.name, {*state});
      each.state = static_cast<int>(states_++);
    }
  }
}

/// A way through the forest, by what it goes along.
Network::Potential Network::along(const std::vector<Term>& way, Eigen::Index states_begin) const {
  Potential all;
  const auto sources = static_cast<int>(sources_.size());
  for (const Term& term : way)
    if (term.column < sources)
      all.imposed.push_back(term);
    else
      all.terms.push_back({static_cast<int>(states_begin) + term.column - sources, term.sign});
  return all;
}

void Network::express_potentials(const Forest& forest) {
  potentials_.assign(nodes_.size(), {});
  std::vector<bool> reached(nodes_.size());
  const auto reach = [&](int root, int part) {
    forest.walk(root, [&](int node, const std::vector<Term>& way) {
      if (node == ground) return;
      reached[at(node)] = true;
      potentials_[at(node)] = along(way, unknowns_);
      if (part >= 0) potentials_[at(node)].terms.push_back({part, 1});
    });
  };
  reach(ground, -1);
  int part = 0;
  for (int node = 0; node < static_cast<int>(nodes_.size()); ++node)
    if (!reached[at(node)] && !is_held(node)) reach(node, part++);
  for (StoreRecord& each : stores_)
    forest.walk(each.nodes[1], [&](int node, const std::vector<Term>& way) {
      if (node == each.nodes[0]) each.across = along(way, 0);
    });
}

void Network::refuse_starts(const std::vector<StateName>& states) const {
  for (const StoreRecord& each : stores_) {
    if (!each.store->start()) continue;
    double u = 0;
    for (const Term& term : each.across.terms) u += term.sign * states[at(term.column)].start;
    for (const Term& term : each.across.imposed) u += term.sign * sources_[at(term.column)].U(0).f;
    if (std::abs(u - *each.store->start()) > 1e-9 * (std::abs(u) + std::abs(*each.store->start())))
      throw NetworkError(Part::branch, each.name,
                         "'" + each.name + "' cannot start with " + short_number(*each.store->start()) +
                             ": it lies in a loop of sources and stores that gives it " + short_number(u),
                         "leave its start out, or make it fit");
  }
}

/// A branch whose currents are no numbers at the start, or the node where they are farthest from a balance.
NetworkError Network::without_balance(const Work& w) const {
  for (const Record& each : branches_) {
    Branch::Response out;
    each.branch->respond(seen_by(each, w), out);
    double all = out.k.value + out.row.value + out.F.value;
    for (std::size_t k = 0; k < each.nodes.size(); ++k) all += out.I[k].value;
    if (!std::isfinite(all))
      return {Part::branch, each.name, "what '" + each.name + "' does at the start is not finite",
              "check its law, and the voltages and pressures at the start"};
  }
  const std::string what =
                        "no potentials were found at the start at which all currents of the network balance",
                    hint = "check the laws of its branches, and the voltages and pressures at the start";
  Eigen::Index worst = 0;
  if (unknowns_ == 0 ||
      !(w.G.head(unknowns_)
            .cwiseAbs()
            .cwiseQuotient(w.flowing.head(unknowns_).cwiseMax(std::numeric_limits<double>::min()))
            .maxCoeff(&worst) > 0))
    return {Part::whole, "", what, hint};
  for (const Record& each : branches_)
    if (each.unknown == worst)
      return {Part::branch, each.name, what + "; the equation of '" + each.name + "' is left open", hint};
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (const Term& term : potentials_[i].terms)
      if (term.column == worst)
        return {Part::node, nodes_[i].name, what + "; they do not at node '" + nodes_[i].name + "'", hint};
  return {Part::whole, "", what, hint};
}

void Network::settle(Mechanism& m) {
  hold_oil(m);
  refuse_floating();
  refuse_cutsets();
  std::vector<StateName> kept;
  const Forest forest = plant(kept);
  first_ = m.sizes().s;
  for (const StateName& each : kept)
    m.name_states(each.label, {{each.unit == "Pa" ? "pressure" : "voltage", each.unit, each.start}});
  states_ = kept_ = pos(kept.size());
  unknowns_ = parts_ =
      std::count_if(nodes_.begin(), nodes_.end(), [](const Node& each) { return !each.oil; }) -
      pos(forest.edges());
  number_columns(m);
  express_potentials(forest);
  refuse_starts(kept);

  find_constants();

  guess_ = Vector::Zero(unknowns_);
  const State start = m.start();
  const MechanicalState part(m.sizes());
  Work w;
  look(*m.placed_at(start), part.v(start.y), part.s(start.y), w);
  const bool found = solve(w);
  refuse_undetermined(w);
  if (!found) throw without_balance(w);
  if (states_ == 0 && m.bodies().empty())
    throw NetworkError(
        Part::whole, "",
        "nothing in this network keeps anything: at every time its currents follow from its sources at once",
        "add a capacitor, an inductor or a volume that no source holds");
  guess_ = w.z;
  orientation_ = w.orientation;
}

}  // namespace dalembert
