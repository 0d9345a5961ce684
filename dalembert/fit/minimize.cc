#include "dalembert/fit/minimize.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

using Point = MinimizeResult::Point;
using Ending = MinimizeResult::Ending;
constexpr double slack = 1e-6;  // of a condition, relative to its bound

std::vector<Quantity> asked(const MinimizeTask& task) {
  std::vector<Quantity> all = {task.objective.of};
  for (const RunCondition& c : task.conditions) all.push_back(c.of);
  return all;
}

/// What the objective makes of its quantity: smaller is better.
double cost(const Objective& objective, double quantity) {
  if (objective.form == Objective::Form::near) return std::pow(quantity - objective.value, 2);
  return objective.form == Objective::Form::most ? -quantity : quantity;
}

/// Relative to the bound; positive where it does not hold.
double excess(const RunCondition& c, double quantity) {
  const double by = (quantity - c.bound) / (c.bound != 0 ? std::abs(c.bound) : 1);
  return c.sense == RunCondition::Sense::above ? -by : by;
}

/// By how much it does not hold; an equation is missed to both sides.
double violation_of(const RunCondition& c, double quantity) {
  const double by = excess(c, quantity);
  return c.sense == RunCondition::Sense::equal ? std::abs(by) : by;
}

std::string listed(const std::vector<std::string>& sentences) {
  std::string all;
  for (const auto& one : sentences) all += (all.empty() ? "" : ", ") + one;
  return all;
}

bool better(const MinimizeTask& task, const Point& a, const Point& b) {
  const bool good_a = a.violation <= slack, good_b = b.violation <= slack;
  if (good_a != good_b) return good_a;
  return good_a ? cost(task.objective, a.objective) < cost(task.objective, b.objective)
                : a.violation < b.violation;
}

/// One search from one start.
class Descent {
 public:
  Descent(const MinimizeTask& task, const TrialTask& trial, std::int64_t most)
      : task_(task), trials_(trial), most_(most) {}

  void from(const Vector& start) {
    const auto first = quantities(start);
    start_ = first ? (*first)[0] : std::numeric_limits<double>::quiet_NaN();
    // So that objectives of whatever size are near 1.
    scale_ = first && cost(task_.objective, start_) != 0 ? std::abs(cost(task_.objective, start_)) : 1;
    worst_ = first ? cost(task_.objective, start_) / scale_ : 0;
    const Algorithm& algorithm = find_algorithm(task_.algorithm);
    if (!first && algorithm.needs == Algorithm::Needs::derivatives) return;
    BoxProblem program;
    program.size = start.size();
    for (const RunCondition& c : task_.conditions)
      program.equal.push_back(c.sense == RunCondition::Sense::equal);
    program.values = [this](const Vector& u) { return values(u); };
    program.derivatives = [this](const Vector& u) { return derivatives(u); };
    program.tolerance = slack / 10;
    tried_ = true;
    search(program, start);
  }

  /// Which parameters change nothing that is asked for, at a twentieth of their range from the best point? Empty if it is not known.
  std::vector<bool> idle() {
    if (!best || trials_.interrupted()) return {};
    const auto at_best = trials_.at(best->u);
    std::vector<Vector> points;
    for (Eigen::Index k = 0; k < best->u.size(); ++k)
      for (const double by : {-0.05, 0.05}) {
        Vector u = best->u;
        u[k] = std::clamp(u[k] + by, 0.0, 1.0);
        points.push_back(std::move(u));
      }
    const auto found = trials_.at(points);
    if (!at_best || trials_.interrupted()) return {};
    std::vector<bool> all;
    const double rounding = 10 * task_.options.tolerance.relative;
    const auto same = [&](const std::optional<Vector>& there) {
      return there && ((*there - *at_best).array().abs() <= rounding * (at_best->array().abs() + 1)).all();
    };
    for (std::size_t k = 0; k < found.size(); k += 2) all.push_back(same(found[k]) && same(found[k + 1]));
    return all;
  }

  std::optional<Point> best;
  std::vector<double> history;
  double start_value() const { return start_; }
  const Trials& trials() const { return trials_; }
  Ending ending() const {
    if (trials_.interrupted()) return Ending::interrupted;
    if (!best) return Ending::nothing;
    if (enough_) return Ending::too_many_runs;
    if (no_derivative_ || !tried_ || said_ != OptimizerEnding::converged) return Ending::stuck;
    return best->violation <= slack ? Ending::converged : Ending::infeasible;
  }

 private:
  void search(BoxProblem& program, const Vector& start) {
    come_down(program, start);
    // Where the conditions did not hold they are all that is looked at, by an algorithm that needs no model of them. If then they hold, the
    // search goes on from there.
    if (said_ == OptimizerEnding::stopped || !best || best->violation <= slack) return;
    BoxProblem nearer;
    nearer.size = program.size;
    nearer.step = 0.1;
    nearer.values = [this](const Vector& u) { return violation(u); };
    said_ = task_.optimizer->minimise(nearer, find_algorithm("sbplx"), best->u);
    if (said_ == OptimizerEnding::converged && best->violation <= slack) come_down(program, best->u);
  }

  /// Algorithms come to rest in valleys with a kink along them, from which others lead on. So it has converged once none of several
  /// attempts from the best point gives anything: by another algorithm, or by the same one with shorter and longer first steps.
  void come_down(BoxProblem& program, const Vector& start) {
    struct Attempt {
      const Algorithm& by;
      double step;
    };
    const Algorithm& mine = find_algorithm(task_.algorithm);
    const std::vector<Attempt> attempts =
        task_.conditions.empty() ? std::vector<Attempt>{{mine, 0.1}, {find_algorithm("sbplx"), 0.05}}
                                 : std::vector<Attempt>{{mine, 0.1}, {mine, 0.02}, {mine, 0.3}};
    Vector from = start;
    std::size_t idle = 0;
    for (std::size_t k = 0; idle <= attempts.size(); k = (k + 1) % attempts.size()) {
      const std::optional<Point> before = best;
      program.step = attempts[k].step;
      said_ = task_.optimizer->minimise(program, attempts[k].by, from);
      if (said_ != OptimizerEnding::converged || !best) return;
      from = best->u;
      idle = !before || much_better(*best, *before)
                 ? 1
                 : idle + 1;  // the one that found it is not asked at once again
    }
  }

  /// Is it worth to go on? Where conditions do not hold it is they that count, and the objective means nothing.
  bool much_better(const Point& now, const Point& before) const {
    if (now.violation > slack) return now.violation < before.violation * (1 - 1e-3);
    return before.violation > slack ||
           cost(task_.objective, before.objective) - cost(task_.objective, now.objective) > 1e-6 * scale_;
  }

  std::optional<Vector> violation(const Vector& u) {
    if (stop()) return {};
    const auto found = quantities(u.cwiseMax(0).cwiseMin(1));
    if (trials_.interrupted()) return {};
    return Vector::Constant(1, found ? most_violated(*found) : 1e6);
  }

  /// The largest excess of a condition; 0 where all hold.
  double most_violated(const Vector& quantities) const {
    double most = 0;
    for (std::size_t i = 0; i < task_.conditions.size(); ++i)
      most = std::max(most, violation_of(task_.conditions[i], quantities[static_cast<Eigen::Index>(i + 1)]));
    return most;
  }

  std::optional<Vector> values(const Vector& u) {
    if (stop()) return {};
    const Vector inside = u.cwiseMax(0).cwiseMin(1);
    const auto found = quantities(inside);
    if (trials_.interrupted()) return {};
    return found ? judged(*found) : failed();
  }

  /// A run that ended early: worse than everything so far, in all respects, but a number.
  Vector failed() const {
    Vector all = Vector::Constant(1 + static_cast<Eigen::Index>(task_.conditions.size()), 1);
    all[0] = worst_ + 1 + std::abs(worst_);
    return all;
  }

  std::optional<Matrix> derivatives(const Vector& u) {
    if (stop()) return {};
    const auto value = quantities(u);
    if (!value) return no_derivative();
    Vector steps(u.size());
    for (Eigen::Index k = 0; k < u.size(); ++k)
      steps[k] = difference_step(task_.unknowns[static_cast<std::size_t>(k)], u[k]);
    const BoxFunction f = [this](const std::vector<Vector>& points) {
      auto all = trials_.at(points);
      for (auto& one : all)
        if (one) one = judged(*one);
      return all;
    };
    auto J = differences(f, u, judged(*value), steps);
    return J ? J : no_derivative();
  }

  std::optional<Matrix> no_derivative() {
    no_derivative_ = true;
    return {};
  }

  Vector judged(const Vector& quantities) {
    Vector all(quantities.size());
    all[0] = cost(task_.objective, quantities[0]) / scale_;
    for (Eigen::Index i = 1; i < all.size(); ++i)
      all[i] = excess(task_.conditions[static_cast<std::size_t>(i - 1)], quantities[i]);
    return all;
  }

  /// Of the run at this point, which is made once if it is asked for several times in a row.
  std::optional<Vector> quantities(const Vector& u) {
    if (last_u_.size() == 0 || u != last_u_) {
      last_ = seen(u, trials_.at(u));
      last_u_ = u;
    }
    return last_;
  }

  std::optional<Vector> seen(const Vector& u, const std::optional<Vector>& quantities) {
    if (trials_.interrupted()) return {};
    history.push_back(quantities ? (*quantities)[0] : std::numeric_limits<double>::quiet_NaN());
    if (!quantities) return {};
    const Point point{
        u, (*quantities)[0], {quantities->begin() + 1, quantities->end()}, most_violated(*quantities)};
    worst_ = std::max(worst_, cost(task_.objective, point.objective) / scale_);
    if (!best || better(task_, point, *best)) best = point;
    return quantities;
  }

  bool stop() {
    if (trials_.runs() >= most_) enough_ = true;
    return enough_ || trials_.interrupted();
  }

  const MinimizeTask& task_;
  Trials trials_;
  std::int64_t most_;
  Vector last_u_;
  std::optional<Vector> last_;
  double start_ = std::numeric_limits<double>::quiet_NaN(), scale_ = 1, worst_ = 0;
  bool enough_ = false, no_derivative_ = false, tried_ = false;
  OptimizerEnding said_ = OptimizerEnding::failed;
};

void check(const MinimizeTask& task) {
  check_unknowns(task.unknowns);
  const Algorithm& algorithm = find_algorithm(task.algorithm);
  if (!task.conditions.empty() && algorithm.takes == Algorithm::Takes::bounds)
    throw Error("algorithm " + task.algorithm + " takes no constraint", "give cobyla or slsqp");
  for (const RunCondition& c : task.conditions)
    if (!std::isfinite(c.bound)) throw Error("'" + c.name() + "' has no bound", "give a number");
}

/// Of the quantities; and names that are not known are refused.
std::vector<std::string> units_of(const MinimizeTask& task) {
  const SweepProblem made = task.makers()({});
  return Measurement(*made.problem, made.watches, asked(task)).units();
}

}  // namespace

bool holds(const RunCondition& c, double value) {
  return violation_of(c, value) <= slack;
}

std::string MinimizeResult::sentence() const {
  switch (ending) {
    case Ending::converged:
      return "from there, and by other algorithms or steps, nothing better is found";
    case Ending::too_many_runs:
      return "did not converge within the number of runs that it may make" +
             (violated.empty() ? ""
                               : ", and found no point that satisfies the constraints: at the nearest one " +
                                     listed(violated));
    case Ending::interrupted:
      return "ended from outside (Ctrl-C); these are the best values so far";
    case Ending::infeasible:
      return "no point was found that satisfies the constraints; at the one that comes nearest " +
             listed(violated);
    case Ending::stuck:
      return "did not converge: the algorithm came to no step that makes it better, or to no derivative; try "
             "another one, or begin elsewhere (starts)";
    case Ending::nothing:
      return "every run ended early";
  }
  return {};
}

MinimizeResult minimize(const MinimizeTask& task) {
  check(task);
  MinimizeResult out;
  out.condition_units = units_of(task);
  out.unit = out.condition_units.front();
  out.condition_units.erase(out.condition_units.begin());
  const std::vector<Quantity> quantities = asked(task);
  const TrialTask trial{
      task.makers, task.options, task.unknowns,
      [&](const SweepProblem& made, const auto& run) {
        Measurement measurement(*made.problem, made.watches, quantities);
        const auto found = measurement.values(run(measurement));
        for (std::size_t i = 0; i < found.size(); ++i)
          if (!std::isfinite(found[i])) throw Error(quantities[i].name() + " has no value in this run");
        return Vector(Eigen::Map<const Vector>(found.data(), static_cast<Eigen::Index>(found.size())));
      },
      task.starts > 1 ? 1 : task.threads};

  // Searches do not know of each other, so it does not matter which thread makes which.
  const std::vector<Vector> begins = starts(task.unknowns, task.starts, task.seed);
  std::vector<std::unique_ptr<Descent>> searches(begins.size());
  for (auto& s : searches)
    s = std::make_unique<Descent>(
        task, trial, std::max<std::int64_t>(1, task.most_runs / static_cast<std::int64_t>(begins.size())));
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto threads =
      std::min(static_cast<std::size_t>(task.threads > 0 ? task.threads : cores), begins.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> broken(threads);
  const auto work = [&](std::size_t thread) {
    try {
      for (std::size_t k; (k = next++) < begins.size();) searches[k]->from(begins[k]);
    } catch (...) {
      broken[thread] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back([&, k] { work(k); });
    work(0);
  }
  for (const auto& why : broken)
    if (why) std::rethrow_exception(why);

  Descent* first = searches.front().get();
  for (const auto& s : searches)
    if (s->best && (!first->best || better(task, *s->best, *first->best))) first = s.get();
  const std::vector<bool> idle = first->idle();
  out.best = first->best;
  out.history = first->history;
  out.ending = first->ending();
  out.start_objective = searches.front()->start_value();
  for (const auto& s : searches) {
    if (s->trials().runs() > 0) ++out.searches;
    out.runs += s->trials().runs();
    add(out.failures, s->trials().failures());
    if (!s->best || !out.best || s->best->violation > slack) continue;
    const double mine = cost(task.objective, s->best->objective),
                 least = cost(task.objective, out.best->objective);
    if (mine - least <= 1e-4 * std::abs(least) + 1e-12) ++out.as_good;
  }
  for (std::size_t i = 0; out.best && i < task.conditions.size(); ++i) {
    const RunCondition& c = task.conditions[i];
    const double value = out.best->conditions[i];
    const std::string& unit = out.condition_units[i];
    if (!holds(c, value))
      out.violated.push_back(c.of.name() + " is " + short_number(value) + (unit.empty() ? "" : " " + unit) +
                             " where " + c.name() + " is asked for");
  }
  const Vector u = out.best ? out.best->u : begins.front();
  const Values values = from_box(task.unknowns, u);
  for (std::size_t k = 0; k < task.unknowns.size(); ++k) {
    const Unknown& x = task.unknowns[k];
    SearchResult::Found found{x.range.name, x.unit, x.start, values.at(x.range.name)};
    const double at = u[static_cast<Eigen::Index>(k)];
    if (at <= 1e-6) found.side = SearchResult::Found::Side::lower;
    if (at >= 1 - 1e-6) found.side = SearchResult::Found::Side::upper;
    found.determined = idle.empty() || !idle[k];
    out.parameters.push_back(std::move(found));
  }
  return out;
}

}  // namespace dalembert
