#include "dalembert/linear/saddle/saddle_point.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "dalembert/core/index.h"
#include "dalembert/core/rounding.h"
#include "dalembert/core/text.h"
#include "dalembert/linear/pivoted.h"
#include "dalembert/linear/saddle/multifrontal.h"
#include "dalembert/linear/saddle/scatter.h"
#include "dalembert/linear/saddle/static_elimination.h"

namespace dalembert {
namespace {

// Shares of its reference determinant that a pivot must keep: above the first the elimination is as good as
// it was in bind(), above the second one step of refinement repairs it, below only row exchanges help.
constexpr double accept_share = 1e-2;
constexpr double refine_share = 1e-8;
// A componentwise backward error above this is not rounding.
constexpr double largest_backward_error = 1e-11;
// A known solution is missed by no more than the first, or, up to the second, by no more than a few times what one rounding of each
// entry changes it by: row exchanges would miss it as well [Higham2002, 7.2].
constexpr double largest_trial_error = 1e-6, hopeless_trial_error = 1e-3;
constexpr double times_rounding = 10;
// The same for the pivots of the multifrontal method, as shares of the diagonal of G M^-1 G'.
constexpr double accept_multifrontal = 1e-6;
constexpr double refine_multifrontal = 1e-13;

// Unknowns. Beyond, many small blocks are no match for the bodies of a mechanism, and trying them takes long.
constexpr int most_for_all_cuts = 2000;
// Beyond, with an order, row exchanges are planned when they are needed: their pivots would take more time and room than the
// elimination itself. That the matrix is regular is known from a solution that was reproduced.
constexpr int most_with_pivots = 2000;

/// Does every entry lie within a block of the graph, or between two neighbours?
bool couples_no_more(const BlockGraph& graph, int n, const Entries& mass, const Entries& jacobian) {
  const auto knows = [&](int i, int j) {
    const int u = graph.block[at(i)], v = graph.block[at(j)];
    const Few& near = graph.neighbours[at(u)];
    return u == v || std::binary_search(near.begin(), near.end(), v);
  };
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (!knows(mass.row(k), mass.column(k))) return false;
  for (std::size_t k = 0; k < jacobian.size(); ++k)
    if (!knows(n + jacobian.row(k), jacobian.column(k))) return false;
  return true;
}

}  // namespace

struct SaddlePoint::Solver {
  /// Of the blocks of a graph.
  struct Order {
    std::shared_ptr<const BlockGraph> graph;
    std::shared_ptr<const EliminationOrder> order;
  };
  /// Where entries go. Who takes over a plan shares it.
  struct Placing {
    /// K(row, column) is values[slot].
    struct Term {
      std::int32_t row, column, slot;
    };
    Scatter mass, upper, lower;
    std::vector<Term> terms;
  };
  enum class Path { none, direct, refined, pivoted };

  Solver(Eigen::Index coordinates, Eigen::Index multipliers, Symmetry s, Elimination e)
      : n(static_cast<int>(coordinates)),
        m(static_cast<int>(multipliers)),
        symmetry(s),
        wanted(e),
        elimination(e) {
    solution = residual = size = Vector::Zero(n + m);
  }

  int n, m;
  Symmetry symmetry;
  Elimination wanted, elimination;  // asked for, and settled on
  bool refines = false;             // every solution: the representative one was not good enough as it came
  std::string refused{};            // what was wrong with the last order that was tried; "" if none was
  bool ordered = false;  // false with Elimination::static_order if the representative matrix allowed no order
  Order taken{};         // of the static elimination
  StaticElimination static_elimination;
  Multifrontal multifrontal;
  std::vector<double> plain_values;  // of K, where there is no static elimination
  std::shared_ptr<const Placing> placing;
  PivotedFactors pivoted;
  bool pivoted_bound = false;
  Path path = Path::none;
  Vector solution, residual, size;

  double* values() { return ordered ? static_elimination.workspace() : plain_values.data(); }
  int total() const { return n + m; }

  // bind
  void place(const Entries& M, const Entries& G, const StaticElimination::Places* = nullptr);
  void choose_static_order(const Entries& M, const Entries& G);
  enum class Trial { as_it_comes, refined };
  bool passes(const Order&, const Entries& M, const Entries& G, Trial);
  bool passes(const Entries& M, const Entries& G, Trial);
  bool choose_multifrontal(const Entries& M, const Entries& G);
  void bind_pivoted();
  void plan_row_exchanges(const Entries& M, const Entries& G);

  // solve
  void scatter(const Entries& M, const Entries& G1, const Entries& G2);
  void fill_pivoted();
  Outcome solve_pivoted(Out x, Statistics&);
  bool correct(Out r);
  bool refine(In b);
  bool explained_by_rounding(double missed);
  Outcome solve_multifrontal(const Entries& M, const Entries& G, Out x, Statistics&);
  double backward_error(In b);
  void find_residual(In b);
  Outcome finish_direct(Out x, Statistics&);
};

/// Gives every entry its slot and lists the terms of K, row after row.
void SaddlePoint::Solver::place(const Entries& M, const Entries& G, const StaticElimination::Places* places) {
  // The columns of each row: of all entries first, then each once.
  std::vector<std::size_t> first(at(total()) + 1, 0), end(at(total()));
  const auto each_entry = [&](const auto& visit) {
    for (std::size_t k = 0; k < M.size(); ++k) visit(M.row(k), M.column(k));
    for (std::size_t k = 0; k < G.size(); ++k) {
      visit(n + G.row(k), G.column(k));
      visit(G.column(k), n + G.row(k));
    }
  };
  each_entry([&](int i, int) { ++first[at(i) + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::copy(first.begin(), first.end() - 1, end.begin());
  std::vector<std::int32_t> columns(first.back());
  each_entry([&](int i, int j) { columns[end[at(i)]++] = j; });
  const auto made = std::make_shared<Placing>();
  std::vector<Placing::Term>& terms = made->terms;
  std::size_t count = 0;
  const auto column = [&](std::size_t k) { return columns.begin() + static_cast<std::ptrdiff_t>(k); };
  for (std::size_t i = 0; i < end.size(); ++i) {
    std::sort(column(first[i]), column(end[i]));
    const auto last = std::unique(column(first[i]), column(end[i]));
    const auto row = std::copy(column(first[i]), last, column(count));
    first[i] = count;
    count = end[i] = static_cast<std::size_t>(row - columns.begin());
  }
  terms.reserve(count);
  std::int32_t next = 1;
  for (int i = 0; i < total(); ++i)
    for (std::size_t k = first[at(i)]; k < end[at(i)]; ++k)
      terms.push_back({i, columns[k], places != nullptr ? places->slot(i, columns[k]) : next++});
  if (places == nullptr) plain_values.assign(static_cast<std::size_t>(next), 0.0);

  const std::int32_t nowhere = places != nullptr ? static_elimination.nowhere() : 0;
  constexpr std::int32_t nobody = -1;
  std::vector<std::int32_t> owner(static_cast<std::size_t>(places != nullptr ? places->end() : next), nobody);
  const auto put = [&](int i, int j, Scatter& scatter) {
    const auto found = std::lower_bound(column(first[at(i)]), column(end[at(i)]), j) - columns.begin();
    const auto term = static_cast<std::int32_t>(found);
    const std::int32_t slot = terms[at(term)].slot;
    std::int32_t& taken_by = owner[at(slot)];
    if (taken_by == term) return scatter.add_to(slot, nowhere);
    scatter.add(taken_by == nobody ? slot : nowhere);  // taken: by the other half of a symmetric pair
    if (taken_by == nobody) taken_by = term;
  };
  made->mass.reserve(M.size());
  made->lower.reserve(G.size());
  made->upper.reserve(G.size());
  for (std::size_t k = 0; k < M.size(); ++k) put(M.row(k), M.column(k), made->mass);
  for (std::size_t k = 0; k < G.size(); ++k) {
    put(n + G.row(k), G.column(k), made->lower);
    put(G.column(k), n + G.row(k), made->upper);
  }
  placing = made;
}

void SaddlePoint::Solver::scatter(const Entries& M, const Entries& G1, const Entries& G2) {
  placing->mass.run(M, values());
  placing->lower.run(G2, values());
  if (symmetry == Symmetry::unsymmetric || !ordered) placing->upper.run(G1, values());
}

bool SaddlePoint::Solver::passes(const Order& order, const Entries& M, const Entries& G, Trial trial) {
  ordered = true;
  {
    const auto places = static_elimination.compile(*order.graph, *order.order, symmetry);
    place(M, G, &places);
  }
  ordered = passes(M, G, trial);
  if (ordered) taken = order;
  return ordered;
}

/// Does elimination in the order at hand reproduce a known solution of the representative system?
bool SaddlePoint::Solver::passes(const Entries& M, const Entries& G, Trial trial) {
  scatter(M, G, G);
  Vector x(total()), b = Vector::Zero(total());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : -0.7;
  for (const auto& term : placing->terms) b[term.row] += values()[term.slot] * x[term.column];
  static_elimination.load(b.data());
  static_elimination.factor_and_solve();
  if (!static_elimination.take_reference() || !static_elimination.unload(solution.data())) return false;
  const double error = backward_error(b);
  refines = trial == Trial::refined && !(error < largest_backward_error);
  const bool good = refines ? refine(b) : error < largest_backward_error;
  const double missed = largest(solution - x);
  if (good && (missed < largest_trial_error || explained_by_rounding(missed))) return true;
  refused = good ? "misses a known solution by " + short_number(missed) + ", where " +
                       short_number(largest_trial_error) + " is allowed"
                 : "leaves a backward error of " + short_number(error) + ", where " +
                       short_number(largest_backward_error) + " is allowed";
  return false;
}

/// The cheapest order, by count, that the representative matrix allows.
void SaddlePoint::Solver::choose_static_order(const Entries& M, const Entries& G) {
  std::vector<std::shared_ptr<const BlockGraph>> graphs;
  for (BlockGraph& graph : ways_to_cut(n, m, M, G, total() <= most_for_all_cuts ? Cuts::all : Cuts::few))
    graphs.push_back(std::make_shared<const BlockGraph>(std::move(graph)));
  std::vector<Order> candidates;
  const auto consider = [&](const std::shared_ptr<const BlockGraph>& graph,
                            std::optional<EliminationOrder> order) {
    if (order) candidates.push_back({graph, std::make_shared<const EliminationOrder>(std::move(*order))});
  };
  const auto first_that_passes = [&](Trial trial) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Order& a, const Order& b) { return a.order->cost < b.order->cost; });
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](const Order& each) { return passes(each, M, G, trial); });
  };
  // The pattern alone tells whether loops fill a large matrix; factors would be made in vain.
  std::optional<EliminationOrder> by_pattern;
  if (total() > most_for_all_cuts) by_pattern = bodies_first_order(*graphs.front());
  const bool fills = total() > most_for_all_cuts && !by_pattern;
  const auto consider_all = [&](const auto& most) {
    for (const auto& graph : graphs) {
      if (fills) break;
      consider(graph, by_pattern ? std::exchange(by_pattern, {}) : bodies_first_order(*graph, most()));
      consider(graph, mixed_order(*graph, M, G, 0.02, most()));
    }
  };
  const auto anything = [] { return any_cost; };
  const auto least = [&] {
    double cost = any_cost;
    for (const Order& each : candidates) cost = std::min(cost, each.order->cost);
    return cost;
  };
  if (total() <=
      most_for_all_cuts) {  // what becomes dearer than another one is not finished, unless that fails
    consider_all(least);
    if (first_that_passes(Trial::as_it_comes)) return;
    candidates.clear();
  }
  consider_all(anything);
  if (candidates.empty()) {  // too much fill
    elimination = symmetry == Symmetry::symmetric && choose_multifrontal(M, G) ? Elimination::multifrontal
                                                                               : Elimination::sparse;
    return;
  }
  if (first_that_passes(Trial::as_it_comes)) return;
  const std::vector<Order> first = std::exchange(candidates, {});
  for (const auto& graph : graphs) consider(graph, mixed_order(*graph, M, G, 0.1));
  if (first_that_passes(Trial::as_it_comes)) return;
  // Long chains lose a few digits on the way: one step of refinement costs less than row exchanges.
  candidates.insert(candidates.end(), first.begin(), first.end());
  first_that_passes(Trial::refined);
}

/// Would a solution be missed by as much if each entry was rounded once, and all else was exact? Asked of the factors at hand, with
/// |K||x| + |b| in `size`, in one direction of many: what it says is no more than the truth.
bool SaddlePoint::Solver::explained_by_rounding(double missed) {
  if (!(missed < hopeless_trial_error)) return false;
  std::uint32_t digits = 1;
  for (double& moved : size) {
    digits = digits * 1664525 + 1013904223;  // any signs that follow no pattern of the rows
    moved *= digits >> 31 ? machine_epsilon / 2 : -machine_epsilon / 2;
  }
  return correct(size) && missed < times_rounding * largest(size);
}

/// Does the multifrontal method reproduce a known solution of the representative system?
bool SaddlePoint::Solver::choose_multifrontal(const Entries& M, const Entries& G) {
  if (!multifrontal.bind(blocks_by_joint(n, m, M, G), M, G)) return false;
  Vector x(total()), b = Vector::Zero(total());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : -0.7;
  M.multiply(x.head(n), 1, b.head(n));
  G.multiply_transposed(x.tail(m), 1, b.head(n));
  G.multiply(x.head(n), 1, b.tail(m));
  size = b.cwiseAbs();
  for (std::size_t k = 0; k < M.size(); ++k) size[M.row(k)] += std::abs(M.value(k) * x[M.column(k)]);
  for (std::size_t k = 0; k < G.size(); ++k) {
    size[n + G.row(k)] += std::abs(G.value(k) * x[G.column(k)]);
    size[G.column(k)] += std::abs(G.value(k) * x[n + G.row(k)]);
  }
  if (!multifrontal.factor(M, G) || !(multifrontal.smallest_share() > accept_multifrontal)) return false;
  multifrontal.solve(b);
  const double missed = largest(b - x);
  if (missed < largest_trial_error) return true;
  elimination = Elimination::multifrontal;
  return explained_by_rounding(missed);
}

void SaddlePoint::Solver::bind_pivoted() {
  if (std::exchange(pivoted_bound, true)) return;
  std::vector<Position> pattern;
  for (const auto& term : placing->terms) pattern.push_back({term.row, term.column});
  pivoted.bind(total(), pattern,
               elimination == Elimination::static_order ? Backend::automatic
               : elimination == Elimination::dense      ? Backend::dense
                                                        : Backend::sparse);
}

/// Sparse factors see the representative matrix too, and find their pivots; dense ones need room only.
void SaddlePoint::Solver::plan_row_exchanges(const Entries& M, const Entries& G) {
  if (ordered && total() > most_with_pivots) return pivoted.reset();
  bind_pivoted();
  pivoted.reset();
  if (pivoted.backend() == Backend::dense) return;
  scatter(M, G, G);
  fill_pivoted();
  pivoted.factor();
}

void SaddlePoint::Solver::fill_pivoted() {
  pivoted.clear();
  const double* v = values();
  const std::vector<Placing::Term>& terms = placing->terms;
  for (std::size_t k = 0; k < terms.size(); ++k) pivoted.add(k, v[terms[k].slot]);
}

Outcome SaddlePoint::Solver::solve_pivoted(Out x, Statistics& statistics) {
  bind_pivoted();
  fill_pivoted();
  const Outcome outcome = pivoted.factor();
  if (outcome == Outcome::not_finite) return outcome;
  if (elimination == Elimination::static_order || elimination == Elimination::multifrontal)
    ++statistics.pivoted_solves;
  if (outcome != Outcome::ok) return outcome;
  path = Path::pivoted;
  ++statistics.factorizations;
  ++statistics.solves;
  pivoted.solve(x);
  return std::isfinite(largest(x)) ? Outcome::ok : Outcome::not_finite;
}

/// max_i |b - K x|_i / (|K||x| + |b|)_i for x = solution; leaves b - K x in residual, and what it is divided by in size.
double SaddlePoint::Solver::backward_error(In b) {
  const double* v = values();
  const Placing::Term *term = placing->terms.data(), *const end = term + placing->terms.size();
  double error = 0;
  for (Eigen::Index i = 0; i < total(); ++i) {
    double r = b[i], s = std::abs(b[i]);
    for (; term != end && term->row == i; ++term) {
      const double product = v[term->slot] * solution[term->column];
      r -= product;
      s += std::abs(product);
    }
    residual[i] = r;
    size[i] = s;
    const double of = s > 0 ? s : 1;
    if (!(std::abs(r) <= error * of))
      error = std::abs(r) / of;  // a division for the few that are worse than all before
  }
  return error;
}

/// b - K x for x = solution.
void SaddlePoint::Solver::find_residual(In b) {
  const double* v = values();
  const Placing::Term *term = placing->terms.data(), *const end = term + placing->terms.size();
  for (Eigen::Index i = 0; i < total(); ++i) {
    double r = b[i];
    for (; term != end && term->row == i; ++term) r -= v[term->slot] * solution[term->column];
    residual[i] = r;
  }
}

/// r <- the solution with right-hand side r and the last factors; false if it is not finite.
bool SaddlePoint::Solver::correct(Out r) {
  if (elimination == Elimination::multifrontal) {
    multifrontal.solve(r);
    return std::isfinite(largest(r));
  }
  static_elimination.load(r.data());
  static_elimination.solve_again();
  return static_elimination.unload(r.data());
}

/// One step of iterative refinement of `solution`; true if the result can be trusted.
bool SaddlePoint::Solver::refine(In b) {
  find_residual(b);
  if (!correct(residual)) return false;
  solution += residual;
  return backward_error(b) < largest_backward_error;
}

Outcome SaddlePoint::Solver::solve_multifrontal(const Entries& M, const Entries& G, Out x,
                                                Statistics& statistics) {
  const bool factored = multifrontal.factor(M, G);
  if (factored && multifrontal.smallest_share() > accept_multifrontal) {
    path = Path::direct;
    ++statistics.factorizations;
    ++statistics.solves;
    return correct(x) ? Outcome::ok : Outcome::not_finite;
  }
  scatter(M, G, G);  // for residuals, or for row exchanges
  if (factored && multifrontal.smallest_share() > refine_multifrontal) {
    solution = x;
    if (correct(solution) && refine(x)) {
      path = Path::refined;
      ++statistics.factorizations;
      return finish_direct(x, statistics);
    }
  }
  return solve_pivoted(x, statistics);
}

SaddlePoint::SaddlePoint() = default;
SaddlePoint::~SaddlePoint() = default;
SaddlePoint::SaddlePoint(SaddlePoint&&) noexcept = default;
SaddlePoint& SaddlePoint::operator=(SaddlePoint&&) noexcept = default;

void SaddlePoint::bind(Eigen::Index n, Eigen::Index m, const Entries& mass, const Entries& jacobian,
                       Symmetry symmetry, Elimination elimination) {
  solver_ = std::make_unique<Solver>(n, m, symmetry, elimination);
  first_ = nullptr;
  Solver& solver = *solver_;
  if (elimination == Elimination::static_order) solver.choose_static_order(mass, jacobian);
  if (elimination == Elimination::multifrontal &&
      (symmetry == Symmetry::unsymmetric || !solver.choose_multifrontal(mass, jacobian)))
    solver.elimination = Elimination::sparse;
  if (!solver.ordered) solver.place(mass, jacobian);
  if (solver.elimination == Elimination::multifrontal)
    return;  // row exchanges are planned when they are needed
  solver.plan_row_exchanges(mass, jacobian);
}

void SaddlePoint::reset(const Entries& mass, const Entries& jacobian) {
  if (first_) solver_ = std::move(first_);
  Solver& solver = *solver_;
  solver.path = Solver::Path::none;
  if (solver.elimination == Elimination::multifrontal) {
    solver.pivoted.reset();
    return;
  }
  const bool suits =
      !solver.ordered ||
      solver.passes(mass, jacobian, solver.refines ? Solver::Trial::refined : Solver::Trial::as_it_comes);
  if (suits) return solver.plan_row_exchanges(mass, jacobian);
  auto planned = std::move(solver_);
  bind(planned->n, planned->m, mass, jacobian, planned->symmetry, planned->wanted);
  first_ = std::move(planned);
}

void SaddlePoint::bind_like(const SaddlePoint& planned) {
  const Solver& from = *planned.solver_;
  solver_ = std::make_unique<Solver>(from.n, from.m, from.symmetry, from.elimination);
  solver_->ordered = from.ordered;
  solver_->refines = from.refines;
  solver_->refused = from.refused;
  solver_->static_elimination = from.static_elimination;
  solver_->taken = from.taken;
  solver_->multifrontal = from.multifrontal;
  solver_->plain_values = from.plain_values;
  solver_->placing = from.placing;  // row exchanges are planned when they are needed
}

void SaddlePoint::bind_in_order_of(const SaddlePoint& planned, const Entries& mass, const Entries& jacobian,
                                   Symmetry symmetry) {
  const Solver& from = *planned.solver_;
  const auto trial = from.refines ? Solver::Trial::refined : Solver::Trial::as_it_comes;
  if (from.ordered && couples_no_more(*from.taken.graph, from.n, mass, jacobian)) {
    solver_ = std::make_unique<Solver>(from.n, from.m, symmetry, Elimination::static_order);
    first_ = nullptr;
    // row exchanges are planned when they are needed
    if (solver_->passes(from.taken, mass, jacobian, trial)) return;
  }
  bind(from.n, from.m, mass, jacobian, symmetry);
}

Outcome SaddlePoint::solve(const Entries& mass, const Entries& G1, const Entries& G2, Out x,
                           Statistics& statistics) {
  Solver& solver = *solver_;
  solver.path = Solver::Path::none;
  if (solver.elimination == Elimination::multifrontal)
    return solver.solve_multifrontal(mass, G2, x, statistics);
  if (solver.ordered) solver.static_elimination.load(x.data());
  solver.scatter(mass, G1, G2);
  if (!solver.ordered) return solver.solve_pivoted(x, statistics);
  solver.static_elimination.factor_and_solve();
  if (!solver.refines && solver.static_elimination.pivots_above(accept_share)) {
    solver.path = Solver::Path::direct;
  } else {
    if (!solver.static_elimination.pivots_above(refine_share) ||
        !solver.static_elimination.unload(solver.solution.data()) || !solver.refine(x))
      return solver.solve_pivoted(x, statistics);
    solver.path = Solver::Path::refined;
  }
  ++statistics.factorizations;
  return solver.finish_direct(x, statistics);
}

/// Hands over what has been solved, refined or not.
Outcome SaddlePoint::Solver::finish_direct(Out x, Statistics& statistics) {
  ++statistics.solves;
  if (path == Path::direct) return static_elimination.unload(x.data()) ? Outcome::ok : Outcome::not_finite;
  ++statistics.refined_solves;
  x = solution;
  return Outcome::ok;
}

Outcome SaddlePoint::solve_again(Out x, Statistics& statistics) {
  Solver& solver = *solver_;
  if (solver.path == Solver::Path::none) return Outcome::singular;
  if (solver.path == Solver::Path::pivoted) {
    ++statistics.solves;
    solver.pivoted.solve(x);
    return std::isfinite(largest(x)) ? Outcome::ok : Outcome::not_finite;
  }
  if (solver.path == Solver::Path::direct) {
    ++statistics.solves;
    return solver.correct(x) ? Outcome::ok : Outcome::not_finite;
  }
  solver.solution = x;
  if (!solver.correct(solver.solution) || !solver.refine(x)) return solver.solve_pivoted(x, statistics);
  return solver.finish_direct(x, statistics);
}

std::optional<Eigen::Index> SaddlePoint::culprit() const {
  return solver_->pivoted.culprit();
}

std::optional<std::string> SaddlePoint::refusal() const {
  const Solver& solver = *solver_;
  constexpr int noticed = 300;  // unknowns; below, nobody feels it
  if (solver.wanted != Elimination::static_order || solver.ordered || solver.refused.empty() ||
      solver.total() < noticed)
    return {};
  return "the elimination block by block is not used, because at the start it " + solver.refused +
         ": rows are exchanged at every evaluation, which takes several times longer";
}

Elimination SaddlePoint::elimination() const {
  return solver_->elimination;
}

Symmetry SaddlePoint::symmetry() const {
  return solver_->symmetry;
}

}  // namespace dalembert
