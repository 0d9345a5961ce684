#include "dalembert/linear/saddle/elimination_order.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>

#include "dalembert/core/index.h"
#include "dalembert/linear/saddle/block_kernels.h"

namespace dalembert {
namespace {

constexpr double most_blocks_per_pivot = 7;
constexpr double body_tau = 1e-8;  // a body's block may be badly scaled, but not singular

using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_block, largest_block>;

/// By elimination with row exchanges; for blocks as small as these, what a library does before it begins takes longer.
Block inverse(Block A) {
  const Eigen::Index n = A.rows();
  Block X = Block::Identity(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index p = k;
    for (Eigen::Index i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(p, k))) p = i;
    for (Eigen::Index j = 0; p != k && j < n; ++j) std::swap(A(k, j), A(p, j)), std::swap(X(k, j), X(p, j));
    const double pivot = A(k, k);
    for (Eigen::Index j = 0; j < n; ++j) A(k, j) /= pivot, X(k, j) /= pivot;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = A(i, k);
      for (Eigen::Index j = 0; j < n; ++j) A(i, j) -= factor * A(k, j), X(i, j) -= factor * X(k, j);
    }
  }
  return X;
}

/// The representative matrix in symmetric blocks, eliminated as the order is found. All of them are in one array: as objects of
/// the largest size they would take most of the memory of a run.
class SymbolicFactors {
 public:
  SymbolicFactors(const BlockGraph& graph, const Entries& mass, const Entries& jacobian, double tau)
      : graph_(graph),
        tau_(tau),
        scale_(graph.block.size(), 0.0),
        diagonal_(at(graph.size())),
        off_diagonal_(at(graph.size())) {
    std::size_t size = 0, off = 0;
    for (int v = 0; v < graph.size(); ++v) {
      diagonal_[at(v)] = size;
      size += at(graph.size(v) * graph.size(v));
      std::size_t couplings = 0;
      for (const int t : graph.neighbours[at(v)])
        if (t > v) ++couplings, off += at(graph.size(v) * graph.size(t));
      off_diagonal_[at(v)].reserve(couplings);
    }
    values_.reserve(size + off);
    values_.resize(size, 0.0);
    for (std::size_t k = 0; k < mass.size(); ++k) add(mass.row(k), mass.column(k), mass.value(k));
    int n = 0;
    for (int v = 0; v < graph.bodies; ++v) n += graph.size(v);
    for (std::size_t k = 0; k < jacobian.size(); ++k) {
      const int row = n + jacobian.row(k), column = jacobian.column(k);
      const double G = jacobian.value(k);
      add(row, column, G);
      add(column, row, G);
      const int place = graph.place[at(column)];
      const double M = diagonal(graph.block[at(column)])(place, place);
      if (M > 0) scale_[at(row)] += G * G / M;
    }
  }

  /// May v be eliminated now?
  bool acceptable(int v) const {
    const auto stands = diagonal(v);
    Block D = stands;
    for (Eigen::Index k = 0; k < D.rows(); ++k) {
      const double least = v < graph_.bodies
                               ? body_tau * std::abs(stands(k, k))
                               : tau_ * scale_[at(graph_.unknowns[at(v)][at(static_cast<int>(k))])];
      if (!(std::abs(D(k, k)) > least)) return false;
      for (Eigen::Index i = k + 1; i < D.rows(); ++i) D.row(i) -= D(i, k) / D(k, k) * D.row(k);
    }
    return true;
  }

  void eliminate(int p, const Few& later) {
    const Block inverted = inverse(diagonal(p));
    U_.resize(later.size());
    W_.resize(later.size());
    for (std::size_t i = 0; i < later.size(); ++i) {
      const int t = later[i];
      if (p < t)
        U_[i] = off_diagonal(p, t);
      else
        U_[i] = off_diagonal(t, p).transpose();
      W_[i] = inverted.lazyProduct(U_[i]);
    }
    off_diagonal_[at(p)] = {};
    for (std::size_t i = 0; i < later.size(); ++i) {
      diagonal(later[i]) -= U_[i].transpose().lazyProduct(W_[i]);
      for (std::size_t j = i + 1; j < later.size(); ++j)
        off_diagonal(later[i], later[j]) -= U_[i].transpose().lazyProduct(W_[j]);
    }
  }

 private:
  using Piece = Eigen::Map<Block>;

  void add(int i, int j, double value) {
    const int u = graph_.block[at(i)], v = graph_.block[at(j)];
    if (u == v) diagonal(u)(graph_.place[at(i)], graph_.place[at(j)]) += value;
    if (u < v) off_diagonal(u, v)(graph_.place[at(i)], graph_.place[at(j)]) += value;
  }
  Piece diagonal(int v) { return {values_.data() + diagonal_[at(v)], graph_.size(v), graph_.size(v)}; }
  Eigen::Map<const Block> diagonal(int v) const {
    return {values_.data() + diagonal_[at(v)], graph_.size(v), graph_.size(v)};
  }
  Piece off_diagonal(int u, int v) {  // u < v; until the next one is asked for
    const auto piece = [&](std::size_t begin) -> Piece {
      return {values_.data() + begin, graph_.size(u), graph_.size(v)};
    };
    std::vector<Coupling>& all = off_diagonal_[at(u)];
    for (const Coupling& each : all)
      if (each.to == v) return piece(each.begin);
    all.push_back({v, values_.size()});
    values_.resize(values_.size() + at(graph_.size(u) * graph_.size(v)), 0.0);
    return piece(all.back().begin);
  }

  struct Coupling {
    int to;
    std::size_t begin;  // in values_
  };
  const BlockGraph& graph_;
  double tau_;
  std::vector<double> scale_;   // diag(G M^-1 G'), with the diagonal of M
  std::vector<double> values_;  // of all blocks
  std::vector<std::size_t> diagonal_;
  std::vector<std::vector<Coupling>>
      off_diagonal_;          // by the smaller of the two; few each, so they are looked through
  std::vector<Block> U_, W_;  // of the block that is eliminated
};

/// Nanoseconds of a pivot of size s with these neighbours while the next one waits for it: a call, an inverse, the products; measured
/// once, then fixed.
double pivot_cost(int s, const Few& later, const BlockGraph& graph) {
  double r = 0;
  for (const int t : later) r += graph.size(t);
  const auto q = static_cast<double>(later.size());
  const double calls = q <= 2 ? 1 : 1 + q + q * (q - 1) / 2;
  return 4 * calls + 0.3 * (s * s * s + s * s * r + 0.6 * s * r * r);
}

/// Nanoseconds of all pivots. One that changes another has to be done before it, and on the longest way through them each waits for the
/// one before. What does not lie on it is done meanwhile, as far as the units of a processor are free: measured once, on a chain from one
/// end to the other and with its bodies first.
class OrderCost {
 public:
  explicit OrderCost(int blocks) : done_(at(blocks), 0.0) {}
  void add(int pivot, const Few& later, double cost) {
    const double done = done_[at(pivot)] + cost;
    for (const int t : later) done_[at(t)] = std::max(done_[at(t)], done);
    longest_ = std::max(longest_, done);
    work_ += cost;
  }
  double total() const { return waiting * longest_ + (1 - waiting) * work_; }

 private:
  static constexpr double waiting = 0.6;
  std::vector<double> done_;  // of each block, the last of those that it waits for
  double longest_ = 0, work_ = 0;
};

/// Blocks that wait, those of lower rank and degree before others, and first come, first served among equals. A block that
/// comes again leaves its earlier place.
class Queue {
 public:
  explicit Queue(std::size_t blocks) : last_(blocks) {}
  void insert(int block, int rank, int degree) {
    last_[at(block)] = {rank, degree, next_++};
    if (few()) return;  // all are looked through
    auto& lines = lines_[rank];
    if (lines.size() <= at(degree)) lines.resize(at(degree) + 1);
    lines[at(degree)].waiting.push_back({block, last_[at(block)].arrival});
    first_[rank] = std::min(first_[rank], degree);
  }
  /// -1: nobody waits.
  int take() {
    const int block = few() ? look_through() : first_in_line();
    if (block >= 0) last_[at(block)].arrival = nobody;
    return block;
  }

 private:
  static constexpr std::int64_t nobody = std::numeric_limits<std::int64_t>::max();
  struct Place {
    int rank = 0, degree = 0;
    std::int64_t arrival = nobody;
    auto operator<=>(const Place&) const = default;
  };
  struct Ticket {
    int block;
    std::int64_t arrival;
  };
  struct Line {
    std::vector<Ticket> waiting;
    std::size_t served = 0;
  };

  bool few() const { return last_.size() <= 32; }
  int look_through() const {
    const Place* best = nullptr;
    for (const Place& each : last_)
      if (each.arrival != nobody && (best == nullptr || each < *best)) best = &each;
    return best == nullptr ? -1 : static_cast<int>(best - last_.data());
  }
  int first_in_line() {
    for (int rank = 0; rank < 2; ++rank)
      for (int& degree = first_[rank]; at(degree) < lines_[rank].size(); ++degree) {
        Line& line = lines_[rank][at(degree)];
        while (line.served < line.waiting.size()) {
          const Ticket ticket = line.waiting[line.served++];
          if (last_[at(ticket.block)].arrival == ticket.arrival) return ticket.block;
        }
        line = {};
      }
    return -1;
  }

  std::vector<Place> last_;  // where each block came last
  std::vector<Line> lines_[2];
  int first_[2] = {0, 0};  // no line before it has anybody
  std::int64_t next_ = 0;
};

/// Minimum degree. Rank, 0 or 1, orders classes of blocks before their degree counts.
template <class Rank, class Eliminate>
std::optional<EliminationOrder> minimum_degree(const BlockGraph& graph, double most, Rank&& rank,
                                               Eliminate&& eliminate) {
  std::vector<Few> neighbours = graph.neighbours;
  Queue queue(neighbours.size());
  const auto enqueue = [&](int v) {
    int degree = 0;
    for (const int t : neighbours[at(v)]) degree += graph.size(t);
    queue.insert(v, rank(v), degree);
  };
  for (int v = 0; v < graph.size(); ++v) enqueue(v);

  EliminationOrder order;
  order.later.resize(neighbours.size());
  OrderCost cost(graph.size());
  double blocks = 0;
  Few merged;
  for (int p = queue.take(); p >= 0; p = queue.take()) {
    Few later = std::move(neighbours[at(p)]);
    blocks += 1 + static_cast<double>(later.size());
    if (blocks > most_blocks_per_pivot * graph.size()) return std::nullopt;
    order.pivots.push_back(p);
    cost.add(p, later, pivot_cost(graph.size(p), later, graph));
    if (cost.total() > most) return std::nullopt;
    eliminate(p, later);
    for (const int u : later) {
      Few& mine = neighbours[at(u)];
      merged.clear();
      std::set_union(mine.begin(), mine.end(), later.begin(), later.end(), std::back_inserter(merged));
      merged.end_at(std::remove_if(merged.begin(), merged.end(), [&](int v) { return v == u || v == p; }));
      mine = merged;
    }
    for (const int u : later) enqueue(u);
    order.later[at(p)] = std::move(later);
  }
  order.cost = cost.total();
  return order;
}

}  // namespace

std::optional<EliminationOrder> mixed_order(const BlockGraph& graph, const Entries& mass,
                                            const Entries& jacobian, double tau, double most) {
  SymbolicFactors factors(graph, mass, jacobian, tau);
  return minimum_degree(
      graph, most, [&](int v) { return factors.acceptable(v) ? 0 : 1; },
      [&](int p, const Few& later) { factors.eliminate(p, later); });
}

std::optional<EliminationOrder> bodies_first_order(const BlockGraph& graph, double most) {
  return minimum_degree(
      graph, most, [&](int v) { return v < graph.bodies ? 0 : 1; }, [](int, const Few&) {});
}

}  // namespace dalembert
