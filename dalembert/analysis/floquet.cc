#include "dalembert/analysis/floquet.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "dalembert/control/run_setup.h"
#include "dalembert/core/error.h"
#include "dalembert/core/text.h"

namespace dalembert {

namespace {

constexpr double at_rest = 1e-9;  // |F| over 1 + |z|: an equilibrium
// Moduli are no more accurate: double multipliers, which every conservative motion has, feel the root of an error.
constexpr double on_the_circle = 2e-4;
constexpr double came_to_rest = 1e-7;    // of the rate that the search began with
constexpr int longest_search = 16;       // for a period, in times of a run
constexpr double same_equations = 1e-8;  // rates at two times, over their size

class Shooting {
 public:
  Shooting(std::shared_ptr<const Problem> problem, const FloquetOptions& options)
      : options_(options), flow_(problem, options.flow), end_(problem->end()) {
    const Layout& layout = flow_.layout();
    for (const Block& block : layout.blocks())
      for (Eigen::Index i = 0; i < block.size; ++i)
        if (block.units[static_cast<std::size_t>(i)] == "rad") angles_.push_back(block.offset + i);
  }

  PeriodicOrbit solve();

 private:
  Vector rate(double t, const Vector& z) {
    Vector F(z.size());
    flow_.rate(t, z, F);
    return F;
  }
  bool same(const Vector& a, const Vector& b) const {
    return (a - b).norm() <= same_equations * (1 + a.norm() + b.norm());
  }
  bool depends_on_time();
  void check_period();
  double look_for_period();
  double nearest_return(double guess);
  /// z(T) - z(0), whole turns left out.
  Vector gap() const {
    Vector r = flow_.state().y - z_;
    for (const Eigen::Index i : angles_)
      r[i] -= 2 * std::numbers::pi * std::round(r[i] / (2 * std::numbers::pi));
    return r;
  }
  Outcome shoot();
  void correct(const Vector& r);
  Outcome converge();
  void conclude();

  const FloquetOptions& options_;
  TangentFlow flow_;
  double end_;
  std::vector<Eigen::Index> angles_;
  double t_ = 0, T_ = 0;
  Vector z_;
  Matrix B_;
  PeriodicOrbit orbit_;
};

bool Shooting::depends_on_time() {
  const Vector F = rate(t_, z_);
  const double unit = options_.period.value_or(end_ - flow_.start().t);
  for (const double part : {.137, .291, .413, .618, .787}) {
    // A drive may turn something at a constant rate: rates are the same then, but the position is another.
    Vector there = z_;
    if (flow_.project(t_ + part * unit, there) != Outcome::ok || !same(there, z_)) return true;
    if (!same(rate(t_ + part * unit, z_), F)) return true;
  }
  return false;
}

void Shooting::check_period() {
  for (const double part : {0., .137, .291, .413, .618, .787})
    if (!same(rate(t_ + part * T_, z_), rate(t_ + (1 + part) * T_, z_)))
      throw Error("the equations do not repeat after the period " + short_number(T_),
                  "give the period of what drives them, or a whole multiple");
}

/// The first return to the plane through the start that is near the start.
double Shooting::look_for_period() {
  const double span = end_ - flow_.start().t;
  const Vector F = rate(t_, z_);
  flow_.begin({t_, z_}, Matrix(z_.size(), 0));
  double last_t = t_, farthest = 0, found = 0;
  Vector last = Vector::Zero(z_.size());
  const auto look = [&](double t, Matrix&) {
    const Vector now = gap();
    farthest = std::max(farthest, now.norm());
    const double before = F.dot(last), after = F.dot(now);
    if (found == 0 && before < 0 && after >= 0) {
      const double part = before / (before - after);
      if ((last + part * (now - last)).norm() < 0.3 * farthest) found = last_t - t_ + part * (t - last_t);
    }
    last_t = t, last = now;
    return TangentFlow::Columns::kept;
  };
  // A run need not be as long as a period.
  Outcome outcome = Outcome::ok;
  for (int times = 1; times <= longest_search && found == 0 && outcome == Outcome::ok; times *= 2)
    outcome = flow_.advance(t_ + times * span, look);
  if (found == 0)
    throw Error("no near return to the start was seen up to t = " + short_number(flow_.state().t) +
                    (outcome == Outcome::ok ? "" : " (" + flow_.message() + ")"),
                "give a guess of the period, period=P, or begin nearer to a periodic motion");
  return found;
}

/// The time near a guess at which the motion from this start comes next to it. On an orbit that is its period, while Newton's method would leave the orbit:
/// where orbits come in families it is as near to an equilibrium, which repeats after the guess.
double Shooting::nearest_return(double guess) {
  double best = guess, least = std::numeric_limits<double>::infinity(), T = guess;
  for (int round = 0; round < 6; ++round) {
    flow_.begin({t_, z_}, Matrix(z_.size(), 0));
    if (flow_.advance(t_ + T) != Outcome::ok) break;
    const Vector r = gap(), F = rate(t_ + T, flow_.state().y);
    if (!(r.norm() < least)) break;
    best = T, least = r.norm();
    const double change = -F.dot(r) / F.squaredNorm();
    if (!(std::abs(change) < guess / 4)) break;
    T += change;
  }
  return best;
}

Outcome Shooting::shoot() {
  B_ = flow_.basis(t_, z_);
  flow_.begin({t_, z_}, B_);
  return flow_.advance(t_ + T_);
}

void Shooting::correct(const Vector& r) {
  const Eigen::Index d = B_.cols(), unknowns = d + (orbit_.which == PeriodicOrbit::Period::found ? 1 : 0);
  Matrix A = Matrix::Zero(unknowns, unknowns);
  Vector right = Vector::Zero(unknowns);
  A.topLeftCorner(d, d) = B_.transpose() * flow_.columns() - Matrix::Identity(d, d);
  right.head(d) = -B_.transpose() * r;
  if (unknowns > d) {
    A.col(d).head(d) = B_.transpose() * rate(t_ + T_, flow_.state().y);
    A.row(d).head(d) = rate(t_, z_).transpose() * B_;
  }
  // Where orbits come in families (without damping), the nearest one.
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(1e-7);
  const Vector x = solver.compute(A).solve(right);
  z_ += B_ * x.head(d);
  if (unknowns > d) T_ += std::clamp(x[d], -T_ / 2, T_ / 2);
  flow_.project(t_, z_);
}

Outcome Shooting::converge() {
  const double enough = 100 * options_.flow.tolerance.relative;
  double last = std::numeric_limits<double>::infinity();
  for (orbit_.rounds = 1; orbit_.rounds <= options_.most_rounds; ++orbit_.rounds) {
    if (const Outcome outcome = shoot(); outcome != Outcome::ok) {
      orbit_.message = flow_.message();
      return outcome;
    }
    const Vector r = gap();
    orbit_.gap = largest(r);
    if (options_.progress) options_.progress(orbit_.rounds, orbit_.gap);
    const double size = 1 + largest(z_);
    // Once more after it is small enough, as long as that helps.
    if (orbit_.gap <= enough * size && orbit_.gap > 0.1 * last) return Outcome::ok;
    if (orbit_.gap <= 1e-14 * size) return Outcome::ok;
    last = orbit_.gap;
    correct(r);
    if (!z_.allFinite() || !(T_ > 0)) break;
  }
  orbit_.message = "no periodic motion was found near this start: after " +
                   std::to_string(std::min(orbit_.rounds, options_.most_rounds)) +
                   " rounds the end is still " + short_number(orbit_.gap) + " away from the start";
  return Outcome::newton_diverged;
}

void Shooting::conclude() {
  const Matrix M = B_.transpose() * flow_.columns();
  const Eigen::VectorXcd values = M.eigenvalues();
  for (const auto& value : values) orbit_.multipliers.push_back({value});
  auto& all = orbit_.multipliers;
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(-std::abs(a.value), -a.value.imag()) < std::pair(-std::abs(b.value), -b.value.imag());
  });
  if (orbit_.which == PeriodicOrbit::Period::found)
    std::min_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::abs(a.value - 1.0) < std::abs(b.value - 1.0);
    })->trivial = true;
  orbit_.period = T_;
  orbit_.start = {t_, z_};
  flow_.begin(orbit_.start, Matrix(z_.size(), 0));
  for (int k = 0; k <= 100; ++k) {
    if (flow_.advance(t_ + T_ * k / 100) != Outcome::ok) break;
    orbit_.motion.push_back(flow_.state());
  }
}

PeriodicOrbit Shooting::solve() {
  if (flow_.dimension() == 0)
    throw Error("the constraints leave no freedom: there are no neighbouring motions");
  if (options_.period && !(*options_.period > 0))
    throw Error("the period is " + short_number(*options_.period), "it must be positive");
  if (!(options_.transient >= 0))
    throw Error("the transient is " + short_number(options_.transient), "it must not be negative");
  orbit_.layout = flow_.layout();
  orbit_.outcome = flow_.advance(flow_.start().t + options_.transient);
  orbit_.message = flow_.message();
  if (orbit_.outcome != Outcome::ok) return orbit_;
  t_ = flow_.state().t;
  z_ = flow_.state().y;
  orbit_.rest = rate(t_, z_).norm() <= at_rest * (1 + z_.norm());
  const bool forced = depends_on_time();
  if (!options_.period && (forced || orbit_.rest))
    throw Error(forced ? "the equations depend on time, and so their period is needed"
                       : "the motion is at rest: any period will do, but one is needed",
                "give period=P");
  orbit_.which = forced || orbit_.rest ? PeriodicOrbit::Period::known : PeriodicOrbit::Period::found;
  orbit_.rest = orbit_.rest && !forced;
  const double moving = rate(t_, z_).norm();
  T_ = options_.period ? *options_.period : look_for_period();
  if (orbit_.which == PeriodicOrbit::Period::found) T_ = nearest_return(T_);
  if (forced) check_period();
  orbit_.outcome = converge();
  if (orbit_.outcome != Outcome::ok) return orbit_;
  if (!forced && !orbit_.rest && rate(t_, z_).norm() <= came_to_rest * moving)
    throw Error("the search came to an equilibrium, which repeats after any period",
                "begin nearer to a periodic motion, or give another guess of its period, period=P");
  if (!same(rate(t_, z_), rate(t_ + T_, flow_.state().y)))  // a turn may matter, to a torsion spring
    throw Error("the motion returns after whole turns, and the equations are others then");
  conclude();
  return orbit_;
}

/// The first that is not trivial; none if there is no other.
const FloquetMultiplier* leading_multiplier(const PeriodicOrbit& orbit) {
  for (const auto& m : orbit.multipliers)
    if (!m.trivial) return &m;
  return nullptr;
}

}  // namespace

PeriodicOrbit find_periodic_orbit(std::shared_ptr<const Problem> problem, const FloquetOptions& options) {
  return Shooting(std::move(problem), options).solve();
}

Stability stability(const PeriodicOrbit& orbit) {
  const FloquetMultiplier* first = leading_multiplier(orbit);
  const double size = first != nullptr ? std::abs(first->value) : 0;
  return size < 1 - on_the_circle   ? Stability::stable
         : size > 1 + on_the_circle ? Stability::unstable
                                    : Stability::neutral;
}

std::string sentence(const PeriodicOrbit& orbit) {
  if (orbit.outcome != Outcome::ok) return orbit.message;
  const FloquetMultiplier* first = leading_multiplier(orbit);
  if (first == nullptr) return "there are no neighbours but those on the orbit itself";
  const std::complex<double> value = first->value;
  const std::string factor = short_number(std::abs(value));
  switch (stability(orbit)) {
    case Stability::stable:
      return "stable: neighbours come closer by a factor of " + factor + " per period";
    case Stability::neutral:
      return "neither stable nor unstable to first order: the largest multiplier lies on the unit circle";
    case Stability::unstable:
      break;
  }
  const std::string how = std::abs(value.imag()) > on_the_circle * std::abs(value) ? ", turning around it"
                          : value.real() < 0
                              ? ", from one side to the other: after two periods they are on the same side"
                              : ", to one side";
  return "unstable: neighbours leave by a factor of " + factor + " per period" + how;
}

}  // namespace dalembert
