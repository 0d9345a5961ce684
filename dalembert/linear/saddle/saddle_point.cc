#include "dalembert/linear/saddle/saddle_point.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "dalembert/linear/pivoted.h"
#include "dalembert/linear/saddle/multifrontal.h"
#include "dalembert/linear/saddle/static_elimination.h"

namespace dalembert {
namespace {

// Shares of its reference determinant that a pivot must keep: above the first the elimination is as good as
// it was in bind(), above the second one step of refinement repairs it, below only row exchanges help.
constexpr double accept_share = 1e-2;
constexpr double refine_share = 1e-8;
// A componentwise backward error above this is not rounding.
constexpr double largest_backward_error = 1e-11;
constexpr double largest_trial_error = 1e-6;
// The same for the pivots of fronts, as shares of the diagonal of G M^-1 G'.
constexpr double accept_front = 1e-6;
constexpr double refine_front = 1e-13;

// Unknowns. Beyond, many small blocks are no match for the bodies of a mechanism, and trying them takes long.
constexpr int most_for_all_cuts = 2000;

/// Copies entries to their places; those that meet are added.
class Scatter {
 public:
  void add(std::int32_t slot) { slots_.push_back(slot); }
  void add_to(std::int32_t slot, std::int32_t nowhere) {
    extra_.push_back({slots_.size(), slot});
    slots_.push_back(nowhere);
  }
  void run(const Entries& entries, double* values) const {
    assert(entries.size() == slots_.size() && "the pattern has changed since bind()");
    const double* v = entries.values();
    const std::int32_t* slot = slots_.data();
    const std::size_t size = slots_.size();
    for (std::size_t k = 0; k < size; ++k) values[slot[k]] = v[k];
    for (const auto& [k, to] : extra_) values[to] += v[k];
  }

 private:
  std::vector<std::int32_t> slots_;
  std::vector<std::pair<std::size_t, std::int32_t>> extra_;
};

/// K(row, column) is values[slot].
struct Term {
  std::int32_t row, column, slot;
};

}  // namespace

struct SaddlePoint::Plan {
  enum class Path { none, direct, refined, pivoted };

  Plan(Eigen::Index coordinates, Eigen::Index multipliers, Symmetry s, Elimination e)
      : n(static_cast<int>(coordinates)), m(static_cast<int>(multipliers)), symmetry(s), elimination(e) {
    solution = residual = size = Vector::Zero(n + m);
  }

  int n, m;
  Symmetry symmetry;
  Elimination elimination;
  bool scheduled =
      false;  // false with Elimination::scheduled if the representative matrix allowed no schedule
  StaticElimination schedule;
  Multifrontal fronts;
  std::vector<double> plain_values;  // of K, where there is no schedule
  Scatter mass, upper, lower;
  std::vector<Term> terms;
  PivotedFactors pivoted;
  bool pivoted_bound = false;
  Path path = Path::none;
  Vector solution, residual, size;

  double* values() { return scheduled ? schedule.workspace() : plain_values.data(); }
  int total() const { return n + m; }

  // bind
  void place(const Entries& M, const Entries& G);
  void choose_schedule(const Entries& M, const Entries& G);
  bool passes(const BlockGraph&, const EliminationOrder&, const Entries& M, const Entries& G);
  bool choose_fronts(const Entries& M, const Entries& G);
  void bind_pivoted();

  // solve
  void scatter(const Entries& M, const Entries& G1, const Entries& G2);
  void fill_pivoted();
  Outcome solve_pivoted(Out x, Statistics&);
  bool correct(Out r);
  bool refine(In b);
  Outcome solve_fronts(const Entries& M, const Entries& G, Out x, Statistics&);
  double backward_error(In b);
  Outcome finish_direct(Out x, Statistics&);
};

/// Gives every entry its slot and lists the terms of K.
void SaddlePoint::Plan::place(const Entries& M, const Entries& G) {
  std::vector<std::pair<int, int>> positions;
  positions.reserve(M.size() + 2 * G.size());
  for (std::size_t k = 0; k < M.size(); ++k) positions.emplace_back(M.row(k), M.column(k));
  for (std::size_t k = 0; k < G.size(); ++k) {
    positions.emplace_back(n + G.row(k), G.column(k));
    positions.emplace_back(G.column(k), n + G.row(k));
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  terms.clear();
  std::int32_t next = 1;
  for (const auto& [i, j] : positions) terms.push_back({i, j, scheduled ? schedule.slot(i, j) : next++});
  if (!scheduled) plain_values.assign(static_cast<std::size_t>(next), 0.0);

  const std::int32_t nowhere = scheduled ? schedule.nowhere() : 0;
  std::vector<const Term*> owner(scheduled ? schedule.size() : plain_values.size(), nullptr);
  const auto put = [&](int i, int j, Scatter& scatter) {
    const auto found = std::lower_bound(positions.begin(), positions.end(), std::pair(i, j));
    const Term* term = &terms[static_cast<std::size_t>(found - positions.begin())];
    const Term*& first = owner[static_cast<std::size_t>(term->slot)];
    if (first == term) return scatter.add_to(term->slot, nowhere);
    scatter.add(first == nullptr ? term->slot : nowhere);  // taken: by the other half of a symmetric pair
    if (first == nullptr) first = term;
  };
  mass = upper = lower = {};
  for (std::size_t k = 0; k < M.size(); ++k) put(M.row(k), M.column(k), mass);
  for (std::size_t k = 0; k < G.size(); ++k) {
    put(n + G.row(k), G.column(k), lower);
    put(G.column(k), n + G.row(k), upper);
  }
}

void SaddlePoint::Plan::scatter(const Entries& M, const Entries& G1, const Entries& G2) {
  mass.run(M, values());
  lower.run(G2, values());
  if (symmetry == Symmetry::unsymmetric || !scheduled) upper.run(G1, values());
}

/// Does the schedule of this order reproduce a known solution of the representative system?
bool SaddlePoint::Plan::passes(const BlockGraph& graph, const EliminationOrder& order, const Entries& M,
                               const Entries& G) {
  scheduled = true;
  schedule.compile(graph, order, symmetry);
  place(M, G);
  scatter(M, G, G);
  Vector x(total()), b = Vector::Zero(total());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : -0.7;
  for (const Term& term : terms) b[term.row] += values()[term.slot] * x[term.column];
  schedule.load(b.data());
  schedule.factor_and_solve();
  const bool good = schedule.take_reference() && schedule.unload(solution.data()) &&
                    largest(solution - x) < largest_trial_error && backward_error(b) < largest_backward_error;
  scheduled = good;
  return good;
}

/// The cheapest order, by count, that the representative matrix allows.
void SaddlePoint::Plan::choose_schedule(const Entries& M, const Entries& G) {
  struct Candidate {
    const BlockGraph* graph;
    EliminationOrder order;
  };
  std::vector<BlockGraph> graphs;
  const auto cut = [&](BlockGraph graph) {
    if (std::none_of(graphs.begin(), graphs.end(),
                     [&](const BlockGraph& other) { return other.unknowns == graph.unknowns; }))
      graphs.push_back(std::move(graph));
  };
  cut(blocks_by_joint(n, m, M, G));
  cut(blocks_by_half(n, m, M, G));
  if (total() <= most_for_all_cuts) cut(blocks_by_mass(n, m, M, G));
  std::vector<Candidate> candidates;
  const auto consider = [&](const BlockGraph& graph, std::optional<EliminationOrder> order) {
    if (order) candidates.push_back({&graph, std::move(*order)});
  };
  const auto first_that_passes = [&] {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.order.cost < b.order.cost; });
    return std::any_of(candidates.begin(), candidates.end(),
                       [&](const Candidate& each) { return passes(*each.graph, each.order, M, G); });
  };
  for (const BlockGraph& graph : graphs) {
    consider(graph, mixed_order(graph, M, G, 0.02));
    consider(graph, bodies_first_order(graph));
  }
  if (candidates.empty()) {  // too much fill
    elimination =
        symmetry == Symmetry::symmetric && choose_fronts(M, G) ? Elimination::fronts : Elimination::sparse;
    return;
  }
  if (first_that_passes()) return;
  candidates.clear();
  for (const BlockGraph& graph : graphs) consider(graph, mixed_order(graph, M, G, 0.1));
  first_that_passes();
}

/// Do fronts reproduce a known solution of the representative system?
bool SaddlePoint::Plan::choose_fronts(const Entries& M, const Entries& G) {
  if (!fronts.bind(blocks_by_joint(n, m, M, G), M, G)) return false;
  Vector x(total()), b = Vector::Zero(total());
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 2 == 0 ? 1 : -0.7;
  M.multiply(x.head(n), 1, b.head(n));
  G.multiply_transposed(x.tail(m), 1, b.head(n));
  G.multiply(x.head(n), 1, b.tail(m));
  if (!fronts.factor(M, G) || !(fronts.smallest_share() > accept_front)) return false;
  fronts.solve(b);
  return largest(b - x) < largest_trial_error;
}

void SaddlePoint::Plan::bind_pivoted() {
  if (std::exchange(pivoted_bound, true)) return;
  std::vector<Position> pattern;
  for (const Term& term : terms) pattern.push_back({term.row, term.column});
  pivoted.bind(total(), pattern,
               elimination == Elimination::scheduled ? Backend::automatic
               : elimination == Elimination::dense   ? Backend::dense
                                                     : Backend::sparse);
}

void SaddlePoint::Plan::fill_pivoted() {
  pivoted.clear();
  const double* v = values();
  for (std::size_t k = 0; k < terms.size(); ++k) pivoted.add(k, v[terms[k].slot]);
}

Outcome SaddlePoint::Plan::solve_pivoted(Out x, Statistics& statistics) {
  bind_pivoted();
  fill_pivoted();
  const Outcome outcome = pivoted.factor();
  if (outcome == Outcome::not_finite) return outcome;
  if (elimination == Elimination::scheduled || elimination == Elimination::fronts)
    ++statistics.pivoted_solves;
  if (outcome != Outcome::ok) return outcome;
  path = Path::pivoted;
  ++statistics.factorizations;
  ++statistics.solves;
  pivoted.solve(x);
  return std::isfinite(largest(x)) ? Outcome::ok : Outcome::not_finite;
}

/// max_i |b - K x|_i / (|K||x| + |b|)_i for x = solution; leaves b - K x in residual.
double SaddlePoint::Plan::backward_error(In b) {
  residual = b;
  size = b.cwiseAbs();
  const double* v = values();
  for (const Term& term : terms) {
    const double product = v[term.slot] * solution[term.column];
    residual[term.row] -= product;
    size[term.row] += std::abs(product);
  }
  double error = 0;
  for (Eigen::Index i = 0; i < total(); ++i) {
    const double share = size[i] > 0 ? std::abs(residual[i]) / size[i] : std::abs(residual[i]);
    if (!(share <= error)) error = share;
  }
  return error;
}

/// r <- the solution with right-hand side r and the last factors; false if it is not finite.
bool SaddlePoint::Plan::correct(Out r) {
  if (elimination == Elimination::fronts) {
    fronts.solve(r);
    return std::isfinite(largest(r));
  }
  schedule.load(r.data());
  schedule.solve_again();
  return schedule.unload(r.data());
}

/// One step of iterative refinement of `solution`; true if the result can be trusted.
bool SaddlePoint::Plan::refine(In b) {
  backward_error(b);
  if (!correct(residual)) return false;
  solution += residual;
  return backward_error(b) < largest_backward_error;
}

Outcome SaddlePoint::Plan::solve_fronts(const Entries& M, const Entries& G, Out x, Statistics& statistics) {
  const bool factored = fronts.factor(M, G);
  if (factored && fronts.smallest_share() > accept_front) {
    path = Path::direct;
    ++statistics.factorizations;
    ++statistics.solves;
    return correct(x) ? Outcome::ok : Outcome::not_finite;
  }
  scatter(M, G, G);  // for residuals, or for row exchanges
  if (factored && fronts.smallest_share() > refine_front) {
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
  plan_ = std::make_unique<Plan>(n, m, symmetry, elimination);
  Plan& plan = *plan_;
  if (elimination == Elimination::scheduled) plan.choose_schedule(mass, jacobian);
  if (elimination == Elimination::fronts &&
      (symmetry == Symmetry::unsymmetric || !plan.choose_fronts(mass, jacobian)))
    plan.elimination = Elimination::sparse;
  if (!plan.scheduled) plan.place(mass, jacobian);
  if (plan.elimination == Elimination::fronts) return;  // row exchanges are planned when they are needed
  plan.bind_pivoted();
  // The fallback sees the representative matrix too: it finds its pivots, and a schedule of a singular
  // matrix, whose reference pivots are rounding errors, is not kept.
  plan.scatter(mass, jacobian, jacobian);
  plan.fill_pivoted();
  if (plan.pivoted.factor() != Outcome::ok && plan.scheduled) {
    plan.scheduled = false;
    plan.place(mass, jacobian);
  }
}

void SaddlePoint::bind_like(const SaddlePoint& planned) {
  const Plan& from = *planned.plan_;
  plan_ = std::make_unique<Plan>(from.n, from.m, from.symmetry, from.elimination);
  plan_->scheduled = from.scheduled;
  plan_->schedule = from.schedule;
  plan_->fronts = from.fronts;
  plan_->plain_values = from.plain_values;
  plan_->mass = from.mass, plan_->upper = from.upper, plan_->lower = from.lower;
  plan_->terms = from.terms;  // row exchanges are planned when they are needed
}

Outcome SaddlePoint::solve(const Entries& mass, const Entries& G1, const Entries& G2, Out x,
                           Statistics& statistics) {
  Plan& plan = *plan_;
  plan.path = Plan::Path::none;
  if (plan.elimination == Elimination::fronts) return plan.solve_fronts(mass, G2, x, statistics);
  if (plan.scheduled) plan.schedule.load(x.data());
  plan.scatter(mass, G1, G2);
  if (!plan.scheduled) return plan.solve_pivoted(x, statistics);
  plan.schedule.factor_and_solve();
  if (plan.schedule.pivots_above(accept_share)) {
    plan.path = Plan::Path::direct;
  } else {
    if (!plan.schedule.pivots_above(refine_share) || !plan.schedule.unload(plan.solution.data()) ||
        !plan.refine(x))
      return plan.solve_pivoted(x, statistics);
    plan.path = Plan::Path::refined;
  }
  ++statistics.factorizations;
  return plan.finish_direct(x, statistics);
}

/// Hands over what the schedule has solved, refined or not.
Outcome SaddlePoint::Plan::finish_direct(Out x, Statistics& statistics) {
  ++statistics.solves;
  if (path == Path::direct) return schedule.unload(x.data()) ? Outcome::ok : Outcome::not_finite;
  ++statistics.refined_solves;
  x = solution;
  return Outcome::ok;
}

Outcome SaddlePoint::solve_again(Out x, Statistics& statistics) {
  Plan& plan = *plan_;
  if (plan.path == Plan::Path::none) return Outcome::singular;
  if (plan.path == Plan::Path::pivoted) {
    ++statistics.solves;
    plan.pivoted.solve(x);
    return std::isfinite(largest(x)) ? Outcome::ok : Outcome::not_finite;
  }
  if (plan.path == Plan::Path::direct) {
    ++statistics.solves;
    return plan.correct(x) ? Outcome::ok : Outcome::not_finite;
  }
  plan.solution = x;
  if (!plan.correct(plan.solution) || !plan.refine(x)) return plan.solve_pivoted(x, statistics);
  return plan.finish_direct(x, statistics);
}

std::optional<Eigen::Index> SaddlePoint::culprit() const {
  return plan_->pivoted.culprit();
}

Elimination SaddlePoint::elimination() const {
  return plan_->elimination;
}

Symmetry SaddlePoint::symmetry() const {
  return plan_->symmetry;
}

}  // namespace dalembert
