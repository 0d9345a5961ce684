#include "dalembert/linear/saddle/static_elimination.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "dalembert/core/index.h"

namespace dalembert {
/// Walks through the pivots once, hands out places in the workspace and writes the operations.
class StaticElimination::Compiler {
 public:
  Compiler(StaticElimination& elimination, Program& program, const BlockGraph& graph,
           const EliminationOrder& order, Symmetry symmetry)
      : s_(elimination),
        program_(program),
        graph_(graph),
        order_(order),
        symmetry_(symmetry),
        rhs_(at(graph_.size())) {}

  Places compile() {
    zeros_ = take(largest_block * largest_block);
    s_.nowhere_ = take(1);
    place_unknowns();
    sort_neighbours();
    place_matrix();
    places_.end_ = next_;
    int count = 0;
    for (int v = 0; v < graph_.size(); ++v) count += determinants(graph_.size(v));
    s_.determinants_ = determinant_ = take(count);
    s_.reference_.assign(at(count), 0.0);
    program_.records.reserve(order_.pivots.size());
    for (std::vector<Instruction>* list : {&program_.factor, &program_.forward, &program_.backward})
      list->reserve(order_.pivots.size());
    for (const int p : order_.pivots) eliminate(p);
    std::reverse(program_.backward.begin(), program_.backward.end());
    s_.workspace_.assign(at(next_), 0.0);
    return std::move(places_);
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
    program_.rhs_of.resize(graph_.block.size());
    for (int v = 0; v < graph_.size(); ++v) {
      rhs_[at(v)] = take(graph_.size(v));
      for (int i = 0; i < graph_.size(v); ++i)
        program_.rhs_of[at(graph_.unknowns[at(v)][at(i)])] = rhs_[at(v)] + i;
    }
    program_.one_piece = std::adjacent_find(program_.rhs_of.begin(), program_.rhs_of.end(),
                                            [](std::int32_t a, std::int32_t b) { return b != a + 1; }) ==
                         program_.rhs_of.end();
  }

  /// Of each block those that follow it, in the order in which they do.
  void sort_neighbours() {
    places_.graph_ = &graph_;
    std::vector<int>& position = places_.position_;
    position.assign(at(graph_.size()), 0);
    for (std::size_t i = 0; i < order_.pivots.size(); ++i)
      position[at(order_.pivots[i])] = static_cast<int>(i);
    places_.first_.assign(1, 0);
    places_.first_.reserve(order_.later.size() + 1);
    for (const Few& each : order_.later) places_.first_.push_back(places_.first_.back() + each.size());
    places_.couplings_.reserve(places_.first_.back());
    for (const Few& each : order_.later) {
      const auto begin = static_cast<std::ptrdiff_t>(places_.couplings_.size());
      for (const int t : each) places_.couplings_.push_back({t, zeros_, zeros_});
      std::sort(places_.couplings_.begin() + begin, places_.couplings_.end(),
                [&](const auto& a, const auto& b) { return position[at(a.to)] < position[at(b.to)]; });
    }
  }

  void place_matrix() {
    places_.diagonal_.assign(at(graph_.size()), zeros_);
    diagonal_.assign(at(graph_.size()), Changing{zeros_});
    couplings_.assign(places_.couplings_.size(), {Changing{zeros_}, Changing{zeros_}});
    for (const int p : order_.pivots) {
      const int s = graph_.size(p);
      if (p < graph_.bodies) diagonal_[at(p)].now = places_.diagonal_[at(p)] = take(s * s);
      const Few& near = graph_.neighbours[at(p)];
      for (std::size_t k = places_.first_[at(p)]; k < places_.first_[at(p) + 1]; ++k) {
        Places::Coupling& coupling = places_.couplings_[k];
        if (!std::binary_search(near.begin(), near.end(), coupling.to)) continue;
        const int size = s * graph_.size(coupling.to);
        coupling.upper = take(size);
        coupling.lower = symmetry_ == Symmetry::symmetric ? coupling.upper : take(size);
        couplings_[k] = {Changing{coupling.upper}, Changing{coupling.lower}};
      }
    }
  }

  /// Of an earlier pivot and a later one.
  Both& both(int u, int v) {
    return couplings_[static_cast<std::size_t>(&places_.find(u, v) - places_.couplings_.data())];
  }

  /// The next update of a block: reads what it is now, writes into its own place.
  std::pair<std::int32_t, std::int32_t> update(Changing& block, int size) {
    if (block.own == 0) block.own = take(size);
    return {std::exchange(block.now, block.own), block.own};
  }
  void update_coupling(int u, int v, Record& record) {
    const int size = graph_.size(u) * graph_.size(v);
    Both& changing = both(u, v);
    std::tie(record.upper_from, record.upper_to) = update(changing.upper, size);
    if (symmetry_ == Symmetry::unsymmetric)
      std::tie(record.lower_from, record.lower_to) = update(changing.lower, size);
    else
      changing.lower = changing.upper;
  }

  Record::Neighbour neighbour(const Both& both, int t, std::int32_t product) {
    const int size = graph_.size(t);
    const auto [from, to] = update(diagonal_[at(t)], size * size);
    return {both.upper.now, both.lower.now, product, rhs_[at(t)], from, to};
  }

  void emit(const Kernels& kernels, const Record& record) {
    const auto begin = static_cast<std::ptrdiff_t>(program_.records.size() * sizeof(Record));
    program_.records.push_back(record);
    if (kernels.factor) program_.factor.push_back({kernels.factor, begin});
    if (kernels.forward) program_.forward.push_back({kernels.forward, begin});
    if (kernels.backward) program_.backward.push_back({kernels.backward, begin});
  }

  void eliminate(int p) {
    const int s = graph_.size(p);
    const std::size_t first = places_.first_[at(p)], count = places_.first_[at(p) + 1] - first;
    const auto later = [&](std::size_t i) { return places_.couplings_[first + i].to; };
    Record record{};
    record.diagonal = diagonal_[at(p)].now;
    record.inverse = take(s * s);
    record.rhs = rhs_[at(p)];
    record.determinant = determinant_;
    determinant_ += determinants(s);

    if (count == 1 || count == 2) {
      const int t1 = graph_.size(later(0)), t2 = graph_.size(later(count - 1));
      const Kernels kernels =
          count == 1 ? pivot_kernels(symmetry_, s, t1) : pivot_kernels(symmetry_, s, t1, t2);
      if (kernels.factor) {
        record.near[0] = neighbour(couplings_[first], later(0), take(s * t1));
        if (count == 2) {
          record.near[1] = neighbour(couplings_[first + 1], later(1), take(s * t2));
          update_coupling(later(0), later(1), record);
        }
        emit(kernels, record);
        return;
      }
    }
    emit(pivot_kernels(symmetry_, s), record);
    std::vector<Record::Neighbour> near;
    for (std::size_t i = 0; i < count; ++i) {
      near.push_back(neighbour(couplings_[first + i], later(i), take(s * graph_.size(later(i)))));
      record.near[0] = near.back();
      emit(neighbour_kernels(s, graph_.size(later(i))), record);
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const Kernels kernels{update_kernel(s, graph_.size(later(i)), graph_.size(later(j))), nullptr,
                              nullptr};
        update_coupling(later(i), later(j), record);
        record.near[0] = near[i];
        record.near[1] = near[j];
        emit(kernels, record);
        if (symmetry_ == Symmetry::symmetric) continue;
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
  Program& program_;
  const BlockGraph& graph_;
  const EliminationOrder& order_;
  const Symmetry symmetry_;
  Places places_;
  std::int32_t next_ = 0, zeros_ = 0, determinant_ = 0;
  std::vector<std::int32_t> rhs_;
  std::vector<Changing> diagonal_;
  std::vector<Both> couplings_;  // as those of places_
};

StaticElimination::Places StaticElimination::compile(const BlockGraph& graph, const EliminationOrder& order,
                                                     Symmetry symmetry) {
  const auto program = std::make_shared<Program>();
  program_ = program;
  return Compiler(*this, *program, graph, order, symmetry).compile();
}

const StaticElimination::Places::Coupling& StaticElimination::Places::find(int u, int v) const {
  const auto begin = couplings_.begin() + static_cast<std::ptrdiff_t>(first_[at(u)]),
             end = couplings_.begin() + static_cast<std::ptrdiff_t>(first_[at(u) + 1]);
  if (end - begin <= 8) return *std::find_if(begin, end, [&](const Coupling& each) { return each.to == v; });
  return *std::lower_bound(begin, end, position_[at(v)], [&](const Coupling& each, int position) {
    return position_[at(each.to)] < position;
  });
}

std::int32_t StaticElimination::Places::slot(int i, int j) const {
  const int u = graph_->block[at(i)], v = graph_->block[at(j)];
  const int a = graph_->place[at(i)], c = graph_->place[at(j)];
  if (u == v) return diagonal_[at(u)] + a * graph_->size(u) + c;
  const bool above = position_[at(u)] < position_[at(v)];
  const Coupling& found = above ? find(u, v) : find(v, u);
  return above ? found.upper + a * graph_->size(v) + c : found.lower + c * graph_->size(u) + a;
}

// Number by number: a pair read right after its halves were written would wait for them to reach the cache.
void StaticElimination::load(const double* b) {
  double* w = workspace_.data();
  const std::int32_t* to = program_->rhs_of.data();
  const std::size_t size = program_->rhs_of.size();
  std::size_t i = 0;
  if (program_->one_piece && size > 0) {
    std::copy_n(b, size, w + to[0]);
    return;
  }
  for (; i + 4 <= size; i += 4) {
    const double first = b[i], second = b[i + 1], third = b[i + 2], fourth = b[i + 3];
    w[to[i]] = first;
    w[to[i + 1]] = second;
    w[to[i + 2]] = third;
    w[to[i + 3]] = fourth;
  }
  for (; i < size; ++i) w[to[i]] = b[i];
}

namespace {

using Pair = double __attribute__((vector_size(16)));
using PairInMemory = double __attribute__((vector_size(16), aligned(8), may_alias));

/// Copies what place(i) tells; false unless all of it is finite.
template <class Place>
[[gnu::always_inline]] inline bool copy_finite(const double* w, std::size_t size, const Place& place,
                                               double* x) {
  Pair even{}, odd{};  // sums of 0 x, where NaN and infinity stay; two, which need not wait for each other
  std::size_t i = 0;
  for (; i + 4 <= size; i += 4) {
    const Pair first = {w[place(i)], w[place(i + 1)]}, second = {w[place(i + 2)], w[place(i + 3)]};
    *reinterpret_cast<PairInMemory*>(x + i) = first;
    *reinterpret_cast<PairInMemory*>(x + i + 2) = second;
    even += 0 * first;
    odd += 0 * second;
  }
  even += odd;
  double sum = even[0] + even[1];
  for (; i < size; ++i) sum += 0 * (x[i] = w[place(i)]);
  return sum == 0;
}

}  // namespace

bool StaticElimination::unload(double* x) const {
  const double* w = workspace_.data();
  const std::int32_t* from = program_->rhs_of.data();
  const std::size_t size = program_->rhs_of.size();
  if (program_->one_piece && size > 0)
    return copy_finite(
        w + from[0], size, [](std::size_t i) { return i; }, x);
  return copy_finite(
      w, size, [&](std::size_t i) { return from[i]; }, x);
}

void StaticElimination::factor_and_solve() {
  run(program_->factor);
  run(program_->backward);
}

void StaticElimination::solve_again() {
  run(program_->forward);
  run(program_->backward);
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
