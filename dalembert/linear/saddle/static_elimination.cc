#include "dalembert/linear/saddle/static_elimination.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "dalembert/core/index.h"

namespace dalembert {
/// Walks through the pivots once, hands out places in the workspace and writes the operations.
class StaticElimination::Compiler {
 public:
  Compiler(StaticElimination& elimination, const EliminationOrder& order)
      : s_(elimination), graph_(elimination.graph_), order_(order), rhs_(at(graph_.size())) {}

  void compile() {
    zeros_ = take(largest_block * largest_block);
    s_.nowhere_ = take(1);
    place_unknowns();
    place_matrix();
    int count = 0;
    for (int v = 0; v < graph_.size(); ++v) count += determinants(graph_.size(v));
    s_.determinants_ = determinant_ = take(count);
    s_.reference_.assign(at(count), 0.0);
    for (const int p : order_.pivots) eliminate(p);
    std::reverse(s_.backward_.begin(), s_.backward_.end());
    s_.workspace_.assign(at(next_), 0.0);
  }

 private:
  /// A block that is updated: where it stands in K at first, then in a place of its own.
  struct Changing {
    std::int32_t now;
    std::int32_t own = 0;  // none yet; place 0 belongs to the zeros
  };
  struct Both {
    Changing upper, lower;
  };

  std::int32_t take(int count) {
    const std::int32_t here = next_;
    next_ += count;
    return here;
  }

  void place_unknowns() {
    s_.rhs_of_.resize(graph_.block.size());
    for (int v = 0; v < graph_.size(); ++v) {
      rhs_[at(v)] = take(graph_.size(v));
      for (int i = 0; i < graph_.size(v); ++i)
        s_.rhs_of_[at(graph_.unknowns[at(v)][at(i)])] = rhs_[at(v)] + i;
    }
  }

  void place_matrix() {
    s_.diagonal_.assign(at(graph_.size()), zeros_);
    s_.couplings_.assign(at(graph_.size()), {});
    diagonal_.assign(at(graph_.size()), Changing{zeros_});
    std::size_t later = 0;
    for (const std::vector<int>& each : order_.later) later += each.size();
    couplings_.reserve(later);
    for (const int p : order_.pivots) {
      const int s = graph_.size(p);
      if (p < graph_.bodies) diagonal_[at(p)].now = s_.diagonal_[at(p)] = take(s * s);
      for (const int t : sorted(graph_.neighbours[at(p)])) {
        if (s_.position_[at(t)] < s_.position_[at(p)]) continue;
        const std::int32_t upper = take(s * graph_.size(t));
        const std::int32_t lower = s_.symmetry_ == Symmetry::symmetric ? upper : take(s * graph_.size(t));
        s_.couplings_[at(p)].push_back({t, upper, lower});
        couplings_[key(p, t)] = {Changing{upper}, Changing{lower}};
      }
    }
  }

  std::vector<int> sorted(std::vector<int> blocks) const {
    std::sort(blocks.begin(), blocks.end(),
              [&](int a, int b) { return s_.position_[at(a)] < s_.position_[at(b)]; });
    return blocks;
  }
  std::uint64_t key(int u, int v) const {
    return static_cast<std::uint64_t>(u) * graph_.unknowns.size() + static_cast<std::uint64_t>(v);
  }

  /// The next update of a block: reads what it is now, writes into its own place.
  std::pair<std::int32_t, std::int32_t> update(Changing& block, int size) {
    if (block.own == 0) block.own = take(size);
    return {std::exchange(block.now, block.own), block.own};
  }
  void update_coupling(int u, int v, Record& record) {
    const int size = graph_.size(u) * graph_.size(v);
    Both& both = couplings_.try_emplace(key(u, v), Both{Changing{zeros_}, Changing{zeros_}}).first->second;
    std::tie(record.upper_from, record.upper_to) = update(both.upper, size);
    if (s_.symmetry_ == Symmetry::unsymmetric)
      std::tie(record.lower_from, record.lower_to) = update(both.lower, size);
    else
      both.lower = both.upper;
  }

  Record::Neighbour neighbour(int p, int t, std::int32_t product) {
    const Both& both = couplings_.at(key(p, t));
    const int size = graph_.size(t);
    const auto [from, to] = update(diagonal_[at(t)], size * size);
    return {both.upper.now, both.lower.now, product, rhs_[at(t)], from, to};
  }

  void emit(const Kernels& kernels, const Record& record) {
    const auto index = static_cast<std::int32_t>(s_.records_.size());
    s_.records_.push_back(record);
    if (kernels.factor) s_.factor_.push_back({kernels.factor, index});
    if (kernels.forward) s_.forward_.push_back({kernels.forward, index});
    if (kernels.backward) s_.backward_.push_back({kernels.backward, index});
  }

  void eliminate(int p) {
    const int s = graph_.size(p);
    const std::vector<int> later = sorted(order_.later[at(p)]);
    Record record{};
    record.diagonal = diagonal_[at(p)].now;
    record.inverse = take(s * s);
    record.rhs = rhs_[at(p)];
    record.determinant = determinant_;
    determinant_ += determinants(s);

    if (later.size() == 1 || later.size() == 2) {
      const int t1 = graph_.size(later.front()), t2 = graph_.size(later.back());
      const Kernels kernels =
          later.size() == 1 ? pivot_kernels(s_.symmetry_, s, t1) : pivot_kernels(s_.symmetry_, s, t1, t2);
      if (kernels.factor) {
        record.near[0] = neighbour(p, later[0], take(s * t1));
        if (later.size() == 2) {
          record.near[1] = neighbour(p, later[1], take(s * t2));
          update_coupling(later[0], later[1], record);
        }
        emit(kernels, record);
        return;
      }
    }
    emit(pivot_kernels(s_.symmetry_, s), record);
    eliminate_many(p, later, record);
  }

  void eliminate_many(int p, const std::vector<int>& later, Record record) {
    const int s = graph_.size(p);
    std::vector<Record::Neighbour> near;
    for (const int t : later) {
      near.push_back(neighbour(p, t, take(s * graph_.size(t))));
      record.near[0] = near.back();
      emit(neighbour_kernels(s, graph_.size(t)), record);
    }
    for (std::size_t i = 0; i < later.size(); ++i) {
      for (std::size_t j = i + 1; j < later.size(); ++j) {
        const Kernels kernels{update_kernel(s, graph_.size(later[i]), graph_.size(later[j])), nullptr,
                              nullptr};
        update_coupling(later[i], later[j], record);
        record.near[0] = near[i];
        record.near[1] = near[j];
        emit(kernels, record);
        if (s_.symmetry_ == Symmetry::symmetric) continue;
        Record transposed = record;  // K(j,i)' -= W_i' L_j
        transposed.near[0].lower = near[i].product;
        transposed.near[1].product = near[j].lower;
        transposed.upper_from = record.lower_from;
        transposed.upper_to = record.lower_to;
        emit(kernels, transposed);
      }
    }
  }

  StaticElimination& s_;
  const BlockGraph& graph_;
  const EliminationOrder& order_;
  std::int32_t next_ = 0, zeros_ = 0, determinant_ = 0;
  std::vector<std::int32_t> rhs_;
  std::vector<Changing> diagonal_;
  std::unordered_map<std::uint64_t, Both> couplings_;  // by earlier and later pivot
};

void StaticElimination::compile(const BlockGraph& graph, const EliminationOrder& order, Symmetry symmetry) {
  graph_ = graph;
  symmetry_ = symmetry;
  records_.clear();
  factor_.clear();
  forward_.clear();
  backward_.clear();
  position_.assign(at(graph.size()), 0);
  for (std::size_t i = 0; i < order.pivots.size(); ++i) position_[at(order.pivots[i])] = static_cast<int>(i);
  Compiler(*this, order).compile();
}

std::int32_t StaticElimination::slot(int i, int j) const {
  const int u = graph_.block[at(i)], v = graph_.block[at(j)];
  const int a = graph_.place[at(i)], c = graph_.place[at(j)];
  if (u == v) return diagonal_[at(u)] + a * graph_.size(u) + c;
  const bool above = position_[at(u)] < position_[at(v)];
  const int first = above ? u : v, second = above ? v : u;
  const auto& list = couplings_[at(first)];
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Coupling& each) { return each.to == second; });
  return above ? found->upper + a * graph_.size(v) + c : found->lower + c * graph_.size(u) + a;
}

// Number by number: a pair read right after its halves were written would wait for them to reach the cache.
void StaticElimination::load(const double* b) {
  double* w = workspace_.data();
  const std::size_t size = rhs_of_.size();
  for (std::size_t i = 0; i < size; ++i) w[rhs_of_[i]] = b[i];
}

bool StaticElimination::unload(double* x) const {
  const double* w = workspace_.data();
  const std::size_t size = rhs_of_.size();
  double even = 0,
         odd = 0;  // sums of 0 x, where NaN and infinity stay; two, which need not wait for each other
  std::size_t i = 0;
  for (; i + 1 < size; i += 2) {
    even += 0 * (x[i] = w[rhs_of_[i]]);
    odd += 0 * (x[i + 1] = w[rhs_of_[i + 1]]);
  }
  if (i < size) even += 0 * (x[i] = w[rhs_of_[i]]);
  return even + odd == 0;
}

void StaticElimination::factor_and_solve() {
  run(factor_);
  run(backward_);
}

void StaticElimination::solve_again() {
  run(forward_);
  run(backward_);
}

bool StaticElimination::take_reference() {
  const double* det = workspace_.data() + determinants_;
  bool good = true;
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    reference_[i] = std::abs(det[i]);
    good &= reference_[i] > 0 && std::isfinite(reference_[i]);
  }
  return good;
}

}  // namespace dalembert
