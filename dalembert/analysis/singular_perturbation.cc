#include "dalembert/analysis/singular_perturbation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/analysis/boundary_layer.h"
#include "dalembert/analysis/convergence.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/observe/solve.h"

namespace dalembert {

namespace {

constexpr double factor = 4;        // from one eps to the next
constexpr double forgotten = 18.4;  // times of the layer after which 1e-8 of it is left
constexpr double layer_times = 5;   // of decay, that are looked at
constexpr double turns = 12;        // radians, of what does not decay
constexpr int looks = 200;          // at a pair of solutions
constexpr double far = .1;          // a motion has left the limit
constexpr double near_end = .9;     // of the time for which the limit attracts, distances are taken

using Complex = std::complex<double>;

/// Entries that both problems have.
struct Shared {
  std::vector<Eigen::Index> full, limit;
  Shared(const Layout& a, const Layout& b) {
    for (Eigen::Index i = 0; i < a.size(); ++i)
      for (Eigen::Index j = 0; j < b.size(); ++j)
        if (a.label(i) == b.label(j)) full.push_back(i), limit.push_back(j);
  }
};

void by_size(std::vector<Complex>& values) {
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
    const double x = std::abs(a), y = std::abs(b);
    return std::abs(x - y) > 1e-9 * (x + y) ? x < y : a.imag() > b.imag();
  });
}

State completed(const Problem& problem, State state, const char* what) {
  if (const StartReport report = make_consistent(problem, state); report.outcome != Outcome::ok)
    throw Error(fmt::format("the start of {} is not consistent: {}", what, report.message));
  return state;
}

/// y of one problem seen in the layout of the other, entries without a fellow as they are in `rest`.
State moved(const State& from, const std::vector<Eigen::Index>& places, State rest,
            const std::vector<Eigen::Index>& to) {
  rest.t = from.t;
  for (std::size_t k = 0; k < places.size(); ++k) rest.y[to[k]] = from.y[places[k]];
  return rest;
}

class Study {
 public:
  Study(const PerturbedProblem& problem, const PerturbationOptions& options)
      : p_(problem), o_(options), limit_(*problem.limit), shared_(at(o_.eps)->layout(), limit_.layout()) {
    if (shared_.full.empty())
      throw Error("the problem and its limit have no entries with the same names", "take another limit");
  }

  PerturbationStudy made() {
    for (int k = 0; k < o_.count; ++k) found_.eps.push_back(o_.eps / std::pow(factor, k));
    const auto largest = at(o_.eps);
    const State start = start_of(*largest);
    const State base = limit_start(*largest, start, o_.eps);
    eigenvalues(*largest, start, base);
    compare();
    return std::move(found_);
  }

 private:
  std::shared_ptr<const Problem> at(double eps) const {
    auto problem = p_.at(eps);
    if (problem->events() != nullptr || problem->switches())
      throw Error("the equations change along the way: they have events or switches",
                  "take a problem without them");
    return problem;
  }
  State start_of(const Problem& problem) const {
    State state = problem.start();
    change_start(o_.start, problem.layout(), state);
    return completed(problem, state, "the problem");
  }
  /// A state of the limit as one of the full problem, where it is linearised.
  State beside(const State& limit, const State& start) const {
    return moved(limit, shared_.limit, start, shared_.full);
  }
  std::size_t slow_count(const State& base) const {
    std::vector<std::string> unknowns;
    return kronecker_at(limit_, base, unknowns).finite.size();
  }
  std::size_t fast_count(const Problem& problem, const State& state, std::size_t slow) const {
    std::vector<std::string> unknowns;
    const std::size_t all = kronecker_at(problem, state, unknowns).finite.size();
    if (all < slow)
      throw Error(fmt::format("{} eigenvalues are finite, of the limit {}", all, slow),
                  "take a larger eps, or another limit");
    return all - slow;
  }

  /// The limit's own start is the better one to set out from where it is near: what is hidden in equations of a higher index is
  /// found by differences, which do not notice small violations.
  State limit_start(const Problem& problem, const State& start, double eps) {
    const State own = limit_.start(), given = moved(start, shared_.full, own, shared_.limit);
    const bool near = largest(given.y - own.y) <= 1e-2 * (1 + largest(own.y));
    const State base = keep_slow(problem, start, completed(limit_, near ? own : given, "the limit"));
    const State here = beside(base, start);
    const std::size_t count = fast_count(problem, here, slow_count(base));
    if (count == 0) return base;
    const FastPart fast(problem, here, count);
    if (fast.fate() != Mode::Fate::grows || largest(start.y - here.y) <= 1e-9 * (1 + largest(here.y)))
      return base;
    // It leaves this sheet at once, for another.
    const auto other = attracted(problem, start, limit_, base, eps, 1 / fast.growth());
    return other ? keep_slow(problem, start, completed(limit_, *other, "the limit")) : base;
  }

  /// Moves a consistent start of the limit along it until what is left of y0 lies in the fast subspace.
  State keep_slow(const Problem& problem, const State& start, State base) {
    for (int round = 0; round < 20; ++round) {
      std::vector<std::string> unknowns;
      const KroneckerForm slow = kronecker_at(limit_, base, unknowns);
      const State here = beside(base, start);
      const FastPart fast(problem, here, fast_count(problem, here, slow.finite.size()));
      const Layout full = problem.layout(), own = limit_.layout();
      std::vector<Eigen::Index> rows, places;  // in both layouts, what carries history
      Matrix V(0, slow.solutions.cols());
      for (std::size_t k = 0; k < shared_.full.size(); ++k) {
        const std::string label = full.label(shared_.full[k]);
        const auto found = std::find(unknowns.begin(), unknowns.end(), label);
        if (found == unknowns.end() || !carries_history(full, shared_.full[k])) continue;
        rows.push_back(shared_.full[k]), places.push_back(shared_.limit[k]);
        V.conservativeResize(V.rows() + 1, Eigen::NoChange);
        V.bottomRows(1) = slow.solutions.row(found - unknowns.begin());
      }
      Matrix all(V.rows(), V.cols() + fast.basis.cols());
      all << V, fast.basis(rows, Eigen::all);
      if (all.rows() < all.cols() || all.cols() == 0) return base;
      const Vector norms = all.colwise().norm().cwiseMax(1e-300).transpose();
      const Eigen::ColPivHouseholderQR<Matrix> factors(all * norms.cwiseInverse().asDiagonal());
      if (factors.rank() < all.cols()) return base;
      const Vector difference = start.y(rows) - base.y(places);
      const Vector x = norms.cwiseInverse().asDiagonal() * factors.solve(difference);
      const Vector change = V * x.head(V.cols()), whole = slow.solutions * x.head(V.cols());
      State next = base;
      for (Eigen::Index i = 0; i < own.size(); ++i)  // with what is algebraic in the limit
        if (const auto at = std::find(unknowns.begin(), unknowns.end(), own.label(i)); at != unknowns.end())
          next.y[i] += whole[at - unknowns.begin()];
      base = completed(limit_, next, "the limit");
      if (largest(change) <= 1e-12 * (1 + largest(base.y(places)))) break;
    }
    return base;
  }
  static bool carries_history(const Layout& layout, Eigen::Index entry) {
    for (const Block& b : layout.blocks())
      if (entry >= b.offset && entry < b.offset + b.size) return b.role == Role::differential;
    return false;
  }

  void eigenvalues(const Problem& largest, const State& start, const State& base) {
    std::vector<std::string> unknowns;
    KroneckerForm limit = kronecker_at(limit_, base, unknowns);
    found_.index = limit.index;
    by_size(limit.finite);
    std::vector<std::vector<Complex>> all;
    for (std::size_t k = 0; k < 2; ++k) {
      const auto problem = k == 0 ? nullptr : at(found_.eps[0] / factor);
      const State here = beside(base, start);
      all.push_back(kronecker_at(k == 0 ? largest : *problem, here, unknowns).finite);
      by_size(all.back());
    }
    if (all[0].size() != all[1].size())
      throw Error("eps is so small that it cannot be told from 0", "take a larger one");
    for (std::size_t i = 0; i < all[0].size(); ++i) {
      const double size = std::abs(all[0][i]), next = std::abs(all[1][i]);
      PerturbedEigenvalue value{all[0][i],
                                size > 0 ? std::log(size / next) / std::log(factor) : not_a_number};
      if (i < limit.finite.size()) {
        value.limit = limit.finite[i];
        found_.slow.push_back(value);
      } else {
        found_.fast.push_back(value);
      }
    }
    if (found_.fast.empty()) return;
    const double fastest = found_.slow.empty() ? 0 : std::abs(found_.slow.back().value);
    found_.gap = std::abs(found_.fast.front().value) / fastest;
    const FastPart part(largest, beside(base, start), found_.fast.size());
    found_.fate = part.fate();
    found_.time = part.time;
  }

  enum class Early { refused, taken };
  Solution solved(const std::shared_ptr<const Problem>& problem, const State& start, double end,
                  const std::string& what, Early early) const {
    if (o_.progress) o_.progress(what);
    RunOptions options;
    options.tolerance = {o_.tolerance, o_.tolerance};
    options.end = end;
    options.interrupt = o_.interrupt;
    const Layout layout = problem->layout();
    for (Eigen::Index i = 0; i < layout.size(); ++i) options.start[layout.label(i)] = start.y[i];
    Solution solution = solve(problem, options);
    const bool some = solution.trajectory.last() > start.t + 1e-3 * (end - start.t);
    if (!good(solution.summary.outcome) &&
        (early == Early::refused || !some || solution.summary.outcome == Outcome::interrupted))
      throw Error(fmt::format("the run of {} did not come to its end: {}", what, solution.summary.message));
    return solution;
  }

  /// |a - b|/(1 + |b|) of a shared entry.
  static double distance(double a, double b) { return std::abs(a - b) / (1 + std::abs(b)); }

  void compare() {
    const auto first = at(o_.eps);
    const double begin = first->start().t, end = o_.end.value_or(first->end());
    found_.from = begin;
    found_.to = end;
    if (!found_.fast.empty() && found_.fate == Mode::Fate::decays)
      found_.from = begin + forgotten * found_.time;
    if (!(found_.from < begin + (end - begin) / 2))
      throw Error(fmt::format("the boundary layer takes {:.3g} of {:.3g}: eps is not small",
                              found_.from - begin, end - begin),
                  "take a smaller eps, or a later end");
    const Layout layout = first->layout();
    for (const Block& b : layout.blocks())
      if (std::any_of(shared_.full.begin(), shared_.full.end(),
                      [&](Eigen::Index i) { return i >= b.offset && i < b.offset + b.size; }))
        found_.distances.push_back({.name = b.name});
    found_.alone.name = "limit", found_.corrected.name = "limit + layer";
    for (const double eps : found_.eps) compare(eps, begin, end);
    for (Shrinking& s : found_.distances) see_order(s);
    see_order(found_.alone);
    see_order(found_.corrected);
  }

  /// Does the limit attract all the way?
  void follow(const Solution& full, const Solution& limit, double end) {
    if (!good(limit.summary.outcome)) {
      found_.limit_ends = limit.trajectory.last();
      found_.why_limit_ends = limit.summary.message;
      found_.to = found_.from + near_end * (*found_.limit_ends - found_.from);
    }
    if (found_.fast.empty() || found_.fate != Mode::Fate::decays) return;
    const auto smallest = at(found_.eps.back());  // there what is fast is told best from what is slow
    const double last = found_.limit_ends.value_or(end);
    const auto growth = [&](double t) {
      const State here = moved(limit(t), shared_.limit, full(t), shared_.full);
      return FastPart(*smallest, here, found_.fast.size()).growth();
    };
    try {
      double attracts = found_.from, repels = not_a_number;
      for (int i = 1; i <= looks && !(repels > attracts); ++i) {
        const double t = std::min(last, found_.from + (last - found_.from) * i / looks);
        (growth(t) < 0 ? attracts : repels) = t;
      }
      if (!(repels > attracts)) return;
      for (int i = 0; i < 40; ++i) {
        const double t = (attracts + repels) / 2;
        (growth(t) < 0 ? attracts : repels) = t;
      }
      found_.attracts_until = attracts;
      found_.to = std::min(found_.to, found_.from + near_end * (attracts - found_.from));
    } catch (const Error&) {  // no pencil there: the limit is followed no further
    }
  }

  double distance_at(const Solution& full, const Solution& limit, double t) const {
    const Vector a = full(t).y, b = limit(t).y;
    double most = 0;
    for (std::size_t k = 0; k < shared_.full.size(); ++k)
      most = std::max(most, distance(a[shared_.full[k]], b[shared_.limit[k]]));
    return most;
  }

  void see_leaving(const Solution& full, const Solution& limit) {
    if (!found_.attracts_until) return;
    const double last = std::min(full.trajectory.last(), limit.trajectory.last());
    double before = found_.from, least = std::numeric_limits<double>::infinity(), left = not_a_number;
    for (int i = 0; i <= 5 * looks && !(left > before); ++i) {
      const double t = std::min(last, found_.from + (last - found_.from) * i / (5 * looks));
      const double now = distance_at(full, limit, t);
      least = std::min(least, now);
      (now > far ? left : before) = t;
    }
    for (int i = 0; i < 30 && left > before; ++i) {
      const double t = (before + left) / 2;
      (distance_at(full, limit, t) > far ? left : before) = t;
    }
    found_.leaves.push_back(left);
    if (left > *found_.attracts_until && least < 100 * o_.tolerance) found_.leaves_by_rounding = true;
  }

  void compare(double eps, double begin, double end) {
    const auto problem = at(eps);
    const State start = start_of(*problem);
    const State base = limit_start(*problem, start, eps);
    const Solution full = solved(problem, start, end, fmt::format("eps = {:g}", eps), Early::refused),
                   limit = solved(p_.limit, base, end, "the limit", Early::taken);
    if (eps == found_.eps.front()) follow(full, limit, end);
    end = found_.to;
    see_leaving(full, limit);
    const Layout layout = problem->layout();
    std::size_t block = 0;
    for (const Block& b : layout.blocks()) {
      double worst = 0;
      bool any = false;
      for (std::size_t k = 0; k < shared_.full.size(); ++k) {
        if (shared_.full[k] < b.offset || shared_.full[k] >= b.offset + b.size) continue;
        any = true;
        for (int i = 0; i <= looks; ++i) {
          const double t = std::min(end, found_.from + (end - found_.from) * i / looks);
          worst = std::max(worst, distance(full(t).y[shared_.full[k]], limit(t).y[shared_.limit[k]]));
        }
      }
      if (any) found_.distances[block++].sizes.push_back(worst);
    }
    look_at_layer(*problem, start, base, full, limit, eps, begin, end);
  }

  void look_at_layer(const Problem& problem, const State& start, const State& base, const Solution& full,
                     const Solution& limit, double eps, double begin, double end) {
    const bool first = eps == found_.eps.front();
    const State here = beside(base, start);
    std::unique_ptr<BoundaryLayer> layer;
    double length = 0;
    if (!found_.fast.empty()) {
      const FastPart fast(problem, here, found_.fast.size());
      const double times = fast.fate() == Mode::Fate::decays ? layer_times : turns;
      length = std::min(times * fast.time, (end - begin) / 2);
      layer = nonlinear_layer(problem, start, limit_, base, eps, length, o_.tolerance);
      if (first)
        found_.layer = layer ? PerturbationStudy::Layer::nonlinear : PerturbationStudy::Layer::linearised;
      if (!layer) layer = linearised_layer(fast, coordinates(fast, start, here));
    }
    const auto added = [&](double since) {
      return layer ? layer->at(since) : Vector(Vector::Zero(start.y.size()));
    };
    double alone = 0, corrected = 0, most = -1;
    const Vector at_start = added(0);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < shared_.full.size(); ++k) {
      const double size = std::abs(at_start[shared_.full[k]]) / (1 + std::abs(base.y[shared_.limit[k]]));
      if (size > most) most = size, largest = k;
    }
    for (int i = 0; i <= looks && layer; ++i) {
      const double since = length * i / looks, t = begin + since;
      const Vector y = full(t).y, outer = limit(t).y, more = added(since);
      for (std::size_t k = 0; k < shared_.full.size(); ++k) {
        const double mine = y[shared_.full[k]], other = outer[shared_.limit[k]],
                     sum = other + more[shared_.full[k]];
        alone = std::max(alone, distance(mine, other));
        corrected = std::max(corrected, distance(mine, sum));
        if (first && k == largest) {
          found_.curve.t.push_back(t), found_.curve.full.push_back(mine);
          found_.curve.limit.push_back(other), found_.curve.sum.push_back(sum);
        }
      }
    }
    if (layer) found_.alone.sizes.push_back(alone), found_.corrected.sizes.push_back(corrected);
    if (!first) return;
    found_.curve.label = problem.layout().label(shared_.full[largest]);
    for (Eigen::Index i = 0; i < start.y.size(); ++i) {
      const auto at = std::find(shared_.full.begin(), shared_.full.end(), i);
      const bool alone_here = at == shared_.full.end();
      const double outer = alone_here
                               ? not_a_number
                               : base.y[shared_.limit[static_cast<std::size_t>(at - shared_.full.begin())]];
      found_.start.push_back(
          {problem.layout().label(i), start.y[i], outer, alone_here ? not_a_number : at_start[i]});
    }
  }

  /// Of y0 - yb0 in the fast basis, by all entries: the limit is off by O(eps) itself. A stiff spring is shorter by eps R with its force R, fast or
  /// slow; what is fast is seen in R, where that is nothing.
  Vector coordinates(const FastPart& fast, const State& start, const State& here) const {
    const Matrix basis = fast.basis(shared_.full, Eigen::all);
    const Vector norms = basis.colwise().norm().cwiseMax(1e-300).transpose();
    const Vector difference = start.y(shared_.full) - here.y(shared_.full);
    return norms.cwiseInverse().asDiagonal() *
           (basis * norms.cwiseInverse().asDiagonal()).colPivHouseholderQr().solve(difference);
  }

  void see_order(Shrinking& s) const {
    std::vector<double> eps, sizes;
    for (std::size_t k = 0; k < s.sizes.size(); ++k)
      if (s.sizes[k] > 100 * o_.tolerance) eps.push_back(found_.eps[k]), sizes.push_back(s.sizes[k]);
    if (sizes.size() >= 3) s.order = fitted_order(eps, sizes, sizes.size() - 3, sizes.size() - 1);
  }

  const PerturbedProblem& p_;
  const PerturbationOptions& o_;
  const Problem& limit_;
  Shared shared_;
  PerturbationStudy found_;
};

}  // namespace

PerturbationStudy study_perturbation(const PerturbedProblem& problem, const PerturbationOptions& options) {
  if (!(options.eps > 0)) throw Error(fmt::format("eps is {:g}", options.eps), "it must be larger than 0");
  if (options.count < 3) throw Error("an order is seen from three values of eps", "take 3 or more");
  return Study(problem, options).made();
}

}  // namespace dalembert
