#include "dalembert/linear/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>

#include "dalembert/linear/block_kernels.h"

namespace dalembert {
namespace {

constexpr double most_blocks_per_pivot = 7;
constexpr double body_tau = 1e-8;  // a body's block may be badly scaled, but not singular

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_block, largest_block>;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// The representative matrix in symmetric blocks, eliminated as the order is found.
class Trial {
 public:
  Trial(const BlockGraph& graph, const Entries& mass, const Entries& jacobian, double tau)
      : graph_(graph), tau_(tau), scale_(graph.block.size(), 0.0) {
    for (int v = 0; v < graph.size(); ++v) diagonal_.push_back(Block::Zero(graph.size(v), graph.size(v)));
    for (std::size_t k = 0; k < mass.size(); ++k) add(mass.row(k), mass.column(k), mass.value(k));
    int n = 0;
    for (int v = 0; v < graph.bodies; ++v) n += graph.size(v);
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      const int row = n + jacobian.row(k), column = jacobian.column(k);
      const double G = jacobian.value(k);
      add(row, column, G);
      add(column, row, G);
      const int place = graph.place[at(column)];
      const double M = diagonal_[at(graph.block[at(column)])](place, place);
      if (M > 0) scale_[at(row)] += G * G / M;
    }
  }

  /// May v be eliminated now?
  bool acceptable(int v) const {
    Block D = diagonal_[at(v)];
    for (Eigen::Index k = 0; k < D.rows(); ++k) {
      const double least = v < graph_.bodies
                               ? body_tau * std::abs(diagonal_[at(v)](k, k))
                               : tau_ * scale_[at(graph_.unknowns[at(v)][at(static_cast<int>(k))])];
      if (!(std::abs(D(k, k)) > least)) return false;
      for (Eigen::Index i = k + 1; i < D.rows(); ++i) D.row(i) -= D(i, k) / D(k, k) * D.row(k);
    }
    return true;
  }

  void eliminate(int p, const std::vector<int>& later) {
    const Block inverse = diagonal_[at(p)].inverse();
    std::vector<Block> U, W;
    for (const int t : later) {
      U.push_back(p < t ? off_diagonal(p, t) : Block(off_diagonal(t, p).transpose()));
      W.push_back(inverse * U.back());
    }
    for (std::size_t i = 0; i < later.size(); ++i) {
      diagonal_[at(later[i])].noalias() -= U[i].transpose() * W[i];
      for (std::size_t j = i + 1; j < later.size(); ++j)
        off_diagonal(later[i], later[j]).noalias() -= U[i].transpose() * W[j];
    }
  }

 private:
  void add(int i, int j, double value) {
    const int u = graph_.block[at(i)], v = graph_.block[at(j)];
    if (u == v) diagonal_[at(u)](graph_.place[at(i)], graph_.place[at(j)]) += value;
    if (u < v) off_diagonal(u, v)(graph_.place[at(i)], graph_.place[at(j)]) += value;
  }
  Block& off_diagonal(int u, int v) {  // u < v
    const auto key = static_cast<std::uint64_t>(u) * diagonal_.size() + static_cast<std::uint64_t>(v);
    const auto [entry, fresh] = off_diagonal_.try_emplace(key);
    if (fresh) entry->second = Block::Zero(graph_.size(u), graph_.size(v));
    return entry->second;
  }

  const BlockGraph& graph_;
  double tau_;
  std::vector<double> scale_;  // diag(G M^-1 G'), with the diagonal of M
  std::vector<Block> diagonal_;
  std::unordered_map<std::uint64_t, Block> off_diagonal_;
};

/// Nanoseconds of a pivot of size s with these neighbours: a call, an inverse, the products; measured once,
/// then fixed.
double pivot_cost(int s, const std::vector<int>& later, const BlockGraph& graph) {
  double r = 0;
  for (const int t : later) r += graph.size(t);
  const auto q = static_cast<double>(later.size());
  const double calls = q <= 2 ? 1 : 1 + q + q * (q - 1) / 2;
  return 4 * calls + 0.3 * (s * s * s + s * s * r + 0.6 * s * r * r);
}

/// Minimum degree; first come, first served among equals. Rank orders classes of blocks before their degree
/// counts.
template <class Rank, class Eliminate>
std::optional<EliminationOrder> minimum_degree(const BlockGraph& graph, Rank&& rank, Eliminate&& eliminate) {
  using Key = std::tuple<int, int, std::int64_t, int>;  // rank, degree, arrival, block
  std::vector<std::vector<int>> neighbours = graph.neighbours;
  std::vector<Key> key(neighbours.size());
  std::set<Key> queue;
  std::int64_t arrival = 0;
  const auto enqueue = [&](int v) {
    int degree = 0;
    for (const int t : neighbours[at(v)]) degree += graph.size(t);
    key[at(v)] = Key(rank(v), degree, arrival++, v);
    queue.insert(key[at(v)]);
  };
  for (int v = 0; v < graph.size(); ++v) enqueue(v);

  EliminationOrder order;
  order.later.resize(neighbours.size());
  double blocks = 0;
  std::vector<int> merged;
  while (!queue.empty()) {
    const int p = std::get<3>(*queue.begin());
    queue.erase(queue.begin());
    const std::vector<int> later = std::move(neighbours[at(p)]);
    blocks += 1 + static_cast<double>(later.size());
    if (blocks > most_blocks_per_pivot * graph.size()) return std::nullopt;
    order.pivots.push_back(p);
    order.cost += pivot_cost(graph.size(p), later, graph);
    eliminate(p, later);
    for (const int u : later) {
      std::vector<int>& mine = neighbours[at(u)];
      merged.clear();
      std::set_union(mine.begin(), mine.end(), later.begin(), later.end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int v) { return v == u || v == p; });
      mine = merged;
    }
    for (const int u : later) {
      queue.erase(key[at(u)]);
      enqueue(u);
    }
    order.later[at(p)] = later;
  }
  return order;
}

}  // namespace

std::optional<EliminationOrder> mixed_order(const BlockGraph& graph, const Entries& mass,
                                            const Entries& jacobian, double tau) {
  Trial trial(graph, mass, jacobian, tau);
  return minimum_degree(
      graph, [&](int v) { return trial.acceptable(v) ? 0 : 1; },
      [&](int p, const std::vector<int>& later) { trial.eliminate(p, later); });
}

std::optional<EliminationOrder> bodies_first_order(const BlockGraph& graph) {
  return minimum_degree(
      graph, [&](int v) { return v < graph.bodies ? 0 : 1; }, [](int, const std::vector<int>&) {});
}

}  // namespace dalembert
