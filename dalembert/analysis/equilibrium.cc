#include "dalembert/analysis/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "dalembert/analysis/known_rank.h"
#include "dalembert/analysis/linearisation.h"
#include "dalembert/analysis/statics.h"
#include "dalembert/constraints/consistent_start.h"
#include "dalembert/constraints/redundancy.h"
#include "dalembert/core/text.h"
#include "dalembert/linear/decompositions.h"
#include "dalembert/linear/rank.h"

namespace dalembert {

namespace {

constexpr double longest = .2;        // of a step, per 1 + |q|
constexpr double in_balance = 1e-9;   // forces along free displacements beside all forces
constexpr double next_to_it = 1e-8;   // per 1 + |q|: where forces that fade still do not
constexpr double far_away = 1e4;      // per 1 + |q|
constexpr double rounded = 1e-14;     // forces beside the largest one
constexpr double nothing = 1e-10;     // stiffness beside the largest one
constexpr double unresisted = 1e-10;  // forces where there is no stiffness, beside all forces

class Search {
 public:
  Search(const Mechanical& problem, Statics begin, const EquilibriumOptions& options)
      : problem_(problem),
        here_(std::move(begin)),
        drawn_(here_.q()),
        most_(options.most),
        progress_(options.progress),
        load_(here_.load()),
        loads_(here_.loads()) {}

  /// Where the mechanism comes to rest by itself.
  bool relax() {
    for (double mu = here_.haste(); steps_ < most_; ++steps_) {
      tell();
      if (balanced()) return polish();
      const double least = std::max(0., -1.5 * here_.softest());
      Vector y = solve(least + mu);
      for (; length(y) > limit(); y = solve(least + mu)) mu = 2 * (mu + 1e-6 * (least + here_.haste()));
      Statics next = here_.displaced(y);
      const Vector u = here_.displacement(y);
      if (!y.allFinite() || !next.look() ||
          work(u, here_) + work(u, next) < -1e-9 * std::abs(work(u, here_))) {
        mu = 4 * mu + 1e-3 * (least + here_.haste());
        continue;
      }
      here_ = std::move(next);
      mu = mu < 1e-6 * (least + here_.haste()) ? 0 : mu / 5;
    }
    // Where states push, work says little about the last digits: a valve that holds a piston may creep to and fro.
    if (!balanced() && !here_.states().empty()) most_ += 100, newton();
    return balanced() && polish();
  }

  /// Of all equilibria along displacements that nothing resists, the one nearest to the guess in the metric of the mass: a free mechanism keeps its
  /// centre where it was drawn.
  void stay_near(const Vector& q0) {
    const Eigen::Index free = here_.free().cols();
    if (!here_.states().empty() || free == 0) return;
    for (int round = 0; round < 8; ++round) {
      const Matrix N = known_rank(here_.tangent(), unknown()).null;
      if (N.cols() == 0) return;
      Vector u(problem_.sizes().v);
      problem_.difference(here_.q(), q0, u);
      const Matrix weighed = here_.mass() * N;
      const Vector y =
          N * Matrix(N.transpose() * weighed).ldlt().solve(weighed.transpose() * here_.coordinates(u));
      if (!y.allFinite() || length(y) <= 1e-13 * (1 + largest(q0)) || length(y) > limit()) return;
      Statics next = here_.displaced(y);
      const double most_force = std::max(2 * here_.unbalanced(), 1e-13 * here_.load() + here_.resilience());
      if (!next.look() || !(next.unbalanced() <= most_force)) return;
      here_ = std::move(next);
    }
  }

  /// What is next to the guess: Newton's method, or the path on which what holds it there is let go.
  bool nearest() {
    const Statics begin = here_;
    if (newton()) return polish();
    here_ = begin;
    here_.hold();
    for (double kept = 1, part = .25; kept > 0 && part > 1e-4;) {
      const Statics before = here_;
      here_.keep_held(std::max(0., kept - part));
      if (here_.look() && newton()) {
        kept = std::max(0., kept - part);
        part *= 2;
        if (kept == 0) return polish();
      } else {
        here_ = before;
        part /= 2;
      }
    }
    return false;
  }

  const Statics& here() const { return here_; }
  int steps() const { return steps_; }

  /// What keeps it from being in balance.
  std::string reason(const Vector& q0) const {
    const Vector rates = here_.push().tail(here_.size_of_rates().size());
    if (problem_.sizes().v == 0 ||  // a network alone
        (rates.size() > 0 && !here_.states_rest() &&
         here_.unbalanced() <= in_balance * std::max(load_, here_.load()))) {
      const Layout layout = problem_.layout();
      Eigen::Index most = 0;
      rates.cwiseAbs().cwiseQuotient(here_.size_of_rates().cwiseMax(1e-300)).maxCoeff(&most);
      const auto state = static_cast<std::size_t>(here_.states()[static_cast<std::size_t>(most)]);
      return "after " + std::to_string(steps_) + " steps " + layout["s"].labels[state] +
             " still changes, by " + short_number(rates[most]) + " " + layout["s"].units[state] +
             " per second";
    }
    const std::vector<std::string> names = displacement_names(problem_);
    const auto name = [&](const Vector& u) {
      Eigen::Index most = 0;
      u.cwiseAbs().maxCoeff(&most);
      return names[static_cast<std::size_t>(most)];
    };
    // The free displacement along which most is left: what moves with it, largest first.
    const auto pushed = [&] {
      const Vector u = here_.unborne();
      std::vector<Eigen::Index> order(names.size());
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](Eigen::Index a, Eigen::Index b) { return std::abs(u[a]) > std::abs(u[b]); });
      std::string all;
      for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k)
        if (std::abs(u[order[k]]) > .1 * std::abs(u[order[0]]))
          all += (k == 0 ? "" : k == 1 ? " (with " : ", ") + names[static_cast<std::size_t>(order[k])];
      return all + (all.find('(') == std::string::npos ? "" : ")");
    };
    Vector u(problem_.sizes().v);
    problem_.difference(q0, here_.q(), u);
    if (runs_away_)
      return name(u) + " runs away: the force on it fades with the distance, to " +
             short_number(here_.unbalanced()) + " at " + short_number(largest(u)) +
             " from where it was drawn, but the place where it would vanish comes no nearer";
    const Eigen::Index free = here_.free().cols();
    const Matrix K = here_.tangent().topLeftCorner(free, free);
    const Matrix loose = null_space(K, nothing);
    const double stiff = K.size() == 0 ? 0 : K.cwiseAbs().maxCoeff();
    const Matrix still = stiff <= nothing * here_.load() ? Matrix::Identity(free, free) : loose;
    const Vector along = still * (still.transpose() * here_.push().head(free));
    if (pushes_on(along))
      return "nothing holds " + name(here_.displacement(along)) + ": wherever it is, a force of " +
             short_number(largest(along)) + " pushes it on";
    if (largest(u) > far_away * (1 + largest(q0)))
      return name(u) + " runs away: it is " + short_number(largest(u)) +
             " from where it was drawn, and a force of " + short_number(here_.unbalanced()) +
             " is not in balance there";
    return "after " + std::to_string(steps_) + " steps a force of " + short_number(here_.unbalanced()) +
           " still pushes " + pushed() + ", and is not in balance beside loads of " +
           short_number(here_.load()) + "; " + name(u) + " is " + short_number(largest(u)) +
           " from where it was drawn";
  }

 private:
  void tell() const {
    if (progress_)
      progress_(fmt::format("step {} of the search, with a force of {:.2g} N left", steps_ + 1,
                            here_.unbalanced()));
  }
  /// Does the force along these free directions stay what it is, however far they are followed?
  bool pushes_on(const Vector& along) const {
    if (!(along.norm() > .01 * here_.push().norm())) return false;
    Vector y = Vector::Zero(here_.push().size());
    y.head(along.size()) = along.normalized();
    for (const double distance : {-3., -1., 1., 5.}) {
      Statics there = here_.displaced(distance * y);
      if (!there.look() || there.push().size() != y.size()) return false;
      const Vector force = here_.seen_from_here(there) * there.push().head(along.size());
      if (std::abs(force.dot(along) - along.squaredNorm()) > 1e-6 * along.squaredNorm()) return false;
    }
    return true;
  }
  /// Each free direction is judged by the loads along itself: a soft spring is not balanced because a stiff one bears a thousand times more.
  bool balanced() const {
    // Forces that cancel on a body without joints are not seen one by one: there the displacement that would balance it decides, unless the
    // force has grown beyond all bounds, and its slope with it.
    // What falls freely is as far away as the search goes, where any force is small beside the rounding of so long a way.
    if (largest(here_.q() - drawn_) > far_away * (1 + largest(drawn_))) return false;
    const Vector slopes = here_.resiliences();
    const double rounding = rounded * here_.load();
    bool displaced = false;
    for (Eigen::Index i = 0; i < slopes.size(); ++i) {
      const double before = i < loads_.size() ? loads_[i] : load_, push = std::abs(here_.push()[i]);
      if (push <= std::max(in_balance * std::max(before, here_.loads()[i]), rounding)) continue;
      if (!(push <= std::min(slopes[i], load_))) return false;
      displaced = true;
    }
    // The slope of a stiff body is none of a light one that hangs on it.
    return here_.states_rest() && (!displaced || length(solve(0)) <= next_to_it * (1 + largest(here_.q())));
  }
  /// Of what joints do not bear: they turn with the step, and what they bear would outweigh a soft spring.
  static double work(const Vector& u, const Statics& at) { return u.dot(at.unborne()); }
  double length(const Vector& y) const { return largest(here_.displacement(y)); }
  double limit() const { return longest * (1 + largest(here_.q())); }
  /// States have units of their own (Pa, A), and springs differ by any factor: rows and columns are brought to the size of 1 before a rank is
  /// judged. What nothing resists is not moved, in the metric of the inertia.
  Vector solve(double mu) const { return solve(mu, here_.doubt()); }
  Vector solve(double mu, const Matrix& doubt) const {
    const KnownSolution found(here_.tangent() + mu * here_.inertia(), doubt, here_.push(), nothing);
    if (found.null.cols() == 0) return found.y;
    const Matrix weighed = here_.inertia() * found.null;
    return found.y -
           found.null * Matrix(found.null.transpose() * weighed).ldlt().solve(weighed.transpose() * found.y);
  }
  /// How much the tangent changes over as much as is left to go: next to an equilibrium at which nothing resists a spin, stiffness against it is as
  /// small as the distance, and would lead anywhere.
  Matrix unknown() const {
    Matrix all = here_.doubt();
    const Vector& push = here_.push();
    if (push.size() == 0) return all;
    Eigen::CompleteOrthogonalDecomposition<Matrix> plain;
    plain.setThreshold(nothing);
    plain.compute(here_.tangent());
    const double size = 1 + largest(here_.q()),
                 reach = std::min(4 * length(plain.solve(push)) + 1e-15 * size, next_to_it * size);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> part(.5, 2);  // of one size, some would cancel
    for (int sample = 0; sample < 4; ++sample) {
      Vector y = Vector::Zero(push.size());
      for (Eigen::Index i = 0; i < here_.free().cols(); ++i)
        y[i] = (random() % 2 == 0 ? reach : -reach) * part(random);
      Statics there = here_.displaced(y);
      if (!there.look() || there.push().size() != push.size()) return all;
      Matrix turn = Matrix::Identity(push.size(), push.size());
      turn.topLeftCorner(here_.free().cols(), here_.free().cols()) = here_.seen_from_here(there);
      all = all.cwiseMax(2 * (turn * there.tangent() * turn.transpose() - here_.tangent()).cwiseAbs());
    }
    return all;
  }
  /// One step that makes forces smaller, if there is one.
  bool improve(const Matrix& doubt) {
    tell();
    const Vector y = solve(0, doubt);
    if (y.size() == 0) return false;
    for (double part = std::min(1., limit() / (1e-300 + length(y))); part > 1e-3; part /= 2) {
      Statics next = here_.displaced(part * y);
      // Rates of states have units of their own: what is small in Pa/s must not hide what changes in m^3/s.
      if (!next.look() || !(next.haste() < here_.haste() ||
                            (next.unbalanced() <= here_.unbalanced() && next.unrest() < .9 * here_.unrest())))
        continue;
      here_ = std::move(next);
      return true;
    }
    return false;
  }
  bool newton() {
    for (; steps_ < most_ && !balanced(); ++steps_)
      if (!improve(here_.doubt())) return false;
    return balanced();
  }
  /// To rounding. Where stiffness vanishes each step takes off a part only: x^3 = 0 is met by steps of a third. Forces that fade
  /// with the distance, like exp(-x) and 1/x^2, seem to be in balance far away: there it remains as far to go as it was, or farther.
  bool polish() {
    const double first = length(solve(0, unknown())), begin = here_.unbalanced();
    double left = first, before = first, least = begin, size = 1;
    Vector q = here_.q();
    for (int i = 0; i < 300 && (improve(unknown()) || improve(here_.doubt())); ++i) {
      if (more_than_rounding())  // less says nothing about what is left to go
        before = left, left = length(solve(0, unknown())), least = here_.unbalanced(),
        size = 1 + largest(here_.q());
      const double step = largest(here_.q() - q);
      q = here_.q();
      if (i >= 4 && step <= 1e-14 * (1 + largest(q))) break;
    }
    // What is left to go may also shrink without end, like 1/x of exp(-x^2): at a zero of order k it does so by 1 - 1/k.
    runs_away_ =
        (least < .1 * begin && (left > .9 * first || left > .95 * before) && left > 1e-6 * size) || fades();
    return !runs_away_;
  }
  bool more_than_rounding() const {
    return here_.unbalanced() > 1e-13 * here_.load() &&
           (here_.push().cwiseAbs().array() > 10 * here_.noise().array()).any();
  }
  /// Is what is left along directions without stiffness more than rounding?
  bool fades() const {
    const Eigen::Index free = here_.free().cols();
    const Matrix K = here_.tangent().topLeftCorner(free, free);
    if (free == 0 || K.cwiseAbs().maxCoeff() == 0) return false;
    const Alike alike(
        (K.array().abs() > unknown().topLeftCorner(free, free).array()).select(K.cwiseAbs(), 0).matrix());
    const Eigen::JacobiSVD<Matrix> svd(alike(K), Eigen::ComputeFullU);
    const Eigen::Index firm = (svd.singularValues().array() > nothing * svd.singularValues()[0]).count();
    // Left vectors of K itself.
    const Matrix loose =
        (alike.rows.asDiagonal() * svd.matrixU().rightCols(free - firm)).colwise().normalized();
    return largest((loose.transpose() * here_.push().head(free)).eval()) >
           std::max(unresisted * here_.load(), here_.resilience());
  }

  const Mechanical& problem_;
  Statics here_;
  Vector drawn_;
  int most_, steps_ = 0;
  std::function<void(const std::string&)> progress_;
  double load_;   // at the guess
  Vector loads_;  // there, along each free direction
  bool runs_away_ = false;
};

/// Which rows and whether forces change with time, while everything else stays.
void look_at_time(const Mechanical& problem, const Statics& here, Equilibrium& found) {
  const MechanicalState part(problem.sizes());
  const Mechanical::Sizes n = problem.sizes();
  const State& state = found.state;
  const Layout layout = problem.layout();
  const double span = std::abs(problem.end() - state.t);
  const Vector rest = Vector::Zero(n.v);
  Vector f(n.v), g(n.holonomic), w(n.rows()), ds(n.s), f0(n.v), ds0(n.s), g0;
  std::vector<bool> moves(static_cast<std::size_t>(n.rows()), false);
  for (const double dt : {0., .013, .1, .37, 1.}) {
    const auto at = problem.placed_at(state.t + dt * span, part.q(state.y));
    problem.force(*at, rest, part.s(state.y), f);
    if (n.s > 0) problem.auxiliary(*at, rest, part.s(state.y), ds);
    problem.g(*at, g);
    if (dt == 0) f0 = f, ds0 = ds, g0 = g;
    problem.velocity_bias(*at, w);
    for (Eigen::Index i = 0; i < n.rows(); ++i)
      if ((i < n.holonomic && std::abs(g[i] - g0[i]) > 1e-7) || std::abs(w[i]) > 1e-9)
        moves[static_cast<std::size_t>(i)] = true;
    if (largest((here.free().transpose() * (f - f0)).eval()) >
            std::max(1e-6 * found.load, 1e3 * here.resilience()) ||
        unrest((ds - ds0)(here.states()), here.size_of_rates()) > 1e-6)
      found.timed = true;
  }
  for (Eigen::Index i = 0; i < n.rows(); ++i)
    if (moves[static_cast<std::size_t>(i)]) found.driven.push_back(layout.label(part.differential() + i));
}

/// A position on the constraints, for the tolerance that its rows are judged by.
double tolerance_at(const Mechanical& problem, const State& guess) {
  State state = guess;
  MechanicalState(problem.sizes()).v(state.y).setZero();
  if (problem.sizes().rows() == 0 || make_consistent(problem, state).outcome != Outcome::ok)
    return rank_tolerance;
  return find_redundancy(problem, state).tolerance;
}

}  // namespace

Equilibrium find_equilibrium(const Mechanical& problem, const State& guess,
                             const EquilibriumOptions& options) {
  Equilibrium result;
  Statics begin(problem, guess, tolerance_at(problem, guess));
  result.state = begin.state();
  if (!begin.look()) {
    result.why_not = "the constraints cannot be satisfied near the guess, or forces are not finite there";
    return result;
  }
  const Vector q0 = begin.q();
  Search search(problem, std::move(begin), options);
  result.found = options.seek == EquilibriumOptions::Seek::rest ? search.relax() : search.nearest();
  if (result.found && search.steps() > 0) search.stay_near(q0);
  const Statics& here = search.here();
  if (!result.found) result.why_not = search.reason(q0);
  result.state = here.state();
  result.force = here.unbalanced();
  result.push = here.unborne();
  result.load = here.load();
  result.steps = search.steps();
  Vector u(problem.sizes().v);
  problem.difference(MechanicalState(problem.sizes()).q(guess.y), here.q(), u);
  const MechanicalState part(problem.sizes());
  result.at_guess = result.found && largest(u) < 1e-9 && search.steps() == 0;
  result.moved = u.size() > 0 ? largest(u) : largest((part.s(result.state.y) - part.s(guess.y)).eval());
  look_at_time(problem, here, result);
  return result;
}

}  // namespace dalembert
