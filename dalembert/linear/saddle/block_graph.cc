#include "dalembert/linear/saddle/block_graph.h"

#include <algorithm>
#include <numeric>

#include "dalembert/core/index.h"
#include "dalembert/linear/saddle/block_kernels.h"

namespace dalembert {
namespace {

using Sets = std::vector<Few>;

/// The connected components of M's pattern, cut to at most six coordinates.
Sets mass_components(int n, const Entries& mass) {
  std::vector<int> parent(at(n));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
    return i;
  };
  for (std::size_t k = 0; k < mass.size(); ++k) {
    const int a = root(mass.row(k)), b = root(mass.column(k));
    parent[at(std::max(a, b))] = std::min(a, b);
  }
  Sets members(at(n)), components;
  for (int i = 0; i < n; ++i) members[at(root(i))].push_back(i);
  for (const Few& all : members) {
    const int size = static_cast<int>(all.size());
    const int pieces = (size + largest_block - 1) / largest_block;
    for (int p = 0; p < pieces; ++p)
      components.emplace_back(all.begin() + size * p / pieces, all.begin() + size * (p + 1) / pieces);
  }
  return components;
}

/// For each row of G the groups of coordinates it touches.
Sets touched_by_rows(int n, int m, const Sets& groups, const Entries& jacobian) {
  std::vector<int> group_of(at(n));
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int i : groups[g]) group_of[at(i)] = static_cast<int>(g);
  Sets touched(at(m));
  std::vector<std::size_t> entries(at(m), 0);
  for (std::size_t k = 0; k < jacobian.size(); ++k) ++entries[at(jacobian.row(k))];
  for (std::size_t r = 0; r < touched.size(); ++r) touched[r].reserve(entries[r]);
  for (std::size_t k = 0; k < jacobian.size(); ++k)
    touched[at(jacobian.row(k))].push_back(group_of[at(jacobian.column(k))]);
  for (Few& row : touched) row.make_set();
  return touched;
}

/// Adjacent rows that belong together, at most six at a time.
template <class Together>
Sets group_rows(int m, Together&& together) {
  Sets groups;
  for (int r = 0; r < m; ++r) {
    if (r > 0 && static_cast<int>(groups.back().size()) < largest_block && together(r - 1, r))
      groups.back().push_back(r);
    else
      groups.push_back(Few{r});
  }
  return groups;
}

/// Adjacent rows on the same bodies are a joint.
Sets joints_between(int n, int m, const Sets& bodies, const Entries& jacobian) {
  const Sets touched = touched_by_rows(n, m, bodies, jacobian);
  return group_rows(m, [&](int a, int b) { return touched[at(a)] == touched[at(b)]; });
}

BlockGraph build(int n, int m, const Sets& bodies, Sets joints, const Entries& mass,
                 const Entries& jacobian) {
  BlockGraph graph;
  graph.unknowns = bodies;
  graph.bodies = static_cast<int>(bodies.size());
  for (Few& rows : joints) {
    for (int& row : rows) row += n;
    graph.unknowns.push_back(std::move(rows));
  }
  graph.block.resize(at(n + m));
  graph.place.resize(at(n + m));
  for (int v = 0; v < graph.size(); ++v) {
    for (int i = 0; i < graph.size(v); ++i) {
      graph.block[at(graph.unknowns[at(v)][at(i)])] = v;
      graph.place[at(graph.unknowns[at(v)][at(i)])] = i;
    }
  }
  graph.neighbours.resize(graph.unknowns.size());
  std::vector<std::size_t> counts(graph.unknowns.size(), 0);
  const auto each_pair = [&](const auto& visit) {
    const auto meet = [&](int i, int j) {
      if (const int u = graph.block[at(i)], v = graph.block[at(j)]; u != v) visit(u, v);
    };
    for (std::size_t k = 0; k < mass.size(); ++k) meet(mass.row(k), mass.column(k));
    for (std::size_t k = 0; k < jacobian.size(); ++k) meet(n + jacobian.row(k), jacobian.column(k));
  };
  each_pair([&](int u, int v) { ++counts[at(u)], ++counts[at(v)]; });
  for (std::size_t v = 0; v < counts.size(); ++v) graph.neighbours[v].reserve(counts[v]);
  each_pair([&](int u, int v) {
    graph.neighbours[at(u)].push_back(v);
    graph.neighbours[at(v)].push_back(u);
  });
  for (Few& neighbours : graph.neighbours) neighbours.make_set();
  return graph;
}

/// Rows of one joint share much of what they touch, rows of different joints little; a third of all separates
/// them.
bool similar(const Few& a, const Few& b) {
  Few common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return !common.empty() && 3 * common.size() >= a.size() + b.size() - common.size();
}

/// Components that follow each other and meet the same joints.
Sets whole_bodies(int n, int m, const Sets& components, const Entries& jacobian) {
  const Sets touched = touched_by_rows(n, m, components, jacobian);
  const Sets joints = group_rows(m, [&](int a, int b) { return similar(touched[at(a)], touched[at(b)]); });
  Sets joints_of(components.size());
  for (std::size_t joint = 0; joint < joints.size(); ++joint)
    for (const int row : joints[joint])
      for (const int component : touched[at(row)])
        joints_of[at(component)].push_back(static_cast<int>(joint));
  for (Few& set : joints_of) set.make_set();

  Sets bodies;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const bool follows = c > 0 && !joints_of[c].empty() && joints_of[c] == joints_of[c - 1] &&
                         bodies.back().back() + 1 == components[c].front() &&
                         bodies.back().size() + components[c].size() <= largest_block;
    if (follows)
      bodies.back().append(components[c].begin(), components[c].end());
    else
      bodies.push_back(components[c]);
  }
  return bodies;
}

/// Large ones cut in two where that parts no component of M. Bodies are made of whole components, one after the other.
Sets halves(int n, const Sets& bodies, const Sets& components) {
  std::vector<std::size_t> component_of(at(n));
  for (std::size_t c = 0; c < components.size(); ++c)
    for (const int i : components[c]) component_of[at(i)] = c;
  Sets cut;
  for (const Few& body : bodies) {
    const auto middle = body.begin() + static_cast<std::ptrdiff_t>(body.size() / 2);
    if (body.size() > 3 && component_of[at(*(middle - 1))] != component_of[at(*middle)]) {
      cut.emplace_back(body.begin(), middle);
      cut.emplace_back(middle, body.end());
    } else {
      cut.push_back(body);
    }
  }
  return cut;
}

}  // namespace

BlockGraph blocks_by_joint(int n, int m, const Entries& mass, const Entries& jacobian) {
  const Sets bodies = whole_bodies(n, m, mass_components(n, mass), jacobian);
  return build(n, m, bodies, joints_between(n, m, bodies, jacobian), mass, jacobian);
}

std::vector<BlockGraph> ways_to_cut(int n, int m, const Entries& mass, const Entries& jacobian, Cuts cuts) {
  const Sets components = mass_components(n, mass), bodies = whole_bodies(n, m, components, jacobian);
  const Sets joints = joints_between(n, m, bodies, jacobian);
  std::vector<BlockGraph> all;
  all.push_back(build(n, m, bodies, joints, mass, jacobian));
  const Sets cut = halves(n, bodies, components);
  if (cut != bodies) all.push_back(build(n, m, cut, joints, mass, jacobian));
  if (cuts == Cuts::few || components == bodies) return all;
  Sets rows = joints_between(n, m, components, jacobian);
  if (components != cut || rows != joints)
    all.push_back(build(n, m, components, std::move(rows), mass, jacobian));
  return all;
}

}  // namespace dalembert
