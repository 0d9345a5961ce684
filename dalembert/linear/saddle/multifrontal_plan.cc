// The plan of a multifrontal elimination: order, tree of fronts, places of everything.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "dalembert/core/index.h"
#include "dalembert/linear/saddle/multifrontal.h"

namespace dalembert {
namespace {

/// Minimum degree on the joints; two meet if they share a body.
std::vector<int> order_of_joints(const BlockGraph& graph) {
  const int joints = graph.size() - graph.bodies;
  std::vector<Eigen::Triplet<double>> pairs;
  for (int b = 0; b < graph.bodies; ++b)
    for (const int i : graph.neighbours[at(b)])
      for (const int j : graph.neighbours[at(b)]) pairs.emplace_back(i - graph.bodies, j - graph.bodies, 1.0);
  Eigen::SparseMatrix<double> pattern(joints, joints);
  pattern.setFromTriplets(pairs.begin(), pairs.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  return {order.indices().data(), order.indices().data() + joints};
}

}  // namespace

/// Joints are named by their turn in the elimination, from here on.
class Multifrontal::Planner {
 public:
  Planner(Multifrontal& multifrontal, const BlockGraph& graph)
      : f_(multifrontal),
        graph_(graph),
        order_(order_of_joints(graph)),
        turn_(order_.size()),
        local_(order_.size()),
        element_of_(at(graph.bodies)) {
    for (std::size_t k = 0; k < order_.size(); ++k) turn_[at(order_[k])] = static_cast<int>(k);
    size_.resize(order_.size());
    first_.resize(order_.size());
    int next = 0;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      first_[k] = next;
      next += size_[k] = graph_.size(block(static_cast<int>(k)));
    }
  }

  void plan(const Entries& mass, const Entries& jacobian) {
    build_tree();
    place_fronts();
    int n = 0;
    for (int b = 0; b < graph_.bodies; ++b) n += graph_.size(b);
    place_entries(mass, jacobian, n);
    for (std::size_t k = 0; k < order_.size(); ++k)
      for (const int i : graph_.unknowns[at(block(static_cast<int>(k)))]) f_.multiplier_of_.push_back(i);
    f_.diagonal_.assign(f_.multiplier_of_.size(), 0.0);
    f_.z_ = Vector::Zero(static_cast<Eigen::Index>(f_.multiplier_of_.size()));
  }

 private:
  struct Node {
    std::vector<int> pivots, rows, children;
    double zeros = 0;
    bool merged = false;
  };

  int block(int turn) const { return graph_.bodies + order_[at(turn)]; }
  int scalars(const std::vector<int>& joints) const {
    int sum = 0;
    for (const int j : joints) sum += size_[at(j)];
    return sum;
  }
  std::vector<int> joints_of(int body) const {
    std::vector<int> all;
    for (const int j : graph_.neighbours[at(body)]) all.push_back(turn_[at(j - graph_.bodies)]);
    std::sort(all.begin(), all.end());
    return all;
  }

  /// What is left when a joint is eliminated: its later neighbours, and those its children left.
  void build_tree() {
    nodes_.resize(order_.size());
    for (int b = 0; b < graph_.bodies; ++b)
      if (const std::vector<int> joints = joints_of(b); !joints.empty())
        join(nodes_[at(joints.front())].rows, joints);
    std::vector<std::vector<int>> children(order_.size());
    for (int k = 0; k < static_cast<int>(order_.size()); ++k) {
      Node& node = nodes_[at(k)];
      node.pivots = {k};
      node.children = children[at(k)];
      for (const int c : node.children) join(node.rows, nodes_[at(c)].rows);
      std::erase(node.rows, k);
      if (!node.rows.empty()) children[at(node.rows.front())].push_back(k);
    }
    for (Node& node : nodes_) merge_children(node);
  }
  void join(std::vector<int>& into, const std::vector<int>& more) {
    joined_.clear();
    std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(joined_));
    into = joined_;
  }

  /// A child whose panel would hold few zeros more becomes part of its parent: a call less is worth many zeros in a
  /// small front, few in a large one.
  void merge_children(Node& node) {
    std::vector<int> kept;
    const std::vector<int> children = node.children;
    for (const int c : children) {
      Node& child = nodes_[at(c)];
      const double k = scalars(child.pivots), p = scalars(node.pivots), r = scalars(node.rows);
      const double zeros = node.zeros + child.zeros + k * (p + r - scalars(child.rows));
      const double share = zeros / ((k + p) * (k + p + r));
      if (k + p <= 8 || share < (k + p <= 24 ? 0.5 : k + p <= 64 ? 0.1 : 0.05)) {
        node.pivots.insert(node.pivots.begin(), child.pivots.begin(), child.pivots.end());
        node.zeros = zeros;
        kept.insert(kept.end(), child.children.begin(), child.children.end());
        child.merged = true;
      } else {
        kept.push_back(c);
      }
    }
    node.children = kept;
  }

  std::vector<int> postorder() const {
    std::vector<int> list, open;
    for (int k = 0; k < static_cast<int>(nodes_.size()); ++k)
      if (!nodes_[at(k)].merged && nodes_[at(k)].rows.empty()) open.push_back(k);
    while (!open.empty()) {  // parents before children, last child first; then the other way round
      list.push_back(open.back());
      open.pop_back();
      const std::vector<int>& children = nodes_[at(list.back())].children;
      open.insert(open.end(), children.begin(), children.end());
    }
    std::reverse(list.begin(), list.end());
    return list;
  }

  /// Offset of a new list in indices_.
  template <class Write>
  std::int32_t indices(Write&& write) {
    const auto here = static_cast<std::int32_t>(f_.indices_.size());
    write(f_.indices_);
    return here;
  }

  void place_fronts() {
    std::vector<int> owner(order_.size()), front_of(order_.size());
    for (std::size_t k = 0; k < nodes_.size(); ++k)
      if (!nodes_[k].merged)
        for (const int j : nodes_[k].pivots) owner[at(j)] = static_cast<int>(k);
    std::vector<std::vector<int>> bodies(order_.size());
    for (int b = 0; b < graph_.bodies; ++b)
      if (const std::vector<int> joints = joints_of(b); !joints.empty())
        bodies[at(owner[at(joints.front())])].push_back(b);

    std::int64_t panels = 0, top = 0, highest = 0;
    for (const int k : postorder()) {
      const Node& node = nodes_[at(k)];
      Front front;
      front.pivots = scalars(node.pivots);
      front.rows = scalars(node.rows);
      front.panel = panels;
      panels += front.height() * front.pivots;
      place_joints(node, front);
      front.work = front.update = top;
      for (const int c : node.children) {
        Front& child = f_.fronts_[at(front_of[at(c)])];
        child.places = indices([&](auto& list) { write_places(nodes_[at(c)].rows, list); });
        front.children.push_back(front_of[at(c)]);
        front.update = std::min(front.update, child.update);
      }
      const std::int64_t square = static_cast<std::int64_t>(front.rows) * front.rows;
      highest = std::max(highest, front.work + square);
      top = front.update + square;
      for (const int b : bodies[at(k)]) front.elements.push_back(place_element(b));
      front_of[at(k)] = static_cast<int>(f_.fronts_.size());
      f_.fronts_.push_back(std::move(front));
    }
    for (int b = 0; b < graph_.bodies; ++b)
      if (graph_.neighbours[at(b)].empty()) place_element(b);  // free: it has a mass, but no front
    f_.panels_.assign(at(panels), 0.0);
    f_.stack_.assign(at(highest), 0.0);
  }

  void place_joints(const Node& node, Front& front) {
    int next = 0;
    front.multipliers = indices([&](auto& list) {
      for (const auto* part : {&node.pivots, &node.rows})
        for (const int j : *part) {
          local_[at(j)] = next;
          next += size_[at(j)];
          for (int i = 0; i < size_[at(j)]; ++i) list.push_back(first_[at(j)] + i);
        }
    });
  }
  void write_places(const std::vector<int>& joints, std::vector<std::int32_t>& list) const {
    for (const int j : joints)
      for (int i = 0; i < size_[at(j)]; ++i) list.push_back(local_[at(j)] + i);
  }

  std::int32_t place_element(int body) {
    const std::vector<int> joints = joints_of(body);
    Element e;
    e.size = graph_.size(body);
    e.rows = scalars(joints);
    e.mass = values_;
    e.jacobian = values_ + e.size * e.size;
    values_ = e.jacobian + e.size * e.rows;
    e.unknowns = indices([&](auto& list) {
      for (const int i : graph_.unknowns[at(body)]) list.push_back(i);
    });
    e.places = indices([&](auto& list) { write_places(joints, list); });
    e.multipliers = indices([&](auto& list) {
      for (const int j : joints)
        for (int i = 0; i < size_[at(j)]; ++i) list.push_back(first_[at(j)] + i);
    });
    element_of_[at(body)] = static_cast<std::int32_t>(f_.elements_.size());
    f_.elements_.push_back(e);
    return element_of_[at(body)];
  }

  void place_entries(const Entries& mass, const Entries& jacobian, int n) {
    for (std::size_t k = 0; k < mass.size(); ++k) {
      const Element& e = element(mass.row(k));
      f_.mass_slot_.push_back(e.mass + graph_.place[at(mass.column(k))] * e.size +
                              graph_.place[at(mass.row(k))]);
    }
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      const Element& e = element(jacobian.column(k));
      const int block = graph_.block[at(n + jacobian.row(k))];
      const int z = first_[at(turn_[at(block - graph_.bodies)])] + graph_.place[at(n + jacobian.row(k))];
      const auto begin = f_.indices_.begin() + e.multipliers;
      const auto column = static_cast<int>(std::find(begin, begin + e.rows, z) - begin);
      f_.jacobian_slot_.push_back(e.jacobian + column * e.size + graph_.place[at(jacobian.column(k))]);
    }
    f_.values_.assign(at(values_), 0.0);
  }
  const Element& element(int coordinate) const {
    return f_.elements_[at(element_of_[at(graph_.block[at(coordinate)])])];
  }

  Multifrontal& f_;
  const BlockGraph& graph_;
  std::vector<int> order_, turn_, size_, first_, local_;
  std::vector<std::int32_t> element_of_;
  std::vector<Node> nodes_;
  std::vector<int> joined_;
  std::int32_t values_ = 0;
};

bool Multifrontal::bind(const BlockGraph& graph, const Entries& mass, const Entries& jacobian) {
  for (int b = 0; b < graph.bodies; ++b)
    for (const int t : graph.neighbours[at(b)])
      if (t < graph.bodies) return false;
  *this = {};
  Planner(*this, graph).plan(mass, jacobian);
  return true;
}

}  // namespace dalembert
