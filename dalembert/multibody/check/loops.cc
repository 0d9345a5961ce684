#include "dalembert/multibody/check/loops.h"

#include <algorithm>
#include <numeric>

#include "dalembert/core/index.h"
#include "dalembert/multibody/pose.h"

namespace dalembert {

std::vector<Mechanism::Joint> joint_of_rows(const Mechanism& m) {
  const auto n = m.sizes();
  std::vector<Mechanism::Joint> owner(at(n.rows()), -1);
  for (std::size_t j = 0; j < m.joints().size(); ++j) {
    const JointRecord& joint = m.joints()[j];
    std::fill_n(owner.begin() + joint.first, joint.count, static_cast<int>(j));
    std::fill_n(owner.begin() + n.holonomic + joint.first_velocity, joint.count_velocity,
                static_cast<int>(j));
  }
  return owner;
}

namespace {

std::vector<int> body_of_velocities(const Mechanism& m) {
  std::vector<int> body(at(m.sizes().v));
  for (std::size_t b = 0; b < m.bodies().size(); ++b)
    std::fill_n(body.begin() + m.bodies()[b].v, m.bodies()[b].velocities, static_cast<int>(b));
  return body;
}

std::vector<std::vector<int>> held_by(const Mechanism& m, const Entries& J) {
  const auto owner = joint_of_rows(m);
  const auto body = body_of_velocities(m);
  std::vector<std::vector<int>> held(m.joints().size());
  for (std::size_t k = 0; k < J.size(); ++k) {
    const auto j = owner[at(J.row(k))];
    if (j >= 0) held[at(j)].push_back(body[at(J.column(k))]);
  }
  for (auto& list : held) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return held;
}

/// Does each row push its bodies so that nothing is left over? Else it leans on the ground.
std::vector<bool> balanced(const Mechanism& m, const Placement& where, const Entries& J) {
  struct Sum {
    Wrench all;
    double size = 0;
  };
  const auto owner = joint_of_rows(m);
  const auto body = body_of_velocities(m);
  std::vector<Sum> sums(at(m.sizes().rows()));
  Vector one = Vector::Zero(m.sizes().v);
  for (std::size_t k = 0; k < J.size(); ++k) {
    one[J.column(k)] = J.value(k);
    const int b = body[at(J.column(k))];
    const Wrench push = wrench_on(m, where, one, b).moved(pose_of(m, where, b).r);
    one[J.column(k)] = 0;
    Sum& sum = sums[at(J.row(k))];
    sum.all.force += push.force;
    sum.all.moment += push.moment;
    sum.size = std::max({sum.size, push.force.norm(), push.moment.norm()});
  }
  std::vector<bool> good(m.joints().size(), true);
  for (std::size_t row = 0; row < sums.size(); ++row)
    if (owner[row] >= 0 &&
        std::max(sums[row].all.force.norm(), sums[row].all.moment.norm()) > 1e-9 * sums[row].size)
      good[at(owner[row])] = false;
  return good;
}

/// Blocks of a graph, without recursion: edges that lie on a common cycle, by their numbers. [HopcroftTarjan1973]
class Blocks {
 public:
  struct Edge {
    int from, to;
  };
  Blocks(int vertices, std::vector<Edge> edges) : edges_(std::move(edges)), next_(at(vertices)) {
    for (std::size_t e = 0; e < edges_.size(); ++e)
      for (const int v : {edges_[e].from, edges_[e].to}) next_[at(v)].push_back(static_cast<int>(e));
    low_.assign(at(vertices), -1), depth_ = low_;
    seen_.assign(edges_.size(), false);
    for (int v = 0; v < vertices; ++v)
      if (depth_[at(v)] < 0) explore(v);
  }
  const std::vector<std::vector<int>>& list() const { return blocks_; }

 private:
  struct Visit {
    int vertex;
    std::size_t edge;  ///< the next one to look at
    std::size_t held;  ///< edges on the stack before the one that led here
  };
  void explore(int root) {
    std::vector<Visit> path = {{root, 0, 0}};
    low_[at(root)] = depth_[at(root)] = 0;
    while (!path.empty()) {
      Visit& here = path.back();
      if (here.edge == next_[at(here.vertex)].size()) {
        leave(path);
        continue;
      }
      const int e = next_[at(here.vertex)][here.edge++];
      if (seen_[at(e)]) continue;
      seen_[at(e)] = true;
      const int other = edges_[at(e)].from == here.vertex ? edges_[at(e)].to : edges_[at(e)].from;
      const std::size_t held = stack_.size();
      stack_.push_back(e);
      int& low = low_[at(here.vertex)];
      if (depth_[at(other)] >= 0) {
        low = std::min(low, depth_[at(other)]);
      } else {
        low_[at(other)] = depth_[at(other)] = static_cast<int>(path.size());
        path.push_back({other, 0, held});
      }
    }
  }
  void leave(std::vector<Visit>& path) {
    const Visit done = path.back();
    path.pop_back();
    if (path.empty()) return;
    const auto parent = at(path.back().vertex);
    low_[parent] = std::min(low_[parent], low_[at(done.vertex)]);
    if (low_[at(done.vertex)] < depth_[parent]) return;
    blocks_.emplace_back(stack_.begin() + static_cast<std::ptrdiff_t>(done.held), stack_.end());
    stack_.resize(done.held);
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<int>> next_, blocks_;
  std::vector<int> low_, depth_, stack_;
  std::vector<bool> seen_;
};

}  // namespace

std::vector<std::vector<int>> bodies_held(const Mechanism& m) {
  Entries J;
  m.jacobian(*m.placed_at(m.start()), J);
  return held_by(m, J);
}

std::vector<std::vector<Mechanism::Joint>> loops_of(const Mechanism& m, const Placement& where) {
  Entries J;
  m.jacobian(where, J);
  const auto held = held_by(m, J);
  const auto good = balanced(m, where, J);
  std::vector<Blocks::Edge> edges;
  std::vector<Mechanism::Joint> joint;
  std::vector<std::vector<Mechanism::Joint>> loops;
  for (std::size_t j = 0; j < held.size(); ++j) {
    std::vector<int> ends;  // the ground is vertex 0
    for (const int b : held[j]) ends.push_back(b + 1);
    if (ends.empty()) {
      loops.push_back({static_cast<int>(j)});
      continue;
    }
    if (ends.size() == 1 || !good[j]) ends.insert(ends.begin(), 0);
    for (std::size_t k = 0; k < (ends.size() == 2 ? 1 : ends.size()); ++k) {
      edges.push_back({ends[k], ends[(k + 1) % ends.size()]});
      joint.push_back(static_cast<int>(j));
    }
  }
  const Blocks blocks(static_cast<int>(m.bodies().size()) + 1, edges);
  for (const auto& block : blocks.list()) {
    std::vector<Mechanism::Joint> loop;
    for (const int e : block) loop.push_back(joint[at(e)]);
    std::sort(loop.begin(), loop.end());
    loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
    loops.push_back(std::move(loop));
  }
  std::sort(loops.begin(), loops.end());
  return loops;
}

std::vector<Group> groups_of(const Mechanism& m, const State& state) {
  const auto n = m.sizes();
  const MechanicalState part(n);
  const bool flat = is_planar(m);
  const auto place = m.placed_at(state);
  std::vector<int> root(m.bodies().size() + 1);  // the ground is 0
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[at(v)] != v) v = root[at(v)] = root[at(root[at(v)])];
    return v;
  };
  const auto join = [&](int a, int b) { root[at(find(a))] = find(b); };

  Entries J;
  m.jacobian(*place, J);
  const auto held = held_by(m, J);
  for (const auto& bodies : held)
    for (std::size_t k = 0; k < bodies.size(); ++k)
      join(bodies[k] + 1, bodies.size() == 1 ? 0 : bodies[0] + 1);
  // Forces that depend on where bodies are, or on how they move. At rest and without multipliers nothing else is left.
  Derivatives d;
  const Vector a = Vector::Zero(n.v), l = Vector::Zero(n.rows());
  m.derivatives(*place, a, part.s(state.y), a, l, d);
  const auto body = body_of_velocities(m);
  for (const Entries* block : {&d.K, &d.D}) {
    // What a translation of everything together changes is held against the ground.
    Matrix change = Matrix::Zero(n.v, 3);
    for (std::size_t k = 0; k < block->size(); ++k) {
      if (block->value(k) == 0) continue;
      const int i = body[at(block->row(k))], j = body[at(block->column(k))];
      join(i + 1, j + 1);
      const Eigen::Index along = block->column(k) - m.bodies()[at(j)].v;
      if (along < (flat ? 2 : 3)) change(block->row(k), along) += block->value(k);
    }
    const double scale = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0;
    for (Eigen::Index row = 0; row < n.v; ++row)
      if (change.row(row).cwiseAbs().maxCoeff() > 1e-9 * scale) join(body[at(row)] + 1, 0);
  }

  std::vector<Group> groups;
  std::vector<int> group(root.size(), -1);
  for (int b = 0; b < static_cast<int>(m.bodies().size()); ++b) {
    const int r = find(b + 1);
    if (group[at(r)] < 0) {
      group[at(r)] = static_cast<int>(groups.size());
      groups.push_back({{}, r == find(0)});
    }
    groups[at(group[at(r)])].bodies.push_back(b);
  }
  return groups;
}

}  // namespace dalembert
