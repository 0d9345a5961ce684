#include "dalembert/analysis/singular_perturbation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/analysis/convergence.h"
#include "dalembert/analysis/limit_sheet.h"
#include "dalembert/analysis/limit_start.h"
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

void by_size(std::vector<Complex>& values) {
  std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
    const double x = std::abs(a), y = std::abs(b);
    return std::abs(x - y) > 1e-9 * (x + y) ? x < y : a.imag() > b.imag();
  });
}

class Study {
 public:
  Study(const PerturbedProblem& problem, const PerturbationOptions& options)
      : p_(problem),
        o_(options),
        limit_(*problem.limit),
        shared_(at(o_.eps)->layout(), limit_.layout()),
        on_sheet_(limit_, shared_) {
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
  State beside(const State& limit, const State& start) const { return shared_.beside(limit, start); }
  State limit_start(const Problem& problem, const State& start, double eps) {
    const auto led = on_sheet_.led(problem, start, eps);
    if (eps == found_.eps.front() && led) {
      if (led->where == Led::Where::rests)
        found_.delay = led->delay;
      else
        found_.astray = *led;
      found_.border = on_sheet_.beside_a_border(problem, start, eps, *led, 100 * o_.tolerance);
    }
    return on_sheet_.start(problem, start, led);
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
                  const std::string& what, Early early, double tolerance) const {
    if (o_.progress) o_.progress(what);
    RunOptions options;
    options.tolerance = {tolerance, tolerance};
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
      found_.from = begin + found_.delay + forgotten * found_.time;
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
    for (const Shrinking& s : found_.distances)
      if (!shrinks(s) && (found_.fast.empty() || found_.fate != Mode::Fate::lasts))
        found_.lasting.push_back(s.name);
  }
  /// From the largest eps to the smallest, which are 16 times apart or more.
  bool shrinks(const Shrinking& s) const {
    constexpr double clearly = .7;
    return s.sizes.back() <= std::max(clearly * s.sizes.front(), 1e4 * o_.tolerance);
  }

  /// Growth beside the limit over time.
  std::function<double(double)> growth_along(const Problem& problem, double eps, const Solution& full,
                                             const Solution& limit) const {
    return [this, sheet = LimitSheet(problem, limit_, eps, found_.fast.size()), &full, &limit](double t) {
      const State outer = limit(t);
      return sheet.growth(outer, shared_.beside(outer, full(t)));
    };
  }
  /// Does the limit attract all the way?
  void follow(const Solution& full, const Solution& limit, double begin, double end) {
    if (!good(limit.summary.outcome)) {
      found_.limit_ends = limit.trajectory.last();
      found_.why_limit_ends = limit.summary.message;
      found_.to = found_.from + near_end * (*found_.limit_ends - found_.from);
    }
    if (found_.fast.empty() || found_.fate == Mode::Fate::grows) return;
    const auto smallest = at(found_.eps.back());  // there what is fast is told best from what is slow
    try {
      found_.attracts_until = end_of_attraction(growth_along(*smallest, found_.eps.back(), full, limit),
                                                begin, found_.limit_ends.value_or(end), found_.fate);
    } catch (const Error& e) {  // no pencil there
      found_.unfollowed = e.what();
    }
    if (!found_.attracts_until) return;
    if (*found_.attracts_until <= found_.from && found_.fate == Mode::Fate::decays)
      throw Error(fmt::format("the limit attracts until t = {:.6g} only, before the boundary layer is over, "
                              "at {:.3g}: eps is not small",
                              *found_.attracts_until, found_.from),
                  "take a smaller eps, or another start");
    found_.to = std::min(found_.to, found_.from + near_end * (*found_.attracts_until - found_.from));
  }

  double distance_at(const Solution& full, const Solution& limit, double t) const {
    const Vector a = full(t).y, b = limit(t).y;
    double most = 0;
    for (std::size_t k = 0; k < shared_.full.size(); ++k)
      most = std::max(most, distance(a[shared_.full[k]], b[shared_.limit[k]]));
    return most;
  }

  void see_leaving(const Problem& problem, double eps, const Solution& full, const Solution& limit) {
    if (!found_.attracts_until) return;
    const double last = std::min(full.trajectory.last(), limit.trajectory.last());
    double before = found_.from, left = not_a_number;
    for (int i = 0; i <= 5 * looks && !(left > before); ++i) {
      const double t = std::min(last, found_.from + (last - found_.from) * i / (5 * looks));
      (distance_at(full, limit, t) > far ? left : before) = t;
    }
    for (int i = 0; i < 30 && left > before; ++i) {
      const double t = (before + left) / 2;
      (distance_at(full, limit, t) > far ? left : before) = t;
    }
    found_.leaves.push_back(left);
    const double until = std::isnan(left) ? last : left;
    if (!(until > *found_.attracts_until)) {
      found_.grown.push_back(0);
      return;
    }
    // Has it not left where errors have grown to what would be seen? Then it is where nothing but they can take it away.
    const Grown beside = grown(growth_along(problem, eps, full, limit), *found_.attracts_until, until,
                               std::log(far / (100 * o_.tolerance)));
    found_.grown.push_back(beside.most);
    if (!beside.reached) return;
    double usual = 100 * o_.tolerance;
    for (int i = 0; i <= looks; ++i)
      usual = std::max(usual, distance_at(full, limit, found_.from + (found_.to - found_.from) * i / looks));
    if (distance_at(full, limit, *beside.reached) < 10 * usual) found_.leaves_by_rounding = true;
  }
  /// How far errors of the run take a motion away.
  void see_errors(const std::shared_ptr<const Problem>& problem, const State& start, const Solution& full,
                  double begin, double end) {
    const Solution loose =
        solved(problem, start, end, "the smallest eps, less accurate", Early::taken, 100 * o_.tolerance);
    const double last = std::min(end, loose.trajectory.last());
    for (int i = 0; i <= 5 * looks; ++i) {
      const double t = std::min(last, begin + (last - begin) * i / (5 * looks));
      const Vector a = full(t).y, b = loose(t).y;
      for (const Eigen::Index entry : shared_.full)
        found_.apart = std::max(found_.apart, distance(a[entry], b[entry]));
    }
  }

  void compare(double eps, double begin, double end) {
    const auto problem = at(eps);
    const State start = start_of(*problem);
    const State base = limit_start(*problem, start, eps);
    const Solution full = solved(problem, start, end, fmt::format("eps = {:g}", eps), Early::refused,
                                 o_.tolerance),
                   limit = solved(p_.limit, base, end, "the limit", Early::taken, o_.tolerance);
    if (eps == found_.eps.front()) follow(full, limit, begin, end);
    end = found_.to;
    see_leaving(*problem, eps, full, limit);
    if (eps == found_.eps.back()) see_errors(problem, start, full, begin, end);
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
      length = std::min(found_.delay * eps / found_.eps.front() + times * fast.time, (end - begin) / 2);
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
  SharedEntries shared_;
  LimitStart on_sheet_;
  PerturbationStudy found_;
};

}  // namespace

PerturbationStudy study_perturbation(const PerturbedProblem& problem, const PerturbationOptions& options) {
  if (!(options.eps > 0)) throw Error(fmt::format("eps is {:g}", options.eps), "it must be larger than 0");
  if (options.count < 3) throw Error("an order is seen from three values of eps", "take 3 or more");
  return Study(problem, options).made();
}

}  // namespace dalembert
